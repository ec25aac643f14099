// Package run is one rehearsal: its world, tallies and clock, all of which
// derive from its events, and the one writer that appends to them.
//
//	           ┌──────────── under the run's lock ────────────┐
//	Decide ──▶ │ tick ─▶ decide(Turn) ─▶ sequence ─▶ append ─▶ │ ──▶ Event
//	           │                          publish the State    │
//	           └───────────────────────────────────────────────┘
//	                          │ every so often
//	                          ▼
//	             checkpoints: States by event, for forks
//
// A State is what folding the events so far gives, and Decide publishes the
// next one only after the journal has taken the event: what is not in the
// record has not happened. A State is a value of a few pointers whose parts are
// never written to, so that a fork, a snapshot and a reset cost the same
// whatever the world holds.
package run

import (
	"cmp"
	"fmt"
	"slices"
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
	Epoch   uint64    // of the newest unclean recovery, mixed into ids; 0: none
	// Revision is the profile revision that the newest event of that kind says
	// is in force. It stays when the state is set back.
	Revision string
	// Armed are the rules that are in force besides those of the profile, in the
	// order in which they were armed. It is never written to, but replaced.
	Armed []Armed
	arms  uint64 // how many were armed so far: so that no name is drawn twice

	weight    int64             // about how many bytes of records were written
	past      past              // the worlds after the latest events
	waiting   []waiting         // calls that wait to act, in order
	snapshots map[string]*State // by name; never written to, but replaced
	origin    *State            // before the first event of the line
	start     *State            // where a reset goes: origin, or where a fork began
}

// waiting is a call that waits before it acts, and what it has reserved.
type waiting struct {
	seq      uint64
	reserved []trail.Change
}

// NewState is the state before the first event.
func NewState(w *world.World, c clock.State) State {
	s := State{World: w, Tallies: faults.NewTallies(), Clock: c, Began: c.Next, past: past{}.with(trail.At(c.Next), w)}
	origin := s.Fork()
	s.origin, s.start = &origin, &origin
	return s
}

// Rebase makes s the start of a run: that of a fork.
func (s *State) Rebase() {
	start := s.Fork()
	s.start = &start
}

// Snapshots lists the names that were given to states, oldest first.
func (s *State) Snapshots() []trail.Snapshot {
	list := make([]trail.Snapshot, 0, len(s.snapshots))
	for name, state := range s.snapshots {
		list = append(list, trail.Snapshot{Name: name, Seq: state.Seq})
	}
	slices.SortFunc(list, func(a, b trail.Snapshot) int { return cmp.Compare(a.Seq, b.Seq) })
	return list
}

// Fork gives a State that goes on apart from s.
func (s *State) Fork() State {
	f := *s
	f.Tallies = s.Tallies.Fork()
	return f
}

// Fold applies one event, which must be the next one. It is how a journal
// becomes a state again.
func (s *State) Fold(e *trail.Event) error {
	if e.Seq != s.Seq+1 {
		return fmt.Errorf("event %d does not follow event %d", e.Seq, s.Seq)
	}
	if err := s.back(e); err != nil {
		return fmt.Errorf("event %d: %w", e.Seq, err)
	}
	after, err := worldAfter(s.World, e)
	if err != nil {
		return fmt.Errorf("event %d: %w", e.Seq, err)
	}
	if s.Clock, err = clockAfter(s.Clock, e); err != nil {
		return fmt.Errorf("event %d: %w", e.Seq, err)
	}
	s.advance(e, after)
	return nil
}

// advance is what an event does to a state besides its clock; the world after
// it is known.
func (s *State) advance(e *trail.Event, after *world.World) {
	s.World, s.past = after, s.past.with(e.At, after)
	s.Tallies.Fold(e)
	s.Seq, s.weight = e.Seq, s.weight+weigh(e)
	switch e.Kind {
	case trail.Reserved:
		if x := e.Exchange; x != nil && x.Reserved > 0 { // it waits once more, for something else
			s.over(x.Reserved)
		}
		s.waiting = append(s.waiting[:len(s.waiting):len(s.waiting)], waiting{e.Seq, reservedBy(e)})
	case trail.Exchanged:
		if x := e.Exchange; x != nil && x.Reserved > 0 {
			s.over(x.Reserved)
		}
	case trail.Abandoned:
		s.over(e.Of)
	case trail.Snapshotted:
		s.keep(e.Snapshot.Name)
	case trail.Started, trail.Revised:
		s.Revision = e.Revision
	case trail.Armed:
		s.Armed, s.arms = append(s.unarmed(e, e.Arming.Name), Armed{Seq: e.Seq, Arming: *e.Arming}), s.arms+1
	case trail.Disarmed:
		s.Armed = s.unarmed(e, e.Arming.Name)
	case trail.Resumed:
		if !e.Epoch.Clean {
			s.Epoch = e.Epoch.Number
		}
	}
}

// reservedBy is what a call that waits has reserved, and gives up where it is left
// behind. What it has asked for stays asked for, and what it has used stays used
// where it may have left.
func reservedBy(e *trail.Event) []trail.Change {
	if x := e.Exchange; x != nil && (x.Outcome == trail.Held || slices.ContainsFunc(x.Upstream, leaves)) {
		return nil
	}
	return e.Delta
}

// leaves tells of a write that is about to leave for its real service: whatever
// becomes of the call, nobody knows that it has not.
func leaves(u trail.Upstream) bool { return u.Pending() && !u.Reads() }

// Waits tells whether the call that event seq reserved for is still to act.
func (s *State) Waits(seq uint64) bool {
	return slices.ContainsFunc(s.waiting, func(w waiting) bool { return w.seq == seq })
}

func (s *State) over(seq uint64) {
	if s.Waits(seq) {
		s.waiting = slices.DeleteFunc(slices.Clone(s.waiting), func(w waiting) bool { return w.seq == seq })
	}
}

func (s *State) keep(name string) {
	kept := s.Fork()
	kept.snapshots = nil
	all := make(map[string]*State, len(s.snapshots)+1)
	for n, state := range s.snapshots {
		all[n] = state
	}
	all[name] = &kept
	s.snapshots = all
}

// back sets the state back, where the event says so: world, tallies and clock
// are again what they were; the events, the snapshots and the epoch stay.
func (s *State) back(e *trail.Event) error {
	var to *State
	switch e.Kind {
	case trail.SetBack:
		to = s.start
	case trail.RolledBack:
		if to = s.snapshots[e.Snapshot.Name]; to == nil {
			return fmt.Errorf("there is no snapshot %q", e.Snapshot.Name)
		}
	default:
		return nil
	}
	was := to.Fork()
	// The revision in force stays, and so do the collections that it brought.
	world, err := was.World.With(s.World.Declared()...)
	if err != nil {
		return err
	}
	was.World = world
	s.World, s.past, s.Tallies, s.Clock, s.waiting, s.Armed, s.weight = was.World, was.past, was.Tallies, was.Clock, was.waiting, was.Armed, was.weight
	return nil
}

// worldAfter is the world after an event that does not set it back.
func worldAfter(w *world.World, e *trail.Event) (*world.World, error) {
	if len(e.Declared) > 0 {
		var err error
		if w, err = w.With(e.Declared...); err != nil {
			return nil, err
		}
	}
	return w.Apply(e.Delta)
}

func clockAfter(c clock.State, e *trail.Event) (clock.State, error) {
	if e.Kind == trail.ClockMoved && e.Clock != nil {
		return c.Apply(time.Time{}, clock.Move{
			To: e.Clock.To.Time(), Frozen: e.Clock.Frozen, Mode: clock.Mode(e.Clock.Mode), Speed: e.Clock.Speed, Step: e.Clock.Step,
		})
	}
	if e.Ticks() {
		return c.At(e.At.Time()), nil
	}
	return c, nil
}
