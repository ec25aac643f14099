package ingress_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"parity/gateway/ingress"
)

// A client without a proxy that asks for a host which is not allowed once got a
// bare TLS alert, and its user no word of what would allow it.
func TestHostThatIsRefusedByServerNameSaysWhy(t *testing.T) {
	t.Parallel()
	asked := 0
	p := open(t, setup{
		handler: func(http.ResponseWriter, *http.Request) { t.Error("it was handed on") },
		change: func(o *ingress.Options) {
			inner := o.Decide
			o.Decide = func(ctx context.Context, a ingress.Approach) ingress.Verdict { asked++; return inner(ctx, a) }
		},
	})
	for _, i := range []int{14, 15} { // HTTP/1.1 and HTTP/2
		c, _ := p.client(ways()[i])
		for range 2 {
			resp, err := c.Post("https://evil.example/v1/x", "text/plain", strings.NewReader("secret"))
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if resp.StatusCode != http.StatusForbidden || !strings.Contains(string(text), "evil.example is not allowed: see policy.egress.tunnel") || resp.ProtoMajor != i-13 {
				t.Errorf("HTTP/%d: %s: %q", resp.ProtoMajor, resp.Status, text)
			}
		}
	}
	if asked != 2 {
		t.Errorf("it was decided %d times for two connections", asked)
	}
}

// Nothing gets out, or in, by what is said inside of such a connection.
func TestRefusedConnectionIsForNothingElse(t *testing.T) {
	t.Parallel()
	p := open(t, setup{out: "127.0.0.1:1", handler: func(http.ResponseWriter, *http.Request) { t.Error("it was handed on") }})
	for name, request := range map[string]string{
		"another host":           "GET / HTTP/1.1\r\nHost: api.stripe.com\r\n\r\n",
		"absolute":               "GET http://api.stripe.com/ HTTP/1.1\r\nHost: api.stripe.com\r\n\r\n",
		"absolute, and allowed":  "GET http://tunnel.example/ HTTP/1.1\r\nHost: tunnel.example\r\n\r\n",
		"connect":                "CONNECT api.stripe.com:443 HTTP/1.1\r\nHost: api.stripe.com:443\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"with credentials":       "GET / HTTP/1.1\r\nHost: evil.example\r\n" + basic("run1", "secret") + "\r\n",
		"with a name of its own": "GET / HTTP/1.1\r\nHost: evil.example\r\nParity-Run: run1\r\n\r\n",
	} {
		c := tls.Client(p.raw(), &tls.Config{ServerName: "evil.example", RootCAs: p.roots()})
		_, _ = io.WriteString(c, request)
		_ = c.CloseWrite()
		got, _ := io.ReadAll(c)
		if !strings.HasPrefix(string(got), "HTTP/1.1 403 ") || strings.Count(string(got), "HTTP/1.1 ") != 1 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestWrongCredentialsByServerNameAreToldSo(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	p.behind(ingress.Announce("run1", "wrong"))
	c, _ := p.client(ways()[15])
	resp, err := c.Get("https://api.stripe.com/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusForbidden || !strings.Contains(string(text), "credentials name no run") {
		t.Errorf("%s: %q", resp.Status, text)
	}
}

// Whoever asks for ever new names drops no leaf that is in use.
func TestManyRefusedNamesDropNoLeaf(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	enough := errors.New("enough")
	serial := func(name string) (n string) {
		c := tls.Client(p.raw(), &tls.Config{ServerName: name, RootCAs: p.roots(), VerifyConnection: func(s tls.ConnectionState) error {
			n = s.PeerCertificates[0].SerialNumber.String()
			return enough
		}})
		_ = c.Handshake()
		_ = c.Close()
		return n
	}
	played, first := serial("api.stripe.com"), serial("h0.example")
	for n := range 1100 {
		if serial(fmt.Sprintf("h%d.example", n)) == "" {
			t.Fatalf("no answer to name %d", n)
		}
	}
	if serial("api.stripe.com") != played {
		t.Error("the leaf of a service was dropped")
	}
	if serial("h0.example") == first {
		t.Error("leaves of refused hosts are kept without bound")
	}
}
