package run

import (
	"iter"
	"time"

	"parity/fakes/chance"
	"parity/fakes/clock"
	"parity/fakes/world"
	"parity/faults/trail"
)

// Sink takes a run's events, in order. Append must not wait: it runs under
// the run's lock; and it may not keep data, which is another event's next. When
// it refuses, the event has not happened.
type Sink interface {
	Append(seq uint64, data []byte) error
}

// Options is what a run is made of.
type Options struct {
	ID    string
	Token string // proves that a client belongs to the run
	Seed  chance.Seed
	State State
	Sink  Sink
	Codec *trail.Codec
	Wall  clock.Wall
	// Events gives the run's events from one on, as its journal has them: for
	// states of the past.
	Events func(from uint64) iter.Seq2[trail.Event, error]
	// Forks are the events after which the line of events went on in another
	// run, ascending; the last one is where this run began.
	Forks []uint64
	// Origin gives the state before the first event of the line, where the run may
	// sleep; nil: it may not.
	Origin func() (State, error)
	// Kept, where set, gives a state of the line that is kept beside its events, the
	// newest that is not after event seq: origin is the state before the first. Where
	// there is none, or what is kept is of no use, the events are folded.
	Kept func(origin State, seq uint64) (s State, ok bool)
	// Woken, where set, is asked when the run has woken, before anything else is
	// done: it may note a revision that came into force meanwhile. It runs under
	// the run's lock.
	Woken func(s *State, revise func(revision string, collections ...trail.Collection) error) error
	// Fire does the first thing that is due by an instant, in a turn of its
	// own, and gives its event; nil when nothing is due.
	Fire func(t *Turn, until time.Time) *trail.Event
	// Due, where set, gives the first instant at which Fire has something to do
	// in a world, if there is any: until then it is not asked.
	Due func(*world.World) (time.Time, bool)
	// Mask, where set, gives an event as it is written, where that is not as it
	// is: data is what would be. It runs under the run's lock.
	Mask func(e *trail.Event, data []byte) *trail.Event
	// Waits, where set, is told after each event that may have changed when the
	// next webhook is to be delivered, or the next thing to be done, while there
	// is any; and of the end. It runs under the run's lock and must not wait.
	Waits func()
}
