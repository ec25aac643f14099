package run_test

import (
	"fmt"
	"iter"
	"runtime"
	"testing"
	"time"
	"weak"

	"parity/fakes/clock"
	"parity/fakes/world"
	"parity/faults/run"
	"parity/faults/trail"
)

// long is a run of n events, of which one in so many writes; it calls met after
// each.
func long(t *testing.T, n, one int, met func(*run.Run)) (r *run.Run, origin run.State, events func(uint64) iter.Seq2[trail.Event, error]) {
	t.Helper()
	w, err := world.New(world.Collection{Name: "stripe.charges"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := clock.New(clock.Options{Mode: clock.Stepped, Start: start, Step: time.Second}, start)
	if err != nil {
		t.Fatal(err)
	}
	codec, err := trail.NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	kept := &tape{codec: codec}
	origin = run.NewState(w, c)
	r = run.New(run.Options{ID: "r", Seed: 7, State: origin.Fork(), Sink: kept, Codec: codec, Wall: clock.System{}, Events: kept.from})
	for i := range n {
		_, err := r.Decide(start, time.Time{}, func(turn *run.Turn) *trail.Event {
			if i%one == 0 {
				id := fmt.Sprint("ch_", i%50)
				write := turn.Tx().Insert
				if _, there := turn.Tx().Get("stripe.charges", id); there {
					write = turn.Tx().Update
				}
				if _, err := write("stripe.charges", id, charge(i)); err != nil {
					t.Error(err)
				}
			}
			return exchange()
		})
		if err != nil {
			t.Fatal(err)
		}
		met(r)
	}
	return r, origin, kept.from
}

// A run kept the world after every event for its checkpoints: 9 KB of memory
// for each record that was created.
func TestARunDoesNotKeepTheWorldAfterEachEvent(t *testing.T) {
	t.Parallel()
	const n = 6000
	var worlds []weak.Pointer[world.World]
	r, _, _ := long(t, n, 1, func(r *run.Run) { worlds = append(worlds, weak.Make(r.World())) })
	runtime.GC()
	kept := 0
	for _, w := range worlds {
		if w.Value() != nil {
			kept++
		}
	}
	if kept > 2100 { // up to 1,024 each of the newest, and of the first checkpoint
		t.Errorf("%d of %d worlds are kept", kept, n)
	}
	runtime.KeepAlive(r)
}

// A state of the past remembers what it did at the time, whichever checkpoints
// are near.
func TestAStateOfThePastHasItsOwnPast(t *testing.T) {
	t.Parallel()
	for _, one := range []int{1, 12} { // in so many writes
		r, folded, events := long(t, 9500, one, func(*run.Run) {})
		at := []uint64{700, 3000, 9400}
		for e, err := range events(1) {
			if err == nil {
				err = folded.Fold(&e)
			}
			if err != nil {
				t.Fatal(err)
			}
			if e.Seq != at[0] {
				continue
			}
			if at = at[1:]; e.Seq > 0 {
				state, err := r.At(e.Seq)
				if err != nil {
					t.Fatal(err)
				}
				want, got := pastOf(t, folded.Fork()), pastOf(t, state)
				for ago := range want {
					if got[ago] != want[ago] {
						t.Errorf("one in %d writes, event %d, %v ago: another world", one, e.Seq, ago)
					}
				}
			}
			if len(at) == 0 {
				break
			}
		}
	}
}

// pastOf gives the hashes of the worlds of some time ago.
func pastOf(t *testing.T, s run.State) map[time.Duration]string {
	t.Helper()
	codec, err := trail.NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	r, seen := run.New(run.Options{ID: "f", State: s, Sink: &tape{drop: true}, Codec: codec, Wall: clock.System{}}), map[time.Duration]string{}
	_, err = r.DecideAside(start, func(turn *run.Turn) *trail.Event {
		for _, ago := range []int{0, 1, 100, 400, 600, 900, 1100, 3000, 5000, 100_000} {
			d := time.Duration(ago) * time.Second
			seen[d] = turn.Past(d).Hash()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return seen
}
