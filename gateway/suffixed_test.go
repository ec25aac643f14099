package gateway_test

import "testing"

// A ticket is made once for a key, and the contract did not say so: the rule was
// refused; and so was the path that Zendesk's own clients call.
func TestKeysOfTicketsConflictOnThePathThatClientsCall(t *testing.T) {
	t.Parallel()
	p := meanwhile(t, "zendesk", "    {call: zendesk POST /api/v2/tickets.json, inject: idempotency-conflict, with: {for: 90s}}\n")
	const ticket = `{"ticket":{"subject":"a","comment":{"body":"b"}}}`
	for _, path := range []string{"/tickets.json", "/tickets"} {
		if status, body, _ := p.do("POST", path, ticket, "Idempotency-Key", "k1"); status != 409 {
			t.Errorf("%s: %d %v", path, status, body)
		}
	}
	if status, _, _ := p.do("POST", "/tickets.json", ticket); status != 201 {
		t.Errorf("without a key: %d", status)
	}
	p.replays()
}
