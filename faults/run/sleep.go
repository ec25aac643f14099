package run

import (
	"fmt"

	"parity/fakes"
	"parity/fakes/clock"
	"parity/fakes/world"
	"parity/faults"
	"parity/faults/trail"
)

// A run that nobody calls for a while can sleep: it lets go of all that folding
// its events gives back, and keeps what nothing gives back.
//
//	awake ── Sleep ─▶ asleep: clock, number of the newest event, replies under way
//	      ◀─ whoever needs its state: origin, what is kept of it, and the events since
//
// Having slept changes nothing: neither ids nor the clock, which goes on
// meanwhile, and no event says so.

// Sleep has the run let go of its state, and tells whether it did. It does not
// where it is busy, where calls wait to act, or where it cannot be rebuilt. One
// that has ended sleeps as well: whoever still holds it holds no world.
func (r *Run) Sleep() bool {
	if !r.mu.TryLock() {
		return false
	}
	defer r.mu.Unlock()
	if r.asleep.Load() || r.o.Origin == nil || len(r.state.waiting) > 0 && !r.ended {
		return r.asleep.Load()
	}
	s := &r.state
	if !r.ended && asks(s.World) {
		return false // a person is to see what waits for them, and what lapses is to lapse
	}
	r.state = State{Clock: s.Clock, Seq: s.Seq, Began: s.Began, Epoch: s.Epoch, Revision: s.Revision, Armed: s.Armed}
	r.checkpoints = checkpoints{}
	r.world.Store(nil)
	r.asleep.Store(true)
	return true
}

// asks tells whether somebody is asked to approve something.
func asks(w *world.World) bool {
	if w.Len(fakes.ApprovalsCollection) == 0 {
		return false
	}
	for _, state := range []string{"pending", "escalated"} {
		for range w.Find(fakes.ApprovalsCollection, "state", state, 0) {
			return true
		}
	}
	return false
}

// Asleep tells whether the run sleeps, and waits for nobody.
func (r *Run) Asleep() bool { return r.asleep.Load() }

// Wake wakes the run, if it sleeps. Whatever needs its state does so by itself;
// this is for who can say why it cannot.
func (r *Run) Wake() error {
	err := r.enter()
	if err == nil {
		r.mu.Unlock()
	}
	return err
}

// Clock is the run's clock, also while it sleeps.
func (r *Run) Clock() clock.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.Clock
}

// Weight is about how many bytes of records were written in the run; 0 while it
// sleeps, or is busy.
func (r *Run) Weight() int64 {
	if !r.mu.TryLock() {
		return 0
	}
	defer r.mu.Unlock()
	return r.state.weight
}

// enter takes the lock of a run, which it wakes. After an error it is not held.
func (r *Run) enter() error {
	r.lock()
	if !r.asleep.Load() {
		return nil
	}
	if err := r.wake(); err != nil {
		r.mu.Unlock()
		return fmt.Errorf("run %s does not wake: %w", r.ID, err)
	}
	return nil
}

func (r *Run) wake() error {
	s, err := r.o.Origin()
	if err == nil {
		s, err = r.rebuild(s)
	}
	if err == nil && (s.Seq != r.state.Seq || s.Epoch != r.state.Epoch) {
		err = fmt.Errorf("its journal has %d events, and %d were kept; report this, it is a defect of Parity", s.Seq, r.state.Seq)
	}
	if err != nil {
		r.checkpoints = checkpoints{}
		return err
	}
	s.Clock = r.state.Clock
	slept := r.state
	r.state = s
	r.world.Store(s.World)
	r.asleep.Store(false)
	if r.o.Woken == nil {
		return nil
	}
	if err := r.o.Woken(&r.state, r.revise); err != nil {
		r.state, r.checkpoints = slept, checkpoints{}
		r.world.Store(nil)
		r.asleep.Store(true)
		return err
	}
	return nil
}

// nothing is the state of a run that does not wake.
func nothing() State {
	w, _ := world.New() // of no collections, there is nothing to refuse
	return State{World: w, Tallies: faults.NewTallies()}
}

// weigh counts what an event writes.
func weigh(e *trail.Event) (bytes int64) {
	const record = 256 // besides its text
	for i := range e.Delta {
		if n := len(e.Delta[i].After); n > 0 {
			bytes += int64(n) + record
		}
	}
	return bytes
}
