package run_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parity/fakes/clock"
	"parity/fakes/world"
	"parity/faults/run"
	"parity/faults/trail"
)

// A state that was saved and loaded, and has folded what came after, is that of
// all events, with its past, its snapshots and where it goes back to; and so at
// whichever events it was saved.
func TestASavedStateGoesOnAsThatOfAllEvents(t *testing.T) {
	t.Parallel()
	for _, one := range []int{1, 7} { // in so many writes
		r, folded, events := long(t, 2600, one, func(r *run.Run) {
			var err error
			switch seq := r.Seq(); {
			case seq == 300 || seq == 900:
				_, err = r.TakeSnapshot(fmt.Sprint("s", seq))
			case seq == 1000:
				err = r.Revise("wide", trail.Collection{Name: "stripe.refunds"}, trail.Collection{Name: "stripe.charges", Indexes: []string{"customer"}})
			case seq == 1200:
				err = r.RollBack("s300")
			case seq == 1500:
				_, err = r.Arm(trail.Arming{Text: "x"}, time.Hour, func(string) bool { return false })
			case seq == 1900:
				err = r.Reset()
			}
			if err != nil {
				t.Fatal(err)
			}
		})
		origin := folded.Fork()
		kept := map[uint64]run.State{}
		for e, err := range events(1) {
			if err != nil {
				t.Fatal(err)
			}
			for at, s := range kept {
				if err := s.Fold(&e); err != nil {
					t.Fatal(at, err)
				}
				kept[at] = s
			}
			if err := folded.Fold(&e); err != nil {
				t.Fatal(err)
			}
			switch e.Seq {
			case 1, 299, 301, 905, 1001, 1202, 1600, 1901, 2300:
				s, err := origin.Loaded(folded.Saved())
				if err != nil || s.Inside() != folded.Inside() {
					t.Fatalf("one in %d writes, event %d: it is another state, %v", one, e.Seq, err)
				}
				kept[e.Seq] = s
			}
		}
		for at, s := range kept {
			if s.Inside() != folded.Inside() {
				t.Errorf("one in %d writes: saved at event %d, it goes on as another", one, at)
			}
		}
		if s, err := origin.Loaded(must(t, r).Saved()); err != nil || s.Inside() != folded.Inside() {
			t.Errorf("one in %d writes: what a run that goes on saves is another state, %v", one, err)
		}
	}
}

func must(t *testing.T, r *run.Run) *run.State {
	t.Helper()
	s := r.State()
	return &s
}

// What is kept of a run is of no use where its events do not follow it: then they
// are folded from the first.
func TestEventsAreFoldedWhereWhatIsKeptLeadsNowhere(t *testing.T) {
	t.Parallel()
	for name, kept := range map[string]func(s *sleeper, origin run.State) (run.State, bool){
		"nothing is kept": func(*sleeper, run.State) (run.State, bool) { return run.State{}, false },
		"of another run": func(_ *sleeper, origin run.State) (run.State, bool) {
			other := newSleeper(t, clock.Stepped)
			for i := range 2 {
				if _, err := other.Decide(start, time.Time{}, write(t, fmt.Sprint("ch_", i+3))); err != nil {
					t.Fatal(err)
				}
			}
			s, err := origin.Loaded(must(t, other.Run).Saved())
			return s, err == nil
		},
	} {
		s := newSleeper(t, clock.Stepped)
		s.kept = func(origin run.State, _ uint64) (run.State, bool) { return kept(s, origin) }
		for i := range 4 {
			if _, err := s.Decide(start, time.Time{}, write(t, fmt.Sprint("ch_", i+1))); err != nil {
				t.Fatal(err)
			}
		}
		_, hash, tallies := s.Hashes()
		s.Sleep()
		if _, w, n := s.Hashes(); w != hash || n != tallies {
			t.Errorf("%s: it woke as another one", name)
		}
	}
}

// A fork goes back to where it began, also where it is rebuilt from what is kept
// of the run that it was forked from.
func TestAForkOfWhatIsKeptGoesBackToWhereItBegan(t *testing.T) {
	t.Parallel()
	base := newSleeper(t, clock.Stepped)
	for i := range 3 {
		if _, err := base.Decide(start, time.Time{}, write(t, fmt.Sprint("ch_", i))); err != nil {
			t.Fatal(err)
		}
	}
	saved, state := must(t, base.Run).Saved(), base.State()
	state.Rebase()
	record := &shelf{events: append([][]byte(nil), base.record.events...)}
	fork := newSleeper(t, clock.Stepped)
	fork.record, fork.forks = record, []uint64{3}
	fork.kept = func(origin run.State, seq uint64) (run.State, bool) {
		s, err := origin.Loaded(saved)
		return s, err == nil && seq >= s.Seq
	}
	fork.again(t, state)
	if _, err := fork.Decide(start, time.Time{}, write(t, "ch_4")); err != nil {
		t.Fatal(err)
	}
	if !fork.Sleep() {
		t.Fatal("it does not sleep")
	}
	if err := fork.Reset(); err != nil || fork.World().Len("stripe.charges") != 3 {
		t.Errorf("it goes back to %d charges, %v", fork.World().Len("stripe.charges"), err)
	}
}

// Calls that wait are given up by the gateway after, from what is kept as from
// all events.
func TestWhatWaitsIsSaved(t *testing.T) {
	t.Parallel()
	s := newSleeper(t, clock.Stepped)
	origin := s.State()
	if _, err := s.Decide(start, time.Time{}, func(turn *run.Turn) *trail.Event {
		e := write(t, "ch_1")(turn)
		e.Kind = trail.Reserved
		return e
	}); err != nil {
		t.Fatal(err)
	}
	state, err := origin.Loaded(must(t, s.Run).Saved())
	if err != nil || !state.Waits(1) {
		t.Fatal("nothing waits", err)
	}
	s.again(t, state)
	if err := s.Abandon(); err != nil || s.World().Len("stripe.charges") != 0 || s.Seq() != 2 {
		t.Errorf("%d charges, event %d, %v", s.World().Len("stripe.charges"), s.Seq(), err)
	}
}

// BenchmarkSaved is what it costs to save a run of many records, and to load it,
// beside folding its events.
func BenchmarkSaved(b *testing.B) {
	const events = 10_000
	codec, err := trail.NewCodec()
	if err != nil {
		b.Fatal(err)
	}
	w, err := world.New(world.Collection{Name: "stripe.charges", Indexes: []string{"customer"}})
	if err != nil {
		b.Fatal(err)
	}
	origin, kept := run.NewState(w, clock.State{Options: clock.Options{Mode: clock.Stepped, Step: time.Second}, Next: start}), &tape{codec: codec}
	r := run.New(run.Options{ID: "r", State: origin.Fork(), Sink: kept, Codec: codec, Wall: clock.System{}, Events: kept.from})
	for i := range events {
		if _, err := r.Decide(start, time.Time{}, func(turn *run.Turn) *trail.Event {
			if _, err := turn.Tx().Insert("stripe.charges", fmt.Sprint("ch_", i), charge(i)); err != nil {
				b.Error(err)
			}
			return exchange()
		}); err != nil {
			b.Fatal(err)
		}
	}
	state := r.State()
	saved := state.Saved()
	b.Run("save", func(b *testing.B) {
		for b.Loop() {
			_ = state.Saved()
		}
	})
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			if _, err := origin.Loaded(saved); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("fold", func(b *testing.B) {
		for b.Loop() {
			s := origin.Fork()
			for e, err := range kept.from(1) {
				if err == nil {
					err = s.Fold(&e)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

// rapidly saves a state and loads it beside its origin, in a property.
func rapidly(t *rapid.T, origin, s run.State) run.State {
	got, err := origin.Loaded(s.Saved())
	if err != nil || got.Inside() != s.Inside() {
		t.Fatalf("%v:\n%s\nis saved as\n%s", err, s.Inside(), got.Inside())
	}
	return got
}
