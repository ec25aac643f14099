// Package run is one rehearsal: its world, tallies and clock, all of which
// derive from its events, and the one writer that appends to them.
//
//	           ┌──────────── under the run's lock ────────────┐
//	Decide ──▶ │ tick ─▶ decide(Turn) ─▶ sequence ─▶ append ─▶ │ ──▶ Event
//	           │                          publish the State    │
//	           └───────────────────────────────────────────────┘
//
// A State is what folding the events so far gives, and Decide publishes the
// next one only after the journal has taken the event: what is not in the
// record has not happened.
package run

import (
	"fmt"
	"time"

	"parity/fakes/clock"
	"parity/fakes/world"
	"parity/faults"
	"parity/faults/trail"
)

// State is a run after some event.
type State struct {
	World   *world.World
	Tallies *faults.Tallies
	Clock   clock.State
	Seq     uint64    // of the newest event; 0 before the first
	Began   time.Time // the run's first instant
}

// NewState is the state before the first event.
func NewState(w *world.World, c clock.State) State {
	return State{World: w, Tallies: faults.NewTallies(), Clock: c, Began: c.Next}
}

// Fold applies one event, which must be the next one. It is how a journal
// becomes a state again.
func (s *State) Fold(e *trail.Event) error {
	if e.Seq != s.Seq+1 {
		return fmt.Errorf("event %d does not follow event %d", e.Seq, s.Seq)
	}
	after, err := s.World.Apply(e.Delta)
	if err != nil {
		return fmt.Errorf("event %d: %w", e.Seq, err)
	}
	s.World = after
	s.Tallies.Fold(e)
	s.Clock = clockAfter(s.Clock, e)
	s.Seq = e.Seq
	return nil
}

func clockAfter(c clock.State, e *trail.Event) clock.State {
	if e.Kind == trail.ClockMoved && e.Clock != nil {
		return c.Moved(time.Time{}, e.Clock.To.Time())
	}
	if e.Ticks() {
		return c.At(e.At.Time())
	}
	return c
}
