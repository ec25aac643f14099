package run_test

import (
	"fmt"
	"testing"
	"time"

	"parity/fakes/clock"
	"parity/faults/run"
	"parity/faults/trail"
)

// A rule whose time had run out stood in the way of disarming those behind it.
func TestDisarmAllGoesOnPastARuleWhoseTimeHasRunOut(t *testing.T) {
	t.Parallel()
	r, _ := begin(t, clock.Stepped)
	free := func(string) bool { return false }
	for _, rule := range []struct {
		name string
		ttl  time.Duration
	}{{"first", 0}, {"over", time.Minute}, {"last", 0}} {
		if _, err := r.Arm(trail.Arming{Name: rule.name, Text: "x"}, rule.ttl, free); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.DecideAt(start.Add(time.Hour), write(t, "ch_1")); err != nil {
		t.Fatal(err)
	}
	names, err := r.DisarmAll()
	if err != nil || fmt.Sprint(names) != "[first last]" {
		t.Errorf("disarmed %v, %v", names, err)
	}
	if left := r.State().Armed; len(left) > 0 {
		t.Errorf("still armed: %v", left)
	}
}

// After a rollback the run went on with the worlds that were undone among those
// that it looks back at, and its record with those of the snapshot.
func TestPastAfterARollbackIsThatOfTheRecord(t *testing.T) {
	t.Parallel()
	r, s := begin(t, clock.Stepped)
	folded := r.State() // before which nothing has happened but the start
	skip := len(s.events)
	at := start
	made := 0
	more := func(n int) {
		for range n {
			at, made = at.Add(time.Second), made+1
			if _, err := r.DecideAt(at, write(t, fmt.Sprint("ch_", made))); err != nil {
				t.Fatal(err)
			}
		}
	}
	more(10)
	if _, err := r.TakeSnapshot("s"); err != nil {
		t.Fatal(err)
	}
	back := at
	more(1200) // more than is remembered
	if err := r.RollBack("s"); err != nil {
		t.Fatal(err)
	}
	codec, err := trail.NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range s.events[skip:] {
		e, err := codec.ReadEvent(data)
		if err != nil {
			t.Fatal(err)
		}
		if err := folded.Fold(&e); err != nil {
			t.Fatal(err)
		}
	}
	look := func(turn *run.Turn) *trail.Event {
		for ago := time.Second; ago < 10*time.Second; ago += time.Second {
			live := turn.Past(ago)
			record := (&run.Turn{Now: turn.Now, State: &folded}).Past(ago)
			if live.Hash() != record.Hash() {
				t.Errorf("%v ago: %d charges live, %d by the record", ago, live.Len("stripe.charges"), record.Len("stripe.charges"))
			}
		}
		return nil
	}
	if _, err := r.DecideAt(back.Add(time.Millisecond), look); err != nil {
		t.Fatal(err)
	}
}
