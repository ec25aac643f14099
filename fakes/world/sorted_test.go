package world_test

import (
	"fmt"
	"testing"

	"parity/fakes/world"

	"github.com/google/go-cmp/cmp"
)

func ExampleTx_Ascending() {
	w := must(world.New(world.Collection{Name: "shop.reminders", Sorted: []string{"due"}}))
	tx := w.Begin()
	for i, due := range []int64{30, -5, 20, 20} {
		id := fmt.Sprint("r", i+1)
		must(tx.Insert("shop.reminders", id, object{"id": id, "due": due}))
	}
	for r := range tx.Ascending("shop.reminders", "due", 0) {
		fmt.Println(r.ID, r.Value()["due"])
	}
	// Output:
	// r3 20
	// r4 20
	// r1 30
}

// What comes due is taken away in the loop that finds it; and a walk that ends
// early, inside one number or between two, is ended.
func TestAscendingSeesTheCollectionAsItBegan(t *testing.T) {
	t.Parallel()
	tx := sample(t).Begin()
	for i := range 60 {
		must0(t, insert(tx, things, fmt.Sprint("x", i), object{"due": int64(i / 3)}))
	}
	walked := 0
	for r := range tx.Ascending(things, "due", 0) {
		must0(t, tx.Delete(things, r.ID))
		must0(t, insert(tx, things, r.ID, object{"due": int64(1000 + walked)}))
		walked++
	}
	var first []string
	for r := range tx.Ascending(things, "due", 1002) {
		if first = append(first, r.ID); len(first) == 2 {
			break
		}
	}
	if diff := cmp.Diff([]string{"x2", "x3"}, first); diff != "" || walked != 60 {
		t.Errorf("%d were walked; (-want +got):\n%s", walked, diff)
	}
}
