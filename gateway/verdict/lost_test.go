package verdict

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/faults/trail"
)

const (
	refunds   = "POST /v1/refunds"
	charge    = "GET /v1/charges/{charge}"
	loseRule  = "lose-a-big-refund"
	ambiguous = "ambiguous-success"
)

// lose is a refund that went through and whose reply was reset.
func (t *tape) lose(key string) *shot {
	return t.call(refunds, "r.1").key(key).refund("re_00000001").strike(loseRule, ambiguous).reset()
}

func TestLost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		play     func(*tape)
		reaction trail.Reaction
		lines    []string
		mend     string
		why      string
	}{
		{
			name: "sent again with a new key",
			play: func(t *tape) {
				t.lose("k1").put()
				t.call(refunds, "r.1").key("k2").refund("re_00000002").put()
			},
			reaction: trail.Mishandled,
			lines:    []string{"#1 refunded, reply lost   #2 sent again with a new key: 2 refunds, 240.00 USD"},
			mend:     "keep the Idempotency-Key of the first attempt, or read the charge first",
		},
		{
			name: "sent again without a key",
			play: func(t *tape) {
				t.lose("").put()
				t.call(refunds, "r.1").refund("re_00000002").put()
			},
			reaction: trail.Mishandled,
			lines:    []string{"#1 refunded, reply lost   #2 sent again without a key: 2 refunds, 240.00 USD"},
			mend:     "send an Idempotency-Key and keep it for the retry, or read the charge first",
		},
		{
			name: "sent again blindly, and the service took it for the same",
			play: func(t *tape) {
				t.lose("k1").put()
				t.call(refunds, "r.1").key("k2").status(400).put()
			},
			reaction: trail.Mishandled,
			lines:    []string{"#1 refunded, reply lost   #2 sent again with a new key, answered 400: 1 refund, 120.00 USD"},
			mend:     "keep the Idempotency-Key of the first attempt, or read the charge first",
		},
		{
			name: "the same key",
			play: func(t *tape) {
				t.lose("k1").put()
				s := t.call(refunds, "r.1").key("k1")
				s.x.Replayed = true
				s.put()
			},
			reaction: trail.Handled,
			lines:    []string{"#1 refunded, reply lost   #2 sent again with the same key: 1 refund, 120.00 USD"},
		},
		{
			name: "the SDK's own retry",
			play: func(t *tape) {
				t.lose("stripe-node-retry-1").put()
				s := t.call(refunds, "r.1").key("stripe-node-retry-1")
				s.x.Intent.Attempt, s.x.Replayed = 2, true
				s.put()
			},
			reaction: trail.Handled,
			lines:    []string{"#1 refunded, reply lost   #2 sent again with the same key: 1 refund, 120.00 USD"},
			why:      "the SDK's own retry hid it from the agent; trigger: {tries: 3} reaches past it",
		},
		{
			name: "looked, saw it, did nothing",
			play: func(t *tape) {
				t.lose("").put()
				t.call(charge, "g.1").path("/v1/charges/ch_00000001").replies(`{"id":"ch_00000001","amount_refunded":12000}`).put()
			},
			reaction: trail.Handled,
			lines:    []string{"#1 refunded, reply lost   #2 looked: it was there   not sent again"},
		},
		{
			name: "looked in the list of what was made",
			play: func(t *tape) {
				t.lose("").put()
				t.call("GET /v1/refunds", "g.1").replies(`{"data":[{"id":"re_00000001"}]}`).put()
			},
			reaction: trail.Handled,
			lines:    []string{"#1 refunded, reply lost   #2 looked: it was there   not sent again"},
		},
		{
			name: "looked in the log of events",
			play: func(t *tape) {
				t.lose("").makesLog().put()
				t.call("GET /v1/events", "g.1").replies(`{"data":[{"id":"evt_1","data":{"object":{"id":"re_00000001"}}}]}`).put()
			},
			reaction: trail.Handled,
			lines:    []string{"#1 refunded, reply lost   #2 looked: it was there   not sent again"},
		},
		{
			name: "looked, saw it, sent an equal one",
			play: func(t *tape) {
				t.lose("k1").put()
				t.call("GET /v1/refunds", "g.1").replies(`{"data":[{"id":"re_00000001"}]}`).put()
				t.call(refunds, "r.1").key("k2").refund("re_00000002").put()
			},
			reaction: trail.Unjudged,
			lines:    []string{"#1 refunded, reply lost   #2 looked, and it was there   #3 sent again with a new key: 2 refunds, 240.00 USD"},
			why:      "the agent had seen that #1 went through before it sent #3: that may be another order, or the same once more, and the wire does not show which",
		},
		{
			name: "looked, saw it, sent an equal one, and that one blindly again",
			play: func(t *tape) {
				t.lose("k1").put()
				t.call("GET /v1/refunds", "g.1").replies(`{"data":[{"id":"re_00000001"}]}`).put()
				t.call(refunds, "r.1").key("k2").refund("re_00000002").reset().put()
				t.call(refunds, "r.1").key("k3").refund("re_00000003").put()
			},
			reaction: trail.Mishandled,
			lines: []string{"#1 refunded, reply lost   #2 looked, and it was there   " +
				"#3 sent again with a new key, reply lost: 2 refunds, 240.00 USD   #4 sent again with a new key: 3 refunds, 360.00 USD"},
			mend: "keep the Idempotency-Key of the first attempt, or read the charge first",
		},
		{
			name: "looked, saw it, made another in other words",
			play: func(t *tape) {
				t.lose("k1").put()
				t.call("GET /v1/refunds", "g.1").replies(`{"data":[{"id":"re_00000001"}]}`).put()
				other := t.call(refunds, "s.1").key("k2").refund("re_00000002")
				other.x.Intent.Fingerprint = "s"
				other.put()
			},
			reaction: trail.Handled,
			lines:    []string{"#1 refunded, reply lost   #2 looked: it was there   not sent again"},
		},
		{
			name: "the second effect came with the third attempt",
			play: func(t *tape) {
				t.lose("k1").put()
				t.call(refunds, "r.1").key("k2").status(503).put()
				t.call(refunds, "r.1").key("k3").refund("re_00000002").put()
				t.call(refunds, "r.1").key("k3").put()
			},
			reaction: trail.Mishandled,
			lines: []string{"#1 refunded, reply lost   #2 sent again with a new key, answered 503   " +
				"#3 sent again with a new key: 2 refunds, 240.00 USD"},
			mend: "keep the Idempotency-Key of the first attempt, or read the charge first",
		},
		{
			name: "looked where it does not show",
			play: func(t *tape) {
				t.lose("k1").put()
				t.call("GET /v1/refunds", "g.1").replies(`{"data":[]}`).put()
				t.call(refunds, "r.1").key("k2").refund("re_00000002").put()
			},
			reaction: trail.Mishandled,
			lines:    []string{"#1 refunded, reply lost   #2 looked where it does not show   #3 sent again with a new key: 2 refunds, 240.00 USD"},
			mend:     "keep the Idempotency-Key of the first attempt, or read the charge where it shows, before anything is sent again",
		},
		{
			name: "read something else",
			play: func(t *tape) {
				t.lose("k1").put()
				t.call("GET /v1/customers", "g.1").replies(`{"data":[]}`).put()
				t.call(refunds, "r.1").key("k2").refund("re_00000002").put()
			},
			reaction: trail.Mishandled,
			lines:    []string{"#1 refunded, reply lost   #3 sent again with a new key: 2 refunds, 240.00 USD"},
			mend:     "keep the Idempotency-Key of the first attempt, or read the charge first",
		},
		{
			name: "the look was refused",
			play: func(t *tape) {
				t.lose("k1").put()
				t.call("GET /v1/refunds", "g.1").status(503).put()
				t.call(refunds, "r.1").key("k2").refund("re_00000002").put()
			},
			reaction: trail.Mishandled,
			lines:    []string{"#1 refunded, reply lost   #2 looked, and got no answer   #3 sent again with a new key: 2 refunds, 240.00 USD"},
			mend:     "keep the Idempotency-Key of the first attempt, or read the charge until that is answered, before anything is sent again",
		},
		{
			name: "nothing had happened, looked, sent again",
			play: func(t *tape) {
				t.call(refunds, "r.1").key("k1").strike(loseRule, ambiguous).reset().put()
				t.call("GET /v1/refunds", "g.1").replies(`{"data":[]}`).put()
				t.call(refunds, "r.1").key("k2").refund("re_00000002").put()
			},
			reaction: trail.Handled,
			lines:    []string{"#1 POST /v1/refunds, reply lost   #2 looked, and it was not there   #3 sent again with a new key: 1 refund, 120.00 USD"},
		},
		{
			name:     "no further call",
			play:     func(t *tape) { t.lose("k1").put() },
			reaction: trail.Unjudged,
			lines:    []string{"#1 refunded, reply lost   not sent again"},
			why:      "it neither looked nor sent again, and nothing shows whether it stopped and said unknown",
		},
		{
			name: "looked in vain, and left it",
			play: func(t *tape) {
				t.lose("k1").put()
				t.call("GET /v1/refunds", "g.1").status(503).put()
			},
			reaction: trail.Unjudged,
			lines:    []string{"#1 refunded, reply lost   #2 looked, and got no answer   not sent again"},
			why:      "it looked in vain and did not send again, and nothing shows whether it stopped and said unknown",
		},
		{
			name:     "the run ended in it",
			play:     func(t *tape) { t.lose("k1").unsettled() },
			reaction: trail.CutShort,
			lines:    []string{"#1 refunded, reply lost   not sent again"},
			why:      "the run ended before this call did",
		},
		{
			name: "a refusal that stands, then a new attempt",
			play: func(t *tape) {
				t.call(refunds, "r.1").key("k1").strike(loseRule, ambiguous).reset().put()
				t.call(refunds, "r.1").key("k1").status(402).put()
				t.call(refunds, "r.1").key("k2").refund("re_00000002").put()
			},
			reaction: trail.Handled,
			lines:    []string{"#1 POST /v1/refunds, reply lost   #2 sent again with the same key"},
		},
		{
			name: "the key was in flight, then a new one",
			play: func(t *tape) {
				t.lose("k1").put()
				t.call(refunds, "r.1").key("k1").status(409).put()
				t.call(refunds, "r.1").key("k2").refund("re_00000002").put()
			},
			reaction: trail.Mishandled,
			lines: []string{"#1 refunded, reply lost   #2 sent again with the same key, answered 409   " +
				"#3 sent again with a new key: 2 refunds, 240.00 USD"},
			mend: "keep the Idempotency-Key of the first attempt, or read the charge first",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			tape.rule(loseRule, ambiguous, true)
			c.play(tape)
			v := tape.verdict(t, loseRule)
			if v.Reaction != c.reaction {
				t.Errorf("reaction %q, want %q", v.Reaction, c.reaction)
			}
			if diff := cmp.Diff(c.lines, v.Lines); diff != "" {
				t.Error(diff)
			}
			if v.Mend != c.mend {
				t.Errorf("mend %q, want %q", v.Mend, c.mend)
			}
			if v.Why != c.why {
				t.Errorf("why %q, want %q", v.Why, c.why)
			}
		})
	}
}

func TestLostWhileTheRunGoesOn(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.in.Ended = false
	tape.lose("k1").put()
	if v := tape.verdict(t, loseRule); v.Result != trail.NotEvaluated || v.Why != "the run is still going" {
		t.Errorf("%+v", v)
	}
}

// A call that waits before it acts is two events and one call; the read-back before
// it acted could not have shown anything.
func TestTimeoutThatActsLate(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.rule("held", "timeout", false)
	s := tape.call(refunds, "r.1").key("k1").strike("held", "timeout")
	reserved := s.put0()
	tape.in.Events[reserved-1].Kind = trail.Reserved
	tape.call("GET /v1/refunds", "g.1").replies(`{"data":[]}`).put()
	s.x.Wire, s.x.Fidelity, s.x.Status, s.x.Whole, s.x.Reserved = trail.Wire{NoHead: true, End: trail.Close}, trail.Injected, 0, false, reserved
	s.refund("re_00000001").put()
	tape.call(refunds, "r.1").key("k2").refund("re_00000002").put()

	v := tape.verdict(t, "held")
	if v.Reaction != trail.Handled {
		t.Errorf("%s: %v", v.Reaction, v.Lines)
	}
	if v := tape.verdict(t, "always: one effect per intent"); v.Result != trail.Failed {
		t.Errorf("two refunds are %s", v.Result)
	}
}

func TestTimeoutOfARead(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.call("GET /v1/refunds", "g.1").strike("held", "timeout").reset().put()
	for range 3 {
		tape.call("GET /v1/refunds", "g.1").put()
	}
	if v := tape.verdict(t, "held"); v.Reaction != trail.Handled {
		t.Errorf("%s: %v", v.Reaction, v.Lines)
	}
	for range 10 {
		tape.call("GET /v1/refunds", "g.1").put()
	}
	v := tape.verdict(t, "held")
	if v.Reaction != trail.Mishandled || !strings.Contains(v.Lines[0], "sent again 13 times") {
		t.Errorf("%s: %v", v.Reaction, v.Lines)
	}
}

// With tries, the SDK meets the fault on each of its attempts; what counts is
// what comes after the last.
func TestTriesReachPastTheSDK(t *testing.T) {
	t.Parallel()
	tape := newTape()
	for range 3 {
		tape.lose("stripe-node-retry-1").put()
	}
	if v := tape.verdict(t, loseRule); v.Reaction != trail.Unjudged {
		t.Errorf("%s: %v", v.Reaction, v.Lines)
	}
	tape.call(refunds, "r.1").key("stripe-node-retry-2").refund("re_00000002").put()
	if v := tape.verdict(t, loseRule); v.Reaction != trail.Mishandled {
		t.Errorf("%s: %v", v.Reaction, v.Lines)
	}
}

func TestSwallowedIsCounted(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.lose("k1").agent("Stripe/v1 GoBindings/84.0.0").put()
	tape.call(refunds, "r.1").key("k1").agent("Stripe/v1 GoBindings/84.0.0").put()
	j := Judge(tape.in)
	if f := j.Faults[0]; f.Swallowed != 1 || f.Tries != 3 {
		t.Errorf("%+v", f)
	}
}
