package world_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"parity/fakes/world"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// paths lists where something stands in a value, and some places where nothing
// does.
func paths(value object) [][]string {
	all := [][]string{{"missing"}, {"missing", "too"}}
	for key, v := range value {
		all = append(all, []string{key}, []string{key, "missing"})
		if inner, ok := v.(object); ok {
			for _, path := range paths(inner) {
				all = append(all, append([]string{key}, path...))
			}
		}
	}
	return all
}

func standing(value any, path []string) any {
	for _, name := range path {
		m, ok := value.(object)
		if !ok {
			return nil
		}
		value = m[name]
	}
	return value
}

// Whatever a journal says that a record is: it is refused when it is applied,
// or is read as Decode reads it, as a whole and field by field.
func FuzzApply(f *testing.F) {
	for _, data := range []string{
		`{}`, `{"id":"x","object":"y","a":{"b":[1,{"c":-2.5}],"é":"\u001f\n\"\\"},"b":1e+21,"z":null}`, `{"a":1,"a":2}`, `{"b":1,"a":2}`, ` {"a": 1}`,
		`{"a":1}}`, `{"a":}`, `{"a":1,}`, `{"a":[1,]}`, `{"a":tru}`, `{"a":"\/"}`, `{"a":"\ud800"}`, `{"a":"\u0041"}`, "{\"a\":\"\xff\"}", "{\"a\":\"\x01\"}", `{"a`, `{"a":"`,
		`{"a":-0,"b":01,"c":1.0}`, `{"a":-0}`, `{"a":01}`, `{"a":1.0}`, `{"a":1e999}`, `{"a":9223372036854775807}`, `{"a":9223372036854775808}`, `{"a":1e21}`, `{"a":1e-7}`,
		`{"\"":1,"\\":{"\n":2}}`, `{"id":1,"a":2}`, `{"a":2,"id":1}`, `{"object":1,"id":2}`, `null`, `[]`, ``, `{"":0,"a":{"":[[],{}]}}`,
		strings.Repeat(`{"a":`, 200) + `1` + strings.Repeat(`}`, 200), strings.Repeat(`{"a":`, 201) + `1` + strings.Repeat(`}`, 201), `{"a":` + strings.Repeat(`[`, 200) + strings.Repeat(`]`, 200) + `}`,
	} {
		f.Add([]byte(data))
	}
	declared := []world.Collection{{Name: things, Indexes: []string{"a"}, Sorted: []string{"b"}}, {Name: "hidden", Hidden: true}}
	f.Fuzz(func(t *testing.T, data []byte) {
		want, wrong := world.Decode(data)
		for _, c := range declared {
			change := world.Change{Op: world.Create, Collection: c.Name, ID: "x", Version: 1, Order: 1, After: slices.Clone(data)}
			after, err := must(world.New(declared...)).Apply([]world.Change{change})
			if (err == nil) != (wrong == nil) {
				t.Fatalf("applied: %v, decoded: %v", err, wrong)
			}
			if err != nil {
				continue
			}
			r, _ := after.Get(c.Name, "x")
			for _, path := range paths(want) {
				if diff := cmp.Diff(standing(want, path), r.At(path...)); diff != "" {
					t.Errorf("%q (-want +got):\n%s", path, diff)
				}
			}
			if diff := cmp.Diff(want, r.Value()); diff != "" {
				t.Errorf("value (-want +got):\n%s", diff)
			}
			if again := must(world.Decode(r.JSON())); !cmp.Equal(want, again) {
				t.Errorf("its JSON is %s", r.JSON())
			}
		}
	})
}

// A payment intent took 5 KB as a map beside 1.2 KB of JSON, for as long as its
// run lived, and its event held the same again.
func TestRecordsAreKeptAsTheirJSON(t *testing.T) {
	const n = 2000
	base := must(world.New(world.Collection{Name: "a.things"}, world.Collection{Name: "a.events", Ledger: true}))
	w, folded, size := base, base, 0
	before := heap()
	for i := range n {
		tx := w.Begin()
		id := fmt.Sprint("ch_", i)
		r := must(tx.Insert("a.things", id, charge(id, "cus_1")))
		must(tx.Insert("a.events", "evt_"+id, object{"id": "evt_" + id, "data": object{"object": r.Value()}}))
		size += len(r.JSON())
		w = tx.Commit()
		changes := slices.Clone(tx.Changes())
		for i := range changes { // as a journal gives them
			changes[i].After = slices.Clone(changes[i].After)
		}
		folded = must(folded.Apply(changes))
	}
	if kept := heap() - before; kept > 2*size*2 { // of two worlds
		t.Errorf("two worlds with %d bytes of records and their events keep %d", size, kept)
	}
	if w.Hash() != folded.Hash() {
		t.Error("the deltas give another world")
	}
	runtime.KeepAlive(base)
}

// What is decoded again is what was written, whoever reads it and whatever else
// is read meanwhile; -race watches.
func TestManyReadMoreThanIsKeptDecoded(t *testing.T) {
	t.Parallel()
	tx := must(world.New(world.Collection{Name: "a.things"}, world.Collection{Name: "a.events", Ledger: true})).Begin()
	var want []object
	const n = 500 // of 1.1 KB each
	for i := range n {
		id := fmt.Sprint("ch_", i)
		r := must(tx.Insert("a.things", id, charge(id, "cus_1")))
		want = append(want, r.Value())
		must(tx.Insert("a.events", id, object{"id": id, "n": i, "data": object{"object": r.Value()}}))
	}
	w := tx.Commit()
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range n {
				i = (i*7 + g*n/4) % n
				id := fmt.Sprint("ch_", i)
				r, _ := w.Get("a.things", id)
				event, _ := w.Get("a.events", id)
				if g%2 == 0 && r.At("metadata", "order_id") != "6735" {
					t.Errorf("%s: metadata is %v", id, r.At("metadata"))
				}
				if !cmp.Equal(want[i], r.Value()) || !cmp.Equal(object{"id": id, "n": int64(i), "data": object{"object": want[i]}}, event.Value()) {
					t.Errorf("%s is %v, its event %v", id, r.Value(), event.Value())
				}
			}
		})
	}
	all.Wait()
}

// A search that passes over records by Says finds all that it would find in
// their values.
func TestSaysMissesNoText(t *testing.T) {
	t.Parallel()
	letters := rapid.SampledFrom([]rune{'a', 'A', 'k', 'K', '\u212a', 'i', '\u0130', 'I', 'ä', 'Ä', ' ', '"', '\\', '\n', '\x01', '&', '<', '/', '1'})
	texts := rapid.StringOfN(letters, 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		tx := must(world.New(collections...)).Begin()
		text := texts.Draw(t, "text")
		r := must(tx.Insert(things, "says", object{"in": []any{object{"text": text}}, "other": texts.Draw(t, "other")}))
		word := strings.ToLower(texts.Draw(t, "word"))
		if strings.Contains(strings.ToLower(text), word) && !r.Says(word) {
			t.Errorf("%q does not say %q", text, word)
		}
	})
	plain := must(must(world.New(collections...)).Begin().Insert(things, "says", object{"text": "One of THEM"}))
	for word, want := range map[string]bool{"": true, "of them": true, "none": false, "e of": true, "em\"": true, "theme": false} {
		if plain.Says(word) != want {
			t.Errorf("%q: %v", word, !want)
		}
	}
}
