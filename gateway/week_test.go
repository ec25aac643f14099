package gateway_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/kit"
	"parity/faults/trail"
	"parity/gateway/client"
)

const weekProfile = `
profile: week
seed: 11
services: {stripe: {}, zendesk: {}, sendgrid: {}, googlecalendar: {}, slack: {}, github: {}}
clock: {mode: stepped, start: 2026-03-02T09:00:00Z, step: 1s}
`

// agent is a client of one run that speaks JSON, and Stripe's forms.
type agent struct {
	t   *testing.T
	h   *harness
	run string
	c   *http.Client
}

// hosts are where the services are: reached by their own names, so that links in replies
// are the services' own, whatever the run.
var hosts = map[string]string{
	"stripe": "api.stripe.com", "zendesk": "acme.zendesk.com", "sendgrid": "api.sendgrid.com", "googlecalendar": "www.googleapis.com",
	"slack": "slack.com", "github": "api.github.com",
}

// does makes a call to a service, which has to be answered with the status, and
// gives the reply.
func (a *agent) does(status int, method, service, path, token string, body any, header ...string) map[string]any {
	a.t.Helper()
	r := requestOf(a.t, method, "https://"+hosts[service]+path, token, body)
	r.Header.Set("User-Agent", "week/1")
	r.Header.Set("Parity-Run", a.run)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	reply, err := a.c.Do(r)
	if err != nil {
		a.t.Fatal(err)
	}
	defer a.h.advance(a.run, "1s") // when what is due was delivered
	defer reply.Body.Close()
	said, err := io.ReadAll(reply.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	if reply.StatusCode != status {
		a.t.Fatalf("%s %s%s: %d, want %d: %s", method, service, path, reply.StatusCode, status, said)
	}
	var decoded map[string]any
	if len(said) > 0 && json.Unmarshal(said, &decoded) != nil {
		return map[string]any{"text": string(said)}
	}
	return decoded
}

// at gives what is at a dotted path of a reply, as text.
func at(v any, path string) string {
	for name := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[name]
		case []any:
			var i int
			if _, err := fmt.Sscan(name, &i); err != nil || i >= len(x) {
				return ""
			}
			v = x[i]
		}
	}
	if n, ok := v.(float64); ok {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprint(v)
}

const (
	stripeKey  = "Bearer sk_test_week"
	zendeskKey = "Basic YWdlbnRAZXhhbXBsZS5jb20vdG9rZW46d2Vlaw==" // agent@example.com/token:week
	mailKey    = "Bearer SG.week.rehearsal"
	mine       = "Bearer ya29.mine"
	colleague  = "Bearer ya29.colleague"
	bot        = "Bearer xoxb-week"
	developer  = "Bearer ghp_week"
)

// week lets a shop's week pass: a customer pays and disputes, writes a ticket
// and gets a mail; a meeting is moved by somebody else; an issue is mended in a
// pull request, and the team reads of it.
func week(t *testing.T, h *harness, run string, e *endpoint) {
	t.Helper()
	a := &agent{t: t, h: h, run: run, c: h.direct(false, true)}

	// Monday: who wants to hear of what.
	a.does(200, "POST", "stripe", "/v1/webhook_endpoints", stripeKey, "url="+e.URL+"/stripe&enabled_events[0]=*")
	a.does(201, "POST", "zendesk", "/api/v2/webhooks", zendeskKey, map[string]any{"webhook": map[string]any{
		"name": "tickets", "endpoint": e.URL + "/zendesk", "http_method": "POST", "request_format": "json", "status": "active",
		"subscriptions": []string{"zen:event-type:ticket.created"},
	}})
	a.does(200, "PATCH", "sendgrid", "/v3/user/webhooks/event/settings", mailKey, map[string]any{
		"enabled": true, "url": e.URL + "/sendgrid", "processed": true, "delivered": true,
	})
	a.does(201, "POST", "sendgrid", "/v3/verified_senders", mailKey, map[string]any{
		"nickname": "Shop", "from_email": "shop@example.com", "reply_to": "shop@example.com", "address": "1 Main Street", "city": "Springfield", "country": "USA",
	})
	link := a.sent("sendgrid", "sender-verification", "token")
	a.does(204, "GET", "sendgrid", "/v3/verified_senders/verify/"+link, mailKey, nil)
	a.does(200, "POST", "googlecalendar", "/calendar/v3/calendars/primary/events/watch", mine, map[string]any{
		"id": "week", "type": "web_hook", "address": e.URL + "/googlecalendar",
	})
	owner := at(a.does(200, "GET", "github", "/user", developer, nil), "login")
	a.does(201, "POST", "github", "/user/repos", developer, map[string]any{"name": "shop", "auto_init": true})
	repo := "/repos/" + owner + "/shop"
	a.does(201, "POST", "github", repo+"/hooks", developer, map[string]any{
		"name": "web", "active": true, "events": []string{"*"}, "config": map[string]any{"url": e.URL + "/github", "content_type": "json", "secret": "week"},
	})

	// Monday, later: a customer pays, and the bank takes it back.
	customer := at(a.does(200, "POST", "stripe", "/v1/customers", stripeKey, "email=bob@example.com&name=Bob"), "id")
	paid := a.does(200, "POST", "stripe", "/v1/payment_intents", stripeKey, "amount=4900&currency=usd&customer="+customer+
		"&payment_method=pm_card_createDispute&confirm=true&payment_method_types[0]=card", "Idempotency-Key", "order-1")
	if at(paid, "status") != "succeeded" {
		t.Fatalf("the payment is %s", at(paid, "status"))
	}
	h.advance(a.run, "24h")

	// Tuesday: the customer writes, and is answered by mail.
	ticket := at(a.does(201, "POST", "zendesk", "/api/v2/tickets.json", zendeskKey, map[string]any{"ticket": map[string]any{
		"subject": "Charged twice?", "comment": map[string]any{"body": "I do not know this charge."},
		"requester": map[string]any{"name": "Bob", "email": "bob@example.com"},
	}}), "ticket.id")
	a.does(200, "PUT", "zendesk", "/api/v2/tickets/"+ticket+".json", zendeskKey, map[string]any{"ticket": map[string]any{
		"status": "pending", "comment": map[string]any{"body": "We are looking into it."},
	}})
	a.does(202, "POST", "sendgrid", "/v3/mail/send", mailKey, map[string]any{
		"personalizations": []any{map[string]any{"to": []any{map[string]any{"email": "bob@example.com"}}}},
		"from":             map[string]any{"email": "shop@example.com"}, "subject": "Your order",
		"content": []any{map[string]any{"type": "text/plain", "value": "We are looking into it."}},
	})
	h.advance(a.run, "24h")

	// Wednesday: a meeting, which a colleague moves.
	meeting := a.does(200, "POST", "googlecalendar", "/calendar/v3/calendars/primary/events?sendUpdates=all", mine, map[string]any{
		"summary": "Disputes", "start": map[string]any{"dateTime": "2026-03-05T10:00:00Z"}, "end": map[string]any{"dateTime": "2026-03-05T10:30:00Z"},
		"attendees": []any{map[string]any{"email": "eve@example.com"}},
	})
	event := "/calendar/v3/calendars/primary/events/" + at(meeting, "id")
	a.does(200, "PATCH", "googlecalendar", event, colleague, map[string]any{
		"start": map[string]any{"dateTime": "2026-03-05T15:00:00Z"}, "end": map[string]any{"dateTime": "2026-03-05T15:30:00Z"},
	})
	a.does(412, "PATCH", "googlecalendar", event, mine, map[string]any{"location": "Room 1"}, "If-Match", at(meeting, "etag"))
	moved := a.does(200, "GET", "googlecalendar", event, mine, nil)
	a.does(200, "PATCH", "googlecalendar", event, mine, map[string]any{"location": "Room 1"}, "If-Match", at(moved, "etag"))
	h.advance(a.run, "24h")

	// Thursday: the bug, and its end.
	issue := at(a.does(201, "POST", "github", repo+"/issues", developer, map[string]any{"title": "Orders are charged twice"}), "number")
	head := at(a.does(200, "GET", "github", repo+"/git/ref/heads/main", developer, nil), "object.sha")
	a.does(201, "POST", "github", repo+"/git/refs", developer, map[string]any{"ref": "refs/heads/once", "sha": head})
	a.does(201, "PUT", "github", repo+"/contents/once.md", developer, map[string]any{
		"message": "Charge once", "content": base64.StdEncoding.EncodeToString([]byte("once\n")), "branch": "once",
	})
	pull := at(a.does(201, "POST", "github", repo+"/pulls", developer, map[string]any{
		"title": "Charge once", "head": "once", "base": "main", "body": "Fixes #" + issue,
	}), "number")
	h.advance(a.run, "1h")
	a.does(200, "PUT", "github", repo+"/pulls/"+pull+"/merge", developer, map[string]any{})
	if state := at(a.does(200, "GET", "github", repo+"/issues/"+issue, developer, nil), "state"); state != "closed" {
		t.Errorf("the issue that the pull request fixes is %s", state)
	}
	a.does(200, "POST", "slack", "/api/chat.postMessage", bot, "channel=%23general&text=Orders+are+charged+once+now.")
	h.advance(a.run, "24h")
	h.goesOnFromCheckpoints(a.run)
}

// sent is a field of the newest act of a kind in the run's outbox.
func (a *agent) sent(service, kind, field string) string {
	a.t.Helper()
	k, err := a.h.Kept(a.run)
	if err != nil {
		a.t.Fatal(err)
	}
	state, err := k.At(0)
	if err != nil {
		a.t.Fatal(err)
	}
	found := ""
	for s := range kit.Outbox(state.World) {
		if s.Service == service && s.Kind == kind {
			found = at(s.Content, field)
		}
	}
	return found
}

// A week across six services: every webhook is delivered, and the same seed and
// calls give the same journal again.
func TestAWeekOfSixServices(t *testing.T) {
	t.Parallel()
	h := open(t, weekProfile, shared)
	e := newEndpoint(t)
	e.shown = func(r *http.Request) string { return strings.TrimPrefix(r.URL.Path, "/") }
	var lines [2][]string
	for i, name := range []string{"first", "second"} {
		e.got = nil
		h.make(client.NewRun{Names: []string{name}})
		week(t, h, name, e)
		got := map[string]int{}
		for _, service := range e.got {
			got[service]++
		}
		for _, service := range []string{"stripe", "zendesk", "sendgrid", "googlecalendar", "github"} {
			if got[service] == 0 {
				t.Errorf("%s told nobody anything: %v", service, got)
			}
		}
		sum := 0
		for _, event := range h.eventsOf(name) {
			if event.Kind == trail.Delivered {
				if sum++; event.Delivery.Status != 200 {
					t.Errorf("%s was not delivered: %+v", event.Delivery.ID, event.Delivery)
				}
			}
			line, err := json.Marshal(event)
			if err != nil {
				t.Fatal(err)
			}
			lines[i] = append(lines[i], string(line))
		}
		if sum != len(e.got) {
			t.Errorf("%d deliveries are recorded, and %d arrived", sum, len(e.got))
		}
		t.Logf("%s: %d events, webhooks %v", name, len(lines[i]), got)
	}
	if diff := cmp.Diff(lines[0], lines[1]); diff != "" {
		t.Errorf("the second week is not as the first:\n%.3000s", diff)
	}
}
