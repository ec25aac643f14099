package gateway_test

import (
	"net/http"
	"strings"
	"testing"
)

// Who names no format gets JSON, as the contract says.
func TestAReportIsJSONWhereNoFormatIsNamed(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	k := h.control()
	for query, want := range map[string]string{"": "application/json", "?format=text": "text/plain", "?format=markdown": "text/markdown"} {
		ask, err := http.NewRequestWithContext(t.Context(), http.MethodGet, k.URL()+"/v1/runs/"+h.Run.ID+"/report"+query, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		ask.Header.Set("Authorization", "Bearer "+k.Token())
		reply, err := http.DefaultClient.Do(ask)
		if err != nil {
			t.Fatal(err)
		}
		_ = reply.Body.Close()
		if kind := reply.Header.Get("Content-Type"); reply.StatusCode != http.StatusOK || !strings.HasPrefix(kind, want) {
			t.Errorf("%q: %s, %s", query, reply.Status, kind)
		}
	}
}
