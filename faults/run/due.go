package run

import (
	"math"
	"slices"
	"time"

	"parity/fakes"
	"parity/faults/trail"
)

// fire has services do what is due by an instant, in order, each thing at its
// own instant.
func (r *Run) fire(until time.Time) error {
	_, _, err := r.fireSome(until, 0)
	return err
}

// fireSome is fire until so many things are done, and whatever else is due at
// the instant of the last of them; 0 is no bound. It gives that instant, and
// tells whether more is due.
func (r *Run) fireSome(until time.Time, most int) (last time.Time, more bool, err error) {
	if r.o.Fire == nil || trail.At(until) < r.quiet {
		return last, false, nil
	}
	for n := 0; ; n++ {
		t := &Turn{State: &r.state, run: r}
		e := r.o.Fire(t, until)
		if e == nil {
			r.quiet = r.due()
			return last, false, nil
		}
		if most > 0 && n >= most && e.At.Time().After(last) {
			return last, true, nil
		}
		if err := r.finish(t, e, r.state.Clock); err != nil {
			return last, false, err
		}
		last = e.At.Time()
	}
}

// Elapse has services do what is due by now, without a call. It is for live
// clocks: a stepped one moves with calls.
func (r *Run) Elapse(wall time.Time) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.mu.Unlock()
	if r.ended {
		return ErrEnded
	}
	instant, _ := r.state.Clock.Tick(wall)
	return r.fire(instant)
}

// ElapseTo has services do what is due by an instant that is known, as when a
// record is replayed.
func (r *Run) ElapseTo(instant time.Time) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.mu.Unlock()
	if r.ended {
		return ErrEnded
	}
	return r.fire(instant)
}

// due is the instant before which nothing is; 0: nobody can say.
func (r *Run) due() trail.Instant {
	if r.o.Due == nil {
		return 0
	}
	if first, ok := r.o.Due(r.state.World); ok {
		return trail.At(first)
	}
	return math.MaxInt64
}

// defers tells whether an event may change what is due, or when: most exchanges
// do not.
func defers(e *trail.Event) bool {
	return e.Kind != trail.Exchanged || slices.ContainsFunc(e.Delta, func(c trail.Change) bool {
		return c.Collection == fakes.TimersCollection || c.Collection == fakes.DeliveriesCollection
	})
}
