package gateway_test

import (
	"fmt"
	"strings"
	"testing"
)

// A rule that writes a path out as HubSpot's documentation does is about calls
// with that path: others of the operation do not meet it, and are not counted.
func TestARuleMeetsCallsOfThePathThatItWritesOut(t *testing.T) {
	t.Parallel()
	h := open(t, `profile: written
seed: 7
services: {hubspot: {fixtures: [hubspot-messy]}}
clock: {mode: stepped, step: 1s}
faults:
  second-contact: {call: hubspot POST /crm/v3/objects/contacts, inject: error, with: {status: 502}, trigger: {nth: 2}}
  a-deal: {call: "hubspot * /crm/v3/objects/deals*", inject: error, with: {status: 503}, trigger: {nth: 1}}
`)
	b := &bench{h, h.proxied(false)}
	make := func(kind, properties string) ask {
		return ask{"POST", "https://api.hubapi.com/crm/v3/objects/" + kind, `{"properties":{` + properties + `}}`}
	}
	contact := func(n int) ask { return make("contacts", fmt.Sprintf(`"email":"c%d@example.com"`, n)) }
	company := make("companies", `"name":"Acme"`)
	deals := ask{"GET", "https://api.hubapi.com/crm/v3/objects/deals?limit=1", ""}
	var got []string
	for _, a := range []ask{company, contact(1), company, deals, deals, contact(2), contact(3)} {
		reply, _ := b.does(a, "Authorization", "Bearer pat-na1-week")
		got = append(got, fmt.Sprint(reply.StatusCode))
	}
	if want := "201 201 201 503 200 502 201"; strings.Join(got, " ") != want {
		t.Errorf("answered %s, want %s", strings.Join(got, " "), want)
	}
	met := ""
	for _, x := range exchanges(h) {
		met += fmt.Sprint(len(x.Strikes))
	}
	if met != "0101111" {
		t.Errorf("rules that the calls met: %s", met)
	}
	b.replays()
}
