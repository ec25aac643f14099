package faketest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"parity/fakes"
	"parity/specs"
)

// A Got is a reply. Body is its JSON, decoded: numbers are float64.
type Got struct {
	Status int
	Header http.Header
	Raw    string
	Body   any
	Reply  fakes.Reply
}

// At gives the value at a dotted path, items of lists by their number; nil
// where there is none.
func (g Got) At(path string) any {
	if path == "" {
		return g.Body
	}
	v, _ := specs.ValueAt(g.Body, specs.Pointer(strings.Split(path, ".")...))
	return v
}

// Text gives the value at a path as text; "" where there is none.
func (g Got) Text(path string) string {
	switch x := g.At(path).(type) {
	case nil:
		return ""
	case string:
		return x
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	default:
		return fmt.Sprint(x)
	}
}

// Texts lists the values at a path of each item of a list.
func (g Got) Texts(list, path string) []string {
	items, _ := g.At(list).([]any)
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = Got{Body: item}.Text(path)
	}
	return out
}

// IDs lists the ids of the items of a list.
func (g Got) IDs(list string) []string { return g.Texts(list, "id") }

// Len counts the items of a list; -1 where there is none.
func (g Got) Len(list string) int {
	items, ok := g.At(list).([]any)
	if !ok {
		return -1
	}
	return len(items)
}

// Want holds values of a reply, by their path, against what they should be.
func Want(t testing.TB, g Got, values map[string]any) {
	t.Helper()
	for path, value := range values {
		if have, want := asJSON(g.At(path)), asJSON(value); have != want {
			t.Errorf("%s is %s, want %s", path, have, want)
		}
	}
}
