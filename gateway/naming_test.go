package gateway_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/ingress"
)

// However a client names its run, its call is in that run and in no other.
func TestEveryWayToNameARun(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	names := []string{"by-proxy", "by-path", "by-path-alone", "by-header", "by-header-in-connect", "by-host", "by-port", "by-announcement", "by-announcement-tls"}
	runs := map[string]client.Run{}
	for _, r := range h.make(client.NewRun{Names: names, Port: true}) {
		runs[r.ID] = r
	}
	data := "http://" + h.Addr()
	proxy := func(name string) *http.Client {
		u, err := url.Parse(runs[name].URLs.Proxy)
		if err != nil {
			t.Fatal(err)
		}
		return h.with(&http.Transport{Proxy: http.ProxyURL(u), TLSClientConfig: &tls.Config{RootCAs: h.roots()}})
	}
	const list = "/v1/customers"
	must(t, proxy("by-proxy"), "POST", "https://api.stripe.com"+list, "name=Ada")
	must(t, h.single(), "POST", base(runs["by-path"])+list, "name=Ada")
	must(t, h.single(), "POST", data+"/run/by-path-alone/stripe"+list, "name=Ada")
	must(t, h.single(), "POST", data+"/stripe"+list, "name=Ada", "Parity-Run", "by-header:"+runs["by-header"].Token)
	must(t, h.proxiedFirst(), "POST", "https://api.stripe.com"+list, "name=Ada", "Parity-Run", "by-header-in-connect")
	must(t, h.hosted("stripe.by-host.localhost"), "POST", data+list, "name=Ada")
	must(t, h.single(), "POST", "http://"+runs["by-port"].URLs.Port+"/stripe"+list, "name=Ada")
	must(t, h.announcing(runs["by-announcement"]), "POST", data+"/stripe"+list, "name=Ada")
	must(t, h.announcing(runs["by-announcement-tls"]), "POST", "https://api.stripe.com"+list, "name=Ada")
	for _, name := range names {
		events := h.eventsOf(name)
		if len(events) != 2 || events[1].Exchange == nil || events[1].Exchange.Operation != "POST /v1/customers" {
			t.Errorf("run %s has %d events", name, len(events))
		}
		for _, e := range events {
			if e.Exchange != nil && slices.ContainsFunc(e.Exchange.Header, func(f trail.Field) bool { return f.Name == "Parity-Run" }) {
				t.Errorf("run %s: its header reached the service", name)
			}
		}
	}
	if n := len(h.eventsOf(h.Run.ID)); n != 1 {
		t.Errorf("the first run has %d events", n)
	}
}

// proxiedFirst goes through the proxy without credentials.
func (h *harness) proxiedFirst() *http.Client {
	return h.with(&http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: h.Addr()}), TLSClientConfig: &tls.Config{RootCAs: h.roots()}})
}

// hosted sends another Host.
func (h *harness) hosted(host string) *http.Client {
	c := h.single()
	c.Transport = withHost{c.Transport, host}
	return c
}

type withHost struct {
	http.RoundTripper
	host string
}

func (w withHost) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Host = w.host
	return w.RoundTripper.RoundTrip(r)
}

// announcing sends a PROXY header before anything else.
func (h *harness) announcing(r client.Run) *http.Client {
	return h.with(&http.Transport{TLSClientConfig: &tls.Config{RootCAs: h.roots()}, DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, h.Addr())
		if err == nil {
			_, err = c.Write(ingress.Announce(r.ID, r.Token))
		}
		return c, err
	}})
}

// A client that names a run wrongly, or two, gets none.
func TestWrongNamesOfRuns(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	run := h.make(client.NewRun{Names: []string{"mine"}})[0]
	data := "http://" + h.Addr()
	for name, c := range map[string]struct {
		at     string
		header []string
		client *http.Client
		status int
	}{
		"a run that is not, by path":       {data + "/run/nobody/stripe", nil, h.single(), 401},
		"a wrong token, by path":           {data + "/run/mine:guess/stripe", nil, h.single(), 401},
		"a wrong token, by header":         {data + "/stripe", []string{"Parity-Run", "mine:guess"}, h.single(), 401},
		"two runs, by path and header":     {data + "/run/mine/stripe", []string{"Parity-Run", h.Run.ID}, h.single(), 400},
		"two runs, by announcement":        {data + "/stripe", []string{"Parity-Run", h.Run.ID}, h.announcing(run), 400},
		"a wrong token, by announcement":   {data + "/stripe", nil, h.announcing(client.Run{ID: "mine", Token: "guess"}), 401},
		"the run's own path, twice":        {data + "/run/mine/run/mine/stripe", nil, h.single(), 404},
		"a run that is not, by its header": {data + "/stripe", []string{"Parity-Run", "nobody"}, h.single(), 401},
	} {
		status, body, _, err := call(t, c.client, "POST", c.at+"/v1/customers", "name=Ada", c.header...)
		if status != c.status {
			t.Errorf("%s: %d %v %v, want %d", name, status, body, err, c.status)
		}
	}
	if n := len(h.eventsOf("mine")); n > 2 { // the path that is in it twice is a call in it
		t.Errorf("mine has %d events", n)
	}
}

// Away from loopback a client that names no run is told what to use, and one
// that names it has to show its token.
func TestStrangersHaveToNameTheirRun(t *testing.T) {
	t.Parallel()
	address := outward(t)
	h := open(t, quiet, shared, func(s *gateway.Settings) { s.Data = net.JoinHostPort(address, "0") })
	run := h.make(client.NewRun{Names: []string{"mine"}})[0]
	_, port, err := net.SplitHostPort(h.Addr())
	if err != nil {
		t.Fatal(err)
	}
	at := net.JoinHostPort(address, port)
	c := h.with(&http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}).DialContext(ctx, network, at)
	}})
	for path, want := range map[string]int{"/stripe": 401, "/run/mine/stripe": 401, "/run/mine:" + run.Token + "/stripe": 200} {
		status, body, _, err := call(t, c, "POST", "http://"+at+path+"/v1/customers", "name=Ada")
		if err != nil || status != want {
			t.Errorf("%s: %d %v, want %d", path, status, err, want)
		}
		if detail := fmt.Sprint(body["detail"]); path == "/stripe" && !strings.Contains(detail, "http://RUN:TOKEN@"+at) {
			t.Errorf("%s is told %q, not which URL to use", path, detail)
		}
	}
}

// outward is an address of this machine that is not loopback.
func outward(t *testing.T) string {
	t.Helper()
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && n.IP.To4() != nil {
			return n.IP.String()
		}
	}
	t.Skip("this machine has no address but loopback: strangers are not tested")
	return ""
}

// What is no PROXY header costs its own connection and no other.
func TestBrokenAnnouncements(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	good := string(ingress.Announce("mine", "t"))
	for name, text := range map[string]string{
		"cut short": good[:20], "version 1": "PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\n", "another signature": "\r\n\r\n\x00\r\nQUIT\r" + good[12:],
		"version 3": good[:12] + "\x31" + good[13:], "addresses cut short": good[:13] + "\x11\x00\x04abcd", "a field cut short": good[:14] + "\x00\x04\xE0\x00\x20x",
		"too long": good[:14] + "\xff\xff",
	} {
		c, err := net.Dial("tcp", h.Addr())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write([]byte(text + "GET /stripe/v1/charges HTTP/1.1\r\nHost: x\r\n\r\n")); err != nil {
			t.Fatal(err)
		}
		if half, ok := c.(*net.TCPConn); ok {
			_ = half.CloseWrite()
		}
		if reply, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil && reply.StatusCode/100 == 2 {
			t.Errorf("%s: answered %s", name, reply.Status)
		}
		_ = c.Close()
	}
	must(t, h.single(), "GET", "http://"+h.Addr()+"/stripe/v1/charges", "")
}
