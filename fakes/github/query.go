package github

import (
	"strconv"
	"strings"
)

// A term is one part of a query: a word or a phrase, or a qualifier with what
// it wants.
type term struct {
	field, value string // field is "" for words
	not          bool
}

// parseQuery cuts a query into terms: words, "phrases", field:value and
// field:"a value", each with a - or NOT in front where it is to be absent.
func parseQuery(text string) []term {
	var all []term
	not := false
	for _, token := range queryTokens(text) {
		switch token {
		case "NOT":
			not = true
			continue
		case "AND", "OR":
			continue
		}
		t := term{not: not}
		not = false
		if rest, ok := strings.CutPrefix(token, "-"); ok && rest != "" {
			t.not, token = true, rest
		}
		field, value, ok := strings.Cut(token, ":")
		if ok && field != "" && !strings.ContainsAny(field, `" /`) && value != "" {
			t.field, t.value = strings.ToLower(field), strings.Trim(value, `"`)
		} else {
			t.value = strings.Trim(token, `"`)
		}
		if t.value != "" {
			all = append(all, t)
		}
	}
	return all
}

// queryTokens cuts at blanks outside quotes.
func queryTokens(text string) []string {
	var all []string
	var token strings.Builder
	quoted := false
	for _, r := range text {
		if r == '"' {
			quoted = !quoted
		}
		if r == ' ' && !quoted || r == '+' && !quoted && token.Len() == 0 {
			if token.Len() > 0 {
				all = append(all, token.String())
				token.Reset()
			}
			continue
		}
		token.WriteRune(r)
	}
	if token.Len() > 0 {
		all = append(all, token.String())
	}
	return all
}

// saysAll tells whether a text has all words that a query wants, and none that
// it does not.
func saysAll(text string, terms []term) bool {
	lower := ""
	for _, t := range terms {
		if t.field != "" {
			continue
		}
		if lower == "" {
			lower = strings.ToLower(text)
		}
		if strings.Contains(lower, strings.ToLower(t.value)) == t.not {
			return false
		}
	}
	return true
}

// inRange tells whether a value that sorts as text is within what a qualifier
// wants: 2026-01-01, >2026-01-01, <=…, a..b.
func inRange(value, want string) bool {
	day := func(bound string) string { return value[:min(len(value), len(bound))] }
	if from, to, ok := strings.Cut(want, ".."); ok {
		return (from == "*" || day(from) >= from) && (to == "*" || day(to) <= to)
	}
	for _, op := range []string{">=", "<=", ">", "<"} {
		if bound, ok := strings.CutPrefix(want, op); ok {
			switch have := day(bound); op {
			case ">=":
				return have >= bound
			case "<=":
				return have <= bound
			case ">":
				return have > bound
			default:
				return have < bound
			}
		}
	}
	return day(want) == want
}

// numberIn is inRange for numbers.
func numberIn(n int64, want string) bool {
	parse := func(text string) int64 {
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return 0
		}
		return v
	}
	if from, to, ok := strings.Cut(want, ".."); ok {
		return (from == "*" || n >= parse(from)) && (to == "*" || n <= parse(to))
	}
	switch {
	case strings.HasPrefix(want, ">="):
		return n >= parse(want[2:])
	case strings.HasPrefix(want, "<="):
		return n <= parse(want[2:])
	case strings.HasPrefix(want, ">"):
		return n > parse(want[1:])
	case strings.HasPrefix(want, "<"):
		return n < parse(want[1:])
	}
	return n == parse(want)
}
