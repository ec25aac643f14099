package sendgrid_test

import (
	"fmt"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func TestContacts(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	list := r.Must(201, r.JSON("POST", "/v3/marketing/lists", m{"name": "News"})).Text("id")
	job := r.Must(202, r.JSON("PUT", "/v3/marketing/contacts", m{"list_ids": []any{list}, "contacts": []any{
		m{"email": "Ada@Example.net", "first_name": "Ada", "custom_fields": m{"e1_T": "gold"}}, m{"email": "bob@example.net", "last_name": "B"},
	}})).Text("job_id")
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/marketing/contacts/count", "")), m{"contact_count": 0})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/marketing/contacts/imports/"+job, "")), m{"status": "pending"})
	r.Wait(20 * time.Second)
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/marketing/contacts/imports/"+job, "")), m{"status": "completed", "results.created_count": 2, "results.updated_count": 0})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/marketing/contacts/count", "")), m{"contact_count": 2})
	// They can be read; a search finds them a little later.
	g := r.Must(200, r.JSON("POST", "/v3/marketing/contacts/search/emails", m{"emails": []any{"ada@example.net", "nobody@example.net"}}))
	result := g.Body.(map[string]any)["result"].(map[string]any)
	ada := faketest.Got{Body: result["ada@example.net"]}
	faketest.Want(t, ada, m{"contact.email": "ada@example.net", "contact.first_name": "Ada", "contact.last_name": "", "contact.list_ids.0": list, "contact.alternate_emails": []any{}})
	find := func(query string) faketest.Got {
		return r.JSON("POST", "/v3/marketing/contacts/search", m{"query": query})
	}
	if g := r.Must(200, find("email LIKE '%example.net'")); g.Len("result") != 0 {
		t.Errorf("the search has them at once: %s", g.Raw)
	}
	r.Wait(10 * time.Second)
	for query, n := range map[string]int{
		"email LIKE '%example.net'": 2, "email = 'ADA@example.net' AND CONTAINS(list_ids, '" + list + "')": 1, "first_name = 'Ada' OR last_name = 'B'": 2,
		"first_name IS NULL": 1, "first_name IS NOT NULL": 1, "e1_T = 'gold'": 1, "LOWER(first_name) = 'ada'": 1, "email NOT LIKE 'ada%'": 1, "NOT (email IN ('bob@example.net'))": 1,
	} {
		if g := r.Must(200, find(query)); g.Len("result") != n {
			t.Errorf("%s finds %d: %s", query, g.Len("result"), g.Raw)
		}
	}
	for _, query := range []string{"nonsense = 'a'", "email =", "email LIKE 'a' extra", "(email = 'a'", "email = 'a", ""} {
		if g := find(query); g.Status != 400 {
			t.Errorf("%q: %d %s", query, g.Status, g.Raw)
		}
	}
	// Once more: it is changed, not doubled.
	id := ada.Text("contact.id")
	r.Must(202, r.JSON("PUT", "/v3/marketing/contacts", m{"contacts": []any{m{"email": "ada@example.net", "last_name": "L", "first_name": ""}}}))
	r.Wait(time.Minute)
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/marketing/contacts/"+id, "")), m{"first_name": "Ada", "last_name": "L", "list_ids.0": list})
	if g := r.Must(200, r.JSON("POST", "/v3/marketing/contacts/batch", m{"ids": []any{id, "absent"}})); g.Len("result") != 1 {
		t.Errorf("%s", g.Raw)
	}
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/marketing/lists/"+list, "")), m{"contact_count": 2, "name": "News"})
	r.Must(202, r.Send("DELETE", "/v3/marketing/lists/"+list+"/contacts?contact_ids="+id, ""))
	r.Wait(time.Minute)
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/marketing/lists/"+list+"/contacts/count", "")), m{"contact_count": 1})
	r.Must(202, r.Send("DELETE", "/v3/marketing/contacts?ids="+id, ""))
	r.Must(200, r.Send("GET", "/v3/marketing/contacts/"+id, ""))
	r.Wait(time.Minute)
	r.Must(404, r.Send("GET", "/v3/marketing/contacts/"+id, ""))
	r.Must(204, r.Send("DELETE", "/v3/marketing/lists/"+list, ""))
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/marketing/contacts", "")), m{"result.0.list_ids": []any{}, "contact_count": 1})
	r.Must(202, r.Send("DELETE", "/v3/marketing/contacts?delete_all_contacts=true", ""))
	r.Wait(time.Minute)
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/marketing/contacts/count", "")), m{"contact_count": 0})
}

func TestContactMistakes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for body, status := range map[string]int{
		`{"contacts":[]}`: 400, `{}`: 400, `{"contacts":[{"email":"x"}]}`: 400, `{"contacts":[{"first_name":"x"}]}`: 400,
		`{"contacts":[{"email":"a@example.net"}],"list_ids":["absent"]}`: 400, `{"contacts":[{"email":5}]}`: 400, `nonsense`: 400,
	} {
		if g := r.Send("PUT", "/v3/marketing/contacts", body, "Content-Type", "application/json"); g.Status != status {
			t.Errorf("%s: %d %s", body, g.Status, g.Raw)
		}
	}
	r.Must(400, r.Send("DELETE", "/v3/marketing/contacts", ""))
	r.Must(404, r.JSON("POST", "/v3/marketing/contacts/search/emails", m{"emails": []any{"nobody@example.net"}}))
}

func TestLists(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for i := range 5 {
		r.Must(201, r.JSON("POST", "/v3/marketing/lists", m{"name": fmt.Sprint("L", i)}))
	}
	r.Must(400, r.JSON("POST", "/v3/marketing/lists", m{"name": "L1"}))
	r.Must(400, r.JSON("POST", "/v3/marketing/lists", m{"name": ""}))
	first := r.Must(200, r.Send("GET", "/v3/marketing/lists?page_size=3", ""))
	faketest.Want(t, first, m{"_metadata.count": 5, "result.0.contact_count": 0})
	second := r.Must(200, r.Send("GET", first.Text("_metadata.next")[len(r.Base):], ""))
	if first.Len("result") != 3 || second.Len("result") != 2 || second.Text("_metadata.next") != "" {
		t.Errorf("%s\n%s", first.Raw, second.Raw)
	}
	id := first.Text("result.0.id")
	faketest.Want(t, r.Must(200, r.JSON("PATCH", "/v3/marketing/lists/"+id, m{"name": "New"})), m{"name": "New"})
	r.Must(404, r.JSON("PATCH", "/v3/marketing/lists/absent", m{"name": "x"}))
	r.Must(200, r.Send("DELETE", "/v3/marketing/lists/"+id+"?delete_contacts=true", ""))
	r.Must(404, r.Send("GET", "/v3/marketing/lists/"+id, ""))
}
