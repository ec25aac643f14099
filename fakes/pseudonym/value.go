package pseudonym

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"parity/specs/personal"
)

// Value puts pseudonyms into a decoded value: by the names of its fields, by what
// stands beside them, and in its texts. within is what its records are, such as
// the name of a collection. Before the book is settled it notes what there is.
func (b *Book) Value(within string, v any) any { return b.value(within, "", v, 0) }

func (b *Book) value(within string, kind personal.Kind, v any, depth int) any {
	switch v := v.(type) {
	case map[string]any:
		return b.fields(within, kind, v, depth)
	case []any:
		clean := make([]any, len(v))
		for i, inner := range v {
			clean[i] = b.value(within, kind, inner, depth)
		}
		return clean
	case string:
		return b.said(kind, v, depth)
	case int64:
		return b.counted(kind, v)
	}
	return v
}

func (b *Book) fields(within string, kind personal.Kind, object map[string]any, depth int) any {
	of := personal.Fields(within, object)
	clean := make(map[string]any, len(object))
	for _, name := range slices.Sorted(maps.Keys(object)) {
		is := of(name)
		if is == "" && !b.settled && identifies(name) {
			b.identified(object[name])
		}
		if text, ok := object[name].(string); ok && is == "" && !b.settled && personal.Named(name) == personal.Login {
			b.things[fold(text)] = true
		}
		if is == "" && kind != "" && kind != personal.Address && labelled(name) { // {"emails": [{"value": …}]}
			is = kind
		}
		clean[b.text(name, depth+1)] = b.value(personal.Within(within, name), is, object[name], depth)
	}
	if kind == personal.Birth {
		b.born(clean)
	}
	return clean
}

// identifies tells the field that has an id, or what stands for a version.
func identifies(name string) bool {
	n := strings.ToLower(name)
	return n == "id" || n == "etag" || n == "uid" || strings.HasSuffix(n, "_id") || strings.HasSuffix(n, "_ids") || strings.HasSuffix(name, "Id")
}

// identified notes the digits of an id.
func (b *Book) identified(v any) {
	switch v := v.(type) {
	case string:
		if digits := digitsOf(v); len(digits) > 0 {
			b.ids[digits] = true
		}
	case []any:
		for _, one := range v {
			b.identified(one)
		}
	}
}

// labelled tells the field of an object that has what its list is named for.
func labelled(name string) bool {
	switch strings.ToLower(name) {
	case "value", "address", "number", "text":
		return true
	}
	return false
}

// said gives a text of a field that is of a kind.
func (b *Book) said(kind personal.Kind, text string, depth int) string {
	switch {
	case text == "" || marked(text):
		return text
	case kind == "", kind != personal.Email && strings.LastIndexByte(text, '@') > 0, kind == personal.Email && !personal.WholeEmail(text), kind == personal.Address && len(text) > longest:
		return b.guarded(b.text(text, depth))
	}
	b.meet(kind, text)
	if !b.settled {
		return text
	}
	return b.Of(kind, text)
}

// longest is how long a line of an address is at most; what is longer is prose.
const longest = 200

// guarded is a text in which nothing is left; one in which something is, in whatever
// way it escaped, is taken out whole.
func (b *Book) guarded(text string) string {
	if b.settled && (len(b.exact.in(text)) > 0 || len(b.numbers(text)) > 0) && b.text(text, 0) != text {
		b.Whole++
		return b.mark(text)
	}
	return text
}

// counted gives a number of a field that is of a kind, or that is known for one.
func (b *Book) counted(kind personal.Kind, n int64) any {
	const least = 7
	text := strconv.FormatInt(n, 10)
	switch {
	case n < 0 || len(text) < least:
		return n
	case numeric(kind):
		b.meet(kind, text)
	default:
		if kind = b.digits[text]; kind == "" {
			return n
		}
	}
	if !b.settled {
		return n
	}
	is, err := strconv.ParseInt(b.Of(kind, text), 10, 64)
	if err != nil {
		return n
	}
	return is
}

// Encode writes a value as JSON, with nothing escaped for HTML.
func Encode(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("pseudonym: a decoded value cannot be written: " + err.Error()) // it came from JSON
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}
