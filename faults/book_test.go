package faults

import (
	"hash/maphash"
	"testing"

	"pgregory.net/rapid"
)

// A book gives what was written last for a key, or forgets the key for both
// get and all, and a copy of it stays as it was.
func TestBookGivesEachEntryOnceAsItWasWrittenLast(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		bound := 2 * rapid.IntRange(1, 6).Draw(t, "half")
		b := newBook[string, int](maphash.MakeSeed(), bound)
		want := map[string]int{}
		check := func(b book[string, int], want map[string]int) {
			met := map[string]int{}
			for e := range b.all() {
				if _, twice := met[e.key]; twice {
					t.Fatalf("%s comes twice", e.key)
				}
				met[e.key] = e.value
			}
			if len(met) > bound || len(met) < min(len(want), bound/2) {
				t.Fatalf("%d of %d entries are remembered; the bound is %d", len(met), len(want), bound)
			}
			for key, value := range want {
				got := b.get(key)
				all, remembered := met[key]
				if remembered != (got != nil) || remembered && (*got != value || all != value) {
					t.Fatalf("%s: got %v, and %d of all (%t), want %d", key, got, all, remembered, value)
				}
			}
		}
		for n := range rapid.IntRange(1, 60).Draw(t, "writes") {
			key := rapid.StringMatching("[a-p]").Draw(t, "key")
			fork, before := b, map[string]int{}
			for key, value := range want {
				before[key] = value
			}
			b.set(key, n)
			want[key] = n
			check(b, want)
			check(fork, before)
			for range b.all() {
				break // a loop may end early
			}
		}
	})
}
