package zendesk_test

import (
	"fmt"
	"maps"
	"testing"

	"parity/fakes/faketest"
)

// among is a rig with so many tickets, all alike but for their number and every
// hundredth's subject.
func among(b *testing.B, n int) *faketest.Rig {
	b.Helper()
	r := rig(b)
	ticket(r, nil)
	first, ok := r.World.Get("zendesk.tickets", "1")
	if !ok {
		b.Fatal("no ticket was made")
	}
	tx := r.World.Begin()
	for i := 2; i <= n; i++ {
		value := maps.Clone(first.Value())
		value["id"] = int64(i)
		if i%100 == 0 {
			value["subject"] = "Invoice"
		}
		if _, err := tx.Insert("zendesk.tickets", fmt.Sprint(i), value); err != nil {
			b.Fatal(err)
		}
	}
	r.World = tx.Commit()
	return r
}

func benchmark(b *testing.B, status int, method, target string, body any) {
	r := among(b, 100_000)
	before := r.World
	b.ReportAllocs()
	for b.Loop() {
		r.World = before
		r.Must(status, r.JSON(method, target, body))
	}
}

func BenchmarkGetAmong100k(b *testing.B) { benchmark(b, 200, "GET", "/api/v2/tickets/50000.json", nil) }

func BenchmarkCreateAmong100k(b *testing.B) {
	benchmark(b, 201, "POST", "/api/v2/tickets.json", object{"ticket": object{"subject": "x", "comment": object{"body": "y"}}})
}

func BenchmarkUpdateAmong100k(b *testing.B) {
	benchmark(b, 200, "PUT", "/api/v2/tickets/50000", object{"ticket": object{"status": "pending", "comment": object{"body": "y"}}})
}

func BenchmarkListByCursorAmong100k(b *testing.B) {
	benchmark(b, 200, "GET", "/api/v2/tickets?page[size]=100", nil)
}

func BenchmarkListByNumberAmong100k(b *testing.B) {
	benchmark(b, 200, "GET", "/api/v2/tickets?page=50", nil)
}

func BenchmarkSearchAmong100k(b *testing.B) {
	benchmark(b, 200, "GET", "/api/v2/search?query=type:ticket+status:new+invoice", nil)
}
