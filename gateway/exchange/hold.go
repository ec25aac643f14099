package exchange

import (
	"net/http"
	"time"

	"parity/fakes"
	"parity/fakes/clock"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
)

// second is the second turn of a call that waits: for an answer to its approval,
// or because a rule has it wait before it acts.
func (x *Exchange) second(first *trail.Event) (*trail.Event, error) {
	if x.waits {
		x.reach()
		return x.run.Decide(x.line.wall.Now(), first.At.Time(), x.returned)
	}
	if x.gate.waits == "" {
		x.hold()
		return x.run.Decide(x.line.wall.Now(), first.At.Time(), x.lateTurn)
	}
	x.tellAsked()
	if came := x.await(); !came.IsZero() {
		return x.run.DecideAt(came, x.awaited)
	}
	return x.run.Decide(x.line.wall.Now(), time.Time{}, x.awaited)
}

// hold waits before acting, as the plan says. A call whose work is not to be
// done is given up when its client is; one that the gateway's own end overtakes
// does no work any more.
func (x *Exchange) hold() {
	x.line.metrics.HoldBegan()
	defer x.line.metrics.HoldEnded()
	ctx, acts := x.r.Context(), x.plan.Hold.Acts
	before := x.line.wall.Now()
	if acts {
		ctx = x.run.Lifetime // the service goes on, the client there or not
	}
	if err := clock.Sleep(ctx, x.line.wall, x.plan.Hold.For); err != nil { // a client that left is seen when settling
		x.plan.Hold.Acts = false
	}
	x.waited += x.line.wall.Now().Sub(before)
}

// lateTurn acts after a wait, on the world as it is by now.
func (x *Exchange) lateTurn(t *run.Turn) *trail.Event {
	if !t.State.Waits(x.entry.Reserved) {
		return x.overtaken(t)
	}
	if x.plan.Hold.Acts && !x.regated(t) {
		return x.bare(t)
	}
	if x.plan.Hold.Acts {
		x.perform(t, false)
		if x.slipped(t) {
			return x.bare(t)
		}
	}
	if !x.plan.Hold.Acts || x.plan.NoCommit {
		x.release(t)
	}
	if !x.plan.Hold.Acts {
		x.unasked()
		x.note(t)
	}
	x.enter(Record)
	return x.compose(t)
}

// overtaken is what becomes of a call whose run was set back while it waited:
// it does nothing, and what it had reserved is given up already.
func (x *Exchange) overtaken(t *run.Turn) *trail.Event {
	x.plan = faults.Plan{}
	x.refuse(trail.Overtaken, http.StatusServiceUnavailable, "run-set-back", "The run was set back while this call waited; nothing was done.")
	x.enter(Record)
	x.describe()
	return x.bareEvent(t)
}

// release gives up the key that the call's reservation holds, if it does.
func (x *Exchange) release(t *run.Turn) {
	if keyed, ok := x.service.Fake.(fakes.Keyed); ok && x.held {
		keyed.Release(x.call(t))
	}
}
