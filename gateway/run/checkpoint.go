package run

import (
	"fmt"
	"slices"

	"parity/faults/trail"
)

const (
	// spacing is how many events lie between checkpoints. Folding so many costs
	// some ten milliseconds.
	spacing = 1024
	// recent is how many there are of the newest events. What each holds is what
	// was overwritten since the one before, and what was forgotten.
	recent = 128
	// old is how many there are of all the events before: they lie further
	// apart, and a fork there takes longer. Without that bound a long run would
	// keep all that it forgets.
	old = 8
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
	c.recent = append(c.recent, s.Fork())
	if len(c.recent) <= recent {
		return
	}
	c.apart = max(c.apart, spacing*recent)
	if first := c.recent[0]; first.Seq%c.apart == 0 {
		c.old = append(c.old, first)
	}
	c.recent = slices.Delete(c.recent, 0, 1)
	if len(c.old) > old {
		c.apart *= 2
		c.old = slices.DeleteFunc(c.old, func(s State) bool { return s.Seq%c.apart != 0 })
	}
}

// before gives the newest checkpoint that is not after event seq.
func (c *checkpoints) before(seq uint64) (State, bool) {
	for _, states := range [][]State{c.recent, c.old} {
		for i := len(states) - 1; i >= 0; i-- {
			if states[i].Seq <= seq {
				return states[i].Fork(), true
			}
		}
	}
	return State{}, false
}

// At is the run's state after event seq, to go on apart from it. Its clock
// stands until it is resumed.
func (r *Run) At(seq uint64) (State, error) {
	r.mu.Lock()
	head := r.state.Fork()
	s, ok := r.checkpoints.before(seq)
	r.mu.Unlock()
	switch {
	case seq > head.Seq || seq == 0:
		return State{}, refuse("run %s has no event %d: its events are 1 to %d", r.ID, seq, head.Seq)
	case seq == head.Seq:
		return head, nil
	case !ok:
		s = head.origin.Fork()
		s.origin, s.start = head.origin, head.origin
	}
	err := r.unroll(&s, seq)
	return s, err
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

// Restore folds a run's whole line of events onto the state before the first,
// as after a restart of the process, and keeps checkpoints on the way. It is
// for a run that nobody uses yet.
func (r *Run) Restore() error {
	s := r.state
	for e, err := range r.o.Events(s.Seq + 1) {
		if err == nil {
			err = r.fold(&s, &e)
		}
		if err != nil {
			return err
		}
		r.checkpoints.add(&s)
	}
	s.Clock = s.Clock.Resumed(r.o.Wall.Now())
	r.state = s
	r.world.Store(s.World)
	r.seq.Store(s.Seq)
	return nil
}
