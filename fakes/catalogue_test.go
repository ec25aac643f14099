package fakes_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes"
	"parity/fakes/world"
	"parity/specs"
)

func service(name, hash string, collections ...string) fakes.Service {
	s := fakes.Service{Name: name, Contract: &specs.Contract{Service: name, Hash: hash}}
	for _, c := range collections {
		s.Collections = append(s.Collections, world.Collection{Name: c})
	}
	return s
}

func catalogue(t *testing.T, services ...fakes.Service) *fakes.Catalogue {
	t.Helper()
	c, err := fakes.NewCatalogue(services...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A world has what the services keep, and a hidden place for timers; all runs
// begin with the same one.
func TestWorld(t *testing.T) {
	t.Parallel()
	c := catalogue(t, service("b", "2", "b.things"), service("a", "1", "a.things"))
	w, err := c.World()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.things", "b.things"}, w.Collections()); diff != "" {
		t.Error(diff)
	}
	tx := w.Begin()
	if _, err := tx.Insert(fakes.TimersCollection, "x", map[string]any{"due": 1}); err != nil {
		t.Error(err)
	}
	if again, _ := c.World(); again != w || again.Hash() == tx.Commit().Hash() {
		t.Error("another run begins with another world")
	}
	var names []string
	for _, one := range c.Collections() {
		names = append(names, one.Name)
		if one.Hidden != strings.HasPrefix(one.Name, "parity.") {
			t.Errorf("%s: hidden is %t", one.Name, one.Hidden)
		}
	}
	if diff := cmp.Diff([]string{fakes.TimersCollection, fakes.DeliveriesCollection, fakes.OutboxCollection, fakes.OrdersCollection, fakes.NotesCollection, fakes.JobsCollection, fakes.ApprovalsCollection, fakes.DraftsCollection, fakes.GrantsCollection, fakes.OverlayCollection, "a.things", "b.things"}, names); diff != "" {
		t.Error(diff)
	}
	twice := catalogue(t, service("a", "1", "things"), service("b", "2", "things"))
	if _, err := twice.World(); err == nil || !strings.Contains(err.Error(), `"things" is declared twice`) {
		t.Errorf("error %v", err)
	}
}

// The digest is of all services and contracts, in whatever order they came.
func TestHash(t *testing.T) {
	t.Parallel()
	a, b := service("a", "1"), service("b", "2")
	hash := catalogue(t, a, b).Hash()
	if again := catalogue(t, b, a).Hash(); again != hash || len(hash) != 64 {
		t.Errorf("%s, then %s", hash, again)
	}
	seen := map[string]string{hash: "a and b"}
	for name, other := range map[string]*fakes.Catalogue{
		"none":             catalogue(t),
		"a alone":          catalogue(t, a),
		"another contract": catalogue(t, a, service("b", "3")),
		"another name":     catalogue(t, a, service("c", "2")),
		"no contract":      catalogue(t, a, fakes.Service{Name: "b"}),
	} {
		if twin, twice := seen[other.Hash()]; twice {
			t.Errorf("%s and %s have one hash", name, twin)
		}
		seen[other.Hash()] = name
	}
}
