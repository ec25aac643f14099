package report

import (
	"slices"
	"testing"

	"parity/faults/trail"
)

func TestSARIF(t *testing.T) {
	t.Parallel()
	r := sample()
	failing(&r)
	r.Verdicts[0].At = &trail.Place{File: "my profiles/rough.yaml", Line: 12, Column: 3}
	r.Verdicts[0].Scope.Operations = []string{"stripe POST /v1/refunds"}
	r.Verdicts[1].Kind, r.Verdicts[1].Grades = "expectation", "order"
	run := sarifOf(t, r)
	if len(run.Results) != 2 || len(run.Tool.Driver.Rules) != 3 {
		t.Fatalf("%d results, %d rules", len(run.Results), len(run.Tool.Driver.Rules))
	}
	first := run.Results[0]
	at := first.Locations[0]
	if first.RuleID != "faults.lose-a-big-refund" || first.Kind != "fail" || first.Level != "error" ||
		at.Physical.Artifact.URI != "my%20profiles/rough.yaml" || at.Physical.Region.Line != 12 || at.Logical[0].Name != "stripe POST /v1/refunds" {
		t.Errorf("%+v", first)
	}
	if rule := run.Tool.Driver.Rules[first.RuleIndex]; rule.ID != first.RuleID || rule.Full == nil || rule.Help == nil {
		t.Errorf("its rule says nothing: %+v", rule)
	}
	if always := run.Results[1]; always.RuleID != "always.one-effect-per-intent" || always.Locations[0].Physical.Artifact.URI != "my-agent" {
		t.Errorf("%+v", always)
	}
	if !slices.Equal(run.Properties.Passed, []string{"expect.slow-everything"}) || len(run.Properties.NotProved) == 0 {
		t.Errorf("%+v", run.Properties)
	}
}

// Each sort of verdict has a kind of its own, and only what failed has a level.
func TestSARIFKinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v           trail.Verdict
		kind, level string
	}{
		{trail.Verdict{Result: trail.Failed}, "fail", "error"},
		{trail.Verdict{Result: trail.InvalidRun}, "fail", "warning"},
		{trail.Verdict{Result: trail.NotEvaluated, Reaction: trail.CutShort}, "open", "none"},
		{trail.Verdict{Result: trail.NotEvaluated, Weakened: []string{"no-lag"}}, "review", "none"},
	} {
		c.v.Subject, c.v.Kind = "x", "fault"
		r := sample()
		r.Verdicts = []trail.Verdict{c.v}
		got := sarifOf(t, r).Results[0]
		if got.Kind != c.kind || got.Level != c.level || got.Message.Text == "" {
			t.Errorf("%s: %s, %s, %q", c.v.Result, got.Kind, got.Level, got.Message.Text)
		}
	}
}

func TestSARIFIsSomewhere(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]Report{
		"profiles/a.yaml":    {Profile: "profiles/a.yaml", Command: []string{"python", "agent.py"}},
		"src/agent.py":       {Profile: "lost-replies", Command: []string{"python", "-u", "src/agent.py", "--x"}},
		"my-agent":           {Command: []string{"my-agent", "--port", "/etc/x.conf"}},
		"agent":              {},
		"file:///etc/p.yaml": {Profile: "/etc/p.yaml"},
		"./odd:name/p.yaml":  {Profile: "odd:name/p.yaml"},
		"a%25b/%C3%A9.yaml":  {Profile: "a%b/é.yaml"},
	} {
		r.Verdicts = []trail.Verdict{{Subject: "x", Kind: "always", Result: trail.Failed}}
		if got := sarifOf(t, r).Results[0].Locations[0].Physical.Artifact.URI; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
