package sendgrid_test

import (
	"testing"
	"time"

	"parity/fakes/faketest"
	"parity/fakes/fixture"
)

// The messy account loads, and behaves as it says.
func TestMessyFixture(t *testing.T) {
	t.Parallel()
	file, err := fixture.Open("sendgrid", "sendgrid-messy")
	if err != nil {
		t.Fatal(err)
	}
	r := bareRig(t)
	r.Fill(file.Content)
	r.Must(202, send(r, mailTo("ada@example.net")))
	r.Must(403, send(r, with(mailTo("ada@example.net"), m{"from": m{"email": "help@example.net"}})))
	r.Must(403, send(r, with(mailTo("ada@example.net"), m{"from": m{"email": "a@mail.example.org"}})))
	r.Must(202, send(r, templated("d-0000000000000000000000000000f003", m{"order": m{"number": "A-1", "total": 3}})))
	r.Must(202, send(r, templated("d-0000000000000000000000000000f002", m{})))
	r.Must(202, send(r, mailTo("taro.yamada@example.jp", "gone@example.net")))
	if sent := r.Outbox(); len(sent) != 2 {
		t.Errorf("sent %+v", sent)
	}
	r.Must(403, r.JSON("POST", "/v3/mail/send", mailTo("ada@example.net"), "Authorization", "Bearer SG.fxReadOnly.parity"))
	r.Must(401, r.Send("GET", "/v3/scopes", "", "Authorization", "Bearer SG.fxLeaked.parity"))
	faketest.Want(t, r.Must(200, r.JSON("POST", "/v3/marketing/contacts/search", m{"query": "last_name LIKE 'lovelace%'"})), m{"contact_count": 2})
	r.Wait(time.Hour)
	if g := r.Must(200, r.Send("GET", "/v3/messages?limit=100", "")); g.Len("messages") != 8 {
		t.Errorf("%d messages", g.Len("messages"))
	}
}
