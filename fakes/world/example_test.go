package world_test

import (
	"fmt"

	"parity/fakes/world"
)

// A fork is another name for a world: what is written in one of them is not in
// the other. What a transaction did can be applied elsewhere.
func ExampleWorld_Apply() {
	start, err := world.New(world.Collection{Name: "zendesk.tickets"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fork := start

	tx := start.Begin()
	if _, err := tx.Insert("zendesk.tickets", "7", map[string]any{"id": 7, "status": "open"}); err != nil {
		fmt.Println(err)
		return
	}
	written := tx.Commit()
	fmt.Println(start.Len("zendesk.tickets"), written.Len("zendesk.tickets"), fork.Len("zendesk.tickets"))

	again, err := fork.Apply(tx.Changes())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(again.Hash() == written.Hash())
	// Output:
	// 0 1 0
	// true
}
