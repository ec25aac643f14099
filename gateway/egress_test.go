package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
)

// besideAnother opens a gateway with two runs: one is under a profile that lets
// out to what is open, the other under one that lets out to what is shut.
func besideAnother(t *testing.T, opened, shut string, change func(*gateway.Settings)) (h *harness, let, kept client.Run) {
	t.Helper()
	dir := t.TempDir()
	for name, tunnel := range map[string]string{"open": opened, "shut": shut} {
		text := strings.Replace(calendarProfile, "meetings", name, 1) + "policy: {egress: {tunnel: [" + tunnel + "]}}\n"
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h = open(t, calendarProfile, shared, change, func(s *gateway.Settings) { s.Profiles = dir })
	let = h.make(client.NewRun{Names: []string{"let"}, Profile: "open.yaml"})[0]
	kept = h.make(client.NewRun{Names: []string{"kept"}, Profile: "shut.yaml"})[0]
	return h, let, kept
}

// What the policy of one run lets out, let the webhooks of every other run out.
func TestWebhooksGoByThePolicyOfTheirOwnRun(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked []string
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.Method+" "+r.Host)
		w.WriteHeader(http.StatusBadGateway)
	}))
	t.Cleanup(upstream.Close)
	h, let, kept := besideAnother(t, `"hooks.corp.example:443"`, "", func(s *gateway.Settings) {
		s.Getenv = func(name string) string { return map[string]string{"HTTPS_PROXY": upstream.URL}[name] }
	})
	for run, want := range map[*client.Run]string{&let: "502", &kept: "--allow hooks.corp.example"} {
		watch(t, h.single(), run.URLs.Base+"/googlecalendar", "https://hooks.corp.example/a")
		h.advance(run.ID, "2s")
		said := ""
		for _, event := range h.eventsOf(run.ID) {
			if event.Kind == trail.Delivered && said == "" {
				said = event.Delivery.Error
			}
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q in it", run.ID, said, want)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(asked) == 0 {
		t.Error("nothing left the gateway")
	}
}
