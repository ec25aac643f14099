package hubspot_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"parity/fakes"
	"parity/specs"
)

// many is how many records there are while one call is measured.
const many = 100_000

// benchmark measures one call among many contacts: in the fake alone, without
// matching, decoding or journal.
func benchmark(b *testing.B, want int, method, target, body string) {
	r := newRig(b)
	tx := r.World.Begin()
	for i := range many {
		id := strconv.Itoa(1000 + i)
		email := fmt.Sprintf("person%d@example.com", i)
		value := map[string]any{
			"id": id, "createdAt": "2025-01-01T00:00:00Z", "updatedAt": "2025-01-01T00:00:00Z", "archived": false,
			"properties": map[string]any{"hs_object_id": id, "email": email, "firstname": "Person", "lastname": strconv.Itoa(i), "createdate": "2025-01-01T00:00:00Z", "lastmodifieddate": "2025-01-01T00:00:00Z"},
		}
		if _, err := tx.Insert("hubspot.contacts", id, value); err != nil {
			b.Fatal(err)
		}
	}
	r.World = tx.Commit()
	m := r.Service.Contract.MatchCall(&specs.Call{Method: method, Path: target})
	if m.Operation == nil {
		b.Fatalf("no operation at %s %s", method, target)
	}
	input, wrong := m.Operation.Read(specs.Request{Path: m.Path, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)})
	if len(wrong) > 0 {
		b.Fatalf("%+v", wrong)
	}
	n := 0
	call := fakes.Call{
		Operation: m.Operation, Contract: r.Service.Contract, Input: input, Header: http.Header{}, Now: r.Now, Identity: "agent", Base: r.Base,
		NewID:      func(prefix string, _ int) string { n++; return prefix + strconv.Itoa(n) },
		IdentityOf: func(credential string) string { return credential },
	}
	b.ReportAllocs()
	for b.Loop() {
		again := call
		again.Tx = r.World.Begin()
		if reply := r.Service.Fake.Answer(&again); reply.Status != want {
			b.Fatal(reply.Status, string(reply.Body))
		}
		again.Tx.Commit()
	}
}

func BenchmarkGet(b *testing.B) {
	benchmark(b, http.StatusOK, "GET", "/crm/v3/objects/contacts/51000", "")
}

func BenchmarkCreate(b *testing.B) {
	benchmark(b, http.StatusCreated, "POST", "/crm/v3/objects/contacts", `{"properties":{"email":"new@example.com","firstname":"New"}}`)
}

func BenchmarkList(b *testing.B) {
	benchmark(b, http.StatusOK, "GET", "/crm/v3/objects/contacts", "")
}

func BenchmarkSearch(b *testing.B) {
	benchmark(b, http.StatusOK, "POST", "/crm/v3/objects/contacts/search", `{"filterGroups":[{"filters":[{"propertyName":"lastname","operator":"EQ","value":"7"}]}]}`)
}

func BenchmarkSearchByAddress(b *testing.B) {
	benchmark(b, http.StatusOK, "POST", "/crm/v3/objects/contacts/search", `{"filterGroups":[{"filters":[{"propertyName":"email","operator":"EQ","value":"person7@example.com"}]}]}`)
}
