package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"parity/fakes/world"
	"parity/faults/trail"
)

// tape is one of each kind of event.
func tape() ([]trail.Event, map[uint64]trail.Settlement) {
	at := func(s int) trail.Instant { return trail.At(time.Date(2026, 3, 2, 13, 0, s, 0, time.UTC)) }
	refund := func(x trail.Exchange) *trail.Exchange {
		x.Service, x.Operation, x.Method, x.Path, x.Host = "stripe", "POST /v1/refunds", "POST", "/v1/refunds", "api.stripe.com"
		if x.Outcome == "" {
			x.Outcome = trail.Answered
		}
		return &x
	}
	strike := func(rule, fault string) []trail.Strike {
		return []trail.Strike{{Rule: rule, Fault: fault, Fired: true}}
	}
	events := []trail.Event{
		{Kind: trail.Started, Start: &trail.Start{Seed: 7, Mode: "stepped", Profile: "rough-afternoon"}},
		{Kind: trail.Tunnelled, Tunnel: &trail.Tunnel{Host: "api.anthropic.com", By: "model-apis"}},
		{
			Kind: trail.Exchanged,
			Exchange: refund(trail.Exchange{
				Status: 200, Committed: true, Wire: trail.Wire{NoHead: true, End: trail.Reset}, Strikes: strike("lose-a-big-refund", "ambiguous-success"),
				Body: []byte(`{"charge":"ch_1"}`), ReplyBody: []byte(`{"id":"re_1","client_secret":"pi_1_secret_abc"}`),
			}),
			Delta: []trail.Change{{Op: world.Create, Collection: "stripe.refunds", ID: "re_1", Version: 1, After: []byte(`{"id":"re_1"}`)}},
		},
		{Kind: trail.Exchanged, Exchange: refund(trail.Exchange{Status: 200, Replayed: true, Intent: trail.Intent{Attempt: 2}})},
		{Kind: trail.Exchanged, Exchange: refund(trail.Exchange{Status: 400, Outcome: trail.Invalid, Violations: []trail.Violation{
			{In: "body", Pointer: "/amount", Message: "an integer is wanted, not \"sk_test_4eC39HqLyjWDarjtT1zdp7dc\""},
		}})},
		{Kind: trail.Exchanged, Exchange: refund(trail.Exchange{Status: 429, Strikes: []trail.Strike{
			{Rule: "busy", Fault: "rate-limit", Fired: true, Wait: 2 * time.Second}, {Rule: "down", Outranked: true}, {Rule: "odd", Unknown: true},
		}})},
		{Kind: trail.Exchanged, Exchange: refund(trail.Exchange{Status: 502, FakeStatus: 200, Committed: true, Strikes: strike("lose-it", "ambiguous-success")})},
		{Kind: trail.Reserved, Exchange: refund(trail.Exchange{Strikes: strike("held", "timeout")})},
		{Kind: trail.Exchanged, Exchange: refund(trail.Exchange{Wire: trail.Wire{NoHead: true, End: trail.Close}, Strikes: strike("held", "timeout"), Reserved: 8})},
		{Kind: trail.Exchanged, Exchange: &trail.Exchange{Method: "GET", Host: "api.example.com", Path: "/v1/x", Status: 403, Outcome: trail.Denied}},
		{Kind: trail.Exchanged, Exchange: refund(trail.Exchange{Status: 500, Outcome: trail.Panicked, Note: "panic in act"})},
		{Kind: trail.Revised, Revision: "c3d4e5f6a7b8", Declared: []trail.Collection{{Name: "crm.contacts"}, {Name: "crm.notes"}}},
		{Kind: trail.ClockMoved, Clock: &trail.Clock{To: at(30), Mode: "stepped", Step: time.Second}},
		{Kind: trail.Exchanged, Exchange: refund(trail.Exchange{Status: 200, Fidelity: trail.Example})},
		{Kind: trail.WorldEdited, Delta: []trail.Change{{Op: world.Delete, Collection: "stripe.customers", ID: "cus_1"}}},
	}
	for i := range events {
		events[i].Seq, events[i].At = uint64(i+1), at(i)
	}
	return events, map[uint64]trail.Settlement{4: {Of: 4, ClientGone: true}}
}

func TestTrace(t *testing.T) {
	t.Parallel()
	events, settlements := tape()
	for _, c := range []struct {
		name string
		o    TraceOptions
	}{
		{"trace.txt", TraceOptions{}},
		{"trace-only.txt", TraceOptions{Only: []string{"held", "api.anthropic.com"}}},
		{"trace.jsonl", TraceOptions{JSON: true, From: 2}},
	} {
		var out bytes.Buffer
		if err := Trace(&out, events, settlements, c.o); err != nil {
			t.Fatal(err)
		}
		golden(t, c.name, out.Bytes())
		if strings.Contains(out.String(), "4eC39") || strings.Contains(out.String(), "secret_abc") {
			t.Error("a secret went out")
		}
	}
}

func TestTraceLinesAreJSON(t *testing.T) {
	t.Parallel()
	events, settlements := tape()
	events[3].Exchange.Body = []byte("a=b\xff")
	var out bytes.Buffer
	if err := Trace(&out, events, settlements, TraceOptions{JSON: true}); err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(out.String()) {
		n++
		if !json.Valid([]byte(line)) {
			t.Errorf("line %d is not JSON: %s", n, line)
		}
	}
	if n != len(events) {
		t.Errorf("%d lines for %d events", n, len(events))
	}
}
