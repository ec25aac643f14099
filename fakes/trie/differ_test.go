package trie

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Two maps differ at the keys at which walks over all of them do, whichever was
// made from the other, or from neither.
func TestDifferIsWhatWalksTell(t *testing.T) {
	t.Parallel()
	keys := rapid.OneOf(rapid.Uint64Range(0, 400), rapid.Uint64(), rapid.SampledFrom([]uint64{0, 16, 256, 1 << 60, math.MaxUint64}))
	write := func(t *rapid.T, m Map[int], most int) Map[int] {
		for n := range rapid.IntRange(0, most).Draw(t, "writes") {
			key := keys.Draw(t, "key")
			if of := m.Of(key); len(of) > 0 && rapid.Bool().Draw(t, "drops") {
				m = m.Drop(key, of[0].Value)
			} else {
				m = m.Put(key, n%3)
			}
		}
		return m
	}
	rapid.Check(t, func(t *rapid.T) {
		origin := write(t, Map[int]{}, 300)
		a, b := write(t, origin, 20), write(t, origin, 20)
		if rapid.Bool().Draw(t, "apart") {
			b = Of(collectUp(b, 0))
		}
		var got, want []uint64
		Differ(a, b, func(key uint64) bool { got = append(got, key); return true })
		for _, it := range slices.Concat(collectUp(a, 0), collectUp(b, 0)) {
			if fmt.Sprint(unordered(a.Of(it.Key))) != fmt.Sprint(unordered(b.Of(it.Key))) {
				want = append(want, it.Key)
			}
		}
		slices.Sort(want)
		if want = slices.Compact(want); !slices.Equal(got, want) {
			t.Fatalf("they differ at %v, want %v", got, want)
		}
		if len(want) > 1 {
			met := 0
			Differ(a, b, func(uint64) bool { met++; return false })
			if met != 1 {
				t.Fatalf("%d keys after it was told to stop", met)
			}
		}
	})
}

// A map that is made of all its items at once is as one that came to be item by
// item, and goes on as that.
func TestAMapOfItemsIsAsOneThatCameToBe(t *testing.T) {
	t.Parallel()
	keys := rapid.OneOf(rapid.Uint64Range(0, 400), rapid.Uint64(), rapid.SampledFrom([]uint64{0, 15, 16, 255, 256, 1 << 60, math.MaxUint64}))
	rapid.Check(t, func(t *rapid.T) {
		var came Map[int]
		var items []Item[int]
		for n := range rapid.IntRange(0, 300).Draw(t, "items") {
			key := keys.Draw(t, "key")
			came, items = came.Put(key, n), append(items, Item[int]{n, key})
		}
		if rapid.Bool().Draw(t, "sorted") {
			slices.SortStableFunc(items, ascending)
		}
		made := Of(items)
		clear(items) // it shares nothing with them
		for range 20 {
			key := keys.Draw(t, "more")
			if of := came.Of(key); len(of) > 0 {
				came, made = came.Drop(key, of[0].Value), made.Drop(key, of[0].Value)
			} else {
				came, made = came.Put(key, -1), made.Put(key, -1)
			}
		}
		if !slices.Equal(unordered(collectUp(made, 0)), unordered(collectUp(came, 0))) {
			t.Fatalf("%v, and item by item %v", collectUp(made, 0), collectUp(came, 0))
		}
		from := keys.Draw(t, "from")
		if !slices.Equal(unordered(collectDown(made, from)), unordered(collectDown(came, from))) || made.Rank(from) != came.Rank(from) {
			t.Fatal("a walk down differs")
		}
	})
}
