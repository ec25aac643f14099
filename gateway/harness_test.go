package gateway_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// quiet is a profile in which nothing goes wrong, on a clock that tests can
// repeat.
const quiet = `
profile: quiet
seed: 7
services:
  stripe: {}
clock: {mode: stepped}
`

// harness is an open gateway and clients of it.
type harness struct {
	*gateway.Server
	t    *testing.T
	root string
	file string // the profile
	box  *standInBox

	mu         sync.Mutex
	transports []*http.Transport // closed first: an idle HTTP/2 connection holds up a shutdown
}

func open(t *testing.T, profile string, change ...func(*gateway.Settings)) *harness {
	t.Helper()
	return openIn(t, t.TempDir(), profile, change...)
}

// emptied is a profile in whose world is what a test makes, and nothing else,
// unless it says otherwise.
func emptied(profile string) string {
	if strings.Contains(profile, "world:") {
		return profile
	}
	return strings.Replace(profile, "\nservices:", "\nworld: empty\nservices:", 1)
}

// openIn opens one whose profile is in a folder with what it names.
func openIn(t *testing.T, dir, profile string, change ...func(*gateway.Settings)) *harness {
	t.Helper()
	file := filepath.Join(dir, "profile.yaml")
	if err := os.WriteFile(file, []byte(emptied(profile)), 0o600); err != nil {
		t.Fatal(err)
	}
	s := gateway.Settings{
		Root: filepath.Join(dir, ".parity"), CA: filepath.Join(dir, "ca"), Profile: file,
		Getenv: func(string) string { return "" }, Log: slog.New(slog.NewTextHandler(testLog{t}, nil)),
	}
	for _, c := range change {
		c(&s)
	}
	srv, err := gateway.Open(t.Context(), s)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	h := &harness{Server: srv, t: t, root: s.Root, file: file}
	t.Cleanup(h.close)
	return h
}

func (h *harness) close() {
	for _, transport := range h.transports {
		transport.CloseIdleConnections()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := h.Close(ctx); err != nil {
		h.t.Errorf("close: %v", err)
	}
}

// testLog keeps the gateway's log with the test.
type testLog struct{ t *testing.T }

func (l testLog) Write(p []byte) (int, error) {
	defer func() { _ = recover() }() // a test that has ended takes no more
	l.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

// way is one way for a client to reach the gateway.
type way struct {
	name   string
	client func(h *harness) *http.Client
	base   func(h *harness) string
	major  int // of HTTP
}

func ways() []way {
	stripe := func(*harness) string { return "https://api.stripe.com" }
	return []way{
		{"proxy-h1", func(h *harness) *http.Client { return h.proxied(false) }, stripe, 1},
		{"proxy-h2", func(h *harness) *http.Client { return h.proxied(true) }, stripe, 2},
		{"proxy-plain", func(h *harness) *http.Client { return h.proxied(false) }, func(*harness) string { return "http://api.stripe.com" }, 1},
		{"base-h1", func(h *harness) *http.Client { return h.direct(false, false) }, func(h *harness) string { return "http://" + h.Addr() + "/stripe" }, 1},
		{"base-h2", func(h *harness) *http.Client { return h.direct(true, false) }, func(h *harness) string { return "http://" + h.Addr() + "/stripe" }, 2},
		{"base-tls", func(h *harness) *http.Client { return h.direct(false, false) }, func(h *harness) string { return "https://" + h.Addr() + "/stripe" }, 1},
		{"host-h1", func(h *harness) *http.Client { return h.direct(false, false) }, func(h *harness) string { return "http://" + h.Addr() }, 1},
		{"sni-h1", func(h *harness) *http.Client { return h.direct(false, true) }, stripe, 1},
		{"sni-h2", func(h *harness) *http.Client { return h.direct(true, true) }, stripe, 2},
		{"address-h1", func(h *harness) *http.Client { return h.contained(false) }, stripe, 1},
		{"address-h2", func(h *harness) *http.Client { return h.contained(true) }, stripe, 2},
		{"address-plain", func(h *harness) *http.Client { return h.contained(false) }, func(*harness) string { return "http://api.stripe.com" }, 1},
	}
}

// sampled gives every third of a table's cases, other ones for each turn, where
// tests are to be short, and says so.
func sampled[T any](t *testing.T, all []T, turn int) (some []T) {
	t.Helper()
	if !testing.Short() {
		return all
	}
	for i, c := range all {
		if i%3 == turn%3 {
			some = append(some, c)
		}
	}
	t.Logf("%d of %d cases; all without -short", len(some), len(all))
	return some
}

func (h *harness) roots() *x509.CertPool {
	roots := x509.NewCertPool()
	roots.AddCert(h.CA.Certificate())
	return roots
}

func protocols(h2 bool) *http.Protocols {
	p := new(http.Protocols)
	if h2 {
		p.SetHTTP2(true)
		p.SetUnencryptedHTTP2(true)
		return p
	}
	p.SetHTTP1(true)
	return p
}

func (h *harness) proxied(h2 bool) *http.Client {
	proxy := &url.URL{Scheme: "http", Host: h.Addr(), User: url.UserPassword(h.Run.ID, h.Run.Token)}
	return h.with(&http.Transport{Proxy: http.ProxyURL(proxy), TLSClientConfig: &tls.Config{RootCAs: h.roots()}, Protocols: protocols(h2)})
}

// direct reaches the data port without a proxy; with sni it does so whatever
// the host.
func (h *harness) direct(h2, sni bool) *http.Client {
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: h.roots()}, Protocols: protocols(h2)}
	if sni {
		transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, h.Addr())
		}
	}
	return h.with(transport)
}

func (h *harness) with(transport *http.Transport) *http.Client {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.transports = append(h.transports, transport)
	return &http.Client{Transport: transport, Timeout: 60 * time.Second}
}

// call makes one call and gives the status and the decoded body.
func call(t *testing.T, c *http.Client, method, target, form string, header ...string) (int, map[string]any, http.Header, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, target, strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc")
	if form != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	reply, err := c.Do(r)
	if err != nil {
		return 0, nil, nil, err
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		return reply.StatusCode, nil, reply.Header, err
	}
	var decoded map[string]any
	if err := json.Unmarshal(body, &decoded); err != nil {
		return reply.StatusCode, nil, reply.Header, fmt.Errorf("%w in %q", err, body)
	}
	return reply.StatusCode, decoded, reply.Header, nil
}

// requestOf writes a request that carries a token: a body that is text is a form,
// another is sent as JSON.
func requestOf(t *testing.T, method, target, token string, body any) *http.Request {
	t.Helper()
	text, kind := "", "application/json"
	switch x := body.(type) {
	case nil:
	case string:
		text, kind = x, "application/x-www-form-urlencoded"
	default:
		data, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		text = string(data)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, target, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", token)
	if text != "" {
		r.Header.Set("Content-Type", kind)
	}
	return r
}

// must is a call that has to succeed.
func must(t *testing.T, c *http.Client, method, target, form string, header ...string) map[string]any {
	t.Helper()
	status, body, _, err := call(t, c, method, target, form, header...)
	if err != nil || status != http.StatusOK {
		t.Fatalf("%s %s: %d %v %v, want 200", method, target, status, body, err)
	}
	return body
}

const payment = "amount=4900&currency=usd&confirm=true&payment_method=pm_card_visa&payment_method_types[0]=card"

// events closes the gateway and reads what it has kept.
func (h *harness) events() ([]trail.Event, map[uint64]trail.Settlement) {
	h.t.Helper()
	h.close()
	kept, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	return kept.Events, kept.Settlements
}

// eventsOf gives what the gateway has kept of a run by now.
func (h *harness) eventsOf(run string) []trail.Event {
	h.t.Helper()
	k, err := h.Kept(run)
	if err != nil {
		h.t.Fatal(err)
	}
	return k.Events
}

// logging sends the gateway's log somewhere.
func logging(w io.Writer) func(*gateway.Settings) {
	return func(s *gateway.Settings) { s.Log = slog.New(slog.NewTextHandler(w, nil)) }
}

// logInto sends the gateway's log to a builder, which is read once the gateway
// is closed.
func logInto(b *strings.Builder) func(*gateway.Settings) {
	return func(s *gateway.Settings) { s.Log = slog.New(slog.NewTextHandler(b, nil)) }
}

// replayRun decides a kept run again, and says where it departs from its record: the code is 1
// then, or 3 where the conditions were others.
func replayRun(ctx context.Context, w io.Writer, root, name, profile string) (code int, err error) {
	k, err := kept.Read(root, name)
	if err != nil {
		return 0, err
	}
	came, err := k.Replay(ctx, profile)
	if err != nil {
		return 0, err
	}
	if len(came.Conditions) > 0 {
		code = 3
		fmt.Fprintf(w, "made under other conditions: %q\n", came.Conditions)
	}
	if came.At == 0 {
		_, err = fmt.Fprintln(w, "all as the record has them")
		return code, err
	}
	fmt.Fprintf(w, "it departs from the record at #%d\n", came.At)
	return max(code, 1), report.PrintDifferences(w, "  ", came.Differences, report.Options{})
}

// printTrace lists the events of a kept run.
func printTrace(w io.Writer, root, name string) error {
	k, err := kept.Read(root, name)
	if err != nil {
		return err
	}
	return report.Trace(w, k.Events, k.Settlements, report.TraceOptions{Missing: k.Missing()})
}
