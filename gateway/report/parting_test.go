package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parity/fakes/world"
	"parity/faults/trail"
)

// journal makes a run's events of calls, such as "POST /v1/orders {"n":1} → 200 {"id":"or_1"}".
func journal(seed uint64, calls ...string) Side {
	w, err := world.New(world.Collection{Name: "s.orders"})
	if err != nil {
		panic(err)
	}
	events := []trail.Event{{Seq: 1, Kind: trail.Started, Start: &trail.Start{Seed: seed}}}
	for i, text := range calls {
		asks, answer, _ := strings.Cut(text, " → ")
		method, rest, _ := strings.Cut(asks, " ")
		path, body, _ := strings.Cut(rest, " ")
		x := &trail.Exchange{
			Service: "s", Operation: method + " " + path, Method: method, Path: path, Body: []byte(body), Outcome: trail.Answered,
			Intent: trail.Intent{Fingerprint: fmt.Sprint(seed, asks)}, // a seed draws the name of who calls
		}
		if strings.Contains(path, "_") { // an id
			x.Operation = method + " " + path[:strings.LastIndexByte(path, '/')] + "/{id}"
		}
		status, reply, _ := strings.Cut(answer, " ")
		if status == "lost" {
			x.Wire, status = trail.Wire{NoHead: true, End: trail.Reset}, "200"
			x.Strikes = []trail.Strike{{Rule: "lose-it", Fault: "ambiguous-success", Fired: true}}
		}
		if _, err := fmt.Sscan(status, &x.Status); err != nil {
			panic(err)
		}
		x.ReplyBody = []byte(reply)
		events = append(events, trail.Event{Seq: uint64(i + 2), Kind: trail.Exchanged, Identity: fmt.Sprint("s-", seed), Exchange: x})
	}
	return Side{Run: fmt.Sprint("run-", seed), Seed: seed, Events: events, World: w}
}

// ways are the steps of a comparison in short: how, and the calls of A and B.
func ways(d Parting) []string {
	var all []string
	for _, s := range d.Steps {
		a, b := 0, 0
		if s.A != nil {
			a = s.A.Call
		}
		if s.B != nil {
			b = s.B.Call
		}
		all = append(all, fmt.Sprintf("%d %d %s", a, b, s.How))
	}
	return all
}

func TestPart(t *testing.T) {
	t.Parallel()
	const made = `POST /v1/orders {"sum":10} → 200 {"id":"or_aaaa1111","at":"2026-01-01T00:00:00Z"}`
	other := strings.NewReplacer("or_aaaa1111", "or_bbbb2222", "2026-01-01", "2026-02-02").Replace
	const read = `GET /v1/orders/or_aaaa1111 → 200 {"id":"or_aaaa1111","url":"https://s.example/or_aaaa1111/x"}`
	const pay = `POST /v1/payments {"order":"or_aaaa1111","sum":10} → 200 {"id":"pay_cccc3333"}`
	for name, c := range map[string]struct {
		a, b []string
		want []string
	}{
		"nothing": {nil, nil, nil},
		"another seed, other ids and times": {
			[]string{made, read, pay},
			[]string{other(made), other(read), strings.Replace(other(pay), "cccc3333", "dddd4444", 1)},
			[]string{"1 1 same", "2 2 same", "3 3 same"},
		},
		"a call more":     {[]string{made, pay}, []string{other(made), other(read), other(pay)}, []string{"1 1 same", "0 2 only in B", "2 3 same"}},
		"a call less":     {[]string{made, read, pay}, []string{made, pay}, []string{"1 1 same", "2 0 only in A", "3 2 same"}},
		"other arguments": {[]string{made, pay}, []string{made, strings.ReplaceAll(pay, `"sum":10`, `"sum":20`)}, []string{"1 1 same", "2 2 other arguments"}},
		"another answer":  {[]string{made, read}, []string{made, strings.Replace(read, "200", "404", 1)}, []string{"1 1 same", "2 2 other answer"}},
		"a lost reply and a retry": {
			[]string{made, pay},
			[]string{made, strings.Replace(pay, "200", "lost", 1), pay},
			[]string{"1 1 same", "2 2 other answer", "0 3 only in B"},
		},
		"a lost reply and a retry, of all there is": {
			[]string{pay}, []string{strings.Replace(pay, "200", "lost", 1), pay}, []string{"1 1 other answer", "0 2 only in B"},
		},
		"another order": {[]string{made, read, pay}, []string{made, pay, read}, []string{"1 1 same", "0 2 at another place", "2 3 same", "3 0 at another place"}},
		"a new nonce for each try": {
			[]string{`POST /v1/orders {"sum":1,"nonce":"a8d0ab11"} → 200 {}`},
			[]string{`POST /v1/orders {"sum":1,"nonce":"77d0ab12"} → 200 {}`},
			[]string{"1 1 same"},
		},
		"names of orders that are the agent's own": {
			[]string{`POST /v1/orders {"reference":"ord_1001"} → 200 {}`},
			[]string{`POST /v1/orders {"reference":"ord_1002"} → 200 {}`},
			[]string{"1 1 other arguments"},
		},
	} {
		d := Part(journal(7, c.a...), journal(8, c.b...))
		if diff := cmp.Diff(c.want, ways(d)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		parts := slices.ContainsFunc(c.want, func(w string) bool { return !strings.HasSuffix(w, " same") })
		if d.Equal == parts || (d.First != nil) != parts || len(d.Conditions) != 1 || d.Conditions[0].What != "seed" {
			t.Errorf("%s: equal %v, first %v, conditions %v", name, d.Equal, d.First, d.Conditions)
		}
	}
}

// Whatever the calls are: each is in one step, both runs keep their order, and a
// run is equal to itself.
func TestPartLosesNoCall(t *testing.T) {
	t.Parallel()
	calls := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		return fmt.Sprintf(`POST /v1/%s {"n":%d} → 200 {}`, rapid.SampledFrom([]string{"a", "b"}).Draw(t, "path"), rapid.IntRange(1, 3).Draw(t, "n"))
	}), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		one, two := calls.Draw(t, "one"), calls.Draw(t, "two")
		d := Part(journal(7, one...), journal(7, two...))
		a, b := 0, 0
		for _, s := range d.Steps {
			if s.A != nil {
				if a++; s.A.Call != a {
					t.Fatalf("call %d of A comes as number %d", s.A.Call, a)
				}
			}
			if s.B != nil {
				if b++; s.B.Call != b {
					t.Fatalf("call %d of B comes as number %d", s.B.Call, b)
				}
			}
		}
		if a != len(one) || b != len(two) || d.Equal != slices.Equal(one, two) {
			t.Fatalf("%d of %d and %d of %d calls, equal: %v", a, len(one), b, len(two), d.Equal)
		}
	})
}

func TestPartOfWorlds(t *testing.T) {
	t.Parallel()
	a := journal(7, `POST /v1/orders {} → 200 {"id":"or_aaaa1111"}`)
	b := journal(8, `POST /v1/orders {} → 200 {"id":"or_bbbb2222"}`)
	put := func(s *Side, records map[string]string) {
		tx := s.World.Begin()
		for id, state := range records {
			if _, err := tx.Insert("s.orders", id, map[string]any{"id": id, "state": state}); err != nil {
				t.Fatal(err)
			}
		}
		s.World = tx.Commit()
	}
	put(&a, map[string]string{"or_aaaa1111": "open", "or_eeee5555": "made by nobody's call", "or_ffff6666": "in A"})
	put(&b, map[string]string{"or_bbbb2222": "paid", "or_gggg7777": "made by nobody's call"})
	want := []WorldChange{{
		Collection: "s.orders", OnlyA: []string{"or_ffff6666"}, OnlyB: []string{},
		Differ: []PartedRecord{{"or_aaaa1111", "or_bbbb2222", []Parted{{"/state", "open", "paid"}}}},
	}}
	d := Part(a, b)
	if diff := cmp.Diff(want, d.World); diff != "" {
		t.Error(diff)
	}
	if d.Equal || d.First != nil {
		t.Error("the calls are the same, the worlds are not")
	}
}

func TestPartingIsReadable(t *testing.T) {
	t.Parallel()
	const made = `POST /v1/orders {"sum":10} → 200 {"id":"or_aaaa1111"}`
	const pay = `POST /v1/payments {"order":"or_aaaa1111","sum":10} → 200 {"id":"pay_cccc3333","secret":"sk_test_abcdef"}`
	a := journal(7, made, `GET /v1/a → 200 {}`, `GET /v1/b → 200 {}`, pay)
	b := journal(7, made, `GET /v1/a → 200 {}`, `GET /v1/b → 200 {}`, strings.Replace(pay, "200", "lost", 1), strings.ReplaceAll(pay, `"sum":10`, `"sum":11`))
	b.Stamp.Profile = "1234567890"
	var text, doc bytes.Buffer
	d := Part(a, b)
	if err := PrintParting(&text, d, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"profile revision: none in A, 12345678 in B", "They part at call 4: the same was asked, and answered otherwise",
		"B  #5 s POST /v1/payments   reply lost (reset) (lose-it)", "=  3 calls alike, up to #4 and #4",
		"~  s POST /v1/payments   200 in A, reply lost (reset) (lose-it) in B", "#6  +  s POST /v1/payments   200",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
	if err := PartingJSON(&doc, d); err != nil {
		t.Fatal(err)
	}
	var again Parting
	if err := json.Unmarshal(doc.Bytes(), &again); err != nil || strings.Contains(doc.String(), "abcdef") || len(again.Steps) != 5 {
		t.Errorf("%v\n%s", err, doc.String())
	}
}
