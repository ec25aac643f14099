package verdict

import (
	"net/url"
	"strings"
)

// A search for something else is no look at what a call did, though it is of the
// same kind and found nothing of it:
//
//	#8 PATCH contact 659 {"status": "open"}     #11 search contacts, stage = customer     about others
//	#8 POST contact {"email": "ivan@…"}         #11 search contacts, email = ivan@…       a look

// asksForOther tells a read that says what it wants in words of which the call, and
// what it wrote, have none. One that wants all says nothing.
func asksForOther(r, c *call, written []touched) bool {
	var wants []string
	for _, words := range []map[string]any{queryOf(r), fieldsOf(r)} {
		wants = filters("", words, wants)
	}
	if len(wants) == 0 {
		return false
	}
	var has strings.Builder
	has.WriteString(strings.ToLower(c.x.Path + " " + readable(c.x.Query)))
	for _, v := range flat(fieldsOf(c)) {
		has.WriteString(" " + strings.ToLower(shortValue(v)))
	}
	for _, t := range written {
		has.WriteString(" " + strings.ToLower(t.ID))
		for _, v := range flat(t.value) {
			has.WriteString(" " + strings.ToLower(shortValue(v)))
		}
	}
	text := has.String()
	for _, want := range wants {
		found := false
		eachWord(want, func(word string, _, _ int) {
			found = found || len(word) > 2 && mentions(text, strings.ToLower(word))
		})
		if found {
			return false
		}
	}
	return true
}

// queryOf are the fields of a call's query.
func queryOf(c *call) map[string]any {
	fields := map[string]any{}
	query, err := url.ParseQuery(c.x.Query)
	if err != nil {
		return fields
	}
	for name, values := range query {
		fields[name] = strings.Join(values, " ")
	}
	return fields
}

// filters adds the texts by which a read says what it wants: not how much of it, in
// which order, nor which fields.
func filters(name string, v any, out []string) []string {
	switch x := v.(type) {
	case map[string]any:
		for _, field := range sorted(x) {
			if !hasWord(field, "limit", "size", "per", "page", "count", "max", "sort", "sorts", "order", "direction", "fields", "properties", "property", "operator", "expand", "include", "select", "cursor", "after", "before", "starting", "ending", "token", "since", "types", "type") {
				out = filters(field, x[field], out)
			}
		}
	case []any:
		for _, inner := range x {
			out = filters(name, inner, out)
		}
	case string:
		if strings.ContainsAny(strings.ToLower(x), "abcdefghijklmnopqrstuvwxyz") && x != "true" && x != "false" {
			out = append(out, x)
		}
	}
	return out
}
