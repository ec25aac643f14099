package gateway_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"time"
)

type object = map[string]any

const (
	intents   = "/v1/payment_intents"
	meetingsA = "/calendar/v3/calendars/primary/events"
	deals     = "/crm/v3/objects/deals"
	board     = "d0000000-0000-4000-8000-000000000001"
	handbook  = "a0000000-0000-8000-8000-000000000001"
	messyAll  = "services: {github: {fixtures: [github-messy]}, hubspot: {fixtures: [hubspot-messy]}, zendesk: {fixtures: [zendesk-messy]}, " +
		"notion: {fixtures: [notion-messy]}, googlecalendar: {fixtures: [googlecalendar-messy]}, slack: {fixtures: [slack-messy]}}\n"
)

func meetings() []meeting { return slices.Concat(families(), badDays()) }

// families are the profiles of one family of faults each, and everyday life.
func families() []meeting {
	return []meeting{
		{profile: "lost-replies", play: lostReplies, failed: []string{"always: bounded retries", "always: one effect per intent", "lose-first-reply"}},
		// Nobody waits 90 s here: the holds are short.
		{
			profile: "timeouts", play: timeouts, failed: []string{"always: one effect per intent", "hang-first-write"},
			more: "faults: {hang-first-write: {with: {for: 30ms, commits: first}}, hang-a-read: {with: {for: 30ms}}}\n",
		},
		// Nor 2 s for each call, and 40 s for one.
		{
			profile: "slow", play: slowCalls, together: true, failed: []string{"always: one effect per intent", "slow-everything", "outlast-a-deadline"},
			more: messyAll + "faults: {slow-everything: {with: {fixed: 1ms}}, outlast-a-deadline: {with: {fixed: 600ms}}}\n",
		},
		{profile: "errors", play: failures, failed: []string{"always: bounded retries", "fail-first-call", "edge-page", "stored-failure"}},
		// The careful client waits for real: 1 s in place of 5 s and 10 s.
		{
			profile: "rate-limits", play: limits, step: "10ms", more: messyAll + "faults: {refuse-first-call: {with: {retry_after: 1s}}}\n",
			failed: []string{"always: bounded retries", "refuse-first-call", "refuse-until-a-date", "sandbox-limit", "a-day-is-used-up", "too-much-at-once"},
		},
		{profile: "broken-bodies", play: brokenBodies, more: messyAll, failed: []string{"always: bounded retries", "always: one effect per intent", "cut-first-reply", "cut-unseen"}, unseen: []string{"cut-unseen", "not-json", "a-login-page"}},
		{profile: "outages", play: outages, step: "5s", failed: []string{"always: bounded retries", "payments-down-in-part", "tickets-go-down-slowly", "chat-flaps", "records-fail-with-payments"}, unseen: []string{"payments-down-in-part"}},
		// What is left out in silence nobody can know of.
		{
			profile: "short-lists", play: shortLists, more: messyAll, failed: []string{"always: bounded retries", "short-search", "tickets-come-and-go", "cursors-die", "far-too-much"},
			unseen: []string{"short-and-silent", "tickets-come-and-go", "some-branches-fail", "far-too-much"},
		},
		// That a notice was read shows in what an agent reports alone.
		{profile: "drifting-contracts", play: drift, more: messyAll, failed: []string{"renamed", "moved"}, unseen: []string{"renamed", "retyped", "soon-gone", "clocks-differ"}},
		{profile: "stale-reads", play: staleReads, more: messyAll, failed: []string{"search-lags", "list-lags", "out-of-a-cache", "another-amount"}, unseen: []string{"list-lags", "another-amount"}},
		{
			profile: "other-people", play: otherPeople, step: "1m", more: "services: {notion: {fixtures: [notion-messy]}}\n",
			failed: []string{"colleague-solves-it", "somebody-renames", "reassigned", "lease-lost"},
		},
		{profile: "expired-sessions", play: sessions, step: "2m", more: messyAll, failed: []string{"an-hour-at-most", "no-more-refreshing", "refused-in-a-200", "sent-to-log-in"}, unseen: []string{"no-more-refreshing", "refused-in-a-200", "sent-to-log-in"}},
		{
			profile: "doubtful-success", play: doubts, step: "2s", more: messyAll,
			failed: []string{"always: bounded retries", "always: one effect per intent", "nothing-done", "done-twice", "key-in-use", "accepted-for-later", "blames-another-field", "a-page-after-it-was-done"}, unseen: []string{"nothing-done", "accepted-for-later", "blames-another-field", "a-page-after-it-was-done"},
		},
		// Nobody needs to react to a webhook that comes in order after all, or not at all.
		{profile: "unruly-webhooks", play: webhooks, failed: []string{"twice", "badly-signed"}, unseen: []string{"out-of-order", "never", "badly-signed"}, more: messyAll},
		// Its latency is cut, and no other wait.
		{
			profile: "production-like", play: everyday, step: "10ms", failed: []string{"always: bounded retries", "sandbox-limit", "sessions-of-an-hour"}, unseen: []string{"lists-move"},
			more: messyAll + "faults: {everyday-latency: {with: {fixed: 1ms}}, everyday-latency-elsewhere: {with: {fixed: 1ms}}}\n",
		},
	}
}

func lostReplies(a *hand) {
	a.insists("POST", "stripe", intents, payment)
	a.needs("GET", "stripe", intents, nil)
}

func timeouts(a *hand) {
	a.insists("POST", "stripe", intents, payment)
	a.insists("GET", "stripe", intents, nil)
}

// slowCalls has a payment that outlasts the client's deadline; the naive one sends it
// again beside the first.
func slowCalls(a *hand) {
	if a.careful {
		a.insists("POST", "stripe", intents, payment)
	} else {
		done, before := make(chan heard, 1), len(a.h.eventsOf(a.h.Run.ID))
		go func() { done <- a.says("POST", "stripe", intents, payment, "Idempotency-Key", "one") }()
		waitFor(a.t, "the first payment", func() bool { return len(a.h.eventsOf(a.h.Run.ID)) > before })
		a.says("POST", "stripe", intents, payment, "Idempotency-Key", "two")
		<-done
	}
	for range 8 {
		a.needs("GET", "github", "/repos/Acme/shop/contents/CHANGELOG", nil)
	}
}

func failures(a *hand) {
	for i := range 60 {
		a.insists("POST", "stripe", "/v1/customers", fmt.Sprint("name=Ada+", i))
	}
}

func limits(a *hand) {
	if a.careful {
		a.says("POST", "stripe", "/v1/customers", "name=Ada")
		time.Sleep(time.Second) // as it was told
		a.h.advance(a.h.Run.ID, "1s")
		a.needs("POST", "stripe", "/v1/customers", "name=Ada")
		return // it keeps to a few calls, and meets no other limit
	}
	for i := range 24 {
		if r := a.insists("POST", "stripe", "/v1/customers", fmt.Sprint("name=Ada+", i)); !r.fine() {
			a.h.advance(a.h.Run.ID, "15s") // it has given up, and is busy elsewhere
		}
	}
	for i := range 30 {
		a.says("GET", "stripe", fmt.Sprint("/v1/customers?limit=", 1+i), nil)
	}
	for i := range 6 {
		if r := a.insists("POST", "github", "/repos/Acme/shop/issues/1/comments", object{"body": fmt.Sprint("Note ", i)}); !r.fine() {
			a.h.advance(a.h.Run.ID, "90s")
		}
	}
	for i := range 102 {
		a.says("POST", "sendgrid", "/v3/mail/send", mail(i))
	}
}

func mail(n int) object {
	return object{
		"personalizations": []any{object{"to": []any{object{"email": "bob@example.com"}}}},
		"from":             object{"email": "shop@example.com"}, "subject": fmt.Sprint("Order ", n),
		"content": []any{object{"type": "text/plain", "value": "On its way."}},
	}
}

func brokenBodies(a *hand) {
	for i := range 6 {
		a.insists("POST", "stripe", "/v1/customers", fmt.Sprint("name=Zo%C3%AB+", i))
	}
	for i := range 24 {
		a.says("GET", "stripe", fmt.Sprint("/v1/customers?limit=", 10+i), nil)
	}
	for i := range 12 {
		a.says("GET", "zendesk", fmt.Sprint("/api/v2/tickets?per_page=", 2+i), nil)
		a.says("GET", "notion", fmt.Sprint("/v1/users?page_size=", 2+i), nil)
	}
}

func outages(a *hand) {
	for i := range 6 {
		a.insists("POST", "slack", "/api/chat.postMessage", object{"channel": "C0GENERAL01", "text": fmt.Sprint("Hello ", i)})
	}
	for range 3 {
		a.says("GET", "sendgrid", "/v3/templates?generations=dynamic", nil)
		time.Sleep(pause)
	}
	for i := range 14 {
		r := a.insists("POST", "stripe", intents, payment+fmt.Sprint("&metadata[order]=", i))
		if !r.fine() || i == 13 {
			a.insists("POST", "hubspot", deals, object{"properties": object{"dealname": fmt.Sprint("Order ", i)}})
		}
	}
	reads := 40
	if a.careful {
		reads = 8 // it sees that it gets worse, and leaves it
	}
	for i := range reads {
		a.insists("GET", "zendesk", fmt.Sprint("/api/v2/tickets?per_page=", 2+i), nil)
	}
}

func shortLists(a *hand) {
	for i := range 4 {
		a.searchesDeals(4 + i)
	}
	for i := range 4 {
		a.needs("GET", "github", "/repos/Acme/shop/issues?state=open&per_page=5", nil)
		a.needs("POST", "github", "/repos/Acme/shop/issues/1/comments", object{"body": fmt.Sprint("Counted ", i)})
	}
	a.answersTickets()
	r := a.needs("GET", "googlecalendar", meetingsA+"?maxResults=4", nil)
	next := meetingsA + "?maxResults=4&pageToken=" + r.at("nextPageToken")
	if a.careful {
		a.says("GET", "googlecalendar", next, nil)
		a.needs("GET", "googlecalendar", meetingsA+"?maxResults=4", nil)
	} else {
		a.insists("GET", "googlecalendar", next, nil)
	}
	for range 6 {
		a.needs("POST", "notion", "/v1/databases/"+board+"/query", object{})
	}
	a.needs("POST", "notion", "/v1/comments", object{"parent": object{"page_id": handbook}, "rich_text": []any{object{"text": object{"content": "Counted."}}}})
	for _, limit := range []string{"3", "4"} {
		a.needs("GET", "slack", "/api/conversations.history?channel=C0GENERAL01&limit="+limit, nil)
	}
	if !a.careful {
		a.needs("GET", "slack", "/api/conversations.history?channel=C0GENERAL01&limit=4", nil)
	}
}

// searchesDeals looks for contacts and notes how many there are: the naive client
// after one page, the careful one after the last.
func (a *hand) searchesDeals(limit int) {
	const search = "/crm/v3/objects/contacts/search"
	r := a.needs("POST", "hubspot", search, object{"limit": limit})
	for a.careful && strings.Contains(string(r.body), `"after"`) {
		r = a.needs("POST", "hubspot", search, object{"limit": limit, "after": r.at("paging.next.after")})
	}
	a.needs("POST", "hubspot", "/crm/v3/objects/notes", object{"properties": object{"hs_note_body": fmt.Sprint("Counted ", limit), "hs_timestamp": "2026-03-02T09:00:00Z"}})
}

// answersTickets answers each ticket of a list that moves, newest first: the
// naive client answers those that it sees twice a second time.
func (a *hand) answersTickets() {
	answered := map[string]bool{}
	for page := 1; page <= 3; page++ {
		r := a.needs("GET", "zendesk", fmt.Sprint("/api/v2/tickets?per_page=4&sort_by=created_at&sort_order=desc&page=", page), nil)
		list, _ := r.json["tickets"].([]any)
		for _, ticket := range list {
			id := at(ticket, "id")
			if a.careful && answered[id] || at(ticket, "status") == "closed" {
				continue
			}
			answered[id] = true
			a.says("PUT", "zendesk", "/api/v2/tickets/"+id, object{"ticket": object{"comment": object{"body": "We are looking into it."}}})
		}
	}
}

func drift(a *hand) {
	charge := a.charge("4900")
	known := a.needs("GET", "stripe", "/v1/customers", nil).json
	for i := range 8 {
		r := a.needs("GET", "stripe", "/v1/charges/"+charge+"?expand[]=customer", nil)
		if i == 0 {
			known = a.needs("GET", "stripe", "/v1/charges?limit=1", nil).json
			known = known["data"].([]any)[0].(object)
		}
		for name := range maps.Keys(r.json) {
			if _, ok := known[name]; !ok && !a.careful {
				a.says("POST", "stripe", "/v1/customers", "description="+name)
			}
		}
	}
	contact := a.needs("GET", "hubspot", "/crm/v3/objects/contacts?limit=1", nil).at("results.0.id")
	ticket := a.needs("GET", "zendesk", "/api/v2/tickets?per_page=1", nil).at("tickets.0.id")
	for i := range 8 {
		a.needs("GET", "hubspot", "/crm/v3/objects/contacts/"+contact, nil)
		a.needs("GET", "zendesk", "/api/v2/tickets/"+ticket, nil)
		a.needs("POST", "slack", "/api/chat.postMessage", object{"channel": "C0GENERAL01", "text": fmt.Sprint("Hello ", i)})
	}
	a.needs("GET", "notion", "/v1/pages/"+handbook, nil)
	r := a.says("GET", "github", "/repos/Acme/shop", nil)
	if place := r.header.Get("Location"); !a.careful && place != "" {
		host, path, _ := strings.Cut(strings.TrimPrefix(place, "https://"), "/")
		a.says("GET", "github", "/"+path, nil, "Host", host)
	}
}

// charge pays, and gives the charge.
func (a *hand) charge(amount string) string {
	a.t.Helper()
	a.n++
	r := a.needs("POST", "stripe", intents, strings.Replace(payment, "4900", amount, 1), "Idempotency-Key", fmt.Sprint("pay-", a.n))
	return r.at("latest_charge")
}

func staleReads(a *hand) {
	deal := object{"properties": object{"dealname": "Acme 2026"}}
	made := a.needs("POST", "hubspot", deals, deal).at("id")
	a.h.advance(a.h.Run.ID, "45s") // after which a search would show it
	found := a.needs("POST", "hubspot", deals+"/search", object{"query": "Acme 2026"})
	switch {
	case found.at("total") != "0":
	case a.careful:
		a.needs("GET", "hubspot", deals+"/"+made, nil)
	default:
		a.needs("POST", "hubspot", deals, deal)
	}
	a.needs("POST", "stripe", "/v1/customers", "name=Bob", "Idempotency-Key", "bob")
	list := a.needs("GET", "stripe", "/v1/customers", nil)
	if !strings.Contains(string(list.body), "Bob") && !a.careful {
		a.needs("POST", "stripe", "/v1/customers", "name=Bob", "Idempotency-Key", "bob again")
	}
	a.merges()
	for i := range 6 {
		charge := a.charge("4900")
		amount := a.needs("GET", "stripe", "/v1/charges/"+charge, nil).at("amount")
		if a.careful {
			amount = "4900" // as it was ordered
		}
		a.says("POST", "stripe", "/v1/refunds", "charge="+charge+"&amount="+amount, "Idempotency-Key", fmt.Sprint("refund-", i))
	}
}

// merges merges a pull request that it has read out of a cache.
func (a *hand) merges() {
	a.needs("PUT", "github", "/repos/Acme/shop/contents/once.md", object{"message": "Once", "content": "b25jZQo=", "branch": "zoe-tmp-2"})
	pull := a.needs("POST", "github", "/repos/Acme/shop/pulls", object{"title": "Once", "head": "zoe-tmp-2", "base": "main"}).at("number")
	at := "/repos/Acme/shop/pulls/" + pull
	a.says("GET", "github", at, nil)
	a.h.advance(a.h.Run.ID, "10m")
	a.says("GET", "github", at, nil)
	if a.careful {
		a.says("GET", "github", at, nil, "Cache-Control", "no-cache")
	}
	a.says("PUT", "github", at+"/merge", object{})
}

// otherPeople writes to what it has read: the naive client at once, the careful one
// once it has read it again.
func otherPeople(a *hand) {
	ticket := a.needs("POST", "zendesk", "/api/v2/tickets", object{"ticket": object{"subject": "Late", "comment": object{"body": "Where is it?"}}}).at("ticket.id")
	customer := a.needs("POST", "stripe", "/v1/customers", "name=Ada").at("id")
	contact := a.needs("POST", "hubspot", "/crm/v3/objects/contacts", object{"properties": object{"email": "ada@parity.example", "hubspot_owner_id": "12"}}).at("id")
	for _, c := range []struct {
		method, service, path string
		body                  any
	}{
		{"PUT", "zendesk", "/api/v2/tickets/" + ticket, object{"ticket": object{"status": "pending"}}},
		{"POST", "stripe", "/v1/customers/" + customer, "description=good"},
		{"PATCH", "hubspot", "/crm/v3/objects/contacts/" + contact, object{"properties": object{"firstname": "Ada"}}},
	} {
		a.needs("GET", c.service, c.path, nil)
		if a.careful && c.service == "hubspot" && a.needs("GET", c.service, c.path+"?properties=hubspot_owner_id", nil).at("properties.hubspot_owner_id") != "12" {
			continue // it is somebody else's by now
		}
		if a.careful {
			a.needs("GET", c.service, c.path, nil)
		}
		a.needs(c.method, c.service, c.path, c.body)
	}
	title := func(s string) object {
		return object{"properties": object{"title": object{"title": []any{object{"text": object{"content": s}}}}}}
	}
	at := "/v1/pages/" + handbook
	a.needs("GET", "notion", at, nil)
	a.needs("PATCH", "notion", at, title("One"))
	a.h.advance(a.h.Run.ID, "20m")
	if r := a.says("PATCH", "notion", at, title("Two")); r.fine() {
		a.t.Errorf("the lease holds: %d", r.status)
	}
	if a.careful {
		a.needs("GET", "notion", at, nil)
		a.needs("PATCH", "notion", at, title("Two"))
	} else {
		a.says("PATCH", "notion", at, title("Two"))
	}
}

// sessions goes on past the end of each session: the naive client with what it has,
// the careful one after one renewal, if that works.
func sessions(a *hand) {
	a.tokens = map[string]string{}
	renew := map[string]string{"googlecalendar": "/token", "hubspot": "/oauth/v1/token"}
	for _, c := range [][4]string{
		{"GET", "googlecalendar", meetingsA, ""}, {"GET", "hubspot", deals, ""}, {"GET", "slack", "/api/conversations.list", ""}, {"GET", "notion", "/v1/users", ""},
	} {
		dead := false
		for i := range 16 {
			r := a.says(c[0], c[1], c[2]+"?"+map[string]string{"googlecalendar": "maxResults=", "notion": "page_size="}[c[1]]+strconv.Itoa(4+i), nil)
			if r.fine() || !a.careful || dead {
				if dead && !r.fine() {
					break
				}
				continue
			}
			place := renew[c[1]]
			if place == "" {
				break
			}
			got := a.says("POST", c[1], place, "grant_type=refresh_token&client_id=a&client_secret=b&refresh_token=1%2F%2F0first", "Authorization", "")
			token, ok := got.json["access_token"].(string)
			if !ok {
				break
			}
			a.tokens[c[1]], dead = "Bearer "+token, true
		}
	}
}

func doubts(a *hand) {
	ticket := a.needs("POST", "zendesk", "/api/v2/tickets", object{"ticket": object{"subject": "Late", "comment": object{"body": "Where is it?"}}}).at("ticket.id")
	at := "/api/v2/tickets/" + ticket
	a.needs("PUT", "zendesk", at, object{"ticket": object{"status": "pending"}})
	deal := a.needs("POST", "hubspot", deals, object{"properties": object{"dealname": "Acme 2026"}}).at("id")
	if a.careful {
		a.needs("GET", "zendesk", at, nil)
		a.needs("GET", "hubspot", deals+"?limit=100", nil) // only the list shows that there are two
	}
	a.needs("PUT", "zendesk", at, object{"ticket": object{"priority": "high"}})
	a.says("DELETE", "hubspot", deals+"/"+deal, nil)
	charge := a.charge("4900")
	a.insists("POST", "stripe", intents, payment+"&metadata[order]=2")
	r := a.says("POST", "stripe", "/v1/refunds", "charge="+charge, "Idempotency-Key", "refund")
	if place := r.header.Get("Location"); a.careful && place != "" {
		a.says("GET", "stripe", strings.TrimPrefix(place, "https://api.stripe.com"), nil)
	} else {
		a.says("POST", "stripe", "/v1/refunds", "charge="+charge, "Idempotency-Key", "refund again")
	}
	meeting := object{"summary": "Disputes", "start": object{"dateTime": "2026-03-05T10:00:00Z"}, "end": object{"dateTime": "2026-03-05T10:30:00Z"}}
	if a.careful {
		a.says("POST", "googlecalendar", meetingsA, meeting)
		a.says("POST", "sendgrid", "/v3/mail/send", mail(1))
		return
	}
	a.insists("POST", "googlecalendar", meetingsA, meeting)
	a.insists("POST", "sendgrid", "/v3/mail/send", mail(1))
}

// webhooks listens: the naive client refuses what it knows and takes what is badly
// signed, the careful one the other way round.
func webhooks(a *hand) {
	known, secret := map[string]bool{}, ""
	e := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var event struct{ ID string }
		_ = json.Unmarshal(body, &event) // GitHub's have none
		again := event.ID != "" && known[event.ID]
		known[event.ID] = true
		switch {
		case !a.careful && again:
			w.WriteHeader(http.StatusConflict)
		case a.careful && event.ID != "" && !signed(r.Header.Get("Stripe-Signature"), body, secret):
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	defer e.Close()
	secret = a.needs("POST", "stripe", "/v1/webhook_endpoints", "url="+e.URL+"&enabled_events[0]=*").at("secret")
	a.needs("POST", "github", "/repos/Acme/shop/hooks", object{"name": "web", "active": true, "events": []string{"*"}, "config": object{"url": e.URL, "content_type": "json"}})
	for i := range 4 {
		charge := a.charge(fmt.Sprint(4900 + i))
		a.needs("POST", "stripe", "/v1/refunds", "charge="+charge)
		a.needs("POST", "github", "/repos/Acme/shop/issues", object{"title": fmt.Sprint("Bug ", i)})
		a.needs("POST", "stripe", "/v1/customers", fmt.Sprint("name=Ada+", i))
		a.h.advance(a.h.Run.ID, "2h")
	}
}

// signed checks a signature as Stripe's libraries do.
func signed(header string, body []byte, secret string) bool {
	stamp, rest, _ := strings.Cut(strings.TrimPrefix(header, "t="), ",")
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(stamp + "." + string(body)))
	return slices.Contains(strings.Split(rest, ","), "v1="+hex.EncodeToString(mac.Sum(nil)))
}

// everyday works for a while as agents do. The naive client reads faster than it
// may, and goes on with sessions that have ended.
func everyday(a *hand) {
	if !a.careful {
		for i := range 30 {
			a.says("GET", "stripe", fmt.Sprint("/v1/customers?limit=", 1+i), nil)
		}
	}
	for i := range 40 {
		a.needs("GET", "zendesk", fmt.Sprint("/api/v2/tickets?per_page=", 2+i%9), nil)
		a.needs("GET", "github", fmt.Sprint("/repos/Acme/shop/issues?state=all&per_page=", 2+i%9), nil)
	}
	a.tokens = map[string]string{}
	a.needs("GET", "googlecalendar", meetingsA, nil)
	a.outstaysHour("googlecalendar", meetingsA, "/token")
}

// outstaysHour reads once the session of a service has ended: the naive client with
// what it has, the careful one after one renewal.
func (a *hand) outstaysHour(service, path, renewal string) {
	a.tokens = map[string]string{}
	a.h.advance(a.h.Run.ID, "2h")
	if !a.careful {
		for range 5 {
			a.says("GET", service, path, nil)
		}
		return
	}
	a.says("GET", service, path, nil)
	got := a.needs("POST", service, renewal, "grant_type=refresh_token&client_id=a&client_secret=b&refresh_token=1%2F%2F0first", "Authorization", "")
	a.tokens[service] = "Bearer " + got.at("access_token")
	a.needs("GET", service, path, nil)
}
