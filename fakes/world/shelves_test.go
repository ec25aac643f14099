package world_test

import (
	"fmt"
	"testing"

	"parity/fakes/world"

	"github.com/google/go-cmp/cmp"
)

// Tables of a world stand on shelves that worlds share: a write to one of many
// collections must show in no other world, and in no other transaction.
func TestWritesAmongManyCollectionsShowInTheirWorldAlone(t *testing.T) {
	t.Parallel()
	var declared []world.Collection
	for i := range 40 {
		declared = append(declared, world.Collection{Name: name(i)})
	}
	base := must(world.New(declared...))
	put := func(tx *world.Tx, at ...int) {
		for _, i := range at {
			must0(t, insert(tx, name(i), fmt.Sprint(tx.Len(name(i))), object{"n": i}))
		}
	}
	one, two := base.Begin(), base.Begin()
	put(one, 0, 17, 39)
	put(two, 17, 18)
	mark := one.Mark()
	put(one, 17, 18, 5)
	lost := one.Commit()
	one.Restore(mark)
	put(one, 39, 16)
	for range one.Newest(name(39), 0) {
		put(one, 39) // the loop goes on over what was there
	}
	for _, test := range []struct {
		what string
		got  world.Reader
		want map[int]int
	}{
		{"the world before", base, map[int]int{}},
		{"what was restored", lost, map[int]int{0: 1, 5: 1, 17: 2, 18: 1, 39: 1}},
		{"the first", one.Commit(), map[int]int{0: 1, 16: 1, 17: 1, 39: 4}},
		{"the second", two.Commit(), map[int]int{17: 1, 18: 1}},
		{"the first, applied", must(base.Apply(one.Changes())), map[int]int{0: 1, 16: 1, 17: 1, 39: 4}},
		{"the first, with more collections", must(one.Commit().With(world.Collection{Name: "a.first"}, world.Collection{Name: "z.last"})), map[int]int{0: 1, 16: 1, 17: 1, 39: 4}},
	} {
		got := map[int]int{}
		for i := range declared {
			if n := test.got.Len(name(i)); n > 0 {
				got[i] = n
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.what, diff)
		}
	}
}

func name(i int) string { return fmt.Sprintf("many.%02d", i) }
