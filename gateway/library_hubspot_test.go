package gateway_test

import (
	"fmt"
	"strings"
)

// hubspotDay has a sales agent work through an afternoon. What production-like says
// of payments, and of queues of tickets, is met there. The latency is cut, and the
// wait that it tells is 1 s in place of 10 s.
func hubspotDay() meeting {
	return meeting{
		profile: "hubspot-bad-day", play: hubspotAfternoon, more: `services: {hubspot: {fixtures: [hubspot-messy]}}
faults:
  everyday-latency: {enabled: false}
  sandbox-limit: {enabled: false}
  lists-move: {enabled: false}
  hubspot-latency: {with: {fixed: 1ms}}
  hubspot-refuse-for-a-while: {with: {retry_after: 1s}}
`,
		failed: []string{"always: bounded retries", "always: one effect per intent", "hubspot-lose-a-record", "hubspot-refuse-for-a-while", "hubspot-search-lags", "sessions-of-an-hour"},
	}
}

func hubspotAfternoon(a *hand) {
	for i := range 6 { // whom it knows
		a.sitsOut("GET", "hubspot", fmt.Sprint("/crm/v3/objects/companies?limit=", 2+i), nil)
	}
	deal := object{"properties": object{"dealname": "Kettles 2026"}}
	id := a.opensDeal(deal)
	a.h.advance(a.h.Run.ID, "45s") // after which a search would show it
	found := a.sitsOut("POST", "hubspot", deals+"/search", object{"query": "Kettles 2026"})
	if found.at("total") == "0" && !a.careful {
		a.sitsOut("POST", "hubspot", deals, deal)
	}
	for _, amount := range []string{"100", "200"} {
		a.pricesDeal(id, amount)
	}
	for i := range 3 {
		a.countsContacts(4 + i)
	}
	for i := range 4 { // enough for what happens by chance
		a.sitsOut("GET", "hubspot", fmt.Sprint("/crm/v3/objects/contacts?limit=", 2+i), nil)
	}
	a.outstaysHour("hubspot", deals, "/oauth/v1/token")
}

// opensDeal makes a deal whose reply is lost: the naive client sends it again, the
// careful one looks at the list of deals, which lags less than a search.
func (a *hand) opensDeal(deal object) string {
	if a.careful {
		if r := a.says("POST", "hubspot", deals, deal); r.fine() {
			return r.at("id")
		}
	} else {
		a.insists("POST", "hubspot", deals, deal)
	}
	r := a.sitsOut("GET", "hubspot", deals+"?limit=100&properties=dealname", nil)
	list, _ := r.json["results"].([]any)
	for _, one := range list {
		if at(one, "properties.dealname") == "Kettles 2026" {
			return at(one, "id")
		}
	}
	a.t.Fatalf("the deal is not there: %s", r.body)
	return ""
}

// pricesDeal changes a deal: where no answer comes the careful client reads it first.
func (a *hand) pricesDeal(id, amount string) {
	change := object{"properties": object{"amount": amount}}
	if !a.careful {
		a.insists("PATCH", "hubspot", deals+"/"+id, change)
		return
	}
	if r := a.says("PATCH", "hubspot", deals+"/"+id, change); r.fine() {
		return
	}
	a.sitsOut("GET", "hubspot", deals+"/"+id+"?properties=amount", nil)
}

// countsContacts notes how many contacts there are: the naive client after one page,
// the careful one after the last.
func (a *hand) countsContacts(limit int) {
	const search = "/crm/v3/objects/contacts/search"
	r := a.sitsOut("POST", "hubspot", search, object{"limit": limit})
	for a.careful && strings.Contains(string(r.body), `"after"`) {
		r = a.sitsOut("POST", "hubspot", search, object{"limit": limit, "after": r.at("paging.next.after")})
	}
	note := object{"properties": object{"hs_note_body": fmt.Sprint("Counted ", limit), "hs_timestamp": "2026-03-02T09:00:00Z"}}
	a.sitsOut("POST", "hubspot", "/crm/v3/objects/notes", note)
}
