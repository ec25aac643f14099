package zendesk_test

import (
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func TestATicketFromCreationToEnd(t *testing.T) {
	t.Parallel()
	r := rig(t)
	g := r.Must(201, r.JSON("POST", "/api/v2/tickets.json", object{"ticket": object{
		"subject": "My printer is on fire!", "comment": object{"body": "The smoke is <b>very</b> colorful.\nTruly."}, "priority": "urgent", "tags": []string{"Fire", "printer", "fire"},
		"requester": object{"name": "Ada", "email": "Ada@Example.com"},
	}}))
	faketest.Want(t, g, object{
		"ticket.id": 1, "ticket.status": "new", "ticket.priority": "urgent", "ticket.tags": []string{"fire", "printer"}, "ticket.description": "The smoke is <b>very</b> colorful.\nTruly.",
		"ticket.url": "https://acme.zendesk.com/api/v2/tickets/1.json", "ticket.via.channel": "api", "ticket.is_public": true, "audit.ticket_id": 1,
		"audit.events.0.type": "Comment", "audit.events.0.public": true,
		"audit.events.0.html_body":  `<div class="zd-comment" dir="auto"><p dir="auto">The smoke is &lt;b&gt;very&lt;/b&gt; colorful.<br>Truly.</p></div>`,
		"audit.events.1.field_name": "subject", "audit.events.1.type": "Create",
	})
	if at := g.Header.Get("Location"); at != "https://acme.zendesk.com/api/v2/tickets/1.json" {
		t.Errorf("Location is %q", at)
	}
	if sent := r.Outbox(); len(sent) != 1 || sent[0].To[0] != "ada@example.com" {
		t.Errorf("mail that went out: %+v", sent)
	}

	agent := user(r, "Grace", "grace@example.com", "agent")
	g = r.Must(200, put(r, "1", object{"assignee_id": agent, "comment": object{"body": "Between us: no idea.", "public": false}}))
	faketest.Want(t, g, object{"ticket.status": "open", "audit.events.0.public": false})
	if n := len(r.Outbox()); n != 1 {
		t.Errorf("a private comment sent mail: %d", n)
	}
	changes := map[string]any{}
	for i, field := range g.Texts("audit.events", "field_name") {
		if field != "" {
			changes[field] = g.At("audit.events." + string(rune('0'+i)) + ".previous_value")
		}
	}
	if changes["status"] != "new" || changes["assignee_id"] != nil {
		t.Errorf("the audit tells of %v", changes)
	}

	r.Must(200, put(r, "1", object{"status": "solved", "comment": "Water helped."}))
	if n := len(r.Outbox()); n != 2 {
		t.Errorf("%d mails after a public comment, want 2", n)
	}
	r.Wait(95 * time.Hour)
	faketest.Want(t, get(r, "/api/v2/tickets/1"), object{"ticket.status": "solved"})
	r.Wait(2 * time.Hour)
	faketest.Want(t, get(r, "/api/v2/tickets/1"), object{"ticket.status": "closed"})
	audits := get(r, "/api/v2/tickets/1/audits.json")
	last := audits.At("audits").([]any)[3].(map[string]any)
	if last["author_id"] != float64(-1) || last["via"].(map[string]any)["channel"] != "rule" {
		t.Errorf("the last audit is %v", last)
	}
	g = r.Must(422, put(r, "1", object{"comment": "One more thing"}))
	faketest.Want(t, g, object{"error": "RecordInvalid", "description": "Record validation errors", "details.status.0.description": "Status: closed prevents ticket update"})
	if texts := get(r, "/api/v2/tickets/1/comments").Texts("comments", "plain_body"); len(texts) != 3 {
		t.Errorf("comments: %q", texts)
	}

	followUp(r)
}

// followUp asks again in a ticket that is closed.
func followUp(r *faketest.Rig) {
	t := r.T
	t.Helper()
	g := r.Must(201, r.JSON("POST", "/api/v2/tickets", object{"ticket": object{"via_followup_source_id": 1, "comment": object{"body": "It burns again."}}}))
	faketest.Want(t, g, object{"ticket.via.source.rel": "follow_up", "ticket.via.source.from.ticket_id": 1, "ticket.tags": []string{"fire", "printer"}, "ticket.status": "new"})
	faketest.Want(t, get(r, "/api/v2/tickets/1"), object{"ticket.followup_ids": []int{2}})
	faketest.Want(t, get(r, "/api/v2/tickets/2/related"), object{"followup_source_ids": []string{"1"}})
}

func TestTheRequesterReopens(t *testing.T) {
	t.Parallel()
	r := rig(t)
	for _, status := range []string{"pending", "hold", "solved"} {
		number := ticket(r, object{"requester": object{"name": "Ada", "email": "ada@example.com"}})
		r.Must(200, put(r, number, object{"status": status}))
		g := r.Must(200, r.JSON("PUT", "/api/v2/requests/"+number, object{"request": object{"comment": object{"body": "Still broken"}}}, "Authorization", basic("ada@example.com")))
		faketest.Want(t, g, object{"request.status": "open"})
		faketest.Want(t, get(r, "/api/v2/tickets/"+number), object{"ticket.status": "open"})
	}
	r.Wait(200 * time.Hour) // a reopened ticket is not closed
	faketest.Want(t, get(r, "/api/v2/tickets/3"), object{"ticket.status": "open"})
	// Nothing leads back to new.
	faketest.Want(t, r.Must(200, put(r, "1", object{"status": "new"})), object{"ticket.status": "open"})
}

func TestEndUsersSeeTheirOwn(t *testing.T) {
	t.Parallel()
	r := rig(t)
	number := ticket(r, object{"requester": object{"name": "Ada", "email": "ada@example.com"}})
	r.Must(200, put(r, number, object{"comment": object{"body": "secret", "public": false}}))
	ada, bob := basic("ada@example.com"), basic("bob@example.com")
	user(r, "Bob", "bob@example.com", "end-user")
	r.Must(403, r.Send("GET", "/api/v2/tickets.json", "", "Authorization", ada))
	g := r.Must(200, r.Send("GET", "/api/v2/requests/"+number+"/comments.json", "", "Authorization", ada))
	if n := g.Len("comments"); n != 1 {
		t.Errorf("Ada sees %d comments: %s", n, g.Raw)
	}
	r.Must(404, r.Send("GET", "/api/v2/requests/"+number, "", "Authorization", bob))
	faketest.Want(t, r.Must(200, r.Send("GET", "/api/v2/requests", "", "Authorization", ada)), object{"count": 1, "requests.0.status": "open"})
	faketest.Want(t, r.Must(200, r.Send("GET", "/api/v2/users/me.json", "", "Authorization", ada)), object{"user.email": "ada@example.com", "user.role": "end-user"})
}

func TestSafeUpdates(t *testing.T) {
	t.Parallel()
	r := rig(t)
	number := ticket(r, nil)
	seen := get(r, "/api/v2/tickets/"+number).Text("ticket.updated_at")
	r.Wait(time.Minute)
	r.Must(200, put(r, number, object{"priority": "high"}))
	g := r.Must(409, put(r, number, object{"priority": "low", "safe_update": true, "updated_stamp": seen}))
	faketest.Want(t, g, object{"error": "UpdateConflict"})
	faketest.Want(t, get(r, "/api/v2/tickets/"+number), object{"ticket.priority": "high"})
	now := get(r, "/api/v2/tickets/"+number).Text("ticket.updated_at")
	r.Must(200, put(r, number, object{"priority": "low", "safe_update": true, "updated_stamp": now}))
	r.Wait(time.Minute)
	r.Must(200, put(r, number, object{"priority": "high"}))
	r.Must(409, r.JSON("PUT", "/api/v2/tickets/"+number+"/tags", object{"tags": []string{"x"}, "safe_update": "true", "updated_stamp": now}))
}

func TestTags(t *testing.T) {
	t.Parallel()
	r := rig(t)
	number := ticket(r, object{"tags": "one two"})
	at := "/api/v2/tickets/" + number + "/tags.json"
	faketest.Want(t, r.Must(200, r.JSON("PUT", at, object{"tags": []string{"three"}})), object{"tags": []string{"one", "three", "two"}})
	faketest.Want(t, r.Must(200, r.JSON("DELETE", at, object{"tags": []string{"one"}})), object{"tags": []string{"three", "two"}})
	faketest.Want(t, r.Must(201, r.JSON("POST", at, object{"tags": []string{"four"}})), object{"tags": []string{"four"}})
	faketest.Want(t, r.Must(200, put(r, number, object{"additional_tags": []string{"five", "six"}, "remove_tags": []string{"six", "four"}})), object{"ticket.tags": []string{"five"}})
	faketest.Want(t, r.Must(200, put(r, number, object{"tags": []string{"b", "a"}})), object{"ticket.tags": []string{"a", "b"}})
	faketest.Want(t, get(r, at), object{"tags": []string{"a", "b"}})
	faketest.Want(t, get(r, "/api/v2/tags"), object{"tags.0.name": "a", "tags.0.count": 1, "count": 2})
}

func TestDeletedTickets(t *testing.T) {
	t.Parallel()
	r := rig(t)
	number := ticket(r, object{"status": "pending"})
	if g := r.Must(204, r.Send("DELETE", "/api/v2/tickets/"+number, "")); g.Raw != "" {
		t.Errorf("a body: %s", g.Raw)
	}
	faketest.Want(t, r.Must(404, r.Send("GET", "/api/v2/tickets/"+number, "")), object{"error": "RecordNotFound", "description": "Not found"})
	faketest.Want(t, get(r, "/api/v2/tickets"), object{"count": 0})
	faketest.Want(t, get(r, "/api/v2/deleted_tickets.json"), object{"count": 1, "deleted_tickets.0.previous_state": "pending", "deleted_tickets.0.actor.name": "Account Owner"})
	r.Must(200, r.Send("PUT", "/api/v2/deleted_tickets/"+number+"/restore", ""))
	faketest.Want(t, get(r, "/api/v2/tickets/"+number), object{"ticket.status": "pending"})
	r.Must(404, r.Send("PUT", "/api/v2/deleted_tickets/"+number+"/restore", ""))

	r.Must(204, r.Send("DELETE", "/api/v2/tickets/"+number, ""))
	job := r.Must(200, r.Send("DELETE", "/api/v2/deleted_tickets/"+number, "")).Text("job_status.id")
	r.Wait(time.Minute)
	faketest.Want(t, get(r, "/api/v2/job_statuses/"+job), object{"job_status.status": "completed"})
	faketest.Want(t, get(r, "/api/v2/deleted_tickets"), object{"count": 0})

	again := ticket(r, nil)
	r.Must(204, r.Send("DELETE", "/api/v2/tickets/"+again, ""))
	r.Wait(31 * 24 * time.Hour)
	faketest.Want(t, get(r, "/api/v2/deleted_tickets"), object{"count": 0})
}

func TestWhatATicketMayNotBe(t *testing.T) {
	t.Parallel()
	r := rig(t)
	number := ticket(r, nil)
	for _, test := range []struct {
		fields object
		status int
		field  string
		says   string
	}{
		{object{"status": "frozen"}, 422, "details.status.0.description", "Status: is invalid"},
		{object{"priority": "asap"}, 422, "details.priority.0.description", "Priority: is invalid"},
		{object{"type": "wish"}, 422, "details.type.0.description", "Type: is invalid"},
		{object{"assignee_id": 12345}, 422, "details.assignee_id.0.description", "Assignee: is invalid"},
		{object{"group_id": 12345}, 422, "details.group_id.0.description", "Group: is invalid"},
		{object{"requester_id": 12345}, 422, "details.requester_id.0.description", "Requester: is invalid"},
		{object{"problem_id": number, "type": "incident"}, 422, "details.problem.0.description", "Problem: is not a problem ticket"},
		{object{"assignee_id": object{}}, 400, "error.title", "Invalid attribute"},
		{object{"comment": object{"body": "x", "uploads": []string{"nope"}}}, 422, "details.base.0.description", "Upload: nope is invalid or has expired"},
	} {
		if g := put(r, number, test.fields); g.Status != test.status || g.Text(test.field) != test.says {
			t.Errorf("%v: %d %s", test.fields, g.Status, g.Raw)
		}
	}
	g := r.Must(422, r.JSON("POST", "/api/v2/tickets", object{"ticket": object{"subject": "Nothing"}}))
	faketest.Want(t, g, object{"details.base.0.description": "Description: cannot be blank", "details.base.0.error": "BlankValue", "details.base.0.ticket_field_type": "FieldDescription"})
	if n := get(r, "/api/v2/tickets").Len("tickets"); n != 1 {
		t.Errorf("%d tickets after refusals", n)
	}
	if g := get(r, "/api/v2/tickets/"+number+"/audits"); g.Len("audits") != 1 {
		t.Errorf("refusals left audits: %s", g.Raw)
	}
}

func TestCustomFieldsAndProblems(t *testing.T) {
	t.Parallel()
	r := rig(t)
	g := r.Must(201, r.JSON("POST", "/api/v2/ticket_fields", object{"ticket_field": object{"type": "tagger", "title": "Plan", "custom_field_options": []object{{"name": "Gold", "value": "plan_gold"}, {"name": "Tin", "value": "plan_tin"}}}}))
	plan := g.At("ticket_field.id")
	number := ticket(r, object{"custom_fields": []object{{"id": plan, "value": "plan_gold"}}, "tags": []string{"x"}})
	faketest.Want(t, get(r, "/api/v2/tickets/"+number), object{"ticket.tags": []string{"plan_gold", "x"}, "ticket.custom_fields.0.value": "plan_gold", "ticket.fields.0.value": "plan_gold"})
	g = r.Must(200, put(r, number, object{"custom_fields": []object{{"id": plan, "value": "plan_tin"}}}))
	faketest.Want(t, g, object{"ticket.tags": []string{"plan_tin", "x"}})
	if !strings.Contains(g.Raw, `"previous_value":"plan_gold"`) {
		t.Errorf("the audit does not tell of the field: %s", g.Raw)
	}
	r.Must(422, put(r, number, object{"custom_fields": []object{{"id": plan, "value": "plan_wood"}}}))
	faketest.Want(t, get(r, "/api/v2/tickets/"+ticket(r, nil)), object{"ticket.custom_fields.0.value": nil})

	r.Must(200, put(r, number, object{"type": "problem"}))
	incident := ticket(r, object{"type": "incident", "problem_id": number})
	faketest.Want(t, get(r, "/api/v2/tickets/"+number), object{"ticket.has_incidents": true})
	if got := get(r, "/api/v2/tickets/"+number+"/incidents").IDs("tickets"); len(got) != 1 || got[0] != incident {
		t.Errorf("incidents: %v", got)
	}
	faketest.Want(t, get(r, "/api/v2/problems"), object{"count": 1})
}
