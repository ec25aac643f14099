package world

import "testing"

// A sorted index forgets the numbers that no record holds any more, so that
// timers that came and went take no room.
func TestNoRanksAreLeft(t *testing.T) {
	t.Parallel()
	w, err := New(Collection{Name: "c", Sorted: []string{"due"}})
	if err != nil {
		t.Fatal(err)
	}
	tx := w.Begin()
	for n := range int64(100) {
		id := string(rune('a' + n))
		if _, err := tx.Insert("c", id, map[string]any{"due": n / 2}); err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Update("c", id, map[string]any{"due": n / 3}); err != nil {
			t.Fatal(err)
		}
	}
	for n := range int64(100) {
		id := string(rune('a' + n))
		var err error
		if n%2 == 0 {
			err = tx.Delete("c", id)
		} else {
			_, err = tx.Update("c", id, map[string]any{"due": "never"})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if known := tx.at(0).sorted[0]; !known.Empty() {
		t.Errorf("the index still knows %+v", known)
	}
}
