package series

import (
	"testing"
	"time"

	"parity/faults/trail"
	"parity/gateway/report"
	"parity/gateway/sweep"
)

// A sweep in which nothing shows whether a payment was made twice ended with 0,
// with --strict too. What is open without faults as well is held against no cell.
func TestASweepThatLeavesItOpen(t *testing.T) {
	t.Parallel()
	left := trail.Verdict{Subject: trail.OneEffect, Kind: "always", Result: trail.NotEvaluated}
	doubted := trail.Verdict{Subject: "timeout", Kind: "fault", Result: trail.NotEvaluated, Doubt: true}
	for _, c := range []struct {
		name       string
		strict     bool
		calm, cell []trail.Verdict
		outcome    sweep.Outcome
		open, code int
		why        string
	}{
		{"nothing", true, nil, nil, sweep.Handled, 0, report.Nothing, "no cell was mishandled"},
		{"not asked", false, nil, []trail.Verdict{left, doubted}, sweep.NotEvaluated, 2, report.Nothing, "no cell was mishandled"},
		{"a cell", true, nil, []trail.Verdict{left, doubted}, sweep.NotEvaluated, 2, report.Failed, "--strict, and 1 cell left open whether an intent took effect twice"},
		{"anyway", true, []trail.Verdict{left}, []trail.Verdict{left}, sweep.Handled, 0, report.Nothing, "no cell was mishandled"},
		{"mishandled too", true, nil, []trail.Verdict{doubted}, sweep.Mishandled, 1, report.Failed, "1 cell mishandled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &sweeping{series: &Series{}}
			s.calm.Report = report.Report{Ended: true, Strict: c.strict, Judgement: trail.Judgement{Verdicts: c.calm}}
			d := Done{Report: report.Report{Ended: true, Judgement: trail.Judgement{Verdicts: c.cell}}}
			open := s.open(&d)
			code, why := s.exit(&report.Sweep{Cells: []report.Cell{{Outcome: string(c.outcome), Open: open}}})
			if len(open) != c.open || code != c.code || why != c.why {
				t.Errorf("open %q, code %d: %s", open, code, why)
			}
		})
	}
}

// A sweep that could not come to its end within its budget said so at its end.
func TestASweepThatWillNotFitSaysSoAtOnce(t *testing.T) {
	t.Parallel()
	const budget = 5 * time.Minute
	if said := tooMuch(20, 2, 4*time.Second, budget, budget); said != "" {
		t.Errorf("it fits: %s", said)
	}
	want := "that takes 10m0s or longer, and --budget allows 5m0s, which is enough for about 100 cells, the worst first: for all of them say --budget 25m, or --budget 0; for fewer, --max-cells 100"
	if said := tooMuch(200, 2, 6*time.Second, budget, budget); said != want {
		t.Errorf("%s", said)
	}
}
