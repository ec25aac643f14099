package sendgrid_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"parity/fakes"
	"parity/specs"
)

const among = 100_000

// call makes a request of a world once, decoded and found valid.
func call(b *testing.B, r *rigOf, method, target string, body any) *fakes.Call {
	b.Helper()
	var raw []byte
	if body != nil {
		raw, _ = json.Marshal(body)
	}
	header := http.Header{"Content-Type": {"application/json"}}
	path, query := target, ""
	for i := range target {
		if target[i] == '?' {
			path, query = target[:i], target[i+1:]
			break
		}
	}
	match := r.Service.Contract.MatchCall(&specs.Call{Method: method, Path: path, Query: query})
	input, wrong := match.Operation.Read(specs.Request{Path: match.Path, Query: query, Header: header, Body: raw})
	if len(wrong) > 0 {
		b.Fatalf("%+v", wrong)
	}
	n := 0
	return &fakes.Call{
		Operation: match.Operation, Contract: r.Service.Contract, Input: input, Header: header, Body: raw, Now: r.Now, Identity: "sendgrid-bench", Base: r.Base,
		NewID: func(prefix string, _ int) string { n++; return fmt.Sprintf("%sb%021d", prefix, n) }, IdentityOf: func(s string) string { return s },
	}
}

// run answers one call again and again, each time in the same world, within the
// fake alone: no matching, decoding or journal.
func run(b *testing.B, status int, method, target string, body any, fill func(tx insert)) {
	r := benchRig(b, fill)
	c := call(b, r, method, target, body)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		again := *c
		again.Tx = r.World.Begin()
		again.Identity = fmt.Sprint("sendgrid-", i) // a key of its own: no limit is met
		if reply := r.Service.Fake.Answer(&again); reply.Status != status {
			b.Fatal(reply.Status, string(reply.Body))
		}
		again.Tx.Commit()
	}
}

func fillContacts(put insert) {
	for i := range among {
		id := fmt.Sprintf("c%06d", i)
		put("contacts", id, m{"id": id, "email": id + "@example.net", "first_name": fmt.Sprint("N", i%100), "list_ids": []any{}})
	}
}

func fillBounces(put insert) {
	for i := range among {
		id := fmt.Sprintf("b%06d@example.net", i)
		put("bounces", id, m{"id": id, "email": id, "created": int64(i), "reason": "550", "status": "5.1.1"})
	}
}

func fillMessages(put insert) {
	for i := range among {
		id := fmt.Sprintf("m%06d", i)
		put("messages", id, m{"id": id, "from_email": "a@example.com", "subject": "s", "to_email": id + "@example.net", "status": "delivered", "last_event_time": "2026-01-01T00:00:00Z"})
	}
}

func BenchmarkGet(b *testing.B) {
	run(b, 200, "GET", "/v3/marketing/contacts/c050000", nil, fillContacts)
}

func BenchmarkSend(b *testing.B) {
	run(b, 202, "POST", "/v3/mail/send", mailTo("ada@example.net"), fillBounces)
}

func BenchmarkListBounces(b *testing.B) {
	run(b, 200, "GET", "/v3/suppression/bounces?limit=20", nil, fillBounces)
}

func BenchmarkSearchMessages(b *testing.B) {
	run(b, 200, "GET", "/v3/messages?query=to_email%3D%22m050000%40example.net%22", nil, fillMessages)
}

func BenchmarkSearchContacts(b *testing.B) {
	run(b, 200, "POST", "/v3/marketing/contacts/search", m{"query": "email = 'c050000@example.net'"}, fillContacts)
}
