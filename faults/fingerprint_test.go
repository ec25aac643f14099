package faults_test

import (
	"testing"
	"testing/fstest"
	"time"

	"parity/faults"
	"parity/specs"
)

// Two orders whose bodies are lists are two intents.
func TestBodiesThatAreListsTellIntentsApart(t *testing.T) {
	t.Parallel()
	contract, err := specs.Builtin("stripe")
	if err != nil {
		t.Fatal(err)
	}
	op, _ := contract.Operation("PostRefunds")
	one := faults.Fingerprint("a", op, specs.Input{Value: []any{int64(1)}}, time.Time{})
	other := faults.Fingerprint("a", op, specs.Input{Value: []any{int64(2)}}, time.Time{})
	none := faults.Fingerprint("a", op, specs.Input{}, time.Time{})
	if one == other || one == none || one != faults.Fingerprint("a", op, specs.Input{Value: []any{int64(1)}}, time.Time{}) {
		t.Errorf("fingerprints %s, %s, %s", one, other, none)
	}
}

// Documentation leaves out what every address begins with.
func TestPatternsLeaveOutTheBasePath(t *testing.T) {
	t.Parallel()
	contract, _, err := specs.Load(fstest.MapFS{"a.yaml": {Data: []byte(`
openapi: 3.0.3
info: {title: t, version: '1'}
servers: [{url: 'https://api.test/v1'}]
paths: {'/contacts/{id}': {get: {responses: {}}}}
`)}}, "a.yaml", "crm")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"crm GET /v1/contacts/{id}": true, "crm GET /contacts/{contact}": true, "crm GET /v2/contacts/{id}": false, "crm POST /contacts/{id}": false,
	} {
		p, err := faults.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Match(contract.Operations[0]); got != want {
			t.Errorf("%s matches: %v", text, got)
		}
	}
}

// The same note sent again a minute of work later, with the time of that, was
// another note.
func TestATimeOfSendingTellsNoIntentsApart(t *testing.T) {
	t.Parallel()
	contract, err := specs.Builtin("hubspot")
	if err != nil {
		t.Fatal(err)
	}
	op, _ := contract.Operation("ObjectsCreate")
	now := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
	note := func(at any) specs.Input {
		return specs.Input{Path: map[string]string{"objectType": "notes"}, Body: map[string]any{"properties": map[string]any{"hs_note_body": "called", "hs_timestamp": at}}}
	}
	batch := func(at any) specs.Input {
		return specs.Input{Path: map[string]string{"objectType": "notes"}, Body: map[string]any{"inputs": []any{note(at).Body}}}
	}
	first := faults.Fingerprint("a", op, note("2026-03-02T13:00:00.120Z"), now)
	for name, c := range map[string]struct {
		at   any
		now  time.Time
		same bool
	}{
		"sent later":             {"2026-03-02T13:00:40.900Z", now.Add(41 * time.Second), true},
		"in another zone":        {"2026-03-02T14:00:40+01:00", now.Add(41 * time.Second), true},
		"in milliseconds":        {now.Add(40 * time.Second).UnixMilli(), now.Add(41 * time.Second), true},
		"in seconds, as text":    {"1772456440", now.Add(40 * time.Second), true},
		"a day that is meant":    {"2026-03-05T09:00:00Z", now.Add(41 * time.Second), false},
		"an hour that is meant":  {"2026-03-02T14:00:00Z", now.Add(41 * time.Second), false},
		"a number that is none":  {int64(4900), now, false},
		"a text that is no time": {"2026-03-02 called", now, false},
	} {
		if got := faults.Fingerprint("a", op, note(c.at), c.now) == first; got != c.same {
			t.Errorf("%s: the same intent %v, want %v", name, got, c.same)
		}
	}
	if faults.Fingerprint("a", op, batch("2026-03-02T13:00:00Z"), now) != faults.Fingerprint("a", op, batch("2026-03-02T13:00:30Z"), now.Add(30*time.Second)) {
		t.Error("several notes at once, sent again, are another intent")
	}
	if m := (&faults.Meaning{By: []string{"properties.hs_timestamp"}}); m.Fingerprint("a", op, note("2026-03-02T13:00:01Z"), now) == m.Fingerprint("a", op, note("2026-03-02T13:00:02Z"), now) {
		t.Error("a profile says that the time counts, and it does not")
	}
}
