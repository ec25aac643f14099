package sendgrid_test

import (
	"fmt"
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/sendgrid"
)

// newRig is an account with a key that may do everything, and one domain.
func newRig(t testing.TB) *faketest.Rig {
	t.Helper()
	r := bareRig(t)
	domain := r.Must(201, r.JSON("POST", "/v3/whitelabel/domains", map[string]any{"domain": "example.com"}))
	r.Must(200, r.JSON("POST", "/v3/whitelabel/domains/"+domain.Text("id")+"/validate", nil))
	return r
}

func bareRig(t testing.TB) *faketest.Rig {
	t.Helper()
	service, err := sendgrid.New()
	if err != nil {
		t.Fatal(err)
	}
	r := faketest.New(t, service)
	r.Header.Set("Authorization", "Bearer SG.key.secret")
	return r
}

type m = map[string]any

// mailTo is a mail of which nothing is wrong.
func mailTo(addresses ...string) m {
	var to []any
	for _, one := range addresses {
		to = append(to, m{"email": one})
	}
	return m{
		"personalizations": []any{m{"to": to}}, "from": m{"email": "noreply@example.com", "name": "Example"},
		"subject": "Hello", "content": []any{m{"type": "text/plain", "value": "Hi"}, m{"type": "text/html", "value": "<p>Hi</p>"}},
	}
}

// with is a mail with some fields changed; nil takes one away.
func with(mail m, changes m) m {
	out := m{}
	for name, v := range mail {
		out[name] = v
	}
	for name, v := range changes {
		if out[name] = v; v == nil {
			delete(out, name)
		}
	}
	return out
}

func send(r *faketest.Rig, mail m) faketest.Got {
	r.T.Helper()
	return r.JSON("POST", "/v3/mail/send", mail)
}

// problems lists the errors of a reply as "field: message".
func problems(g faketest.Got) []string {
	items, _ := g.At("errors").([]any)
	out := make([]string, len(items))
	for i, one := range items {
		e, _ := one.(map[string]any)
		out[i] = fmt.Sprintf("%v: %v", e["field"], e["message"])
	}
	return out
}

type rigOf = faketest.Rig

// insert puts a record into a collection as it stands.
type insert func(collection, id string, value m)

// benchRig is an account that is filled without its API.
func benchRig(t testing.TB, fill func(insert)) *rigOf {
	t.Helper()
	r := newRig(t)
	tx := r.World.Begin()
	fill(func(collection, id string, value m) {
		if _, err := tx.Insert("sendgrid."+collection, id, value); err != nil {
			t.Fatal(err)
		}
	})
	r.World = tx.Commit()
	return r
}
