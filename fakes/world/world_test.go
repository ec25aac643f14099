package world_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"parity/fakes/world"

	"github.com/google/go-cmp/cmp"
)

type object = map[string]any

func Example() {
	first, err := world.New(world.Collection{Name: "stripe.charges", Indexes: []string{"customer"}})
	if err != nil {
		panic(err)
	}
	tx := first.Begin()
	for i, customer := range []string{"cus_1", "cus_2", "cus_1"} {
		id := fmt.Sprintf("ch_%d", i+1)
		if _, err := tx.Insert("stripe.charges", id, object{"id": id, "customer": customer, "amount": 500 * (i + 1)}); err != nil {
			panic(err)
		}
	}
	second := tx.Commit()

	for charge := range second.Find("stripe.charges", "customer", "cus_1", 0) {
		fmt.Printf("%s\n", charge.JSON())
	}
	fmt.Println(first.Len("stripe.charges"), "before,", second.Len("stripe.charges"), "after")
	// Output:
	// {"id":"ch_3","amount":1500,"customer":"cus_1"}
	// {"id":"ch_1","amount":500,"customer":"cus_1"}
	// 0 before, 3 after
}

func TestDeclarationsAreChecked(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name        string
		collections []world.Collection
		says        string
	}{
		{"no name", []world.Collection{{}}, "no name"},
		{"doubled", []world.Collection{{Name: "a"}, {Name: "b"}, {Name: "a"}}, `"a" is declared twice`},
		{"doubled index", []world.Collection{{Name: "a", Indexes: []string{"x", "x"}}}, `index "x" twice`},
		{"empty index", []world.Collection{{Name: "a", Indexes: []string{""}}}, `the index ""`},
		{"doubled sorted index", []world.Collection{{Name: "a", Sorted: []string{"x", "x"}}}, `sorted index "x" twice`},
		{"half a sorted path", []world.Collection{{Name: "a", Sorted: []string{".x"}}}, `the sorted index ".x"`},
		{"half a path", []world.Collection{{Name: "a", Indexes: []string{"metadata."}}}, `the index "metadata."`},
	} {
		_, err := world.New(test.collections...)
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want one that says %s", test.name, err, test.says)
		}
	}
}

func TestWritesAreRefused(t *testing.T) {
	t.Parallel()
	loop := object{}
	loop["self"] = loop
	list := []any{nil}
	list[0] = list
	for _, test := range []struct {
		name string
		do   func(*world.Tx) error
		want error
		says string
	}{
		{"an id that is there", func(tx *world.Tx) error { return insert(tx, things, "1", object{}) }, world.ErrExists, `test.things "1" already exists`},
		{"an update of nothing", func(tx *world.Tx) error { return update(tx, things, "2", object{}) }, world.ErrMissing, `test.things "2" does not exist`},
		{"a delete of nothing", func(tx *world.Tx) error { return tx.Delete(things, "2") }, world.ErrMissing, ""},
		{"no such collection", func(tx *world.Tx) error { return insert(tx, "test.other", "2", object{}) }, world.ErrCollection, "name it in world.New"},
		{"no value", func(tx *world.Tx) error { return insert(tx, things, "2", nil) }, world.ErrValue, "no value"},
		{"a struct", func(tx *world.Tx) error { return insert(tx, things, "2", object{"a": struct{}{}}) }, world.ErrValue, "a: a struct {}"},
		{"bytes", func(tx *world.Tx) error { return insert(tx, things, "2", object{"a": []byte("x")}) }, world.ErrValue, "a: a []uint8"},
		{"a number that is none", func(tx *world.Tx) error { return update(tx, things, "1", object{"a": []any{nan()}}) }, world.ErrValue, "a: 0: NaN"},
		{"a key that is no text", func(tx *world.Tx) error { return insert(tx, things, "2", object{"\xff": 1}) }, world.ErrValue, "not UTF-8"},
		{"a map in itself", func(tx *world.Tx) error { return insert(tx, things, "2", loop) }, world.ErrValue, "nested more than"},
		{"a list in itself", func(tx *world.Tx) error { return insert(tx, things, "2", object{"a": list}) }, world.ErrValue, "nested more than"},
		{"after the commit", func(tx *world.Tx) error { tx.Commit(); return tx.Delete(things, "1") }, world.ErrCommitted, ""},
	} {
		tx := sample(t).Begin()
		err := test.do(tx)
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want %v, saying %s", test.name, err, test.want, test.says)
		}
		if n := len(tx.Changes()); n != 0 {
			t.Errorf("%s: %d changes", test.name, n)
		}
	}
}

func TestCommitOfNothingIsTheSameWorld(t *testing.T) {
	t.Parallel()
	w := sample(t)
	tx := w.Begin()
	for range 2 {
		if tx.Commit() != w {
			t.Error("a transaction without writes made another world")
		}
	}
}

func TestUnknownCollectionReadsAsEmpty(t *testing.T) {
	t.Parallel()
	w := sample(t)
	if _, ok := w.Get("no", "1"); ok || w.Len("no") != 0 {
		t.Error("found something in a collection that is not declared")
	}
	if rows := slices.Concat(collect(w.Newest("no", 0)), collect(w.Oldest("no", 0)), collect(w.Find("no", "a", "b", 0)), collect(w.Ascending("no", "a", 0))); rows != nil {
		t.Errorf("walked %v", rows)
	}
	if diff := cmp.Diff([]string{things}, w.Collections()); diff != "" {
		t.Error(diff)
	}
}

// A fake that expires records deletes them in the loop that finds them.
func TestLoopSeesTheCollectionAsItBegan(t *testing.T) {
	t.Parallel()
	tx := sample(t).Begin()
	for i := range 100 {
		must0(t, insert(tx, things, fmt.Sprint("x", i), object{"owner": "a"}))
	}
	found := 0
	for r := range tx.Find(things, "owner", "a", 0) {
		must0(t, update(tx, things, r.ID, object{"owner": "b"}))
		found++
	}
	renewed := 0
	for r := range tx.Oldest(things, 1) {
		must0(t, tx.Delete(things, r.ID))
		must0(t, insert(tx, things, r.ID, object{"owner": "c"}))
		renewed++
	}
	deleted := 0
	for r := range tx.Newest(things, 0) {
		must0(t, tx.Delete(things, r.ID))
		deleted++
	}
	if diff := cmp.Diff([]int{101, 100, 101, 0}, []int{found, renewed, deleted, tx.Len(things)}); diff != "" {
		t.Errorf("found, renewed, deleted, left (-want +got):\n%s", diff)
	}
}

func TestDeltaMustFollow(t *testing.T) {
	t.Parallel()
	w := sample(t)
	for _, test := range []struct {
		name   string
		change world.Change
		says   string
	}{
		{"a create of what is there", world.Change{Op: world.Create, Collection: things, ID: "1", Version: 1, Order: 2, After: []byte(`{}`)}, "already exists"},
		{"a create out of order", world.Change{Op: world.Create, Collection: things, ID: "2", Version: 1, Order: 1, After: []byte(`{}`)}, "order 1, but 1 is given"},
		{"an update of nothing", world.Change{Op: world.Update, Collection: things, ID: "2", Version: 2, Order: 1, After: []byte(`{}`)}, "does not exist"},
		{"an update that left one out", world.Change{Op: world.Update, Collection: things, ID: "1", Version: 3, Order: 1, After: []byte(`{}`)}, "version 3 at order 1, but version 1 at order 1 is here"},
		{"a delete of another version", world.Change{Op: world.Delete, Collection: things, ID: "1", Version: 2, Order: 1}, "version 2"},
		{"bytes that are no object", world.Change{Op: world.Update, Collection: things, ID: "1", Version: 2, Order: 1, After: []byte(`[]`)}, "not a JSON object"},
		{"no such operation", world.Change{Op: "upsert", Collection: things, ID: "1"}, `"upsert" is not`},
		{"no such collection", world.Change{Op: world.Create, Collection: "no", ID: "1"}, "is not declared"},
	} {
		_, err := w.Apply([]world.Change{test.change})
		if err == nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), "change 1 of 1") {
			t.Errorf("%s: error %v, want one that says %s", test.name, err, test.says)
		}
	}
}

func TestDump(t *testing.T) {
	t.Parallel()
	w := must(world.New(append(collections, world.Collection{Name: "a.first"}, world.Collection{Name: "z.empty"})...))
	var empty strings.Builder
	must0(t, w.Dump(&empty))
	if empty.String() != "{\n}\n" {
		t.Errorf("an empty world dumps as %q", empty.String())
	}
	tx := w.Begin()
	must0(t, insert(tx, things, "1", object{"n": 1}))
	must0(t, insert(tx, things, "2", object{"n": 2}))
	must0(t, insert(tx, "test.keys", "k", object{"secret": true}))
	must0(t, insert(tx, "a.first", "x", object{}))
	w = tx.Commit()
	var got strings.Builder
	must0(t, w.Dump(&got))
	want := `{
"a.first": [
{}
],
"test.things": [
{"n":1},
{"n":2}
]
}
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("dump (-want +got):\n%s", diff)
	}
	must(world.Decode([]byte(got.String())))
}

func TestHashKnowsWhatMatters(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for name, do := range map[string]func(*world.Tx){
		"nothing":        func(*world.Tx) {},
		"another":        func(tx *world.Tx) { must0(t, insert(tx, things, "2", object{})) },
		"another id":     func(tx *world.Tx) { must0(t, insert(tx, things, "3", object{})) },
		"a hidden one":   func(tx *world.Tx) { must0(t, insert(tx, "test.keys", "2", object{})) },
		"the same again": func(tx *world.Tx) { must0(t, update(tx, things, "1", object{"owner": "a"})) },
		"another value":  func(tx *world.Tx) { must0(t, update(tx, things, "1", object{"owner": "b"})) },
		"gone":           func(tx *world.Tx) { must0(t, tx.Delete(things, "1")) },
		"come and gone":  func(tx *world.Tx) { must0(t, insert(tx, things, "2", object{})); must0(t, tx.Delete(things, "2")) },
		"gone and renewed": func(tx *world.Tx) {
			must0(t, tx.Delete(things, "1"))
			must0(t, insert(tx, things, "1", object{"owner": "a"}))
		},
	} {
		tx := sample(t).Begin()
		do(tx)
		hash := tx.Commit().Hash()
		if other, twice := seen[hash]; twice {
			t.Errorf("%s and %s have one hash", name, other)
		}
		seen[hash] = name
	}
	if a, b := must(world.New()).Hash(), must(world.New(collections...)).Hash(); a != b {
		t.Error("declaring a collection changed the hash")
	}
}

// One published world, read and forked by many at once; -race watches.
func TestManyReadersAndForks(t *testing.T) {
	t.Parallel()
	w := sample(t)
	tx := w.Begin()
	for i := range 500 {
		must0(t, insert(tx, things, fmt.Sprint("x", i), object{"owner": "a"}))
	}
	w = tx.Commit()
	hash := w.Hash()
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			mine := w
			for i := range 50 {
				tx := mine.Begin()
				if err := insert(tx, things, fmt.Sprint("g", g, "-", i), object{"owner": "a"}); err != nil {
					t.Error(err)
				}
				if err := update(tx, things, "x7", object{"owner": fmt.Sprint(i)}); err != nil {
					t.Error(err)
				}
				mine = tx.Commit()
				if n := len(collect(w.Find(things, "owner", "a", 0))); n != 501 {
					t.Errorf("found %d", n)
				}
				w.Begin().Insert(things, "dropped", object{})
			}
		})
	}
	all.Wait()
	if w.Hash() != hash {
		t.Error("the world has changed under its readers")
	}
}

func sample(t *testing.T) *world.World {
	t.Helper()
	tx := must(world.New(collections...)).Begin()
	must0(t, insert(tx, things, "1", object{"owner": "a"}))
	return tx.Commit()
}

func insert(tx *world.Tx, collection, id string, value object) error {
	_, err := tx.Insert(collection, id, value)
	return err
}

func update(tx *world.Tx, collection, id string, value object) error {
	_, err := tx.Update(collection, id, value)
	return err
}

func must0(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
