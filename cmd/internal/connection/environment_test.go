package connection

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"parity/cmd/internal/gatewaytest"
	"parity/gateway"
	"parity/gateway/client"
)

// chosen is a control token that somebody chose.
const chosen = "0123456789abcdefghij0123"

// openToAll opens a gateway that listens at every address.
func openToAll(t *testing.T) *gatewaytest.Gateway {
	t.Helper()
	return gatewaytest.Open(t, gatewaytest.Quiet, func(s *gateway.Settings) {
		s.Profile, s.Data, s.Control, s.Token, s.Shared = "", "0.0.0.0:0", "0.0.0.0:0", chosen, true
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

func clientAt(t *testing.T, h *gatewaytest.Gateway, host string) *client.Client {
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

// What `parity env --gateway` prints for an agent captures it from where it is.
func TestAnAgentElsewhereHasNoEnvironment(t *testing.T) {
	t.Parallel()
	h, host := openToAll(t), otherHost(t)
	c := clientAt(t, h, host)
	if _, err := c.Make(t.Context(), client.NewRun{Names: []string{"far"}}); err != nil {
		t.Fatal(err)
	}
	s := gateway.Settings{Root: filepath.Join(t.TempDir(), ".parity"), Token: chosen, Getenv: func(string) string { return "" }}
	vars := func(run string) (env map[string]string) {
		var out bytes.Buffer
		if err := PrintEnvironment(t.Context(), &out, s, c.URL(), run, "json"); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out.Bytes(), &env); err != nil {
			t.Fatal(err)
		}
		return env
	}
	env := vars("far")
	if env["PARITY_RUN"] != "far" || env["PARITY_CONTROL_URL"] != c.URL() || !strings.HasPrefix(env["SSL_CERT_FILE"], s.Root) {
		t.Errorf("the variables are %v", env)
	}
	proxy, err := url.Parse(env["HTTPS_PROXY"])
	if err != nil || proxy.Hostname() != host {
		t.Errorf("the proxy is %s: %v", env["HTTPS_PROXY"], err)
	}
	if first := vars("")["PARITY_RUN"]; first != h.Run.ID {
		t.Errorf("without a run it is %s, not the gateway's first, %s", first, h.Run.ID)
	}
	if _, err := c.End(t.Context(), "far", nil); err != nil {
		t.Fatal(err)
	}
	if err := PrintEnvironment(t.Context(), io.Discard, s, c.URL(), "far", "json"); err == nil || !strings.Contains(err.Error(), "ended") {
		t.Errorf("of an ended run: %v", err)
	}
}

func TestHealthIsNotToldWithoutAToken(t *testing.T) {
	t.Parallel()
	h := openToAll(t)
	at := "http://127.0.0.1:" + portOf(t, h.Control())
	told := func(url string) (string, error) {
		var out bytes.Buffer
		err := Health(context.Background(), &out, t.TempDir(), url)
		return out.String(), err
	}
	if said, err := told(at); err != nil || said != "ready: "+at+"\n" {
		t.Errorf("a gateway that is up: %q, %v", said, err)
	}
	for _, url := range []string{"", "http://127.0.0.1:1", "http://127.0.0.1:" + portOf(t, h.Addr()), "nonsense"} {
		if said, err := told(url); err == nil || !strings.HasPrefix(said, "not ready: ") || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: %q, %v", url, said, err)
		}
	}
}
