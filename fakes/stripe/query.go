package stripe

import (
	"slices"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// A clause is a search query: terms that all have to fit, or of which one has
// to. The two cannot be mixed. Source: docs.stripe.com/search#search-query-language.
type clause struct {
	terms []term
	any   bool
}

// A term compares one field.
type term struct {
	field, tag string // tag: which metadata
	kind       byte   // of the field
	op, value  string
	not, null  bool
}

func (q clause) fits(at look) bool {
	fits := func(t term) bool { return t.holds(at) != t.not }
	if q.any {
		return slices.ContainsFunc(q.terms, fits)
	}
	return !slices.ContainsFunc(q.terms, func(t term) bool { return !fits(t) })
}

// A look gives what stands at a path of a record. A search looks at a field or
// two of thousands of records, which are not decoded for that.
type look func(path ...string) any

// lookIn looks into a value.
func lookIn(value map[string]any) look {
	return func(path ...string) any {
		var at any = value
		for _, name := range path {
			at = cast.Object(at)[name]
		}
		return at
	}
}

func (t term) holds(at look) bool {
	var have string
	switch {
	case t.tag != "":
		have = cast.Text(at("metadata", t.tag))
	case t.field == "subscription":
		have = cast.Text(at("parent", "subscription_details", "subscription"))
	default:
		have = cast.Plain(at(strings.Split(t.field, ".")...))
	}
	if t.null {
		return have == ""
	}
	if t.kind == 'n' {
		x, err := strconv.ParseInt(have, 10, 64)
		y, err2 := strconv.ParseInt(t.value, 10, 64)
		if err != nil || err2 != nil {
			return false
		}
		return map[string]bool{":": x == y, ">": x > y, "<": x < y, ">=": x >= y, "<=": x <= y}[t.op]
	}
	have, value := strings.ToLower(have), strings.ToLower(t.value)
	switch {
	case t.op == "~":
		return strings.Contains(have, value)
	case t.kind == 's': // text that was cut into words: any run of them fits
		return have == value || strings.Contains(" "+have+" ", " "+value+" ")
	}
	return have == value
}

// parseQuery reads a query; its errors are for the client.
func parseQuery(query string, fields map[string]byte) (clause, error) {
	var q clause
	rest := strings.TrimSpace(query)
	joined := ""
	for {
		t, after, err := parseTerm(rest, fields)
		if err != nil {
			return clause{}, err
		}
		q.terms = append(q.terms, t)
		if rest = strings.TrimSpace(after); rest == "" {
			return q, nil
		}
		word, tail, _ := strings.Cut(rest, " ")
		switch strings.ToUpper(word) {
		case "AND", "OR":
			word, rest = strings.ToUpper(word), strings.TrimSpace(tail)
		default: // a space alone is AND
			word = "AND"
		}
		if joined != "" && joined != word {
			return clause{}, badQuery("We don't support combining AND and OR in the same query.")
		}
		joined, q.any = word, word == "OR"
	}
}

// badQuery is what Stripe says of a query that it cannot read, as it stands.
type badQuery string

func (b badQuery) Error() string { return string(b) }

const errQuery = badQuery("We were unable to parse your search query. Try using the format `metadata[\"key\"]:\"value\"` to query for metadata or key:\"value\" to query for other fields.")

func parseTerm(text string, fields map[string]byte) (t term, rest string, err error) {
	text, t.not = strings.CutPrefix(text, "-")
	at := strings.IndexAny(text, ":~<>[")
	if at <= 0 {
		return t, "", errQuery
	}
	t.field = strings.TrimSpace(text[:at])
	text = text[at:]
	var known bool
	if t.kind, known = fields[t.field]; !known || strings.ContainsAny(t.field, " \"'") {
		return t, "", badQuery("Field `" + kit.Clip(t.field) + "` is an unsupported search field for this resource. See http://stripe.com/docs/search#query-fields-for-each-resource for a list of supported fields.")
	}
	if t.field == "metadata" {
		if text, t.tag, err = bracketed(text); err != nil {
			return t, "", err
		}
	}
	for _, op := range []string{">=", "<=", ">", "<", ":", "~"} {
		if after, ok := strings.CutPrefix(strings.TrimSpace(text), op); ok {
			t.op, text = op, strings.TrimSpace(after)
			break
		}
	}
	if t.op == "" || strings.ContainsAny(t.op, "<>") && t.kind != 'n' || t.op == "~" && t.kind == 'n' {
		return t, "", errQuery
	}
	return t.valued(text)
}

// bracketed reads ["key"].
func bracketed(text string) (rest, key string, err error) {
	inner, ok := strings.CutPrefix(text, "[")
	if !ok {
		return "", "", errQuery
	}
	if key, rest, ok = quoted(inner); !ok {
		return "", "", errQuery
	}
	if rest, ok = strings.CutPrefix(rest, "]"); !ok {
		return "", "", errQuery
	}
	return rest, key, nil
}

// valued reads what a term compares with: quoted, null, or a number.
func (t term) valued(text string) (term, string, error) {
	if value, rest, ok := quoted(text); ok {
		t.value = value
		return t, rest, nil
	}
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case strings.EqualFold(word, "null"):
		t.null = true
	case t.kind == 'n':
		if _, err := strconv.ParseInt(word, 10, 64); err != nil {
			return t, "", errQuery
		}
		t.value = word
	case t.field == "active", t.field == "shippable", t.field == "disputed", t.field == "refunded":
		t.value = word
	default:
		return t, "", errQuery
	}
	if word == "" {
		return t, "", errQuery
	}
	return t, rest, nil
}

// quoted reads a text in quotes of either kind, in which a backslash keeps the
// next character.
func quoted(text string) (value, rest string, ok bool) {
	if text == "" || text[0] != '"' && text[0] != '\'' {
		return "", "", false
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		case text[i] == text[0]:
			return b.String(), text[i+1:], true
		default:
			b.WriteByte(text[i])
		}
	}
	return "", "", false
}
