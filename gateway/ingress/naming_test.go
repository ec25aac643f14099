package ingress_test

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"parity/gateway/ingress"
)

// behind puts something in front of the port that sends header before what a
// client sends, as a load balancer does.
func (p *port) behind(header []byte) {
	p.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		p.t.Fatal(err)
	}
	to := p.addr
	p.addr = l.Addr().String()
	var all sync.WaitGroup
	p.t.Cleanup(func() { _ = l.Close(); all.Wait() })
	all.Go(func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				_ = in.Close()
				continue
			}
			_, _ = out.Write(header)
			copied := func(dst, src net.Conn) {
				_, _ = io.Copy(dst, src)
				_ = dst.(*net.TCPConn).CloseWrite()
			}
			all.Go(func() { copied(out, in); _ = in.Close() })
			all.Go(func() { copied(in, out); _ = out.Close() })
		}
	})
}

// runPort opens a port of a run's own.
func (p *port) runPort(run, token string) (addr string) {
	p.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		p.t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- p.ServeRun(l, run, token) }()
	p.t.Cleanup(func() {
		_ = l.Close()
		if err := <-served; err != nil {
			p.t.Errorf("the port of a run: %v", err)
		}
	})
	return l.Addr().String()
}

func TestHeaderNamesTheRunOnEveryWayIn(t *testing.T) {
	t.Parallel()
	for _, token := range []string{"", ":secret"} {
		eachWay(t, setup{}, func(t *testing.T, _ *port, w way, c *http.Client, base string) {
			req, _ := http.NewRequest(http.MethodPost, base+"/", strings.NewReader("hello"))
			req.Header.Set("Parity-Run", "RUN1"+token) // names are not told apart by case
			resp, err := c.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			want := " RUN1" + token + " "
			if token == "" {
				want = " RUN1:"
			}
			if seen := resp.Header.Get("Seen"); !strings.Contains(seen, want) || !strings.HasPrefix(seen, w.seen) || resp.Header.Get("Leaked") != "" {
				t.Errorf("seen %q, leaked %q", seen, resp.Header.Get("Leaked"))
			}
		})
	}
}

// The header, and the port, are as good as proxy credentials, on every way in.
func TestConnectionNamesTheRunOnEveryWayIn(t *testing.T) {
	t.Parallel()
	for name, arrange := range map[string]func(p *port){
		"PROXY header": func(p *port) { p.behind(ingress.Announce("run1", "secret")) },
		"port":         func(p *port) { p.addr = p.runPort("run1", "secret") },
		"both": func(p *port) {
			p.addr = p.runPort("run1", "secret")
			p.behind(ingress.Announce("run1", "secret"))
		},
	} {
		for _, w := range ways() {
			t.Run(name+", "+w.name, func(t *testing.T) {
				t.Parallel()
				var decided ingress.Approach
				p := open(t, setup{change: noted(&decided)})
				arrange(p)
				c, base := p.client(w)
				for range 2 { // on one connection
					resp, err := c.Get(base + "/")
					if err != nil {
						t.Fatal(err)
					}
					_ = resp.Body.Close()
					if seen := resp.Header.Get("Seen"); !strings.Contains(seen, " run1:secret ") || !strings.Contains(seen, "proven=true") {
						t.Errorf("seen %q", seen)
					}
				}
				if got := decided.Credentials; !strings.HasPrefix(w.seen, "direct") && (got.Name != "run1" || got.Token != "secret" || !got.Sent) {
					t.Errorf("decided for %+v", got)
				}
			})
		}
	}
}

func noted(last *ingress.Approach) func(*ingress.Options) {
	return func(o *ingress.Options) {
		inner := o.Decide
		var mu sync.Mutex
		o.Decide = func(ctx context.Context, a ingress.Approach) ingress.Verdict {
			mu.Lock()
			defer mu.Unlock()
			*last = a
			return inner(ctx, a)
		}
	}
}

func basic(user, password string) string {
	return "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password)) + "\r\n"
}

func TestOneRequestNamesOneRun(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	own := p.runPort("mine", "secret")
	announced := string(ingress.Announce("mine", "secret"))
	const connect = "CONNECT api.stripe.com:80 HTTP/1.1\r\nHost: api.stripe.com:80\r\n"
	const inside = "GET / HTTP/1.1\r\nHost: api.stripe.com\r\nConnection: close\r\n"
	get := func(more string) string { return "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + more + "\r\n" }
	absolute := func(more string) string {
		return "GET http://api.stripe.com/ HTTP/1.1\r\nHost: api.stripe.com\r\nConnection: close\r\n" + more + "\r\n"
	}
	for _, c := range []struct{ name, at, say, status, also string }{
		{"none", p.addr, get(""), "200", " : secure=false proven=false"},
		{"credentials and header", p.addr, absolute(basic("mine", "secret") + "Parity-Run: mine\r\n"), "200", " mine:secret "},
		{"header has the token", p.addr, absolute(basic("mine", "") + "Parity-Run: mine:secret\r\n"), "200", " mine:secret "},
		{"credentials and header differ", p.addr, absolute(basic("mine", "secret") + "Parity-Run: other\r\n"), "400", "names two runs"},
		{"credentials and header differ, direct", p.addr, get(basic("mine", "secret") + "Parity-Run: other\r\n"), "400", "names two runs"},
		{"header twice", p.addr, get("Parity-Run: mine\r\nParity-Run: mine\r\n"), "400", "one twice"},
		{"header empty", p.addr, get("Parity-Run:\r\n"), "400", "names no run"},
		{"header without a name", p.addr, get("Parity-Run: :secret\r\n"), "400", "Parity-Run: RUN:TOKEN"},
		{"header on connect", p.addr, connect + "Parity-Run: mine\r\n\r\n" + inside + "\r\n", "200", " mine: "},
		{"header on connect and inside, the same", p.addr, connect + "Parity-Run: mine:secret\r\n\r\n" + inside + "Parity-Run: Mine\r\n\r\n", "200", " Mine:secret "},
		{"header on connect and inside differ", p.addr, connect + "Parity-Run: mine\r\n\r\n" + inside + "Parity-Run: other\r\n\r\n", "400", "names two runs"},
		{"credentials on connect, header inside", p.addr, connect + basic("mine", "secret") + "\r\n" + inside + "Parity-Run: other\r\n\r\n", "400", "names two runs"},
		{"credentials inside of a connect are another proxy's", p.addr, connect + basic("mine", "secret") + "\r\n" + inside + basic("other", "x") + "\r\n", "200", " mine:secret "},
		{"malformed credentials and header", p.addr, absolute("Proxy-Authorization: Bearer x\r\nParity-Run: mine\r\n"), "407", "not Basic"},
		{"announced", p.addr, announced + get(""), "200", " mine:secret secure=false proven=true"},
		{"announced, and header", p.addr, announced + get("Parity-Run: mine\r\n"), "200", " mine:secret "},
		{"announced, header differs", p.addr, announced + get("Parity-Run: other\r\n"), "400", "names two runs"},
		{"announced, credentials differ", p.addr, announced + absolute(basic("other", "x")), "400", "names two runs"},
		{"announced, credentials of connect differ", p.addr, announced + connect + basic("other", "x") + "\r\n", "400", "names two runs"},
		{"port", own, get(""), "200", " mine:secret secure=false proven=true"},
		{"port, and header", own, get("Parity-Run: mine\r\n"), "200", " mine:secret "},
		{"port, header differs", own, get("Parity-Run: other\r\n"), "400", "names two runs"},
		{"port, credentials differ", own, get(basic("other", "x")), "400", "names two runs"},
		{"port, announced the same", own, announced + get(""), "200", " mine:secret "},
		{"port, another announced", own, string(ingress.Announce("other", "x")) + get(""), "400", "names two runs"},
		{"port, another announced, connect", own, string(ingress.Announce("other", "x")) + connect + "\r\n", "400", "names two runs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := strings.TrimPrefix(exchange(t, c.at, c.say), "HTTP/1.1 200 Connection established\r\n\r\n")
			if !strings.HasPrefix(got, "HTTP/1.1 "+c.status) || !strings.Contains(got, c.also) {
				t.Errorf("got %q", got)
			}
		})
	}
}

// A CONNECT that is refused before it is decided once left its connection open:
// what its client then sent, which may be anything, was read as requests.
func TestNothingIsReadBehindAConnectThatNamesTwoRuns(t *testing.T) {
	t.Parallel()
	p := open(t, setup{handler: func(http.ResponseWriter, *http.Request) { t.Error("smuggled") }})
	got := p.say("CONNECT api.stripe.com:80 HTTP/1.1\r\nHost: api.stripe.com:80\r\n" + basic("mine", "x") + "Parity-Run: other\r\n\r\n" +
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	if strings.Count(got, "HTTP/1.1 ") != 1 || !strings.HasPrefix(got, "HTTP/1.1 400 ") {
		t.Errorf("%q", got)
	}
}

func TestTwoRunsByServerNameAreToldSo(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	p.addr = p.runPort("mine", "secret")
	p.behind(ingress.Announce("other", "x"))
	c, _ := p.client(ways()[14])
	resp, err := c.Get("https://api.stripe.com/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusForbidden || !strings.Contains(string(text), "names two runs") {
		t.Errorf("%s: %q", resp.Status, text)
	}
}

// A tunnel is decided on for the run that the connection names.
func TestTunnelByServerNameIsItsRuns(t *testing.T) {
	t.Parallel()
	addr, ends := far(t)
	var decided ingress.Approach
	p := open(t, setup{out: addr, change: noted(&decided)})
	p.behind(ingress.Announce("mine", "secret"))
	c := tls.Client(p.raw(), &tls.Config{ServerName: "tunnel.example", InsecureSkipVerify: true})
	go func() { _ = c.Handshake() }()
	end := <-ends
	first := make([]byte, 1)
	if _, err := io.ReadFull(end, first); err != nil || first[0] != 0x16 {
		t.Errorf("the far end got %#x, %v: not the client's hello", first, err)
	}
	_ = end.Close()
	_ = c.Close()
	if decided.Credentials.Name != "mine" || decided.Credentials.Token != "secret" {
		t.Errorf("decided for %+v", decided.Credentials)
	}
}

func TestPortOfARunClosesAlone(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- p.ServeRun(l, "mine", "secret") }()
	const request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
	if got := exchange(t, l.Addr().String(), request); !strings.Contains(got, " mine:secret ") {
		t.Errorf("%q", got)
	}
	_ = l.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if got := p.say(request); !strings.HasPrefix(got, "HTTP/1.1 200 ") {
		t.Errorf("the gateway's own port: %q", got)
	}
}

func TestAlonePortsOfRunsEndWithShutdown(t *testing.T) {
	p := open(t, setup{})
	addr := p.runPort("mine", "secret")
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := p.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", addr); err == nil {
		t.Error("the port still listens")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.ServeRun(l, "late", "x"); err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
		t.Error("a port that came late listens")
	}
}

// exchange is say at another port.
func exchange(t *testing.T, addr, text string) string {
	t.Helper()
	at := &port{t: t, addr: addr}
	return at.say(text)
}
