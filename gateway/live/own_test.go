package live

import (
	"errors"
	"net"
	"strconv"
	"testing"

	"golang.org/x/net/http/httpproxy"
)

func TestGatewayIsNotItsOwnUpstreamProxy(t *testing.T) {
	t.Parallel()
	own, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = own.Close() })
	_, port, _ := net.SplitHostPort(own.Addr().String())
	for _, test := range []struct{ proxy, listens string }{
		{"http://" + own.Addr().String(), own.Addr().String()},
		{"http://localhost:" + port, own.Addr().String()},
		{"http://127.0.0.1:" + port, "[::]:" + port},
		{"http://127.0.0.1:" + port, "0.0.0.0:" + port},
	} {
		if _, err := New(Options{Proxy: &httpproxy.Config{HTTPSProxy: test.proxy}, Own: []string{test.listens}}); !errors.Is(err, errOwn) {
			t.Errorf("%s, at %s: %v", test.proxy, test.listens, err)
		}
	}
	// A name is known when it is resolved.
	d, err := New(Options{Proxy: &httpproxy.Config{HTTPSProxy: "http://gateway.example:" + port}, Own: []string{own.Addr().String()}, Resolver: resolver(t, "127.0.0.1")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.DialContext(t.Context(), "tcp", "api.example:443"); !errors.Is(err, errOwn) {
		t.Errorf("by name: %v", err)
	}
	if _, err := New(Options{Proxy: &httpproxy.Config{HTTPSProxy: "http://127.0.0.1:1"}, Own: []string{own.Addr().String()}}); err != nil {
		t.Errorf("another port: %v", err)
	}
}

// A host that the user named let anybody to the gateway's own ports, by whatever
// name: who came in there again was on this machine.
func TestNothingLeadsOutToTheGatewayItself(t *testing.T) {
	t.Parallel()
	own, other := listen(t), listen(t)
	d, err := New(Options{Literal: func(string, int) bool { return true }, Self: func(port int) bool { return port == numberOf(own) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "localhost", "127.0.0.2"} {
		if _, err := d.DialContext(t.Context(), "tcp", net.JoinHostPort(host, strconv.Itoa(numberOf(own)))); !errors.Is(err, ErrForbidden) {
			t.Errorf("%s: %v", host, err)
		}
	}
	c, err := d.DialContext(t.Context(), "tcp", other.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Close()
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func numberOf(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }
