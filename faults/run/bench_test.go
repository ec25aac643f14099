package run_test

import (
	"bytes"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"testing"
	"time"

	"parity/fakes/clock"
	"parity/fakes/world"
	"parity/faults/run"
	"parity/faults/trail"
)

// tape is a journal that keeps events, or drops them.
type tape struct {
	codec *trail.Codec
	drop  bool

	mu     sync.Mutex
	events [][]byte
}

func (t *tape) Append(_ uint64, data []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.drop {
		t.events = append(t.events, bytes.Clone(data))
	}
	return nil
}

func (t *tape) from(seq uint64) iter.Seq2[trail.Event, error] {
	return func(yield func(trail.Event, error) bool) {
		for _, data := range t.events[seq-1:] {
			if e, err := t.codec.ReadEvent(data); !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// crowded is a run whose world has n records.
func crowded(b *testing.B, n int, drop bool) (*run.Run, *tape) {
	b.Helper()
	w, err := world.New(world.Collection{Name: "stripe.charges", Indexes: []string{"customer"}})
	if err != nil {
		b.Fatal(err)
	}
	tx := w.Begin()
	for i := range n {
		if _, err := tx.Insert("stripe.charges", fmt.Sprint("ch_", i), charge(i)); err != nil {
			b.Fatal(err)
		}
	}
	c, err := clock.New(clock.Options{Mode: clock.Stepped, Start: start}, start)
	if err != nil {
		b.Fatal(err)
	}
	codec, err := trail.NewCodec()
	if err != nil {
		b.Fatal(err)
	}
	t := &tape{codec: codec, drop: drop}
	return run.New(run.Options{ID: "r", Seed: 7, State: run.NewState(tx.Commit(), c), Sink: t, Codec: codec, Wall: clock.System{}, Events: t.from}), t
}

func charge(i int) map[string]any {
	return map[string]any{"id": fmt.Sprint("ch_", i), "amount": int64(i), "customer": fmt.Sprint("cus_", i%1000), "paid": true}
}

// BenchmarkAtHead is what a run costs to fork, to name and to set back, when
// its world has a few records and when it has a million: it must not depend on
// that.
func BenchmarkAtHead(b *testing.B) {
	for _, records := range []int{10, 1_000_000} {
		r, _ := crowded(b, records, true)
		for i := range 1000 { // with a past
			if _, err := r.Decide(start, time.Time{}, replace(b, i%10)); err != nil {
				b.Fatal(err)
			}
		}
		for name, do := range map[string]func() error{
			"fork":     func() error { s := r.State(); s.Rebase(); return nil },
			"snapshot": func() error { _, err := r.TakeSnapshot("here"); return err },
			"reset":    r.Reset,
		} {
			b.Run(fmt.Sprint(name, "/", records), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := do(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// replace is a decision that updates a charge.
func replace(b *testing.B, i int) func(*run.Turn) *trail.Event {
	return func(t *run.Turn) *trail.Event {
		if _, err := t.Tx().Update("stripe.charges", fmt.Sprint("ch_", i), charge(i)); err != nil {
			b.Error(err)
		}
		e := exchange()
		e.Exchange.Intent.Fingerprint = fmt.Sprint("f", i)
		return e
	}
}

// BenchmarkAtFrame is a fork in the middle of 100,000 events, half of which
// write a record.
func BenchmarkAtFrame(b *testing.B) {
	const events = 100_000
	r, _ := crowded(b, 10, false)
	for i := range events {
		decide := replace(b, i%10)
		if i%2 == 0 {
			decide = func(t *run.Turn) *trail.Event {
				id := fmt.Sprint("new_", i)
				if _, err := t.Tx().Insert("stripe.charges", id, charge(i)); err != nil {
					b.Error(err)
				}
				return exchange()
			}
		}
		if _, err := r.Decide(start, time.Time{}, decide); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	n := uint64(0)
	var slowest time.Duration
	for b.Loop() {
		n = (n*48271 + 11) % events
		began := time.Now()
		if _, err := r.At(n + 1); err != nil {
			b.Fatal(err)
		}
		slowest = max(slowest, time.Since(began))
	}
	b.ReportMetric(float64(slowest.Milliseconds()), "slowest-ms")
	runtime.KeepAlive(r)
}
