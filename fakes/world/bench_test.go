package world_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"

	"parity/fakes/world"
)

// chargeFields are those of a Stripe charge that benchmarks leave null.
const chargeFields = "amount_captured application application_fee application_fee_amount balance_transaction calculated_statement_descriptor " +
	"description destination dispute disputed failure_balance_transaction failure_code failure_message fraud_details invoice " +
	"on_behalf_of order outcome paid payment_intent payment_method receipt_email receipt_number receipt_url refunded review shipping " +
	"source source_transfer statement_descriptor statement_descriptor_suffix status transfer_data transfer_group"

// charge is a record as large as they come: 45 fields and 10 nested ones.
func charge(id, customer string) object {
	c := object{
		"id": id, "object": "charge", "amount": int64(2000), "amount_refunded": int64(0),
		"currency": "usd", "customer": customer, "captured": true, "created": int64(1772456400), "livemode": false,
		"payment_method_details": object{"type": "card", "card": object{"brand": "visa", "last4": "4242", "exp_month": int64(4), "exp_year": int64(2030)}},
		"metadata":               object{"order_id": "6735", "note": "second try"},
	}
	for _, name := range strings.Fields(chargeFields) {
		c[name] = nil
	}
	return c
}

func filled(b *testing.B, n int) *world.World {
	b.Helper()
	w := must(world.New(world.Collection{Name: things, Indexes: []string{"customer", "metadata.order_id"}}, world.Collection{Name: "other"}))
	tx := w.Begin()
	for i := range n {
		must(tx.Insert(things, fmt.Sprintf("ch_%08x", uint32(i)*2654435761), object{"customer": fmt.Sprint("cus_", i/10), "n": i}))
	}
	return tx.Commit()
}

func each(b *testing.B, run func(b *testing.B, w *world.World, id string, n int)) {
	for _, n := range []int{100, 10_000, 300_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := filled(b, n)
			b.ReportAllocs()
			b.ResetTimer()
			run(b, w, fmt.Sprintf("ch_%08x", uint32(n/2)*2654435761), n)
		})
	}
}

func BenchmarkGet(b *testing.B) {
	each(b, func(b *testing.B, w *world.World, id string, n int) {
		for i := uint32(0); b.Loop(); i = (i + 7919) % uint32(n) {
			if _, ok := w.Get(things, id); !ok {
				b.Fatal("missing")
			}
		}
	})
}

// An exchange that creates one record: begin, insert, commit.
func BenchmarkInsertCommit(b *testing.B) {
	each(b, func(b *testing.B, w *world.World, _ string, _ int) {
		value := object{"customer": "cus_1"}
		for b.Loop() {
			tx := w.Begin()
			must(tx.Insert(things, "new", value))
			tx.Commit()
		}
	})
}

// A run of 20,000 records that goes on: each exchange creates another record,
// with an id of its own, and publishes the world.
func BenchmarkInsertGrowing(b *testing.B) {
	w := filled(b, 20_000)
	b.ReportAllocs()
	b.ResetTimer()
	for n := uint32(20_000); b.Loop(); n++ {
		tx := w.Begin()
		must(tx.Insert(things, fmt.Sprintf("ch_%08x", n*2654435761), object{"customer": "cus_1"}))
		w = tx.Commit()
	}
}

// What a fake writes when it creates a record: the record, and an event that
// holds it.
func BenchmarkInsertWithEvent(b *testing.B) {
	w := filled(b, 20_000)
	value, event := charge("new", "cus_1"), object{"id": "evt", "object": "event", "type": "charge.created", "created": int64(1772456400)}
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		tx := w.Begin()
		r := must(tx.Insert(things, "new", value))
		event["data"] = object{"object": r.Value()}
		must(tx.Insert("other", "evt", event))
		tx.Commit()
	}
}

// What a run that is rebuilt does for such an event: its bytes are looked at, and
// not decoded.
func BenchmarkApply(b *testing.B) {
	w := filled(b, 20_000)
	tx := w.Begin()
	r := must(tx.Insert(things, "new", charge("new", "cus_1")))
	must(tx.Insert("other", "evt", object{"id": "evt", "object": "event", "type": "charge.created", "data": object{"object": r.Value()}}))
	b.SetBytes(int64(2 * len(r.JSON())))
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		must(w.Apply(tx.Changes()))
	}
}

func BenchmarkUpdateCommit(b *testing.B) {
	each(b, func(b *testing.B, w *world.World, id string, _ int) {
		r, _ := w.Get(things, id)
		for b.Loop() {
			tx := w.Begin()
			must(tx.Update(things, id, r.Value()))
			tx.Commit()
		}
	})
}

func BenchmarkFork(b *testing.B) {
	w := filled(b, 100)
	b.ReportAllocs()
	for b.Loop() {
		w.Begin().Commit()
	}
}

func BenchmarkListTwenty(b *testing.B) {
	take := func(records iter.Seq[*world.Record]) (n int) {
		for range records {
			if n++; n == 20 {
				break
			}
		}
		return n
	}
	each(b, func(b *testing.B, w *world.World, _ string, n int) {
		for b.Loop() {
			take(w.Newest(things, uint64(n)/2))
		}
	})
}

func BenchmarkFind(b *testing.B) {
	each(b, func(b *testing.B, w *world.World, _ string, n int) {
		customer := fmt.Sprint("cus_", n/20)
		for b.Loop() {
			for range w.Find(things, "customer", customer, 0) {
			}
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	c := charge("ch_1", "cus_1")
	b.ReportAllocs()
	for b.Loop() {
		world.Encode(c)
	}
}

// BenchmarkEncodeStandard is encoding/json on the same record, to compare with
// on a machine that others use too.
func BenchmarkEncodeStandard(b *testing.B) {
	c := charge("ch_1", "cus_1")
	b.ReportAllocs()
	for b.Loop() {
		must(json.Marshal(c))
	}
}

func BenchmarkNormalise(b *testing.B) {
	c := charge("ch_1", "cus_1")
	b.ReportAllocs()
	for b.Loop() {
		world.Normalise(c)
	}
}

func BenchmarkDecode(b *testing.B) {
	data := world.Encode(charge("ch_1", "cus_1"))
	b.ReportAllocs()
	for b.Loop() {
		must(world.Decode(data))
	}
}
