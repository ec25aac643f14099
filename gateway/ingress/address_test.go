package ingress_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"

	"parity/gateway/ingress"
)

// A moved connection says that it was made to another address than it was, as in
// a containment, where every address leads to the gateway.
type moved struct {
	net.Conn
	to net.Addr
}

func (c moved) LocalAddr() net.Addr { return c.to }
func (c moved) NetConn() net.Conn   { return c.Conn }
func (c moved) CloseWrite() error   { return c.Conn.(*net.TCPConn).CloseWrite() }

type movedListener struct {
	net.Listener
	to net.Addr
}

func (l movedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return moved{c, l.to}, nil
}

// The names that DNS gave addresses out for.
func nameAt(at netip.Addr) (string, bool) {
	name, ok := map[string]string{
		"198.18.0.1": "api.stripe.com", "198.18.0.2": "tunnel.example", "198.18.0.3": "evil.example", "198.18.0.4": "panic.example",
		"198.18.0.5": "files.stripe.com",
	}[at.String()]
	return name, ok
}

// at gives where a destination inside is served, HOST:PORT: HOST is an address, or
// a name that has one.
func (p *port) at(destination string) string {
	p.t.Helper()
	host, number, err := net.SplitHostPort(destination)
	if err != nil {
		p.t.Error(err)
		return ""
	}
	for n := byte(1); n < 6; n++ {
		if addr := netip.AddrFrom4([4]byte{198, 18, 0, n}); host != "" {
			if name, _ := nameAt(addr); name == host {
				host = addr.String()
			}
		}
	}
	to := net.TCPAddrFromAddrPort(netip.MustParseAddrPort(net.JoinHostPort(host, number)))
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := p.inside[to.String()]; at != "" {
		return at
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		p.t.Error(err)
		return ""
	}
	go func() {
		if err := p.ServeAddress(movedListener{l, to}, "run1", "secret", nameAt); err != nil {
			p.t.Errorf("serve %s: %v", to, err)
		}
	}()
	if p.inside == nil {
		p.inside = map[string]string{}
	}
	p.inside[to.String()] = l.Addr().String()
	return l.Addr().String()
}

func addressed(p *port, tr *http.Transport) {
	tr.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, p.at(address))
	}
}

// sayAt sends text to a destination inside, and gives what comes back.
func (p *port) sayAt(destination, text string) (string, error) {
	p.t.Helper()
	c, err := net.Dial("tcp", p.at(destination))
	if err != nil { // reset by now
		return "", err
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(ample))
	_, _ = io.WriteString(c, text)
	_ = c.(*net.TCPConn).CloseWrite()
	answer, err := io.ReadAll(c)
	return string(answer), err
}

// Who is meant is what the client says, and where it says nothing what DNS said;
// what a client cannot have meant does not get in.
func TestWhomAnAddressIsFor(t *testing.T) {
	t.Parallel()
	get := func(host string) string { return "GET /x HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n" }
	p := open(t, setup{})
	for _, c := range []struct{ name, to, say, want string }{
		{"Host, whatever the address", "10.1.2.3:80", get("api.stripe.com"), "Seen: address api.stripe.com:80 GET run1:secret"},
		{"Host, IPv6", "[2001:db8::1]:80", get("api.stripe.com"), "Seen: address api.stripe.com:80 GET"},
		{"Host, mapped", "[::ffff:10.1.2.3]:80", get("api.stripe.com"), "Seen: address api.stripe.com:80 GET"},
		{"Host, in the clear at 443", "10.1.2.3:443", get("api.stripe.com"), "Seen: address api.stripe.com:443 GET"},
		{"Host with its port", "10.1.2.3:80", get("API.stripe.com.:80"), "Seen: address api.stripe.com:80 GET"},
		{"Host with another port", "10.1.2.3:80", get("api.stripe.com:8080"), "HTTP/1.1 421 "},
		{"Host that is the address", "198.18.0.1:80", get("198.18.0.1"), "Seen: address api.stripe.com:80 GET"},
		{"Host that is an address without a name", "10.1.2.3:80", get("10.1.2.3"), "HTTP/1.1 403 "},
		{"Host that is none", "10.1.2.3:80", get("*.stripe.com"), "HTTP/1.1 400 "},
		{"Host that is refused", "198.18.0.1:80", get("evil.example"), "HTTP/1.1 403 "},
		{"no Host", "198.18.0.1:80", "GET / HTTP/1.0\r\n\r\n", "Seen: address api.stripe.com:80 GET"},
		{"another run", "198.18.0.1:80", "GET / HTTP/1.1\r\nHost: api.stripe.com\r\nParity-Run: run2\r\n\r\n", "HTTP/1.1 400 "},
		{"a proxy's request", "10.1.2.3:80", "GET http://api.stripe.com/ HTTP/1.1\r\nHost: x\r\n\r\n", "Seen: proxy api.stripe.com:80 GET run1:secret"},
		{"other port, by name", "198.18.0.1:8080", get("api.stripe.com:8080"), "Seen: address api.stripe.com:8080 GET"},
		{"other port, by address", "198.18.0.1:8080", get("198.18.0.1:8080"), "Seen: address api.stripe.com:8080 GET"},
		{"other port, another Host", "198.18.0.1:8080", get("files.stripe.com"), "HTTP/1.1 421 "},
		{"other port, refused", "198.18.0.3:8080", get("api.stripe.com"), "HTTP/1.1 403 "},
		{"other port, no name, Host", "10.1.2.3:8080", get("api.stripe.com"), "Seen: address api.stripe.com:8080 GET"},
		{"long request line", "10.1.2.3:80", "GET /" + strings.Repeat("x", 5000) + " HTTP/1.1\r\nHost: api.stripe.com\r\n\r\n", "Seen: address api.stripe.com:80 GET"},
		{"a PROXY header", "198.18.0.1:80", string(ingress.Announce("run1", "secret")) + get("api.stripe.com"), ""},
		{"PostgreSQL", "198.18.0.1:5432", "\x00\x00\x00\x08\x04\xd2\x16\x2f", ""},
		{"SMTP in place of HTTP", "198.18.0.1:80", "EHLO x\r\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, _ := p.sayAt(c.to, c.say)
			if !strings.Contains(got, c.want) || c.want == "" && got != "" {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A server name says more than the address; where there is none, DNS has said whom
// the client meant.
func TestTLSAtAnAddress(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	for _, c := range []struct{ name, to, sni, host, want string }{
		{"by server name", "10.1.2.3:443", "api.stripe.com", "api.stripe.com", "Seen: address api.stripe.com:443 GET"},
		{"by name, no server name", "198.18.0.1:443", "", "api.stripe.com", "Seen: address api.stripe.com:443 GET"},
		{"TLS at 80", "10.1.2.3:80", "api.stripe.com", "api.stripe.com:80", "Seen: address api.stripe.com:80 GET"},
		{"another Host", "10.1.2.3:443", "api.stripe.com", "files.stripe.com", "HTTP/1.1 421 "},
		{"another port", "10.1.2.3:443", "api.stripe.com", "api.stripe.com:444", "HTTP/1.1 421 "},
		{"refused by server name", "198.18.0.1:443", "evil.example", "evil.example", "HTTP/1.1 403 "},
		{"refused by name", "198.18.0.3:443", "", "api.stripe.com", "HTTP/1.1 403 "},
		{"refused by address", "10.1.2.3:443", "", "10.1.2.3", "HTTP/1.1 403 "},
		{"other port, refused by name", "198.18.0.3:8443", "api.stripe.com", "api.stripe.com", "HTTP/1.1 403 "},
		{"other port, no name", "10.1.2.3:8443", "api.stripe.com", "api.stripe.com:8443", "Seen: address api.stripe.com:8443 GET"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			raw, err := net.Dial("tcp", p.at(c.to))
			if err != nil {
				t.Fatal(err)
			}
			config := &tls.Config{RootCAs: p.roots(), ServerName: c.sni}
			if c.sni == "" { // none is sent, and the name is looked at all the same
				host, _, _ := net.SplitHostPort(c.to)
				if name, ok := nameAt(netip.MustParseAddr(host)); ok {
					host = name
				}
				config.InsecureSkipVerify = true
				config.VerifyConnection = func(s tls.ConnectionState) error { return s.PeerCertificates[0].VerifyHostname(host) }
			}
			conn := tls.Client(raw, config)
			defer conn.Close()
			if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: "+c.host+"\r\nConnection: close\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			if got, _ := io.ReadAll(conn); !strings.Contains(string(got), c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// What is tunnelled goes to the host, and not to the address that stands for it
// inside, with all that the client has sent; a server may speak first.
func TestTunnelsFromAnAddress(t *testing.T) {
	t.Parallel()
	greeting, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = greeting.Close() })
	go func() {
		for {
			c, err := greeting.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, "220 hello\r\n")
			said, _ := io.ReadAll(c)
			_, _ = c.Write(said)
			_ = c.Close()
		}
	}()
	var p *port
	dialled := make(chan string, 8)
	p = open(t, setup{change: func(o *ingress.Options) {
		o.Dialer = dialsTo{greeting.Addr().String(), dialled}
		inner := o.Decide
		o.Decide = func(ctx context.Context, a ingress.Approach) ingress.Verdict {
			if a.Authority.Host == "10.9.9.9" {
				return ingress.Verdict{Action: ingress.Tunnel}
			}
			return inner(ctx, a)
		}
	}})
	hello := "\x16\x03\x01"
	for _, c := range []struct{ to, say, dials string }{
		{"198.18.0.2:25", "", "tunnel.example:25"},
		{"198.18.0.2:8443", hello, "tunnel.example:8443"},
		{"198.18.0.2:443", "SSH-2.0-x\r\n", "tunnel.example:443"},
		{"10.9.9.9:25", "", "10.9.9.9:25"}, // after a moment
		{"10.9.9.9:5432", "\x00\x00\x00\x08", "10.9.9.9:5432"},
	} {
		t.Run(c.to, func(t *testing.T) {
			conn, err := net.Dial("tcp", p.at(c.to))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(ample))
			_, _ = io.WriteString(conn, c.say)
			first := make([]byte, len("220 hello\r\n"))
			if _, err := io.ReadFull(conn, first); err != nil {
				t.Fatalf("%q, %v", first, err)
			}
			_ = conn.(*net.TCPConn).CloseWrite()
			if got, err := io.ReadAll(conn); err != nil || string(got) != c.say {
				t.Errorf("got %q, %v", got, err)
			}
			if to := <-dialled; to != c.dials {
				t.Errorf("dialled %s, want %s", to, c.dials)
			}
		})
	}
}

type dialsTo struct {
	to   string
	tell chan<- string
}

func (d dialsTo) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	d.tell <- address
	return new(net.Dialer).DialContext(ctx, network, d.to)
}

// A client that calls its own machine, where nothing of its own listens, is
// refused as it would be there: that is no way out.
func TestOwnMachineIsRefusedAsEverywhere(t *testing.T) {
	t.Parallel()
	p := open(t, setup{change: func(o *ingress.Options) {
		o.Decide = func(_ context.Context, a ingress.Approach) ingress.Verdict {
			t.Errorf("asked about %s", a.Authority)
			return ingress.Verdict{}
		}
	}})
	for name, c := range map[string]struct{ to, say string }{
		"localhost":  {"127.0.0.1:80", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
		"by address": {"[::1]:80", "GET / HTTP/1.1\r\nHost: [::1]\r\n\r\n"},
		"other port": {"127.0.0.1:5432", "\x00\x00\x00\x08"},
		"raw":        {"127.0.0.1:443", "\x00\x00\x00\x08"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := p.sayAt(c.to, c.say); got != "" || !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// It is told of what a service was asked that is no request, and asked about once.
func TestWhatIsNeitherTLSNorHTTPIsTold(t *testing.T) {
	t.Parallel()
	told, asked := make(chan ingress.Approach, 8), make(chan ingress.Approach, 8)
	p := open(t, setup{change: func(o *ingress.Options) {
		o.NotHTTP = func(a ingress.Approach) { told <- a }
		inner := o.Decide
		o.Decide = func(ctx context.Context, a ingress.Approach) ingress.Verdict { asked <- a; return inner(ctx, a) }
	}})
	for _, to := range []string{"198.18.0.1:5432", "198.18.0.1:443"} {
		if got, _ := p.sayAt(to, "\x00\x00\x00\x08\x04\xd2\x16\x2f"); got != "" {
			t.Errorf("%s answered %q", to, got)
		}
		want := "api.stripe.com" + to[strings.Index(to, ":"):]
		if a := <-told; a.Way != ingress.Address || a.Authority.String() != want || a.Credentials.Name != "run1" || len(asked) != 1 {
			t.Errorf("told %+v, want %s; asked %d times", a, want, len(asked))
		}
		<-asked
	}
	if _, err := p.sayAt("198.18.0.3:5432", "\x00\x00\x00\x08"); err != nil || len(told) > 0 {
		t.Errorf("%v; what is refused was told twice", err)
	}
}

// Ever other addresses are one client, whose share is one client's.
func TestAllAddressesAreOneClient(t *testing.T) {
	t.Parallel()
	p := open(t, setup{change: func(o *ingress.Options) { o.MaxConns, o.MaxClientConns = 8, 1 }})
	c, err := net.Dial("tcp", p.at("198.18.0.1:80"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: api.stripe.com\r\n\r\n")
	if _, err := c.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if got, _ := p.sayAt("198.18.0.5:80", "GET / HTTP/1.1\r\nHost: api.stripe.com\r\n\r\n"); got != "" {
		t.Errorf("a second one was answered %q", got)
	}
}
