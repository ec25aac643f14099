package sendgrid_test

import (
	"testing"

	"parity/fakes/faketest"
)

func TestAuthentication(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	g := r.Must(401, r.Send("GET", "/v3/scopes", "", "Authorization", ""))
	faketest.Want(t, g, m{"errors": []any{m{"field": nil, "message": "authorization required"}}})
	g = r.Must(401, r.JSON("POST", "/v3/mail/send", mailTo("a@example.net"), "Authorization", ""))
	faketest.Want(t, g, m{"errors": []any{m{"field": nil, "help": nil, "message": "Permission denied, wrong credentials"}}})
	for _, key := range []string{"Bearer wrong", "Bearer SG.", "Bearer SG.a b", "Bearer sk_test_1"} {
		g = r.Must(401, r.JSON("POST", "/v3/mail/send", mailTo("a@example.net"), "Authorization", key))
		faketest.Want(t, g, m{"errors": []any{m{"field": nil, "help": nil, "message": "The provided authorization grant is invalid, expired, or revoked"}}})
	}
	g = r.Must(401, r.Send("GET", "/v3/scopes", "", "Authorization", "Basic YTpi"))
	faketest.Want(t, g, m{"errors": []any{m{"field": nil, "message": "Permission denied, wrong credentials"}}})
}

func TestKeys(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made := r.Must(201, r.JSON("POST", "/v3/api_keys", m{"name": "Mailer", "scopes": []any{"mail.send"}}))
	faketest.Want(t, made, m{"name": "Mailer", "scopes": []any{"mail.send"}})
	key := "Bearer " + made.Text("api_key")
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/scopes", "", "Authorization", key)), m{"scopes": []any{"mail.send"}})
	r.Must(202, r.JSON("POST", "/v3/mail/send", mailTo("a@example.net"), "Authorization", key))
	g := r.Must(403, r.Send("GET", "/v3/templates", "", "Authorization", key))
	faketest.Want(t, g, m{"errors": []any{m{"field": nil, "message": "access forbidden"}}})
	path := "/v3/api_keys/" + made.Text("api_key_id")
	read := r.Must(200, r.Send("GET", path, ""))
	if read.At("api_key") != nil {
		t.Error("the key is shown again")
	}
	r.Must(200, r.JSON("PUT", path, m{"name": "Reader", "scopes": []any{"templates.read"}}))
	r.Must(200, r.Send("GET", "/v3/templates?page_size=1", "", "Authorization", key))
	g = r.Must(403, r.JSON("POST", "/v3/mail/send", mailTo("a@example.net"), "Authorization", key))
	faketest.Want(t, g, m{"errors": []any{m{"field": nil, "help": nil, "message": "access forbidden"}}})
	faketest.Want(t, r.Must(200, r.JSON("PATCH", path, m{"name": "Named"})), m{"name": "Named", "scopes": nil})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/api_keys", "")), m{"result.0.name": "Named", "result.0.scopes": nil})
	r.Must(204, r.Send("DELETE", path, ""))
	r.Must(401, r.Send("GET", "/v3/scopes", "", "Authorization", key))
	r.Must(404, r.Send("GET", path, ""))
	r.Must(400, r.JSON("POST", "/v3/api_keys", m{}))
}

// A fixture says what a key may do.
func TestFixtureKeys(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(`
sendgrid.tokens:
  - {id: SG.reader.x, scopes: [templates.read]}
  - {id: SG.old.x, revoked: true}
  - {id: SG.late.x, expires: 2026-02-01T00:00:00Z}
sendgrid.verified_senders: [{nickname: Shop, from_email: shop@example.org, reply_to: shop@example.org, verified: true}]
sendgrid.templates: [{id: d-0123456789abcdef0123456789abcdef, name: Welcome, generation: dynamic}]
sendgrid.asm_groups: [{id: 7, name: News, description: Weekly}]
`)
	r.Must(200, r.Send("GET", "/v3/templates?page_size=1", "", "Authorization", "Bearer SG.reader.x"))
	r.Must(403, r.Send("GET", "/v3/asm/groups", "", "Authorization", "Bearer SG.reader.x"))
	r.Must(401, r.Send("GET", "/v3/scopes", "", "Authorization", "Bearer SG.old.x"))
	r.Must(401, r.Send("GET", "/v3/scopes", "", "Authorization", "Bearer SG.late.x"))
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/verified_senders", "")), m{"results.0.verified": true, "results.0.from_email": "shop@example.org"})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/templates/d-0123456789abcdef0123456789abcdef", "")), m{"name": "Welcome"})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/asm/groups/7", "")), m{"name": "News"})
	faketest.Want(t, r.Must(201, r.JSON("POST", "/v3/asm/groups", m{"name": "More", "description": "x"})), m{"id": 24101})
	r.Must(202, send(r, with(mailTo("ada@example.net"), m{"from": m{"email": "shop@example.org"}, "asm": m{"group_id": 7}})))
	if len(r.Outbox()) != 1 {
		t.Errorf("a fixture mails nobody: %+v", r.Outbox())
	}
}
