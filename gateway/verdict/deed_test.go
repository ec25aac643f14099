package verdict

import (
	"strings"
	"testing"

	"parity/fakes/world"
	"parity/faults/trail"
)

// What a run did otherwise than its twin was told as the JSON of a record's history,
// by "@id" for what had been made alike, and to a channel by its id.
func TestWhatPartedIsToldAsPeopleSayIt(t *testing.T) {
	t.Parallel()
	played := newTape()
	played.rule(it, "error", false)
	channels := func(t *tape) {
		s := t.call("GET /api/conversations.list", "c.1").replies(`{"channels":[{"id":"CFSBQUTGZ4V","name":"orders"}]}`)
		s.x.Service = "slack"
		s.put()
	}
	channels(played)
	s := played.call("POST /v1/exports", "x.1").status(503).strike(it, "error")
	s.x.Fidelity = trail.Injected
	s.put()
	played.beside(func(t *tape) {
		channels(t)
		t.call("POST /v1/exports", "x.1").put()
		contact := func(history, status string) []byte {
			return []byte(`{"id":"659","object":"contact","history":{"hs_lead_status":[` + history + `]},"properties":{"hs_lead_status":"` + status + `"}}`)
		}
		s := t.call("PATCH /crm/v3/objects/{objectType}/{objectId}", "p.1").path("/crm/v3/objects/contacts/659").body(`{"properties":{"hs_lead_status":"IN_PROGRESS"}}`)
		s.x.Committed = true
		s.e.Delta = []trail.Change{{Op: world.Update, Collection: "hubspot.contacts", ID: "659", Version: 2, Before: contact("", "NEW"), After: contact(`{"value":"IN_PROGRESS"}`, "IN_PROGRESS")}}
		s.put()
		m := t.call("POST /api/chat.postMessage", "m.1").body(`{"channel":"CFSBQUTGZ4V","text":"all is well"}`).makes("messages", "m1", "")
		m.x.Service = "slack"
		m.put()
	})
	why := played.verdict(t, it).Why
	for _, want := range []string{`changed a contact (659): hs_lead_status "IN_PROGRESS"`, "to #orders"} {
		if !strings.Contains(why, want) {
			t.Errorf("%q is not in %q", want, why)
		}
	}
}
