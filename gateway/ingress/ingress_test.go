package ingress_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/gateway/ingress"
)

// A port is a server on a real listener, with the policy that the tests share:
// api.stripe.com and the like are services, tunnel.example leads to out, the
// token "wrong" is wrong, and everything else is refused.
type port struct {
	*ingress.Server
	t    *testing.T
	addr string
	ca   *ingress.CA

	mu     sync.Mutex
	passed []ingress.Passage
	inside map[string]string // where each address of a containment is served
}

type setup struct {
	handler http.HandlerFunc
	out     string // where tunnels lead
	change  func(*ingress.Options)
}

func open(t *testing.T, s setup) *port {
	t.Helper()
	checkGoroutines(t)
	ca, err := ingress.OpenCA(ingress.CAOptions{Dir: t.TempDir() + "/ca"})
	if err != nil {
		t.Fatal(err)
	}
	p := &port{t: t, ca: ca}
	opt := ingress.Options{
		Handler: s.handler,
		CA:      ca,
		Decide:  decide,
		Dialer:  leadsTo(s.out),
		Passed: func(passage ingress.Passage) {
			p.mu.Lock()
			p.passed = append(p.passed, passage)
			p.mu.Unlock()
		},
		Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	if opt.Handler == nil || s.handler == nil {
		opt.Handler = http.HandlerFunc(echo)
	}
	if s.change != nil {
		s.change(&opt)
	}
	if p.Server, err = ingress.New(opt); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.addr = l.Addr().String()
	served := make(chan error, 1)
	go func() { served <- p.Serve(l) }()
	t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), 60*time.Second)
		defer stop()
		if err := p.Shutdown(ctx); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if err := <-served; err != nil {
			t.Errorf("serve: %v", err)
		}
		for n := 0; p.Connections() != 0; n++ { // net/http may be closing one that its client left
			if runtime.Gosched(); n > 1e6 {
				t.Fatalf("%d connections are still counted", p.Connections())
			}
		}
		if n := p.Held(); n != 0 {
			t.Errorf("%d bytes are still held", n)
		}
	})
	return p
}

func decide(_ context.Context, a ingress.Approach) ingress.Verdict {
	switch host := a.Authority.Host; {
	case a.Credentials.Token == "wrong":
		return ingress.Verdict{Action: ingress.Challenge}
	case host == "panic.example":
		panic("decide")
	case strings.HasSuffix(host, "stripe.com") || strings.HasSuffix(host, ".service.example"):
		return ingress.Verdict{Action: ingress.Intercept}
	case host == "tunnel.example":
		return ingress.Verdict{Action: ingress.Tunnel}
	default:
		return ingress.Verdict{Message: host + " is not allowed: see policy.egress.tunnel\nor --allow"}
	}
}

type leadsTo string

func (to leadsTo) DialContext(ctx context.Context, network, _ string) (net.Conn, error) {
	if to == "" {
		return nil, fmt.Errorf("nowhere to go")
	}
	var d net.Dialer
	return d.DialContext(ctx, network, string(to))
}

// echo says what the handler saw.
func echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	o, _ := ingress.FromContext(r.Context())
	w.Header().Set("Seen", fmt.Sprintf("%s %s %s %s:%s secure=%v proven=%v", o.Way, o.Authority, r.Method, o.RunName, o.RunToken, o.Secure, o.Proven))
	w.Header().Set("Leaked", r.Header.Get("Proxy-Authorization")+r.Header.Get(ingress.RunHeader))
	_, _ = w.Write(body)
}

// checkGoroutines fails a test that runs alone if goroutines of a Server are
// left at its end. Parallel tests share the process, and cannot tell whose they
// are; Shutdown's own count speaks for those.
func checkGoroutines(t *testing.T) {
	t.Helper()
	if !strings.HasPrefix(t.Name(), "TestAlone") {
		return
	}
	t.Cleanup(func() {
		left := "?"
		for n := 0; left != "" && n < 1000; n++ {
			runtime.Gosched()
			left = goroutinesOf("parity/gateway/ingress.(*Server)")
		}
		if left != "" {
			t.Errorf("goroutines are left:\n%s", left)
		}
	})
}

func goroutinesOf(what string) string {
	buf := make([]byte, 1<<20)
	var left []string
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(stack, what) {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}

func (p *port) roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(p.ca.Certificate())
	return pool
}

// A way is a client that takes one of the ways in.
type way struct {
	name   string
	base   string // what comes before the path
	seen   string // way and authority
	secure bool
	major  int // of HTTP
	rig    func(p *port, tr *http.Transport)
}

func proxied(p *port, tr *http.Transport) {
	tr.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: p.addr, User: url.UserPassword("run1", "secret")})
}

func dialled(p *port, tr *http.Transport) {
	tr.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, p.addr)
	}
}

// tunnelled makes plain requests through a CONNECT.
func tunnelled(p *port, tr *http.Transport) {
	tr.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		var d net.Dialer
		c, err := d.DialContext(ctx, network, p.addr)
		if err != nil {
			return nil, err
		}
		if _, err := fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %[1]s\r\nProxy-Authorization: Basic cnVuMTpzZWNyZXQ=\r\n\r\n", address); err != nil {
			return nil, err
		}
		status := make([]byte, len("HTTP/1.1 200 Connection established\r\n\r\n"))
		if _, err := io.ReadFull(c, status); err != nil || !strings.HasPrefix(string(status), "HTTP/1.1 200 ") {
			_ = c.Close()
			return nil, fmt.Errorf("CONNECT: %q, %w", status, err)
		}
		return c, nil
	}
}

func ways() []way {
	return []way{
		{"proxy", "http://api.stripe.com", "proxy api.stripe.com:80", false, 1, proxied},
		{"proxy, other port", "http://api.stripe.com:8080", "proxy api.stripe.com:8080", false, 1, proxied},
		{"connect, h1", "https://api.stripe.com", "connect api.stripe.com:443", true, 1, proxied},
		{"connect, h2", "https://api.stripe.com", "connect api.stripe.com:443", true, 2, proxied},
		{"connect, other port", "https://api.stripe.com:8443", "connect api.stripe.com:8443", true, 2, proxied},
		{"connect, plain", "http://api.stripe.com", "connect api.stripe.com:80", false, 1, tunnelled},
		{"connect, h2c", "http://api.stripe.com", "connect api.stripe.com:80", false, 2, tunnelled},
		{"host", "http://api.stripe.com", "direct api.stripe.com:80", false, 1, dialled},
		{"host, h2c", "http://api.stripe.com", "direct api.stripe.com:80", false, 2, dialled},
		{"base", "", "direct ", false, 1, func(*port, *http.Transport) {}},
		{"base, h2c", "", "direct ", false, 2, func(*port, *http.Transport) {}},
		{"base, tls", "", "direct ", true, 1, func(*port, *http.Transport) {}},
		{"base, tls, h2", "", "direct ", true, 2, func(*port, *http.Transport) {}},
		{"base, localhost", "https://localhost", "direct localhost:443", true, 2, dialled},
		{"sni, h1", "https://api.stripe.com", "sni api.stripe.com:443", true, 1, dialled},
		{"sni, h2", "https://api.stripe.com", "sni api.stripe.com:443", true, 2, dialled},
		{"address, h1", "https://api.stripe.com", "address api.stripe.com:443", true, 1, addressed},
		{"address, h2", "https://api.stripe.com", "address api.stripe.com:443", true, 2, addressed},
		{"address, plain", "http://api.stripe.com", "address api.stripe.com:80", false, 1, addressed},
		{"address, h2c", "http://api.stripe.com", "address api.stripe.com:80", false, 2, addressed},
		{"address, other port", "https://api.stripe.com:8443", "address api.stripe.com:8443", true, 2, addressed},
		{"address, other port, plain", "http://api.stripe.com:8080", "address api.stripe.com:8080", false, 1, addressed},
	}
}

// client gives a client for a way, and the URL prefix to use.
func (p *port) client(w way) (*http.Client, string) {
	p.t.Helper()
	tr := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: p.roots()}, DisableCompression: true}
	tr.Protocols = new(http.Protocols)
	switch {
	case w.major == 1:
		tr.Protocols.SetHTTP1(true)
	case w.secure:
		tr.Protocols.SetHTTP2(true)
		tr.Protocols.SetHTTP1(true) // for CONNECT
	default:
		tr.Protocols.SetUnencryptedHTTP2(true)
	}
	w.rig(p, tr)
	p.t.Cleanup(tr.CloseIdleConnections)
	base := w.base
	if base == "" {
		base = "http://" + p.addr
		if w.secure {
			base = "https://" + p.addr
		}
	}
	return &http.Client{Transport: tr}, base
}

// ample bounds what has to come, and comes sooner: only a test that fails waits
// so long, however much else the machine has to do.
const ample = 2 * time.Minute

func eachWay(t *testing.T, s setup, check func(t *testing.T, p *port, w way, c *http.Client, base string)) {
	t.Helper()
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, s)
			c, base := p.client(w)
			check(t, p, w, c, base)
		})
	}
}

func (p *port) raw() net.Conn {
	p.t.Helper()
	c, err := net.Dial("tcp", p.addr)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(ample))
	return c
}

// say sends text and gives all that comes back until the end.
func (p *port) say(text string) string {
	p.t.Helper()
	c := p.raw()
	if _, err := io.WriteString(c, text); err != nil {
		p.t.Fatal(err)
	}
	_ = c.(*net.TCPConn).CloseWrite()
	answer, _ := io.ReadAll(c)
	return string(answer)
}

func standIn(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}
