package gateway_test

import (
	"net/http"
	"testing"

	"parity/faults/trail"
)

// GitHub's commits are made of what fixtures say when somebody first looks at a
// repository: an agent that only read was blamed for them.
func TestReadingIsNotBlamedForWhatAServiceMakesAtTheFirstLook(t *testing.T) {
	t.Parallel()
	verdicts := expected(t, `profile: looks
services: {github: {}}
expect:
  nothing-changes: {only_changes: [github.issues]}
  no-new-refs: {at_most: 0, new: github.refs}
`, func(t *testing.T, c *http.Client) {
		for range 2 {
			ask, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://api.github.com/repos/octocat/hello-world/branches", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			ask.Header.Set("Authorization", "Bearer ghp_x")
			reply, err := c.Do(ask)
			if err != nil {
				t.Fatal(err)
			}
			_ = reply.Body.Close()
			if reply.StatusCode != http.StatusOK {
				t.Fatal(reply.Status)
			}
		}
	})
	for name, v := range verdicts {
		if v.Result == trail.Failed {
			t.Errorf("%s: %q", name, v.Lines)
		}
	}
	if len(verdicts) != 2 {
		t.Errorf("%d verdicts", len(verdicts))
	}
}
