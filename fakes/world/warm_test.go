package world_test

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"parity/fakes/world"
)

// grown is a world of n things that look alike, each shown by an event, and what
// each of them has to read as.
func grown(t *testing.T, n int) (w *world.World, want []string) {
	t.Helper()
	w, err := world.New(world.Collection{Name: "a.things", Indexes: []string{"owner"}}, world.Collection{Name: "a.events", Ledger: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		tx, id := w.Begin(), "thing_"+strconv.Itoa(i)
		value := map[string]any{"id": id, "owner": "own_" + strconv.Itoa(i%7), "note": strings.Repeat("a note ", i%20), "n": int64(i)}
		if i > n/2 { // they come to look otherwise
			value["address"] = map[string]any{"city": "Turin", "line1": fmt.Sprintf("via Roma %d", i), "postal_code": nil, "country": "IT"}
		}
		thing, err := tx.Insert("a.things", id, value)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Insert("a.events", id, map[string]any{"id": "evt_" + strconv.Itoa(i), "object": thing.Value(), "type": "thing.created"}); err != nil {
			t.Fatal(err)
		}
		want = append(want, string(world.Encode(value)))
		w = tx.Commit()
	}
	return w, want
}

// Records whose bytes are no longer kept as they are: read by many at once, and
// again, each in every way that there is.
func TestOldRecordsReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	const n = 12_000
	w, want := grown(t, n)
	var all sync.WaitGroup
	for reader := range 4 {
		all.Go(func() {
			for at := range n {
				i := (at*7919 + reader) % n
				id := "thing_" + strconv.Itoa(i)
				r, _ := w.Get("a.things", id)
				e, _ := w.Get("a.events", id)
				switch { // each in another order
				case r.At("n") != int64(i):
					t.Errorf("%s: n is %v", id, r.At("n"))
				case reader%2 == 0 && r.Value()["n"] != int64(i):
					t.Errorf("%s: its value is %v", id, r.Value())
				case string(r.JSON()) != want[i]:
					t.Errorf("%s: %s, not %s", id, r.JSON(), want[i])
				case !r.Says("own_"+strconv.Itoa(i%7)) || r.Says("nowhere"):
					t.Errorf("%s: it says something else", id)
				case string(e.JSON()) != fmt.Sprintf(`{"id":"evt_%d","object":%s,"type":"thing.created"}`, i, want[i]):
					t.Errorf("%s: its event is %s", id, e.JSON())
				}
			}
		})
	}
	all.Wait()
	again, err := w.With(world.Collection{Name: "a.things", Indexes: []string{"owner", "address.line1"}})
	if err != nil {
		t.Fatal(err)
	}
	for r := range again.Find("a.things", "address.line1", fmt.Sprintf("via Roma %d", n-5), 0) {
		if r.ID != "thing_"+strconv.Itoa(n-5) {
			t.Errorf("an index that came later leads to %s", r.ID)
		}
	}
	if again.Len("a.things") != n || again.Hash() != w.Hash() {
		t.Error("the world is another")
	}
}

// A million records took 1.9 GiB: each has its bytes, and most of them are those
// of the one before.
func TestManyRecordsTakeLessThanTheirJSON(t *testing.T) {
	const n = 40_000
	w, err := world.New(world.Collection{Name: "a.things"})
	if err != nil {
		t.Fatal(err)
	}
	sample := charge("ch_1", "cus_1")
	before, length := heap(), 0
	for i := range n {
		tx := w.Begin()
		id := fmt.Sprintf("ch_%024x", i*2654435761)
		sample["id"], sample["amount"] = id, int64(i)
		r, err := tx.Insert("a.things", id, copied(sample))
		if err != nil {
			t.Fatal(err)
		}
		length += len(r.JSON())
		w = tx.Commit()
	}
	for range 100 { // what was written last is packed beside this
		if kept := heap() - before; kept < length/2 {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%d records of %d bytes take %d each", n, length/n, (heap()-before)/n)
	runtime.KeepAlive(w)
}

func copied(m object) object {
	c := object{}
	for k, v := range m {
		c[k] = v
	}
	return c
}
