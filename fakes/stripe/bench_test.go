package stripe_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"parity/fakes"
)

// The budget: a read about 1 µs, a created intent about 15 µs, both within the
// fake alone: no matching, decoding or journal.
func benchmark(b *testing.B, method, target, form string, header http.Header) {
	r := newRig(b)
	for range 50 {
		r.must(200, r.post("/v1/payment_intents", "amount=2000&currency=usd"))
	}
	if target == "ID" {
		target = "/v1/payment_intents/" + r.get("/v1/payment_intents?limit=1").ids()[0]
	}
	call, trouble := r.call(method, target, form, header)
	if trouble != nil {
		b.Fatalf("%+v", trouble)
	}
	b.ReportAllocs()
	for b.Loop() {
		again := *call
		again.Tx = r.world.Begin()
		if reply := r.service.Fake.Answer(&again); reply.Status != http.StatusOK {
			b.Fatal(string(reply.Body))
		}
		again.Tx.Commit()
	}
}

func BenchmarkGet(b *testing.B) { benchmark(b, "GET", "ID", "", nil) }

func BenchmarkListTwenty(b *testing.B) {
	benchmark(b, "GET", "/v1/payment_intents?limit=20", "", nil)
}

func BenchmarkPostIntent(b *testing.B) {
	benchmark(b, "POST", "/v1/payment_intents", "amount=2000&currency=usd", nil)
}

func BenchmarkPostIntentKeyed(b *testing.B) {
	benchmark(b, "POST", "/v1/payment_intents", "amount=2000&currency=usd", http.Header{"Idempotency-Key": {"k"}})
}

func BenchmarkPostIntentConfirmed(b *testing.B) {
	benchmark(b, "POST", "/v1/payment_intents", payment, http.Header{"Idempotency-Key": {"k"}})
}

func BenchmarkUnkeyedWord(b *testing.B) {
	r := newRig(b)
	_, trouble := r.call("POST", "/v1/payment_intents", "currency=usd", nil)
	for b.Loop() {
		r.service.Fake.(fakes.Dialect).Render(*trouble)
	}
}

// BenchmarkGetAmong reads one customer among ten and among a million, in
// interleaved rounds: what is far:ratio times as long must not be much.
func BenchmarkGetAmong(b *testing.B) {
	among := func(n int) func() {
		r := newRig(b)
		tx := r.world.Begin()
		for i := range n {
			id := fmt.Sprintf("cus_%07d", i)
			if _, err := tx.Insert("stripe.customers", id, map[string]any{"id": id, "object": "customer"}); err != nil {
				b.Fatal(err)
			}
		}
		r.world = tx.Commit()
		call, trouble := r.call("GET", fmt.Sprintf("/v1/customers/cus_%07d", n/2), "", nil)
		if trouble != nil {
			b.Fatalf("%+v", trouble)
		}
		return func() {
			again := *call
			again.Tx = r.world.Begin()
			if reply := r.service.Fake.Answer(&again); reply.Status != http.StatusOK {
				b.Fatal(string(reply.Body))
			}
		}
	}
	few, many := among(10), among(1_000_000)
	var near, far time.Duration
	const round = 1000
	for b.Loop() {
		began := time.Now()
		for range round {
			few()
		}
		near += time.Since(began)
		began = time.Now()
		for range round {
			many()
		}
		far += time.Since(began)
	}
	b.ReportMetric(float64(far)/float64(near), "far:ratio")
}
