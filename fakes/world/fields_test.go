package world_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"parity/fakes/world"

	"github.com/google/go-cmp/cmp"
)

func fieldsWorld() *world.World {
	return must(world.New(
		world.Collection{Name: things, Indexes: []string{"customer", "data.kind"}, Sorted: []string{"due"}},
		world.Collection{Name: "notes", Indexes: []string{"type", "data.n"}, Sorted: []string{"due"}, Ledger: true},
	))
}

// A record that is put together of fields is the very record that its map would
// have become: its bytes, its value, by what it is found, and the change.
func TestFieldsAreAsTheirMap(t *testing.T) {
	t.Parallel()
	shown := object{"id": "th_1", "customer": "cus_1", "text": strings.Repeat("long ", 40)}
	for name, long := range map[string]string{"short": "", "long": strings.Repeat("x", 5000)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			write := func(insert func(tx *world.Tx, of *world.Record) error) (*world.World, []world.Change) {
				tx := fieldsWorld().Begin()
				of := must(tx.Insert(things, "th_1", shown))
				if err := insert(tx, of); err != nil {
					t.Fatal(err)
				}
				return tx.Commit(), tx.Changes()
			}
			asMap, mapped := write(func(tx *world.Tx, of *world.Record) error {
				_, err := tx.Insert("notes", "n_1", object{
					"id": "n_1", "object": "note", "data": object{"kind": "a", "n": int64(7), "of": of.Value()}, "due": int64(30),
					"long": long, "odd": "\xff<\"", "part": 0.5, "type": "made",
				})
				return err
			})
			asFields, fielded := write(func(tx *world.Tx, of *world.Record) error {
				_, err := tx.InsertFields("notes", "n_1", world.Fields{
					{Name: "id", Value: "n_1"},
					{Name: "object", Value: "note"},
					{Name: "data", Value: world.Fields{{Name: "kind", Value: "a"}, {Name: "n", Value: int64(7)}, {Name: "of", Value: of.Value()}}},
					{Name: "due", Value: int64(30)},
					{Name: "long", Value: long},
					{Name: "odd", Value: "\xff<\""},
					{Name: "part", Value: 0.5},
					{Name: "type", Value: "made"},
				})
				return err
			})
			if diff := cmp.Diff(mapped, fielded); diff != "" {
				t.Errorf("the changes differ:\n%s", diff)
			}
			if asMap.Hash() != asFields.Hash() {
				t.Error("the worlds differ")
			}
			one, _ := asMap.Get("notes", "n_1")
			other, _ := asFields.Get("notes", "n_1")
			if diff := cmp.Diff(one.Value(), other.Value()); diff != "" || !bytes.Equal(one.JSON(), other.JSON()) {
				t.Errorf("the records differ:\n%s", diff)
			}
			for field, value := range map[string]string{"type": "made", "data.n": "7"} {
				found := 0
				for range asFields.Find("notes", field, value, 0) {
					found++
				}
				if found != 1 {
					t.Errorf("%d records are found by %s, want 1", found, field)
				}
			}
			due := 0
			for range asFields.Ascending("notes", "due", 30) {
				due++
			}
			if due != 1 {
				t.Errorf("%d records are due, want 1", due)
			}
		})
	}
}

func TestFieldsAreRefused(t *testing.T) {
	t.Parallel()
	tx := fieldsWorld().Begin()
	if _, err := tx.InsertFields("notes", "n_1", world.Fields{{Name: "a", Value: "b"}}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		collection, id string
		fields         world.Fields
		want           error
	}{
		"there already":      {"notes", "n_1", world.Fields{{Name: "a"}}, world.ErrExists},
		"no collection":      {"none", "n_2", world.Fields{{Name: "a"}}, world.ErrCollection},
		"out of order":       {"notes", "n_2", world.Fields{{Name: "b"}, {Name: "a"}}, world.ErrValue},
		"twice":              {"notes", "n_2", world.Fields{{Name: "a"}, {Name: "a"}}, world.ErrValue},
		"id after another":   {"notes", "n_2", world.Fields{{Name: "a"}, {Name: "id"}}, world.ErrValue},
		"out of order below": {"notes", "n_2", world.Fields{{Name: "a", Value: world.Fields{{Name: "object"}, {Name: "id"}}}}, world.ErrValue},
		"no value":           {"notes", "n_2", world.Fields{{Name: "a", Value: func() {}}}, world.ErrValue},
	} {
		if _, err := tx.InsertFields(c.collection, c.id, c.fields); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if n := len(tx.Changes()); n != 1 {
		t.Errorf("%d changes, want 1", n)
	}
}
