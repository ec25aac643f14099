package gateway_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// Whoever looked at a shared gateway with a browser or curl met GitHub's root.
func TestTheFrontPageSaysWhatIsPlayed(t *testing.T) {
	t.Parallel()
	h := open(t, strings.Replace(quiet, "stripe: {}", "stripe: {}\n  github: {}", 1))
	c := h.direct(false, false)
	look := func(accept string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+h.Addr()+"/", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", accept)
		reply, err := c.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer reply.Body.Close()
		text, err := io.ReadAll(reply.Body)
		if err != nil {
			t.Fatal(err)
		}
		return reply.StatusCode, string(text)
	}
	for accept, want := range map[string]string{"*/*": "http://" + h.Addr() + "/stripe", "text/html,*/*": "<td>http://" + h.Addr() + "/github"} {
		status, text := look(accept)
		if status != http.StatusOK || !strings.Contains(text, want) || !strings.Contains(text, "api.stripe.com") {
			t.Errorf("%s: %d %s", accept, status, text)
		}
		if strings.Contains(text, h.Run.ID) || strings.Contains(text, h.Run.Token) {
			t.Errorf("%s: it names a run: %s", accept, text)
		}
	}
	if status, _, _, err := call(t, c, http.MethodGet, "http://"+h.Addr()+"/github/", ""); err != nil || status == http.StatusNotFound {
		t.Errorf("GitHub's own root: %d %v", status, err)
	}
	if events, _ := h.events(); len(events) != 2 {
		t.Errorf("a look at the page is in the record: %d events, want the start and a call of GitHub", len(events))
	}
}
