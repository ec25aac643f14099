package sendgrid_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
	"parity/specs"
)

// wrongThere are mistakes of the vendor's own document, by operation and the
// end of a pointer: what the service answers otherwise than it says.
var wrongThere = [][2]string{
	{"/v3/templates", "/id"},          // of dynamic templates: d- and no UUID
	{"/v3/templates", "/updated_at "}, // with a blank behind it
	{"/v3/messages/", "/template_id"}, // the same, or none
	{"/v3/messages/", "/msg_id"},      // longer than it says
	{"/v3/messages/", "/subject"},     // may be as short as that of the mail
	{"/v3/messages/", "/asm_group_id"},
	{"/v3/messages/", "/bounce_type"}, // of what is no bounce
	{"/v3/messages/", "/url"},         // of what is no click
}

// TestRepliesAgainstTheVendor holds what reads and writes answer when all is
// well against the vendor's contract. Its errors are not held: it has their
// help as an object, and they are texts.
func TestRepliesAgainstTheVendor(t *testing.T) {
	t.Parallel()
	vendor := faketest.VendorContract(t, "sendgrid.json.gz")
	if vendor == nil {
		t.Skip("the vendor's contract is not here")
	}
	r := newRig(t)
	template := withTemplate(r, "Hi", "<p>Hi</p>")
	version := r.Must(200, r.Send("GET", "/v3/templates/"+template, "")).Text("versions.0.id")
	list := r.Must(201, r.JSON("POST", "/v3/marketing/lists", m{"name": "News"})).Text("id")
	r.Must(202, r.JSON("PUT", "/v3/marketing/contacts", m{"contacts": []any{m{"email": "ada@example.net"}}}))
	r.Must(202, send(r, with(templated(template, m{}), m{"categories": []any{"news"}, "custom_args": m{"order": "A-17"}})))
	r.Must(201, r.JSON("POST", "/v3/asm/suppressions/global", m{"recipient_emails": []any{"gone@example.net"}}))
	r.Wait(5 * time.Minute)
	group := r.Must(201, r.JSON("POST", "/v3/asm/groups", m{"name": "N", "description": "d"})).Text("id")
	r.Must(201, r.JSON("POST", "/v3/asm/groups/"+group+"/suppressions", m{"recipient_emails": []any{"gone@example.net"}}))
	message := r.Must(200, r.Send("GET", "/v3/messages", "")).Text("messages.0.msg_id")
	batch, _ := later(r, time.Hour)
	checked := 0
	check := func(method, target string, body any) {
		t.Helper()
		g := r.JSON(method, target, body)
		if g.Status/100 != 2 {
			t.Errorf("%s %s: %d %s", method, target, g.Status, g.Raw)
			return
		}
		path, query, _ := strings.Cut(target, "?")
		call := &specs.Call{Method: method, Path: path, Query: query}
		match := vendor.MatchCall(call)
		if match.Operation == nil {
			t.Errorf("%s %s is no operation of the vendor's", method, target)
			return
		}
		checked++
		for _, v := range match.Operation.CheckReply(g.Status, g.Header.Get("Content-Type"), []byte(g.Raw)) {
			if g.Raw == "" || known(target, v.Pointer) {
				continue
			}
			t.Errorf("%s %s: %q %s\n%.300s", method, target, v.Pointer, v.Message, g.Raw)
		}
	}
	for _, target := range []string{
		"/v3/mail/batch/" + batch, "/v3/user/scheduled_sends", "/v3/user/scheduled_sends/" + batch,
		"/v3/suppression/bounces", "/v3/suppression/blocks", "/v3/suppression/spam_reports", "/v3/suppression/invalid_emails",
		"/v3/suppression/unsubscribes", "/v3/suppression/bounces/a@example.net", "/v3/asm/suppressions/global/gone@example.net",
		"/v3/asm/groups", "/v3/asm/groups/" + group + "/suppressions", "/v3/asm/suppressions", "/v3/asm/suppressions/gone@example.net",
		"/v3/templates?page_size=5&generations=dynamic", "/v3/templates/" + template, "/v3/templates/" + template + "/versions/" + version,
		"/v3/messages", "/v3/messages/" + message, "/v3/verified_senders", "/v3/verified_senders/domains", "/v3/verified_senders/steps_completed",
		"/v3/whitelabel/domains", "/v3/marketing/contacts", "/v3/marketing/contacts/count", "/v3/marketing/lists", "/v3/marketing/lists/" + list,
		"/v3/marketing/lists/" + list + "/contacts/count", "/v3/user/webhooks/event/settings", "/v3/user/webhooks/event/settings/signed",
		"/v3/stats?start_date=2026-03-01", "/v3/scopes", "/v3/api_keys",
	} {
		check("GET", target, nil)
	}
	check("POST", "/v3/marketing/contacts/search", m{"query": "email = 'ada@example.net'"})
	check("POST", "/v3/marketing/contacts/search/emails", m{"emails": []any{"ada@example.net"}})
	check("PUT", "/v3/marketing/contacts", m{"contacts": []any{m{"email": "bob@example.net"}}})
	check("POST", "/v3/verified_senders", m{"nickname": "n", "from_email": "a@shop.example", "reply_to": "a@shop.example"})
	check("POST", "/v3/templates", m{"name": "t"})
	check("POST", "/v3/user/scheduled_sends", m{"batch_id": batch, "status": "pause"})
	check("POST", "/v3/api_keys", m{"name": "k"})
	check("PATCH", "/v3/asm/groups/"+group, m{"name": "M"})
	if checked < 40 {
		t.Errorf("only %d replies were held", checked)
	}
}

func known(target, pointer string) bool {
	for _, wrong := range wrongThere {
		if strings.HasPrefix(target, wrong[0]) && strings.HasSuffix(pointer, wrong[1]) {
			return true
		}
	}
	return false
}

// The same calls give the same world, byte for byte.
func TestSameAgain(t *testing.T) {
	t.Parallel()
	play := func() (string, []string) {
		r := newRig(t)
		hook(r)
		id := withTemplate(r, "Hi {{name}}", "{{#each a}}{{@key}}{{/each}}")
		g := r.Must(202, send(r, templated(id, m{"name": "Ada", "a": m{"c": 1, "b": 2, "d": 3}})))
		r.Must(202, r.JSON("PUT", "/v3/marketing/contacts", m{"contacts": []any{m{"email": "ada@example.net"}}}))
		r.Wait(time.Hour)
		var bodies []string
		for _, d := range r.Deliveries() {
			bodies = append(bodies, string(d.Body))
		}
		sent, err := json.Marshal(r.Outbox())
		if err != nil {
			t.Fatal(err)
		}
		return g.Header.Get("X-Message-Id") + string(sent), bodies
	}
	first, events := play()
	second, again := play()
	if first != second || strings.Join(events, "") != strings.Join(again, "") {
		t.Errorf("%s\n%s\n%v\n%v", first, second, events, again)
	}
}
