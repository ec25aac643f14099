package gateway_test

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
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

// What an agent is led to by an answer is decided as what it asks for by itself:
// neither a redirect, however the address is written, nor the proxy lead to the
// control port or to where a machine's credentials are.
func TestTheProxyLeadsNowhereInside(t *testing.T) {
	t.Parallel()
	refusing := map[int]bool{http.StatusForbidden: true, http.StatusBadRequest: true} // the latter where it is no way to write an address
	to := ""
	outside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }))
	t.Cleanup(outside.Close)
	h := open(t, quiet, shared, func(s *gateway.Settings) { s.Allow = []string{outside.Listener.Addr().String()} })
	proxy := &url.URL{Scheme: "http", Host: h.Addr(), User: url.UserPassword(h.Run.ID, h.Run.Token)}
	c := h.with(&http.Transport{Proxy: func(*http.Request) (*url.URL, error) { return proxy, nil }}) // also for this machine
	_, port, err := net.SplitHostPort(h.Control())
	if err != nil {
		t.Fatal(err)
	}
	for _, to = range []string{
		"http://" + h.Control() + "/v1/runs", "http://localhost:" + port + "/v1/runs", "http://[::ffff:127.0.0.1]:" + port + "/v1/runs", "http://0.0.0.0:" + port + "/v1/runs",
		"http://127.1:" + port + "/v1/runs", "http://2130706433:" + port + "/v1/runs", "http://0x7f000001:" + port + "/v1/runs",
		"http://169.254.169.254/latest/meta-data/", "http://[::ffff:a9fe:a9fe]/latest/meta-data/", "http://2852039166/latest/meta-data/", "http://metadata.google.internal/",
	} {
		for way, at := range map[string]string{"asked": to, "led to": outside.URL} {
			reply, err := c.Get(at)
			if err != nil {
				t.Errorf("%s %s: %v", way, to, err)
				continue
			}
			reply.Body.Close()
			if !refusing[reply.StatusCode] || reply.Request.URL.String() != to {
				t.Errorf("%s %s: %d of %s", way, to, reply.StatusCode, reply.Request.URL)
			}
		}
		raw, err := net.Dial("tcp", h.Addr())
		if err != nil {
			t.Fatal(err)
		}
		u, _ := url.Parse(to)
		host := u.Host
		if u.Port() == "" {
			host += ":80"
		}
		basic := base64.StdEncoding.EncodeToString([]byte(h.Run.ID + ":" + h.Run.Token))
		fmt.Fprintf(raw, "CONNECT %s HTTP/1.1\r\nHost: %s\r\nProxy-Authorization: Basic %s\r\n\r\n", host, host, basic)
		if reply, err := http.ReadResponse(bufio.NewReader(raw), nil); err != nil || !refusing[reply.StatusCode] {
			t.Errorf("CONNECT %s: %v, %v", host, reply, err)
		}
		raw.Close()
	}
}
