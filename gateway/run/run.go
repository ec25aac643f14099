package run

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"parity/fakes/chance"
	"parity/fakes/world"
	"parity/faults/trail"
)

// Sink takes a run's events, in order. Append must not wait: it runs under
// the run's lock. When it refuses, the event has not happened.
type Sink interface {
	Append(seq uint64, data []byte) error
}

// Options is what a run is made of.
type Options struct {
	ID      string
	Token   string // proves that a client belongs to the run; "": none is asked for
	Seed    chance.Seed
	State   State
	Sink    Sink
	Codec   *trail.Codec
	Profile string // name of the profile it began with
	Parity  string // Parity's version
}

// Run is one rehearsal. Its methods are safe for concurrent use.
type Run struct {
	ID      string
	Token   string
	Seed    chance.Seed
	Profile string

	sink  Sink
	codec *trail.Codec

	mu    sync.Mutex
	state State
	world atomic.Pointer[world.World]
	seq   atomic.Uint64

	replies   sync.Mutex        // apart from mu: each exchange comes back to say that it was answered
	unsettled map[string]uint64 // intents whose latest reply is not known to have arrived, and its event
}

// New makes a run and records that it began.
func New(o Options) (*Run, error) {
	r := &Run{
		ID: o.ID, Token: o.Token, Seed: o.Seed, Profile: o.Profile,
		sink: o.Sink, codec: o.Codec, state: o.State, unsettled: map[string]uint64{},
	}
	r.world.Store(o.State.World)
	start := &trail.Event{Kind: trail.Started, At: trail.At(o.State.Began), Start: &trail.Start{
		Seed: uint64(o.Seed), Profile: o.Profile, Mode: string(o.State.Clock.Mode), Parity: o.Parity,
	}}
	if o.State.Clock.Mode == "stepped" {
		start.Start.Step = o.State.Clock.Step
	}
	if err := r.Note(start); err != nil {
		return nil, err
	}
	return r, nil
}

// World is the run's newest world.
func (r *Run) World() *world.World { return r.world.Load() }

// Seq is the number of the newest event.
func (r *Run) Seq() uint64 { return r.seq.Load() }

// Snapshot gives the hashes of the state after event Seq, for comparing.
func (r *Run) Snapshot() (seq uint64, world, tallies string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.Seq, r.state.World.Hash(), r.state.Tallies.Hash()
}

// Note appends an event that no exchange made.
func (r *Run) Note(e *trail.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.At == 0 {
		e.At = trail.At(r.state.Clock.Last)
		if r.state.Clock.Last.IsZero() {
			e.At = trail.At(r.state.Began)
		}
	}
	return r.append(e, r.state.World)
}

// Turn is what a decision sees and may change. It holds for the length of the
// decision alone.
type Turn struct {
	Now   time.Time // the exchange's instant
	State *State    // to read

	run *Run
	tx  *world.Tx
}

// Tx is the transaction of this turn. What was written to it is part of the
// event, unless Discard came after.
func (t *Turn) Tx() *world.Tx {
	if t.tx == nil {
		t.tx = t.State.World.Begin()
	}
	return t.tx
}

// Discard forgets everything that was written in this turn.
func (t *Turn) Discard() { t.tx = nil }

// Unsettled tells whether the latest reply of an intent is still on its way,
// or did not arrive.
func (t *Turn) Unsettled(intent string) bool {
	t.run.replies.Lock()
	defer t.run.replies.Unlock()
	return t.run.unsettled[intent] > 0
}

// Decide runs one decision under the run's lock and records the event that it
// gives, with what it wrote. With a zero instant the clock ticks; an exchange
// that has its instant already hands it in. A decision that gives no event, or
// panics, leaves no trace.
func (r *Run) Decide(wall, instant time.Time, decide func(*Turn) *trail.Event) (*trail.Event, error) {
	r.lock()
	defer r.mu.Unlock()
	next := r.state.Clock
	if instant.IsZero() {
		instant, next = next.Tick(wall)
	}
	t := &Turn{Now: instant, State: &r.state, run: r}
	e := decide(t)
	if e == nil {
		return nil, nil
	}
	e.At = trail.At(instant)
	after := r.state.World
	if t.tx != nil {
		e.Delta = t.tx.Changes()
		after = t.tx.Commit()
	}
	if err := r.append(e, after); err != nil {
		return nil, err
	}
	r.state.Clock = next
	r.promise(e, wall)
	if x := e.Exchange; x != nil && e.Kind == trail.Exchanged && x.Whole {
		r.Lost(x.Intent.ID, e.Seq) // until it arrives
	}
	return e, nil
}

// patience is how often a turn that finds the run busy lets others go first
// before it waits in line. A turn takes a few microseconds, less than it costs
// to put a goroutine to sleep and wake it; and a line that has formed makes
// every turn in it pay that.
const patience = 64

func (r *Run) lock() {
	for range patience {
		if r.mu.TryLock() {
			return
		}
		runtime.Gosched()
	}
	r.mu.Lock()
}

// promise has a stepped clock reach the instant that a client was told to wait
// for, once the client has really waited.
func (r *Run) promise(e *trail.Event, wall time.Time) {
	if e.Exchange == nil {
		return
	}
	for _, s := range e.Exchange.Strikes {
		if s.Fired && s.Until > 0 && s.Wait > 0 {
			r.state.Clock = r.state.Clock.Promised(s.Until.Time(), wall.Add(s.Wait))
		}
	}
}

// Arrived says that an intent's complete success, of event seq, is about to
// reach its client. What was lost before it no longer matters.
func (r *Run) Arrived(intent string, seq uint64) {
	r.replies.Lock()
	defer r.replies.Unlock()
	if r.unsettled[intent] <= seq {
		delete(r.unsettled, intent)
	}
}

// Lost says that it did not reach its client after all.
func (r *Run) Lost(intent string, seq uint64) {
	r.replies.Lock()
	defer r.replies.Unlock()
	r.unsettled[intent] = max(r.unsettled[intent], seq)
}

func (r *Run) append(e *trail.Event, after *world.World) error {
	e.Seq = r.state.Seq + 1
	data, err := r.codec.Event(e)
	if err != nil {
		return fmt.Errorf("event %d: %w", e.Seq, err)
	}
	if err := r.sink.Append(e.Seq, data); err != nil {
		return fmt.Errorf("event %d: %w", e.Seq, err)
	}
	r.state.World = after
	r.state.Tallies.Fold(e)
	r.state.Seq = e.Seq
	r.world.Store(after)
	r.seq.Store(e.Seq)
	return nil
}
