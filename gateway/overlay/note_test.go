package overlay_test

import (
	"testing"

	"parity/fakes"
	"parity/fakes/world"
	"parity/gateway/overlay"
)

// What is known of a record follows from what was done to it, commit by commit.
func TestARecordsStateFollowsFromItsChanges(t *testing.T) {
	t.Parallel()
	value := func(x int64) map[string]any { return map[string]any{"x": x, "y": int64(0)} }
	does := map[string]func(*world.Tx) error{
		"create": func(tx *world.Tx) error { _, err := tx.Insert("s.things", "1", value(1)); return err },
		"change": func(tx *world.Tx) error { _, err := tx.Update("s.things", "1", value(2)); return err },
		"back":   func(tx *world.Tx) error { _, err := tx.Update("s.things", "1", value(1)); return err },
		"delete": func(tx *world.Tx) error { return tx.Delete("s.things", "1") },
	}
	for _, row := range []struct {
		there bool // before the run
		acts  []string
		state string // "": nothing is kept
		x     any    // of what it was
	}{
		{false, []string{"create"}, "created", nil},
		{false, []string{"create", "change"}, "created", nil},
		{false, []string{"create", "delete"}, "", nil},
		{true, []string{"change"}, "changed", int64(1)},
		{true, []string{"change", "change"}, "changed", int64(1)},
		{true, []string{"change", "back"}, "", nil},
		{true, []string{"delete"}, "deleted", int64(1)},
		{true, []string{"change", "delete"}, "deleted", int64(1)},
		{true, []string{"delete", "create", "change"}, "changed", int64(1)},
		{true, []string{"delete", "create", "delete"}, "deleted", int64(1)},
	} {
		w, err := world.New(world.Collection{Name: "s.things"}, world.Collection{Name: fakes.OverlayCollection, Indexes: []string{"service"}, Hidden: true})
		if err != nil {
			t.Fatal(err)
		}
		if tx := w.Begin(); row.there {
			if err := does["create"](tx); err != nil {
				t.Fatal(err)
			}
			w = tx.Commit()
		}
		for _, act := range row.acts {
			tx := w.Begin()
			if err := does[act](tx); err != nil {
				t.Fatal(err)
			}
			overlay.Note(tx, 0)
			again, err := w.Apply(tx.Changes()) // as a replay has it
			if w = tx.Commit(); err != nil || again.Hash() != w.Hash() {
				t.Fatalf("%v: its changes do not give its world: %v", row.acts, err)
			}
		}
		kept := map[string]any{}
		if held, ok := w.Get(fakes.OverlayCollection, "s.things 1"); ok {
			kept = held.Value()
		}
		state, _ := kept["state"].(string)
		base, _ := kept["base"].(map[string]any)
		if state != row.state || base["x"] != row.x {
			t.Errorf("after %v it is %q and was %v, want %q and %v", row.acts, state, base["x"], row.state, row.x)
		}
		if fields, _ := kept["fields"].([]any); row.state == "changed" && (len(fields) != 1 || fields[0] != "x") {
			t.Errorf("after %v the changed fields are %v", row.acts, fields)
		}
	}
}
