package faults

import (
	"fmt"
	"runtime"
	"testing"

	"parity/faults/trail"
)

func nth(n uint64) trail.Intent {
	fingerprint := fmt.Sprintf("%016x", n*0x9e3779b97f4a7c15)
	return trail.Intent{ID: fingerprint + ".1", Fingerprint: fingerprint, Occurrence: 1, Attempt: 1}
}

func remembering(intents int) *Tallies {
	t := NewTallies()
	for n := range intents {
		t.Fold(exchanged(uint64(n+1), nth(uint64(n+1)), met("a", uint64(n+1))))
	}
	return t
}

// One exchange of an intent that is new, met by two rules.
func BenchmarkFoldNewIntent(b *testing.B) {
	for _, known := range []int{0, 20_000} {
		b.Run(fmt.Sprint(known), func(b *testing.B) {
			t := remembering(known)
			events := make([]*trail.Event, 20_000)
			for n := range events {
				seq := uint64(known + n + 1)
				events[n] = exchanged(seq, nth(seq), met("a", seq), met("b", seq))
			}
			b.ReportAllocs()
			b.ResetTimer()
			for n := 0; b.Loop(); n++ {
				if n%len(events) == 0 {
					b.StopTimer()
					t = remembering(known)
					b.StartTimer()
				}
				t.Fold(events[n%len(events)])
			}
		})
	}
}

// One exchange that reads again what was read before.
func BenchmarkFoldRepeatedRead(b *testing.B) {
	t := remembering(20_000)
	event := exchanged(20_001, trail.Intent{}, met("a", 1), met("b", 1))
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		event.Seq++
		event.Exchange.Intent = call(t, "feedfacefeedface", "")
		t.Fold(event)
	}
}

// What is remembered of 100,000 intents is forked, and one exchange folded into
// the fork.
func BenchmarkFork(b *testing.B) {
	for _, known := range []int{0, 100_000} {
		b.Run(fmt.Sprint(known), func(b *testing.B) {
			t := remembering(known)
			b.ReportAllocs()
			b.ResetTimer()
			var fork *Tallies
			for b.Loop() {
				fork = t.Fork()
			}
			runtime.KeepAlive(&fork)
		})
		b.Run(fmt.Sprint(known, " and fold"), func(b *testing.B) {
			t, event := remembering(known), exchanged(100_001, nth(100_001), met("a", 100_001))
			b.ReportAllocs()
			b.ResetTimer()
			for b.Loop() {
				t.Fork().Fold(event)
			}
		})
	}
}
