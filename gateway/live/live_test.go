package live

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
	"golang.org/x/net/http/httpproxy"
)

func TestKinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		addr string
		need need
	}{
		{"8.8.8.8", needNothing},
		{"2606:4700::1111", needNothing},
		{"127.0.0.1", needLiteral},
		{"127.9.9.9", needLiteral},
		{"::1", needLiteral},
		{"::ffff:127.0.0.1", needLiteral},
		{"::127.0.0.1", needLiteral},
		{"64:ff9b::7f00:1", needLiteral},
		{"2002:7f00:1::", needLiteral},
		{"10.1.2.3", needLiteral},
		{"172.16.0.1", needLiteral},
		{"172.32.0.1", needNothing},
		{"192.168.1.1", needLiteral},
		{"100.64.0.1", needLiteral},
		{"fd00::1", needLiteral},
		{"fec0::1", needLiteral},
		{"169.254.1.1", needAddress},
		{"fe80::1", needAddress},
		{"169.254.169.254", needAddress},
		{"::ffff:169.254.169.254", needAddress},
		{"64:ff9b::a9fe:a9fe", needAddress},
		{"fd00:ec2::254", needAddress},
		{"100.100.100.200", needAddress},
		{"168.63.129.16", needAddress},
		{"0.0.0.0", needNever},
		{"0.1.2.3", needNever},
		{"::", needNever},
		{"224.0.0.1", needNever},
		{"ff02::1", needNever},
		{"255.255.255.255", needNever},
	} {
		if what, got := kind(netip.MustParseAddr(c.addr)); got != c.need {
			t.Errorf("%s is %q, %d; want %d", c.addr, what, got, c.need)
		}
	}
}

func literal(names ...string) func(string, int) bool {
	return func(host string, _ int) bool {
		for _, name := range names {
			if name == host {
				return true
			}
		}
		return false
	}
}

func TestForbiddenHosts(t *testing.T) {
	t.Parallel()
	d, err := New(Options{Literal: literal("listed.example"), Resolver: resolver(t, "169.254.169.254")})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ address, want string }{
		{"127.0.0.1:80", `policy.egress.tunnel: ["127.0.0.1"], or --allow 127.0.0.1`},
		{"[::1]:80", "this machine"},
		{"[::ffff:127.0.0.1]:80", "this machine"},
		{"169.254.169.254:80", "metadata"},
		{"listed.example:80", "metadata"}, // a name that is listed does not open that
		{"other.example:80", "metadata"},
		{"0.0.0.0:80", "which nothing may"},
		{"2130706433:80", "four decimal numbers"},
		{"0x7f000001:80", "four decimal numbers"},
		{"0x7f.0.0.1:80", "four decimal numbers"},
		{"0177.0.0.1:80", "four decimal numbers"},
		{"127.1:80", "four decimal numbers"},
		{"[fe80::1%25lo]:80", "zone"},
		{"[fe80::1%lo]:80", "zone"},
	} {
		conn, err := d.DialContext(t.Context(), "tcp", c.address)
		if conn != nil || !errors.Is(err, ErrForbidden) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.address, err)
		}
	}
	for _, address := range []string{"x", "x:", "x:0", "x:99999", "x:http"} {
		if _, err := d.DialContext(t.Context(), "tcp", address); err == nil {
			t.Errorf("dialled %s", address)
		}
	}
}

func TestLiteralOpensThisMachine(t *testing.T) {
	t.Parallel()
	addr := answering(t)
	d, err := New(Options{Literal: literal("127.0.0.1", "listed.example"), Resolver: resolver(t, "127.0.0.1")})
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "listed.example", "Listed.Example."} {
		c, err := d.DialContext(t.Context(), "tcp", net.JoinHostPort(host, fmt.Sprint(addr.Port())))
		if err != nil {
			t.Errorf("%s: %v", host, err)
			continue
		}
		_ = c.Close()
	}
}

// A resolver that says something harmless first, and loopback when asked
// again, is not believed either time it matters.
func TestFlippingResolver(t *testing.T) {
	t.Parallel()
	d, err := New(Options{Resolver: resolver(t, "127.0.0.1", "10.0.0.1", "192.168.0.1")})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := d.DialContext(t.Context(), "tcp", "flips.example:80"); !errors.Is(err, ErrForbidden) {
			t.Errorf("%v", err)
		}
	}
}

// resolver answers A questions with one address after the other.
func resolver(t *testing.T, addrs ...string) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	var asked atomic.Int64
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := server.ReadFrom(buf)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buf[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			m.Response, m.Additionals = true, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				addr := netip.MustParseAddr(addrs[int(asked.Add(1)-1)%len(addrs)])
				m.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
					Body:   &dnsmessage.AResource{A: addr.As4()},
				}}
			}
			if packed, err := m.Pack(); err == nil {
				_, _ = server.WriteTo(packed, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// answering is a host that says hello.
func answering(t *testing.T) netip.AddrPort {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, "hello")
			_ = c.Close()
		}
	}()
	return netip.MustParseAddrPort(l.Addr().String())
}

// upstream is a proxy that answers each CONNECT with answer.
func upstream(t *testing.T, answer string) (addr string, heads <-chan *http.Request) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	ch := make(chan *http.Request, 8)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				req, err := http.ReadRequest(bufio.NewReader(c))
				if err != nil {
					return
				}
				ch <- req
				if answer == "" {
					_, _ = io.Copy(io.Discard, c)
					return
				}
				_, _ = io.WriteString(c, answer)
			}()
		}
	}()
	return l.Addr().String(), ch
}

func TestUpstreamProxy(t *testing.T) {
	t.Parallel()
	addr, heads := upstream(t, "HTTP/1.1 200 OK\r\n\r\nhello early")
	env := map[string]string{"https_proxy": "http://me:s%20cret@" + addr, "NO_PROXY": "direct.example"}
	d, err := New(Options{Proxy: ProxyFromEnvironment(func(k string) string { return env[k] }), Resolver: resolver(t, "127.0.0.1")})
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.DialContext(t.Context(), "tcp", "far.example:443")
	if err != nil {
		t.Fatal(err)
	}
	got, _ := io.ReadAll(c)
	_ = c.Close()
	if string(got) != "hello early" {
		t.Errorf("%q", got)
	}
	req := <-heads
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte("me:s cret"))
	if req.Method != http.MethodConnect || req.Host != "far.example:443" || req.Header.Get("Proxy-Authorization") != want {
		t.Errorf("%s %s %v", req.Method, req.Host, req.Header)
	}
	// What is excepted goes directly, and is checked; so is a literal address.
	for _, address := range []string{"direct.example:443", "169.254.169.254:443"} {
		if _, err := d.DialContext(t.Context(), "tcp", address); !errors.Is(err, ErrForbidden) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestUpstreamProxyFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ answer, want string }{
		{"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n", "credentials"},
		{"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "403 Forbidden"},
		{"garbage\r\n", "answer to CONNECT"},
		{"HTTP/1.1 200 OK\r\nA: " + strings.Repeat("a", 100<<10), "answer to CONNECT"},
	} {
		addr, _ := upstream(t, c.answer)
		d, err := New(Options{Proxy: &httpproxy.Config{HTTPSProxy: "http://" + addr}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.DialContext(t.Context(), "tcp", "far.example:443"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v", err)
		}
	}
}

func TestSilentUpstreamProxy(t *testing.T) {
	t.Parallel()
	addr, heads := upstream(t, "")
	d, err := New(Options{Proxy: &httpproxy.Config{HTTPSProxy: "http://" + addr}, Timeout: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.DialContext(t.Context(), "tcp", "far.example:443"); err == nil {
		t.Error("a silent proxy was waited out")
	}
	<-heads
	d, err = New(Options{Proxy: &httpproxy.Config{HTTPSProxy: "http://" + addr}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	go func() { <-heads; stop() }()
	if _, err := d.DialContext(ctx, "tcp", "far.example:443"); !errors.Is(err, context.Canceled) && !errors.Is(err, net.ErrClosed) {
		var timeout net.Error
		if !errors.As(err, &timeout) {
			t.Errorf("%v", err)
		}
	}
}

func TestUnusableProxies(t *testing.T) {
	t.Parallel()
	for _, proxy := range []string{"socks5://me:canary@127.0.0.1:1080", "http://me:canary@:8080", "http://me:canary@ho st:1"} {
		if _, err := New(Options{Proxy: &httpproxy.Config{HTTPSProxy: proxy}}); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", proxy, err)
		}
	}
	if _, err := New(Options{Proxy: &httpproxy.Config{}}); err != nil {
		t.Error(err)
	}
}
