package zendesk

import (
	"cmp"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// Ranks of what has an order of its own.
// Source: support.zendesk.com, "Zendesk Support search reference".
var (
	statuses   = []string{"new", "open", "pending", "hold", "solved", "closed", "deleted"}
	priorities = []string{"low", "normal", "high", "urgent"}
	types      = []string{"question", "incident", "problem", "task"}
)

// sortable names the fields that lists may be sorted by, as clients write them.
func sortable(field string) string {
	switch field {
	case "created", "created_at":
		return "created_at"
	case "updated", "updated_at":
		return "updated_at"
	case "requester", "requester.name":
		return "requester_id"
	case "assignee", "assignee.name":
		return "assignee_id"
	case "group":
		return "group_id"
	case "ticket_type":
		return "type"
	case "nice_id":
		return "id"
	case "alphabetical":
		return "title"
	case "due_date":
		return "due_at"
	case "id", "subject", "status", "priority", "name", "title", "position", "edited_at", "vote_sum":
		return field
	}
	return ""
}

// sorted puts a listing into the order that the call asks for.
func (c *call) sorted(l listing) listing {
	by, order := c.query("sort"), c.query("sort_order")
	if by == "" {
		by = c.query("sort_by")
	}
	down := strings.HasPrefix(by, "-") || order == "desc"
	field := sortable(strings.TrimPrefix(by, "-"))
	if field == "" || field == "id" && !down {
		return l
	}
	if !l.narrowed {
		for r := range c.Tx.Oldest(full(l.collection), 0) {
			if l.keep == nil || l.keep(r) {
				l.some = append(l.some, r)
			}
		}
		l.narrowed = true
	} else {
		l.some = slices.Clone(l.some)
	}
	slices.SortStableFunc(l.some, func(a, b *world.Record) int {
		n := compare(field, a.Value()[field], b.Value()[field])
		if down {
			return -n
		}
		return n
	})
	return l
}

// compare orders two values of a field; null comes first.
func compare(field string, a, b any) int {
	if ranks := ranked(field); ranks != nil {
		return cmp.Compare(slices.Index(ranks, cast.Plain(a)), slices.Index(ranks, cast.Plain(b)))
	}
	x, ok1 := a.(int64)
	y, ok2 := b.(int64)
	if ok1 && ok2 {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(strings.ToLower(cast.Plain(a)), strings.ToLower(cast.Plain(b)))
}

func ranked(field string) []string {
	switch field {
	case "status":
		return statuses
	case "priority":
		return priorities
	case "type":
		return types
	}
	return nil
}
