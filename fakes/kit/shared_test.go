package kit_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// shared is a world with what Catalogue declares, and some collections more.
func shared(t testing.TB, more ...world.Collection) *world.World {
	t.Helper()
	catalogue, err := fakes.NewCatalogue(fakes.Service{Name: "s", Collections: more})
	if err != nil {
		t.Fatal(err)
	}
	w, err := catalogue.World()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestDeliveriesWaitByWhenTheyAreDue(t *testing.T) {
	t.Parallel()
	tx := shared(t).Begin()
	late := fakes.Delivery{Service: "s", ID: "a", URL: "http://localhost/a", Method: "POST", Header: map[string]string{"X": "1"}, Body: []byte(`{"a":1}`), Attempt: 1, Due: noon.Add(time.Hour)}
	early := fakes.Delivery{Service: "s", ID: "b", URL: "http://localhost/b", Header: map[string]string{}, Body: []byte{0xff, 0}, Attempt: 2, Due: noon}
	for _, d := range []fakes.Delivery{late, early} {
		if err := kit.Deliver(tx, d); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]fakes.Delivery{early, late}, slices.Collect(kit.Deliveries(tx))); diff != "" {
		t.Error(diff)
	}
	late.Attempt, late.Due = 2, noon.Add(-time.Hour)
	if err := kit.Deliver(tx, late); err != nil {
		t.Fatal(err)
	}
	if got, ok := kit.Waiting(tx, "s", "a"); !ok || got.Attempt != 2 {
		t.Errorf("a delivery of the same id is not replaced: %+v", got)
	}
	if err := kit.Delivered(tx, "s", "a"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]fakes.Delivery{early}, slices.Collect(kit.Deliveries(tx))); diff != "" {
		t.Error(diff)
	}
	if kit.Deliver(tx, fakes.Delivery{Service: "s", ID: "c"}) == nil {
		t.Error("a delivery to nowhere is taken")
	}
}

func TestTheOutboxKeepsWhatWasSent(t *testing.T) {
	t.Parallel()
	tx := shared(t).Begin()
	mail := fakes.Sent{Service: "s", Kind: "mail", ID: "1", To: []string{"ada@example.com"}, Summary: "Hello", Content: map[string]any{"subject": "Hello"}, At: noon}
	again := mail
	again.At = noon.Add(time.Minute)
	for _, s := range []fakes.Sent{mail, again} {
		if err := kit.Send(tx, s); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]fakes.Sent{mail, again}, slices.Collect(kit.Outbox(tx))); diff != "" {
		t.Error(diff)
	}
}

func TestLimitsOpenAgainWithTheirWindow(t *testing.T) {
	t.Parallel()
	tx := shared(t, world.Collection{Name: "s.limits"}).Begin()
	limits := kit.Limits{Collection: "s.limits"}
	for i, c := range []struct {
		key  string
		at   time.Duration
		left int
		over bool
	}{
		{"a", 0, 1, false},
		{"a", time.Second, 0, false},
		{"a", 2 * time.Second, 0, true},
		{"b", 2 * time.Second, 1, false},
		{"a", time.Minute - time.Nanosecond, 0, true},
		{"a", time.Minute, 1, false},
	} {
		got := limits.Take(tx, c.key, 2, time.Minute, noon.Add(c.at))
		if got.Left != c.left || got.Over != c.over || got.Limit != 2 {
			t.Errorf("call %d: %+v, want %d left, over %t", i, got, c.left, c.over)
		}
	}
}

func TestAnIndexLagsBehind(t *testing.T) {
	t.Parallel()
	tx := shared(t, world.Collection{Name: "s.index"}).Begin()
	index := kit.Index{Collection: "s.index", Lag: 10 * time.Second}
	a, b, c := map[string]any{"v": "a"}, map[string]any{"v": "b"}, map[string]any{"v": "c"}
	index.Note(tx, "1", nil, noon)                                 // a is created
	index.Note(tx, "1", a, noon.Add(5*time.Second))                // and becomes b
	index.Note(tx, "1", b, noon.Add(100*time.Second))              // and c
	for at, want := range map[int]map[string]any{109: b, 110: c} { // what was before the newest write is let go with it
		if diff := cmp.Diff(want, index.See(tx, "1", c, noon.Add(time.Duration(at)*time.Second))); diff != "" {
			t.Errorf("after %d s: %s", at, diff)
		}
	}
	index.Note(tx, "2", nil, noon)
	index.Note(tx, "2", a, noon.Add(5*time.Second))
	for at, want := range map[int]map[string]any{0: nil, 9: nil, 10: a, 14: a, 15: b} {
		if diff := cmp.Diff(want, index.See(tx, "2", b, noon.Add(time.Duration(at)*time.Second))); diff != "" {
			t.Errorf("after %d s: %s", at, diff)
		}
	}
	if diff := cmp.Diff(a, index.See(tx, "3", a, noon)); diff != "" {
		t.Errorf("what was never written is not shown as it is: %s", diff)
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	tokens := kit.Tokens{Collection: "s.tokens"}
	tx := shared(t, world.Collection{Name: "s.tokens"}).Begin()
	if _, err := tx.Insert("s.tokens", "tok_declared", map[string]any{"id": "tok_declared", "scopes": []any{"read"}, "expires": "2026-03-02T13:00:00Z", "subject": "ada"}); err != nil {
		t.Fatal(err)
	}
	identity := func(credential string) string { return "s-" + credential[len(credential)-4:] }
	call := &fakes.Call{Tx: tx, Now: noon, IdentityOf: identity}
	tokens.Issue(call, "tok_issued", kit.Token{Scopes: []string{"write"}, Expires: noon.Add(time.Minute), Fields: map[string]any{"refresh": "r"}})

	call.Identity = identity("tok_declared")
	got, known := tokens.Of(call)
	if !known || got.Subject != "ada" || !got.Has("read") || got.Has("write") || got.Expired(noon) || !got.Expired(noon.Add(time.Hour)) {
		t.Errorf("declared: %+v", got)
	}
	call.Identity = identity("tok_issued")
	got, known = tokens.Of(call)
	if !known || !got.Has("write") || got.Fields["refresh"] != "r" || !got.Expired(noon.Add(time.Minute)) {
		t.Errorf("issued: %+v", got)
	}
	tokens.Revoke(call, got)
	if got, _ = tokens.Of(call); !got.Revoked || !got.Has("write") {
		t.Errorf("revoked: %+v", got)
	}
	call.Identity = identity("tok_somebody")
	if _, known = tokens.Of(call); known {
		t.Error("a token that nobody issued or declared is known")
	}
	for record := range tx.Oldest("s.tokens", 0) {
		if record.ID == "tok_issued" {
			t.Error("an issued token is kept as it is")
		}
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		list, tag string
		weak      bool
		want      bool
	}{
		{`"a"`, "a", false, true},
		{`"b", "a"`, "a", false, true},
		{`"b"`, "a", false, false},
		{"*", "a", false, true},
		{`W/"a"`, "a", false, false},
		{`W/"a"`, "a", true, true},
		{"a", "a", false, true},
		{"", "a", false, false},
	} {
		if kit.Matches(c.list, c.tag, c.weak) != c.want {
			t.Errorf("%q, %q, weak %t: not %t", c.list, c.tag, c.weak, c.want)
		}
	}
}
