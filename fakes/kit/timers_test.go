package kit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A service sets a timer; whoever moves the clock fires what is due.
func ExampleDue() {
	catalogue, err := fakes.NewCatalogue()
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := catalogue.World()
	if err != nil {
		fmt.Println(err)
		return
	}
	tx := w.Begin()
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for subject, wait := range map[string]time.Duration{"pi_1": 2 * time.Hour, "pi_2": time.Hour, "pi_3": 3 * time.Hour} {
		if err := kit.Schedule(tx, fakes.Timer{Service: "shop", Kind: "hold-expires", Subject: subject, Due: noon.Add(wait)}); err != nil {
			fmt.Println(err)
		}
	}
	for t, ok := kit.Due(tx, noon.Add(2*time.Hour)); ok; t, ok = kit.Due(tx, noon.Add(2*time.Hour)) {
		fmt.Println(t.Due.Format(time.TimeOnly), t.Service, t.Kind, t.Subject)
		if err := kit.Cancel(tx, t.Service, t.Kind, t.Subject); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// 13:00:00 shop hold-expires pi_2
	// 14:00:00 shop hold-expires pi_1
}

func timed(t interface{ Fatal(...any) }) *world.World {
	catalogue, err := fakes.NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	w, err := catalogue.World()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestTimersAreChecked(t *testing.T) {
	t.Parallel()
	due := time.Unix(1000, 0)
	for _, test := range []struct {
		timer fakes.Timer
		says  string
	}{
		{fakes.Timer{Kind: "k", Due: due}, "names without a slash"},
		{fakes.Timer{Service: "s", Due: due}, "names without a slash"},
		{fakes.Timer{Service: "s/t", Kind: "k", Due: due}, "names without a slash"},
		{fakes.Timer{Service: "s", Kind: "k/l", Due: due}, "names without a slash"},
		{fakes.Timer{Service: "s", Kind: "k"}, "from 1678 to 2262"},
	} {
		tx := timed(t).Begin()
		if err := kit.Schedule(tx, test.timer); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%+v: error %v, want one that says %s", test.timer, err, test.says)
		}
		if len(tx.Changes()) > 0 {
			t.Errorf("%+v was set", test.timer)
		}
	}
	if err := kit.Schedule(things(t, 0).Begin(), fakes.Timer{Service: "s", Kind: "k", Due: due}); err == nil {
		t.Error("a timer was set in a world without timers")
	}
	if _, ok := kit.Due(things(t, 0), due); ok {
		t.Error("a world without timers has one that is due")
	}
}

// Timers do as a plain list does: sorted by when they are due, and by when they
// were set.
func TestTimersAgainstModel(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 12, 0, 0, 1, time.UTC)
	w := timed(t)
	rapid.Check(t, func(t *rapid.T) {
		tx := w.Begin()
		var want []fakes.Timer
		same := func(a fakes.Timer) func(fakes.Timer) bool {
			return func(b fakes.Timer) bool { return a.Service == b.Service && a.Kind == b.Kind && a.Subject == b.Subject }
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			timer := fakes.Timer{
				Service: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "service"),
				Kind:    rapid.SampledFrom([]string{"k", "l"}).Draw(t, "kind"),
				Subject: rapid.SampledFrom([]string{"1", "2", "", "k/1"}).Draw(t, "subject"),
				Due:     start.Add(time.Duration(rapid.IntRange(-3, 3).Draw(t, "due"))),
			}
			switch rapid.SampledFrom([]string{"set", "set", "cancel", "due"}).Draw(t, "do") {
			case "set":
				if err := kit.Schedule(tx, timer); err != nil {
					t.Fatal(err)
				}
				want = append(slices.DeleteFunc(want, same(timer)), timer)
			case "cancel":
				if err := kit.Cancel(tx, timer.Service, timer.Kind, timer.Subject); err != nil {
					t.Fatal(err)
				}
				want = slices.DeleteFunc(want, same(timer))
			case "due":
				sorted := slices.Clone(want)
				slices.SortStableFunc(sorted, func(a, b fakes.Timer) int { return a.Due.Compare(b.Due) })
				got, ok := kit.Due(tx, timer.Due)
				due := len(sorted) > 0 && !sorted[0].Due.After(timer.Due)
				if ok != due || ok && got != sorted[0] {
					t.Fatalf("due at %v: %+v, %t; the model has %+v", timer.Due, got, ok, sorted)
				}
			}
			if n := tx.Len(fakes.TimersCollection); n != len(want) {
				t.Fatalf("%d timers, want %d", n, len(want))
			}
		}
	})
}

// What a reservation wrote can be undone, also where the key was used before and
// is forgotten.
func TestReservationsAreUndone(t *testing.T) {
	t.Parallel()
	keys := kit.Keys{Collection: "x.keys", Life: time.Hour}
	before := things(t, 0).Begin()
	for i := range 3 {
		if err := keys.Keep(before, kit.Use{Key: fmt.Sprint("k", i), Now: time.Unix(1000, 0)}, kit.Stored{Status: 200}); err != nil {
			t.Fatal(err)
		}
	}
	base := before.Commit()
	for _, key := range []string{"k1", "new"} {
		use := kit.Use{Key: key, Now: time.Unix(1000, 900_000_000).Add(2 * time.Hour)}
		tx := base.Begin()
		if reserved, err := keys.Reserve(tx, use); !reserved || err != nil {
			t.Fatalf("%s: reserved is %t, %v", key, reserved, err)
		}
		undo := tx.Commit().Begin()
		if state, _ := keys.Look(undo, use); state != kit.KeyRunning {
			t.Errorf("%s: state %d once reserved", key, state)
		}
		use.Now = use.Now.Add(time.Hour - 1)
		if state, _ := keys.Look(undo, use); state != kit.KeyRunning {
			t.Errorf("%s: state %d just before its end", key, state)
		}
		if err := undo.Revert(tx.Changes()); err != nil {
			t.Errorf("%s: %v", key, err)
		}
		if state, _ := keys.Look(undo, use); state != kit.KeyFresh {
			t.Errorf("%s: state %d once given up", key, state)
		}
		contents := func(w world.Reader) (all []string) {
			for r := range w.Oldest("x.keys", 0) {
				all = append(all, string(r.JSON()))
			}
			return all
		}
		if diff := cmp.Diff(contents(base), contents(undo)); diff != "" {
			t.Errorf("%s (-before +undone):\n%s", key, diff)
		}
	}
}
