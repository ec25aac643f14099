package exchange

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"parity/fakes/builtin"
	"parity/fakes/clock"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/metrics"
	"parity/profiles"
	"parity/specs"
)

// underRules gives an exchange under so many rules of one text.
func underRules(tb testing.TB, n int, rule string) *Exchange {
	tb.Helper()
	catalogue, err := builtin.Catalogue()
	if err != nil {
		tb.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("profile: many\nservices: {stripe: {}}\nfaults:\n")
	for i := range n {
		fmt.Fprintf(&text, "  rule-%d: %s\n", i, rule)
	}
	if n == 0 {
		text.WriteString("  {}\n")
	}
	p, err := profiles.Parse("many.yaml", []byte(text.String()), profiles.Options{Catalogue: catalogue})
	if err != nil {
		tb.Fatal(err)
	}
	var kinds []string
	for _, f := range faults.Catalogue() {
		kinds = append(kinds, f.Name)
	}
	l := New(Options{Metrics: metrics.New(metrics.Options{Faults: kinds, Reasons: Reasons()}), Wall: clock.System{}, Log: slog.New(slog.DiscardHandler)})
	rev, err := l.Compile(p)
	if err != nil {
		tb.Fatal(err)
	}
	service, _ := catalogue.Service("stripe")
	op, _ := service.Contract.Operation("POST /v1/refunds")
	x := &Exchange{line: l, rev: rev, run: &Run{Run: &run.Run{ID: "one", Seed: 7}}}
	x.arrived = arrived{
		service: service, op: op, known: rev.about(op), identity: "agent", input: specs.Input{Body: map[string]any{"charge": "ch_1", "amount": int64(500)}},
		r: &http.Request{Method: http.MethodPost, URL: &url.URL{Path: "/v1/refunds"}, Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}},
	}
	x.entry = trail.Exchange{Intent: trail.Intent{ID: "i.1", Fingerprint: "i", Occurrence: 1, Attempt: 1}}
	return x
}

// meet is the rules step of one exchange.
func (x *Exchange) meet(t *run.Turn) {
	x.plan, x.entry.Strikes = faults.Plan{}, x.entry.Strikes[:0]
	x.consider(t, x.rules(t.State, t.Now))
}

func atFirst() *run.Turn {
	began := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
	return &run.Turn{Now: began, State: &run.State{Tallies: faults.NewTallies(), Began: began}}
}

const elsewhere = "{call: stripe GET /v1/charges, inject: timeout}"

// A call that no rule is about allocates nothing for faults, however many rules
// there are.
func TestAnUnmatchedCallAllocatesNothingForFaults(t *testing.T) {
	for _, n := range []int{0, 200} {
		x, turn := underRules(t, n, elsewhere), atFirst()
		if allocs := testing.AllocsPerRun(100, func() { x.meet(turn) }); allocs != 0 {
			t.Errorf("%d rules that are about other calls: %v allocations", n, allocs)
		}
	}
}

// BenchmarkRules is the rules step of one exchange under 200 rules that do not
// fire. Read the ratios to one such rule.
func BenchmarkRules(b *testing.B) {
	for _, c := range []struct{ name, rule string }{
		{"another-call", elsewhere},
		{"condition", "{call: stripe POST /v1/refunds, when: request.body.amount > 10_000, inject: timeout}"},
		{"two-conditions", `{call: stripe POST /v1/refunds, when: request.body.amount > 100 and request.body.reason?.length == 3, inject: timeout}`},
		{"trigger", "{call: stripe POST /v1/refunds, inject: latency, with: {fixed: 1s}, trigger: {nth: 9}}"},
	} {
		turn := atFirst()
		one := underRules(b, 1, c.rule)
		const rounds = 2_000
		began := time.Now()
		for range rounds {
			one.meet(turn)
		}
		single := float64(time.Since(began).Nanoseconds()) / rounds
		b.Run(c.name, func(b *testing.B) {
			many := underRules(b, 200, c.rule)
			b.ReportAllocs()
			for b.Loop() {
				many.meet(turn)
			}
			each := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			b.ReportMetric(each/max(1, single), "times-one-rule")
		})
	}
}
