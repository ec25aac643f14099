package world_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"parity/fakes/world"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Whatever shapes came before, a record is kept and encoded as if it were the
// first.
func TestShapesShowNowhere(t *testing.T) {
	t.Parallel()
	leaf := rapid.SampledFrom([]any{nil, true, "a\"", "a\xff", 1, int64(2), 2.0, 2.5, []any{}, []any{1, object{"a": 1}, object{"b": 2}}, object{}})
	names := rapid.SampledFrom([]string{"id", "object", "a", "b", "c", "abcdefgh1", "abcdefgh2", "é", `"`})
	inner := rapid.MapOfN(names, leaf, 0, 4).AsAny()
	outer := rapid.MapOfN(names, rapid.OneOf(leaf, inner), 0, 6)
	rapid.Check(t, func(t *rapid.T) {
		tx := must(world.New(collections...)).Begin()
		for i, value := range rapid.SliceOfN(outer, 1, 30).Draw(t, "values") {
			untouched := fmt.Sprintf("%#v", value)
			r := must(tx.Insert(things, fmt.Sprint(i), value))
			if got, want := string(r.JSON()), string(world.Encode(value)); got != want {
				t.Fatalf("got %s, want %s", got, want)
			}
			if diff := cmp.Diff(world.Normalise(value), any(r.Value())); diff != "" {
				t.Fatalf("value (-want +got):\n%s", diff)
			}
			if now := fmt.Sprintf("%#v", value); now != untouched {
				t.Fatalf("the value given was changed from %s to %s", untouched, now)
			}
		}
	})
}

func TestKnownShapesAreStillChecked(t *testing.T) {
	t.Parallel()
	tx := sample(t).Begin()
	must0(t, insert(tx, things, "x1", object{"a": []any{1}, "b": 1}))
	for _, wrong := range []object{{"a": []any{nan()}, "b": 1}, {"a": 1, "b": struct{}{}}, {"a": 1, "\xff": 1}} {
		if err := insert(tx, things, "x2", wrong); !errors.Is(err, world.ErrValue) {
			t.Errorf("%v: error %v", wrong, err)
		}
	}
	r := must(tx.Insert(things, "x2", object{"a": 2, "b": 2.0}))
	if got := string(r.JSON()); got != `{"a":2,"b":2}` {
		t.Errorf("after refusals: %s", got)
	}
}

// Many transactions of one world meet new shapes at once; -race watches.
func TestShapesAreLearntByMany(t *testing.T) {
	t.Parallel()
	w := sample(t)
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 50 {
				value := object{"in": object{fmt.Sprint("k", (g+i)%6): i, "id": "x"}, fmt.Sprint("k", i%7): g}
				r, err := w.Begin().Insert(things, "new", value)
				if err != nil || string(r.JSON()) != string(world.Encode(value)) {
					t.Errorf("%s, %v", r.JSON(), err)
				}
			}
		})
	}
	all.Wait()
}

// A record that holds others shows them as they were, and a delta gives it
// again.
func TestRecordsHeldByOthers(t *testing.T) {
	t.Parallel()
	base := sample(t)
	tx := base.Begin()
	var held []any
	for i := range 20 { // more than a transaction keeps in mind
		r := must(tx.Insert(things, fmt.Sprint("x", i), object{"id": fmt.Sprint("x", i), "n": i, "in": object{"f": 1.0}}))
		held = append(held, r.Value())
	}
	first := held[0].(object)
	last := must(tx.Insert(things, "event", object{"data": object{"all": held, "last": held[19], "copy": object{"n": 1}}}))
	const one = `{"id":"x0","in":{"f":1},"n":0}`
	if got := string(last.JSON()); !strings.HasPrefix(got, `{"data":{"all":[`+one) || got != string(world.Encode(last.Value())) {
		t.Errorf("the event is %s", got)
	}
	must(tx.Update(things, "x19", object{"id": "x19", "n": "changed"}))
	again := must(tx.Insert(things, "later", object{"was": held[19], "first": first}))
	if want := `{"first":` + one + `,"was":{"id":"x19","in":{"f":1},"n":19}}`; string(again.JSON()) != want {
		t.Errorf("got %s, want %s", again.JSON(), want)
	}
	folded := must(base.Apply(tx.Changes()))
	if folded.Hash() != tx.Commit().Hash() {
		t.Error("the delta gives another world")
	}
}

// What is known of a held record must not hide how deep it makes its holder,
// which the delta could not be read with.
func TestHeldRecordsCountTheirDepth(t *testing.T) {
	t.Parallel()
	base := sample(t)
	tx := base.Begin()
	deep := object{}
	for range 150 {
		deep = object{"in": deep}
	}
	r := must(tx.Insert(things, "deep", deep))
	held := any(r.Value())
	for range 49 {
		held = object{"in": held}
	}
	must0(t, insert(tx, things, "holder", held.(object)))
	if err := insert(tx, things, "deeper", object{"in": held}); !errors.Is(err, world.ErrValue) || !strings.Contains(err.Error(), "nested") {
		t.Errorf("error %v", err)
	}
	must(base.Apply(tx.Changes()))
}
