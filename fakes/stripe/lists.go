package stripe

import (
	"errors"
	"net/http"
	"slices"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// defaultLimit is how many items a page has when none says.
// Source: docs.stripe.com/api/pagination.
const defaultLimit = 10

// list reads the page that a list operation asks for. Filters name query
// parameters that must equal the records' fields of the same name; keep, where
// there is one, narrows further.
func (c *call) list(collection, what string, keep func(*world.Record) bool, filters ...string) (answer, *refusal) {
	q := kit.Query{Collection: full(collection), Keep: keep}
	return c.page(collection, what, c.filtered(q, filters...))
}

// filtered adds the call's own filters. The first equality goes through an
// index, unless the query has one already.
func (c *call) filtered(q kit.Query, filters ...string) kit.Query {
	for _, field := range filters {
		value := c.query(field)
		switch {
		case value == "":
		case q.Index == "":
			q.Index, q.Value = field, value
		default:
			q.Keep = also(q.Keep, func(r *world.Record) bool { return r.Value()[field] == value })
		}
	}
	if created := c.Input.Query["created"]; created != nil {
		bounds := kit.BoundsOf(created)
		q.Keep = also(q.Keep, func(r *world.Record) bool { return bounds.Holds(r, "created") })
	}
	return q
}

// page reads the page between the cursors that the call names.
func (c *call) page(collection, what string, q kit.Query) (answer, *refusal) {
	q.Limit, q.After, q.Before = defaultLimit, c.query("starting_after"), c.query("ending_before")
	if limit, ok := c.Input.Query["limit"].(int64); ok {
		q.Limit = int(limit)
	}
	if q.After != "" && q.Before != "" {
		return answer{}, invalid("", "", "You cannot parameterize starting_after and ending_before at the same time.")
	}
	q.Keep = also(q.Keep, c.ours())
	id, param := q.After, "starting_after"
	if id == "" {
		id, param = q.Before, "ending_before"
	}
	if id != "" && !c.listed(q, id) {
		return answer{}, missing(http.StatusBadRequest, what, id, param)
	}
	page, err := kit.List(c.Tx, q)
	if errors.Is(err, kit.ErrCursor) {
		return answer{}, missing(http.StatusBadRequest, what, id, param)
	}
	given := answer{page: &page, collection: collection}
	if c.counts {
		q.After, q.Before, q.Limit = "", "", c.Tx.Len(q.Collection)
		all, err := kit.List(c.Tx, q)
		kit.Must(name, err)
		given.found = map[string]any{totalCount: int64(len(all.Records))}
	}
	return given, nil
}

// listed tells whether a record stands in a list. One that was deleted, or that
// the list's filters and defaults leave out by now, is no cursor.
// Source: github.com/stripe/stripe-node/issues/2368 and stripe-php/issues/939,
// for subscriptions; of other filters it is taken to be so.
func (c *call) listed(q kit.Query, id string) bool {
	record, ok := c.Tx.Get(q.Collection, id)
	return ok && (q.Index == "" || kit.Text(record.Value(), q.Index) == q.Value) && (q.Keep == nil || q.Keep(record))
}

// flags adds filters by boolean query parameters.
func (c *call) flags(keep func(*world.Record) bool, fields ...string) func(*world.Record) bool {
	for _, field := range fields {
		if wanted, sent := c.Input.Query[field].(bool); sent {
			keep = also(keep, func(r *world.Record) bool { return r.Value()[field] == wanted })
		}
	}
	return keep
}

// within adds filters by ranges of times.
func (c *call) within(keep func(*world.Record) bool, fields ...string) func(*world.Record) bool {
	for _, field := range fields {
		if asked := c.Input.Query[field]; asked != nil {
			bounds := kit.BoundsOf(asked)
			keep = also(keep, func(r *world.Record) bool { return bounds.Holds(r, field) })
		}
	}
	return keep
}

// part answers with a page of a list that stands in a record.
func (c *call) part(items []any, what string) (answer, *refusal) {
	limit, after, before := int64(defaultLimit), c.query("starting_after"), c.query("ending_before")
	if n, ok := c.Input.Query["limit"].(int64); ok {
		limit = n
	}
	from, to := 0, len(items)
	for _, cursor := range []struct{ id, param string }{{after, "starting_after"}, {before, "ending_before"}} {
		if cursor.id == "" {
			continue
		}
		at := slices.IndexFunc(items, func(item any) bool { return cast.Object(item)["id"] == cursor.id })
		switch {
		case at < 0:
			return answer{}, missing(http.StatusBadRequest, what, cursor.id, cursor.param)
		case cursor.param == "starting_after":
			from = at + 1
		default:
			to = at
		}
	}
	more := int64(to-from) > limit
	if more && before == "" {
		to = from + int(limit)
	} else if more {
		from = to - int(limit)
	}
	page := append([]any{}, items[from:max(from, to)]...)
	found := map[string]any{"has_more": more}
	if c.counts {
		found[totalCount] = int64(len(items))
	}
	return answer{items: page, found: found}, nil
}

func also(first, second func(*world.Record) bool) func(*world.Record) bool {
	if first == nil || second == nil {
		if first == nil {
			return second
		}
		return first
	}
	return func(r *world.Record) bool { return first(r) && second(r) }
}
