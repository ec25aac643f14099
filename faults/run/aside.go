package run

import (
	"time"

	"parity/faults/trail"
)

// DecideAside is Decide for what is no exchange: it happens at the run's
// present, and the clock does not tick.
func (r *Run) DecideAside(wall time.Time, decide func(*Turn) *trail.Event) (*trail.Event, error) {
	r.lock()
	defer r.mu.Unlock()
	return r.decide(wall, r.state.Clock.Now(wall), r.state.Clock, false, decide)
}
