package notion

import (
	"slices"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

type test func(value any) bool

// condition reads what a value of a type has to be.
func (c *call) condition(kind string, at place) (test, problem) {
	sent := cast.Object(at.value)
	switch kind {
	case "formula":
		return c.formulaCondition(at)
	case "rollup":
		return c.rollupCondition(at)
	case "verification":
		return func(value any) bool {
			return kit.Text(cast.Object(value), "state") == or(sent["status"], sent["does_not_equal"])
		}, nil
	}
	known := operators(kind)
	for _, operator := range known {
		operand, ok := sent[operator]
		if !ok {
			continue
		}
		if wrong := operandOf(kind, operator, at.at(operator)); wrong != nil {
			return nil, wrong
		}
		return func(value any) bool { return c.holds(kind, operator, value, operand) }, nil
	}
	var wrong problem
	for _, operator := range known {
		wrong = append(wrong, at.at(operator).should("defined")...)
	}
	return nil, wrong
}

// operators are the conditions that a type knows.
func operators(kind string) []string {
	switch kind {
	case "number", "unique_id":
		return []string{"equals", "does_not_equal", "greater_than", "less_than", "greater_than_or_equal_to", "less_than_or_equal_to", "is_empty", "is_not_empty"}
	case "checkbox":
		return []string{"equals", "does_not_equal"}
	case "select", "status":
		return []string{"equals", "does_not_equal", "is_empty", "is_not_empty"}
	case "multi_select", "people", "relation", "created_by", "last_edited_by":
		return []string{"contains", "does_not_contain", "is_empty", "is_not_empty"}
	case "files":
		return []string{"is_empty", "is_not_empty"}
	case "date", "created_time", "last_edited_time":
		return []string{
			"equals", "before", "after", "on_or_before", "on_or_after", "this_week", "past_week", "past_month", "past_year",
			"next_week", "next_month", "next_year", "is_empty", "is_not_empty",
		}
	}
	return []string{"equals", "does_not_equal", "contains", "does_not_contain", "starts_with", "ends_with", "is_empty", "is_not_empty"}
}

func operandOf(kind, operator string, at place) problem {
	switch operator {
	case "is_empty", "is_not_empty":
		if at.value != true {
			return at.should("`true`")
		}
		return nil
	case "this_week", "past_week", "past_month", "past_year", "next_week", "next_month", "next_year":
		return at.isObject()
	}
	switch kind {
	case "number", "unique_id":
		return at.isNumber()
	case "checkbox":
		return at.isBool()
	case "people", "created_by", "last_edited_by":
		if at.value == "me" {
			return nil
		}
		return at.isUUID()
	case "relation":
		return at.isUUID()
	case "date", "created_time", "last_edited_time":
		if text, ok := at.value.(string); ok && relativeDay(text) != nil {
			return nil
		}
		return at.isDate()
	case "select", "status", "multi_select":
		if _, several := at.value.([]any); several {
			return nil
		}
	}
	return at.isText(maxContent)
}

func (c *call) holds(kind, operator string, value, operand any) bool {
	switch operator {
	case "is_empty":
		return empty(kind, value)
	case "is_not_empty":
		return !empty(kind, value)
	}
	switch kind {
	case "number", "unique_id":
		if kind == "unique_id" {
			value = cast.Object(value)["number"]
		}
		return compareNumbers(operator, value, operand)
	case "checkbox":
		return (value == operand) == (operator == "equals")
	case "select", "status":
		return matches(value, operand) == (operator == "equals")
	case "multi_select":
		found := slices.ContainsFunc(cast.List(value), func(item any) bool { return matches(item, operand) })
		return found == (operator == "contains")
	case "people", "relation", "created_by", "last_edited_by":
		text, _ := operand.(string)
		id, _ := uuidOf(text)
		if text == "me" {
			id = kit.Text(c.space, "bot_id")
		}
		all, ok := value.([]any)
		if !ok {
			all = []any{value}
		}
		found := slices.ContainsFunc(all, func(item any) bool { return kit.Text(cast.Object(item), "id") == id })
		return found == (operator == "contains")
	case "date", "created_time", "last_edited_time":
		return c.compareDates(operator, value, operand)
	}
	return compareTexts(operator, value, operand)
}

// matches tells whether an option is the one, or one of those, that is asked
// for by name.
func matches(value, operand any) bool {
	name := cast.Object(value)["name"]
	if several, ok := operand.([]any); ok {
		return slices.Contains(several, name)
	}
	return name != nil && name == operand
}

func empty(kind string, value any) bool {
	switch x := value.(type) {
	case nil:
		return true
	case string:
		return x == ""
	case []any:
		return len(x) == 0
	case map[string]any:
		return kind == "unique_id" && x["number"] == nil
	}
	return false
}

func compareNumbers(operator string, value, operand any) bool {
	n, ok := float(value)
	m, _ := float(operand)
	switch operator {
	case "equals":
		return ok && n == m
	case "does_not_equal":
		return !ok || n != m
	case "greater_than":
		return ok && n > m
	case "less_than":
		return ok && n < m
	case "greater_than_or_equal_to":
		return ok && n >= m
	}
	return ok && n <= m
}

func compareTexts(operator string, value, operand any) bool {
	text, ok := value.(string)
	if !ok {
		text = plainText(value)
	}
	wanted, _ := operand.(string)
	text, wanted = strings.ToLower(text), strings.ToLower(wanted)
	switch operator {
	case "equals":
		return text == wanted
	case "does_not_equal":
		return text != wanted
	case "contains":
		return strings.Contains(text, wanted)
	case "does_not_contain":
		return !strings.Contains(text, wanted)
	case "starts_with":
		return strings.HasPrefix(text, wanted)
	}
	return strings.HasSuffix(text, wanted)
}

func (c *call) compareDates(operator string, value, operand any) bool {
	text, ok := value.(string)
	if !ok {
		text = kit.Text(cast.Object(value), "start")
	}
	have, ok := moment(text)
	if !ok {
		return false
	}
	if wanted, ok := operand.(string); ok {
		want, _ := moment(wanted)
		if day := relativeDay(wanted); day != nil {
			want = instantOf{day(c.Now.UTC()), true}
		}
		switch n := have.compare(want); operator {
		case "equals":
			return n == 0
		case "before":
			return n < 0
		case "after":
			return n > 0
		case "on_or_before":
			return n <= 0
		default:
			return n >= 0
		}
	}
	from, to := c.span(operator)
	return !have.at.Before(from) && !have.at.After(to)
}

// relativeDay is a day that is named by how far it is from today; nil where it
// is not so named.
func relativeDay(name string) func(time.Time) time.Time {
	months, days := 0, 0
	switch name {
	case "today":
	case "tomorrow":
		days = 1
	case "yesterday":
		days = -1
	case "one_week_ago":
		days = -7
	case "one_week_from_now":
		days = 7
	case "one_month_ago":
		months = -1
	case "one_month_from_now":
		months = 1
	default:
		return nil
	}
	return func(now time.Time) time.Time { return now.AddDate(0, months, days) }
}

// span is the time that a relative condition means, in whole days.
func (c *call) span(operator string) (from, to time.Time) {
	today := c.Now.UTC().Truncate(24 * time.Hour)
	end := today.Add(24*time.Hour - time.Nanosecond)
	switch operator {
	case "past_week":
		return today.AddDate(0, 0, -7), end
	case "past_month":
		return today.AddDate(0, -1, 0), end
	case "past_year":
		return today.AddDate(-1, 0, 0), end
	case "next_week":
		return today, end.AddDate(0, 0, 7)
	case "next_month":
		return today, end.AddDate(0, 1, 0)
	case "next_year":
		return today, end.AddDate(1, 0, 0)
	}
	sunday := today.AddDate(0, 0, -int(today.Weekday()))
	return sunday, sunday.AddDate(0, 0, 7).Add(-time.Nanosecond)
}

// formulaCondition judges what a formula comes to.
func (c *call) formulaCondition(at place) (test, problem) {
	for _, filter := range []string{"string", "text", "number", "checkbox", "date"} {
		kind := filter
		if filter == "string" || filter == "text" {
			kind = "rich_text"
		}
		if !at.at(filter).sent {
			continue
		}
		holds, wrong := c.condition(kind, at.at(filter))
		if wrong != nil {
			return nil, wrong
		}
		return func(value any) bool {
			inner := kit.Text(cast.Object(value), "type")
			return holds(cast.Object(value)[inner])
		}, nil
	}
	var wrong problem
	for _, filter := range []string{"string", "checkbox", "number", "date"} {
		wrong = append(wrong, at.at(filter).should("defined")...)
	}
	return nil, wrong
}

// rollupCondition judges what a rollup comes to, or each of its items.
func (c *call) rollupCondition(at place) (test, problem) {
	for _, how := range []string{"any", "every", "none"} {
		if !at.at(how).sent {
			continue
		}
		for _, kind := range filterKinds {
			if !at.at(how).at(kind).sent {
				continue
			}
			holds, wrong := c.condition(kind, at.at(how).at(kind))
			if wrong != nil {
				return nil, wrong
			}
			return func(value any) bool {
				items := cast.List(cast.Object(value)["array"])
				hit := func(item any) bool { return holds(cast.Object(item)[kit.Text(cast.Object(item), "type")]) }
				switch how {
				case "any":
					return slices.ContainsFunc(items, hit)
				case "none":
					return !slices.ContainsFunc(items, hit)
				}
				return !slices.ContainsFunc(items, func(item any) bool { return !hit(item) })
			}, nil
		}
	}
	for _, kind := range []string{"number", "date"} {
		if at.at(kind).sent {
			holds, wrong := c.condition(kind, at.at(kind))
			if wrong != nil {
				return nil, wrong
			}
			return func(value any) bool { return holds(cast.Object(value)[kind]) }, nil
		}
	}
	var wrong problem
	for _, how := range []string{"any", "none", "every", "date", "number"} {
		wrong = append(wrong, at.at(how).should("defined")...)
	}
	return nil, wrong
}
