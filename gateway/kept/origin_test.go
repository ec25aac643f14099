package kept

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"parity/fakes/builtin"
	"parity/fakes/clock"
	"parity/faults/trail"
	"parity/profiles"
)

// Each run whose clock begins when it is made, and not at a set start, made the
// world of its fixtures anew: 40 ms in place of 3.
func TestRunsOfOneSeedShareTheWorldOfTheirFixtures(t *testing.T) {
	t.Parallel()
	catalogue, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "profile.yaml")
	if err := os.WriteFile(file, []byte("profile: p\nservices: {stripe: {fixtures: [billing-messy]}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := profiles.Load(file, profiles.Options{Catalogue: catalogue})
	if err != nil {
		t.Fatal(err)
	}
	kept := NewWorlds()
	begun := func(at time.Time, seed uint64) *trail.Event {
		c, err := clock.New(clock.Options{Mode: clock.Live}, at)
		if err != nil {
			t.Fatal(err)
		}
		e := Started(p, c, seed)
		e.At = trail.At(at)
		return e
	}
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	world := func(e *trail.Event) any {
		s, err := kept.Origin(e, p)
		if err != nil {
			t.Fatal(err)
		}
		if s.Began != e.At.Time() {
			t.Errorf("it began at %s, and not at %s", s.Began, e.At.Time())
		}
		return s.World
	}
	first := world(begun(noon.Add(time.Nanosecond), 7))
	if world(begun(noon.Add(59*time.Second), 7)) != first {
		t.Error("a run that begins in the same minute has a world of its own")
	}
	if world(begun(noon.Add(time.Minute), 7)) == first || world(begun(noon, 8)) == first {
		t.Error("a minute later, or of another seed, it is the same world")
	}
	before := begun(noon.Add(time.Second), 7) // as earlier versions began
	before.Start.Filled = 0
	if world(before) == first {
		t.Error("a run whose record names no instant of its fixtures has another world than it had")
	}
}
