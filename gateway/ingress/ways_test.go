package ingress_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/gateway/ingress"
)

func TestEveryWayIn(t *testing.T) {
	t.Parallel()
	eachWay(t, setup{}, func(t *testing.T, _ *port, w way, c *http.Client, base string) {
		for _, size := range []int{0, 5, 100 << 10, 1 << 20} {
			body := bytes.Repeat([]byte("abcdefg\n"), size/8+1)[:size]
			resp, err := c.Post(base+"/v1/x?y=1", "text/plain", bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if err != nil || !bytes.Equal(got, body) {
				t.Errorf("%d bytes came back of %d: %v", len(got), size, err)
			}
			if resp.ProtoMajor != w.major {
				t.Errorf("served over HTTP/%d", resp.ProtoMajor)
			}
			seen := resp.Header.Get("Seen")
			if !strings.HasPrefix(seen, w.seen) || !strings.Contains(seen, fmt.Sprintf(" secure=%v ", w.secure)) {
				t.Errorf("seen %q, want %q", seen, w.seen)
			}
			if viaProxy := strings.HasPrefix(w.seen, "proxy") || strings.HasPrefix(w.seen, "connect") || strings.HasPrefix(w.seen, "address"); viaProxy != strings.Contains(seen, "run1:secret") {
				t.Errorf("credentials in %q", seen)
			}
			if resp.Header.Get("Leaked") != "" {
				t.Error("the handler saw Proxy-Authorization or Parity-Run")
			}
		}
	})
}

func TestInterleavedStreams(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	c, base := p.client(ways()[3])
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			body := strings.Repeat(fmt.Sprint(i%10), 100<<10)
			resp, err := c.Post(base+"/", "text/plain", strings.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			if got, err := io.ReadAll(resp.Body); err != nil || string(got) != body {
				t.Errorf("stream %d: %d bytes, %v", i, len(got), err)
			}
		})
	}
	all.Wait()
}

func TestPanicCostsOneExchange(t *testing.T) {
	t.Parallel()
	handler := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/panic" {
			panic("planted")
		}
		echo(w, r)
	}
	eachWay(t, setup{handler: handler}, func(t *testing.T, _ *port, _ way, c *http.Client, base string) {
		for range 2 {
			if resp, err := c.Post(base+"/panic", "", strings.NewReader("x")); err == nil {
				_ = resp.Body.Close()
				t.Error("a panic was answered")
			}
			resp, err := c.Get(base + "/fine")
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
		}
	})
}

func TestPanicInDecideCostsOneConnection(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	for _, text := range []string{
		"CONNECT panic.example:443 HTTP/1.1\r\nHost: panic.example:443\r\n\r\n",
		"GET http://panic.example/ HTTP/1.1\r\nHost: panic.example\r\n\r\n",
	} {
		if got := p.say(text); got != "" {
			t.Errorf("%q", got)
		}
	}
	if err := tls.Client(p.raw(), &tls.Config{ServerName: "panic.example", RootCAs: p.roots()}).Handshake(); err == nil {
		t.Error("a handshake went through")
	}
	if got := p.say("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); !strings.HasPrefix(got, "HTTP/1.1 200 ") {
		t.Errorf("afterwards: %q", got)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	connect := func(authority, more string) string {
		return "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n" + more + "\r\n"
	}
	wrong := "Proxy-Authorization: Basic cnVuMTp3cm9uZw==\r\n"
	for _, c := range []struct{ name, say, want, also string }{
		{"connect", connect("evil.example:443", ""), "HTTP/1.1 403 evil.example is not allowed: see policy.egress.tunnel\r\n", "or --allow"},
		{"connect, with a hello in the same packet", connect("evil.example:443", "") + "\x16\x03\x01\x02\x00", "HTTP/1.1 403 ", "or --allow"},
		{"connect, ipv6", connect("[::1]:443", ""), "HTTP/1.1 403 ", ""},
		{"connect, case and dot", connect("EVIL.example.:443", ""), "HTTP/1.1 403 evil.example is", ""},
		{"connect, wildcard", connect("*.stripe.com:443", ""), "HTTP/1.1 400 ", "only letters"},
		{"connect, empty label", connect("a..b:443", ""), "HTTP/1.1 400 ", "a label is empty"},
		{"connect, long", connect(strings.Repeat("abcd.", 60)+"stripe.com:443", ""), "HTTP/1.1 400 ", "at most 253"},
		{"connect, no port", connect("api.stripe.com", ""), "HTTP/1.1 400 ", "a port is needed"},
		{"connect, odd port", connect("api.stripe.com:99999", ""), "HTTP/1.1 400 ", ""},
		{"connect, octal", connect("0177.0.0.1:443", ""), "HTTP/1.1 400 ", "four decimal numbers"},
		{"connect, hex", connect("0x7f000001:443", ""), "HTTP/1.1 400 ", "four decimal numbers"},
		{"connect, decimal", connect("2130706433:443", ""), "HTTP/1.1 400 ", "four decimal numbers"},
		{"connect, wrong credentials", connect("api.stripe.com:443", wrong), "HTTP/1.1 407 ", "Proxy-Authenticate: Basic"},
		{"connect, bearer", connect("api.stripe.com:443", "Proxy-Authorization: Bearer x\r\n"), "HTTP/1.1 407 ", "not Basic"},
		{"connect, unreachable", connect("tunnel.example:443", ""), "HTTP/1.1 502 ", "nowhere to go"},
		{"absolute", "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", "HTTP/1.1 403 ", "policy.egress.tunnel"},
		{"absolute, wrong credentials", "GET http://api.stripe.com/ HTTP/1.1\r\nHost: api.stripe.com\r\n" + wrong + "\r\n", "HTTP/1.1 407 ", "Proxy-Authenticate: Basic"},
		{"absolute, unreachable", "GET http://tunnel.example/ HTTP/1.1\r\nHost: tunnel.example\r\n\r\n", "HTTP/1.1 502 ", "the gateway cannot reach it"}, // the half-closed client may count as gone
		{"absolute, ftp", "GET ftp://api.stripe.com/ HTTP/1.1\r\nHost: api.stripe.com\r\n\r\n", "HTTP/1.1 400 ", "only http and https"},
		{"garbage", "\x00\x01\x02hello\r\n\r\n", "", ""},
		{"plain garbage", "hello there\r\n\r\n", "HTTP/1.1 400 ", ""},
		{"tls garbage", "\x16\x03\x01\x00\x05hello", "", ""},
		{"inner garbage", connect("api.stripe.com:443", "") + "\x00\x01\x02", "HTTP/1.1 200 Connection established\r\n\r\n", ""},
		{"inner host", connect("api.stripe.com:80", "") + "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "HTTP/1.1 421 ", "\"evil.example\""},
		{"inner absolute", connect("api.stripe.com:80", "") + "GET http://evil.example/ HTTP/1.1\r\nHost: api.stripe.com\r\n\r\n", "HTTP/1.1 421 ", "api.stripe.com:80"},
		{"inner port", connect("api.stripe.com:80", "") + "GET / HTTP/1.1\r\nHost: api.stripe.com:81\r\n\r\n", "HTTP/1.1 421 ", ""},
		{"inner connect", connect("api.stripe.com:80", "") + connect("evil.example:443", ""), "HTTP/1.1 400 ", "a CONNECT inside"},
		{"inner, fine", connect("api.stripe.com:80", "") + "GET http://API.stripe.com./ HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 200 OK", "Seen: connect api.stripe.com:80 GET"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := strings.TrimPrefix(p.say(c.say), "HTTP/1.1 200 Connection established\r\n\r\n")
			want := strings.TrimPrefix(c.want, "HTTP/1.1 200 Connection established\r\n\r\n")
			if !strings.HasPrefix(got, want) || !strings.Contains(got, c.also) || want == "" && got != "" {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// Go's own client shows the reason phrase, and nothing else, of a refusal.
func TestRefusedConnectReachesTheClient(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	c, _ := p.client(ways()[2])
	resp, err := c.Get("https://evil.example/")
	if err == nil {
		_ = resp.Body.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "policy.egress.tunnel") {
		t.Errorf("%v", err)
	}
}

func TestServerNames(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	c, _ := p.client(ways()[14])
	req, _ := http.NewRequest(http.MethodGet, "https://api.stripe.com/", nil)
	req.Host = "files.stripe.com"
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("another Host got %d", resp.StatusCode)
	}
}

func TestOneLeafForManyHandshakes(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	var all sync.WaitGroup
	var mu sync.Mutex
	serials := map[string]int{}
	for range 50 {
		all.Go(func() {
			raw, err := net.Dial("tcp", p.addr)
			if err != nil {
				t.Error(err)
				return
			}
			defer raw.Close()
			c := tls.Client(raw, &tls.Config{ServerName: "api.stripe.com", RootCAs: p.roots()})
			if err := c.Handshake(); err != nil {
				t.Error(err)
				return
			}
			chain := c.ConnectionState().PeerCertificates
			mu.Lock()
			defer mu.Unlock()
			serials[chain[0].SerialNumber.String()]++
			if len(chain) != 2 {
				t.Errorf("a chain of %d", len(chain))
			}
		})
	}
	all.Wait()
	if len(serials) != 1 {
		t.Errorf("%d leaves", len(serials))
	}
}

func TestTooManyConnections(t *testing.T) {
	t.Parallel()
	p := open(t, setup{change: func(o *ingress.Options) { o.MaxConns, o.MaxClientConns = 2, 2 }})
	held := []net.Conn{p.raw(), p.raw()}
	for _, c := range held { // both are counted once they are answered
		_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		if _, err := c.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
	}
	if got := p.say("GET / HTTP/1.1\r\nHost: x\r\n\r\n"); got != "" {
		t.Errorf("a third got %q", got)
	}
	_ = held[0].Close()
	for p.Connections() == 2 {
		runtime.Gosched()
	}
	if got := p.say("GET / HTTP/1.1\r\nHost: x\r\n\r\n"); got == "" {
		t.Error("a place was not given back")
	}
}

func TestSlowClientsAreLetGo(t *testing.T) {
	t.Parallel()
	const soon = 50 * time.Millisecond
	p := open(t, setup{out: silent(t), change: func(o *ingress.Options) {
		o.HeaderTime, o.IdleTime, o.BodyTime, o.TunnelIdle = soon, soon, soon, soon
	}})
	for name, text := range map[string]string{
		"silent":          "",
		"half a head":     "GET / HTTP/1.1\r\nHost",
		"half a hello":    "\x16\x03\x01\x02\x00\x01",
		"no next request": "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"half a body":     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345",
		"silent tunnel":   "CONNECT api.stripe.com:443 HTTP/1.1\r\nHost: api.stripe.com\r\n\r\n",
		"half a hello in": "CONNECT api.stripe.com:443 HTTP/1.1\r\nHost: api.stripe.com\r\n\r\n\x16\x03\x01\x02\x00\x01",
		"half a head in":  "CONNECT api.stripe.com:80 HTTP/1.1\r\nHost: api.stripe.com\r\n\r\nGET / HT",
		"idle way out":    "CONNECT tunnel.example:443 HTTP/1.1\r\nHost: tunnel.example:443\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := p.raw()
			_, _ = io.WriteString(c, text)
			if _, err := io.Copy(io.Discard, c); err != nil {
				if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
					t.Error("it was never let go")
				}
			}
		})
	}
}

// silent accepts and says nothing.
func silent(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { _, _ = io.Copy(io.Discard, c); _ = c.Close() })
		}
	})
	t.Cleanup(func() { _ = l.Close(); all.Wait() })
	return l.Addr().String()
}

func TestAloneShutdown(t *testing.T) {
	checkGoroutines(t)
	begun := make(chan struct{}, 8)
	p := open(t, setup{out: silent(t), handler: func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/held" {
			begun <- struct{}{}
			<-r.Context().Done()
			return
		}
		echo(w, r)
	}})
	quiet := p.raw() // has sent nothing
	tunnel := p.raw()
	_, _ = io.WriteString(tunnel, "CONNECT tunnel.example:443 HTTP/1.1\r\nHost: tunnel.example:443\r\n\r\n")
	if _, err := tunnel.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	shaken := tls.Client(p.raw(), &tls.Config{ServerName: "api.stripe.com", RootCAs: p.roots(), NextProtos: []string{"http/1.1"}})
	if err := shaken.Handshake(); err != nil {
		t.Fatal(err)
	}
	var clients sync.WaitGroup
	for _, i := range []int{0, 3, 5, 6, 15} {
		c, base := p.client(ways()[i])
		clients.Go(func() {
			if resp, err := c.Get(base + "/held"); err == nil {
				_ = resp.Body.Close()
			}
		})
		<-begun
	}
	ctx, stop := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer stop()
	if err := p.Shutdown(ctx); err == nil {
		t.Error("exchanges were cut, and nothing was said")
	}
	for _, c := range []net.Conn{quiet, tunnel, shaken} {
		if _, err := io.Copy(io.Discard, c); err != nil {
			if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
				t.Error("a connection is still open")
			}
		}
	}
	clients.Wait()
}
