package verdict

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"parity/faults"
	"parity/faults/trail"
)

// big is a long run of several agents under rules of every fault: reads,
// writes, webhooks and retries, of which every call is struck by one rule.
func big(n int) Input {
	t := newTape()
	all := faults.Catalogue()
	for _, f := range all {
		t.rule(f.Name, f.Name, false)
	}
	for i := 0; len(t.in.Events) < n; i++ {
		t.who = fmt.Sprint("agent-", i%20)
		fault, id := all[i%len(all)].Name, fmt.Sprint("r.", i)
		struck := func(s *shot) *shot {
			s.x.Intent.Fingerprint = fmt.Sprint("f.", i%1000)
			s.strike(fault, fault).x.Strikes[0].Did = "answered otherwise"
			s.x.Strikes[0].Planted = []string{fmt.Sprint("canary_", i)}
			return s
		}
		switch fault {
		case "rate-limit", "quota":
			t.call("GET /v1/charges", id).strike(fault, fault).wait(1e9).put()
			t.call("GET /v1/charges", id).missed(fault, fault, "the wait is over").after(2e9).put()
		case "ambiguous-success", "timeout", "idempotency-conflict":
			struck(t.call(refunds, id)).key(id).refund(fmt.Sprint("re_", 10000000+i)).reset().put()
			t.call("GET /v1/refunds", "g"+id).replies(`{"data":[]}`).put()
			t.call(refunds, id).key(id).put()
		case "connect-refused":
			s := struck(t.call("", ""))
			s.x.Outcome = trail.Refused
			s.put()
		case "redirect", "session-expired":
			struck(t.call("GET /v1/charges", id)).status(307).put()
		case "webhook-disorder":
			struck(t.call(refunds, id)).refund(fmt.Sprint("re_", 10000000+i)).put()
			t.delivers(200)
		default:
			struck(t.call("GET /v1/charges/ch_00000001", id)).replies(`{"id":"ch_00000001","amount":100}`).put()
			t.call(refunds, id).key(id).body(`{"charge":"ch_00000001","reason":"requested"}`).refund(fmt.Sprint("re_", 10000000+i)).put()
		}
	}
	return t.in
}

// BenchmarkJudge says what it costs to judge a run, beside what it costs to
// read it: one plain pass that decodes its events. As a ratio, the figure says
// the same on any machine; one that grows with the run is quadratic.
func BenchmarkJudge(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			in := big(n)
			kept := make([][]byte, len(in.Events))
			codec, err := trail.NewCodec()
			if err != nil {
				b.Fatal(err)
			}
			for i := range in.Events {
				if kept[i], err = codec.Event(&in.Events[i]); err != nil {
					b.Fatal(err)
				}
			}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			began := time.Now()
			events := make([]trail.Event, len(kept))
			for i, one := range kept {
				e, err := codec.ReadEvent(one)
				if err != nil {
					b.Fatal(err)
				}
				events[i] = e
			}
			plain := time.Since(began)
			runtime.GC()
			runtime.ReadMemStats(&after)
			in.Events = events
			b.ReportAllocs()
			b.ResetTimer()
			for b.Loop() {
				Judge(in)
			}
			each := float64(b.Elapsed()) / float64(b.N)
			b.ReportMetric(each/float64(n), "ns/exchange")
			b.ReportMetric(each/float64(plain), "x-of-decoding")
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(n), "kept-B/exchange")
		})
	}
}
