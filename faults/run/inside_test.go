package run

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parity/fakes/clock"
	"parity/fakes/tape"
	"parity/fakes/world"
	"parity/faults/trail"
)

// Inside tells all that a state holds, for tests that compare two.
func (s *State) Inside() string {
	var all strings.Builder
	s.tell(&all)
	for _, name := range slices.Sorted(maps.Keys(s.snapshots)) {
		fmt.Fprintln(&all, "snapshot", name)
		s.snapshots[name].tell(&all)
	}
	fmt.Fprintln(&all, "start", s.start == s.origin)
	s.start.tell(&all)
	return all.String()
}

func (s *State) tell(to *strings.Builder) {
	c := s.Clock
	fmt.Fprintln(to, s.World.Hash(), s.World.Declared(), s.Counted(), c.Options, c.Frozen, c.Last, c.Next, c.Set, s.Seq, s.Began, s.Epoch, s.Revision, s.arms, s.weight)
	fmt.Fprintf(to, "%+v %+v\n", s.Armed, s.waiting)
	for _, m := range []*moment{s.past.newest, s.past.old} {
		fmt.Fprintln(to, "past", s.past.size, s.past.total, s.past.cut, m != nil && m.world == s.World)
		for ; m != nil; m = m.before {
			fmt.Fprintln(to, m.at, m.world.Hash(), len(m.world.Declared()))
		}
	}
}

// Saved is what is saved of a state; nil where it is not.
func (s *State) Saved() (pieces [][]byte) {
	to := tape.NewWriter(func(piece []byte) error { pieces = append(pieces, slices.Clone(piece)); return nil })
	if !s.Save(to) || to.Close() != nil {
		return nil
	}
	return pieces
}

// Loaded is Load of such pieces.
func (s *State) Loaded(pieces [][]byte) (State, error) {
	return s.Load(tape.NewReader(func() ([]byte, error) {
		if len(pieces) == 0 {
			return nil, nil
		}
		piece := pieces[0]
		pieces = pieces[1:]
		return piece, nil
	}))
}

// unsaved are the fields of a state that are not saved as they are, and why.
var unsaved = map[string]string{
	"origin": "it is what a state is saved beside: whoever loads it makes it anew",
}

// A field that was added to a state and forgotten in what is saved of it would be
// lost when a run sleeps.
func TestNothingOfAStateIsForgotten(t *testing.T) {
	t.Parallel()
	w, err := world.New(world.Collection{Name: "a.things"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := clock.New(clock.Options{Start: time.Unix(1000, 0)}, time.Unix(2000, 0))
	if err != nil {
		t.Fatal(err)
	}
	origin, began := NewState(w, c), time.Unix(77, 0).UTC()
	change := trail.Change{Op: world.Update, Collection: "a.things", ID: "1", Version: 2, Order: 3, After: []byte("a"), Before: []byte("b"), Own: true}
	full := origin.Fork()
	tx := w.Begin()
	if _, err := tx.Insert("a.things", "1", map[string]any{"n": 1}); err != nil {
		t.Fatal(err)
	}
	full.World = tx.Commit()
	full.Tallies.Fold(&trail.Event{Seq: 5, Kind: trail.Exchanged, Exchange: &trail.Exchange{
		Service: "s", Operation: "GET /", Intent: trail.Intent{Fingerprint: "f", Occurrence: 1, Attempt: 1},
	}})
	full.Clock = clock.State{Options: clock.Options{Mode: clock.Stepped, Start: began, Speed: 2.5, Step: 7}, Frozen: true, Last: began.Add(1), Next: began.Add(2), Set: true}
	full.Seq, full.Began, full.Epoch, full.Revision, full.arms, full.weight = 5, began, 6, "rev", 8, 9
	full.Armed = []Armed{{Seq: 3, Arming: trail.Arming{Name: "n", Text: "t", Until: 4, Fault: "f", Calls: []string{"c", "d"}, Because: "b", Required: true}}}
	full.waiting = []waiting{{seq: 4, reserved: []trail.Change{change}}}
	full.past = past{newest: &moment{at: 2, world: full.World}, old: &moment{at: 1, world: w}, size: 1, total: 2, cut: true}
	full.keep("snap")
	full.Rebase()
	full.snapshots["snap"].Seq = 4
	full.start.Seq = 2
	got, err := origin.Loaded(full.Saved())
	if err != nil {
		t.Fatal(err)
	}
	if got.Inside() != full.Inside() {
		t.Errorf("%s\nis saved as\n%s", got.Inside(), full.Inside())
	}
	// Each field has a value of its own above: zero would be kept by forgetting it.
	unexported := map[string]string{"hung": "it holds for this process only", "owed": "it holds for this process only"}
	for _, value := range []any{full, full.past, full.waiting[0], change, full.Clock, full.Clock.Options, full.Armed[0], full.Armed[0].Arming, *full.past.old} {
		of := reflect.ValueOf(value)
		for i := range of.NumField() {
			name := of.Type().Field(i).Name
			switch {
			case of.Type() == reflect.TypeFor[State]() && unsaved[name] != "", of.Type() == reflect.TypeFor[clock.State]() && unexported[name] != "":
			case of.Type() == reflect.TypeFor[moment]() && name == "before": // whose own is nil
			case of.Field(i).IsZero():
				t.Errorf("%s.%s is zero here: give it a value, tell it in Inside and see that it is saved, or say in unsaved why not", of.Type(), name)
			}
		}
	}
}

// What is saved is read only beside what it was saved beside: whatever else it
// looks like, it is no state.
func TestAStateOfAnotherOriginIsNotLoaded(t *testing.T) {
	t.Parallel()
	origin := func(id string) State {
		w, err := world.New(world.Collection{Name: "a.things"})
		if err != nil {
			t.Fatal(err)
		}
		tx := w.Begin()
		for i := range len(id) {
			if _, err := tx.Insert("a.things", id[:i+1], map[string]any{"n": i}); err != nil {
				t.Fatal(err)
			}
		}
		return NewState(tx.Commit(), clock.State{Next: time.Unix(1, 0)})
	}
	a, b := origin("a"), origin("bb")
	s := a.Fork()
	tx := s.World.Begin()
	if _, err := tx.Update("a.things", "a", map[string]any{"n": 5}); err != nil {
		t.Fatal(err)
	}
	s.World = tx.Commit()
	if _, err := b.Loaded(s.Saved()); err == nil {
		t.Error("it is taken for one")
	}
	whole := s.Saved()[0]
	for n := range whole { // cut anywhere
		if _, err := a.Loaded([][]byte{whole[:n]}); err == nil {
			t.Errorf("the first %d of %d bytes are taken for all", n, len(whole))
		}
	}
}
