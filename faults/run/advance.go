package run

import (
	"fmt"
	"time"

	"parity/fakes/clock"
	"parity/faults/trail"
)

// portion is how many timers fire at least before a clock that is moved far
// rests: a year of daily renewals is some ten thousand.
const portion = 256

// StoppedError says that a clock did not come as far as it was asked to, and
// where it stands.
type StoppedError struct {
	At  time.Time
	Err error
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("the clock came to %s: %v", e.At.UTC().Format(time.RFC3339Nano), e.Err)
}

func (e *StoppedError) Unwrap() error { return e.Err }

// Move sets the clock. Where it goes forward, what is due by then happens
// first, in order.
func (r *Run) Move(m clock.Move) (clock.State, error) {
	next, _, err := r.move(m, 0, time.Time{})
	return next, err
}

// Advance is Move in portions, between which the run takes calls and rest is
// asked, outside its lock: it may wait, and its error ends the move. Each portion
// ends with the clock at the instant that it came to.
//
//	fire … fire ─▶ clock ─▶ rest ─▶ fire … fire ─▶ clock ─▶ rest ─▶ fire … ─▶ clock
func (r *Run) Advance(m clock.Move, rest func() error) (clock.State, error) {
	var came time.Time
	for {
		next, more, err := r.move(m, portion, came)
		if err != nil || !more {
			return next, err
		}
		came = next.Now(r.o.Wall.Now())
		if err := rest(); err != nil {
			return clock.State{}, &StoppedError{came, err}
		}
	}
}

// move sets the clock, or as far on the way as a number of timers leads; 0 is no
// bound. The run has come to an instant already, and is not behind it.
func (r *Run) move(m clock.Move, most int, came time.Time) (next clock.State, more bool, err error) {
	if err := r.enter(); err != nil {
		return next, false, err
	}
	defer r.mu.Unlock()
	wall := r.o.Wall.Now()
	was := r.state.Clock
	if now := was.Now(wall); now.Before(came) {
		return clock.State{}, false, refuse("the clock was set back to %s while it moved, and stays there", now.UTC().Format(time.RFC3339Nano))
	}
	if next, err = was.Apply(wall, m); err != nil {
		return clock.State{}, false, refuse("%v", err)
	}
	last, more, err := r.fireSome(m.To, most)
	if err == nil && !more {
		if err = r.moved(m, next); err == nil {
			return next, false, nil
		}
	}
	to := was.Now(wall)
	if last.After(to) {
		part := clock.Move{To: last, Frozen: was.Frozen, Mode: was.Mode, Speed: was.Speed, Step: was.Step}
		reached, failed := was.Apply(wall, part)
		if failed == nil {
			failed = r.moved(part, reached)
		}
		if failed == nil {
			next, to = reached, last
		} else if err == nil {
			err = failed
		}
	}
	if err != nil {
		return clock.State{}, false, &StoppedError{to, err}
	}
	return next, true, nil
}

// moved records that the clock was set.
func (r *Run) moved(m clock.Move, next clock.State) error {
	return r.append(&trail.Event{Kind: trail.ClockMoved, At: trail.At(r.state.instant()), Clock: &trail.Clock{
		To: trail.At(m.To), Frozen: m.Frozen, Mode: string(m.Mode), Speed: m.Speed, Step: m.Step,
	}}, r.state.World, next)
}
