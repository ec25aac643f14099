package gateway_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"parity/gateway"
	"parity/gateway/client"
)

const chosen = "0123456789abcdef-chosen"

// openToAll opens a gateway as docker-compose.yml does.
func openToAll(t *testing.T, public string) *harness {
	t.Helper()
	return open(t, quiet, func(s *gateway.Settings) {
		s.Data, s.Control, s.Token, s.Public, s.Shared = "0.0.0.0:0", "0.0.0.0:0", chosen, public, true
	})
}

func portOf(t *testing.T, address string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	return port
}

func clientAt(t *testing.T, h *harness, host string) *client.Client {
	t.Helper()
	c, err := client.New(client.Options{URL: "http://" + net.JoinHostPort(host, portOf(t, h.Control())), Token: chosen})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// otherHost is a second address of this machine, as another machine's would be.
func otherHost(t *testing.T) string {
	t.Helper()
	const host = "127.0.0.2"
	l, err := net.Listen("tcp", host+":0")
	if err != nil {
		t.Skip("this machine has no second loopback address")
	}
	l.Close()
	return host
}

func TestAgentsAreGivenAnAddressThatLeadsNowhere(t *testing.T) {
	t.Parallel()
	h, host := openToAll(t, ""), otherHost(t)
	data := net.JoinHostPort(host, portOf(t, h.Addr()))
	c := clientAt(t, h, host)
	made, err := c.Make(t.Context(), client.NewRun{Names: []string{"far"}})
	if err != nil {
		t.Fatal(err)
	}
	listed, err := c.Runs(t.Context(), client.Live)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range append(made, listed...) {
		base, proxy := "http://"+data+"/run/"+r.ID+":"+r.Token, "http://"+r.ID+":"+r.Token+"@"+data
		if r.URLs.Base != base || r.URLs.Proxy != proxy {
			t.Errorf("run %s is given out at %+v; want %s and %s", r.ID, *r.URLs, base, proxy)
		}
	}
	reply, err := http.Get(made[0].URLs.Base + "/stripe/v1/customers")
	if err != nil {
		t.Fatal(err)
	}
	reply.Body.Close()
	if reply.StatusCode != http.StatusUnauthorized || reply.Header.Get("X-Parity-Refused") != "" {
		t.Errorf("stripe does not answer there: %s", reply.Status)
	}
	g, err := c.Gateway(t.Context())
	if want := net.JoinHostPort(host, portOf(t, h.Control())); err != nil || g.Data != data || g.Control != want {
		t.Errorf("the gateway says it is at %s and %s (%v); want %s and %s", g.Data, g.Control, err, data, want)
	}
}

// A page that points a name of its own here gets no address, with its name in it
// or without.
func TestAddressesAreGivenOutToNoForeignHost(t *testing.T) {
	t.Parallel()
	h := openToAll(t, "")
	ask := func(host string) (int, string) {
		r, _ := http.NewRequestWithContext(t.Context(), "GET", "http://127.0.0.1:"+portOf(t, h.Control())+"/v1/gateway", nil)
		r.Host = host
		r.Header.Set("Authorization", "Bearer "+chosen)
		reply, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer reply.Body.Close()
		text, _ := io.ReadAll(reply.Body)
		return reply.StatusCode, string(text)
	}
	for _, host := range []string{"evil.example", "evil.example:80", "127.0.0.1@evil.example", "0.0.0.0"} {
		if status, text := ask(host); status != http.StatusForbidden || strings.Contains(text, "evil") {
			t.Errorf("asked as %s it answers %d %s", host, status, text)
		}
	}
	if status, text := ask("LOCALHOST.:1"); status != http.StatusOK || !strings.Contains(text, `"localhost:`+portOf(t, h.Addr())+`"`) {
		t.Errorf("asked as localhost it answers %d %.200s", status, text)
	}
}

func TestAPublicURLIsNotGivenOut(t *testing.T) {
	t.Parallel()
	const public = "gw.internal:9999"
	h := openToAll(t, public)
	made, err := clientAt(t, h, "127.0.0.1").Make(t.Context(), client.NewRun{})
	if err != nil {
		t.Fatal(err)
	}
	if u := made[0].URLs; !strings.HasSuffix(u.Proxy, "@"+public) || !strings.HasPrefix(u.Base, "http://"+public+"/run/") {
		t.Errorf("given out: %+v", *u)
	}
	for text, want := range map[string]string{
		"http://gw.internal:7070": "gw.internal:7070", "http://gw.internal/": "gw.internal:80", "http://[fd00::1]:7070": "[fd00::1]:7070",
		"gw.internal:7070": "", "https://gw.internal": "", "http://u:p@gw": "", "http://gw/x": "", "http://0.0.0.0:7070": "", "http://gw:0": "", "http://:70": "",
	} {
		if got, err := gateway.CheckPublic(text); got != want || (err == nil) != (want != "") {
			t.Errorf("--public-url %s is %q, %v; want %q", text, got, err, want)
		}
	}
}
