package sendgrid_test

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes"
	"parity/fakes/faketest"
)

// hooked is an account whose webhook is told of everything.
func hooked(t *testing.T) *faketest.Rig {
	t.Helper()
	r := newRig(t)
	hook(r)
	return r
}

func hook(r *faketest.Rig) faketest.Got {
	r.T.Helper()
	all := m{"enabled": true, "url": "https://agent.example/events"}
	for _, flag := range []string{"delivered", "bounce", "dropped", "deferred", "processed", "spam_report"} {
		all[flag] = true
	}
	return r.Must(200, r.JSON("PATCH", "/v3/user/webhooks/event/settings", all))
}

func told(t *testing.T, d fakes.Delivery) []map[string]any {
	t.Helper()
	var events []map[string]any
	if err := json.Unmarshal(d.Body, &events); err != nil {
		t.Fatalf("%v: %s", err, d.Body)
	}
	return events
}

func names(events []map[string]any) []string {
	var out []string
	for _, e := range events {
		out = append(out, e["event"].(string)+" "+e["email"].(string))
	}
	return out
}

func TestWebhook(t *testing.T) {
	t.Parallel()
	r := hooked(t)
	mail := with(mailTo("ada@example.net"), m{"custom_args": m{"order": "A-17", "event": "mine"}, "categories": []any{"receipts"}})
	id := r.Must(202, send(r, mail)).Header.Get("X-Message-Id")
	if waits := r.Deliveries(); len(waits) != 0 {
		t.Fatalf("told at once: %v", waits)
	}
	r.Wait(time.Minute)
	waits := r.Deliveries()
	if len(waits) != 1 || waits[0].URL != "https://agent.example/events" {
		t.Fatalf("%d deliveries: %+v", len(waits), waits)
	}
	events := told(t, waits[0])
	if diff := cmp.Diff([]string{"processed ada@example.net", "delivered ada@example.net"}, names(events)); diff != "" {
		t.Fatal(diff)
	}
	e := events[1]
	for field, want := range (m{"order": "A-17", "category": "receipts", "response": "250 OK", "smtp-id": "<" + id + "@geopod-ismtpd-1>"}) {
		if e[field] != want {
			t.Errorf("%s is %v, want %v", field, e[field], want)
		}
	}
	if e["sg_event_id"] == events[0]["sg_event_id"] || e["sg_message_id"] != events[0]["sg_message_id"] {
		t.Errorf("ids: %v %v", events[0], e)
	}
	_, header := r.Attempt(200)
	if header.Get("X-Twilio-Email-Event-Webhook-Signature") != "" {
		t.Error("signed, and nobody asked for it")
	}
	if waits := r.Deliveries(); len(waits) != 0 {
		t.Errorf("it was taken, and is sent again: %v", waits)
	}
}

func TestSignature(t *testing.T) {
	t.Parallel()
	r := hooked(t)
	key := r.Must(200, r.JSON("PATCH", "/v3/user/webhooks/event/settings/signed", m{"enabled": true})).Text("public_key")
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/user/webhooks/event/settings/signed", "")), m{"public_key": key})
	der, err := base64.StdEncoding.DecodeString(key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		t.Fatal(err)
	}
	r.Must(202, send(r, mailTo("ada@example.net")))
	r.Wait(time.Minute)
	d, header := r.Attempt(503)
	verify := func() bool {
		signature, err := base64.StdEncoding.DecodeString(header.Get("X-Twilio-Email-Event-Webhook-Signature"))
		if err != nil {
			t.Fatal(err)
		}
		digest := sha256.Sum256(append([]byte(header.Get("X-Twilio-Email-Event-Webhook-Timestamp")), d.Body...))
		return ecdsa.VerifyASN1(parsed.(*ecdsa.PublicKey), digest[:], signature)
	}
	if !verify() {
		t.Error("the signature is not of the timestamp and the body")
	}
	first := header.Get("X-Twilio-Email-Event-Webhook-Timestamp")
	d, header = r.Attempt(200)
	if d.Attempt != 2 || !verify() || header.Get("X-Twilio-Email-Event-Webhook-Timestamp") == first {
		t.Errorf("attempt %d, signed at %s and %s", d.Attempt, first, header.Get("X-Twilio-Email-Event-Webhook-Timestamp"))
	}
}

func TestWebhookGivesUp(t *testing.T) {
	t.Parallel()
	r := hooked(t)
	r.Must(202, send(r, mailTo("ada@example.net")))
	r.Wait(time.Minute)
	began, attempts := r.Now, 0
	for len(r.Deliveries()) > 0 {
		r.Attempt(0)
		attempts++
	}
	if took := r.Now.Sub(began); attempts < 5 || took > 25*time.Hour || took < 20*time.Hour {
		t.Errorf("%d attempts in %v; it is a day of them", attempts, took)
	}
}

// What becomes of mails is said by a fixture, address by address.
func TestFates(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(`
sendgrid.domains: [{domain: example.com, valid: true}]
sendgrid.mailboxes:
  - {id: full@example.net, outcome: bounce, reason: 552 mailbox full, status: 5.2.2}
  - {id: "@busy.example", outcome: deferred}
  - {id: wary@example.net, outcome: block}
  - {id: angry@example.net, outcome: spam_report}
`)
	hook(r)
	r.Must(202, send(r, mailTo("full@example.net", "any@busy.example", "wary@example.net", "angry@example.net", "no@nowhere.invalid")))
	r.Wait(time.Hour)
	seen := map[string][]string{}
	for len(r.Deliveries()) > 0 {
		d, _ := r.Attempt(200)
		for _, e := range told(t, d) {
			email := e["email"].(string)
			seen[email] = append(seen[email], e["event"].(string))
		}
	}
	want := map[string][]string{
		"full@example.net": {"processed", "bounce"}, "any@busy.example": {"processed", "deferred", "delivered"}, "wary@example.net": {"processed", "bounce"},
		"angry@example.net": {"processed", "delivered", "spamreport"}, "no@nowhere.invalid": {"processed", "bounce"},
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/suppression/bounces/full@example.net", "")), m{"0.reason": "552 mailbox full", "0.status": "5.2.2"})
	if g := r.Must(200, r.Send("GET", "/v3/suppression/bounces", "")); g.Len("") != 2 {
		t.Errorf("bounces: %s", g.Raw)
	}
	if g := r.Must(200, r.Send("GET", "/v3/suppression/blocks", "")); g.Len("") != 1 {
		t.Errorf("blocks: %s", g.Raw)
	}
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/suppression/spam_reports", "")), m{"0.email": "angry@example.net"})
	g := r.Must(200, r.Send("GET", "/v3/stats?start_date=2026-03-01", ""))
	faketest.Want(t, g, m{"0.date": "2026-03-01", "0.stats.0.metrics.bounces": 2, "0.stats.0.metrics.blocks": 1, "0.stats.0.metrics.delivered": 2, "0.stats.0.metrics.requests": 1, "0.stats.0.metrics.opens": 0})
	// What bounced is dropped the next time.
	r.Must(202, send(r, mailTo("full@example.net")))
	r.Wait(time.Minute)
	d, _ := r.Attempt(200)
	faketest.Want(t, faketest.Got{Body: any(anyList(told(t, d)))}, m{"0.event": "dropped", "0.reason": "Bounced Address"})
}

func anyList(events []map[string]any) []any {
	out := make([]any, len(events))
	for i, e := range events {
		out[i] = e
	}
	return out
}

// Email activity lags: what has just happened is not there.
func TestActivityLags(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Must(202, send(r, with(mailTo("ada@example.net"), m{"custom_args": m{"order": "A-17"}, "categories": []any{"receipts"}})))
	if g := r.Must(200, r.Send("GET", "/v3/messages?limit=10", "")); g.Len("messages") != 0 {
		t.Errorf("it is there at once: %s", g.Raw)
	}
	r.Wait(31 * time.Second)
	g := r.Must(200, r.Send("GET", "/v3/messages?limit=10", ""))
	faketest.Want(t, g, m{"messages.0.status": "processed", "messages.0.to_email": "ada@example.net", "messages.0.opens_count": 0})
	r.Wait(5 * time.Second)
	for query, n := range map[string]int{
		`to_email="ADA@example.net"`: 1, `status="delivered" AND to_email LIKE "%@example.net"`: 1, `Contains(categories,"receipts")`: 1,
		`(unique_args['order']="A-17")`: 1, `subject="Other" OR status="processed"`: 0,
		`last_event_time BETWEEN TIMESTAMP "2026-03-01T00:00:00Z" AND TIMESTAMP "2026-03-02T00:00:00Z"`: 1, `NOT (status IN ("delivered"))`: 0,
	} {
		r.Wait(time.Minute) // six a minute are allowed
		if g := r.Must(200, r.Send("GET", "/v3/messages?query="+escape(query), "")); g.Len("messages") != n {
			t.Errorf("%s finds %d: %s", query, g.Len("messages"), g.Raw)
		}
	}
	bad := r.Must(400, r.Send("GET", "/v3/messages?query="+escape(`bad_field="x"`), ""))
	faketest.Want(t, bad, m{"errors": []any{m{"message": "invalid syntax: 'bad_field' is not a known field"}}})
	faketest.Want(t, r.Must(404, r.Send("GET", "/v3/messages/absent", "")), m{"errors": []any{m{"message": "not found", "field": "message_id"}}})
	r.Must(400, r.Send("GET", "/v3/messages?limit=5000", ""))
}

func TestLimits(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var last faketest.Got
	for range 7 {
		last = r.Send("GET", "/v3/messages", "")
	}
	if last.Status != 429 || last.Header.Get("X-RateLimit-Remaining") != "0" || last.Header.Get("X-RateLimit-Limit") != "6" {
		t.Errorf("%d %v %s", last.Status, last.Header, last.Raw)
	}
	faketest.Want(t, last, m{"errors": []any{m{"field": nil, "message": "too many requests"}}})
	r.Wait(time.Minute)
	g := r.Must(200, r.Send("GET", "/v3/messages", ""))
	if g.Header.Get("X-RateLimit-Remaining") != "5" {
		t.Errorf("%v", g.Header)
	}
}

func TestWebhookSettings(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/user/webhooks/event/settings", "")), m{"enabled": false, "url": ""})
	made := r.Must(201, r.JSON("POST", "/v3/user/webhooks/event/settings", m{"url": "https://agent.example/a", "enabled": true, "bounce": true, "friendly_name": "Agent"}))
	faketest.Want(t, made, m{"bounce": true, "delivered": false, "friendly_name": "Agent"})
	path := "/v3/user/webhooks/event/settings/" + made.Text("id")
	faketest.Want(t, r.Must(200, r.JSON("PATCH", path, m{"delivered": true})), m{"bounce": true, "delivered": true})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/user/webhooks/event/settings/all", "")), m{"webhooks.0.delivered": true, "max_allowed": 5})
	r.Must(400, r.JSON("PATCH", path, m{"url": "not a url"}))
	r.Must(400, r.JSON("POST", "/v3/user/webhooks/event/settings", m{"enabled": true}))
	r.Must(204, r.JSON("POST", "/v3/user/webhooks/event/test", m{"url": "https://agent.example/test"}))
	if waits := r.Deliveries(); len(waits) != 1 || len(told(t, waits[0])) != 11 {
		t.Errorf("the test sends %+v", waits)
	}
	r.Attempt(200)
	r.Must(204, r.Send("DELETE", path, ""))
	r.Must(404, r.Send("GET", path, ""))
}
