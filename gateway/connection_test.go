package gateway_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"parity/faults/trail"
	"parity/gateway/client"
	"parity/gateway/kept"
)

func refusing(how, trigger string) string {
	return quiet + "\nfaults:\n  it: {call: stripe *, inject: connect-refused, with: {how: " + how + "}, trigger: {" + trigger + "}}\n"
}

// The second connection is refused, and no other: in the way that was asked for
// where the way in has it, before anything is done.
func TestConnectionsAreRefused(t *testing.T) {
	t.Parallel()
	for turn, how := range []string{"refuse", "tls-cut", "wrong-name"} {
		for _, w := range sampled(t, ways(), turn) {
			t.Run(how+"/"+w.name, func(t *testing.T) {
				t.Parallel()
				h := open(t, refusing(how, "nth: 2")).contain()
				var got []error
				for i := range 3 {
					c := w.client(h)
					_, _, _, err := call(t, c, "POST", w.base(h)+"/v1/customers", fmt.Sprint("name=", i))
					if err == nil { // once more, on the connection that there is
						_, _, _, err = call(t, c, "GET", w.base(h)+"/v1/customers", "")
					}
					got = append(got, err)
				}
				handshake := strings.HasPrefix(w.name, "sni") || strings.HasPrefix(w.name, "proxy-h") || strings.HasPrefix(w.name, "address-h")
				fires := how == "refuse" || handshake
				if got[0] != nil || got[2] != nil || (got[1] != nil) != fires {
					t.Fatalf("the three ended with %v", got)
				}
				if fires {
					checkRefused(t, how, w, got[1])
				}
				events, _ := h.events()
				checkConnections(t, events, how, fires)
				var said bytes.Buffer
				if code, err := replayRun(t.Context(), &said, h.root, h.Run.ID, ""); code != 0 || err != nil {
					t.Errorf("replay: %d %v: %s", code, err, said.String())
				}
			})
		}
	}
}

// checkRefused looks at what a client says of a connection that was refused.
func checkRefused(t *testing.T, how string, w way, err error) {
	t.Helper()
	var name x509.HostnameError
	switch {
	case w.name == "base-h2" && errors.Is(err, io.ErrUnexpectedEOF):
		// The client was writing: the kernel tells that one of the reset, once.
	case how == "refuse" && !errors.Is(err, syscall.ECONNRESET):
		t.Errorf("%v; want ECONNRESET", err)
	case how == "tls-cut" && !errors.Is(err, io.EOF):
		t.Errorf("%v; want the end of the connection in its handshake", err)
	case how == "wrong-name" && !errors.As(err, &name):
		t.Errorf("%v; want a certificate for another name", err)
	}
}

// checkConnections looks at the record: three connections, and nothing done on
// the second one.
func checkConnections(t *testing.T, events []trail.Event, how string, fires bool) {
	t.Helper()
	var outcomes []string
	writes := 0
	for _, e := range events {
		x := e.Exchange
		switch {
		case e.Kind == trail.Reached:
			outcomes = append(outcomes, string(x.Outcome))
			if x.Service != "stripe" || len(x.Strikes) != 1 || x.Strikes[0].Index != uint64(len(outcomes)) {
				t.Errorf("recorded as %+v", x)
			}
		case x != nil && x.Outcome == trail.Denied:
			t.Errorf("a client that was refused is said to be %s", x.Note)
		case x != nil && x.Committed:
			writes++
		}
	}
	want, most := "[connected connected connected]", 3
	if fires {
		want, most = "[connected refused connected]", 2
	}
	if fmt.Sprint(outcomes) != want || writes != most {
		t.Errorf("connections %v, %d writes; want %s, %d", outcomes, writes, want, most)
	}
}

// A client that does not look at names gets through, and its calls are answered:
// that is what it risks.
func TestAWrongNameGetsThroughToWhoDoesNotLook(t *testing.T) {
	t.Parallel()
	h := open(t, refusing("wrong-name", "first: 1"))
	c := h.proxied(false)
	c.Transport.(*http.Transport).TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	must(t, c, "GET", "https://api.stripe.com/v1/customers", "")
	if list := exchanges(h); len(list) != 1 {
		t.Errorf("%d exchanges", len(list))
	}
}

// Plain HTTP inside of a CONNECT to a port where TLS was to come is reset.
func TestPlainRequestOnAConnectionWithoutItsHandshake(t *testing.T) {
	t.Parallel()
	h := open(t, refusing("tls-cut", "first: 1"))
	c, err := net.Dial("tcp", h.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "CONNECT api.stripe.com:443 HTTP/1.1\r\nHost: api.stripe.com:443\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	head := make([]byte, len("HTTP/1.1 200 Connection established\r\n\r\n"))
	if _, err := io.ReadFull(c, head); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, "GET /v1/customers HTTP/1.1\r\nHost: api.stripe.com\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(c); len(rest) > 0 || !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("%q, %v", rest, err)
	}
}

// Draws hit the connections of a run by its seed: the same of the same seed, so
// many of them as they should, all of them at 100 %.
func TestRefusedConnectionsAreDrawn(t *testing.T) {
	t.Parallel()
	draw := func(chance string) (hit string) {
		h := open(t, refusing("refuse", "chance: "+chance))
		for range 40 {
			c := h.direct(false, false)
			_, _, _, err := call(t, c, "GET", "http://"+h.Addr()+"/stripe/v1/customers", "")
			c.CloseIdleConnections()
			hit += map[bool]string{true: ".", false: "x"}[err == nil]
		}
		return hit
	}
	if half := draw("50%"); half != draw("50%") || strings.Count(half, "x") < 8 || strings.Count(half, "x") > 32 { // 5 in 10,000 fall outside
		t.Errorf("at 50%%: %s", half)
	}
	if all := draw("100%"); strings.Contains(all, ".") {
		t.Errorf("at 100%%: %s", all)
	}
}

// A rule that is armed while a run goes on refuses the connections from then on,
// on their own: no call meets it.
func TestArmedRuleRefusesConnections(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	target := "http://" + h.Addr() + "/stripe/v1/customers"
	old := h.direct(false, false)
	must(t, old, "GET", target, "")
	armed := client.NewArmed{Call: []string{"stripe *"}, Inject: "connect-refused", Trigger: map[string]any{"first": 1}, TTL: "10m"}
	if _, err := h.control().Arm(t.Context(), h.Run.ID, armed); err != nil {
		t.Fatal(err)
	}
	must(t, old, "GET", target, "") // it has its connection
	if _, _, _, err := call(t, h.direct(false, false), "GET", target, ""); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("%v; want ECONNRESET", err)
	}
	must(t, h.direct(false, false), "GET", target, "")
	for _, x := range exchanges(h) {
		if len(x.Strikes) > 0 {
			t.Errorf("a call met it: %+v", x.Strikes)
		}
	}
}

// What rules have counted of connections is folded from the record.
func TestFoldOfConnections(t *testing.T) {
	t.Parallel()
	h := open(t, refusing("refuse", "every: 3"))
	for range 7 {
		_, _, _, _ = call(t, h.proxied(false), "GET", "https://api.stripe.com/v1/customers", "")
	}
	_, _, tallies := h.Run.Hashes()
	events, _ := h.events()
	state := emptyState(t)
	for i := range events {
		if err := state.Fold(&events[i]); err != nil {
			t.Fatal(err)
		}
	}
	if state.Tallies.Hash() != tallies {
		t.Error("the tallies that are folded are others")
	}
	refused := 0
	for _, e := range events {
		if e.Kind == trail.Reached && e.Exchange.Outcome == trail.Refused {
			refused++
		}
	}
	if refused != 2 {
		t.Errorf("%d of 7 connections were refused; want 2", refused)
	}
}

// What is judged is how an agent comes back: at once and again is not how.
func TestReactionsToRefusedConnections(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		trigger string
		calls   int
		want    trail.Reaction
	}{
		"goes on":     {"first: 2", 3, trail.Handled},
		"hammers":     {"first: 8", 9, trail.Mishandled},
		"stays away":  {"first: 1", 1, trail.Unjudged}, // and says nothing of it
		"never stops": {"every: 1", 12, trail.Mishandled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, refusing("refuse", c.trigger))
			for range c.calls {
				_, _, _, _ = call(t, h.proxied(false), "GET", "https://api.stripe.com/v1/customers", "")
			}
			h.close()
			kept, err := kept.Read(h.root, h.Run.ID)
			if err != nil {
				t.Fatal(err)
			}
			rep := kept.Report()
			if v := rep.Verdicts[0]; v.Subject != "it" || v.Reaction != c.want || v.Scope.Fired == 0 {
				t.Errorf("%+v", v)
			}
			var trace bytes.Buffer
			if err := printTrace(&trace, h.root, h.Run.ID); err != nil || !strings.Contains(trace.String(), "connection refused, reset before any byte of an answer, it (connect-refused)") {
				t.Errorf("%v: %s", err, trace.String())
			}
		})
	}
}
