package faults

import (
	"testing"

	"parity/faults/trail"
)

// A pattern written as the documentation writes paths was once not met by calls
// of a service whose server has a base path: between: and cascade never fired
// for them.
func TestCallsUnderABasePathAreMet(t *testing.T) {
	t.Parallel()
	tallies := NewTallies()
	tallies.Fold(&trail.Event{Seq: 3, Kind: trail.Exchanged, At: 5, Exchange: &trail.Exchange{
		Service: "crm", Operation: "GET /v1/contacts/{id}", Bare: "GET /contacts/{id}", OperationID: "getContact", Status: 503,
	}})
	for text, want := range map[string]uint64{
		"crm GET /contacts/{contact}": 3, "crm GET /v1/contacts/{contact}": 3, "crm.getContact": 3, "crm GET /leads/{id}": 0,
	} {
		p, err := ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := tallies.lastOf(p); got != want {
			t.Errorf("%s was last called by #%d, want %d", text, got, want)
		}
		if failed := tallies.failing(p); failed.IsZero() != (want == 0) {
			t.Errorf("%s failed at %v", text, failed)
		}
	}
}
