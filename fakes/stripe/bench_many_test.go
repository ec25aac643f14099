package stripe_test

import (
	"fmt"
	"net/http"
	"testing"
)

// BenchmarkAmongMany asks of a world with 100,000 customers.
func BenchmarkAmongMany(b *testing.B) {
	const many = 100_000
	r := newRig(b)
	one := r.must(200, r.post("/v1/customers", "email=one@example.com")).body
	tx := r.world.Begin()
	for i := range many {
		value := map[string]any{}
		for field, v := range one {
			value[field] = v
		}
		id := fmt.Sprintf("cus_many%06d", i)
		value["id"], value["email"] = id, fmt.Sprintf("c%d@example.com", i)
		if _, err := tx.Insert("stripe.customers", id, value); err != nil {
			b.Fatal(err)
		}
	}
	r.world = tx.Commit()
	for name, ask := range map[string][3]string{
		"get": {"GET", "/v1/customers/cus_many050000", ""}, "create": {"POST", "/v1/customers", "email=new@example.com"},
		"list": {"GET", "/v1/customers?limit=20&starting_after=cus_many050000", ""}, "search": {"GET", "/v1/customers/search?query=email:%22c50000@example.com%22", ""},
	} {
		b.Run(name, func(b *testing.B) {
			call, trouble := r.call(ask[0], ask[1], ask[2], nil)
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
		})
	}
}
