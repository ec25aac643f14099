package gateway_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/contain"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// A client that knows no proxy reaches the service under its own name, and nothing
// else; whatever else it tries is in the record by the name that it had asked for.
func TestClientsInsideAreCapturedOrRecorded(t *testing.T) {
	t.Parallel()
	h := open(t, quiet+"expect:\n  none: {no_call_to: [db.internal, 10.1.2.3]}\n").contain()
	c := h.contained(false)
	must(t, c, "POST", "https://api.stripe.com/v1/customers", "name=Ada")
	must(t, c, "GET", "http://api.stripe.com/v1/customers", "")
	for _, target := range []string{"https://evil.example/x", "http://evil.example/x", "http://169.254.169.254/latest/meta-data"} {
		reply, err := c.Get(target)
		if err != nil {
			t.Fatal(err)
		}
		said, _ := io.ReadAll(reply.Body)
		_ = reply.Body.Close()
		if reply.StatusCode != http.StatusForbidden || !strings.Contains(string(said), "--allow") {
			t.Errorf("%s: %s: %q", target, reply.Status, said)
		}
	}
	raw, err := h.box.dial(t.Context(), "tcp", "api.stripe.com:443")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = raw.Write([]byte("\x00\x00\x00\x08\x04\xd2\x16\x2f"))
	_ = raw.SetDeadline(time.Now().Add(time.Minute))
	if n, err := raw.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("PostgreSQL at a service: %d bytes, %v", n, err)
	}
	db, err := h.box.lookup(t.Context(), "db.internal")
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) netip.AddrPort { return netip.MustParseAddrPort(text) }
	for _, a := range []contain.Attempt{
		{Protocol: "tcp", To: at(db + ":5432"), Times: 1},
		{Protocol: "udp", To: at("8.8.8.8:123"), Times: 3},
		{Protocol: "tcp", To: at("[2001:db8::1]:22"), Times: 1},
		{Protocol: "tcp", To: at(db + ":5433"), Times: 1, Answered: true},
	} {
		h.box.attempts <- a
	}
	events, _ := h.events()
	var got []string
	for _, e := range events {
		if x := e.Exchange; x != nil && x.Outcome == trail.Denied {
			got = append(got, fmt.Sprintf("%s %s %s%s %d x%d", x.Way, x.Method, x.Host, x.Path, x.Status, x.Times))
		}
	}
	want := []string{
		"address TCP evil.example:443 403 x0", "address TCP evil.example:80 403 x0", "address TCP 169.254.169.254:80 403 x0", "address TCP api.stripe.com:443 403 x0",
		"address TCP db.internal:5432 0 x1", "address UDP 8.8.8.8:123 0 x3", "address TCP 2001:db8::1:22 0 x1", "address TCP db.internal:5433 0 x1",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("recorded\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	checkTold(t, h)
}

// checkTold looks at what reports and the trace say of the attempts.
func checkTold(t *testing.T, h *harness) {
	t.Helper()
	k, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	j := k.Report()
	var all, trace bytes.Buffer
	_ = json.NewEncoder(&all).Encode(j)
	if err := report.Trace(&trace, k.Events, k.Settlements, report.TraceOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`{"host":"8.8.8.8:123","calls":3,"protocol":"udp"}`, `{"host":"db.internal:5432","calls":1,"protocol":"tcp"}`,
		`{"host":"db.internal:5433","calls":1,"by":"a server of the agent's own","protocol":"tcp"}`, `tcp to db.internal:5432 was tried`,
	} {
		if !strings.Contains(all.String(), part) {
			t.Errorf("the judgement does not have %s:\n%s", part, all.String())
		}
	}
	for _, part := range []string{"db.internal", "an attempt to get out, refused, 3 times", "a server of the agent's own answered"} {
		if !strings.Contains(trace.String(), part) {
			t.Errorf("the trace does not have %q:\n%s", part, trace.String())
		}
	}
}

// A hundred thousand ports cost as many records as a few hundred, and are counted.
func TestAFloodOfAttemptsIsCounted(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, func(s *gateway.Settings) { s.Memory = true }).contain()
	for n := range 100_000 {
		to := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(n >> 15), 1}), uint16(n&0x7fff)+1)
		h.box.attempts <- contain.Attempt{Protocol: "tcp", To: to, Times: 1}
	}
	for range 5000 {
		h.box.attempts <- contain.Attempt{Protocol: "udp", To: netip.MustParseAddrPort("10.0.0.1:1"), Times: 1}
		h.box.attempts <- contain.Attempt{Protocol: "tcp", To: netip.MustParseAddrPort("10.0.0.1:1"), Times: 1}
	}
	h.box.attempts <- contain.Attempt{Protocol: "tcp"}
	close(h.box.attempts)
	sum := 0
	deadline := time.Now().Add(time.Minute)
	var events []trail.Event
	for sum != 110_001 && time.Now().Before(deadline) {
		time.Sleep(5 * time.Millisecond)
		sum = 0
		events = h.eventsOf(h.Run.ID)
		for _, e := range events {
			if x := e.Exchange; x != nil && x.Outcome == trail.Denied {
				sum += x.Times
			}
		}
	}
	if sum != 110_001 || len(events) > 300 {
		t.Errorf("%d attempts in %d events", sum, len(events))
	}
}

// What the agent holds inside is good for what an agent may do; the operator's
// token is nobody's there.
func TestControlInsideTakesTheAgentsTokenAlone(t *testing.T) {
	t.Parallel()
	const operator = "the-operators-own-secret"
	h := open(t, quiet, shared, func(s *gateway.Settings) { s.Token = operator }).contain()
	k, err := client.New(client.Options{URL: "http://" + h.Control(), Token: operator})
	if err != nil {
		t.Fatal(err)
	}
	other, err := k.Make(t.Context(), client.NewRun{Names: []string{"other"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		token, method, path string
		want                int
	}{
		{h.Run.Token, "POST", "/v1/runs/" + h.Run.ID + "/outcome", 204},
		{h.Run.Token, "GET", "/v1/runs/" + h.Run.ID + "/approvals", 200},
		{h.Run.Token, "GET", "/v1/runs", 403},
		{h.Run.Token, "PUT", "/v1/runs/" + h.Run.ID + "/clock", 403},
		{operator, "GET", "/v1/runs", 401},
		{other[0].Token, "POST", "/v1/runs/other/outcome", 401},
		{"", "GET", "/v1/runs", 401},
		{"", "GET", "/metrics", 404},
		{"", "GET", "/healthz", 200},
	} {
		r, _ := http.NewRequestWithContext(t.Context(), c.method, "http://"+h.box.control.Addr().String()+c.path, http.NoBody)
		if c.method != "GET" {
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(`{"status": "stopped"}`)), int64(len(`{"status": "stopped"}`))
			r.Header.Set("Content-Type", "application/json")
		}
		if c.token != "" {
			r.Header.Set("Authorization", "Bearer "+c.token)
		}
		reply, err := h.with(&http.Transport{}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = reply.Body.Close()
		if reply.StatusCode != c.want {
			t.Errorf("%s %s with %q: %d, want %d", c.method, c.path, c.token, reply.StatusCode, c.want)
		}
	}
}

// The proxy inside is the run's, whose name and token nobody has to know.
func TestProxyInsideIsTheRuns(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, func(s *gateway.Settings) { s.Memory = true }).contain()
	conn, err := net.Dial("tcp", h.box.proxy.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "CONNECT api.stripe.com:443 HTTP/1.1\r\nHost: api.stripe.com:443\r\n\r\n")
	status := make([]byte, len("HTTP/1.1 200 "))
	if _, err := io.ReadFull(conn, status); err != nil || string(status) != "HTTP/1.1 200 " {
		t.Fatalf("%q, %v", status, err)
	}
	if _, err := h.box.lookup(t.Context(), "api.stripe.com"); err != nil {
		t.Error(err)
	}
	if found, err := h.box.lookup(t.Context(), "localhost"); err != nil || found != "127.0.0.1" {
		t.Errorf("localhost is at %s, %v", found, err)
	}
}

// A webhook for a server of the agent's own goes inside; one for what is the
// gateway's there goes nowhere.
func TestWebhooksGoIntoTheContainment(t *testing.T) {
	t.Parallel()
	h := open(t, calendarProfile, shared).contain()
	e := newEndpoint(t)
	base := "http://" + h.Addr() + "/googlecalendar"
	watch(t, h.single(), base, e.URL)
	h.advance(h.Run.ID, "2s")
	port := strings.TrimPrefix(e.URL, "http://")
	h.box.mu.Lock()
	dialed := fmt.Sprint(h.box.dialed)
	h.box.mu.Unlock()
	if !strings.Contains(dialed, port) {
		t.Errorf("dialled inside: %s, want %s", dialed, port)
	}
	must(t, h.single(), "POST", base+"/calendar/v3/calendars/primary/events/watch",
		fmt.Sprintf(`{"id": "round", "type": "web_hook", "address": "http://127.0.0.1:%d/googlecalendar"}`, contain.ProxyPort),
		"Content-Type", "application/json", "Authorization", "Bearer ya29.tester")
	h.advance(h.Run.ID, "2s")
	said := ""
	for _, event := range h.eventsOf(h.Run.ID) {
		if event.Kind == trail.Delivered && event.Delivery.Error != "" {
			said = event.Delivery.Error
		}
	}
	if !strings.Contains(said, "this gateway itself") {
		t.Errorf("a webhook to the gateway: %q", said)
	}
}
