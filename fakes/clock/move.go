package clock

import "time"

// A Move is one change of a run's clock that whoever controls the run asks for:
// freeze it, set it, let it run at a speed, let it step.
//
//	            ┌── freeze ──▶ frozen ── thaw ──┐
//	live ◀──────┤                ▲ set          ├──▶ live, stepped
//	stepped ◀───┴── pace, step ──┴──────────────┘
//
// What is zero in it stays as it is, but for Frozen: a move says whether the
// clock stands afterwards. State.Move gives a move with nothing left out, which
// is what a journal keeps: folding it needs no wall and gives the same State.
type Move struct {
	To     time.Time     // the run's new present; zero: where it is
	Frozen bool          // it stands there until it is thawed
	Mode   Mode          // how it moves otherwise; "": as before
	Speed  float64       // of a live clock; 0: as before
	Step   time.Duration // of a stepped clock; 0: as before
}

// Apply is the clock after a move at the wall's present. A fold of the journal,
// which has no wall, gives the zero time: the clock then hangs on none until
// Resumed or Tick.
//
// The next exchange gets the instant To or, on a live clock, one as much later
// as it comes. Back is allowed: time goes back on request only. A move without
// To goes on from the present; a stepped clock does not give an instant twice,
// and goes on a step after the newest that it gave.
//
// What clients were promised for later than To stays promised; a move back
// forgets it all, since nobody knows how long it is until then.
//
// Errors: a mode, speed or step that is none, an instant before 1970 or after
// 2261. The clock is as it was.
func (s State) Apply(wall time.Time, m Move) (State, error) {
	o := s.Options
	if m.Mode != "" {
		o.Mode = m.Mode
	}
	if m.Speed != 0 {
		o.Speed = m.Speed
	}
	if m.Step != 0 {
		o.Step = m.Step
	}
	if err := o.check(); err != nil {
		return State{}, err
	}
	if !m.To.IsZero() {
		if err := checkInstant(m.To); err != nil {
			return State{}, err
		}
	}
	return s.under(wall, o, m.To, m.Frozen), nil
}

// under is the clock with other options, frozen or not, from an instant on: the
// present where that is zero.
func (s State) under(wall time.Time, o Options, to time.Time, frozen bool) State {
	if wall.IsZero() {
		s.hung = anchor{} // which says nothing without a wall to read
	}
	present := s.Now(wall)
	next := s
	next.Options, next.Frozen, next.Set, next.hung = o, frozen, true, anchor{}
	switch {
	case !to.IsZero():
		next.Next = plain(to)
	case next.steps() && present.Equal(s.Last):
		next.Next = present.Add(o.Step)
	default:
		next.Next = present
	}
	if next.Next.Before(present) {
		next.owed = nil
	}
	if !wall.IsZero() {
		next = next.Resumed(wall)
	}
	return next
}

// Move is the whole move that leads to where the clock stands: applied to the
// State before it, with or without a wall, it gives this one's exported fields.
func (s State) Move() Move {
	return Move{To: s.Next, Frozen: s.Frozen, Mode: s.Mode, Speed: s.Speed, Step: s.Step}
}

// Freeze stops the clock at the run's present: every exchange gets that
// instant, until Thaw, Paced or Stepping. A client that is told to wait on a
// frozen clock, and really waits, moves it to the instant that it was promised;
// there it stands again.
func (s State) Freeze(wall time.Time) State { return s.under(wall, s.Options, time.Time{}, true) }

// Thaw lets the clock go on as it did before it was frozen.
func (s State) Thaw(wall time.Time) State { return s.under(wall, s.Options, time.Time{}, false) }

// Moved sets the clock, forward or back; a frozen one stays frozen. It takes
// any instant: Apply is for those that come from outside.
func (s State) Moved(wall, to time.Time) State { return s.under(wall, s.Options, to, s.Frozen) }

// Paced thaws the clock and makes it a live one from the run's present on, at a
// speed in seconds of the run for each real one.
func (s State) Paced(wall time.Time, speed float64) (State, error) {
	o := s.Options
	o.Mode, o.Speed = Live, speed
	if err := o.check(); err != nil { // Apply would take 0 for the speed before
		return State{}, err
	}
	return s.under(wall, o, time.Time{}, false), nil
}

// Stepping thaws the clock and makes it a stepped one from the run's present
// on, with a fixed step for each exchange.
func (s State) Stepping(wall time.Time, step time.Duration) (State, error) {
	o := s.Options
	o.Mode, o.Step = Stepped, step
	if err := o.check(); err != nil {
		return State{}, err
	}
	return s.under(wall, o, time.Time{}, false), nil
}
