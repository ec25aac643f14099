package run

import (
	"fmt"
	"math"
	"slices"

	"parity/faults/trail"
)

const (
	// spacing is how many events lie between checkpoints. Folding so many costs
	// some ten milliseconds.
	spacing = 1024
	// recent is how many there are of the newest events. What each holds is what
	// was overwritten since the one before, and what was forgotten: a megabyte where
	// each call writes.
	recent = 8
	// every so many checkpoints one keeps the worlds of its past, which takes ten
	// times as much. To the others it is given back by folding from one before.
	every = 8
	// old is how many there are at most of all the events before: they lie further
	// apart, and a fork there takes longer. Without that bound a long run would
	// keep all that it forgets.
	old = 4
	// oldWeight is how much was written up to each of these, together. What leads to
	// records by their hash is soon another: each of them holds nearly all of it that
	// it had, which is a twentieth of what was written, and what was of its past.
	oldWeight = 256 << 20
)

// checkpoints are states of the past, oldest first.
type checkpoints struct {
	recent []State
	old    []State
	apart  uint64 // events between two old ones
}

// add takes a state, if it is time for one.
func (c *checkpoints) add(s *State) {
	if s.Seq%spacing != 0 {
		return
	}
	c.recent = append(c.recent, c.lean(s))
	if len(c.recent) < recent+every {
		return
	}
	c.apart = max(c.apart, spacing*recent)
	// The oldest is one that has its past: those after it can be given theirs.
	rest := 1 + slices.IndexFunc(c.recent[1:], func(s State) bool { return !s.past.cut })
	for _, first := range c.recent[:rest] {
		if first.Seq%c.apart == 0 {
			c.old = append(c.old, first)
		}
	}
	c.recent = slices.Delete(c.recent, 0, rest)
	for len(c.old) > old || weight(c.old) > oldWeight {
		c.apart *= 2
		c.old = slices.DeleteFunc(c.old, func(s State) bool { return s.Seq%c.apart != 0 })
	}
}

// weight is about how many bytes of records were written up to each of some states,
// together.
func weight(states []State) (sum int64) {
	for i := range states {
		sum += states[i].weight
	}
	return sum
}

// lean is a state as a checkpoint keeps it: without the worlds of its past, but
// for each so many, and where they are few.
func (c *checkpoints) lean(s *State) State {
	kept, n := s.Fork(), len(c.recent)
	if n == 0 || s.Seq%(every*spacing) == 0 || s.past.total-c.recent[n-1].past.total <= spacing/every {
		return kept
	}
	kept.past = kept.past.head()
	return kept
}

// before gives the newest checkpoint that is not after event seq; where it
// lacks its past, with the newest one that this can be folded from, if there is
// one.
func (c *checkpoints) before(seq uint64) (s State, from *State, ok bool) {
	for _, states := range [][]State{c.recent, c.old} {
		for i := len(states) - 1; i >= 0; i-- {
			at := &states[i]
			switch {
			case at.Seq > seq:
			case !ok && !at.past.cut:
				return at.Fork(), nil, true
			case !ok:
				s, ok = at.Fork(), true
			case s.past.whole(at.past):
				f := at.Fork()
				return s, &f, true
			}
		}
	}
	return s, nil, ok
}

// At is the run's state after event seq, to go on apart from it. Its clock
// stands until it is resumed.
func (r *Run) At(seq uint64) (State, error) {
	if err := r.enter(); err != nil {
		return State{}, err
	}
	head := r.state.Fork()
	s, from, ok := r.checkpoints.before(seq)
	r.mu.Unlock()
	switch {
	case seq > head.Seq || seq == 0:
		return State{}, refuse("run %s has no event %d: its events are 1 to %d", r.ID, seq, head.Seq)
	case seq == head.Seq:
		return head, nil
	case !ok:
		s = r.kept(head.beginning(), seq)
	case s.past.cut:
		if from == nil {
			first := head.beginning()
			from = &first
		}
		if err := r.unroll(from, s.Seq); err != nil {
			return State{}, err
		}
		// Only the past: a snapshot that was taken on the way may lack its own.
		s.past, s.past.cut = from.past, false
	}
	err := r.unroll(&s, seq)
	return s, err
}

// beginning is the state before the first event of the line.
func (s *State) beginning() State {
	first := s.origin.Fork()
	first.origin, first.start = s.origin, s.origin
	return first
}

// unroll folds the run's events onto s, up to seq.
func (r *Run) unroll(s *State, seq uint64) error {
	if s.Seq == seq {
		return nil
	}
	for e, err := range r.o.Events(s.Seq + 1) {
		if err == nil {
			err = r.fold(s, &e)
		}
		if err != nil || s.Seq == seq {
			return err
		}
	}
	return fmt.Errorf("run %s: its journal ends with event %d", r.ID, s.Seq)
}

func (r *Run) fold(s *State, e *trail.Event) error {
	if err := s.Fold(e); err != nil {
		return err
	}
	if slices.Contains(r.o.Forks, s.Seq) {
		s.Rebase()
	}
	return nil
}

// Restore rebuilds a run from the state before the first event of its line, as
// after a restart of the process. It is for a run that nobody uses yet.
func (r *Run) Restore() error {
	s, err := r.rebuild(r.state)
	if err != nil {
		return err
	}
	s.Clock = s.Clock.Resumed(r.o.Wall.Now())
	r.state = s
	r.world.Store(s.World)
	r.seq.Store(s.Seq)
	return nil
}

// kept gives the newest state that is kept beside the run's events, and is not
// after event seq; first, where there is none.
func (r *Run) kept(first State, seq uint64) State {
	if r.o.Kept == nil {
		return first
	}
	s, ok := r.o.Kept(first, seq)
	if !ok || s.Seq > seq {
		return first
	}
	if slices.Contains(r.o.Forks, s.Seq) { // it is that of the run which this one was forked from
		s.Rebase()
	}
	return s
}

// rebuild gives the state after the run's newest event: it folds those that came
// after a state that is kept, or where that leads nowhere its whole line, and
// keeps checkpoints on the way.
func (r *Run) rebuild(first State) (State, error) {
	if s := r.kept(first, math.MaxUint64); s.Seq > 0 {
		r.checkpoints = checkpoints{recent: []State{s.Fork()}}
		if err := r.restore(&s); err == nil {
			return s, nil
		}
	}
	r.checkpoints = checkpoints{}
	err := r.restore(&first)
	return first, err
}

// restore folds the rest of the run's line of events onto s.
func (r *Run) restore(s *State) error {
	for e, err := range r.o.Events(s.Seq + 1) {
		if err == nil {
			err = r.fold(s, &e)
		}
		if err != nil {
			return err
		}
		r.checkpoints.add(s)
	}
	return nil
}
