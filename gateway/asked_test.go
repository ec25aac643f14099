package gateway_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
)

// askedOf is a profile in which a person is asked about each refund.
const askedOf = `
profile: asked-of
seed: 7
services: {stripe: {}}
clock: {mode: stepped}
policy:
  gates:
    refunds: {call: stripe POST /v1/refunds, then: approve, because: A refund cannot be taken back.}
  approvals: {answer: wait, wait: 60s}
  approvers:
    ada: {person: true}
`

// chargedOf makes a charge, and gives its id.
func chargedOf(t *testing.T, c *http.Client) string {
	t.Helper()
	_, made, _, err := call(t, c, "POST", "https://api.stripe.com/v1/payment_intents", payment)
	charge, ok := made["latest_charge"].(string)
	if err != nil || !ok {
		t.Fatalf("%v %v", made, err)
	}
	return charge
}

// pending waits until somebody is asked, and gives what about.
func (h *harness) pending() client.Approval {
	h.t.Helper()
	for {
		changed := h.Run.Changed(h.Run.Seq())
		list, err := h.control().Approvals(h.t.Context(), h.Run.ID, "pending")
		if err != nil {
			h.t.Fatal(err)
		}
		if len(list) > 0 {
			return list[0]
		}
		select {
		case <-changed:
		case <-h.t.Context().Done():
			h.t.Fatal("nobody was asked")
		}
	}
}

// A client that gives up on a call that waits for a person leaves what was asked,
// and nothing else: no refund, nobody who waits, and an approval that is good for
// the next call.
func TestAClientThatLeavesLeavesItsApprovalPending(t *testing.T) {
	t.Parallel()
	h := open(t, askedOf, func(s *gateway.Settings) { s.Token = controlToken })
	c := h.proxied(false)
	charge := chargedOf(t, c)
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://api.stripe.com/v1/refunds", strings.NewReader(url.Values{"charge": {charge}}.Encode()))
		if err == nil {
			r.Header.Set("Authorization", "Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc")
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			_, err = c.Do(r) //nolint:bodyclose // there is none: the call is given up
		}
		left <- err
	}()
	asked := h.pending()
	changed := h.Run.Changed(h.Run.Seq())
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Fatalf("the call ended by itself: %v", err)
	}
	select {
	case <-changed: // the call's second half
	case <-time.After(20 * time.Second):
		t.Error("the gateway waits on for who has left")
	}
	if again := h.pending(); again.ID != asked.ID || again.State != "pending" {
		t.Errorf("%s is %s, want %s pending", again.ID, again.State, asked.ID)
	}
	if _, refunds, _, err := call(t, c, "GET", "https://api.stripe.com/v1/refunds", ""); err != nil || len(refunds["data"].([]any)) != 0 {
		t.Errorf("there are refunds: %v %v", refunds, err)
	}
	if _, err := h.control().Decide(t.Context(), h.Run.ID, asked.ID, client.Decision{Decision: "approve", By: "ada", Digest: asked.Digest}); err != nil {
		t.Fatal(err)
	}
	if status, body, header, err := call(t, c, "POST", "https://api.stripe.com/v1/refunds", url.Values{"charge": {charge}}.Encode()); err != nil || status != 200 || header.Get("Parity-Approval") != asked.ID+"; state=used" {
		t.Errorf("the same call, approved: %d %v %v %v", status, body, header, err)
	}
	held := 0
	events, _ := h.events()
	for i := range events {
		if x := events[i].Exchange; x != nil && x.Policy != nil && x.Policy.Waited {
			if held++; x.Outcome != trail.Held || x.Committed {
				t.Errorf("what was given up ended as %s, committed: %t", x.Outcome, x.Committed)
			}
		}
	}
	if held != 1 {
		t.Errorf("%d calls waited, want 1", held)
	}
}

// A person's yes ends the wait of the call that waits for it, which is done then.
func TestAPersonsYesEndsTheWait(t *testing.T) {
	t.Parallel()
	h := open(t, askedOf, func(s *gateway.Settings) { s.Token = controlToken })
	c := h.proxied(false)
	charge := chargedOf(t, c)
	type answer struct {
		status int
		body   map[string]any
		err    error
	}
	came := make(chan answer, 1)
	go func() {
		status, body, _, err := call(t, c, "POST", "https://api.stripe.com/v1/refunds", url.Values{"charge": {charge}}.Encode())
		came <- answer{status, body, err}
	}()
	asked := h.pending()
	moved := asked.Digest + "0"
	var refused *client.Error
	if _, err := h.control().Decide(t.Context(), h.Run.ID, asked.ID, client.Decision{Decision: "approve", By: "ada", Digest: moved}); !errors.As(err, &refused) || refused.Status != http.StatusConflict {
		t.Errorf("who saw something else decides: %v", err)
	}
	if _, err := h.control().Decide(t.Context(), h.Run.ID, asked.ID, client.Decision{Decision: "approve", By: "ada", Digest: asked.Digest}); err != nil {
		t.Fatal(err)
	}
	select {
	case a := <-came:
		if a.err != nil || a.status != 200 || a.body["charge"] != charge {
			t.Errorf("%d %v %v", a.status, a.body, a.err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it waits on")
	}
	if _, err := h.control().Decide(t.Context(), h.Run.ID, asked.ID, client.Decision{Decision: "reject", By: "ada", Digest: asked.Digest}); !errors.As(err, &refused) || refused.Status != http.StatusConflict {
		t.Errorf("what was decided is decided again: %v", err)
	}
}
