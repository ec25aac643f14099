package faults

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parity/fakes"
	"parity/faults/trail"
	"parity/specs"
)

// notebook plays what the gateway does with notes, and with a rule.
type notebook struct {
	t     *testing.T
	rule  *Rule
	kept  map[string]map[string]any
	tally *Tallies
	now   time.Time
	n     int
}

func takesNotes(t *testing.T, fault string, with map[string]any, trigger Trigger, calls ...string) *notebook {
	t.Helper()
	d := Draft{Name: "it", Fault: fault, With: with, Trigger: trigger, Text: fault}
	for _, c := range calls {
		p, err := ParsePattern(c)
		if err != nil {
			t.Fatal(err)
		}
		d.Calls = append(d.Calls, p)
	}
	r, err := NewRule(d)
	if err != nil {
		t.Fatal(err)
	}
	return &notebook{t: t, rule: r, kept: map[string]map[string]any{}, tally: NewTallies(), now: time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)}
}

// call has the rule meet a call: name is METHOD /path, with {id} filled in.
func (b *notebook) call(name, id, identity, key string) (trail.Strike, *Plan) {
	b.n++
	method, path, _ := strings.Cut(name, " ")
	op := &specs.Operation{Service: "s", Method: method, Path: path, ID: name, Effect: specs.Reversible, Anatomy: specs.Anatomy{Key: "Idempotency-Key"}}
	if method == "GET" {
		op.Effect = specs.Read
	}
	in := trail.Intent{ID: fmt.Sprint(b.n, ".1"), Fingerprint: fmt.Sprint(b.n), Occurrence: 1, Attempt: 1, Key: key}
	p := &Plan{}
	s := b.rule.Consider(&Evaluation{
		Operation: op, Input: specs.Input{Path: map[string]string{"id": id}}, Identity: identity, Intent: in, Now: b.now, Began: b.now,
		Vars: func(func(string) bool) map[string]any { return nil }, Noted: func(id string) map[string]any { return b.kept[id] },
	}, b.tally, p)
	for _, n := range p.Notes() {
		b.kept[n.ID] = n.Value
	}
	b.tally.Fold(&trail.Event{Seq: uint64(b.n), Kind: trail.Exchanged, At: trail.At(b.now), Identity: identity, //nolint:gosec // small
		Exchange: &trail.Exchange{Service: "s", Operation: name, OperationID: name, Intent: in, Strikes: []trail.Strike{s}}})
	b.now = b.now.Add(time.Second)
	return s, p
}

// A session is its credential's own: another has its own time, and what is over
// stays over, whatever the trigger says.
func TestSessionsAreApart(t *testing.T) {
	t.Parallel()
	b := takesNotes(t, "session-expired", map[string]any{"ttl": "10s"}, Trigger{Nth: 1}, "s *")
	got := ""
	for _, who := range []string{"a", "b", "wait", "a", "a", "b", "c", ""} {
		if who == "wait" {
			b.now = b.now.Add(9 * time.Second)
			continue
		}
		s, p := b.call("GET /x", "", who, "")
		if s.Fired != (p.Say != nil && p.Say.Kind == fakes.SessionExpired && p.Skip) {
			t.Errorf("%s: fired %v with the plan %+v", who, s.Fired, p)
		}
		got += map[bool]string{true: "x", false: "."}[s.Fired]
	}
	if got != "..xxx.." {
		t.Errorf("struck %s", got)
	}
}

// A lease is a record's, and what was taken away is anew only once it is taken.
func TestLeasesAreApart(t *testing.T) {
	t.Parallel()
	b := takesNotes(t, "lock-lost", map[string]any{"acquire": "s POST /things/{id}/lock", "status": "409", "by": "x"}, Trigger{Nth: 2}, "s PUT /things/{id}")
	got := ""
	for _, c := range []string{"put 1", "lock 1", "lock 2", "put 1", "put 1", "put 1", "put 2", "lock 1", "put 1"} {
		what, id, _ := strings.Cut(c, " ")
		name := map[string]string{"put": "PUT /things/{id}", "lock": "POST /things/{id}/lock"}[what]
		s, p := b.call(name, id, "a", "")
		if s.Fired && (p.Say.Kind != fakes.Locked || p.Say.Status != 409 || !strings.Contains(p.Say.Message, "x")) {
			t.Errorf("said %+v", p.Say)
		}
		got += map[bool]string{true: "x", false: "."}[s.Fired]
	}
	if got != "....xx..." {
		t.Errorf("struck %s", got)
	}
}

// Keys that are used again are counted, and no others.
func TestKeysThatAreForgotten(t *testing.T) {
	t.Parallel()
	b := takesNotes(t, "idempotency-conflict", map[string]any{"how": "forgotten", "for": "5s"}, Trigger{First: 9}, "s *")
	got := ""
	for _, key := range []string{"", "k", "k", "l", "wait", "k", ""} {
		if key == "wait" {
			b.now = b.now.Add(5 * time.Second)
			continue
		}
		s, p := b.call("POST /x", "", "a", key)
		if s.Fired != p.Ask.Keyless {
			t.Errorf("fired %v and asked as %+v", s.Fired, p.Ask)
		}
		got += map[bool]string{true: "x", false: "."}[s.Fired]
	}
	if got != "....x." {
		t.Errorf("struck %s", got)
	}
}

// What a rule cannot mean is said when it is read.
func TestMeanwhileRefusals(t *testing.T) {
	t.Parallel()
	for fault, bad := range map[string][]map[string]any{
		"concurrent-edit": {
			{},
			{"set": map[string]any{"a": 1}},
			{"once_read": "s GET /x/{id}", "overlap": true},
			{"at": "before-write", "once_read": "s GET /x/{id}", "delete": true},
			{"at": "before-write", "delete": true, "overlap": true},
		},
		"idempotency-conflict": {{"how": "reused", "for": "5s"}},
		"async-accept":         {{"retry_after": "1500ms"}},
	} {
		f, ok := Lookup(fault)
		if !ok {
			t.Fatalf("no fault %s", fault)
		}
		for _, with := range bad {
			if _, err := f.Build(with); err == nil {
				t.Errorf("%s takes %v", fault, with)
			}
		}
	}
}

// Faults that need what an operation lacks say so.
func TestMeanwhileMisfits(t *testing.T) {
	t.Parallel()
	crm, err := specs.Builtin("stripe")
	if err != nil {
		t.Fatal(err)
	}
	op := func(name string) *specs.Operation {
		found, ok := crm.Operation(name)
		if !ok {
			t.Fatalf("no operation %s", name)
		}
		return found
	}
	read, list, write := op("GET /v1/customers/{customer}"), op("GET /v1/customers"), op("POST /v1/customers")
	edit := map[string]any{"at": "before-write", "delete": true}
	for _, c := range []struct {
		fault string
		with  map[string]any
		op    *specs.Operation
		fits  bool
	}{
		{"concurrent-edit", edit, read, true},
		{"concurrent-edit", edit, list, false},
		{"owner-changed", nil, read, false},
		{"owner-changed", map[string]any{"field": "email"}, read, true},
		{"session-expired", map[string]any{"refresh": "fails"}, read, false},
		{"session-expired", nil, read, true},
		{"idempotency-conflict", nil, write, true},
		{"idempotency-conflict", nil, list, false},
		{"async-accept", nil, write, true},
		{"async-accept", nil, read, false},
	} {
		fitted, ok := built(t, c.fault, c.with).(Requirer)
		if !ok {
			t.Fatalf("%s fits everything", c.fault)
		}
		if why := fitted.Misfit(c.op, nil); (why == "") != c.fits {
			t.Errorf("%s at %s: %q", c.fault, c.op.Name(), why)
		}
	}
}
