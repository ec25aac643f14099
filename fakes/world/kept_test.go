package world_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"parity/fakes/world"
)

// An event shows the record that it is about, and so does what a search index
// was before: each update of one large record kept its JSON again in each, for
// the length of the run.
func TestWhatHoldsALargeRecordKeepsItOnce(t *testing.T) {
	const updates, size = 1000, 20_000
	w, err := world.New(world.Collection{Name: "a.things"}, world.Collection{Name: "a.events", Ledger: true}, world.Collection{Name: "a.past", Hidden: true}, world.Collection{Name: "a.notes", Hidden: true})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("x", size)
	before := heap()
	for n := range updates {
		tx := w.Begin()
		put, id := tx.Update, strconv.Itoa(n)
		if n == 0 {
			put = tx.Insert
		}
		thing, err := put("a.things", "one", map[string]any{"n": int64(n), "text": text})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 { // bookkeeping on the way
			if _, err := tx.Insert("a.notes", id+" "+strconv.Itoa(i), map[string]any{"of": id}); err != nil {
				t.Fatal(err)
			}
			if err := tx.Delete("a.notes", id+" "+strconv.Itoa(i)); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"a.events", "a.past"} {
			holder, err := tx.Insert(name, id, map[string]any{"id": id, "object": thing.Value()})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := string(holder.JSON()), `{"id":"`+id+`","object":`+string(thing.JSON())+`}`; got != want {
				t.Fatalf("%s: %.60s, not %.60s", name, got, want)
			}
		}
		changes := tx.Changes()
		if after, err := w.Apply(changes); err != nil || n%100 == 0 && after.Hash() != tx.Commit().Hash() {
			t.Fatalf("the delta gives another world, or %v", err)
		}
		w = tx.Commit()
	}
	if kept := (heap() - before) / updates; kept > size/4 {
		t.Errorf("each update of %d bytes keeps %d", size, kept)
	}
	runtime.KeepAlive(w)
}

func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc) //nolint:gosec // a test's heap
}
