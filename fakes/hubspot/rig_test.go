package hubspot_test

import (
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/hubspot"
)

const token = "pat-na1-00000000-0000-4000-8000-000000000001"

// newRig makes a rig whose calls carry a private app's token.
func newRig(t testing.TB) *faketest.Rig {
	t.Helper()
	service, err := hubspot.New()
	if err != nil {
		t.Fatal(err)
	}
	r := faketest.New(t, service)
	r.Header.Set("Authorization", "Bearer "+token)
	return r
}

type object = map[string]any

// props is the body of a write.
func props(pairs ...string) object {
	p := object{}
	for i := 0; i+1 < len(pairs); i += 2 {
		p[pairs[i]] = pairs[i+1]
	}
	return object{"properties": p}
}

// add makes a record of a type.
func add(r *faketest.Rig, kind string, pairs ...string) string {
	r.T.Helper()
	return r.Must(201, r.JSON("POST", "/crm/v3/objects/"+kind, props(pairs...))).Text("id")
}
