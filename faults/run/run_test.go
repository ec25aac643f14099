package run_test

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"parity/fakes/clock"
	"parity/fakes/world"
	"parity/faults/run"
	"parity/faults/trail"
)

// shelf keeps events in memory, and refuses when told to.
type shelf struct {
	mu     sync.Mutex
	events [][]byte
	full   error
}

func (s *shelf) Append(seq uint64, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full != nil {
		return s.full
	}
	if seq != uint64(len(s.events))+1 {
		return fmt.Errorf("event %d after %d", seq, len(s.events))
	}
	s.events = append(s.events, bytes.Clone(data))
	return nil
}

func begin(t *testing.T, mode clock.Mode) (*run.Run, *shelf) {
	t.Helper()
	w, err := world.New(world.Collection{Name: "stripe.charges"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := clock.New(clock.Options{Mode: mode, Start: start}, start)
	if err != nil {
		t.Fatal(err)
	}
	codec, err := trail.NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{}
	r := run.New(run.Options{ID: "r", Seed: 7, State: run.NewState(w, c), Sink: s, Codec: codec, Wall: clock.System{}})
	if err := r.Append(&trail.Event{Kind: trail.Started, Start: &trail.Start{Seed: 7}}); err != nil {
		t.Fatal(err)
	}
	return r, s
}

var start = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// write is a decision that keeps one charge.
func write(t *testing.T, id string) func(*run.Turn) *trail.Event {
	return func(turn *run.Turn) *trail.Event {
		if _, err := turn.Tx().Insert("stripe.charges", id, map[string]any{"id": id}); err != nil {
			t.Error(err)
		}
		return exchange()
	}
}

func exchange() *trail.Event {
	return &trail.Event{Kind: trail.Exchanged, Exchange: &trail.Exchange{
		Service: "stripe", Operation: "POST /v1/charges", Intent: trail.Intent{ID: "i.1", Fingerprint: "i", Occurrence: 1, Attempt: 1},
	}}
}

func TestDecideLeavesNoTraceUnlessItGivesAnEvent(t *testing.T) {
	t.Parallel()
	for name, decide := range map[string]func(r *run.Run, s *shelf, d func(*run.Turn) *trail.Event) error{
		"no event": func(r *run.Run, _ *shelf, d func(*run.Turn) *trail.Event) error {
			_, err := r.Decide(start, time.Time{}, func(turn *run.Turn) *trail.Event { d(turn); return nil })
			return err
		},
		"panic": func(r *run.Run, _ *shelf, d func(*run.Turn) *trail.Event) (err error) {
			defer func() { err = fmt.Errorf("%v", recover()) }()
			_, err = r.Decide(start, time.Time{}, func(turn *run.Turn) *trail.Event { d(turn); panic("planted") })
			return err
		},
		"full journal": func(r *run.Run, s *shelf, d func(*run.Turn) *trail.Event) error {
			s.full = errors.New("full")
			defer func() { s.full = nil }()
			_, err := r.Decide(start, time.Time{}, d)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, s := begin(t, clock.Stepped)
			seq, hash, tallies := r.Hashes()
			if err := decide(r, s, write(t, "ch_1")); (err == nil) != (name == "no event") {
				t.Errorf("it ended with %v", err)
			}
			if seq2, hash2, tallies2 := r.Hashes(); seq2 != seq || hash2 != hash || tallies2 != tallies {
				t.Error("the run has changed")
			}
			e, err := r.Decide(start, time.Time{}, write(t, "ch_1"))
			if err != nil || e.Seq != 2 || e.At.Time() != start || len(s.events) != 2 {
				t.Errorf("afterwards: %+v, %v, %d events", e, err, len(s.events))
			}
		})
	}
}

func TestDiscardKeepsTheEventAndNotTheWrites(t *testing.T) {
	t.Parallel()
	r, _ := begin(t, clock.Live)
	e, err := r.Decide(start, time.Time{}, func(turn *run.Turn) *trail.Event {
		x := write(t, "ch_1")(turn)
		turn.Discard()
		return x
	})
	if err != nil || len(e.Delta) != 0 || r.World().Len("stripe.charges") != 0 {
		t.Errorf("%+v, %v, %d charges", e, err, r.World().Len("stripe.charges"))
	}
}

// Many clients at once: every write is there once, in one order without gaps,
// and a reader meanwhile holds a world that does not change.
func TestDecideSequencesManyClients(t *testing.T) {
	t.Parallel()
	r, s := begin(t, clock.Stepped)
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			for j := range 20 {
				if _, err := r.Decide(start, time.Time{}, write(t, fmt.Sprintf("ch_%d_%d", i, j))); err != nil {
					t.Error(err)
				}
				w := r.World()
				if n := w.Len("stripe.charges"); n != w.Len("stripe.charges") {
					t.Error("a world changed under its reader")
				}
			}
		})
	}
	all.Wait()
	if n := r.World().Len("stripe.charges"); n != 1000 || len(s.events) != 1001 || r.Seq() != 1001 {
		t.Errorf("%d charges, %d events, seq %d", n, len(s.events), r.Seq())
	}
}

// A stepped clock moves to the instant that a client was told to wait for, once
// the client has really waited, and not before.
func TestSteppedClockFollowsAWaitThatWasKept(t *testing.T) {
	t.Parallel()
	r, _ := begin(t, clock.Stepped)
	refuse := func(turn *run.Turn) *trail.Event {
		e := exchange()
		e.Exchange.Strikes = []trail.Strike{{Rule: "r", Index: 1, Fired: true, Wait: time.Minute, Until: trail.At(turn.Now.Add(time.Minute))}}
		return e
	}
	at := func(wall time.Duration, d func(*run.Turn) *trail.Event) time.Duration {
		t.Helper()
		e, err := r.Decide(start.Add(wall), time.Time{}, d)
		if err != nil {
			t.Fatal(err)
		}
		return e.At.Time().Sub(start)
	}
	plain := func(*run.Turn) *trail.Event { return exchange() }
	if got := at(0, refuse); got != 0 {
		t.Errorf("the first exchange is at %v", got)
	}
	if got := at(30*time.Second, plain); got != time.Second {
		t.Errorf("one that came early is at %v", got)
	}
	if got := at(61*time.Second, plain); got != time.Minute {
		t.Errorf("one that waited is at %v", got)
	}
}

// A connection that was tunnelled or refused an hour into a run carried the time
// of the newest call, or of the run's start.
func TestANoteCarriesItsOwnTime(t *testing.T) {
	t.Parallel()
	r, _ := begin(t, clock.Live)
	e := &trail.Event{Kind: trail.Tunnelled, Tunnel: &trail.Tunnel{Host: "pricing.internal"}}
	if err := r.Append(e); err != nil {
		t.Fatal(err)
	}
	if !e.At.Time().After(start) {
		t.Errorf("it is at %v", e.At.Time())
	}
}
