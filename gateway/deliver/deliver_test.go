package deliver_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parity/gateway/deliver"
)

func TestSend(t *testing.T) {
	t.Parallel()
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/hook":
			if r.Method != http.MethodPost || r.Header.Get("X-Signature") != "abc" {
				t.Errorf("%s %v", r.Method, r.Header)
			}
			w.WriteHeader(http.StatusAccepted)
		case "/moved":
			http.Redirect(w, r, "/hook", http.StatusFound)
		case "/slow":
			_, _ = io.Copy(io.Discard, r.Body) // a server sees that its client left only once it has read the body
			<-r.Context().Done()
		}
	}))
	t.Cleanup(endpoint.Close)
	s := deliver.New(deliver.Options{
		Dial:    new(net.Dialer).DialContext,
		Allow:   func(host string, port int) (bool, string) { return false, host + " is not listed" },
		Own:     func(port int) bool { return port == 9 },
		Timeout: time.Second,
	})
	for _, c := range []struct {
		target, want string
		status       int
	}{
		{endpoint.URL + "/hook", "", 202},
		{endpoint.URL + "/moved", "", 302},
		{endpoint.URL + "/slow", "no answer within", 0},
		{"http://hooks.example.com/a", "hooks.example.com is not listed", 0},
		{"file:///etc/passwd", "no address", 0},
		{"http://127.0.0.1:1/", "refused", 0},
		{"http://localhost:9/stripe/v1/customers", "this gateway itself", 0},
	} {
		status, err := s.Send(context.Background(), "", c.target, http.Header{"X-Signature": {"abc"}}, []byte("{}"))
		if status != c.status || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %d, %v; want %d, %q", c.target, status, err, c.status, c.want)
		}
	}
}

func TestLocal(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"localhost": true, "127.0.0.1": true, "127.8.9.1": true, "::1": true, "::ffff:127.0.0.1": true,
		"localhost.example.com": false, "10.0.0.1": false, "2130706433": false, "": false,
	} {
		if deliver.Local(host) != want {
			t.Errorf("%q: not %t", host, want)
		}
	}
}

// A gateway that others can reach let their webhooks call what listens on its own
// machine.
func TestThisMachineIsNotTheAgentsWhereOthersReachTheGateway(t *testing.T) {
	t.Parallel()
	asked := 0
	endpoint := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	t.Cleanup(endpoint.Close)
	s := deliver.New(deliver.Options{
		Dial: new(net.Dialer).DialContext, Far: true,
		Allow: func(host string, port int) (bool, string) { return false, host + " is not listed" },
	})
	if _, err := s.Send(t.Context(), "", endpoint.URL, nil, nil); err == nil || !strings.Contains(err.Error(), "is not listed") || asked > 0 {
		t.Errorf("%v, asked %d times", err, asked)
	}
}
