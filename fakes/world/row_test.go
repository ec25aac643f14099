package world_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"parity/fakes/world"
)

// A row is what Oldest or Find walks over, at every place and both ways, with
// and without gaps in its orders.
func TestRowIsWhatAWalkMeets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, err := world.New(world.Collection{Name: "x.things", Indexes: []string{"kind"}})
		if err != nil {
			t.Fatal(err)
		}
		tx := w.Begin()
		for i := range rapid.IntRange(0, 60).Draw(t, "made") {
			kind := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "kind")
			if _, err := tx.Insert("x.things", fmt.Sprint(i), map[string]any{"kind": kind}); err != nil {
				t.Fatal(err)
			}
		}
		for range rapid.IntRange(0, 5).Draw(t, "gone") {
			_ = tx.Delete("x.things", fmt.Sprint(rapid.IntRange(0, 60).Draw(t, "id"))) // it may be gone already
		}
		field, value := "", ""
		all := slices.Collect(tx.Oldest("x.things", 0))
		if rapid.Bool().Draw(t, "indexed") {
			field, value = "kind", "a"
			all = slices.Collect(tx.Find("x.things", field, value, 0))
			slices.Reverse(all)
		}
		row, ok := tx.Row("x.things", field, value)
		if !ok || row.Len() != len(all) {
			t.Fatalf("a row of %d, %t; want %d", row.Len(), ok, len(all))
		}
		for i, r := range all {
			if got := row.Rank(r.Order); got != i {
				t.Fatalf("the record of order %d has the rank %d, want %d", r.Order, got, i)
			}
			if up := slices.Collect(row.From(i, false)); !slices.Equal(up, all[i:]) {
				t.Fatalf("from %d on: %d records, want %d", i, len(up), len(all)-i)
			}
			down := slices.Collect(row.From(i, true))
			slices.Reverse(down)
			if !slices.Equal(down, all[:i+1]) {
				t.Fatalf("from %d down: %d records, want %d", i, len(down), i+1)
			}
		}
		for r := range tx.Oldest("x.things", 0) {
			if row.Holds(r) != slices.Contains(all, r) {
				t.Fatalf("Holds is %t for %s", row.Holds(r), r.ID)
			}
		}
	})
}

func TestTextsOfAnIndex(t *testing.T) {
	t.Parallel()
	w, err := world.New(world.Collection{Name: "x.things", Indexes: []string{"kind"}})
	if err != nil {
		t.Fatal(err)
	}
	tx := w.Begin()
	for i, kind := range []any{"a", "b", "a", int64(7), []any{"no text"}, nil} {
		if _, err := tx.Insert("x.things", fmt.Sprint(i), map[string]any{"kind": kind}); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Delete("x.things", "1"); err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(tx.Texts("x.things", "kind")); !slices.Equal(got, []string{"7", "a"}) {
		t.Errorf("the index knows %v", got)
	}
	for _, field := range []string{"colour", ""} {
		if got := slices.Collect(tx.Texts("x.things", field)); got != nil {
			t.Errorf("an index that is not there knows %v", got)
		}
	}
}

func TestRowOfAFieldWithoutAnIndexIsNone(t *testing.T) {
	t.Parallel()
	w, err := world.New(world.Collection{Name: "x.things", Indexes: []string{"kind"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := w.Begin().Row("x.things", "colour", "red"); ok {
		t.Error("there is a row of a field that no index knows")
	}
	if row, ok := w.Begin().Row("x.others", "", ""); !ok || row.Len() != 0 {
		t.Error("a collection that is not declared reads as an empty one")
	}
}

// A page reads what is on it, however many records there are, and a row stays
// as it was when it was taken.
func TestRowReadsWhatIsWalkedOver(t *testing.T) {
	t.Parallel()
	w, err := world.New(world.Collection{Name: "x.things", Indexes: []string{"kind"}})
	if err != nil {
		t.Fatal(err)
	}
	tx := w.Begin()
	for i := range 5000 {
		if _, err := tx.Insert("x.things", fmt.Sprint(i), map[string]any{"kind": "a"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, field := range []string{"", "kind"} {
		work := &world.Work{Left: 1000}
		tx.Within(work)
		row, _ := tx.Row("x.things", field, "a")
		if row.Rank(2500) != 2499 || work.Left != 1000 {
			t.Errorf("by %q: counting took %d steps", field, 1000-work.Left)
		}
		n := 0
		for range row.From(2400, false) {
			if n++; n == 10 {
				break
			}
		}
		if work.Left != 990 {
			t.Errorf("by %q: ten records took %d steps", field, 1000-work.Left)
		}
		tx.Within(nil)
		if err := tx.Delete("x.things", fmt.Sprint(row.Len()-1)); err != nil {
			t.Fatal(err)
		}
		if again := len(slices.Collect(row.From(0, false))); again != row.Len() {
			t.Errorf("by %q: a row of %d has %d after a write", field, row.Len(), again)
		}
	}
}
