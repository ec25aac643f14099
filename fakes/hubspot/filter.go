package hubspot

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A filter is one condition of a search.
type filter struct {
	property, operator string
	value, high        string
	values             []string
	other              *objectType // of associations.contact: what the record has to be associated with
	pattern            *regexp.Regexp
}

var operators = []string{
	"EQ", "NEQ", "LT", "LTE", "GT", "GTE", "BETWEEN", "IN", "NOT_IN", "HAS_PROPERTY", "NOT_HAS_PROPERTY", "CONTAINS_TOKEN", "NOT_CONTAINS_TOKEN",
}

// badFilter words a filter that the service cannot make one of.
// Source: github.com/HubSpot/hubspot-api-nodejs/issues/128.
func badFilter(problem string, parts ...any) *refusal {
	return badInput(": Cannot construct instance of `com.hubspot.inbounddb.publicobject.core.v3.search.Filter`, problem: "+problem, parts...)
}

// filter reads one condition.
func (c *call) filter(o *objectType, given map[string]any) (filter, *refusal) {
	f := filter{property: cast.Text(given["propertyName"]), operator: cast.Text(given["operator"]), value: cast.Plain(given["value"]), high: cast.Plain(given["highValue"])}
	for _, one := range cast.List(given["values"]) {
		f.values = append(f.values, cast.Plain(one))
	}
	if !slices.Contains(operators, f.operator) {
		return f, badInput(": Cannot deserialize value of type `com.hubspot.inbounddb.publicobject.core.v3.search.FilterOperator` from String %q: not one of the values accepted for Enum class: [%s]", kit.Clip(f.operator), strings.Join(operators, ", "))
	}
	if name, ok := strings.CutPrefix(f.property, "associations."); ok {
		other, known := c.typeNamed(name)
		if !known {
			return f, unknownType(name)
		}
		f.other = other
	} else if c.definition(o, f.property) == nil {
		return f, unknownProperty(o, f.property)
	}
	switch f.operator {
	case "HAS_PROPERTY", "NOT_HAS_PROPERTY":
	case "IN", "NOT_IN":
		if len(f.values) == 0 {
			return f, badFilter("operator %s requires values", f.operator)
		}
	case "BETWEEN":
		if f.high == "" {
			return f, badFilter("operator BETWEEN requires a highValue")
		}
		fallthrough
	default:
		if strings.TrimSpace(f.value) == "" {
			return f, badFilter("operator %s requires a value", f.operator)
		}
	}
	if strings.HasSuffix(f.operator, "CONTAINS_TOKEN") {
		f.pattern = wildcard(f.value)
	}
	return f, nil
}

// wildcard makes a pattern of a token in which * stands for anything.
func wildcard(token string) *regexp.Regexp {
	parts := strings.Split(strings.ToLower(token), "*")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile("^" + strings.Join(parts, ".*") + "$")
}

// holds tells whether a record meets the condition. Text is compared without
// regard to case.
func (f filter) holds(c *call, o *objectType, r *world.Record) bool {
	if f.other != nil {
		return f.associated(c, o, r.ID)
	}
	value := textOf(r, f.property)
	switch f.operator {
	case "HAS_PROPERTY":
		return value != ""
	case "NOT_HAS_PROPERTY":
		return value == ""
	case "EQ":
		return value != "" && equal(value, f.value)
	case "NEQ":
		return !equal(value, f.value)
	case "IN":
		return value != "" && slices.ContainsFunc(f.values, func(one string) bool { return equal(value, one) })
	case "NOT_IN":
		return !slices.ContainsFunc(f.values, func(one string) bool { return equal(value, one) })
	case "CONTAINS_TOKEN":
		return f.token(value)
	case "NOT_CONTAINS_TOKEN":
		return !f.token(value)
	case "BETWEEN":
		return value != "" && compare(value, f.value) >= 0 && compare(value, f.high) <= 0
	}
	if value == "" {
		return false
	}
	n := compare(value, f.value)
	return f.operator == "LT" && n < 0 || f.operator == "LTE" && n <= 0 || f.operator == "GT" && n > 0 || f.operator == "GTE" && n >= 0
}

// associated tells whether the record is associated with one that is named.
func (f filter) associated(c *call, o *objectType, id string) bool {
	named := func(other string) bool {
		return f.operator == "EQ" && other == f.value || f.operator == "IN" && slices.Contains(f.values, other)
	}
	links := c.links(o, id, f.other)
	switch f.operator {
	case "HAS_PROPERTY":
		return len(links) > 0
	case "NOT_HAS_PROPERTY":
		return len(links) == 0
	case "NEQ":
		return !slices.ContainsFunc(links, func(l link) bool { return l.id == f.value })
	}
	return slices.ContainsFunc(links, func(l link) bool { return named(l.id) })
}

// token tells whether the value holds the words of a token, or as a whole fits
// its pattern.
func (f filter) token(value string) bool {
	value = strings.ToLower(value)
	if f.pattern.MatchString(value) {
		return true
	}
	words := strings.FieldsFunc(value, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	if strings.Contains(f.value, "*") {
		return slices.ContainsFunc(words, f.pattern.MatchString)
	}
	wanted := strings.FieldsFunc(strings.ToLower(f.value), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	if len(wanted) == 0 {
		return false
	}
	for i := 0; i+len(wanted) <= len(words); i++ {
		if slices.Equal(words[i:i+len(wanted)], wanted) {
			return true
		}
	}
	return false
}

func equal(a, b string) bool {
	return strings.EqualFold(a, b) || comparable(a, b) && compare(a, b) == 0
}

// comparable tells whether two texts are both numbers or both times.
func comparable(a, b string) bool {
	_, isA := scalar(a)
	_, isB := scalar(b)
	return isA && isB
}

// compare orders two values: as numbers or times where both are such, else as
// text without regard to case.
func compare(a, b string) int {
	x, isX := scalar(a)
	y, isY := scalar(b)
	if isX && isY {
		return cmp.Compare(x, y)
	}
	return strings.Compare(strings.ToLower(a), strings.ToLower(b))
}

// scalar reads a number; a time counts as milliseconds since 1970.
func scalar(value string) (float64, bool) {
	if value == "" || value[0] > '9' { // most text is neither, and failing to parse it costs
		return 0, false
	}
	if n, err := strconv.ParseFloat(value, 64); err == nil {
		return n, true
	}
	if len(value) < len(time.DateOnly) || value[4] != '-' {
		return 0, false
	}
	if at, ok := moment(value); ok {
		return float64(at.UnixMilli()), true
	}
	return 0, false
}
