package kit_test

import (
	"fmt"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// A page is read from the newest record down, from where the last one ended.
func ExampleList() {
	w, err := world.New(world.Collection{Name: "shop.orders", Indexes: []string{"customer"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	tx := w.Begin()
	for _, id := range []string{"or_1", "or_2", "or_3"} {
		if _, err := tx.Insert("shop.orders", id, map[string]any{"id": id, "customer": "ann"}); err != nil {
			fmt.Println(err)
			return
		}
	}
	q := kit.Query{Collection: "shop.orders", Index: "customer", Value: "ann", Limit: 2}
	first, _ := kit.List(tx, q)
	q.After = first.Records[1].ID
	second, _ := kit.List(tx, q)
	fmt.Println(first.Records[0].ID, first.Records[1].ID, first.More)
	fmt.Println(second.Records[0].ID, second.More)
	// Output:
	// or_3 or_2 true
	// or_1 false
}
