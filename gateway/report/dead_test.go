package report_test

import (
	"bytes"
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/gateway/report"
)

// A rule that could never fire, because of a field that never came, looks like
// one that had nothing to do.
func TestADeadRuleIsToldFirstAndStrictFailsTheRun(t *testing.T) {
	t.Parallel()
	r := report.Report{Run: "run", Ended: true, Strict: true, Agent: &report.Agent{Started: true}, Judgement: trail.Judgement{Valid: true, Scope: trail.Scope{
		Exchanges: 3,
		Faults: []trail.RuleCount{
			{Rule: "lose-it", Matched: 3, Unknown: 3, Unknowing: "when: column 8: result.statsu: there is no such field"},
			{Rule: "idle"},
			{Rule: "once", Matched: 3, Unknown: 2, Unknowing: "when: x"},
		},
	}, Verdicts: []trail.Verdict{
		{Subject: "small", Kind: "expectation", Result: trail.NotEvaluated, Why: "cannot be evaluated: p.yaml:4:5: no"},
		{Subject: "partly", Kind: "expectation", Result: trail.NotEvaluated, Why: "1 of 2: cannot be evaluated: p.yaml:5:5: no"},
	}}}
	if dead := r.Dead(); len(dead) != 2 {
		t.Fatalf("%q", dead)
	}
	if r.Exit = r.HoldStrict(0); r.Exit != report.Failed {
		t.Errorf("ends with %d", r.Exit)
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"terminal": func(b *bytes.Buffer) error { return report.Terminal(b, r, report.Options{Width: 200}) },
		"markdown": func(b *bytes.Buffer) error { return report.Markdown(b, r) },
		"json":     func(b *bytes.Buffer) error { return report.JSON(b, r) },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"its condition could not be evaluated 3 times", "expectation small"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s does not say %q:\n%s", name, want, out.String())
			}
		}
		if strings.Contains(out.String(), "rule idle: its condition") {
			t.Errorf("%s takes what was not exercised for dead", name)
		}
	}
	r.Strict = false
	if r.HoldStrict(0) != report.Nothing {
		t.Error("it fails a run that is not strict")
	}
}
