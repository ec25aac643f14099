package zendesk

import (
	"slices"
	"strings"
	"time"

	"parity/fakes/cast"
)

// holds tells whether a ticket meets conditions: all of one list, and any of the
// other.
// Source: developer.zendesk.com/documentation/ticketing/reference-guides/conditions-reference.
func (c *call) holds(conditions map[string]any, ticket map[string]any) bool {
	for _, one := range cast.List(conditions["all"]) {
		if condition, ok := one.(map[string]any); ok && !c.meets(condition, ticket) {
			return false
		}
	}
	either, _ := conditions["any"].([]any)
	met := len(either) == 0
	for _, one := range either {
		if condition, ok := one.(map[string]any); ok && c.meets(condition, ticket) {
			met = true
		}
	}
	return met
}

func (c *call) meets(condition, ticket map[string]any) bool {
	field, operator := cast.Text(condition["field"]), cast.Text(condition["operator"])
	want := cast.Plain(condition["value"])
	switch field {
	case "current_tags":
		return includes(operator, list(ticket["tags"]), labels(condition["value"]))
	case "subject_includes_word", "comment_includes_word":
		return includes(operator, strings.Fields(strings.ToLower(cast.Text(ticket["subject"])+" "+cast.Text(ticket["description"]))), strings.Fields(strings.ToLower(want)))
	case "NEW", "OPEN", "PENDING", "HOLD", "SOLVED", "CLOSED", "assigned_at", "requester_updated_at", "assignee_updated_at", "created_at", "updated_at", "due_date":
		return c.aged(field, operator, want, ticket)
	case "satisfaction_score":
		return equal(operator, cast.Text(cast.Object(ticket["satisfaction_rating"])["score"]), want)
	case "via_id":
		return equal(operator, cast.Text(cast.Object(ticket["via"])["channel"]), want)
	case "organization_id", "group_id", "assignee_id", "requester_id", "brand_id", "ticket_form_id":
		return c.whose(field, operator, want, ticket)
	}
	if name, ok := strings.CutPrefix(field, "custom_fields_"); ok {
		n, _ := whole(name)
		v := cast.Plain(fieldsByID(ticket["custom_fields"])[n])
		if operator == "present" || operator == "not_present" {
			return (v != "") == (operator == "present")
		}
		return equal(operator, v, want)
	}
	have := cast.Plain(ticket[field])
	if ranks := ranked(field); ranks != nil {
		a, b := slices.Index(ranks, have), slices.Index(ranks, want)
		switch operator {
		case "less_than":
			return a < b
		case "less_than_equal":
			return a <= b
		case "greater_than":
			return a > b
		case "greater_than_equal":
			return a >= b
		}
	}
	return equal(operator, have, want)
}

func equal(operator, have, want string) bool {
	if operator == "is_not" || operator == "not_value" {
		return have != want
	}
	return have == want
}

func includes(operator string, have, want []string) bool {
	n := 0
	for _, one := range want {
		if slices.Contains(have, one) {
			n++
		}
	}
	switch operator {
	case "not_includes":
		return n == 0
	case "is", "includes_all":
		return n == len(want)
	}
	return n > 0
}

// whose resolves who is meant by current_user and current_groups.
func (c *call) whose(field, operator, want string, ticket map[string]any) bool {
	have := ""
	if n := id(ticket, field); n != 0 {
		have = key(n)
	}
	switch want {
	case "current_user":
		want = key(c.callerID())
	case "requester_id":
		want = key(id(ticket, "requester_id"))
	case "current_groups":
		belongs := false
		for r := range c.Tx.Find(full(memberships), "user_id", key(c.callerID()), 0) {
			belongs = belongs || key(id(r.Value(), "group_id")) == have
		}
		return belongs == (operator != "is_not")
	}
	return equal(operator, have, want)
}

// aged compares the hours since something happened.
func (c *call) aged(field, operator, want string, ticket map[string]any) bool {
	at, ok := moment(cast.Text(ticket["updated_at"]))
	switch field {
	case "created_at":
		at, ok = moment(cast.Text(ticket["created_at"]))
	case "due_date":
		at, ok = moment(cast.Text(ticket["due_at"]))
	case "updated_at", "assigned_at", "requester_updated_at", "assignee_updated_at":
	default:
		ok = ok && strings.EqualFold(cast.Text(ticket["status"]), field)
	}
	hours, number := whole(want)
	if !ok || !number {
		return false
	}
	passed := int64(c.Now.Sub(at) / time.Hour)
	switch operator {
	case "less_than":
		return passed < hours
	case "greater_than":
		return passed > hours
	case "is_not":
		return passed != hours
	}
	return passed == hours
}
