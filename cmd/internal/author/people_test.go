package author

import (
	"fmt"
	"testing"
)

// Addresses of people and a card's number went from recordings into fixtures.
func TestFixturesNameNobody(t *testing.T) {
	t.Parallel()
	known := people{}
	for _, c := range []struct {
		value any
		want  string
		n     int
	}{
		{map[string]any{"email": "Ada@acme.com", "note": "of ada@acme.com, not bob@acme.com"}, "map[email:person-1@people.example note:of person-1@people.example, not person-2@people.example]", 2},
		{[]any{"paid by 4242 4242 4242 4242", "order 4242424242424243"}, "[paid by ************4242 order 4242424242424243]", 1},
		{map[string]any{"to": "x@shop.example", "deep": map[string]any{"api_key": "k", "n": 1}}, "map[deep:map[api_key:(redacted) n:1] to:x@shop.example]", 1},
	} {
		value, n := redacted(c.value, known)
		if c.want == fmt.Sprint(value) && c.n == n {
			continue
		}
		t.Errorf("%v: %d\nwanted %s: %d", value, n, c.want, c.n)
	}
}
