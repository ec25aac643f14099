package profiles_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parity/profiles"
)

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Somebody who has a world of their own, and is told to try lost-replies, keeps
// that world.
func TestProfilesNamedTogetherAreLayersOfOne(t *testing.T) {
	dir, away := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "mine.yaml"), "profile: mine\nseed: 7\nservices:\n  stripe: {fixtures: [billing-messy, ./own.yaml]}\nfaults:\n  slow:\n    call: stripe GET /v1/customers\n    inject: latency\n    with: {fixed: 10ms}\n    trigger: {nth: 1}\n")
	write(t, filepath.Join(dir, "own.yaml"), "stripe.customers:\n  - {id: cus_own1, name: Ann}\n")
	write(t, filepath.Join(away, "late.yaml"), "profile: late\nextends: [./base.yaml]\nseed: 9\n")
	write(t, filepath.Join(away, "base.yaml"), "profile: base\nfaults:\n  slow: {with: {fixed: 20ms}}\n")
	o := options(t, dir)
	name := profiles.Layered("mine.yaml", filepath.Join(away, "late.yaml"), "lost-replies")
	p, err := profiles.Load(name, o)
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "mine-with-late-with-lost-replies" || p.Path != name {
		t.Errorf("it is called %q, and was loaded by %q", p.Name, p.Path)
	}
	if len(p.Start.Files) != 2 {
		t.Errorf("the world of mine.yaml is gone: %d files of fixtures", len(p.Start.Files))
	}
	if p.Seed == nil || *p.Seed != 9 {
		t.Error("the last layer with a seed does not win")
	}
	var names []string
	for _, r := range p.Rules {
		names = append(names, r.Name)
		if r.Name == "slow" && !r.Required {
			t.Error("a rule with nth in a profile that was named is not required")
		}
	}
	if !slices.Contains(names, "slow") || len(names) < 2 {
		t.Errorf("not the rules of all layers: %v", names)
	}
	if !strings.Contains(string(p.Content), "20ms") {
		t.Error("a later layer does not change a rule of an earlier one")
	}
	again, err := profiles.Parse("kept", p.Content, profiles.Options{Catalogue: o.Catalogue, Dir: dir, Wall: o.Wall, Start: &p.Start})
	if err != nil || again.Revision != p.Revision {
		t.Errorf("what is kept of it is not read back: %v", err)
	}
}

func TestALayerThatIsNotThereIsNamed(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "mine.yaml"), "profile: mine\n")
	_, err := profiles.Load("mine.yaml + lost-repies", options(t, dir))
	if err == nil || !strings.Contains(err.Error(), `did you mean "lost-replies"`) && !strings.Contains(err.Error(), "lost-replies") {
		t.Errorf("the error is %v", err)
	}
}

func TestLayersAreKeptApartFromTheirParts(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"mine.yaml", "other.yaml"} {
		write(t, filepath.Join(dir, name), "profile: "+strings.TrimSuffix(name, ".yaml")+"\nworld: empty\nservices: {stripe: {}}\n")
	}
	o, kept := options(t, dir), filepath.Join(dir, "kept")
	for _, name := range []string{"mine.yaml", "mine.yaml + other.yaml", "other.yaml + mine.yaml", "mine.yaml + lost-replies"} {
		p, err := profiles.Load(name, o)
		if err == nil {
			err = profiles.Keep(kept, name, p, o)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	files, err := os.ReadDir(kept)
	if err != nil || len(files) != 4 {
		t.Errorf("%d profiles were kept of four: %v", len(files), err)
	}
	p, err := profiles.LastGood(kept, "mine.yaml + lost-replies", o)
	if err != nil || p.Name != "mine-with-lost-replies" {
		t.Errorf("the last good one is %v: %v", p, err)
	}
}
