package gateway_test

import (
	"bytes"
	"strings"
	"testing"

	"parity/faults/trail"
)

// The first read of a repository that a fixture says was told as "committed": it
// grows from its seeds then. So were reads beside which somebody else edited.
func TestAReadThatChangesNothingIsNotToldAsCommitted(t *testing.T) {
	t.Parallel()
	const one = "github GET /repos/{owner}/{repo}/issues/{issue_number}"
	for name, rule := range map[string]string{
		"alone":           "",
		"deprecation":     "faults: {it: {call: \"github GET /repos/{owner}/{repo}/issues\", inject: deprecation}}\n",
		"moving-page":     "faults: {it: {call: \"github GET /repos/{owner}/{repo}/issues\", inject: moving-page}}\n",
		"concurrent-edit": "faults: {it: {call: \"" + one + "\", inject: concurrent-edit, with: {once_read: \"" + one + "\"}}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, "profile: shop\nseed: 7\nclock: {mode: stepped}\nservices: {github: {fixtures: [github-messy]}}\n"+rule)
			c, base := h.direct(false, false), "http://"+h.Addr()+"/github/repos/acme/shop/issues"
			for _, target := range []string{base + "?per_page=2", base + "/1", base + "/1"} {
				if status, _, _, _ := call(t, c, "GET", target, "", "Authorization", developer); status != 200 {
					t.Fatalf("GET %s: %d", target, status)
				}
			}
			events, _ := h.events()
			grown := false
			for _, e := range events {
				grown = grown || e.Kind == trail.Exchanged && len(e.Delta) > 0
			}
			var trace bytes.Buffer
			if err := printTrace(&trace, h.root, h.Run.ID); err != nil || !grown || strings.Contains(trace.String(), "committed") {
				t.Errorf("grown %v, %v\n%s", grown, err, trace.String())
			}
		})
	}
}
