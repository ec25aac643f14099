package trie

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func collectDown(t Map[int], from uint64) (out []Item[int]) {
	t.Descend(from, func(it Item[int]) bool { out = append(out, it); return true })
	return out
}

func collectUp(t Map[int], from uint64) (out []Item[int]) {
	t.Ascend(from, func(it Item[int]) bool { out = append(out, it); return true })
	return out
}

// unordered compares items, whose order among those of one key is not said.
func unordered(items []Item[int]) []Item[int] {
	items = slices.Clone(items)
	slices.SortFunc(items, func(a, b Item[int]) int { return cmp.Or(byKey(a, b), cmp.Compare(a.Value, b.Value)) })
	return items
}

func byKey(a, b Item[int]) int { return cmp.Compare(a.Key, b.Key) }

// A map does as a plain list does, whatever its keys are, and the maps that
// it came from stay as they were.
func TestAgainstModel(t *testing.T) {
	t.Parallel()
	grown := uint64(100)
	keys := rapid.OneOf(
		rapid.Uint64Range(0, 80), // without gaps, nearly
		rapid.Custom(func(t *rapid.T) uint64 { grown += rapid.Uint64Range(0, 3).Draw(t, "more"); return grown }),
		rapid.Uint64(),
		rapid.SampledFrom([]uint64{0, 15, 16, 255, 256, 1 << 59, 1 << 60, math.MaxUint64 - 1, math.MaxUint64}),
		rapid.Custom(func(t *rapid.T) uint64 { return 0xabcdef<<40 | rapid.Uint64Range(0, 40).Draw(t, "low") }),
	)
	rapid.Check(t, func(t *rapid.T) {
		var now Map[int]
		var want []Item[int]
		type frame struct {
			m    Map[int]
			want []Item[int]
		}
		var frames []frame
		for n := range rapid.IntRange(1, 150).Draw(t, "writes") {
			frames = append(frames, frame{now, slices.Clone(want)})
			if rapid.IntRange(0, 9).Draw(t, "fork") == 0 { // another map of what came before goes on
				from := rapid.SampledFrom(frames).Draw(t, "from")
				now, want = from.m, slices.Clone(from.want)
			}
			key := keys.Draw(t, "key")
			at := -1
			if len(want) > 0 && rapid.IntRange(0, 2).Draw(t, "there") > 0 {
				at = rapid.IntRange(0, len(want)-1).Draw(t, "at")
				key = want[at].Key
			}
			switch op := rapid.SampledFrom([]string{"put", "put", "swap", "drop"}).Draw(t, "op"); {
			case op == "put":
				now, want = now.Put(key, n), append(want, Item[int]{n, key})
			case at < 0: // of what is not there
				now = now.Swap(key, -1, n).Drop(key, -1)
			case op == "swap":
				now = now.Swap(key, want[at].Value, n)
				want[at].Value = n
			case op == "drop":
				now = now.Drop(key, want[at].Value)
				want = slices.Delete(want, at, at+1)
			}
		}
		for _, f := range append(frames, frame{now, want}) {
			from := keys.Draw(t, "from")
			checkTrie(t, f.m, f.want, from)
		}
		for _, it := range want {
			now = now.Drop(it.Key, it.Value)
		}
		if !now.Empty() {
			t.Fatalf("what is left of nothing: %+v", now)
		}
	})
}

// Maps of one origin may be written to at once: none sees what another adds,
// though all of them add behind the same items.
func TestWritersOfOneOriginDoNotMeet(t *testing.T) {
	t.Parallel()
	var origin Map[int]
	for key := range uint64(40) {
		origin = origin.Put(key, -1)
	}
	var writers sync.WaitGroup
	for writer := range 8 {
		writers.Go(func() {
			mine := origin
			for key := uint64(40); key < 80; key++ {
				mine = mine.Put(key, writer)
				if got := mine.Of(key); len(got) != 1 || got[0].Value != writer {
					t.Errorf("writer %d finds %v at %d", writer, got, key)
				}
			}
			for i, it := range collectUp(mine, 40) {
				if it.Key != uint64(40+i) || it.Value != writer {
					t.Errorf("writer %d finds %v at place %d", writer, it, i)
				}
			}
		})
	}
	writers.Wait()
	if n := origin.Len(); n != 40 {
		t.Errorf("the origin has %d items, want 40", n)
	}
}

func checkTrie(t *rapid.T, got Map[int], want []Item[int], from uint64) {
	t.Helper()
	want = unordered(want)
	for name, part := range map[string]struct {
		got  []Item[int]
		keep func(uint64) bool
	}{
		"upwards":   {collectUp(got, from), func(key uint64) bool { return key >= from }},
		"downwards": {collectDown(got, from), func(key uint64) bool { return key <= from }},
		"of one":    {got.Of(from), func(key uint64) bool { return key == from }},
	} {
		var those []Item[int]
		for _, it := range want {
			if part.keep(it.Key) {
				those = append(those, it)
			}
		}
		walk := slices.Clone(part.got)
		if name == "downwards" {
			slices.Reverse(walk)
		}
		sorted := slices.IsSortedFunc(walk, byKey)
		if got := unordered(part.got); !slices.Equal(got, those) || !sorted {
			t.Fatalf("%s from %d: got %v, sorted %t, want %v", name, from, got, sorted, those)
		}
	}
}
