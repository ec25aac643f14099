package live

import (
	"errors"
	"net"
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
