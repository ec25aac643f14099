package run

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/clock"
	"parity/fakes/world"
	"parity/faults/trail"
)

// ErrEnded says that a run is over: its record is kept, and nothing more
// happens in it.
var ErrEnded = errors.New("the run has ended")

// Run is one rehearsal. Its methods are safe for concurrent use.
type Run struct {
	ID    string
	Token string
	Seed  chance.Seed

	o Options

	mu          sync.Mutex
	state       State
	ended       bool
	asleep      atomic.Bool   // state has what Sleep keeps alone; written under mu
	changed     chan struct{} // closed at the next event; nil when nobody waits
	checkpoints checkpoints
	world       atomic.Pointer[world.World]
	seq         atomic.Uint64
	quiet       trail.Instant // before it nothing is due; 0: nobody has looked

	replies   sync.Mutex        // apart from mu: each exchange comes back to say that it was answered
	unsettled map[string]uint64 // intents whose latest reply is not known to have arrived, and its event
}

// New makes a run of a state. What it began with, or where it goes on, is for
// the caller to Append.
func New(o Options) *Run {
	r := &Run{ID: o.ID, Token: o.Token, Seed: o.Seed, o: o, state: o.State}
	r.o.State = State{} // it is not to be kept for as long as the run
	r.state.Clock = r.state.Clock.Resumed(o.Wall.Now())
	r.world.Store(o.State.World)
	r.seq.Store(o.State.Seq)
	return r
}

// World is the run's newest world. It wakes the run; of one that does not wake it
// is empty.
func (r *Run) World() *world.World {
	if w := r.world.Load(); w != nil {
		return w
	}
	s := r.State()
	return s.World
}

// Seq is the number of the newest event.
func (r *Run) Seq() uint64 { return r.seq.Load() }

// State is the run as it is now, to go on apart from it. It wakes the run; of one
// that does not wake it is empty, and Wake says why.
func (r *Run) State() State {
	if r.enter() != nil {
		return nothing()
	}
	defer r.mu.Unlock()
	return r.state.Fork()
}

// Hashes digest the state after event Seq, for comparing.
func (r *Run) Hashes() (seq uint64, world, tallies string) {
	s := r.State()
	return s.Seq, s.World.Hash(), s.Counted()
}

// Now is the run's present.
func (r *Run) Now() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.Clock.Now(r.o.Wall.Now())
}

// Changed gives a channel that is closed when an event comes after seq; it is
// closed already when one has come.
func (r *Run) Changed(seq uint64) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state.Seq > seq || r.ended {
		done := make(chan struct{})
		close(done)
		return done
	}
	if r.changed == nil {
		r.changed = make(chan struct{})
	}
	return r.changed
}

// End lets nothing more happen. Calls under way are answered.
func (r *Run) End() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	r.tell()
	if r.o.Waits != nil {
		r.o.Waits()
	}
}

// Ended tells whether the run is over.
func (r *Run) Ended() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}

func (r *Run) tell() {
	if r.changed != nil {
		close(r.changed)
		r.changed = nil
	}
}

// Append appends an event that no exchange made, and that changes no record.
func (r *Run) Append(e *trail.Event) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.mu.Unlock()
	return r.note(e)
}

func (r *Run) note(e *trail.Event) error {
	if e.At == 0 {
		e.At = trail.At(r.state.Clock.Now(r.o.Wall.Now()))
	}
	return r.append(e, r.state.World, r.state.Clock)
}

// Revise notes that a profile revision is in force, under which the world has
// these collections: those that it lacks are part of the event.
func (r *Run) Revise(revision string, collections ...trail.Collection) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.mu.Unlock()
	return r.revise(revision, collections...)
}

func (r *Run) revise(revision string, collections ...trail.Collection) error {
	e := &trail.Event{Kind: trail.Revised, Revision: revision, Declared: r.state.World.Lacks(collections...), At: trail.At(r.state.instant())}
	after, err := r.state.World.With(e.Declared...)
	if err != nil {
		return fmt.Errorf("revision %s: %w", revision, err)
	}
	return r.append(e, after, r.state.Clock)
}

// Adopt appends an event that was decided elsewhere, with what it changed.
func (r *Run) Adopt(e *trail.Event) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.mu.Unlock()
	after, err := worldAfter(r.state.World, e)
	if err != nil {
		return err
	}
	next, err := clockAfter(r.state.Clock, e)
	if err != nil {
		return err
	}
	return r.append(e, after, next)
}

// Turn is what a decision sees and may change. It holds for the length of the
// decision alone.
type Turn struct {
	Now   time.Time // the exchange's instant
	State *State    // to read
	// Work is what services may still be asked to do; nil: nothing was asked yet.
	Work *world.Work

	run *Run
	tx  *world.Tx

	inner []inner        // come right before the event of this turn
	then  []*trail.Event // come right after it
	after *world.World   // after those; nil: there are none
}

// Tx is the transaction of this turn. What was written to it is part of the
// event, unless Discard came after.
func (t *Turn) Tx() *world.Tx {
	if t.tx == nil {
		t.tx = t.State.World.Begin()
	}
	return t.tx
}

// Discard forgets everything that was written in this turn, and the calls within it.
func (t *Turn) Discard() { t.tx, t.inner = nil, nil }

// Decide runs one decision under the run's lock and records the event that it
// gives, with what it wrote. With a zero instant the clock ticks, and what is
// due by then happens first; an exchange that has its instant already hands it
// in. A decision that gives no event, or panics, leaves no trace.
func (r *Run) Decide(wall, instant time.Time, decide func(*Turn) *trail.Event) (*trail.Event, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.mu.Unlock()
	if !instant.IsZero() {
		return r.decide(wall, instant, r.state.Clock, false, decide)
	}
	instant, next := r.state.Clock.Tick(wall)
	return r.decide(wall, instant, next, true, decide)
}

// DecideAt is Decide at an instant that is known, as when a record is replayed:
// the clock ticks to it.
func (r *Run) DecideAt(instant time.Time, decide func(*Turn) *trail.Event) (*trail.Event, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.mu.Unlock()
	return r.decide(time.Time{}, instant, r.state.Clock.At(instant), true, decide)
}

// decide is one decision at an instant, after which the clock is next; what is
// due by then happens first, if it ticked.
func (r *Run) decide(wall, instant time.Time, next clock.State, ticked bool, decide func(*Turn) *trail.Event) (*trail.Event, error) {
	if r.ended {
		return nil, ErrEnded
	}
	if ticked {
		if err := r.fire(instant); err != nil {
			return nil, err
		}
	}
	t := &Turn{Now: instant, State: &r.state, run: r}
	e := decide(t)
	if e == nil {
		return nil, nil
	}
	e.At = trail.At(instant)
	for _, in := range t.inner {
		next = promised(next, in.event, wall)
	}
	if err := r.finish(t, e, promised(next, e, wall)); err != nil {
		return nil, err
	}
	for _, after := range t.then {
		if err := r.follow(after); err != nil {
			return nil, err
		}
	}
	r.lost(e)
	return e, nil
}

// finish records the event of a turn, with what the turn wrote.
func (r *Run) finish(t *Turn, e *trail.Event, next clock.State) error {
	n, err := r.recordInner(t)
	if err != nil {
		return err
	}
	after := r.state.World
	if t.tx != nil {
		e.Delta = t.tx.Changes()[n:]
		after = t.tx.Commit()
	}
	return r.append(e, after, next)
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

// promised has a clock that does not move by itself reach the instant that a
// client was told to wait for, once the client has really waited.
func promised(c clock.State, e *trail.Event, wall time.Time) clock.State {
	if e.Exchange == nil {
		return c
	}
	for _, s := range e.Exchange.Strikes {
		if s.Fired && s.Until > 0 && s.Wait > 0 {
			c = c.Promised(s.Until.Time(), wall.Add(s.Wait))
		}
	}
	return c
}

// append sequences and records an event, and publishes the state after it.
func (r *Run) append(e *trail.Event, after *world.World, next clock.State) error {
	if r.ended {
		return ErrEnded
	}
	e.Seq = r.state.Seq + 1
	if err := r.o.Codec.LendEvent(e, func(data []byte) error { return r.keep(e, data) }); err != nil {
		return fmt.Errorf("event %d: %w", e.Seq, err)
	}
	steady := r.state.Clock.Steady() && next.Steady()
	r.state.advance(e, after)
	r.state.Clock = next
	r.checkpoints.add(&r.state)
	r.world.Store(after)
	r.seq.Store(e.Seq)
	r.tell()
	moves := defers(e)
	if moves {
		r.quiet = 0
	}
	if r.o.Waits != nil && (moves || !steady) && after.Len(fakes.DeliveriesCollection)+after.Len(fakes.TimersCollection) > 0 {
		r.o.Waits()
	}
	return nil
}

// keep records an event, data, as it is to be written.
func (r *Run) keep(e *trail.Event, data []byte) error {
	if r.o.Mask != nil {
		if masked := r.o.Mask(e, data); masked != nil {
			return r.o.Codec.LendEvent(masked, func(data []byte) error { return r.o.Sink.Append(e.Seq, data) })
		}
	}
	return r.o.Sink.Append(e.Seq, data)
}
