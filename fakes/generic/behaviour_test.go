package generic_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"parity/fakes/generic"
	"parity/specs"
)

func behaved(t testing.TB) *rig {
	t.Helper()
	file, err := os.ReadFile("../../specs/acme-crm/behaviour.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return crm(t, string(file))
}

func TestActionsDoWhatTheFileSays(t *testing.T) {
	t.Parallel()
	r := behaved(t)
	made := r.must(201, r.post("/v1/contacts", `{"email":"a@acme.example","company_id":"com_acme"}`))
	id := made.text("id")
	if !strings.HasPrefix(id, "con_") || len(id) != 18 {
		t.Errorf("the id is %s", id)
	}
	want(t, made, map[string]any{"archived_at": nil})
	after := r.must(200, r.post("/v1/contacts/"+id+"/archive", ""))
	want(t, after, map[string]any{"status": "archived", "archived_at": "2026-03-01T12:00:00Z"})
	want(t, r.must(409, r.post("/v1/contacts/"+id+"/archive", "")), map[string]any{"code": "already_archived", "detail": "The contact is archived already."})
	events := r.must(200, r.get("/v1/events"))
	if events.column("data", "type") != "contact.archived" || events.column("data", "contact_id") != id {
		t.Errorf("events: %s", events.raw)
	}
	r.must(204, r.delete("/v1/companies/com_acme"))
	if got := r.get("/v1/events").column("data", "type"); got != "contact.archived company.deleted" {
		t.Errorf("events: %s", got)
	}
}

func TestRulesBetweenRecordsAreHeld(t *testing.T) {
	t.Parallel()
	r := behaved(t)
	r.must(201, r.post("/v1/contacts", `{"email":"a@acme.example"}`))
	r.must(409, r.post("/v1/contacts", `{"email":"a@acme.example"}`))
	other := r.must(201, r.post("/v1/contacts", `{"email":"b@acme.example"}`))
	r.must(409, r.patch("/v1/contacts/"+other.text("id"), `{"email":"a@acme.example"}`))
	r.must(200, r.patch("/v1/contacts/"+other.text("id"), `{"email":"b@acme.example"}`))
	want(t, r.must(422, r.post("/v1/contacts", `{"email":"c@acme.example","company_id":"com_none"}`)), map[string]any{"code": "invalid_reference"})
	want(t, r.must(404, r.get("/v1/contacts/con_none")), map[string]any{"detail": "There is no contact con_none."})
	deal := r.must(201, r.post("/v1/deals", `{"title":"Big","amount":5}`))
	want(t, deal, map[string]any{"stage": "open"})
	path := "/v1/deals/" + deal.text("id")
	want(t, r.must(409, r.patch(path, `{"stage":"won"}`)), map[string]any{"code": "invalid_transition", "detail": "The stage cannot go from open to won."})
	r.must(200, r.patch(path, `{"stage":"proposal"}`))
	r.must(200, r.patch(path, `{"stage":"won"}`))
	r.must(409, r.patch(path, `{"stage":"open"}`))
}

func TestFixturesAreInEveryNewWorld(t *testing.T) {
	t.Parallel()
	r := behaved(t)
	want(t, r.must(200, r.get("/v1/companies/com_acme")), map[string]any{"name": "Acme", "created_at": "2025-01-06T09:00:00Z"})
	if got := r.get("/v1/companies").column("data", "id"); got != "com_acme" {
		t.Errorf("companies: %s", got)
	}
}

// A client that follows paging.next for as long as it is there has to come to
// an end.
func TestOnlyPagesWithANextOneSaySo(t *testing.T) {
	t.Parallel()
	r := behaved(t)
	var met []string
	for i := range 5 {
		r.must(201, r.post("/v1/contacts", `{"email":"c`+numberText(i)+`@acme.example"}`))
	}
	path := "/v1/contacts?limit=2"
	for range 4 {
		page := r.must(200, r.get(path))
		met = append(met, page.column("data", "email"))
		next := page.at("paging.next")
		if next == nil {
			break
		}
		path = "/v1/contacts?limit=2&after=" + page.text("paging.next.after")
	}
	if got := strings.Join(met, " | "); got != "c0@acme.example c1@acme.example | c2@acme.example c3@acme.example | c4@acme.example" {
		t.Errorf("pages: %s", got)
	}
	want(t, r.must(404, r.get("/v1/nowhere")), map[string]any{"detail": "There is nothing at GET /v1/nowhere"})
}

// Faults and reports go by the anatomy of operations: what the file corrects has
// to reach them.
func TestCorrectionsReachTheContract(t *testing.T) {
	t.Parallel()
	r := crm(t, `
resources: {contacts: {list: {cursor: sort, total: ""}}}
operations:
  archiveContact: {does: update}
  getStatus: {does: read, resource: deals}
`)
	op := func(name string) *specs.Operation {
		found, ok := r.service.Contract.Operation(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		return found
	}
	if a := op("listContacts").Anatomy; a.Cursor != "sort" || a.Total != "" || a.Items != "/data" {
		t.Errorf("lists: %+v", a)
	}
	if a := op("getStatus").Anatomy; a.Collection != "deals" {
		t.Errorf("another resource: %+v", a)
	}
	if a := op("createContact").Anatomy; a.Key != "Idempotency-Key" {
		t.Errorf("the key of idempotency: %+v", a)
	}
	if a := crm(t, "").service.Contract.Operations; slices.ContainsFunc(a, func(o *specs.Operation) bool { return o.Anatomy.Cursor == "sort" }) {
		t.Error("another contract is corrected too")
	}
}

func TestMistakesInTheFileAreToldWhereTheyAre(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ file, at, says, hint string }{
		{"resorces: {}", "1:1", "key resorces", "did you mean resources?"},
		{"resources:\n  contact: {}", "2:3", "resource contact ", "did you mean contacts?"},
		{"resources:\n  contacts:\n    unique: [emial]", "3:14", "field emial", "did you mean email?"},
		{"resources:\n  contacts:\n    unique: email", "3:13", "list of texts", "write [email]"},
		{"resources:\n  contacts: {record: Contatc}", "2:22", "schema Contatc", "did you mean Contact?"},
		{"resources:\n  contacts: {id: {form: con_}}", "2:25", "nothing in it differs", ""},
		{"resources:\n  contacts: {id: {form: 'con_{base6:3}'}}", "2:25", "{base6:3} is not known", ""},
		{"resources:\n  contacts: {defaults: {status: gone}}", "2:33", "status cannot be gone", "it is one of active, archived"},
		{"resources:\n  contacts: {refers: {company_id: company}}", "2:35", "resource company ", "did you mean companies?"},
		{"resources:\n  contacts: {states: {field: status, moves: {active: [deleted]}}}", "2:55", "status cannot be deleted", "it is one of active, archived"},
		{"resources:\n  contacts: {list: {items: data}}", "2:28", "data is no JSON pointer", "write /data"},
		{"operations:\n  POST /contacts/{id}/archve: {does: update}", "2:3", "operation POST /contacts/{id}/archve", "did you mean POST /contacts/{contact_id}/archive?"},
		{"operations:\n  archiveContact: {does: updaet}", "2:26", "does updaet", "did you mean update?"},
		{"operations:\n  archiveContact: {when: recrod.status == 1}", "2:26", "unknown name recrod", ""},
		{"operations:\n  archiveContact: {when: record.status}", "", "", ""},
		{"operations:\n  archiveContact: {set: {stauts: archived}}", "2:34", "field stauts", "did you mean status?"},
		{"operations:\n  archiveContact: {effects: [{crate: events}]}", "2:31", "key crate", "did you mean create?"},
		{"errors: {not_fuond: {}}", "1:10", "key not_fuond", "did you mean not_found?"},
		{"errors: {not_found: {status: 200}}", "1:30", "400 to 599", ""},
		{"fixtures: {contacts: [{email: a@b.example}]}", "1:23", "wants its id", "add id:"},
		{"behaviour: a\nbehaviour: b", "2:12", "twice", ""},
		{"resources: [", "", "not YAML", ""},
	} {
		contract := crm(t, "").service.Contract
		_, problems, err := generic.New(generic.Options{Contract: contract, Behaviour: []byte(test.file)})
		if test.says == "" {
			if err != nil {
				t.Errorf("%s: %v", test.file, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: is taken", test.file)
			continue
		}
		found := slices.ContainsFunc(problems, func(p generic.Problem) bool {
			at := numberText(p.Line) + ":" + numberText(p.Column)
			return strings.Contains(p.Message, test.says) && strings.Contains(p.Hint, test.hint) && (test.at == "" || at == test.at)
		})
		if !found {
			t.Errorf("%s: want %s %q (%s), got %+v", test.file, test.at, test.says, test.hint, problems)
		}
	}
}

// A service whose documents are the client's own, whose writes answer with
// tasks, is played with a file of a few lines.
func TestABehaviourFileNamesAFreeRecordAReceiptAndHeaders(t *testing.T) {
	t.Parallel()
	contract := contractOf(t, `
paths:
  /docs:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {key: {type: string}, title: {type: string}, dry_run: {type: boolean}, status: {type: string}}}}}}
      responses: {'202': {description: ok, content: {application/json: {schema: {type: object, required: [task, status], properties: {task: {type: integer}, id: {type: string}, status: {type: string, enum: [enqueued]}}}}}}}
    get:
      parameters: [{name: limit, in: query, schema: {type: integer}}]
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {results: {type: array, items: {type: object}}}}}}}}
  /docs/{id}:
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: object}}}}}}
`)
	service, problems, err := generic.New(generic.Options{Contract: contract, BehaviourName: "behaviour.yaml", Behaviour: []byte(`
resources:
  docs:
    record: any
    id: {field: id, also: [key]}
    list: {limit: limit, cursor: nowhere}
operations:
  POST /docs:
    receipt: true
    fields: [key, title, status]
    headers: {X-Task-For: record.key, X-Cost: 1}
`)})
	if err != nil {
		t.Fatal(err, problems)
	}
	if len(problems) != 1 || !strings.Contains(problems[0].Message, "nowhere") || problems[0].Line != 6 {
		t.Errorf("the problems are %+v", problems)
	}
	r := rigFor(t, service)
	made := r.must(202, r.post("/docs", `{"key":"a","title":"T","status":"mine","dry_run":true}`))
	want(t, made, map[string]any{"status": "enqueued"})
	if made.header.Get("X-Task-For") != "a" || made.header.Get("X-Cost") != "1" {
		t.Errorf("the headers are %v", made.header)
	}
	for _, name := range []string{made.text("id"), "a"} {
		want(t, r.must(200, r.get("/docs/"+name)), map[string]any{"title": "T", "status": "mine", "dry_run": nil})
	}
}
