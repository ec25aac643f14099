package run_test

import (
	"testing"
	"time"

	"parity/fakes/clock"
	"parity/fakes/world"
	"parity/faults/run"
	"parity/faults/trail"
)

// note is a decision that keeps one record of a collection that a revision
// brought.
func note(t *testing.T, id string) func(*run.Turn) *trail.Event {
	return func(turn *run.Turn) *trail.Event {
		if _, err := turn.Tx().Insert("crm.contacts", id, map[string]any{"id": id}); err != nil {
			t.Error(err)
		}
		return exchange()
	}
}

func TestARevisionBringsCollectionsThatStay(t *testing.T) {
	t.Parallel()
	r, s := begin(t, clock.Stepped)
	contacts := world.Collection{Name: "crm.contacts", Indexes: []string{"email"}}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	decide := func(d func(*run.Turn) *trail.Event) {
		t.Helper()
		_, err := r.Decide(start, time.Time{}, d)
		do(err)
	}
	decide(write(t, "ch_1"))
	_, err := r.TakeSnapshot("before")
	do(err)
	do(r.Revise("c3d4", contacts, world.Collection{Name: "stripe.charges"}))
	decide(note(t, "1"))
	do(r.Revise("e5f6", contacts)) // which is there
	do(r.RollBack("before"))
	decide(note(t, "2"))
	do(r.Reset())
	decide(note(t, "3"))
	if n := r.World().Len("crm.contacts"); n != 1 || r.World().Len("stripe.charges") != 0 {
		t.Errorf("%d contacts and %d charges after a reset and one more", n, r.World().Len("stripe.charges"))
	}
	codec, err := trail.NewCodec()
	do(err)
	before, err := world.New(world.Collection{Name: "stripe.charges"})
	do(err)
	c, err := clock.New(clock.Options{Mode: clock.Stepped, Start: start}, start)
	do(err)
	folded := run.NewState(before, c)
	brought := 0
	for _, data := range s.events {
		e, err := codec.ReadEvent(data)
		do(err)
		brought += len(e.Declared)
		do(folded.Fold(&e))
	}
	if _, want, _ := r.Hashes(); folded.World.Hash() != want {
		t.Error("the journal folds to another world")
	}
	if brought != 1 {
		t.Errorf("%d collections are said to be new; want one, once", brought)
	}
}
