package world_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"parity/fakes/tape"
	"parity/fakes/world"

	"pgregory.net/rapid"
)

// saved writes a world beside another, and gives what reads it.
func saved(t interface{ Fatal(...any) }, w, base *world.World) (pieces [][]byte) {
	to := tape.NewWriter(func(piece []byte) error { pieces = append(pieces, bytes.Clone(piece)); return nil })
	if !w.Extends(base) {
		t.Fatal("it is not to be saved beside that")
	}
	w.Save(base, to)
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return pieces
}

func loaded(base *world.World, pieces [][]byte) (*world.World, error) {
	return base.Load(tape.NewReader(func() ([]byte, error) {
		if len(pieces) == 0 {
			return nil, nil
		}
		piece := pieces[0]
		pieces = pieces[1:]
		return piece, nil
	}))
}

// scribble writes some things to a world.
func scribble(t *rapid.T, w *world.World, most int) *world.World {
	tx := w.Begin()
	for range rapid.IntRange(0, most).Draw(t, "writes") {
		c := rapid.SampledFrom(collections).Draw(t, "collection").Name
		id := fmt.Sprint("x", rapid.IntRange(0, 300).Draw(t, "id"))
		value := object{
			"id": id, "owner": rapid.SampledFrom([]any{"a", "b", int64(7), nil}).Draw(t, "owner"), "due": int64(rapid.IntRange(-2, 5).Draw(t, "due")),
			"meta": object{"tag": rapid.SampledFrom([]string{"k", "l"}).Draw(t, "tag"), "rank": int64(rapid.IntRange(0, 2).Draw(t, "rank"))},
		}
		if rapid.IntRange(0, 20).Draw(t, "long") == 0 {
			value["text"] = strings.Repeat("long ", 2000)
		}
		switch _, there := tx.Get(c, id); {
		case !there:
			must(tx.Insert(c, id, value))
		case rapid.Bool().Draw(t, "deletes"):
			if err := tx.Delete(c, id); err != nil {
				t.Fatal(err)
			}
		default:
			must(tx.Update(c, id, value))
		}
	}
	return tx.Commit()
}

// seen is all that can be read of a world.
func seen(w world.Reader) string {
	var all strings.Builder
	for _, c := range collections {
		fmt.Fprintln(&all, c.Name, w.Len(c.Name), collect(w.Newest(c.Name, 0)), collect(w.Oldest(c.Name, 3)))
		for _, field := range []string{"owner", "meta.tag", "due"} {
			for _, value := range []string{"a", "b", "7", "k", "l", "1"} {
				fmt.Fprintln(&all, field, value, collect(w.Find(c.Name, field, value, 0)))
			}
		}
		for _, field := range []string{"due", "meta.rank", "owner"} {
			fmt.Fprintln(&all, field, collect(w.Ascending(c.Name, field, 0)))
		}
		for i := range 5 {
			r, ok := w.Get(c.Name, fmt.Sprint("x", i))
			fmt.Fprintln(&all, ok, ok && r.ID == fmt.Sprint("x", i))
		}
	}
	return all.String()
}

// A world that was saved beside another, and loaded, is the same: to read, to
// write to, and to save again.
func TestALoadedWorldIsTheOneThatWasSaved(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		origin := scribble(t, must(world.New(collections...)), 80)
		base := scribble(t, origin, 30)
		w := scribble(t, origin, 30) // beside the base: on another branch
		if rapid.Bool().Draw(t, "on the same") {
			w = scribble(t, base, 30)
		}
		if rapid.Bool().Draw(t, "revised") {
			w = must(w.With(world.Collection{Name: "new.things"}, world.Collection{Name: things, Indexes: []string{"due"}}))
			w = putOne(t, w, "new.things")
		}
		pieces := saved(t, w, base)
		got, err := loaded(base, pieces)
		if err != nil {
			t.Fatal(err)
		}
		if got.Hash() != w.Hash() || seen(got) != seen(w) || fmt.Sprint(got.Declared()) != fmt.Sprint(w.Declared()) {
			t.Fatalf("it is another world:\n%s\nnot\n%s", seen(got), seen(w))
		}
		if again := saved(t, got, base); !bytes.Equal(bytes.Join(again, nil), bytes.Join(pieces, nil)) {
			t.Fatal("it is saved otherwise")
		}
		a, b := w.Begin(), got.Begin()
		for _, tx := range []*world.Tx{a, b} {
			for _, c := range collections {
				must(tx.Insert(c.Name, "later", object{"owner": "a", "due": 1}))
				if r, ok := tx.Get(c.Name, "x1"); ok {
					must(tx.Update(c.Name, "x1", r.Value()))
				}
			}
		}
		if fmt.Sprint(a.Changes()) != fmt.Sprint(b.Changes()) || a.Commit().Hash() != b.Commit().Hash() {
			t.Fatal("what comes after is another world")
		}
	})
}

func putOne(t *rapid.T, w *world.World, collection string) *world.World {
	tx := w.Begin()
	must(tx.Insert(collection, "1", object{"owner": "a"}))
	return tx.Commit()
}

// A world that is saved beside one which has what it lacks would have that when it
// is loaded.
func TestAWorldDoesNotExtendOneThatHasMore(t *testing.T) {
	t.Parallel()
	w := sample(t)
	for _, more := range []world.Collection{{Name: "new.things"}, {Name: things, Indexes: []string{"more"}}, {Name: things, Sorted: []string{"more"}}, {Name: things, Hidden: true}} {
		wide := must(w.With(more))
		if w.Extends(wide) || !wide.Extends(w) && !more.Hidden || !w.Extends(w) {
			t.Errorf("%+v", more)
		}
	}
}

// What was saved of older records comes to the same pieces again, whatever came
// after.
func TestWhatHasNotChangedIsSavedInTheSamePieces(t *testing.T) {
	t.Parallel()
	base := must(world.New(collections...))
	fill := func(w *world.World, from, to int) *world.World {
		tx := w.Begin()
		for i := from; i < to; i++ {
			must(tx.Insert(things, fmt.Sprint("x", i), object{"n": i, "text": strings.Repeat("t", 500)}))
		}
		return tx.Commit()
	}
	w := fill(base, 0, 3000)
	first := saved(t, w, base)
	tx := fill(w, 3000, 3100).Begin()
	must(tx.Update(things, "x5", object{"n": "changed"}))
	second, same := saved(t, tx.Commit(), base), 0
	for _, piece := range second {
		for _, before := range first {
			if bytes.Equal(piece, before) {
				same++
			}
		}
	}
	if len(first) < 10 || same < len(first)-2 {
		t.Errorf("of %d pieces %d are among the %d of before", len(second), same, len(first))
	}
}

// Whatever is read, it is a world or an error.
func FuzzLoad(f *testing.F) {
	base := must(world.New(collections...))
	tx := base.Begin()
	for i := range 5 {
		must(tx.Insert(things, fmt.Sprint("x", i), object{"owner": "a", "due": i}))
	}
	for _, piece := range saved(f, tx.Commit(), base) {
		f.Add(piece)
		for at := range piece {
			flipped := bytes.Clone(piece)
			flipped[at] ^= 1 << (at % 8)
			f.Add(flipped)
		}
	}
	f.Fuzz(func(t *testing.T, piece []byte) {
		if w, err := loaded(base, [][]byte{piece}); err == nil {
			_ = w.Hash()
		}
	})
}
