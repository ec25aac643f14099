package zendesk

import (
	"slices"
	"strings"

	"parity/fakes/cast"
)

// A matter is what conditions are held against: a ticket, and the change of it
// that is under way. Views, automations and SLA policies have no change.
type matter struct {
	ticket map[string]any
	edit   *edit // nil: nothing is being changed
}

// holds tells whether a ticket meets conditions: all of one list, and any of the
// other.
// Source: developer.zendesk.com/documentation/ticketing/reference-guides/conditions-reference.
func (c *call) holds(conditions map[string]any, m matter) bool {
	for _, one := range cast.List(conditions["all"]) {
		if condition, ok := one.(map[string]any); ok && !c.meets(condition, m) {
			return false
		}
	}
	either, _ := conditions["any"].([]any)
	met := len(either) == 0
	for _, one := range either {
		if condition, ok := one.(map[string]any); ok && c.meets(condition, m) {
			met = true
		}
	}
	return met
}

func (c *call) meets(condition map[string]any, m matter) bool {
	field, want := byName(cast.Text(condition["field"]), cast.Plain(condition["value"]))
	operator := cast.Text(condition["operator"])
	switch {
	case field == "current_tags":
		return includes(operator, list(m.ticket["tags"]), labels(condition["value"]))
	case field == "subject_includes_word" || field == "description_includes_word" || field == "comment_includes_word":
		return c.worded(field, operator, want, m)
	case timed(field):
		return c.aged(field, operator, want, m.ticket)
	case want == "current_groups":
		return c.mine(m.ticket) == (operator != "is_not")
	case field == "satisfaction_score":
		have := score(m.ticket)
		return m.moved(operator, have, score(m.before()), want) || plainly(operator) && equal(operator, have, want)
	}
	if have, ok := c.aside(field, want, m); ok {
		return compared(field, operator, have, strings.ToLower(want))
	}
	want = c.meant(want, m.ticket)
	have, was := c.text(field, m.ticket), c.text(field, m.before())
	if m.edit != nil && !plainly(operator) {
		return m.moved(operator, have, was, want)
	}
	return (plainly(operator) || strings.HasSuffix(operator, "value")) && compared(field, operator, have, want)
}

// before is the ticket as it was before the change; nil for a new one.
func (m matter) before() map[string]any {
	if m.edit == nil || m.edit.before == nil {
		return nil
	}
	return m.edit.before.Value()
}

// plainly tells whether an operator looks at what is, and not at what changed.
func plainly(operator string) bool {
	switch operator {
	case "changed", "not_changed", "value", "value_previous", "not_value", "not_value_previous", "changed_to", "changed_from", "not_changed_to", "not_changed_from":
		return false
	}
	return true
}

// moved compares what a change did to a field.
func (m matter) moved(operator, have, was, want string) bool {
	if m.edit == nil {
		return false
	}
	changed := have != was
	switch operator {
	case "changed":
		return changed
	case "not_changed":
		return !changed
	case "value", "changed_to":
		return changed && have == want
	case "not_value", "not_changed_to":
		return !changed || have != want
	case "value_previous", "changed_from":
		return changed && was == want
	case "not_value_previous", "not_changed_from":
		return !changed || was != want
	}
	return false
}

// compared holds a value against what is wanted, by rank or by number where the
// field has one.
func compared(field, operator, have, want string) bool {
	switch operator {
	case "present":
		return have != ""
	case "not_present":
		return have == ""
	case "includes", "not_includes":
		return slices.Contains(strings.FieldsFunc(want, func(r rune) bool { return r == ',' || r == ' ' }), have) == (operator == "includes")
	case "includes_string", "not_includes_string":
		return strings.Contains(strings.ToLower(have), strings.ToLower(want)) == (operator == "includes_string")
	case "less_than", "less_than_equal", "greater_than", "greater_than_equal":
		return ordered(field, operator, have, want)
	}
	return equal(operator, have, want)
}

func ordered(field, operator, have, want string) bool {
	a, ok1 := whole(have)
	b, ok2 := whole(want)
	if ranks := ranked(field); ranks != nil {
		a, b = int64(slices.Index(ranks, have)), int64(slices.Index(ranks, want))
	} else if !ok1 || !ok2 {
		return false
	}
	switch operator {
	case "less_than":
		return a < b
	case "less_than_equal":
		return a <= b
	case "greater_than":
		return a > b
	}
	return a >= b
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

// worded looks for words, or for a whole text, in what a ticket says. Of a change
// that is its comment, and the subject too where the ticket is new.
func (c *call) worded(field, operator, want string, m matter) bool {
	said := cast.Text(m.ticket["description"])
	switch {
	case field == "subject_includes_word":
		said = cast.Text(m.ticket["subject"])
	case field == "comment_includes_word" && m.edit != nil:
		said = cast.Text(m.edit.comment["plain_body"])
		if m.edit.before == nil {
			said += "\n" + cast.Text(m.ticket["subject"])
		}
	case field == "comment_includes_word":
		said += "\n" + cast.Text(m.ticket["subject"])
	}
	said, want = strings.ToLower(said), strings.ToLower(strings.TrimSpace(want))
	switch operator {
	case "is", "is_not":
		return (want != "" && strings.Contains(said, want)) == (operator == "is")
	}
	letters := func(r rune) bool { return strings.ContainsRune(" \t\r\n.,;:!?\"()", r) }
	return includes(operator, strings.FieldsFunc(said, letters), strings.FieldsFunc(want, letters))
}

func score(ticket map[string]any) string {
	return cast.Text(cast.Object(ticket["satisfaction_rating"])["score"])
}
