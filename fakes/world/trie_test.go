package world

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func collectDown(t trie[int], from uint64) (out []item[int]) {
	t.descend(from, func(it item[int]) bool { out = append(out, it); return true })
	return out
}

func collectUp(t trie[int], from uint64) (out []item[int]) {
	t.ascend(from, func(it item[int]) bool { out = append(out, it); return true })
	return out
}

// unordered compares items, whose order among those of one key is not said.
func unordered(items []item[int]) []item[int] {
	items = slices.Clone(items)
	slices.SortFunc(items, func(a, b item[int]) int { return cmp.Or(byKey(a, b), cmp.Compare(a.value, b.value)) })
	return items
}

func byKey(a, b item[int]) int { return cmp.Compare(a.key, b.key) }

// A trie does as a plain list does, whatever its keys are, and the tries that
// it came from stay as they were.
func TestTrieAgainstModel(t *testing.T) {
	t.Parallel()
	keys := rapid.OneOf(
		rapid.Uint64Range(0, 80), // without gaps, nearly
		rapid.Uint64(),
		rapid.SampledFrom([]uint64{0, 15, 16, 255, 256, 1 << 59, 1 << 60, math.MaxUint64 - 1, math.MaxUint64}),
		rapid.Custom(func(t *rapid.T) uint64 { return 0xabcdef<<40 | rapid.Uint64Range(0, 40).Draw(t, "low") }),
	)
	rapid.Check(t, func(t *rapid.T) {
		var now trie[int]
		var want []item[int]
		type frame struct {
			trie trie[int]
			want []item[int]
		}
		var frames []frame
		for n := range rapid.IntRange(1, 150).Draw(t, "writes") {
			frames = append(frames, frame{now, slices.Clone(want)})
			key := keys.Draw(t, "key")
			at := -1
			if len(want) > 0 && rapid.IntRange(0, 2).Draw(t, "there") > 0 {
				at = rapid.IntRange(0, len(want)-1).Draw(t, "at")
				key = want[at].key
			}
			switch op := rapid.SampledFrom([]string{"put", "put", "swap", "drop"}).Draw(t, "op"); {
			case op == "put":
				now, want = now.put(key, n), append(want, item[int]{n, key})
			case at < 0: // of what is not there
				now = now.swap(key, -1, n).drop(key, -1)
			case op == "swap":
				now = now.swap(key, want[at].value, n)
				want[at].value = n
			case op == "drop":
				now = now.drop(key, want[at].value)
				want = slices.Delete(want, at, at+1)
			}
		}
		for _, f := range append(frames, frame{now, want}) {
			from := keys.Draw(t, "from")
			checkTrie(t, f.trie, f.want, from)
		}
		for _, it := range want {
			now = now.drop(it.key, it.value)
		}
		if now.root != nil {
			t.Fatalf("what is left of nothing: %+v", now.root)
		}
	})
}

func checkTrie(t *rapid.T, got trie[int], want []item[int], from uint64) {
	t.Helper()
	want = unordered(want)
	for name, part := range map[string]struct {
		got  []item[int]
		keep func(uint64) bool
	}{
		"upwards":   {collectUp(got, from), func(key uint64) bool { return key >= from }},
		"downwards": {collectDown(got, from), func(key uint64) bool { return key <= from }},
		"of one":    {got.of(from), func(key uint64) bool { return key == from }},
	} {
		var those []item[int]
		for _, it := range want {
			if part.keep(it.key) {
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

// Ids and texts of one hash are still told apart.
func TestCollisions(t *testing.T) {
	t.Parallel()
	w, err := New(Collection{Name: "c", Indexes: []string{"owner"}})
	if err != nil {
		t.Fatal(err)
	}
	w.schema.collections[0].hash = func(text string) uint64 { return uint64(len(text)) << 60 }
	tx := w.Begin()
	names := []string{"aa", "ab", "ac", "b", "c"}
	for n := range 100 {
		for _, name := range names {
			id := name + string(rune('0'+n%10)) + string(rune('0'+n/10))
			if _, err := tx.Insert("c", id, map[string]any{"owner": name}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := tx.Delete("c", "ab77"); err != nil {
		t.Fatal(err)
	}
	w = tx.Commit()
	if r, ok := w.Get("c", "aa99"); !ok || r.Value["owner"] != "aa" {
		t.Errorf("aa99 is %v", r)
	}
	if _, ok := w.Get("c", "ab77"); ok {
		t.Error("ab77 is still there")
	}
	for _, name := range names {
		want := 100
		if name == "ab" {
			want = 99
		}
		n := 0
		for r := range w.Find("c", "owner", name, 0) {
			if r.Value["owner"] != name {
				t.Errorf("%s is among those of %s", r.ID, name)
			}
			n++
		}
		if n != want {
			t.Errorf("%s has %d records, want %d", name, n, want)
		}
	}
}
