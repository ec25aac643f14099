package run_test

import (
	"fmt"
	"time"

	"parity/fakes/clock"
	"parity/fakes/world"
	"parity/faults/run"
	"parity/faults/trail"
)

// A run's state is folded from its events, and a fork of it goes on apart.
func ExampleState_Fold() {
	empty, err := world.New(world.Collection{Name: "notes.notes"})
	if err != nil {
		fmt.Println(err)
		return
	}
	tx := empty.Begin()
	if _, err := tx.Insert("notes.notes", "n-1", map[string]any{"text": "buy milk"}); err != nil {
		fmt.Println(err)
		return
	}
	tx.Commit()

	began := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	ticks, err := clock.New(clock.Options{Mode: clock.Stepped, Start: began}, began)
	if err != nil {
		fmt.Println(err)
		return
	}
	state := run.NewState(empty, ticks)
	for _, e := range []*trail.Event{
		{Seq: 1, Kind: trail.Snapshotted, At: trail.At(began), Snapshot: &trail.Snapshot{Name: "before", Seq: 1}},
		{Seq: 2, Kind: trail.WorldEdited, At: trail.At(began), Delta: tx.Changes()},
	} {
		if err := state.Fold(e); err != nil {
			fmt.Println(err)
			return
		}
	}
	fork := state.Fork()
	back := &trail.Event{Seq: 3, Kind: trail.RolledBack, At: trail.At(began), Snapshot: &trail.Snapshot{Name: "before", Seq: 1}}
	if err := fork.Fold(back); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("run:", state.World.Len("notes.notes"), "note after event", state.Seq)
	fmt.Println("fork:", fork.World.Len("notes.notes"), "notes after event", fork.Seq)
	// Output:
	// run: 1 note after event 2
	// fork: 0 notes after event 3
}
