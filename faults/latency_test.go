package faults_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"parity/fakes/chance"
	"parity/faults"
)

// Of 10,000 keyed draws, as many lie below each quantile as it says, within
// three standard deviations of the binomial distribution. In between, latencies
// are even in their logarithm: half of those from p50 to p95 lie below their
// geometric mean.
func TestLatencyFollowsItsQuantiles(t *testing.T) {
	t.Parallel()
	const draws = 10_000
	p50, p95, p99 := 120*time.Millisecond, 900*time.Millisecond, 4*time.Second
	fault, _ := faults.Lookup("latency")
	injection, err := fault.Build(map[string]any{"p50": "120ms", "p95": "900ms", "p99": "4s"})
	if err != nil {
		t.Fatal(err)
	}
	mean := func(a, b time.Duration) time.Duration {
		return time.Duration(math.Sqrt(float64(a) * float64(b)))
	}
	bounds := []struct {
		below time.Duration
		share float64
	}{
		{p50 / 4, 0}, {p50 / 2, 0.25}, {p50, 0.5}, {mean(p50, p95), 0.725}, {p95, 0.95}, {mean(p95, p99), 0.97}, {p99, 0.99}, {4*p99 + 1, 1},
	}
	for seed := range chance.Seed(5) {
		below := make([]int, len(bounds))
		for i := range draws {
			var plan faults.Plan
			injection.Apply(&plan, faults.CallContext{Draw: func(purpose string) float64 {
				return chance.Draw(seed, "slow", purpose, "stripe-a", fmt.Sprint("intent ", i))
			}})
			for j, b := range bounds {
				if plan.Wire.Delay < b.below {
					below[j]++
				}
			}
		}
		for j, b := range bounds {
			want, spread := draws*b.share, 3*math.Sqrt(draws*b.share*(1-b.share))
			if math.Abs(float64(below[j])-want) > spread {
				t.Errorf("seed %d: %d of %d below %v; want %.0f ± %.0f", seed, below[j], draws, b.below, want, spread)
			}
		}
	}
}
