package run_test

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parity/fakes/clock"
	"parity/fakes/world"
	"parity/faults/run"
	"parity/faults/trail"
)

// sleeper is a run that can sleep, and its record.
type sleeper struct {
	*run.Run
	record *shelf
	codec  *trail.Codec
	failed error // why its record cannot be read
	origin run.State
	forks  []uint64
	kept   func(origin run.State, seq uint64) (run.State, bool)
}

// tester is a test, or one of many that a property is tried with.
type tester interface {
	Helper()
	Fatal(args ...any)
}

func newSleeper(t tester, mode clock.Mode) *sleeper {
	t.Helper()
	w, err := world.New(world.Collection{Name: "stripe.charges"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := clock.New(clock.Options{Mode: mode, Start: start, Step: time.Second}, start)
	if err != nil {
		t.Fatal(err)
	}
	codec, err := trail.NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	s := &sleeper{record: &shelf{}, codec: codec, origin: run.NewState(w, c)}
	s.again(t, s.origin.Fork())
	return s
}

// again makes the run anew, of a state.
func (s *sleeper) again(t tester, state run.State) {
	t.Helper()
	s.Run = run.New(run.Options{
		ID: "r", Seed: 7, State: state, Sink: s.record, Codec: s.codec, Wall: stopped{}, Events: s.events, Forks: s.forks,
		Origin: func() (run.State, error) { return s.origin.Fork(), nil },
		Kept: func(origin run.State, seq uint64) (run.State, bool) {
			if s.kept == nil {
				return run.State{}, false
			}
			return s.kept(origin, seq)
		},
	})
}

// stopped is a clock that stands.
type stopped struct{ clock.System }

func (stopped) Now() time.Time { return start.Add(time.Hour) }

func (s *sleeper) events(from uint64) iter.Seq2[trail.Event, error] {
	return func(yield func(trail.Event, error) bool) {
		if s.failed != nil {
			yield(trail.Event{}, s.failed)
			return
		}
		for _, data := range s.record.events[from-1:] {
			if !yield(s.codec.ReadEvent(data)) {
				return
			}
		}
	}
}

// Whatever is done to a run, one that slept in between goes on as one that did
// not: the same events, the same state.
func TestARunThatSleptGoesOnAsOneThatDidNot(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		mode := rapid.SampledFrom([]clock.Mode{clock.Stepped, clock.Live}).Draw(t, "mode")
		awake, slept := newSleeper(t, mode), newSleeper(t, mode)
		n := 0
		both := func(t *rapid.T, do func(*run.Run) error) {
			a, b := do(awake.Run), do(slept.Run)
			if fmt.Sprint(a) != fmt.Sprint(b) {
				t.Fatalf("%v, and after it slept %v", a, b)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"write": func(t *rapid.T) {
				n++
				id, of := fmt.Sprint("ch_", n%7), n
				both(t, func(r *run.Run) error {
					_, err := r.Decide(start.Add(time.Hour), time.Time{}, func(turn *run.Turn) *trail.Event {
						put := turn.Tx().Insert
						if _, there := turn.Tx().Get("stripe.charges", id); there {
							put = turn.Tx().Update
						}
						if _, err := put("stripe.charges", id, map[string]any{"id": id, "n": int64(of)}); err != nil {
							t.Fatal(err)
						}
						e := exchange()
						e.Exchange.Intent = turn.State.Tallies.Intend("me", fmt.Sprint(of%3), "POST", "", nil, turn.Unsettled)
						e.Exchange.Whole = of%2 == 0
						return e
					})
					return err
				})
			},
			"arrive": func(t *rapid.T) {
				both(t, func(r *run.Run) error { r.Arrived("0.1", r.Seq()); return nil })
			},
			"look": func(t *rapid.T) {
				both(t, func(r *run.Run) error {
					return r.Look(start.Add(time.Hour), func(turn *run.Turn) { _ = turn.Past(time.Second) })
				})
			},
			"snapshot": func(*rapid.T) { both(t, func(r *run.Run) error { _, err := r.TakeSnapshot("s"); return err }) },
			"back":     func(*rapid.T) { both(t, func(r *run.Run) error { return r.RollBack("s") }) },
			"reset":    func(*rapid.T) { both(t, (*run.Run).Reset) },
			"arm": func(*rapid.T) {
				both(t, func(r *run.Run) error {
					_, err := r.Arm(trail.Arming{Text: "x"}, time.Minute, func(string) bool { return false })
					return err
				})
			},
			"disarm": func(*rapid.T) { both(t, func(r *run.Run) error { _, err := r.DisarmAll(); return err }) },
			"move": func(*rapid.T) {
				both(t, func(r *run.Run) error {
					c := r.Clock()
					_, err := r.Move(clock.Move{To: r.Now().Add(time.Minute), Mode: c.Mode, Speed: c.Speed, Step: c.Step})
					return err
				})
			},
			"sleep": func(t *rapid.T) {
				if !slept.Sleep() || !slept.Asleep() {
					t.Fatal("it does not sleep")
				}
				if slept.Seq() != awake.Seq() || fmt.Sprint(slept.Clock()) != fmt.Sprint(awake.Clock()) || !slept.Now().Equal(awake.Now()) || !slept.Asleep() {
					t.Fatal("what is known of it while it sleeps")
				}
			},
			"save": func(t *rapid.T) {
				at := slept.State()
				slept.kept = func(origin run.State, seq uint64) (run.State, bool) {
					return rapidly(t, origin, at), seq >= at.Seq
				}
			},
			"": func(t *rapid.T) {
				if len(awake.record.events) != len(slept.record.events) {
					t.Fatalf("%d events, and after it slept %d", len(awake.record.events), len(slept.record.events))
				}
				for i, e := range awake.record.events {
					if !bytes.Equal(e, slept.record.events[i]) {
						t.Fatalf("event %d is another one", i+1)
					}
				}
			},
		})
		a, b := awake.State(), slept.State()
		if a.Inside() != b.Inside() {
			t.Fatalf("%s\nand after it slept\n%s", a.Inside(), b.Inside())
		}
		for _, at := range []uint64{awake.Seq(), awake.Seq() / 2, 1} {
			if at == 0 || at > awake.Seq() {
				continue
			}
			a, err := awake.At(at)
			if err != nil {
				t.Fatal(err)
			}
			b, err := slept.At(at)
			if err != nil || a.World.Hash() != b.World.Hash() || a.Counted() != b.Counted() || fmt.Sprint(a.Snapshots()) != fmt.Sprint(b.Snapshots()) {
				t.Fatalf("the state after event %d is another one: %v", at, err)
			}
		}
	})
}

// A run that cannot be read while it sleeps says so, loses nothing, and goes on
// once it can.
func TestARunThatDoesNotWakeSaysSoAndStays(t *testing.T) {
	t.Parallel()
	s := newSleeper(t, clock.Stepped)
	if _, err := s.Decide(start, time.Time{}, write(t, "ch_1")); err != nil {
		t.Fatal(err)
	}
	_, world, tallies := s.Hashes()
	s.Sleep()
	s.failed = errors.New("the disk is gone")
	if _, err := s.Decide(start, time.Time{}, write(t, "ch_2")); !errors.Is(err, s.failed) {
		t.Errorf("a call: %v", err)
	}
	if err := s.Wake(); !errors.Is(err, s.failed) || !s.Asleep() || s.Seq() != 1 {
		t.Errorf("%v, asleep %v, %d events", err, s.Asleep(), s.Seq())
	}
	if s.World().Len("stripe.charges") != 0 {
		t.Error("a world that nobody could read")
	}
	s.failed = nil
	if _, w, n := s.Hashes(); w != world || n != tallies || s.Asleep() {
		t.Error("it woke as another one")
	}
}

// A run with a call that waits to act has nobody who could rebuild what that needs.
// One that has ended needs nothing.
func TestWhatDoesNotSleep(t *testing.T) {
	t.Parallel()
	s := newSleeper(t, clock.Stepped)
	if _, err := s.Decide(start, time.Time{}, func(*run.Turn) *trail.Event {
		e := exchange()
		e.Kind = trail.Reserved
		return e
	}); err != nil {
		t.Fatal(err)
	}
	if s.Sleep() {
		t.Error("a call waits to act, and its run sleeps")
	}
	if err := s.Abandon(); err != nil {
		t.Fatal(err)
	}
	if !s.Sleep() {
		t.Error("nothing waits, and it does not sleep")
	}
	s.End()
	if state := s.State(); state.Seq != 2 || !s.Sleep() {
		t.Errorf("after its end: event %d", state.Seq)
	}
	if r, _ := begin(t, clock.Live); r.Sleep() {
		t.Error("it sleeps, though nothing could wake it")
	}
}
