package kept

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"parity/fakes/builtin"
	"parity/fakes/clock"
	"parity/fakes/world"
	"parity/faults/trail"
	"parity/profiles"
)

func loaded(t *testing.T, content string) *profiles.Profile {
	t.Helper()
	catalogue, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "profile.yaml")
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := profiles.Load(file, profiles.Options{Catalogue: catalogue})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Each run draws a seed where nobody gives it one, and made a world of its own:
// of 10,000 records it took a second and 47 MB.
func TestRunsOfAnySeedShareTheirWorldWhereTheProfileSaysSo(t *testing.T) {
	t.Parallel()
	const people = "data: {stripe.customers: {count: 5}}\n"
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name, profile string
		shared        bool
	}{
		{"data", "profile: p\nservices: {stripe: {}}\n" + people, false},
		{"data with a seed of its own", "profile: p\nservices: {stripe: {}}\ndata_seed: 7\n" + people, true},
		{"friendly", "profile: p\nservices: {stripe: {}}\n", true},
	} {
		p, kept := loaded(t, test.profile), NewWorlds()
		var worlds [2]*world.World
		for i := range worlds {
			c, err := clock.New(clock.Options{Mode: clock.Live}, noon)
			if err != nil {
				t.Fatal(err)
			}
			s, err := kept.Origin(Started(p, c, uint64(i)), p)
			if err != nil {
				t.Fatal(err)
			}
			worlds[i] = s.World
		}
		if worlds[0] == worlds[1] != test.shared || worlds[0].Hash() == worlds[1].Hash() != test.shared {
			t.Errorf("%s: runs of two seeds begin with one world: want %v", test.name, test.shared)
		}
	}
}

// Each run whose clock begins when it is made, and not at a set start, made the
// world of its fixtures anew: 40 ms in place of 3.
func TestRunsOfOneSeedShareTheWorldOfTheirFixtures(t *testing.T) {
	t.Parallel()
	p := loaded(t, "profile: p\nservices: {stripe: {fixtures: [billing-messy]}}\n")
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
	begins := func(e *trail.Event) any {
		s, err := kept.Origin(e, p)
		if err != nil {
			t.Fatal(err)
		}
		if s.Began != e.At.Time() {
			t.Errorf("it began at %s, and not at %s", s.Began, e.At.Time())
		}
		return s.World
	}
	first := begins(begun(noon.Add(time.Nanosecond), 7))
	if begins(begun(noon.Add(59*time.Second), 7)) != first {
		t.Error("a run that begins in the same minute has a world of its own")
	}
	if begins(begun(noon.Add(time.Minute), 7)) == first || begins(begun(noon, 8)) == first {
		t.Error("a minute later, or of another seed, it is the same world")
	}
	before := begun(noon.Add(time.Second), 7) // as earlier versions began
	before.Start.Filled = 0
	if begins(before) == first {
		t.Error("a run whose record names no instant of its fixtures has another world than it had")
	}
}
