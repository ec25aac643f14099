package gateway_test

import (
	"strings"
	"testing"

	"parity/faults/trail"
)

// A gate that wants no record made was passed by a list of records.
func TestAGateHoldsWhatABatchMakes(t *testing.T) {
	t.Parallel()
	const (
		hub  = "https://api.hubapi.com/crm/v3/objects/companies"
		desk = "https://desk.example/v1"
	)
	for name, c := range map[string]struct {
		service, call, then, target, body string
		made                              string // in the reply where it is made
	}{
		"inputs refused":              {"hubspot: {}", "hubspot POST /crm/v3/objects/{objectType}", "refuse", hub + "/batch/create", `{"inputs":[{"properties":{"name":"A"}},{"properties":{"name":"B"}}]}`, "createdAt"},
		"inputs to be approved":       {"hubspot: {}", "hubspot POST /crm/v3/objects/{objectType}", "approve, by: [ada]", hub + "/batch/create", `{"inputs":[{"properties":{"name":"A"}}]}`, "createdAt"},
		"inputs by what they say":     {"hubspot: {}", "hubspot POST /crm/v3/objects/{objectType}", "refuse, when: request.body.properties.name == 'B'", hub + "/batch/create", `{"inputs":[{"properties":{"name":"B"}}]}`, "createdAt"},
		"inputs by what comes of it":  {"hubspot: {}", "hubspot POST /crm/v3/objects/{objectType}", "refuse, when: result.properties.name == 'B'", hub + "/batch/create", `{"inputs":[{"properties":{"name":"B"}}]}`, "createdAt"},
		"records":                     {"desk: {contract: desk.yaml}", "desk POST /v1/notes", "refuse", desk + "/notes/bulk", `[{"text":"a"},{"text":"b"}]`, `"text":"a"`},
		"records of a call of a list": {"desk: {contract: desk.yaml}", "desk POST /v1/notes", "refuse", desk + "/$batch", `{"requests":[{"id":"1","method":"POST","url":"/notes/bulk","body":[{"text":"a"}]}]}`, `"text":"a"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, "profile: gated\nseed: 7\nservices: {"+c.service+"}\nclock: {mode: stepped}\npolicy: {strangers: admin, gates: {it: {call: \""+c.call+"\", then: "+c.then+"}}, approvers: {ada: {person: true}}}\n", beside(t, "desk.yaml", batching))
			b := &bench{h, h.proxied(false)}
			_, text := b.does(ask{"POST", c.target, c.body}, "Authorization", "Bearer pat-na1-x", "Content-Type", "application/json")
			if strings.Contains(text, c.made) || !strings.Contains(text, "a part of another (it)") {
				t.Errorf("it was made: %s", text)
			}
			for _, x := range exchanges(b.harness) {
				if x.Committed || x.Within > 0 && strings.HasSuffix(c.call, x.Operation) && (x.Policy.Decision != trail.PolicyRefused || x.Policy.By != "it") {
					t.Errorf("the record has %+v %+v", x, x.Policy)
				}
			}
			b.replays()
		})
	}
	h := open(t, "profile: gated\nseed: 7\nservices: {hubspot: {}}\nclock: {mode: stepped}\npolicy: {strangers: admin, gates: {it: {call: hubspot POST /crm/v3/objects/{objectType}, then: refuse, when: request.body.properties.name == 'B'}}}\n")
	b := &bench{h, h.proxied(false)}
	if _, text := b.does(ask{"POST", hub + "/batch/create", `{"inputs":[{"properties":{"name":"A"}},{"properties":{"name":"B"}}]}`}, "Authorization", "Bearer pat-na1-x"); strings.Count(text, "createdAt") != 1 || strings.Count(text, "a part of another (it)") != 1 {
		t.Errorf("one of two was to be made: %s", text)
	}
	b.replays()
}
