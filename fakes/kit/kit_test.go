package kit_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/kit"
	"parity/fakes/world"
)

func TestKeyStates(t *testing.T) {
	t.Parallel()
	keys := kit.Keys{Collection: "x.keys", Life: time.Hour}
	start := time.Unix(1000, 0)
	use := kit.Use{Key: "k", Endpoint: "/a", Parameters: "p", Now: start}
	tx := things(t, 0).Begin()
	look := func(change func(*kit.Use)) kit.KeyState {
		u := use
		change(&u)
		state, _ := keys.Look(tx, u)
		return state
	}
	same := func(*kit.Use) {}
	steps := []struct {
		name   string
		do     func() error
		change func(*kit.Use)
		want   kit.KeyState
	}{
		{"unused", nil, same, kit.KeyFresh},
		{"reserved", func() error { _, err := keys.Reserve(tx, use); return err }, same, kit.KeyRunning},
		{"reserved, other parameters", nil, func(u *kit.Use) { u.Parameters = "q" }, kit.KeyRunning},
		{"released", func() error { return keys.Release(tx, use) }, same, kit.KeyFresh},
		{"kept", func() error {
			return keys.Keep(tx, use, kit.Stored{Status: 201, Body: []byte(`{"a":1}`), Header: http.Header{"X-A": {"b"}}})
		}, same, kit.KeyDone},
		{"released when done", func() error { return keys.Release(tx, use) }, same, kit.KeyDone},
		{"other parameters", nil, func(u *kit.Use) { u.Parameters = "q" }, kit.KeyOtherParameters},
		{"another endpoint", nil, func(u *kit.Use) { u.Endpoint = "/b" }, kit.KeyOtherEndpoint},
		{"just before its end", nil, func(u *kit.Use) { u.Now = start.Add(time.Hour - 1) }, kit.KeyDone},
		{"forgotten", nil, func(u *kit.Use) { u.Now = start.Add(time.Hour) }, kit.KeyFresh},
	}
	for _, step := range steps {
		if step.do != nil {
			if err := step.do(); err != nil {
				t.Fatalf("%s: %v", step.name, err)
			}
		}
		if have := look(step.change); have != step.want {
			t.Errorf("%s: state %d, want %d", step.name, have, step.want)
		}
	}
	_, stored := keys.Look(tx, use)
	if stored.Status != 201 || string(stored.Body) != `{"a":1}` || stored.Header.Get("X-A") != "b" {
		t.Errorf("stored %+v", stored)
	}
	if reserved, err := keys.Reserve(tx, use); reserved || err != nil {
		t.Errorf("a key that is done was reserved: %v %v", reserved, err)
	}
}

// TestKeptAnswersStay: what is replayed is the answer as it was given, also
// when it was a record that has changed since, and in a world made from the
// delta.
func TestKeptAnswersStay(t *testing.T) {
	t.Parallel()
	keys := kit.Keys{Collection: "x.keys", Life: time.Hour}
	use := kit.Use{Key: "k", Endpoint: "/a", Now: time.Unix(1000, 0)}
	base := things(t, 0)
	tx := base.Begin()
	record, err := tx.Insert("x.things", "1", map[string]any{"id": "1", "object": "thing", "amount": 20.0, "note": "a\"<\u2028"})
	if err != nil {
		t.Fatal(err)
	}
	given := string(record.JSON())
	if err := keys.Keep(tx, use, kit.Stored{Status: 200, Body: record.JSON(), Result: record.Value()}); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Update("x.things", "1", map[string]any{"id": "1", "note": "changed"}); err != nil {
		t.Fatal(err)
	}
	folded, err := base.Apply(tx.Changes())
	if err != nil {
		t.Fatal(err)
	}
	for name, w := range map[string]*world.World{"committed": tx.Commit(), "folded": folded} {
		state, stored := keys.Look(w, use)
		if state != kit.KeyDone || string(stored.Body) != given || string(world.Encode(stored.Result)) != given {
			t.Errorf("%s: state %d, %s, want %s", name, state, stored.Body, given)
		}
	}
}

// TestForgottenKeysGo: keys in a long run are bounded by those of a lifetime.
func TestForgottenKeysGo(t *testing.T) {
	t.Parallel()
	keys := kit.Keys{Collection: "x.keys", Life: time.Hour}
	tx := things(t, 0).Begin()
	for i := range 300 {
		use := kit.Use{Key: fmt.Sprint(i), Now: time.Unix(int64(i)*60, 0)}
		if err := keys.Keep(tx, use, kit.Stored{Status: 200}); err != nil {
			t.Fatal(err)
		}
	}
	if n := tx.Len("x.keys"); n > 61 {
		t.Errorf("%d keys are kept", n)
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	a := kit.Fingerprint(map[string]any{"a": int64(1), "b": "x"})
	if b := kit.Fingerprint(map[string]any{"b": "x", "a": int64(1)}); a != b || a == "" {
		t.Errorf("%q and %q", a, b)
	}
	if b := kit.Fingerprint(map[string]any{"a": "1", "b": "x"}); a == b {
		t.Error("a number and its text are one")
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	old := map[string]any{"a": "1", "b": "2"}
	tests := []struct {
		change any
		want   map[string]any
	}{
		{nil, old},
		{"", map[string]any{}},
		{map[string]any{"a": "", "c": "3"}, map[string]any{"b": "2", "c": "3"}},
		{map[string]any{"b": "9"}, map[string]any{"a": "1", "b": "9"}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, kit.Merge(old, test.change)); diff != "" {
			t.Errorf("%v: %s", test.change, diff)
		}
	}
	if len(old) != 2 || old["b"] != "2" {
		t.Error("the old map was changed")
	}
}

func TestBefore(t *testing.T) {
	t.Parallel()
	old := map[string]any{"same": []any{"x", map[string]any{"y": int64(1)}}, "a": int64(1), "gone": "g"}
	now := map[string]any{"same": []any{"x", map[string]any{"y": int64(1)}}, "a": []any{}, "new": "n"}
	if diff := cmp.Diff(map[string]any{"a": int64(1), "gone": "g", "new": nil}, kit.Before(old, now)); diff != "" {
		t.Error(diff)
	}
}

func TestExpandSharesNothingItChanges(t *testing.T) {
	t.Parallel()
	w, err := world.New(world.Collection{Name: "x.as"}, world.Collection{Name: "x.bs"})
	if err != nil {
		t.Fatal(err)
	}
	tx := w.Begin()
	for collection, value := range map[string]map[string]any{
		"x.as": {"id": "a1", "b": "b1", "in": map[string]any{"b": "b1"}, "lost": "b2", "none": nil},
		"x.bs": {"id": "b1", "a": "a1"},
	} {
		if _, err := tx.Insert(collection, value["id"].(string), value); err != nil {
			t.Fatal(err)
		}
	}
	shape := kit.Shape{
		Prefix: "x.",
		Refers: func(collection, field string) (string, bool) {
			target, ok := map[string]string{"as.b": "bs", "as.in.b": "bs", "as.lost": "bs", "as.none": "bs", "bs.a": "as"}[collection+"."+field]
			return target, ok
		},
		Lists: func(string, string) (string, bool) { return "", false },
		Plain: func(_, field string) bool { return field == "plain" },
	}
	record, _ := tx.Get("x.as", "a1")
	before := string(world.Encode(record.Value()))
	for path, want := range map[string]string{
		"b":     `{"id":"a1","b":{"id":"b1","a":"a1"},"in":{"b":"b1"},"lost":"b2","none":null}`,
		"in.b":  `{"id":"a1","b":"b1","in":{"b":{"id":"b1","a":"a1"}},"lost":"b2","none":null}`,
		"lost":  before,
		"none":  before,
		"plain": before,
	} {
		if wrong := shape.Check("as", path); wrong != "" {
			t.Errorf("%s is wrong at %s", path, wrong)
		}
		have, err := shape.Expand(tx, "as", record.Value(), path)
		if err != nil || string(world.Encode(have)) != want {
			t.Errorf("%s: %v %s", path, err, world.Encode(have))
		}
	}
	for path, wrong := range map[string]string{"nope": "nope", "b.nope": "b.nope", "in.b.nope.x": "in.b.nope", "b.a.plain.deeper": ""} {
		if have := shape.Check("as", path); have != wrong {
			t.Errorf("%s is wrong at %q, want %q", path, have, wrong)
		}
	}
	if string(world.Encode(record.Value())) != before {
		t.Error("the record was changed")
	}
}

func TestReplies(t *testing.T) {
	t.Parallel()
	w := things(t, 2)
	page, err := kit.List(w, kit.Query{Collection: "x.things", Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	reply := kit.PageReply(kit.Headers("A", "1", "B", ""), map[string]any{"object": "list"}, "data", page)
	const body = `{"object":"list","data":[{"id":"1","kind":{"name":"1"}},{"id":"0","kind":{"name":"0"}}]}`
	if string(reply.Body) != body || string(world.Encode(reply.Result)) != body {
		t.Errorf("%s\n%s", reply.Body, world.Encode(reply.Result))
	}
	if diff := cmp.Diff(http.Header{"A": {"1"}}, reply.Header); diff != "" {
		t.Error(diff)
	}
	if have := kit.Path("/v1/{a}/x/{b}", map[string]string{"a": "1", "b": "2"}); have != "/v1/1/x/2" {
		t.Error(have)
	}
}
