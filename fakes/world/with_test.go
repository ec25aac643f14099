package world_test

import (
	"fmt"
	"testing"

	"parity/fakes/world"
)

func idsOf(w *world.World, collection, field, value string) (all []string) {
	for r := range w.Find(collection, field, value, 0) {
		all = append(all, r.ID)
	}
	return all
}

func put(t *testing.T, w *world.World, collection, id string, value map[string]any) *world.World {
	t.Helper()
	tx := w.Begin()
	if _, err := tx.Insert(collection, id, value); err != nil {
		t.Fatal(err)
	}
	return tx.Commit()
}

func TestWithAddsCollectionsAndLeavesTheOthers(t *testing.T) {
	t.Parallel()
	before := put(t, declared(t, world.Collection{Name: "a.things", Indexes: []string{"of"}}), "a.things", "1", map[string]any{"of": "x"})
	hash := before.Hash()
	after, err := before.With(world.Collection{Name: "b.things"}, world.Collection{Name: "a.things", Indexes: []string{"of"}})
	if err != nil {
		t.Fatal(err)
	}
	if after.Hash() != hash || before.Hash() != hash {
		t.Error("an empty collection changes the hash")
	}
	if got := idsOf(after, "a.things", "of", "x"); len(got) != 1 {
		t.Errorf("a.things has %v", got)
	}
	more := put(t, after, "b.things", "1", map[string]any{"of": "x"})
	if more.Len("b.things") != 1 || after.Len("b.things") != 0 || before.Len("b.things") != 0 {
		t.Error("a write to the new collection shows in another world")
	}
	if _, err := before.Begin().Insert("b.things", "1", map[string]any{}); err == nil {
		t.Error("the world before has the new collection")
	}
	if again, err := after.With(after.Declared()...); err != nil || again != after {
		t.Errorf("With what is there makes another world, %v", err)
	}
}

func TestWithIndexesTheRecordsThatAreThere(t *testing.T) {
	t.Parallel()
	w := declared(t, world.Collection{Name: "a.things", Indexes: []string{"of"}})
	for _, id := range []string{"1", "2", "3"} {
		w = put(t, w, "a.things", id, map[string]any{"of": "x", "in": "y" + id, "at": int64(len(id))})
	}
	wide, err := w.With(world.Collection{Name: "a.things", Indexes: []string{"in"}, Sorted: []string{"at"}})
	if err != nil {
		t.Fatal(err)
	}
	if d := wide.Declared(); len(d) != 1 || len(d[0].Indexes) != 2 || len(d[0].Sorted) != 1 {
		t.Errorf("declared as %+v; want what it had and what is new", d)
	}
	tx := wide.Begin()
	if _, err := tx.Update("a.things", "2", map[string]any{"of": "z", "in": "y2", "at": int64(2)}); err != nil {
		t.Fatal(err)
	}
	if err := tx.Delete("a.things", "3"); err != nil {
		t.Fatal(err)
	}
	wide = tx.Commit()
	wide = put(t, wide, "a.things", "4", map[string]any{"of": "z", "in": "y2", "at": int64(0)})
	for _, c := range []struct {
		field, value string
		want         int
	}{{"of", "x", 1}, {"of", "z", 2}, {"in", "y1", 1}, {"in", "y2", 2}, {"in", "y3", 0}} {
		if got := idsOf(wide, "a.things", c.field, c.value); len(got) != c.want {
			t.Errorf("%s=%s finds %v", c.field, c.value, got)
		}
	}
	var walk []string
	for r := range wide.Ascending("a.things", "at", -100) {
		walk = append(walk, r.ID)
	}
	if fmt.Sprint(walk) != "[4 1 2]" {
		t.Errorf("by at: %v", walk)
	}
	if w.Len("a.things") != 3 || len(w.Declared()[0].Indexes) != 1 {
		t.Error("the world before has changed")
	}
}

// What another world did can be folded onto this one, before and after.
func TestWithFollowsDeltas(t *testing.T) {
	t.Parallel()
	start := declared(t, world.Collection{Name: "a.things"})
	tx := start.Begin()
	if _, err := tx.Insert("a.things", "1", map[string]any{"n": 1}); err != nil {
		t.Fatal(err)
	}
	first := tx.Changes()
	w, err := tx.Commit().With(world.Collection{Name: "b.things", Hidden: true})
	if err != nil {
		t.Fatal(err)
	}
	tx = w.Begin()
	if _, err := tx.Insert("b.things", "1", map[string]any{"n": 2}); err != nil {
		t.Fatal(err)
	}
	want := tx.Commit().Hash()
	again, err := start.Apply(first)
	if err == nil {
		again, err = again.With(world.Collection{Name: "b.things", Hidden: true})
	}
	if err == nil {
		again, err = again.Apply(tx.Changes())
	}
	if err != nil || again.Hash() != want {
		t.Errorf("folded to another world, %v", err)
	}
}

func TestWithRefusesWhatIsNoDeclaration(t *testing.T) {
	t.Parallel()
	w := declared(t, world.Collection{Name: "a.things"})
	for _, c := range []world.Collection{{}, {Name: "b.things", Indexes: []string{"a..b"}}, {Name: "a.things", Sorted: []string{""}}} {
		if _, err := w.With(c); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
}

func declared(t *testing.T, collections ...world.Collection) *world.World {
	t.Helper()
	w, err := world.New(collections...)
	if err != nil {
		t.Fatal(err)
	}
	return w
}
