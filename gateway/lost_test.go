package gateway_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/exchange"
)

func lossy(reply string) string {
	return quiet + fmt.Sprintf(`
faults:
  lose:
    call: stripe POST /v1/payment_intents
    when: result.status == "succeeded"
    inject: ambiguous-success
    with: {reply: %q, for: 300ms}
    trigger: {nth: 1}
`, reply)
}

// The world has the charge and the client has the failure: for each reply that
// can be lost, on each way in, over both versions of HTTP.
func TestLostReplyLeavesTheChargeAndFailsTheClient(t *testing.T) {
	t.Parallel()
	for turn, reply := range []string{"reset", "hang", "cut-headers", "cut-body", "500", "502", "504", "html"} {
		for _, w := range sampled(t, ways(), turn) {
			t.Run(reply+"/"+w.name, func(t *testing.T) {
				t.Parallel()
				h := open(t, lossy(reply)).contain()
				c := w.client(h)
				status, _, _, err := call(t, c, "POST", w.base(h)+"/v1/payment_intents", payment)
				checkLost(t, reply, w, status, err)
				charges := must(t, c, "GET", w.base(h)+"/v1/charges", "")["data"].([]any)
				if len(charges) != 1 {
					t.Fatalf("%d charges in the world; want the one whose reply was lost", len(charges))
				}
				events, settlements := h.events()
				x := events[1].Exchange
				if !x.Committed || x.Whole || len(x.Strikes) != 1 || !x.Strikes[0].Fired {
					t.Errorf("recorded as committed %v, whole %v, strikes %+v", x.Committed, x.Whole, x.Strikes)
				}
				if _, ok := settlements[events[1].Seq]; !ok {
					t.Error("nothing says what really went out")
				}
			})
		}
	}
}

func checkLost(t *testing.T, reply string, w way, status int, err error) {
	t.Helper()
	switch reply {
	case "500", "502", "504", "html":
		want := map[string]int{"500": 500, "502": 502, "504": 504, "html": 502}[reply]
		if status != want {
			t.Fatalf("status %d, %v; want %d", status, err, want)
		}
		if page := err != nil && strings.Contains(err.Error(), "<html>"); page == (reply == "500") {
			t.Errorf("the body: %v", err)
		}
		return
	}
	if err == nil {
		t.Fatalf("the client got %d; want a failure", status)
	}
	if w.major == 1 && reply == "reset" && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the client got %v; want ECONNRESET", err)
	}
	if w.major == 1 && reply == "cut-body" && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the client got %v; want an unexpected EOF", err)
	}
}

// A client that sends the same key again gets the first result; one that sends
// none charges twice. Both are what the real service does.
func TestRetryAfterALostReply(t *testing.T) {
	t.Parallel()
	for key, charges := range map[string]int{"order-1": 1, "": 2} {
		t.Run("key "+key, func(t *testing.T) {
			t.Parallel()
			h := open(t, lossy("reset"))
			c := h.proxied(false)
			const target = "https://api.stripe.com/v1/payment_intents"
			if _, _, _, err := call(t, c, "POST", target, payment, "Idempotency-Key", key); err == nil {
				t.Fatal("the first reply was not lost")
			}
			status, _, header, err := call(t, c, "POST", target, payment, "Idempotency-Key", key)
			if err != nil || status != http.StatusOK {
				t.Fatalf("the retry: %d %v", status, err)
			}
			if replayed := header.Get("Idempotent-Replayed") == "true"; replayed != (key != "") {
				t.Errorf("Idempotent-Replayed %v for key %q", replayed, key)
			}
			got := must(t, c, "GET", "https://api.stripe.com/v1/charges", "")["data"].([]any)
			if len(got) != charges {
				t.Errorf("%d charges; want %d", len(got), charges)
			}
			events, _ := h.events()
			first, second := events[1].Exchange.Intent, events[2].Exchange.Intent
			if first.ID != second.ID || second.Attempt != 2 {
				t.Errorf("the retry is attempt %d of %s; want attempt 2 of %s", second.Attempt, second.ID, first.ID)
			}
		})
	}
}

// Two equal orders, each answered, are two intents.
func TestTwoEqualOrdersAreTwoIntents(t *testing.T) {
	t.Parallel()
	h := open(t, quiet)
	c := h.proxied(false)
	for range 2 {
		must(t, c, "POST", "https://api.stripe.com/v1/payment_intents", payment)
	}
	events, _ := h.events()
	first, second := events[1].Exchange.Intent, events[2].Exchange.Intent
	if first.Fingerprint != second.Fingerprint || first.ID == second.ID || second.Attempt != 1 || second.Occurrence != 2 {
		t.Errorf("intents %+v and %+v", first, second)
	}
}

// The service goes on with a call whose client has given up: the charge is made
// late, and a retry with the same key meanwhile meets it in flight.
func TestTimeoutThatCommitsLate(t *testing.T) {
	t.Parallel()
	h := open(t, quiet+`
faults:
  slow-work:
    call: stripe POST /v1/payment_intents
    inject: timeout
    with: {for: 400ms, commits: first}
    trigger: {nth: 1}
`)
	c := h.proxied(false)
	const target = "https://api.stripe.com/v1/payment_intents"
	first := make(chan error, 1)
	go func() {
		_, _, _, err := call(t, c, "POST", target, payment, "Idempotency-Key", "k")
		first <- err
	}()
	waitFor(t, "the reservation", func() bool { return h.Run.Seq() >= 2 })
	status, body, _, err := call(t, c, "POST", target, payment, "Idempotency-Key", "k")
	if err != nil || status != http.StatusConflict {
		t.Fatalf("the retry in flight: %d %v %v; want 409", status, body, err)
	}
	if err := <-first; err == nil {
		t.Fatal("the held call was answered")
	}
	waitFor(t, "the late charge", func() bool { return h.Run.World().Len("stripe.charges") == 1 })
	status, _, header, err := call(t, c, "POST", target, payment, "Idempotency-Key", "k")
	if err != nil || status != http.StatusOK || header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the retry afterwards: %d %v, replayed %q", status, err, header.Get("Idempotent-Replayed"))
	}
	events, _ := h.events()
	kinds := map[trail.Kind]int{}
	for _, e := range events {
		kinds[e.Kind]++
	}
	if kinds[trail.Reserved] != 1 || kinds[trail.Exchanged] != 3 {
		t.Errorf("events by kind: %v", kinds)
	}
}

// A call that breaks after it has waited gives its idempotency key back.
func TestPanicAfterAWaitReleasesTheKey(t *testing.T) {
	t.Parallel()
	var armed atomic.Bool
	h := open(t, quiet+`
faults:
  slow-work: {call: stripe.PostPaymentIntents, inject: timeout, with: {for: 50ms, commits: first}, trigger: {nth: 1}}
`, func(s *gateway.Settings) {
		s.Before = func(at exchange.Step) {
			if at == exchange.Act && armed.CompareAndSwap(true, false) {
				panic("planted")
			}
		}
	})
	c := h.proxied(false)
	const target = "https://api.stripe.com/v1/payment_intents"
	armed.Store(true)
	if status, _, _, err := call(t, c, "POST", target, payment, "Idempotency-Key", "k"); err != nil || status != http.StatusInternalServerError {
		t.Fatalf("the call that broke: %d %v", status, err)
	}
	if status, body, _, err := call(t, c, "POST", target, payment, "Idempotency-Key", "k"); err != nil || status != http.StatusOK {
		t.Errorf("the same key again: %d %v %v", status, body, err)
	}
}

// A gateway that closes over a held call ends it, and its work is not done.
func TestCloseEndsAHeldCallWithoutItsWork(t *testing.T) {
	t.Parallel()
	h := open(t, quiet+`
faults:
  slow-work: {call: stripe.PostPaymentIntents, inject: timeout, with: {for: 10m, commits: first}}
`)
	c := h.proxied(false)
	ended := make(chan error, 1)
	go func() {
		_, _, _, err := call(t, c, "POST", "https://api.stripe.com/v1/payment_intents", payment, "Idempotency-Key", "k")
		ended <- err
	}()
	waitFor(t, "the reservation", func() bool { return h.Run.Seq() >= 2 })
	h.close()
	if err := <-ended; err == nil {
		t.Error("the held call was answered")
	}
	if n := h.Run.World().Len("stripe.charges"); n != 0 {
		t.Errorf("%d charges", n)
	}
}

// A call that the service refused was once the one whose reply was lost, so that
// the rule had fired and nothing was there to be found.
func TestOnlyASuccessIsLost(t *testing.T) {
	t.Parallel()
	h := open(t, rule("    call: stripe POST /v1/refunds\n    inject: ambiguous-success\n    with: {reply: reset}\n    trigger: {nth: 1}\n"))
	c := h.proxied(false)
	const api = "https://api.stripe.com/v1/"
	charge := must(t, c, "POST", api+"payment_intents", payment)["latest_charge"].(string)
	if status, _, _, err := call(t, c, "POST", api+"refunds", "charge=ch_none"); err != nil || status != http.StatusNotFound {
		t.Errorf("a refund of no charge: %d %v, want 404", status, err)
	}
	if _, _, _, err := call(t, c, "POST", api+"refunds", "charge="+charge); err == nil {
		t.Error("the refund's reply was not lost")
	}
}
