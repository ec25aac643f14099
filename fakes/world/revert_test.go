package world_test

import (
	"slices"
	"strings"
	"testing"

	"parity/fakes/world"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestRevert(t *testing.T) {
	t.Parallel()
	before := sample(t).Begin()
	must0(t, insert(before, things, "2", object{"owner": "b"}))
	base := before.Commit()
	for _, test := range []struct {
		name        string
		delta, then func(*world.Tx) error
		want        map[string]string // owners afterwards
		says        string
	}{
		{
			name: "a create", delta: func(tx *world.Tx) error { return insert(tx, things, "3", object{"owner": "c"}) },
			want: map[string]string{"1": "a", "2": "b"},
		},
		{
			name: "an update", delta: func(tx *world.Tx) error { return update(tx, things, "2", object{"owner": "c"}) },
			want: map[string]string{"1": "a", "2": "b"},
		},
		{name: "several writes of one record", delta: func(tx *world.Tx) error {
			return first(insert(tx, things, "3", object{"owner": "c"}), update(tx, things, "3", object{"owner": "d"}),
				update(tx, things, "2", object{"owner": "d"}), update(tx, things, "2", object{"owner": "e"}))
		}, want: map[string]string{"1": "a", "2": "b"}},
		{name: "what came and went", delta: func(tx *world.Tx) error {
			return first(insert(tx, things, "3", object{"owner": "c"}), tx.Delete(things, "3"), insert(tx, things, "3", object{"owner": "d"}))
		}, want: map[string]string{"1": "a", "2": "b"}},
		{name: "what has changed since", delta: func(tx *world.Tx) error {
			return first(insert(tx, things, "3", object{"owner": "c"}), update(tx, things, "2", object{"owner": "c"}))
		}, then: func(tx *world.Tx) error {
			return first(update(tx, things, "3", object{"owner": "z"}), update(tx, things, "2", object{"owner": "c"}))
		}, want: map[string]string{"1": "a", "2": "c", "3": "z"}},
		{name: "what is gone since", delta: func(tx *world.Tx) error {
			return first(insert(tx, things, "3", object{"owner": "c"}), update(tx, things, "2", object{"owner": "c"}))
		}, then: func(tx *world.Tx) error {
			return first(tx.Delete(things, "2"), tx.Delete(things, "3"), insert(tx, things, "3", object{"owner": "c"}))
		}, want: map[string]string{"1": "a", "3": "c"}},
		{name: "a delete", delta: func(tx *world.Tx) error {
			return first(insert(tx, things, "3", object{"owner": "c"}), tx.Delete(things, "2"))
		}, says: `test.things "2" was deleted, which cannot be undone`},
		{name: "a delete and another record", delta: func(tx *world.Tx) error {
			return first(tx.Delete(things, "2"), insert(tx, things, "2", object{"owner": "c"}))
		}, says: `test.things "2" was deleted`},
	} {
		tx := base.Begin()
		must0(t, test.delta(tx))
		delta := tx.Changes()
		after := tx.Commit().Begin()
		if test.then != nil {
			must0(t, test.then(after))
		}
		undo := after.Commit().Begin()
		err := undo.Revert(delta)
		if test.says != "" {
			if err == nil || !strings.Contains(err.Error(), test.says) || len(undo.Changes()) > 0 {
				t.Errorf("%s: error %v after %d changes, want one that says %s", test.name, err, len(undo.Changes()), test.says)
			}
			continue
		}
		got := map[string]string{}
		for r := range undo.Oldest(things, 0) {
			got[r.ID] = r.Value()["owner"].(string)
		}
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", test.name, err, diff)
		}
		if folded := must(after.Commit().Apply(undo.Changes())); folded.Hash() != undo.Commit().Hash() {
			t.Errorf("%s: the changes that undo do not fold", test.name)
		}
	}
}

// A record of another branch is not what the delta left, though it has the same
// version and order.
func TestRevertOnAnotherBranch(t *testing.T) {
	t.Parallel()
	base := sample(t)
	mine, theirs := base.Begin(), base.Begin()
	must0(t, insert(mine, things, "2", object{"owner": "b"}))
	must0(t, insert(theirs, things, "2", object{"owner": "c"}))
	undo := theirs.Commit().Begin()
	must0(t, undo.Revert(mine.Changes()))
	if n := len(undo.Changes()); n != 0 {
		t.Errorf("%d changes were undone that another branch made", n)
	}
}

// Whatever a delta without deletes of older records did, what it left is gone.
func TestRevertAgainstModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := model{map[string][]row{}, map[string]uint64{}}
		tx := must(world.New(collections...)).Begin()
		for range rapid.IntRange(0, 20).Draw(t, "before") {
			write(t, tx, &m)
		}
		base, before := tx.Commit(), m.clone()
		tx = base.Begin()
		for range rapid.IntRange(0, 12).Draw(t, "delta") {
			write(t, tx, &m)
		}
		deleted := slices.ContainsFunc(tx.Changes(), func(c world.Change) bool {
			old, there := base.Get(c.Collection, c.ID)
			return c.Op == world.Delete && there && old.Order == c.Order
		})
		undo := tx.Commit().Begin()
		if err := undo.Revert(tx.Changes()); (err != nil) != deleted {
			t.Fatalf("error %v, and an older record was deleted: %t", err, deleted)
		}
		for _, c := range collections {
			if want, got := contents(before.rows[c.Name]), contents(collect(undo.Oldest(c.Name, 0))); !deleted && !slices.Equal(want, got) {
				t.Fatalf("%s: want %v, got %v", c.Name, want, got)
			}
		}
	})
}

func contents(rows []row) (all []string) {
	for _, r := range rows {
		all = append(all, r.ID+" "+r.JSON)
	}
	return all
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
