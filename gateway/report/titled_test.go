package report

import (
	"testing"

	"parity/fakes/world"
	"parity/faults/trail"
)

// The world view showed ids alone, and nothing told a record that was made twice
// from two that were meant.
func TestTheWorldNamesRecordsAndTheirTwins(t *testing.T) {
	t.Parallel()
	made := func(seq uint64, intent, id, record string) trail.Event {
		return trail.Event{
			Seq: seq, Kind: trail.Exchanged, Exchange: &trail.Exchange{Service: "cal", Intent: trail.Intent{ID: intent}},
			Delta: []trail.Change{{Op: world.Create, Collection: "cal.events", ID: id, After: []byte(record)}},
		}
	}
	p := &packer{tracer: &tracer{page: newPage(Options{})}, all: []trail.Event{
		made(1, "i1", "e1", `{"id":"e1","summary":"Standup with Acme"}`),
		made(2, "i1", "e2", `{"id":"e2","summary":"Standup with Acme"}`),
		made(3, "i2", "e3", `{"id":"e3","amount":4900,"currency":"usd"}`),
		made(4, "i3", "e4", `{"properties":{"dealname":"Acme"}}`),
		made(5, "i4", "e5", `{"name":"e5"}`),
	}}
	want := []recordDoc{
		{ID: "e1", Title: "Standup with Acme"}, {ID: "e2", Title: "Standup with Acme", Twin: "e1"}, {ID: "e3", Title: "49.00 USD"}, {ID: "e4", Title: "Acme"}, {ID: "e5"},
	}
	got := p.changes().Collections[0]
	for i, w := range want {
		if r := got.Records[i]; r.ID != w.ID || r.Title != w.Title || r.Twin != w.Twin {
			t.Errorf("%s: title %q, twin %q, want %q, %q", r.ID, r.Title, r.Twin, w.Title, w.Twin)
		}
	}
	if got.Twins != 1 {
		t.Errorf("%d twins", got.Twins)
	}
}
