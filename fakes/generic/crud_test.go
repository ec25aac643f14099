package generic_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestWhatIsCreatedCanBeReadListedChangedAndDeleted(t *testing.T) {
	t.Parallel()
	r := crm(t, "")
	made := r.must(201, r.post("/v1/contacts", `{"email":"ada@acme.example","last_name":"Lovelace"}`))
	id := made.text("id")
	if !strings.HasPrefix(id, "con_") {
		t.Errorf("the id is %s; its example begins with con_", id)
	}
	want(t, made, map[string]any{"email": "ada@acme.example", "status": "active", "tags": []any{}, "created_at": "2026-03-01T12:00:00Z"})
	if got := made.header.Get("Location"); got != "https://api.example/v1/contacts/"+id {
		t.Errorf("Location is %s", got)
	}
	read := r.must(200, r.get("/v1/contacts/"+id))
	if read.raw != made.raw || read.header.Get("Etag") != made.header.Get("Etag") || read.header.Get("Etag") == "" {
		t.Errorf("read %s %s, made %s %s", read.header.Get("Etag"), read.raw, made.header.Get("Etag"), made.raw)
	}
	r.now = r.now.Add(time.Hour)
	changed := r.must(200, r.patch("/v1/contacts/"+id, `{"first_name":"Ada","last_name":null}`))
	want(t, changed, map[string]any{
		"first_name": "Ada", "last_name": nil, "email": "ada@acme.example",
		"created_at": "2026-03-01T12:00:00Z", "updated_at": "2026-03-01T13:00:00Z",
	})
	if got := r.must(200, r.get("/v1/contacts")).column("data", "first_name"); got != "Ada" {
		t.Errorf("the list has %s", got)
	}
	r.must(204, r.delete("/v1/contacts/"+id))
	for _, gone := range []got{r.get("/v1/contacts/" + id), r.delete("/v1/contacts/" + id), r.patch("/v1/contacts/"+id, `{}`)} {
		r.must(404, gone)
		want(t, gone, map[string]any{"status": 404, "detail": "No such contact: " + id, "code": "not_found"})
	}
	if got := r.get("/v1/contacts").column("data", "id"); got != "" {
		t.Errorf("the list still has %s", got)
	}
}

func TestReplaceKeepsWhatTheServerSets(t *testing.T) {
	t.Parallel()
	r := crm(t, "")
	made := r.must(201, r.post("/v1/companies", `{"name":"Acme","size":3}`))
	r.now = r.now.Add(time.Hour)
	after := r.must(200, r.put("/v1/companies/"+made.text("id"), `{"name":"Apex"}`))
	want(t, after, map[string]any{"id": made.at("id"), "name": "Apex", "size": nil, "created_at": "2026-03-01T12:00:00Z", "updated_at": "2026-03-01T13:00:00Z"})
	r.must(404, r.put("/v1/companies/com_none", `{"name":"Apex"}`))
}

func TestChildrenBelongToTheirParent(t *testing.T) {
	t.Parallel()
	r := crm(t, "")
	r.must(404, r.post("/v1/contacts/con_none/notes", `{"body":"hi"}`))
	one := r.must(201, r.post("/v1/contacts", `{"email":"a@acme.example"}`)).text("id")
	two := r.must(201, r.post("/v1/contacts", `{"email":"b@acme.example"}`)).text("id")
	note := r.must(201, r.post("/v1/contacts/"+one+"/notes", `{"body":"hi"}`))
	want(t, note, map[string]any{"contact_id": one, "body": "hi"})
	path := "/notes/" + numberText(note.at("id"))
	r.must(200, r.get("/v1/contacts/"+one+path))
	r.must(404, r.get("/v1/contacts/"+two+path))
	if got := r.get("/v1/contacts/"+one+"/notes").column("data", "body"); got != "hi" {
		t.Errorf("the parent's list has %s", got)
	}
	if got := r.get("/v1/contacts/"+two+"/notes").column("data", "body"); got != "" {
		t.Errorf("the other parent's list has %s", got)
	}
	r.must(204, r.delete("/v1/contacts/"+one))
	r.must(404, r.get("/v1/contacts/"+one+path))
	r.must(404, r.get("/v1/contacts/"+one+"/notes"))
}

func TestWritesHonourTheVersionThatTheClientKnows(t *testing.T) {
	t.Parallel()
	r := crm(t, "")
	made := r.must(201, r.post("/v1/contacts", `{"email":"a@acme.example"}`))
	path, tag := "/v1/contacts/"+made.text("id"), made.header.Get("Etag")
	r.must(304, r.send("GET", path, "", http.Header{"If-None-Match": {tag}}))
	r.must(200, r.send("PATCH", path, `{"first_name":"A"}`, http.Header{"If-Match": {tag}}))
	stale := r.must(412, r.send("PATCH", path, `{"first_name":"B"}`, http.Header{"If-Match": {tag}}))
	want(t, stale, map[string]any{"status": 412})
	want(t, r.must(200, r.send("GET", path, "", http.Header{"If-None-Match": {tag}})), map[string]any{"first_name": "A"})
	r.must(200, r.send("PATCH", path, `{"first_name":"C"}`, http.Header{"If-Match": {"*"}}))
}

func TestIdempotencyKeysAreHonouredWhereTheContractHasThem(t *testing.T) {
	t.Parallel()
	r := crm(t, "")
	keyed := func(key, body string) got {
		return r.send("POST", "/v1/contacts", body, http.Header{"Idempotency-Key": {key}})
	}
	first := r.must(201, keyed("k1", `{"email":"a@acme.example"}`))
	again := r.must(201, keyed("k1", `{"email":"a@acme.example"}`))
	if again.raw != first.raw || !again.reply.Replayed || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the second answer is %s, replayed %t", again.raw, again.reply.Replayed)
	}
	r.must(422, keyed("k1", `{"email":"b@acme.example"}`))
	if n := r.world.Len("acme-crm.contacts"); n != 1 {
		t.Errorf("%d contacts, want 1", n)
	}
	r.now = r.now.Add(25 * time.Hour)
	r.must(201, keyed("k1", `{"email":"b@acme.example"}`))
}

func TestCredentialsAreWantedWhereTheContractSaysSo(t *testing.T) {
	t.Parallel()
	r := crm(t, "")
	r.bare = true
	refused := r.must(401, r.get("/v1/contacts"))
	if refused.header.Get("Www-Authenticate") == "" {
		t.Error("the refusal does not say what is wanted")
	}
	if !strings.Contains(refused.raw, "Wanted: Authorization: Bearer …") {
		t.Errorf("it does not say what to send: %s", refused.raw)
	}
	want(t, r.must(200, r.get("/v1/status")), map[string]any{"state": "operational"})
}

func numberText(v any) string { return strings.TrimSuffix(asJSON(v), ".0") }
