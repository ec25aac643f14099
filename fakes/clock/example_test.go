package clock_test

import (
	"fmt"
	"time"

	"parity/fakes/clock"
)

func Example() {
	wall := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC) // clock.System{}.Now() outside tests
	run, err := clock.New(clock.Options{Mode: clock.Stepped, Start: time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)}, wall)
	if err != nil {
		fmt.Println(err)
		return
	}
	first, run := run.Tick(wall)
	// The client is told to wait half a minute, and does.
	run = run.Promised(first.Add(30*time.Second), wall.Add(30*time.Second))
	second, run := run.Tick(wall.Add(31 * time.Second))
	third, _ := run.Tick(wall.Add(31 * time.Second))
	fmt.Println(first.Format(time.TimeOnly), second.Format(time.TimeOnly), third.Format(time.TimeOnly))
	// Output: 13:00:00 13:00:30 13:00:31
}

// A run is frozen, set on by a day and thawed; a fold of the journal, which
// keeps the moves and has no wall, gives the same clock.
func ExampleState_Apply() {
	wall := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	begun, err := clock.New(clock.Options{Start: time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)}, wall)
	if err != nil {
		fmt.Println(err)
		return
	}
	var journal []clock.Move
	frozen := begun.Freeze(wall.Add(time.Minute))
	journal = append(journal, frozen.Move())
	moved := frozen.Moved(wall.Add(time.Hour), frozen.Now(wall.Add(time.Hour)).Add(24*time.Hour))
	journal = append(journal, moved.Move())

	folded := begun
	for _, m := range journal {
		if folded, err = folded.Apply(time.Time{}, m); err != nil {
			fmt.Println(err)
			return
		}
	}
	instant, _ := moved.Thaw(wall.Add(2 * time.Hour)).Tick(wall.Add(2*time.Hour + time.Second))
	fmt.Println(moved.Next.Format(time.DateTime), folded.Next.Equal(moved.Next), folded.Frozen)
	fmt.Println(instant.Format(time.DateTime))
	// Output:
	// 2026-03-03 13:01:00 true true
	// 2026-03-03 13:01:01
}
