package gateway_test

import (
	"fmt"
	"strings"
	"time"
)

// zendeskDay has a support agent work through an afternoon. What production-like
// says of payments and of sessions is met there, and Zendesk has no part in it. The
// latency is cut, and the wait that it tells is 1 s in place of 20 s.
func zendeskDay() meeting {
	return meeting{
		profile: "zendesk-bad-day", play: zendeskAfternoon, more: `services: {zendesk: {fixtures: [zendesk-messy]}}
faults:
  everyday-latency: {enabled: false}
  sandbox-limit: {enabled: false}
  sessions-of-an-hour: {enabled: false}
  everyday-latency-elsewhere: {with: {fixed: 1ms}}
  zendesk-refuse-for-a-while: {with: {retry_after: 1s}}
`,
		failed: []string{"always: one effect per intent", "zendesk-lose-a-ticket", "zendesk-lose-an-answer", "zendesk-refuse-for-a-while", "zendesk-colleague-solves-it", "zendesk-search-lags"}, unseen: []string{"zendesk-search-lags", "lists-move"},
	}
}

const zendeskQueue = "/api/v2/tickets?sort_by=created_at&sort_order=desc"

func zendeskAfternoon(a *hand) {
	for i := range 5 { // what it has to do
		a.sitsOut("GET", "zendesk", fmt.Sprint(zendeskQueue, "&per_page=", 2+i), nil)
	}
	ticket := object{"ticket": object{"subject": "Kettle leaks", "comment": object{"body": "It drips since Monday."}}}
	id := a.opensTicket(ticket)
	a.h.advance(a.h.Run.ID, "70s") // after which a search would show it
	found := a.sitsOut("GET", "zendesk", "/api/v2/search?query=type:ticket+kettle", nil)
	if !strings.Contains(string(found.body), "Kettle") && !a.careful {
		a.sitsOut("POST", "zendesk", "/api/v2/tickets", ticket)
	}
	a.answersTicket(id, "Please send us a picture.")
	a.answersTicket(id, "Thank you, a new one is on its way.")
	for i := range 14 { // enough for what happens by chance
		a.sitsOut("GET", "zendesk", fmt.Sprint("/api/v2/tickets?per_page=", 2+i), nil)
	}
}

// opensTicket makes a ticket whose reply is lost: the naive client sends it again,
// the careful one looks at the newest of the queue, which lags less than a search.
func (a *hand) opensTicket(ticket object) string {
	if !a.careful {
		return a.sitsOut("POST", "zendesk", "/api/v2/tickets", ticket).at("ticket.id")
	}
	if r := a.says("POST", "zendesk", "/api/v2/tickets", ticket); r.fine() {
		return r.at("ticket.id")
	}
	return a.sitsOut("GET", "zendesk", zendeskQueue+"&per_page=1", nil).at("tickets.0.id")
}

// answersTicket comments on a ticket that it has read: the careful client reads it
// again before it writes, and when no answer comes looks for its comment.
func (a *hand) answersTicket(id, text string) {
	at := "/api/v2/tickets/" + id
	change := object{"ticket": object{"status": "pending", "comment": object{"body": text}}}
	a.sitsOut("GET", "zendesk", at, nil)
	if !a.careful {
		a.sitsOut("PUT", "zendesk", at, change)
		return
	}
	a.sitsOut("GET", "zendesk", at, nil)
	r := a.says("PUT", "zendesk", at, change)
	if r.fine() {
		return
	}
	said := a.sitsOut("GET", "zendesk", at+"/comments", nil)
	if !strings.Contains(string(said.body), text) {
		a.sitsOut("PUT", "zendesk", at, change)
	}
}

// sitsOut makes a call until it is answered, as insists does; the careful client
// waits for as long as it is told, and comes back.
func (a *hand) sitsOut(method, service, path string, body any) heard {
	a.t.Helper()
	r := a.insists(method, service, path, body)
	if wait := r.header.Get("Retry-After"); a.careful && a.shut[service] && wait != "" {
		time.Sleep(time.Second) // no day here tells more
		a.h.advance(a.h.Run.ID, "1s")
		a.shut[service] = false
		r = a.insists(method, service, path, body)
	}
	if !r.fine() {
		a.t.Errorf("%s %s%s: %d %.200s %v", method, service, path, r.status, r.body, r.err)
	}
	return r
}
