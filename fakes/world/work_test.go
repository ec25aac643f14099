package world_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"parity/fakes/world"
)

// spent is how many steps something with a transaction takes.
func spent(t *testing.T, tx *world.Tx, do func()) int {
	t.Helper()
	work := &world.Work{Left: 1 << 30}
	tx.Within(work)
	defer tx.Within(nil)
	do()
	return 1<<30 - work.Left
}

// Whatever a fake does with a world counts, without its asking.
func TestReadingAndWritingSpendWork(t *testing.T) {
	t.Parallel()
	w, err := world.New(world.Collection{Name: "s.things", Indexes: []string{"kind"}, Sorted: []string{"n"}})
	if err != nil {
		t.Fatal(err)
	}
	tx := w.Begin()
	const many = 100
	for i := range many {
		if _, err := tx.Insert("s.things", fmt.Sprint(i), map[string]any{"kind": "a", "other": "b", "n": int64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	all := func(walk func(func(*world.Record) bool)) func() {
		return func() { walk(func(*world.Record) bool { return true }) }
	}
	for name, do := range map[string]func(){
		"Newest":               all(tx.Newest("s.things", 0)),
		"Oldest":               all(tx.Oldest("s.things", 0)),
		"Ascending":            all(tx.Ascending("s.things", "n", 0)),
		"Find by an index":     all(tx.Find("s.things", "kind", "a", 0)),
		"Find without one":     all(tx.Find("s.things", "other", "b", 0)),
		"Find without a match": all(tx.Find("s.things", "other", "c", 0)),
		"Get": func() {
			for i := range many {
				tx.Get("s.things", fmt.Sprint(i))
			}
		},
		"Update": func() {
			for i := range many {
				_, _ = tx.Update("s.things", fmt.Sprint(i), map[string]any{"kind": "a", "other": "b", "n": int64(i)})
			}
		},
	} {
		if n := spent(t, tx, do); n < many {
			t.Errorf("%s of %d records takes %d steps", name, many, n)
		}
	}
	small := spent(t, tx, func() { _, _ = tx.Insert("s.things", "small", map[string]any{"x": "y"}) })
	large := spent(t, tx, func() { _, _ = tx.Insert("s.things", "large", map[string]any{"x": strings.Repeat("y", 1<<20)}) })
	if large < 1000*small {
		t.Errorf("a record of 1 MiB takes %d steps to write, one of 9 bytes %d", large, small)
	}
	if read := spent(t, tx, func() { tx.Get("s.things", "large") }); read < 1000 {
		t.Errorf("it takes %d steps to read", read)
	}
}

func TestTransactionGoesBackToAMark(t *testing.T) {
	t.Parallel()
	w, err := world.New(world.Collection{Name: "s.things", Indexes: []string{"kind"}})
	if err != nil {
		t.Fatal(err)
	}
	tx := w.Begin()
	write := func(id, kind string) {
		if _, err := tx.Insert("s.things", id, map[string]any{"id": id, "kind": kind}); err != nil {
			t.Fatal(err)
		}
	}
	write("kept", "a")
	before := len(tx.Changes())
	mark := tx.Mark()
	write("lost", "a")
	if _, err := tx.Update("s.things", "kept", map[string]any{"id": "kept", "kind": "b"}); err != nil {
		t.Fatal(err)
	}
	tx.Restore(mark)
	if n := len(tx.Changes()); n != before {
		t.Errorf("%d changes, want %d", n, before)
	}
	write("later", "a")
	var found []string
	for r := range tx.Find("s.things", "kind", "a", 0) {
		found = append(found, r.ID)
	}
	if fmt.Sprint(found) != "[later kept]" {
		t.Errorf("there are %v", found)
	}
	after, err := w.Apply(tx.Changes())
	if err != nil || after.Hash() != tx.Commit().Hash() {
		t.Errorf("its changes do not lead to its world: %v", err)
	}
}

// A reply that holds its records many times over became gigabytes.
func TestReplyIsNotLongerThanMayBe(t *testing.T) {
	t.Parallel()
	whole := any(strings.Repeat("x", 1<<20))
	for range 4 {
		whole = []any{whole, whole, whole, whole}
	}
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, world.ErrOverworked) {
			t.Errorf("256 MiB of JSON end with %v", err)
		}
	}()
	world.Encode(whole)
}
