package gateway_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/faults/trail"
	"parity/gateway/client"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// A scripted service answers byte by byte as a script says, by the last segment of
// the path that it is called by.
type scripted struct {
	host string
	mu   sync.Mutex
	came map[string]int // by method and path
}

// scripts are what it does, by name.
func scripts() map[string]func(w io.Writer) {
	say := func(text string) func(io.Writer) {
		return func(w io.Writer) { _, _ = io.WriteString(w, text) }
	}
	whole := func(status, head, body string) func(io.Writer) {
		return say(fmt.Sprintf("HTTP/1.1 %s\r\n%sConnection: close\r\nContent-Length: %d\r\n\r\n%s", status, head, len(body), body))
	}
	asJSON := "Content-Type: application/json\r\n"
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, _ = z.Write(make([]byte, 20<<20))
	_ = z.Close()
	return map[string]func(io.Writer){
		"slow": func(io.Writer) { time.Sleep(3 * time.Second) }, //nolint:forbidigo // a real service that is slow
		"drip": func(w io.Writer) {
			_, _ = io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
			for range 40 {
				if _, err := io.WriteString(w, "x"); err != nil {
					return
				}
				time.Sleep(100 * time.Millisecond) //nolint:forbidigo // the same
			}
		},
		"silent":     say(""),
		"cut-head":   say("HTTP/1.1 200 OK\r\nContent-Ty"),
		"cut-body":   say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":"),
		"short":      say("HTTP/1.1 200 OK\r\n" + asJSON + "Connection: close\r\nContent-Length: 7\r\n\r\n{\"id\":\"cus_1\",\"object\":\"customer\"}"),
		"two-sizes":  say("HTTP/1.1 200 OK\r\n" + asJSON + "Content-Length: 7\r\nContent-Length: 9\r\n\r\n{\"id\":1}\n"),
		"error":      whole("500 Internal Server Error", asJSON, `{"error":{"type":"api_error","message":"down"}}`),
		"metadata":   whole("302 Found", "Location: http://169.254.169.254/latest/meta-data/\r\n", ""),
		"within":     whole("302 Found", "Location: /v1/customers/other\r\n", ""),
		"loop":       whole("302 Found", "Location: loop\r\n", ""),
		"elsewhere":  whole("307 Temporary Redirect", "Location: //evil.example/v1\r\n", ""),
		"large":      whole("200 OK", asJSON, strings.Repeat(" ", 20<<20)+"{}"),
		"bomb":       whole("200 OK", asJSON+"Content-Encoding: gzip\r\n", bomb.String()),
		"encoded":    whole("200 OK", asJSON+"Content-Encoding: br\r\n", "xyz"),
		"events":     whole("200 OK", "Content-Type: text/event-stream\r\n", "data: 1\n\n"),
		"hints":      say(strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", 20_000)),
		"switches":   say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"),
		"old":        say("HTTP/1.0 200 OK\r\n" + asJSON + "\r\n" + `{"id":"cus_1","object":"customer","created":1,"livemode":false}`),
		"garbage":    say("\x16\x03\x01garbage\r\n\r\n\x00\xff"),
		"long-head":  say("HTTP/1.1 200 OK\r\nX-Long: " + strings.Repeat("x", 1<<20) + "\r\n\r\n"),
		"invalid":    whole("200 OK", asJSON, `{"id":7,"object":"customer"}`),
		"charset":    whole("200 OK", "Content-Type: application/json; charset=utf-16\r\n", "{\"id\":\"\xe9\"}"),
		"no-json":    whole("200 OK", asJSON, "<html>down for maintenance</html>"),
		"page":       whole("200 OK", "Content-Type: text/html\r\n", "<html>sign in</html>"),
		"none":       say("HTTP/1.1 204 No Content\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello"),
		"zero":       whole("000 Nothing", "", ""),
		"unfinished": say("HTTP/1.1 200 OK\r\n" + asJSON + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"id\"\r\nzz\r\n"),
	}
}

func scriptedService(t *testing.T, config *tls.Config, all map[string]func(io.Writer)) *scripted {
	t.Helper()
	l, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		t.Fatal(err)
	}
	s := &scripted{host: l.Addr().String(), came: map[string]int{}}
	var conns sync.WaitGroup
	t.Cleanup(conns.Wait)
	t.Cleanup(func() { _ = l.Close() })
	conns.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			conns.Go(func() {
				defer c.Close()
				q, err := http.ReadRequest(bufio.NewReader(c))
				if err != nil {
					return
				}
				s.mu.Lock()
				s.came[q.Method+" "+q.URL.Path]++
				s.mu.Unlock()
				if does := all[q.URL.Path[strings.LastIndexByte(q.URL.Path, '/')+1:]]; does != nil {
					does(c)
				}
			})
		}
	})
	return s
}

// certified is a certificate for this machine, or not.
func certified(t *testing.T, change func(*x509.Certificate)) (tls.Certificate, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now() //nolint:forbidigo // certificates are of real time
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "real"}, NotBefore: now.Add(-48 * time.Hour), NotAfter: now.Add(48 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, BasicConstraintsValid: true, IsCA: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	if change != nil {
		change(c)
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// upstreamTroubles are what a client gets of each script.
func upstreamTroubles() map[string]struct {
	code   string
	status int
	told   bool // that it is not what the contract says
} {
	type row = struct {
		code   string
		status int
		told   bool
	}
	const unreachable, large, redirect, late = "upstream-unreachable", "upstream-too-large", "upstream-redirect", "upstream-timeout"
	return map[string]row{
		"slow": {late, 504, false}, "drip": {late, 504, false}, "silent": {unreachable, 502, false}, "cut-head": {unreachable, 502, false}, "cut-body": {unreachable, 502, false},
		"short": {"", 200, true}, "two-sizes": {unreachable, 502, false}, "error": {"", 500, false}, "metadata": {redirect, 502, false}, "within": {"", 302, true}, "loop": {"", 302, true},
		"elsewhere": {redirect, 502, false}, "large": {large, 502, false}, "bomb": {large, 502, false}, "encoded": {large, 502, false}, "events": {large, 502, false},
		"hints": {unreachable, 502, false}, "switches": {redirect, 502, false}, "old": {"", 200, false}, "garbage": {unreachable, 502, false}, "long-head": {unreachable, 502, false},
		"invalid": {"", 200, true}, "charset": {"", 200, true}, "no-json": {"", 200, true}, "page": {"", 200, true}, "none": {"", 204, true}, "zero": {unreachable, 502, false}, "unfinished": {unreachable, 502, false},
	}
}

// Whatever the real service does, the agent has one answer, in the words of the
// service, by each way in; nothing is tried twice, and the record says what came.
func TestUpstreamTroubleByEachWayIn(t *testing.T) {
	t.Parallel()
	certificate, roots := certified(t, nil)
	s := scriptedService(t, &tls.Config{Certificates: []tls.Certificate{certificate}}, scripts())
	file := filepath.Join(t.TempDir(), "roots.pem")
	if err := os.WriteFile(file, roots, 0o600); err != nil {
		t.Fatal(err)
	}
	at := fmt.Sprintf("{credential: {env: STRIPE_REAL}, hosts: [%q], roots: %q, account: test, timeout: 2s}", s.host, file)
	h := open(t, "profile: trouble\nseed: 7\nservices:\n  stripe: {mode: live-read, upstream: "+at+"}\n  github: {mode: live-read, upstream: "+at+"}\nclock: {mode: stepped}\n", withRealKey)
	calls := []struct{ service, base, path string }{
		{"stripe", "http://" + h.Addr() + "/stripe", "/v1/customers/"},
		{"stripe", "https://api.stripe.com", "/v1/customers/"},
		{"github", "http://" + h.Addr() + "/github", "/repos/octocat/"},
		{"github", "https://api.github.com", "/repos/octocat/"},
	}
	for name, want := range upstreamTroubles() {
		for i, c := range calls {
			t.Run(fmt.Sprintf("%s %s %d", name, c.service, i), func(t *testing.T) { //nolint:paralleltest // one record has them all
				if i > 0 && (name == "slow" || name == "drip" || name == "large" || name == "bomb") {
					return // once takes long enough
				}
				through := h.direct(false, false)
				if i%2 == 1 {
					through = h.proxied(false)
				}
				through.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
				before := s.came["GET "+c.path+name]
				status, body, header, err := call(t, through, "GET", c.base+c.path+name, "")
				if err != nil && want.code != "" || status != want.status || header.Get("X-Parity-Refused") != want.code {
					t.Errorf("%d %v %v %v, want %d %s", status, body, header, err, want.status, want.code)
				}
				if n := s.came["GET "+c.path+name] - before; n != 1 {
					t.Errorf("the real service was asked %d times", n)
				}
				if want.code != "" {
					inTheWordsOf(t, c.service, body)
				}
				if to := header.Get("Location"); to != "" && !strings.HasPrefix(to, c.base) {
					t.Errorf("it leads to %s", to)
				}
			})
		}
	}
	headed(t, h)
	recordedTroubles(t, h)
}

func inTheWordsOf(t *testing.T, service string, body map[string]any) {
	t.Helper()
	inner, _ := body["error"].(map[string]any)
	message := body["message"]
	if service == "stripe" {
		message = inner["message"]
	}
	if text, _ := message.(string); !strings.Contains(text, "real service") || service == "stripe" && inner["type"] == nil {
		t.Errorf("it is not as %s words it: %v", service, body)
	}
}

// headed asks for heads alone.
func headed(t *testing.T, h *harness) {
	t.Helper()
	for name, want := range map[string]int{"old": 200, "invalid": 200, "none": 204, "garbage": 502} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, "http://"+h.Addr()+"/stripe/v1/customers/"+name, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc")
		reply, err := h.single().Do(r)
		if err != nil || reply.StatusCode != want {
			t.Errorf("HEAD %s: %v %v", name, reply, err)
			continue
		}
		_ = reply.Body.Close()
	}
}

// recordedTroubles asks that the record, the trace and the report say what came.
func recordedTroubles(t *testing.T, h *harness) {
	t.Helper()
	events, _ := h.events()
	wants := upstreamTroubles()
	for _, e := range events {
		x := e.Exchange
		if x == nil || e.Kind != trail.Exchanged || x.Method == http.MethodHead {
			continue
		}
		name := x.Path[strings.LastIndexByte(x.Path, '/')+1:]
		want := wants[name]
		if len(x.Upstream) != 1 || x.Upstream[0].Number == 0 || x.Upstream[0].Code != want.code || (x.Upstream[0].Error != "") != (want.code != "") || x.Committed {
			t.Errorf("%s: %+v", name, x.Upstream)
			continue
		}
		odd := x.Upstream[0].Breaches
		if (odd != "") != want.told && x.Service == "stripe" || want.told && !strings.Contains(x.Note, "not answer as its contract says") {
			t.Errorf("%s: told %q, noted %q", name, odd, x.Note)
		}
	}
	k, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	var page, trace bytes.Buffer
	if err := report.Markdown(&page, k.Report()); err != nil || !strings.Contains(page.String(), "not as its contract says") {
		t.Errorf("the report does not tell: %v %s", err, page.String())
	}
	if err := printTrace(&trace, h.root, h.Run.ID); err != nil || !strings.Contains(trace.String(), "not answer as its contract says") {
		t.Errorf("the trace does not tell: %v", err)
	}
	var said bytes.Buffer
	if code, err := replayRun(t.Context(), &said, h.root, h.Run.ID, ""); code != 0 || err != nil {
		t.Errorf("replayed: %d %v: %s", code, err, said.String())
	}
}

// No request leaves before the service has shown who it is.
func TestNothingIsAskedOfWhoIsNotTheService(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	right, roots := certified(t, nil)
	another, anothers := certified(t, func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"other.example"} })
	past, pasts := certified(t, func(c *x509.Certificate) { c.NotAfter = c.NotBefore.Add(time.Hour) })
	future, futures := certified(t, func(c *x509.Certificate) { c.NotBefore = c.NotAfter.Add(-time.Hour) })
	shut := httptest.NewServer(nil)
	shut.Close()
	plain := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) { t.Errorf("plain HTTP was asked: %v", q.URL) }))
	defer plain.Close()
	hosts, services := map[string]string{}, map[string]*scripted{}
	for name, c := range map[string]struct {
		config *tls.Config
		roots  []byte
	}{
		"another's name": {&tls.Config{Certificates: []tls.Certificate{another}}, anothers},
		"expired":        {&tls.Config{Certificates: []tls.Certificate{past}}, pasts},
		"not yet":        {&tls.Config{Certificates: []tls.Certificate{future}}, futures},
		"signed by none": {&tls.Config{Certificates: []tls.Certificate{right}}, nil},
		"TLS 1.1":        {&tls.Config{Certificates: []tls.Certificate{right}, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}, roots}, //nolint:gosec // what is to be refused
		"refused":        {nil, roots},
		"plain":          {nil, roots},
	} {
		file := filepath.Join(dir, strings.NewReplacer(" ", "-", "'", "").Replace(name)+".pem")
		if c.roots == nil {
			c.roots = anothers
		}
		if err := os.WriteFile(file, c.roots, 0o600); err != nil {
			t.Fatal(err)
		}
		host := strings.TrimPrefix(map[string]string{"refused": shut.URL, "plain": plain.URL}[name], "http://")
		if c.config != nil {
			services[name] = scriptedService(t, c.config, scripts())
			host = services[name].host
		}
		hosts[name] = fmt.Sprintf("{credential: {env: STRIPE_REAL}, hosts: [%q], roots: %q, account: test, timeout: 5s}", host, file)
	}
	text := func(name string) string {
		return emptied("profile: strangers\nseed: 7\nservices:\n  stripe: {mode: live-read, upstream: " + hosts[name] + "}\nclock: {mode: stepped}\n")
	}
	for name := range hosts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, text(name), withRealKey, shared)
			one := h.make(client.NewRun{Names: []string{"one"}})[0]
			status, body, header, err := call(t, h.single(), "GET", one.URLs.Base+"/stripe/v1/customers/old", "")
			if err != nil || status != 502 || header.Get("X-Parity-Refused") != "upstream-unreachable" {
				t.Errorf("%d %v %v %v", status, body, header, err)
			}
			inTheWordsOf(t, "stripe", body)
			if s := services[name]; s != nil && len(s.came) > 0 {
				t.Errorf("it was asked %v", s.came)
			}
			for _, e := range h.eventsOf("one") {
				if x := e.Exchange; x != nil && e.Kind == trail.Exchanged && (len(x.Upstream) != 1 || x.Upstream[0].Error == "") {
					t.Errorf("%+v", x.Upstream)
				}
			}
		})
	}
}
