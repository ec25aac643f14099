package generic

import (
	"slices"
	"strings"

	"parity/fakes/cast"
)

// meets tells whether a record is what a search asks for in an object: one
// condition ({field, operator, value}), or several joined by AND or OR. What is
// not understood asks for nothing.
func meets(record, asked map[string]any, depth int) bool {
	operator := strings.ToUpper(cast.Plain(asked["operator"]))
	if parts, ok := asked["value"].([]any); ok && (operator == "AND" || operator == "OR") && depth < deepest {
		one := func(part any) bool {
			inner, ok := part.(map[string]any)
			return !ok || meets(record, inner, depth+1)
		}
		if operator == "OR" {
			return len(parts) == 0 || slices.ContainsFunc(parts, one)
		}
		return !slices.ContainsFunc(parts, func(part any) bool { return !one(part) })
	}
	field, ok := asked["field"].(string)
	if !ok {
		return true
	}
	return applies(record, dotted(field), operator, asked["value"])
}

// looked is what it takes to hold one member against what is asked for, in steps
// of the call's work: a search may have very many conditions.
func (c *call) looked() int {
	size := len(c.Body)
	for _, v := range c.Input.Query {
		if text, ok := v.(string); ok {
			size += len(text)
		}
	}
	return 1 + size/64
}

// applies tells whether one condition holds.
func applies(record map[string]any, field path, operator string, value any) bool {
	held, there := field.get(record)
	words, own := strings.ToLower(cast.Plain(value)), strings.ToLower(cast.Plain(held))
	switch operator {
	case "=", "==", "EQ", "IN":
		return equals(field, record, value) || value == nil && held == nil
	case "!=", "<>", "NEQ", "NE", "NIN", "NOT IN":
		return !equals(field, record, value) && !(value == nil && held == nil)
	case ">", "<", ">=", "<=":
		return there && held != nil && holds(compare(held, value), operator)
	case "~", "CONTAINS":
		return strings.Contains(own, words)
	case "!~":
		return !strings.Contains(own, words)
	case "^":
		return strings.HasPrefix(own, words)
	case "$":
		return strings.HasSuffix(own, words)
	}
	return true
}
