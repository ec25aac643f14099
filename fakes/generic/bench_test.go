package generic_test

import (
	"fmt"
	"testing"
)

// answer measures the fake alone: the call is decoded before.
func answer(b *testing.B, r *rig, method, target, body string) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		call, trouble := r.call(method, target, body, nil)
		if trouble != nil {
			b.Fatal(trouble.Violations)
		}
		b.StartTimer()
		if reply := r.service.Fake.Answer(call); reply.Status >= 300 {
			b.Fatalf("%d %s", reply.Status, reply.Body)
		}
	}
}

// filled plays a CRM with some contacts, and gives the id of the last.
func filled(b *testing.B, contacts int) (r *rig, id string) {
	b.Helper()
	r = crm(b, "")
	for i := range contacts {
		id = r.must(201, r.post("/v1/contacts", fmt.Sprintf(`{"email":"c%d@acme.example","last_name":"n%d"}`, i, i%50))).text("id")
	}
	return r, id
}

func BenchmarkCreate(b *testing.B) {
	r, _ := filled(b, 1000)
	answer(b, r, "POST", "/v1/contacts", `{"email":"ada@acme.example","last_name":"Lovelace","tags":["a","b"]}`)
}

func BenchmarkRead(b *testing.B) {
	r, id := filled(b, 1000)
	answer(b, r, "GET", "/v1/contacts/"+id, "")
}

func BenchmarkUpdate(b *testing.B) {
	r, id := filled(b, 1000)
	answer(b, r, "PATCH", "/v1/contacts/"+id, `{"last_name":"Byron"}`)
}

// BenchmarkList is a page of twenty, of forty members and of many: as they were
// made, and by a field.
func BenchmarkList(b *testing.B) {
	for _, members := range []int{40, 10_000} {
		r, _ := filled(b, members)
		for name, query := range map[string]string{"made": "limit=20", "filtered": "limit=20&status=active", "sorted": "limit=20&sort=last_name"} {
			b.Run(fmt.Sprintf("%s/%d", name, members), func(b *testing.B) { answer(b, r, "GET", "/v1/contacts?"+query, "") })
		}
	}
}
