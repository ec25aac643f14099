package faults

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"parity/fakes/tape"
	"parity/faults/trail"
	"parity/specs"
)

func save(t, base *Tallies) (pieces [][]byte) {
	to := tape.NewWriter(func(piece []byte) error { pieces = append(pieces, bytes.Clone(piece)); return nil })
	t.Save(base, to)
	if err := to.Close(); err != nil {
		panic(err) // of what is given away nothing is refused
	}
	return pieces
}

func load(base *Tallies, pieces [][]byte) (*Tallies, error) {
	return base.Load(tape.NewReader(func() ([]byte, error) {
		if len(pieces) == 0 {
			return nil, nil
		}
		piece := pieces[0]
		pieces = pieces[1:]
		return piece, nil
	}))
}

// Tallies that were saved beside others and loaded are the same, and go on as the
// same, also where they had begun to forget.
func TestLoadedTalliesAreThoseThatWereSaved(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		origin := newTallies(rapid.SampledFrom([]int{4, 10, Remembered}).Draw(t, "bound"))
		tallies, base, c := origin.Fork(), origin.Fork(), &caller{}
		for range rapid.IntRange(0, 60).Draw(t, "events") {
			tallies.Fold(c.next(t, tallies))
			if rapid.IntRange(0, 9).Draw(t, "base") == 0 {
				base = tallies.Fork()
			}
		}
		if rapid.Bool().Draw(t, "back") { // a run that was set back is beside what it has been
			tallies, base = base, tallies
		}
		got, err := load(base, save(tallies, base))
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 40).Draw(t, "more") {
			if got.Hash() != tallies.Hash() || fmt.Sprint(got.lastOf(Pattern{}), got.floor) != fmt.Sprint(tallies.lastOf(Pattern{}), tallies.floor) {
				t.Fatal("they are others")
			}
			e := c.next(t, tallies)
			tallies.Fold(e)
			got.Fold(e)
		}
	})
}

// What tallies hold is in what is saved of them: a field that was added and
// forgotten would be lost when a run sleeps.
func TestNothingOfTalliesIsForgotten(t *testing.T) {
	t.Parallel()
	rule := &ruleKey{"rule", "hash", "per"}
	var used uses
	for _, at := range []trail.Instant{5, 9, 11} {
		used = used.with(at, 2)
	}
	tallies := newTallies(8)
	tallies.floor = 3
	tallies.intents.set(intentName{"f", 2}, intent{2, 3, true, true, []sighting{{rule, 4, 5, true}}})
	tallies.keys.set("key", keyed{"f", 2})
	tallies.counts.set(*rule, count{rule, 6, 7, 8, used})
	tallies.last.set(callName{"s", "GET /v1/a"}, lastCall{
		&specs.Operation{Service: "s", ID: "id", Method: "GET", Path: "/v1/a"}, &specs.Operation{Service: "s", ID: "id", Method: "GET", Path: "/a"}, 9, 10,
	})
	got, err := load(newTallies(8), save(tallies, newTallies(8)))
	if err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2]any{
		"intents": {*tallies.intents.get(intentName{"f", 2}), *got.intents.get(intentName{"f", 2})},
		"keys":    {*tallies.keys.get("key"), *got.keys.get("key")},
		"counts":  {*tallies.counts.get(*rule), *got.counts.get(*rule)},
		"last":    {*tallies.last.get(callName{"s", "GET /v1/a"}), *got.last.get(callName{"s", "GET /v1/a"})},
		"floor":   {tallies.floor, got.floor},
		"sizes": {
			[]int{tallies.intents.size, tallies.keys.size, tallies.counts.size, tallies.last.size},
			[]int{got.intents.size, got.keys.size, got.counts.size, got.last.size},
		},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s: %+v, saved as %+v", name, pair[1], pair[0])
		}
	}
	// Each field has a value of its own above: zero would be kept by forgetting it.
	values := []any{*tallies, *tallies.intents.get(intentName{"f", 2}), sighting{rule, 4, 5, true}, keyed{"f", 2}, *tallies.counts.get(*rule), used}
	values = append(values, *tallies.last.get(callName{"s", "GET /v1/a"}), *rule, intentName{"f", 2}, callName{"s", "o"})
	for _, value := range values {
		of := reflect.ValueOf(value)
		for i := range of.NumField() {
			if of.Field(i).IsZero() {
				t.Errorf("%s.%s is zero here: give it a value, and see that it is saved", of.Type(), of.Type().Field(i).Name)
			}
		}
	}
}
