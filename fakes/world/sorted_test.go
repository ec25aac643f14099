package world_test

import (
	"fmt"
	"math"
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

// The first of a walk is told without one, and is in sight of what was written
// since; where there is none, none is told.
func TestFirstsAreThoseOfWalks(t *testing.T) {
	t.Parallel()
	tx := must(world.New(world.Collection{Name: things, Indexes: []string{"customer"}, Sorted: []string{"due"}})).Begin()
	for _, none := range []string{things, "nowhere"} {
		if _, ok := tx.Lowest(none, "due"); ok {
			t.Errorf("there is a lowest of nothing in %s", none)
		}
		if _, ok := tx.Latest(none, "customer", "cus_1"); ok {
			t.Errorf("there is a latest of nothing in %s", none)
		}
	}
	for i, due := range []int64{30, -5, 20, 40} {
		must0(t, insert(tx, things, fmt.Sprint("th_", i), object{"due": due, "customer": fmt.Sprint("cus_", i%2), "other": "x"}))
	}
	for _, gone := range []string{"th_1", "th_3"} {
		for _, field := range []string{"due", "unsorted"} {
			var want string
			for r := range tx.Ascending(things, field, math.MinInt64) {
				want = r.ID
				break
			}
			if got, ok := tx.Lowest(things, field); ok != (want != "") || ok && got.ID != want {
				t.Errorf("the lowest by %s is %v, want %q", field, got, want)
			}
		}
		for _, c := range [][2]string{{"customer", "cus_1"}, {"customer", "cus_9"}, {"other", "x"}} {
			var want string
			for r := range tx.Find(things, c[0], c[1], 0) {
				want = r.ID
				break
			}
			if got, ok := tx.Latest(things, c[0], c[1]); ok != (want != "") || ok && got.ID != want {
				t.Errorf("the latest with %s %s is %v, want %q", c[0], c[1], got, want)
			}
		}
		must0(t, tx.Delete(things, gone))
	}
}
