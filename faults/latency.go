package faults

import (
	"errors"
	"math"
	"time"
)

// latency makes the first byte, or the body, late.
//
//	request ─▶ act ─▶ commit ─┄┄ wait ┄┄─▶ reply
func latency() *Fault {
	return &Fault{
		Name:     "latency",
		Phase:    InReply,
		Live:     LiveReply,
		Summary:  "A late first byte, or a late body.",
		Reaction: "Slow is not failed: no second call with the same intent while the first is open.",
		Judging:  Judging{Class: Slow},
		Forms:    []Form{{Rank: 270, With: map[string]any{"fixed": "3s"}, Fits: fitsAll}},
		Declares: "timing",
		Example: `slow-everything:
  call: "*"
  inject: latency
  with: {p50: 120ms, p95: 900ms, p99: 4s}`,
		Params: []Param{
			{Name: "fixed", Kind: Duration, Max: int64(time.Hour), Doc: "always this long", Example: "2s"},
			{Name: "from", Kind: Duration, Max: int64(time.Hour), Doc: "lower end of an even spread; with to", Example: "100ms"},
			{Name: "to", Kind: Duration, Max: int64(time.Hour), Doc: "upper end of an even spread; with from", Example: "2s"},
			{Name: "p50", Kind: Duration, Max: int64(time.Hour), Doc: "median; with p95 and p99", Example: "120ms"},
			{Name: "p95", Kind: Duration, Max: int64(time.Hour), Doc: "95th percentile", Example: "900ms"},
			{Name: "p99", Kind: Duration, Max: int64(time.Hour), Doc: "99th percentile", Example: "4s"},
			{Name: "part", Kind: Choice, Choices: []string{"head", "body"}, Default: "head", Doc: "what is late: everything, or the body after its head", Example: "body"},
		},
		build: buildLatency,
	}
}

type delay struct {
	sample func(u float64) time.Duration
	body   bool
}

func buildLatency(a Args) (Injection, error) {
	d := delay{body: a.text("part") == "body"}
	fixed, spread, quantiles := a.has("fixed"), a.has("from") || a.has("to"), a.has("p50") || a.has("p95") || a.has("p99")
	switch {
	case fixed && !spread && !quantiles:
		d.sample = func(float64) time.Duration { return a.duration("fixed") }
	case spread && !fixed && !quantiles:
		from, to := a.duration("from"), a.duration("to")
		if to < from || !a.has("to") {
			return nil, &ArgError{Key: "to", Message: "from and to go together, and to is the longer one"}
		}
		d.sample = func(u float64) time.Duration { return from + time.Duration(u*float64(to-from)) }
	case quantiles && !fixed && !spread:
		p50, p95, p99 := a.duration("p50"), a.duration("p95"), a.duration("p99")
		if !a.has("p50") || !a.has("p95") || !a.has("p99") || p50 > p95 || p95 > p99 || p50 <= 0 {
			return nil, &ArgError{Key: "p50", Message: "p50, p95 and p99 go together, none is zero, and each is at least the one before"}
		}
		d.sample = func(u float64) time.Duration { return quantile(u, p50, p95, p99) }
	default:
		return nil, errors.New("latency wants one of: fixed; from and to; p50, p95 and p99")
	}
	return d, nil
}

func (d delay) Apply(p *Plan, m CallContext) Mark {
	wait := d.sample(m.Draw("latency"))
	if d.body {
		p.Wire.BodyWait += wait
	} else {
		p.Wire.Delay += wait
	}
	return Mark{}
}

// quantile maps an even draw to a latency whose quantiles are exactly p50, p95
// and p99: piecewise linear in the logarithm. Below the median it falls to a
// quarter of it; above p99 it goes on along the last slope, and never past
// four times p99.
func quantile(u float64, p50, p95, p99 time.Duration) time.Duration {
	at := func(lo, hi, from, to float64) time.Duration {
		share := (u - lo) / (hi - lo)
		return time.Duration(math.Exp(math.Log(from) + share*(math.Log(to)-math.Log(from))))
	}
	f50, f95, f99 := float64(p50), float64(p95), float64(p99)
	switch {
	case u < 0.50:
		return at(0, 0.50, f50/4, f50)
	case u < 0.95:
		return at(0.50, 0.95, f50, f95)
	case u < 0.99:
		return at(0.95, 0.99, f95, f99)
	}
	return at(0.99, 1, f99, min(4*f99, f99*math.Max(f99/f95, 1)))
}
