package clock

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// A Mode is how a run's clock moves.
type Mode string

const (
	// Live moves with real time, at a speed.
	Live Mode = "live"
	// Stepped moves a fixed step each exchange, so that the same calls meet
	// the same instants whatever the machine's pace.
	Stepped Mode = "stepped"
)

// DefaultStep is a second, since most providers stamp records in whole
// seconds: each exchange gets one of its own, and lists ordered by a stamp
// have one order.
const DefaultStep = time.Second

// Options say how a run's clock begins; what is zero takes its default.
type Options struct {
	Mode  Mode          // Live
	Start time.Time     // the wall's present: such a run cannot be repeated byte for byte
	Speed float64       // 1; seconds of the run for each real second, live only
	Step  time.Duration // DefaultStep; stepped only
}

// WithStart gives a stepped clock a start of its own: a clock that is stepped so
// that runs can be compared must not begin at whatever time it is.
func (o Options) WithStart() Options {
	if o.Mode == Stepped && o.Start.IsZero() {
		o.Start = time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)
	}
	return o
}

// A State is a run's clock after some event. Its exported fields derive from
// the run's events; how it hangs on the wall and what clients were promised are
// not exported, and hold for this process only. The zero State is not of use:
// New makes one.
type State struct {
	Options
	// Frozen says that every exchange is given one instant, Next, until the
	// clock is thawed: neither the wall nor exchanges move it.
	Frozen bool
	// Last is the newest instant that an exchange was given, or zero.
	Last time.Time
	// Next is the earliest instant that the next exchange can be given.
	Next time.Time
	// Set says that the clock was moved since the newest exchange, so that its
	// present is Next.
	Set bool

	hung anchor
	owed []promise
}

// An anchor says that the run's clock read instant when the wall read wall; a
// zero wall hangs the clock at the next Tick.
type anchor struct{ wall, instant time.Time }

// A promise is an instant that the run has reached once the wall has passed a
// deadline.
type promise struct{ instant, deadline time.Time }

// maxOwed bounds the promises kept. A stepped clock outruns them by itself
// when a client calls on without waiting, so only a client that is told to
// wait for minutes, again and again, meets the bound.
const maxOwed = 64

// New starts a clock at the wall's present.
func New(o Options, wall time.Time) (State, error) {
	if o.Mode == "" {
		o.Mode = Live
	}
	if o.Speed == 0 {
		o.Speed = 1
	}
	if o.Step == 0 {
		o.Step = DefaultStep
	}
	if o.Start.IsZero() {
		o.Start = wall
	}
	o.Start = plain(o.Start)
	if err := o.check(); err != nil {
		return State{}, err
	}
	if err := checkInstant(o.Start); err != nil {
		return State{}, err
	}
	return State{Options: o, Next: o.Start}.Resumed(wall), nil
}

// check refuses what no clock can go by; nothing takes its default here.
func (o Options) check() error {
	switch {
	case o.Mode != Live && o.Mode != Stepped:
		return fmt.Errorf("clock mode %q: say %s or %s", o.Mode, Live, Stepped)
	case !(o.Speed > 0 && o.Speed <= 1e4): // also refuses NaN
		return fmt.Errorf("clock speed %v: say how many of the run's seconds a real one is, above 0 and up to 10000", o.Speed)
	case o.Step <= 0:
		return fmt.Errorf("clock step %v: say how far each exchange moves the clock, such as 1s", o.Step)
	}
	return nil
}

// checkInstant refuses what a journal cannot keep, which counts nanoseconds
// from 1970 in 64 bits, and what providers' stamps, seconds from 1970, cannot
// say.
func checkInstant(t time.Time) error {
	if year := t.UTC().Year(); year < 1970 || year > 2261 {
		return fmt.Errorf("clock instant %s: say one from 1970 to 2261", t.UTC().Format(time.RFC3339))
	}
	return nil
}

// Tick gives the one virtual instant of an exchange that is admitted at the
// wall's present, and the clock after it. Instants never go back.
func (s State) Tick(wall time.Time) (time.Time, State) {
	if s.hung.wall.IsZero() {
		s = s.Resumed(wall)
	}
	instant := s.Now(wall)
	if s.steps() {
		instant = later(s.Next, s.reached(wall))
	}
	return instant, s.passed(wall, instant)
}

// runs tells whether the wall moves the clock, steps whether exchanges do. What
// was promised moves every clock, a frozen one too: else a client that is told
// to wait, and does, would be refused for ever.
func (s State) runs() bool  { return s.Mode == Live && !s.Frozen }
func (s State) steps() bool { return s.Mode == Stepped && !s.Frozen }

// Steady tells whether the wall alone moves the clock: no exchange does, nor
// anything that was promised.
func (s State) Steady() bool { return s.runs() && len(s.owed) == 0 }

// passed is the clock after an exchange at instant, still hung on the wall.
func (s State) passed(wall, instant time.Time) State {
	next := s.At(instant)
	next.hung = s.hung
	if s.runs() && s.reading(wall).Before(instant) {
		next.hung = anchor{wall, instant} // a promise was ahead of the clock's pace
	}
	next.owed = slices.DeleteFunc(slices.Clone(s.owed), func(p promise) bool {
		return !p.instant.After(instant)
	})
	return next
}

// At is the clock after an exchange that is known to have had that instant, as
// a replay and a fold of the journal need it. It hangs on no wall until Resumed
// or Tick, and owes nothing.
func (s State) At(instant time.Time) State {
	s.Last, s.Next, s.Set = instant, instant, false
	if s.steps() {
		s.Next = instant.Add(s.Step)
	}
	s.hung, s.owed = anchor{}, nil
	return s
}

// Resumed hangs a clock on the wall where it stands, after a start, a move, or
// a restart of the process: the time that it hung on none does not count.
func (s State) Resumed(wall time.Time) State {
	s.hung = anchor{wall, s.Next}
	return s
}

// Now is the run's present, without moving it: what Tick would give on a live
// or frozen clock, and on a stepped one the newest instant that was given, or
// where the clock was moved since.
func (s State) Now(wall time.Time) time.Time {
	if s.steps() {
		if s.Set || s.Last.IsZero() {
			return s.Next
		}
		return s.Last
	}
	return later(later(s.reading(wall), s.Next), s.reached(wall))
}

// Until says how long the wall has to go on until a live clock reaches an
// instant. A stepped or frozen clock does not go with the wall: then ok is
// false, unless the instant is reached already.
func (s State) Until(wall, instant time.Time) (d time.Duration, ok bool) {
	ahead := instant.Sub(s.Now(wall))
	if ahead <= 0 {
		return 0, true
	}
	if !s.runs() {
		return 0, false
	}
	return time.Duration(math.Ceil(float64(ahead) / s.Speed)), true
}

// Promised notes that a client was told to wait until an instant of the run,
// and that its own wait ends when the wall reaches deadline. It waits in real
// seconds, so whatever the clock's pace: a Tick after the deadline is at that
// instant or later, and a frozen clock stands there from then on.
func (s State) Promised(instant, deadline time.Time) State {
	owed := append(slices.Clone(s.owed), promise{plain(instant), deadline})
	if len(owed) > maxOwed {
		owed = owed[1:] // the oldest; those after it come due soon
	}
	s.owed = owed
	return s
}

// reached is the latest instant promised for a deadline that has passed.
func (s State) reached(wall time.Time) (latest time.Time) {
	for _, p := range s.owed {
		if !wall.Before(p.deadline) {
			latest = later(latest, p.instant)
		}
	}
	return latest
}

// reading is what a clock shows by its pace alone.
func (s State) reading(wall time.Time) time.Time {
	if s.hung.wall.IsZero() || !s.runs() {
		return s.Next
	}
	gone := float64(wall.Sub(s.hung.wall)) * s.Speed
	return s.hung.instant.Add(time.Duration(gone))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// plain is t in UTC without the wall's monotonic reading, which would make two
// equal instants differ and mean nothing in another process.
func plain(t time.Time) time.Time { return t.UTC().Round(0) }
