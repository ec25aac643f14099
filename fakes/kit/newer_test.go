package kit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// The page above a cursor, of what an index knows, was found by reading all
// that is newer.
func TestTheNewerPageOfAnIndexReadsWhatItShows(t *testing.T) {
	t.Parallel()
	w := things(t, 3000)
	q := kit.Query{Collection: "x.things", Index: "kind.name", Value: "1", Limit: 3, Before: "1500"}
	want, err := kit.List(w, q) // which has to look
	if err != nil {
		t.Fatal(err)
	}
	tx, work := w.Begin(), &world.Work{Left: 1000}
	tx.Within(work)
	got, err := kit.List(tx, q)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ids(want.Records), ids(got.Records)); diff != "" || got.More != want.More || len(got.Records) != 3 {
		t.Error(diff, got.More)
	}
	if steps := 1000 - work.Left; steps > 5 { // the cursor, three records, and one more
		t.Errorf("a page of three took %d steps", steps)
	}
}
