package sendgrid_test

import (
	"testing"
	"time"

	"parity/fakes/faketest"
)

// What recordings show, and SendGrid's document does not say.
func TestAListIsCreatedAndFieldsTellWhereTheyAre(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	faketest.Want(t, r.Must(201, r.JSON("POST", "/v3/marketing/lists", m{"name": "List One"})), m{"name": "List One", "contact_count": 0})
	id := r.Must(200, r.JSON("POST", "/v3/marketing/field_definitions", m{"name": "size", "field_type": "Number"})).Text("id")
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/marketing/field_definitions", "")), m{
		"custom_fields.0.id": id, "custom_fields.0._metadata.self": "https://api.sendgrid.com/v3/marketing/field_definitions/" + id,
	})
}

// An account's own fields are written by id, and shown and found by name.
func TestFields(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	place := "/v3/marketing/field_definitions"
	plan := r.Must(200, r.JSON("POST", place, m{"name": "plan", "field_type": "Text"}))
	faketest.Want(t, plan, m{"id": "e1_T", "name": "plan", "field_type": "Text"})
	seats := r.Must(200, r.JSON("POST", place, m{"name": "seats", "field_type": "Number"})).Text("id")
	for _, wrong := range []m{
		{"name": "Plan", "field_type": "Text"}, {"name": "a b", "field_type": "Text"}, {"name": "email", "field_type": "Text"}, {"name": "x", "field_type": "Blob"}, {"field_type": "Text"},
	} {
		r.Must(400, r.JSON("POST", place, wrong))
	}
	faketest.Want(t, r.Must(200, r.Send("GET", place, "")), m{"custom_fields.0.name": "plan", "custom_fields.1.field_type": "Number", "reserved_fields.0.name": "first_name"})
	r.Must(202, r.JSON("PUT", "/v3/marketing/contacts", m{"contacts": []any{
		m{"email": "ada@example.net", "custom_fields": m{"e1_T": "gold", seats: 5}}, m{"email": "bob@example.net", "custom_fields": m{"e1_T": "tin"}},
	}}))
	bad := r.Must(400, r.JSON("PUT", "/v3/marketing/contacts", m{"contacts": []any{m{"email": "c@example.net", "custom_fields": m{"e9_T": "x"}}}}))
	if got := problems(bad); len(got) != 1 || got[0] != "custom_fields: invalid custom field ids supplied - e9_T" {
		t.Errorf("%v", got)
	}
	r.Wait(time.Minute)
	for query, n := range map[string]int{"plan = 'gold'": 1, "seats > 3": 1, "plan LIKE '%'": 2, "plan = 'gold' AND seats = 6": 0} {
		g := r.Must(200, r.JSON("POST", "/v3/marketing/contacts/search", m{"query": query}))
		if g.Len("result") != n {
			t.Errorf("%s finds %d: %s", query, g.Len("result"), g.Raw)
		}
		if query == "plan = 'gold'" {
			faketest.Want(t, g, m{"result.0.custom_fields.plan": "gold", "result.0.custom_fields.seats": 5})
		}
	}
	faketest.Want(t, r.Must(200, r.JSON("PATCH", place+"/e1_T", m{"name": "tier"})), m{"id": "e1_T", "name": "tier"})
	faketest.Want(t, r.Must(200, r.JSON("POST", "/v3/marketing/contacts/search", m{"query": "tier = 'tin'"})), m{"result.0.custom_fields.tier": "tin"})
	r.Must(204, r.Send("DELETE", place+"/e1_T", ""))
	r.Must(404, r.Send("DELETE", place+"/e1_T", ""))
	r.Must(404, r.JSON("PATCH", place+"/e1_T", m{"name": "tier"}))
	r.Must(400, r.JSON("POST", "/v3/marketing/contacts/search", m{"query": "tier = 'tin'"}))
}

func TestSegments(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	place := "/v3/marketing/segments/2.0"
	list := r.Must(201, r.JSON("POST", "/v3/marketing/lists", m{"name": "News"})).Text("id")
	r.Must(202, r.JSON("PUT", "/v3/marketing/contacts", m{"list_ids": []any{list}, "contacts": []any{m{"email": "ada@example.net", "first_name": "Ada"}}}))
	r.Must(202, r.JSON("PUT", "/v3/marketing/contacts", m{"contacts": []any{m{"email": "ada@example.org", "first_name": "Ada"}, m{"email": "bob@example.net"}}}))
	r.Wait(time.Minute)
	all := r.Must(201, r.JSON("POST", place, m{"name": "Adas", "query_dsl": "SELECT contact_id, updated_at FROM contact_data WHERE first_name = 'Ada'"}))
	faketest.Want(t, all, m{"name": "Adas", "contacts_count": 2, "query_version": "2", "status.query_validation": "VALID", "parent_list_ids": []any{}})
	some := r.Must(201, r.JSON("POST", place, m{
		"name": "Adas with news", "parent_list_ids": []any{list}, "query_dsl": "select c.contact_id, c.updated_at from contact_data as c where c.first_name = 'Ada'",
	}))
	faketest.Want(t, some, m{"contacts_count": 1, "contacts_sample.0.email": "ada@example.net"})
	for _, wrong := range []m{
		{"name": "Adas", "query_dsl": "SELECT contact_id FROM contact_data"},
		{"name": "x"},
		{"query_dsl": "SELECT contact_id FROM contact_data"},
		{"name": "x", "query_dsl": "SELECT contact_id FROM contact_data WHERE nonsense = 1"},
		{"name": "x", "query_dsl": "SELECT 1 FROM event_data"},
		{"name": "x", "query_dsl": "SELECT contact_id FROM contact_data", "parent_list_ids": []any{"absent"}},
	} {
		r.Must(400, r.JSON("POST", place, wrong))
	}
	if g := r.Must(200, r.Send("GET", place, "")); g.Len("segments") != 2 {
		t.Errorf("%s", g.Raw)
	}
	faketest.Want(t, r.Must(200, r.Send("GET", place+"?parent_list_ids="+list, "")), m{"segments.0.name": "Adas with news"})
	id := all.Text("id")
	g := r.Must(200, r.JSON("POST", "/v3/marketing/contacts/search/emails", m{"emails": []any{"ada@example.org"}}))
	contact := faketest.Got{Body: g.Body.(map[string]any)["result"].(map[string]any)["ada@example.org"]}
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/marketing/contacts/"+contact.Text("contact.id"), "")), m{"segment_ids": []any{id}})
	faketest.Want(t, r.Must(200, r.JSON("PATCH", place+"/"+id, m{"name": "Bobs", "query_dsl": "SELECT contact_id FROM contact_data WHERE email LIKE 'bob%'"})), m{"name": "Bobs", "contacts_count": 1})
	for _, status := range []int{202, 202, 429} {
		r.Must(status, r.JSON("POST", place+"/refresh/"+id, m{"user_time_zone": "Europe/Paris"}))
	}
	faketest.Want(t, r.Must(200, r.Send("GET", place+"/"+id, "")), m{"refreshes_used": 2, "max_refreshes": 2})
	r.Must(202, r.Send("DELETE", place+"/"+id, ""))
	r.Must(404, r.Send("GET", place+"/"+id, ""))
}

func TestExports(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Must(202, r.JSON("PUT", "/v3/marketing/contacts", m{"contacts": []any{m{"email": "ada@example.net"}}}))
	r.Wait(time.Minute)
	id := r.Must(202, r.JSON("POST", "/v3/marketing/contacts/exports", m{})).Text("id")
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/marketing/contacts/exports/"+id, "")), m{"status": "pending", "contact_count": 1})
	r.Wait(time.Minute)
	g := r.Must(200, r.Send("GET", "/v3/marketing/contacts/exports/"+id, ""))
	if faketest.Want(t, g, m{"status": "ready"}); g.Len("urls") != 1 {
		t.Errorf("%s", g.Raw)
	}
	if g := r.Must(200, r.Send("GET", "/v3/marketing/contacts/exports", "")); g.Len("result") != 1 {
		t.Errorf("%s", g.Raw)
	}
	r.Must(400, r.JSON("POST", "/v3/marketing/contacts/exports", m{"list_ids": []any{"absent"}}))
	r.Must(404, r.Send("GET", "/v3/marketing/contacts/exports/absent", ""))
	job := r.Must(200, r.JSON("PUT", "/v3/marketing/contacts/imports", m{"file_type": "csv", "field_mappings": []any{"_rf2_T", nil}}))
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/marketing/contacts/imports/"+job.Text("job_id"), "")), m{"status": "pending"})
	r.Must(400, r.JSON("PUT", "/v3/marketing/contacts/imports", m{"file_type": "csv", "field_mappings": []any{"e7_T"}}))
}

func TestSingleSends(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	list := r.Must(201, r.JSON("POST", "/v3/marketing/lists", m{"name": "News"})).Text("id")
	r.Must(202, r.JSON("PUT", "/v3/marketing/contacts", m{"list_ids": []any{list}, "contacts": []any{m{"email": "ada@example.net"}, m{"email": "bob@example.net"}}}))
	r.Must(202, r.JSON("PUT", "/v3/marketing/contacts", m{"contacts": []any{m{"email": "eve@example.net"}}}))
	sender := r.Must(201, r.JSON("POST", "/v3/senders", m{
		"nickname": "Us", "from": m{"email": "us@example.com", "name": "Us"}, "reply_to": m{"email": "us@example.com"}, "address": "1 Way", "city": "Here", "country": "FR",
	}))
	faketest.Want(t, sender, m{"verified": true})
	group := r.Must(201, r.JSON("POST", "/v3/asm/groups", m{"name": "News", "description": "Weekly"})).At("id")
	r.Wait(time.Minute)
	place := "/v3/marketing/singlesends"
	draft := r.Must(201, r.JSON("POST", place, m{"name": "March", "categories": []any{"news"}}))
	faketest.Want(t, draft, m{"status": "draft", "name": "March"})
	id := draft.Text("id")
	if got := problems(r.Must(400, r.JSON("PUT", place+"/"+id+"/schedule", m{"send_at": "now"}))); len(got) != 5 {
		t.Errorf("%q", got)
	}
	r.Must(200, r.JSON("PATCH", place+"/"+id, m{"send_to": m{"list_ids": []any{list}}, "email_config": m{
		"subject": "News", "html_content": page, "sender_id": sender.At("id"), "suppression_group_id": group,
	}}))
	r.Must(400, r.JSON("PATCH", place+"/"+id, m{"send_to": m{"list_ids": []any{"absent"}}}))
	r.Must(400, r.JSON("PUT", place+"/"+id+"/schedule", m{"send_at": "2020-01-01T00:00:00Z"}))
	at := r.Now.Add(time.Hour).UTC().Format(time.RFC3339)
	faketest.Want(t, r.Must(201, r.JSON("PUT", place+"/"+id+"/schedule", m{"send_at": at})), m{"status": "scheduled", "send_at": at})
	r.Must(400, r.JSON("PATCH", place+"/"+id, m{"name": "April"}))
	r.Must(200, r.Send("DELETE", place+"/"+id+"/schedule", ""))
	r.Wait(2 * time.Hour)
	if sent := r.Outbox(); len(sent) != 0 {
		t.Errorf("%d went out, though it was taken back", len(sent))
	}
	r.Must(201, r.JSON("PUT", place+"/"+id+"/schedule", m{"send_at": "now"}))
	r.Wait(time.Minute)
	if sent := r.Outbox(); len(sent) != 2 {
		t.Errorf("%d went out", len(sent))
	}
	faketest.Want(t, r.Must(200, r.Send("GET", place+"/"+id, "")), m{"status": "triggered"})
	r.Must(400, r.JSON("PUT", place+"/"+id+"/schedule", m{"send_at": "now"}))
	second := r.Must(201, r.JSON("POST", place+"/"+id, m{"name": "April"}))
	faketest.Want(t, second, m{"status": "draft", "name": "April", "email_config.subject": "News"})
	faketest.Want(t, r.Must(200, r.JSON("POST", place+"/search", m{"status": []any{"draft"}})), m{"result.0.name": "April", "_metadata.count": 1})
	faketest.Want(t, r.Must(200, r.Send("GET", place+"/categories", "")), m{"categories": []any{"news"}})
	r.Must(204, r.Send("DELETE", place+"/"+id, ""))
	r.Must(204, r.Send("DELETE", place+"?ids="+second.Text("id"), ""))
	r.Must(404, r.Send("GET", place+"/"+id, ""))
	if g := r.Must(200, r.Send("GET", place, "")); g.Len("result") != 0 {
		t.Errorf("%s", g.Raw)
	}
}
