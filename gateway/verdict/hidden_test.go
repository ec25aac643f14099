package verdict

import (
	"strings"
	"testing"
	"time"

	"parity/faults/trail"
)

// A refusal that the SDK's own retry got past was once said to be handled by
// the agent, which never saw it: only of lost answers was it told.
func TestARefusalThatAnSDKGotPastIsNotTheAgentsDoing(t *testing.T) {
	t.Parallel()
	const read, node = "GET /v1/charges", "Stripe/v1 NodeBindings/23.1.0"
	for name, c := range map[string]struct {
		fault string
		play  func(*tape)
		hid   int
		tries int
	}{
		"the SDK says so": {"error", func(t *tape) {
			t.call(read, "g.1").status(503).strike("it", "error").put()
			s := t.call(read, "g.1").replies(`{}`)
			s.x.Intent.SDKRetry, s.x.Intent.Attempt = 1, 2
			s.put()
		}, 1, 3},
		"its key says so": {"error", func(t *tape) {
			t.call(charges, "c.1").key("stripe-node-retry-1").status(500).strike("it", "error").put()
			t.call(charges, "c.1").key("stripe-node-retry-1").put()
		}, 1, 3},
		"the agent's own call with a key of its own": {"error", func(t *tape) {
			t.call(charges, "c.1").key("stripe-node-retry-1").status(500).strike("it", "error").put()
			t.call(charges, "c.1").key("stripe-node-retry-2").put()
		}, 0, 0},
		"a limit, which that SDK does not retry": {"rate-limit", func(t *tape) {
			t.call(read, "g.1").agent(node).status(429).strike("it", "rate-limit").put()
			t.call(read, "g.1").agent(node).replies(`{}`).put()
		}, 0, 0},
		"a limit that the SDK waited out": {"rate-limit", func(t *tape) {
			t.call(read, "g.1").status(429).strike("it", "rate-limit").wait(2e9).put()
			s := t.call(read, "g.1").after(3e9).replies(`{}`)
			s.x.Intent.SDKRetry, s.x.Intent.Attempt = 1, 2
			s.put()
		}, 1, 3},
		"the agent's own call, right after": {"error", func(t *tape) {
			t.call(read, "g.1").agent(node).status(503).strike("it", "error").put()
			t.call(read, "g.1").agent(node).after(20 * time.Millisecond).replies(`{}`).put()
		}, 0, 0},
		"the agent's own call, when the SDK had given up": {"error", func(t *tape) {
			t.call(read, "g.1").agent(node).status(503).strike("it", "error").put()
			s := t.call(read, "g.1").agent(node).replies(`{}`)
			s.x.Intent.Attempt = 4
			s.put()
		}, 0, 0},
		"a success that could not be read": {"malformed-body", func(t *tape) {
			t.call(read, "g.1").agent(node).replies(`{"da`).strike("it", "malformed-body").put()
			t.call(read, "g.1").agent(node).replies(`{}`).put()
		}, 0, 0},
		"every attempt failed": {"error", func(t *tape) {
			for range 3 {
				t.call(read, "g.1").agent(node).status(503).strike("it", "error").put()
			}
		}, 0, 0},
		"two failed, and the third got past": {"error", func(t *tape) {
			t.call(read, "g.1").agent(node).status(503).strike("it", "error").put()
			t.call(read, "g.1").agent(node).status(503).strike("it", "error").put()
			s := t.call(read, "g.1").agent(node).replies(`{}`)
			s.x.Intent.Attempt = 3
			s.put()
		}, 1, 4},
		"a body that broke": {"truncated-body", func(t *tape) {
			s := t.call(read, "g.1").agent(node).replies(`{"da`)
			s.x.Wire, s.x.Whole = trail.Wire{Short: true, Cut: 3, End: trail.Close}, false
			s.strike("it", "truncated-body").put()
			t.call(read, "g.1").agent(node).replies(`{}`).put()
		}, 1, 3},
		"an outage that was over": {"outage", func(t *tape) {
			t.call(read, "g.1").agent(node).status(503).strike("it", "outage").put()
			t.call(read, "g.1").agent(node).replies(`{}`).put()
		}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			tape.rule("it", c.fault, false)
			c.play(tape)
			j := Judge(tape.in)
			if f := j.Faults[0]; f.Swallowed != c.hid || f.Tries != c.tries {
				t.Errorf("hidden from the agent %d times, %d tries reach past it; want %d and %d", f.Swallowed, f.Tries, c.hid, c.tries)
			}
			if v := tape.verdict(t, "it"); strings.Contains(v.Why, "reaches past it") != (c.hid > 0) {
				t.Errorf("%s, %q", v.Reaction, v.Why)
			}
		})
	}
}

// An endpoint that refused what was badly signed was once told that it should
// have accepted it.
func TestABadSignatureIsToBeRefused(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]trail.Reaction{400: trail.Handled, 200: trail.Mishandled} {
		tape := newTape()
		tape.call(charges, "c.1").strike("it", "webhook-disorder").put()
		for i, spoilt := range []bool{true, false} {
			says := status
			if !spoilt {
				says = 200
			}
			tape.in.Events = append(tape.in.Events, trail.Event{
				Seq: uint64(len(tape.in.Events) + 1), Kind: trail.Delivered, At: trail.At(tape.now),
				Delivery: &trail.Delivery{Service: "stripe", ID: "evt_1/we_1", Attempt: 1 + i, Status: says, Spoilt: spoilt},
			})
		}
		if v := tape.verdict(t, "it"); v.Reaction != want {
			t.Errorf("answered %d: %s, want %s; %v %s", status, v.Reaction, want, v.Lines, v.Why)
		}
	}
}
