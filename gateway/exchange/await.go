package exchange

import (
	"context"
	"time"

	"parity/fakes"
	"parity/fakes/clock"
	"parity/fakes/kit"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/approval"
	"parity/profiles/policy"
)

// waiting is the event of a call that waits for an answer to its approval, which
// was asked for in this turn. It reserves nothing else.
func (x *Exchange) waiting(t *run.Turn) *trail.Event {
	x.enter(Record)
	x.describe()
	x.brought()
	entry := x.entry
	entry.Outcome, entry.Fidelity, entry.Wire = trail.Held, trail.None, trail.Wire{}
	entry.Status, entry.ReplyBody, entry.ReplyHeader = 0, nil, nil
	return &trail.Event{Kind: trail.Reserved, Identity: x.identity, Revision: x.rev.Profile.Revision, Exchange: &entry}
}

// await waits until somebody has answered, until the call has waited as long as it
// may, or until nobody waits any more. It gives the instant that a clock which does
// not move by itself has come to by that; zero: it is where it was.
func (x *Exchange) await() time.Time {
	x.line.metrics.HoldBegan()
	defer x.line.metrics.HoldEnded()
	began := x.line.wall.Now()
	defer func() { x.waited += x.line.wall.Now().Sub(began) }()
	ctx, cancel := context.WithCancel(x.r.Context())
	defer cancel()
	stop := context.AfterFunc(x.run.Lifetime, cancel)
	defer stop()
	for {
		changed := x.run.Changed(x.run.Seq())
		if !x.unanswered() {
			return time.Time{}
		}
		left := x.gate.wait - x.line.wall.Now().Sub(began)
		due, after, stands := x.decides()
		reaches := stands && after <= left
		if reaches {
			left = after
		}
		if left <= 0 {
			if reaches {
				return due
			}
			return time.Time{}
		}
		woken, err := clock.SleepOr(ctx, x.line.wall, left, changed)
		if err != nil {
			return time.Time{}
		}
		if !woken && reaches {
			return due
		}
	}
}

// unanswered tells whether nobody has answered yet.
func (x *Exchange) unanswered() bool {
	a, ok := approval.Get(x.run.World(), x.gate.waits)
	return ok && a.Waits()
}

// decides tells when a stand-in decides of the approval, and how long that is in
// real time, where the run's clock does not move by itself.
func (x *Exchange) decides() (due time.Time, after time.Duration, stands bool) {
	c := x.run.Clock()
	if c.Mode != clock.Stepped || c.Frozen {
		return due, 0, false
	}
	for timer := range kit.Timers(x.run.World()) {
		if timer.Kind == fakes.ApprovalTimer && timer.Subject == x.gate.waits {
			return timer.Due, max(0, timer.Due.Sub(c.Now(x.line.wall.Now()))), true
		}
	}
	return due, 0, false
}

// awaited is the second half of a call that waited for an answer: it is decided on
// the world as it is by now, at an instant of its own.
func (x *Exchange) awaited(t *run.Turn) *trail.Event {
	if !t.State.Waits(x.entry.Reserved) {
		return x.overtaken(t)
	}
	x.forbidden, x.answered, x.reply = false, false, fakes.Reply{}
	x.gate = gated{waits: x.gate.waits}
	if !x.allowed() {
		x.entry.Policy.Waited = true
		return x.bare(t)
	}
	x.entry.Outcome, x.entry.Note, x.waitedOnce = "", "", true
	if x.mode == policy.Live {
		x.entry.Policy.Waited, x.gate = true, gated{}
		return x.liveWrite(t)
	}
	passes := x.gated(t)
	x.entry.Policy.Waited = true
	if !passes {
		return x.bare(t)
	}
	rules := x.unruled(x.rules(t.State, t.Now))
	x.enter(Plan)
	x.plan = faults.Plan{}
	x.consider(t, rules)
	if hold := x.plan.Hold; hold != nil { // it has waited once: what is left is on the wire
		x.plan.Hold = nil
		x.plan.Wire.Delay += hold.For
	}
	x.perform(t, false)
	if x.slipped(t) {
		return x.bare(t)
	}
	x.enter(Record)
	defer x.tally()
	return x.compose(t)
}
