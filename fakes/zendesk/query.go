package zendesk

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// A query is what a search asks for.
// Source: support.zendesk.com, "Zendesk Support search reference".
type query struct {
	types []string
	words []string          // each must be there
	not   []string          // none may be there
	terms map[string][]term // by property: any of those of one, all of them together
	order string            // a field
	down  bool
}

// A term is a property and what it is compared with.
type term struct {
	property, operator, value string
	negated                   bool
}

var (
	piece = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`-?[\w.]+(?:<=|>=|:|<|>)"[^"]*"|-?[\w.]+(?:<=|>=|:|<|>)\S+|-?"[^"]*"|\S+`)
	})
	property = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(-?)([A-Za-z_][\w.]*)(<=|>=|:|<|>)(.*)$`) })
)

// properties are those that narrow; a word with a colon that is none of them is
// a word.
var properties = []string{
	"type", "status", "priority", "ticket_type", "subject", "description", "requester", "assignee", "submitter", "group", "organization", "tags", "created",
	"updated", "solved", "due_date", "via", "cc", "commenter", "external_id", "brand", "form", "has_attachment", "fieldvalue", "role", "email", "name", "phone",
	"notes", "details", "order_by", "sort", "id", "is_suspended", "is_verified", "comment", "problem",
}

// parse reads a query.
func parse(text string, now time.Time) *query {
	q := &query{terms: map[string][]term{}, down: true}
	for _, one := range piece().FindAllString(text, -1) {
		m := property().FindStringSubmatch(one)
		if m == nil || !slices.Contains(properties, strings.ToLower(m[2])) && !strings.HasPrefix(m[2], "custom_field_") {
			word := strings.ToLower(strings.Trim(strings.TrimPrefix(one, "-"), `"`))
			if strings.HasPrefix(one, "-") && len(one) > 1 {
				q.not = append(q.not, word)
			} else if word != "" {
				q.words = append(q.words, word)
			}
			continue
		}
		t := term{property: strings.ToLower(m[2]), operator: m[3], value: strings.Trim(m[4], `"`), negated: m[1] == "-"}
		switch t.property {
		case "type":
			q.types = append(q.types, strings.ToLower(t.value))
		case "order_by":
			q.order = sortable(t.value)
		case "sort":
			q.down = t.value != "asc"
		case "ticket_type":
			t.property = "kind"
			q.terms[t.property] = append(q.terms[t.property], t)
		default:
			q.terms[t.property] = append(q.terms[t.property], t)
		}
	}
	return q
}

var span = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d+)(minute|hour|day|week|month|year)s?$`) })

// instant reads a date of a query: a day, a moment, or so long ago.
func instant(s string, now time.Time) (from, until time.Time, ok bool) {
	if m := span().FindStringSubmatch(strings.ToLower(s)); m != nil {
		n, _ := whole(m[1])
		unit := map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour, "month": 30 * 24 * time.Hour, "year": 365 * 24 * time.Hour}[m[2]]
		at := now.Add(-time.Duration(min(n, 10_000)) * unit)
		return at, at, true
	}
	switch strings.ToLower(s) {
	case "today":
		s = now.UTC().Format(time.DateOnly)
	case "yesterday":
		s = now.UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	}
	at, ok := moment(s)
	if ok && len(s) == len(time.DateOnly) {
		return at, at.AddDate(0, 0, 1), true
	}
	if !ok {
		for _, layout := range []string{"2006-01", "2006"} {
			if at, err := time.Parse(layout, s); err == nil {
				if layout == "2006" {
					return at, at.AddDate(1, 0, 0), true
				}
				return at, at.AddDate(0, 1, 0), true
			}
		}
	}
	return at, at.Add(time.Second), ok
}

// when compares a time of a record.
func (t term) when(recorded string, now time.Time) bool {
	at, known := moment(recorded)
	from, until, ok := instant(t.value, now)
	if !known || !ok {
		return false
	}
	switch t.operator {
	case "<":
		return at.Before(from)
	case "<=":
		return at.Before(until)
	case ">":
		return !at.Before(until)
	case ">=":
		return !at.Before(from)
	}
	return !at.Before(from) && at.Before(until)
}

// ranks compares what has an order, such as status<solved.
func (t term) rank(have string, order []string) bool {
	a, b := slices.Index(order, have), slices.Index(order, strings.ToLower(t.value))
	if t.value == "none" {
		return have == ""
	}
	switch t.operator {
	case "<":
		return a >= 0 && a < b
	case "<=":
		return a >= 0 && a <= b
	case ">":
		return a > b && b >= 0
	case ">=":
		return a >= b && b >= 0
	}
	return have != "" && a == b && a >= 0
}

// is compares a text: whole, or up to a star.
func (t term) is(have string) bool {
	want := strings.ToLower(t.value)
	have = strings.ToLower(have)
	switch {
	case want == "none":
		return have == ""
	case want == "*":
		return have != ""
	case strings.HasSuffix(want, "*"):
		return strings.HasPrefix(have, strings.TrimSuffix(want, "*"))
	}
	return have == want
}

// says tells whether a text has the words of a term.
func (t term) says(have string) bool {
	return t.value == "none" && have == "" || mentions(have, strings.ToLower(strings.TrimSuffix(t.value, "*")))
}

// mentions tells whether a text has a word, or a phrase, at the beginning of a
// word of its own.
func mentions(text, word string) bool {
	text = strings.ToLower(text)
	for from := 0; word != ""; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		at += from
		if at == 0 || !letter(text[at-1]) {
			return true
		}
		from = at + 1
	}
	return true
}

func letter(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 0x80
}
