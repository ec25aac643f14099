package trie

import (
	"testing"

	"pgregory.net/rapid"
)

// Len, Rank and Key count as a walk does.
func TestPlacesAreThoseOfAWalk(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		grown := uint64(200)
		growing := rapid.Custom(func(t *rapid.T) uint64 { grown += rapid.Uint64Range(0, 2).Draw(t, "more"); return grown })
		keys := rapid.OneOf(rapid.Uint64Range(0, 300), growing, rapid.Uint64())
		var m Map[int]
		for n := range rapid.IntRange(0, 200).Draw(t, "items") {
			m = m.Put(keys.Draw(t, "key"), n)
		}
		for range rapid.IntRange(0, 20).Draw(t, "drops") {
			if of := m.Of(keys.Draw(t, "dropped")); len(of) > 0 {
				m = m.Drop(of[0].Key, of[0].Value)
			}
		}
		all := collectUp(m, 0)
		if m.Len() != len(all) {
			t.Fatalf("Len is %d of %d", m.Len(), len(all))
		}
		for i, it := range all {
			if key, ok := m.Key(i); !ok || key != it.Key {
				t.Fatalf("the key of place %d is %d, %t; want %d", i, key, ok, it.Key)
			}
		}
		for _, beyond := range []int{-1, len(all)} {
			if key, ok := m.Key(beyond); ok {
				t.Fatalf("there is a key %d at place %d of %d", key, beyond, len(all))
			}
		}
		key, below := keys.Draw(t, "ranked"), 0
		for _, it := range all {
			if it.Key < key {
				below++
			}
		}
		if got := m.Rank(key); got != below {
			t.Fatalf("%d keys are below %d, want %d", got, key, below)
		}
	})
}
