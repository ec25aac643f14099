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

func full(b *testing.B) (r *rig, id string) {
	b.Helper()
	r = crm(b, "")
	for i := range 1000 {
		id = r.must(201, r.post("/v1/contacts", fmt.Sprintf(`{"email":"c%d@acme.example","last_name":"n%d"}`, i, i%50))).text("id")
	}
	return r, id
}

func BenchmarkCreate(b *testing.B) {
	r, _ := full(b)
	answer(b, r, "POST", "/v1/contacts", `{"email":"ada@acme.example","last_name":"Lovelace","tags":["a","b"]}`)
}

func BenchmarkRead(b *testing.B) {
	r, id := full(b)
	answer(b, r, "GET", "/v1/contacts/"+id, "")
}

func BenchmarkUpdate(b *testing.B) {
	r, id := full(b)
	answer(b, r, "PATCH", "/v1/contacts/"+id, `{"last_name":"Byron"}`)
}

func BenchmarkListOfThousand(b *testing.B) {
	r, _ := full(b)
	answer(b, r, "GET", "/v1/contacts?limit=20&sort=last_name", "")
}
