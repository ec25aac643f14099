package gateway_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"parity/faults/trail"
)

func rule(text string) string {
	return quiet + "\nfaults:\n  it:\n" + text
}

// An error happens before anything has: it is worded as the service words it,
// and the world stays as it was.
func TestErrorChangesNothing(t *testing.T) {
	t.Parallel()
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			h := open(t, rule(`    call: stripe.PostCustomers
    inject: error
    with: {status: 503, code: lock_timeout, message: Busy., retry_after: 2s}
    trigger: {nth: 1}
`)).contain()
			c := w.client(h)
			status, body, header, err := call(t, c, "POST", w.base(h)+"/v1/customers", "name=Ada")
			if err != nil || status != 503 || header.Get("Retry-After") != "2" {
				t.Fatalf("%d, Retry-After %q, %v; want 503 and 2", status, header.Get("Retry-After"), err)
			}
			said, _ := body["error"].(map[string]any)
			if said["code"] != "lock_timeout" || said["message"] != "Busy." {
				t.Errorf("the error: %v; want lock_timeout, Busy.", said)
			}
			if n := h.Run.World().Len("stripe.customers"); n != 0 {
				t.Errorf("%d customers in the world; want none", n)
			}
			must(t, c, "POST", w.base(h)+"/v1/customers", "name=Ada")
		})
	}
}

// A page from the edge is no dialect of the service.
func TestErrorAsAPageFromTheEdge(t *testing.T) {
	t.Parallel()
	h := open(t, rule("    call: stripe GET *\n    inject: error\n    with: {status: 502, html: true}\n"))
	status, _, header, err := call(t, h.proxied(false), "GET", "https://api.stripe.com/v1/charges", "")
	if status != 502 || header.Get("Content-Type") != "text/html" || err == nil || !strings.Contains(err.Error(), "<html>") {
		t.Errorf("%d %q %v; want 502 and a page of text/html", status, header.Get("Content-Type"), err)
	}
}

// A limit lets its calls through, refuses the next with when to come back, and
// keeps its bucket shut until then, for the identity that met it alone.
func TestRateLimitShutsTheBucketUntilItSaid(t *testing.T) {
	t.Parallel()
	h := open(t, strings.Replace(rule(`    call: stripe GET *
    inject: rate-limit
    with: {limit: 3, window: 1h, retry_after: 30m}
`), "{mode: stepped}", "{mode: stepped, step: 1m}", 1))
	c := h.proxied(false)
	get := func(key string) (int, string) {
		t.Helper()
		status, _, header, err := call(t, c, "GET", "https://api.stripe.com/v1/charges", "", "Authorization", "Bearer sk_test_"+key)
		if err != nil {
			t.Fatal(err)
		}
		return status, header.Get("Retry-After")
	}
	const one, two = "4eC39HqLyjWDarjtT1zdp7dc", "9xY39HqLyjWDarjtT1zdp7zz"
	for i := range 3 {
		if status, _ := get(one); status != 200 {
			t.Fatalf("call %d: %d", i+1, status)
		}
	}
	if status, after := get(one); status != 429 || after != "1800" {
		t.Fatalf("call 4: %d, Retry-After %q; want 429 and 1800", status, after)
	}
	if status, after := get(one); status != 429 || after != "1740" {
		t.Errorf("a minute later: %d, Retry-After %q; want 429 and 1740", status, after)
	}
	if status, _ := get(two); status != 200 {
		t.Errorf("another key: %d; want 200", status)
	}
}

// A cut body has the length that was asked for: the wrong one breaks the
// transport, the right one only the reader.
func TestTruncatedBody(t *testing.T) {
	t.Parallel()
	for turn, length := range []string{"wrong", "right"} {
		for _, w := range sampled(t, ways(), turn) {
			t.Run(length+"/"+w.name, func(t *testing.T) {
				t.Parallel()
				h := open(t, rule("    call: stripe.GetCharges\n    inject: truncated-body\n    with: {at: 10B, length: "+length+"}\n")).contain()
				status, _, _, err := call(t, w.client(h), "GET", w.base(h)+"/v1/charges", "")
				broken := err != nil && (errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), "INTERNAL_ERROR"))
				if length == "wrong" && !broken || length == "right" && (broken || err == nil || !strings.Contains(err.Error(), "unexpected end of JSON")) {
					t.Errorf("%d %v; want a body of the %s length that ends early", status, err, length)
				}
				if x := exchanges(h)[0]; x.Whole || x.Wire.Cut != 10 {
					t.Errorf("recorded as whole %v, wire %+v; want a cut after 10 bytes", x.Whole, x.Wire)
				}
			})
		}
	}
}

// exchanges closes the gateway and gives what it recorded.
func exchanges(h *harness) []*trail.Exchange {
	h.t.Helper()
	events, _ := h.events()
	var list []*trail.Exchange
	for _, e := range events {
		if e.Kind == trail.Exchanged {
			list = append(list, e.Exchange)
		}
	}
	return list
}

// A late answer is late, and is not lost: the charge is there once, and a
// second call with the same intent meanwhile is an attempt of the first.
func TestLatencyIsWaitedOut(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"head", "body"} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			h := open(t, rule("    call: stripe.PostPaymentIntents\n    inject: latency\n    with: {fixed: 300ms, part: "+part+"}\n    trigger: {nth: 1}\n"))
			c := h.proxied(false)
			began := time.Now()
			must(t, c, "POST", "https://api.stripe.com/v1/payment_intents", payment)
			if took := time.Since(began); took < 300*time.Millisecond {
				t.Errorf("answered after %v, before its time", took)
			}
			events, settlements := h.events()
			s := settlements[events[1].Seq]
			if s.Took < 300*time.Millisecond || s.Spent >= s.Took {
				t.Errorf("settled as took %v, spent %v: the wait is no work of ours", s.Took, s.Spent)
			}
		})
	}
}

// A delay begins when the request is there, however long its client took to send
// it.
func TestLatencyBeginsWithTheWholeRequest(t *testing.T) {
	t.Parallel()
	h := open(t, rule("    call: stripe.PostCustomers\n    inject: latency\n    with: {fixed: 200ms}\n"))
	c, err := net.Dial("tcp", h.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	head := "POST /stripe/v1/customers HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc\r\n" +
		"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 8\r\n\r\nname"
	if _, err := io.WriteString(c, head); err != nil {
		t.Fatal(err)
	}
	time.Sleep(250 * time.Millisecond) // longer than the delay
	sent := time.Now()
	if _, err := io.WriteString(c, "=Ada"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, make([]byte, len("HTTP/1.1 200"))); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(sent); took < 200*time.Millisecond {
		t.Errorf("answered %v after its last byte, want 200ms at least", took)
	}
}

// giveUp posts a payment that is not answered for long, and leaves as soon as
// the gateway has taken it in: a client with a time limit of its own may leave
// before that on a busy machine.
func (h *harness) giveUp(c *http.Client, target string, header ...string) {
	h.t.Helper()
	ctx, leave := context.WithCancel(h.t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, target, strings.NewReader(payment))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	before := len(h.eventsOf(h.Run.ID))
	left := make(chan error, 1)
	go func() {
		reply, err := c.Do(r)
		if err == nil {
			err = errors.Join(errors.New("answered"), reply.Body.Close())
		}
		left <- err
	}()
	for len(h.eventsOf(h.Run.ID)) == before {
		select {
		case err := <-left:
			h.t.Fatalf("left before it was taken in: %v", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		h.t.Fatalf("left with %v", err)
	}
}

// A client that gives up on a slow answer and calls again has one intent, not
// two: it never saw its success.
func TestGivingUpOnALateAnswerIsOneIntent(t *testing.T) {
	t.Parallel()
	h := open(t, rule("    call: stripe.PostPaymentIntents\n    inject: latency\n    with: {fixed: 30s}\n    trigger: {nth: 1}\n"))
	c := h.proxied(false)
	h.giveUp(c, "https://api.stripe.com/v1/payment_intents")
	must(t, c, "POST", "https://api.stripe.com/v1/payment_intents", payment)
	list := exchanges(h)
	if first, second := list[0].Intent, list[1].Intent; first.ID != second.ID || second.Attempt != 2 {
		t.Errorf("intents %+v and %+v; want two attempts of one", first, second)
	}
}

// Rules count apart for each value of per, which follows ids to other records.
func TestTriggerCountsPerReferredCustomer(t *testing.T) {
	t.Parallel()
	h := open(t, rule(`    call: stripe POST /v1/refunds
    when: result.amount > 10
    inject: ambiguous-success
    with: {reply: "500"}
    trigger: {nth: 2, per: result.charge.customer, tries: 3}
`))
	c := h.proxied(false)
	const api = "https://api.stripe.com/v1/"
	charge := func() string {
		customer := must(t, c, "POST", api+"customers", "name=Ada")["id"].(string)
		return must(t, c, "POST", api+"payment_intents", payment+"&customer="+customer)["latest_charge"].(string)
	}
	a, b := charge(), charge()
	var got strings.Builder
	for i, target := range []string{a, b, a, a, b, a} {
		status, _, _, err := call(t, c, "POST", api+"refunds", fmt.Sprintf("charge=%s&amount=%d", target, 100+i))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(&got, status, " ")
	}
	if want := "200 200 500 200 500 200 "; got.String() != want {
		t.Errorf("statuses %s; want %s", got.String(), want)
	}
}

// Attempts of one intent are hit as often as tries says, whatever their keys.
func TestTriesHitsAttemptsOfOneIntent(t *testing.T) {
	t.Parallel()
	h := open(t, rule("    call: stripe.PostCustomers\n    inject: error\n    trigger: {nth: 1, tries: 2}\n"))
	c := h.proxied(false)
	var got strings.Builder
	for i := range 4 {
		status, _, _, err := call(t, c, "POST", "https://api.stripe.com/v1/customers", "name=Ada", "Idempotency-Key", fmt.Sprint("k", i))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(&got, status, " ")
	}
	if got.String() != "500 500 200 200 " {
		t.Errorf("statuses %s; want 500 500 200 200", got.String())
	}
}

// Of two rules that decide the outcome the first in the file wins; those that
// alter delay compose with it.
func TestRulesComposeInFileOrder(t *testing.T) {
	t.Parallel()
	h := open(t, quiet+`
faults:
  slow: {call: "*", inject: latency, with: {fixed: 50ms}}
  first: {call: stripe.GetCharges, inject: error, with: {status: 503}}
  second: {call: stripe.GetCharges, when: result.object == "list", inject: error, with: {status: 500}}
`)
	status, _, _, err := call(t, h.proxied(false), "GET", "https://api.stripe.com/v1/charges", "")
	if err != nil || status != http.StatusServiceUnavailable {
		t.Errorf("%d %v; want 503", status, err)
	}
	x := exchanges(h)[0]
	if len(x.Strikes) != 3 || !x.Strikes[0].Fired || !x.Strikes[1].Fired || x.Strikes[2].Fired || !x.Strikes[2].Outranked {
		t.Errorf("strikes %+v; want slow and first fired, second outranked", x.Strikes)
	}
	if x.Wire.Delay != 50*time.Millisecond {
		t.Errorf("delay %v, want 50ms", x.Wire.Delay)
	}
}

// A condition that cannot be evaluated does not fire, and is known to be such.
func TestConditionThatCannotBeEvaluatedDoesNotFire(t *testing.T) {
	t.Parallel()
	h := open(t, rule("    call: stripe.PostCustomers\n    when: request.body.balance > 10\n    inject: error\n"))
	must(t, h.proxied(false), "POST", "https://api.stripe.com/v1/customers", "name=Ada")
	s := exchanges(h)[0].Strikes
	if len(s) != 1 || s[0].Fired || !s[0].Unknown || !strings.Contains(s[0].Why, "balance") {
		t.Errorf("strikes %+v; want one that is unknown because of balance", s)
	}
}

// A rule that asks for the result and then keeps the fake from being asked
// leaves nothing of the answer that was tried.
func TestErrorOnAConditionOverTheResultIsBeforeTheFact(t *testing.T) {
	t.Parallel()
	h := open(t, rule("    call: stripe.PostCustomers\n    when: result.name == \"Ada\"\n    inject: error\n"))
	c := h.proxied(false)
	if status, _, _, err := call(t, c, "POST", "https://api.stripe.com/v1/customers", "name=Ada", "Idempotency-Key", "k"); err != nil || status != 500 {
		t.Fatalf("%d %v", status, err)
	}
	must(t, c, "POST", "https://api.stripe.com/v1/customers", "name=Eve", "Idempotency-Key", "k")
	if x := exchanges(h)[0]; x.Committed || x.FakeStatus != 0 || len(x.FakeBody) != 0 {
		t.Errorf("recorded as committed %v, the fake having said %d %s", x.Committed, x.FakeStatus, x.FakeBody)
	}
}

// One lost reply does not merge the orders that come after it: a retry that got
// its answer settles the intent.
func TestOrderAfterASettledLossIsAnIntentOfItsOwn(t *testing.T) {
	t.Parallel()
	h := open(t, rule("    call: stripe.PostPaymentIntents\n    inject: latency\n    with: {fixed: 30s}\n    trigger: {nth: 1}\n"))
	c := h.proxied(false)
	const target = "https://api.stripe.com/v1/payment_intents"
	h.giveUp(c, target, "Idempotency-Key", "a")
	must(t, c, "POST", target, payment, "Idempotency-Key", "a")
	must(t, c, "POST", target, payment, "Idempotency-Key", "b")
	list := exchanges(h)
	if retry, next := list[1].Intent, list[2].Intent; retry.Attempt != 2 || next.ID == retry.ID || next.Attempt != 1 {
		t.Errorf("intents %+v and %+v; want attempt 2, and the first of another", retry, next)
	}
}

// A HEAD that met the rule was once recorded as cut, though nothing of it was.
func TestThereIsNothingToCutInAHead(t *testing.T) {
	t.Parallel()
	h := open(t, rule("    call: stripe GET *\n    inject: truncated-body\n    with: {at: 10B}\n"))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, "https://api.stripe.com/v1/charges", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc")
	reply, err := h.proxied(false).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = reply.Body.Close()
	x := exchanges(h)[0]
	if x.Method != http.MethodHead || x.Wire.Short || len(x.Strikes) != 1 || x.Strikes[0].Fired {
		t.Errorf("%s %d: wire %+v, strikes %+v; want a HEAD that nothing was cut of", x.Method, x.Status, x.Wire, x.Strikes)
	}
}
