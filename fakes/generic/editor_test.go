package generic_test

import (
	"os"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/faketest"
	"parity/fakes/generic"
	"parity/specs"
)

type object = map[string]any

// acme plays the worked example with its own behaviour file.
func acme(t testing.TB) *faketest.Rig {
	t.Helper()
	folder := os.DirFS("../../specs/acme-crm")
	contract, _, err := specs.Load(folder, "openapi.yaml", "acme-crm")
	if err != nil {
		t.Fatal(err)
	}
	behaviour, err := os.ReadFile("../../specs/acme-crm/behaviour.yaml")
	if err != nil {
		t.Fatal(err)
	}
	service, problems, err := generic.New(generic.Options{Contract: contract, Behaviour: behaviour, BehaviourName: "behaviour.yaml"})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	r := faketest.New(t, service)
	r.Header.Set("Authorization", "Bearer secret")
	return r
}

func TestOthersEditRecords(t *testing.T) {
	t.Parallel()
	r := acme(t)
	contact := "/v1/contacts/" + r.Must(201, r.JSON("POST", "/v1/contacts", object{"email": "a@acme.example"})).Text("id")
	note := contact + "/notes/" + r.Must(201, r.JSON("POST", contact+"/notes", object{"body": "Called."})).Text("id")
	r.Edits(faketest.Edit{
		Read: note, Nowhere: contact + "/notes/none", Set: object{"body": "Called twice."}, At: "body", Shows: "Called twice.", Gone: 404,
	})
	r.Edits(faketest.Edit{
		Read: contact, Writes: []string{"PATCH " + contact, "DELETE " + contact, "POST " + contact + "/archive"}, Nowhere: "/v1/contacts/con_none",
		Set: object{"first_name": "Ada"}, At: "first_name", Shows: "Ada", Bad: object{"frist_name": "Ada"}, Gone: 404,
	})
	for _, target := range []string{"/v1/contacts", "/v1/companies"} {
		if c, id := r.Subject("GET", target); c != "" {
			t.Errorf("%s is about %s %s", target, c, id)
		}
	}
}

func TestIfMatchIsRefusedAfterSomebodyElsesEdit(t *testing.T) {
	t.Parallel()
	r := acme(t)
	contact := "/v1/contacts/" + r.Must(201, r.JSON("POST", "/v1/contacts", object{"email": "a@acme.example"})).Text("id")
	read := func() string { return r.Must(200, r.Send("GET", contact, "")).Header.Get("Etag") }
	first := read()
	for _, bad := range []object{{"id": "con_other"}, {"status": "no such status"}, {"email": int64(7)}} {
		if r.Change(contact, bad) == nil {
			t.Errorf("%v is taken", bad)
		}
	}
	if err := r.Change(contact, object{"last_name": "Byron"}); err != nil {
		t.Fatal(err)
	}
	r.Must(412, r.JSON("PATCH", contact, object{"last_name": "L."}, "If-Match", first))
	r.Must(200, r.JSON("PATCH", contact, object{"last_name": "L."}, "If-Match", read()))
}

func TestWhatWasThereFromTheStartIsEditedToo(t *testing.T) {
	t.Parallel()
	contract := contractOf(t, `
paths:
  /pets/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}}
    patch: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}, responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}}
components: {schemas: {Pet: {type: object, required: [name], properties: {name: {type: string}, age: {type: integer}}}}}
`)
	service, _, err := generic.New(generic.Options{Contract: contract})
	if err != nil {
		t.Fatal(err)
	}
	r := faketest.New(t, service)
	if err := r.Change("/pets/rex", object{"age": int64(9)}); err != nil {
		t.Fatal(err)
	}
	faketest.Want(t, r.Must(200, r.Send("GET", "/pets/rex", "")), object{"age": 9, "name": "rex"})
}

func TestTroubleIsRewordedByTheBehaviourFile(t *testing.T) {
	t.Parallel()
	r := crm(t, "errors:\n  quota_exceeded: {status: 403, message: All used up.}\n")
	reply := r.service.Fake.(fakes.Dialect).Render(fakes.Problem{Kind: fakes.OverQuota})
	if reply.Status != 403 || reply.Result["detail"] != "All used up." {
		t.Errorf("%d %s", reply.Status, reply.Body)
	}
}

func TestTroubleTakesTheNearestStatusThatIsDeclared(t *testing.T) {
	t.Parallel()
	r := acme(t)
	r.Words("PATCH", "/v1/contacts/con_1", []faketest.Worded{
		{Trouble: fakes.Problem{Kind: fakes.Forbidden}, Status: 403, Says: `does not allow this call`},
		{Trouble: fakes.Problem{Kind: fakes.Forbidden, Message: "Ask for a test key."}, Status: 403, Says: `Ask for a test key.`},
		{Trouble: fakes.Problem{Kind: fakes.Revoked}, Status: 401, Says: `token_revoked`, Header: []string{"Www-Authenticate", `Bearer error="invalid_token"`}},
		{Trouble: fakes.Problem{Kind: fakes.Locked}, Status: 409, Says: "locked"},
		{Trouble: fakes.Problem{Kind: fakes.KeyReused}, Status: 409, Says: "idempotency_key_reused"},
		{Trouble: fakes.Problem{Kind: fakes.KeyInFlight}, Status: 409, Says: "idempotency_key_in_use"},
		{Trouble: fakes.Problem{Kind: fakes.Retired}, Status: 404, Says: "no longer offered"},
		{Trouble: fakes.Problem{Kind: fakes.Retired, Status: 410}, Status: 410, Says: "no longer offered"},
		{Trouble: fakes.Problem{Kind: fakes.SessionExpired}, Status: 401, Says: "token_expired", Header: []string{"Www-Authenticate", `Bearer error="invalid_token"`}},
		{Trouble: fakes.Problem{Kind: fakes.OverQuota, RetryAfter: time.Hour}, Status: 429, Says: "quota_exceeded", Header: []string{"Retry-After", "3600"}},
	})
	r.Words("GET", "/v1/contacts", []faketest.Worded{
		{Trouble: fakes.Problem{Kind: fakes.CursorExpired}, Status: 400, Says: "invalid_cursor"},
	})
}
