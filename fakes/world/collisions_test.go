package world

import "testing"

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
	if r, ok := w.Get("c", "aa99"); !ok || r.Value()["owner"] != "aa" {
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
			if r.Value()["owner"] != name {
				t.Errorf("%s is among those of %s", r.ID, name)
			}
			n++
		}
		if n != want {
			t.Errorf("%s has %d records, want %d", name, n, want)
		}
	}
}
