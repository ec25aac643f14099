package gateway_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/gateway"
	"parity/gateway/client"
)

// A record keeps no credential. Decided again, calls that had one are answered,
// and those that had none are refused, as they were; links lead to where the
// client had found the service.
func TestReplayOfAServiceThatWantsACredential(t *testing.T) {
	t.Parallel()
	guarded := strings.NewReplacer(
		"info:", "x-parity-key: X-Order-Key\nsecurity: [{key: []}]\ncomponents: {securitySchemes: {key: {type: http, scheme: bearer}}}\ninfo:",
		"description: Made,", "description: Made, headers: {Location: {schema: {type: string, format: uri}}},",
	).Replace(crmOf("contacts"))
	h := open(t, ownProfile, shared, withContract(t, "contacts"), func(s *gateway.Settings) {
		_ = os.WriteFile(filepath.Join(filepath.Dir(s.Profile), "crm", "crm.yaml"), []byte(guarded), 0o600) // opening says so
	})
	one := h.make(client.NewRun{Names: []string{"one"}})[0]
	at := one.URLs.Base + "/crm/contacts"
	for _, try := range []struct {
		credential, key string
		status          int
	}{
		{"", "", http.StatusUnauthorized},
		{"Bearer any", "k1", http.StatusCreated},
		{"Basic any", "", http.StatusUnauthorized},
		{"Bearer any", "k1", http.StatusCreated}, // the first answer again
		{"Bearer any", "", http.StatusCreated},
	} {
		status, _, header, err := call(t, h.single(), http.MethodPost, at, `{"n": 1}`,
			"Content-Type", "application/json", "Authorization", try.credential, "X-Order-Key", try.key)
		if err != nil || status != try.status {
			t.Fatalf("%+v: %d %v", try, status, err)
		}
		if link := header.Get("Location"); status == http.StatusCreated && !strings.HasPrefix(link, at) {
			t.Errorf("%+v: the new one is said to be at %q", try, link)
		}
	}
	h.close()
	var said bytes.Buffer
	if code, err := replayRun(t.Context(), &said, h.root, "one", ""); code != 0 || err != nil {
		t.Errorf("%d %v: %s", code, err, said.String())
	}
}
