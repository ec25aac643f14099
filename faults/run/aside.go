package run

import (
	"time"

	"parity/faults/trail"
)

// Look shows a turn at the run's present, of which nothing is recorded and
// nothing stays: for a record that takes no more.
func (r *Run) Look(wall time.Time, see func(*Turn)) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.mu.Unlock()
	if r.ended {
		return ErrEnded
	}
	see(&Turn{Now: r.state.Clock.Now(wall), State: &r.state, run: r})
	return nil
}

// DecideAside is Decide for what is no exchange: it happens at the run's
// present, and the clock does not tick.
func (r *Run) DecideAside(wall time.Time, decide func(*Turn) *trail.Event) (*trail.Event, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.mu.Unlock()
	return r.decide(wall, r.state.Clock.Now(wall), r.state.Clock, false, decide)
}
