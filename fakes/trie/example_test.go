package trie_test

import (
	"fmt"

	"parity/fakes/trie"
)

// A write leaves the map that it was made from as it was.
func Example() {
	var empty trie.Map[string]
	one := empty.Put(17, "a charge")
	two := one.Put(23, "its refund").Swap(17, "a charge", "a charge, refunded")
	for _, m := range []trie.Map[string]{empty, one, two} {
		m.Ascend(0, func(it trie.Item[string]) bool {
			fmt.Printf("%d: %s\n", it.Key, it.Value)
			return true
		})
		fmt.Println("--")
	}
	// Output:
	// --
	// 17: a charge
	// --
	// 17: a charge, refunded
	// 23: its refund
	// --
}
