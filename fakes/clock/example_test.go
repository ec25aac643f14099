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
