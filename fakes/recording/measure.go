package recording

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// What a Miss of Measure is about, besides header, value and text.
const (
	Status  = "status"
	Header  = "header"
	Missing = "missing" // a field that only they have
	Extra   = "extra"   // a field that only we have
	Type    = "type"
	Value   = "value"
	Size    = "size"  // of a list
	Order   = "order" // of a list
	Text    = "text"  // a body that is no JSON
)

// A Measure is how much of a recorded reply ours has.
type Measure struct {
	Compared int // status, headers that matter, fields, and the size and order of lists
	Misses   []Miss
}

// Measure holds a reply of ours against the recorded one as Compare does, and
// counts what it compares. It is stricter than Compare: a field of ours that
// theirs does not have is a miss too. It forgives what a recorder left out:
// headers that are not there, and texts in whose place one of marks stands.
func (a *Alignment) Measure(e Exchange, status int, header http.Header, body []byte, marks ...string) Measure {
	m := &measuring{comparison: comparison{Alignment: a}, marks: marks}
	m.compared++
	a.Knew(e.Request.URL + " " + e.Request.Text())
	defer a.Knew(e.Response.Body)
	theirs, isJSON := decoded([]byte(e.Response.Body))
	if status != e.Response.Status {
		m.miss(Status, "", strconv.Itoa(e.Response.Status), strconv.Itoa(status))
		m.compared += leaves(theirs) // nothing of it is here
		return Measure{m.compared, m.found}
	}
	m.matters(e.Response.Header, header)
	ours, oursIsJSON := decoded(body)
	switch {
	case !isJSON:
		m.compared++
		if e.Response.Body != string(body) && a.Ours(e.Response.Body) != string(body) && !m.marked(e.Response.Body) {
			m.miss(Text, "", e.Response.Body, string(body))
		}
	case !oursIsJSON:
		m.compared += leaves(theirs)
		m.miss(Type, "", "JSON", string(body))
	default:
		m.field("", "", theirs, ours)
	}
	return Measure{m.compared, m.found}
}

func decoded(body []byte) (value any, ok bool) {
	return value, json.Unmarshal(body, &value) == nil
}

// leaves counts the plain values in a JSON value.
func leaves(value any) int {
	n := 0
	switch x := value.(type) {
	case map[string]any:
		for _, inner := range x {
			n += leaves(inner)
		}
		return n
	case []any:
		for _, inner := range x {
			n += leaves(inner)
		}
		return n + 1
	}
	return 1
}

// measuring is a comparison that counts.
type measuring struct {
	comparison
	compared int
	marks    []string
}

func (m *measuring) marked(text string) bool {
	return slices.ContainsFunc(m.marks, func(mark string) bool { return strings.Contains(text, mark) })
}

// mattering are headers that clients act on: others tell of the way.
var mattering = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(content-type|location|link|retry-after|www-authenticate|allow|deprecation|sunset|etag)$|rate-?limit|idempoten|should-retry|request-?id|version|scopes|page|total|cursor`)
})

func (m *measuring) matters(theirs map[string]string, ours http.Header) {
	kept := map[string]string{}
	for name, value := range theirs {
		if mattering().MatchString(name) && !slices.Contains(passing, strings.ToLower(name)) {
			kept[name] = value
		}
	}
	m.compared += len(kept)
	m.headers(kept, ours)
}

func (m *measuring) field(where, name string, theirs, ours any) {
	if a, b := kindOf(theirs), kindOf(ours); a != b {
		m.compared += leaves(theirs)
		m.miss(Type, where, a, b)
		return
	}
	switch x := theirs.(type) {
	case map[string]any:
		m.object(where, x, ours.(map[string]any)) //nolint:forcetypeassert // of one kind
	case []any:
		m.list(where, name, x, ours.([]any)) //nolint:forcetypeassert // of one kind
	case string:
		m.compared++
		if y, _ := ours.(string); !passingField(name) && !m.marked(x) && !m.same(name, x, y) {
			m.miss(Value, where, x, y)
		}
	case float64:
		m.compared++
		if y, _ := ours.(float64); !m.number(name, x, y) {
			m.miss(Value, where, text(theirs), text(ours))
		}
	default:
		m.compared++
		if theirs != ours {
			m.miss(Value, where, text(theirs), text(ours))
		}
	}
}

func kindOf(value any) string {
	switch value.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case string:
		return "a text"
	case float64:
		return "a number"
	case bool:
		return "true or false"
	}
	return "null"
}

func (m *measuring) object(where string, theirs, ours map[string]any) {
	before := len(m.found)
	resized := false
	for _, field := range idsFirst(theirs) {
		at := where + "/" + pointer.Replace(field)
		inner, has := ours[field]
		if !has {
			m.compared += leaves(theirs[field])
			m.miss(Missing, at, text(theirs[field]), "nothing")
			continue
		}
		m.field(at, field, theirs[field], inner)
		resized = resized || slices.ContainsFunc(m.found[before:], func(miss Miss) bool { return miss.What == Size && miss.Where == at })
	}
	for _, field := range slices.Sorted(maps.Keys(ours)) {
		if _, has := theirs[field]; !has && !passingField(field) {
			m.compared++
			m.miss(Extra, where+"/"+pointer.Replace(field), "nothing", text(ours[field]))
		}
	}
	if resized { // whether there is more, and where, follows from how much there was
		m.found = slices.DeleteFunc(m.found, func(miss Miss) bool {
			parent, field, _ := cutLast(miss.Where)
			return parent == where && paging().MatchString(field) && miss.What != Size
		})
	}
}

// pointer escapes what a JSON pointer cannot have in a name (RFC 6901).
var pointer = strings.NewReplacer("~", "~0", "/", "~1")

var paging = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(has_?more|next.*|.*cursor|total.*|count)$`) })

func cutLast(where string) (parent, field string, ok bool) {
	i := strings.LastIndexByte(where, '/')
	if i < 0 {
		return "", where, false
	}
	return where[:i], where[i+1:], true
}

// list compares sizes, then the order of what both show, then each pair.
func (m *measuring) list(where, name string, theirs, ours []any) {
	m.compared++
	if len(theirs) != len(ours) {
		m.miss(Size, where, strconv.Itoa(len(theirs)), strconv.Itoa(len(ours)))
	}
	theirs, ours, swapped := m.paired(theirs, ours)
	if swapped {
		m.miss(Order, where, strings.Join(named(theirs), ", "), "another order")
	}
	for i := range min(len(theirs), len(ours)) {
		m.field(where+"/"+strconv.Itoa(i), name, theirs[i], ours[i])
	}
}

// paired puts ours in the order of theirs, as far as it is known which of ours
// stands for which of theirs, and tells whether that was another order.
func (m *measuring) paired(theirs, ours []any) (a, b []any, swapped bool) {
	at := map[string]int{}
	for i, key := range named(ours) {
		at[key] = i
	}
	var places []int
	for i, key := range named(theirs) {
		known, ok := m.ours[key]
		if !ok {
			known = key
		}
		if j, has := at[known]; has && key != "" {
			a, places = append(a, theirs[i]), append(places, j)
		}
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(places)))
	unsure := len(at) < len(ours) || len(distinct) < len(places)
	if len(places) == 0 || unsure || len(theirs) == len(ours) && len(places) < len(theirs) {
		return theirs, ours, false // what is not known yet stands for what is in its place
	}
	for _, j := range places {
		b = append(b, ours[j])
	}
	return a, b, !slices.IsSorted(places)
}

// named gives what tells the items of a list apart: ids, or the texts
// themselves; "" for what has none.
func named(list []any) []string {
	keys := make([]string, len(list))
	for i, item := range list {
		switch x := item.(type) {
		case map[string]any:
			keys[i] = own(x)
		case string:
			keys[i] = x
		}
	}
	return keys
}
