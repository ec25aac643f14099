package zendesk_test

import (
	"encoding/base64"
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/zendesk"
)

// rig is an account whose owner calls.
func rig(t testing.TB) *faketest.Rig {
	t.Helper()
	service, err := zendesk.New()
	if err != nil {
		t.Fatal(err)
	}
	r := faketest.New(t, service)
	r.Header.Set("Authorization", basic("owner@example.com"))
	return r
}

func basic(email string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(email+"/token:abc123"))
}

type object = map[string]any

// ticket makes a ticket, and gives its number.
func ticket(r *faketest.Rig, fields object) string {
	r.T.Helper()
	said := object{"subject": "Printer offline", "comment": object{"body": "It does not print."}}
	for name, v := range fields {
		said[name] = v
	}
	return r.Must(201, r.JSON("POST", "/api/v2/tickets.json", object{"ticket": said})).Text("ticket.id")
}

func put(r *faketest.Rig, number string, fields object) faketest.Got {
	r.T.Helper()
	return r.JSON("PUT", "/api/v2/tickets/"+number+".json", object{"ticket": fields})
}

// user makes a user, and gives its id.
func user(r *faketest.Rig, name, email, role string) string {
	r.T.Helper()
	return r.Must(201, r.JSON("POST", "/api/v2/users", object{"user": object{"name": name, "email": email, "role": role}})).Text("user.id")
}

func get(r *faketest.Rig, target string) faketest.Got {
	r.T.Helper()
	return r.Must(200, r.Send("GET", target, ""))
}
