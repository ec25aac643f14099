package gateway_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A reply of megabytes is one that a client can read, and nests as deep as it is
// asked to.
func TestLargeReplies(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"stripe", "github", "notes"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := listNamed(t, name).open(t, "inject: large-reply, with: {size: 1MB, depth: 3000}, trigger: {nth: 1}")
			reply, text := r.does(r.first, append([]string{"User-Agent", "pages/1"}, r.header...)...)
			var body any
			if err := json.Unmarshal([]byte(text), &body); err != nil || reply.StatusCode != 200 {
				t.Fatalf("%d %v", reply.StatusCode, err)
			}
			if n := len(text); n < 1<<20 || n > 1<<20+1<<16 {
				t.Errorf("%d bytes", n)
			}
			fired := r.fired()
			if len(fired) != 1 || !strings.Contains(fired[0], "bytes, in ") {
				t.Fatalf("recorded: %v", fired)
			}
			deepest, depth := 0, 0
			for _, c := range text {
				switch c {
				case '{', '[':
					depth++
					deepest = max(deepest, depth)
				case '}', ']':
					depth--
				}
			}
			if nested := strings.Contains(fired[0], "nested 3000 deep"); nested != (deepest >= 3000) || !nested && !strings.Contains(fired[0], "not nested") {
				t.Errorf("%d deep, and recorded as %s", deepest, fired[0])
			}
		})
	}
}

// Parts that are missing leave no trace where nothing says so, and are told of
// in the service's own word where it has one.
func TestPartialResults(t *testing.T) {
	t.Parallel()
	stripe := listNamed(t, "stripe")
	r := stripe.open(t, "inject: partial-result, with: {parts: 2}, trigger: {nth: 1}", "inject: partial-result, with: {fields: [email, invoice_settings.custom_fields], marker: flag}, trigger: {nth: 2}")
	some, _, more := r.page(r.first)
	_, flagged := r.does(r.first, r.header...)
	whole, _, wholeMore := r.page(r.first)
	if len(some) != len(whole)-2 || more != wholeMore || slices.ContainsFunc(some, func(id string) bool { return !slices.Contains(whole, id) }) {
		t.Errorf("shown %v of %v, more %v", some, whole, more)
	}
	if strings.Contains(flagged, `"email":"`) || !strings.Contains(flagged, `"partial":true`) {
		t.Errorf("fields left null: %s", flagged)
	}
	var left []string
	for _, id := range whole {
		if !slices.Contains(some, id) {
			left = append(left, id)
		}
	}
	if got := r.fired(); got[0] != fmt.Sprintf("left out 2 of %d items %v", len(whole), left) || !strings.HasPrefix(got[1], "left email, invoice_settings.custom_fields null, and says partial") {
		t.Errorf("recorded: %v", got)
	}

	github := listNamed(t, "github")
	github.call, github.first.target = "github GET /search/issues", "https://api.github.com/search/issues?q=repo:Acme/shop"
	r = github.open(t, "inject: partial-result, with: {marker: flag}, trigger: {nth: 1}")
	_, text := r.does(r.first, append([]string{"User-Agent", "pages/1"}, r.header...)...)
	if !strings.Contains(text, `"incomplete_results":true`) {
		t.Errorf("GitHub says it otherwise: %s", text)
	}

	one := listNamed(t, "notes")
	one.call = "notes.getNote"
	r = one.open(t, "inject: partial-result")
	_, made := r.does(ask{"POST", "https://notes.example/notes", `{"text":"a"}`})
	id := strings.Split(made, `"`)[3]
	if _, text := r.does(ask{"GET", "https://notes.example/notes/" + id, ""}); !strings.Contains(text, `"text":null`) || !strings.Contains(text, id) {
		t.Errorf("a record with a part missing: %s", text)
	}
}
