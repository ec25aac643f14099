package sendgrid_test

import (
	"testing"

	"parity/fakes"
	"parity/fakes/faketest"
	"parity/specs"
)

// imports shows the fake what the real service answered.
func imports(r *faketest.Rig, method, path, body string, status int, reply string) {
	r.T.Helper()
	match := r.Service.Contract.MatchCall(&specs.Call{Method: method, Path: path})
	input, _ := match.Operation.Read(specs.Request{Path: match.Path, Body: []byte(body), Header: map[string][]string{"Content-Type": {"application/json"}}})
	call := &fakes.Call{Operation: match.Operation, Contract: r.Service.Contract, Input: input, Tx: r.World.Begin(), Now: r.Now, Body: []byte(body)}
	r.Service.Fake.(fakes.Importer).Import(call, status, []byte(reply))
	r.World = call.Tx.Commit()
}

func TestAbsorb(t *testing.T) {
	t.Parallel()
	r := bareRig(t)
	imports(r, "POST", "/v3/mail/send", `{"from":{"email":"shop@example.org"},"batch_id":"abc","asm":{"group_id":9}}`, 202, "")
	imports(r, "GET", "/v3/templates/d-0123456789abcdef0123456789abcdef", "", 200, `{"id":"d-0123456789abcdef0123456789abcdef","name":"W","generation":"dynamic","updated_at":"2026-01-01 00:00:00","versions":[{"id":"v1","template_id":"d-0123456789abcdef0123456789abcdef","active":1,"name":"a","subject":"S","updated_at":"2026-01-01 00:00:00","generate_plain_content":true,"editor":"code","html_content":"<p>x</p>"}]}`)
	imports(r, "GET", "/v3/suppression/bounces", "", 200, `[{"created":1,"email":"B@example.net","reason":"r","status":"5.1.1"},"odd",{}]`)
	imports(r, "GET", "/v3/suppression/bounces/c@example.net", "", 200, `[{"created":1,"email":"c@example.net","reason":"r","status":"5.1.1"}]`)
	imports(r, "GET", "/v3/asm/groups", "", 200, `[{"id":12,"name":"N","description":"d","is_default":false,"unsubscribes":3,"last_email_sent_at":null}]`)
	imports(r, "GET", "/v3/marketing/lists", "", 200, `{"result":[{"id":"l1","name":"L","contact_count":0,"_metadata":{}}]}`)
	imports(r, "GET", "/v3/scopes", "", 200, `nonsense`)
	imports(r, "GET", "/v3/templates", "", 500, `{}`)
	r.Must(202, send(r, with(mailTo("ada@example.net"), m{"from": m{"email": "shop@example.org"}, "batch_id": "abc", "asm": m{"group_id": 9}})))
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/templates/d-0123456789abcdef0123456789abcdef", "")), m{"versions.0.subject": "S"})
	if g := r.Must(200, r.Send("GET", "/v3/suppression/bounces", "")); g.Len("") != 2 {
		t.Errorf("%s", g.Raw)
	}
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/asm/groups/12", "")), m{"name": "N"})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/marketing/lists/l1", "")), m{"name": "L"})
}

func TestRecordedConversations(t *testing.T) {
	service := bareRig(t).Service
	faketest.Recorded(t, service, "sendgrid", func(r *faketest.Rig) { r.Header.Set("Authorization", "Bearer SG.key.secret") }, faketest.Frozen{})
}
