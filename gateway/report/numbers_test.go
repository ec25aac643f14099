package report

import (
	"bytes"
	"encoding/json"
	"math"
	"math/bits"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"parity/faults/trail"
)

func TestPassK(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		passed, of int
		want       []float64
	}{
		{0, 0, []float64{}},
		{0, 2, []float64{0, 0}},
		{3, 3, []float64{1, 1, 1}},
		{4, 6, []float64{4.0 / 6, 6.0 / 15, 4.0 / 20, 1.0 / 15, 0, 0}}, // C(4,k)/C(6,k)
	} {
		if diff := cmp.Diff(c.want, PassK(c.passed, c.of), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("%d of %d: %s", c.passed, c.of, diff)
		}
	}
}

// pass^k is the share of all choices of k runs in which each passed.
func TestPassKIsTheShareOfChoices(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 10).Draw(t, "n")
		passed := rapid.IntRange(0, n).Draw(t, "passed")
		all, whole := make([]int, n+1), make([]int, n+1) // choices, and those without a failure, by their size
		for choice := range uint(1) << n {
			k := bits.OnesCount(choice)
			all[k]++
			if choice>>passed == 0 { // the first ones are those that passed
				whole[k]++
			}
		}
		for i, got := range PassK(passed, n) {
			if want := float64(whole[i+1]) / float64(all[i+1]); math.Abs(got-want) > 1e-9 {
				t.Fatalf("pass^%d of %d of %d: %v, want %v", i+1, passed, n, got, want)
			}
		}
	})
}

// trial is a run that was judged so.
func trial(profile string, seed uint64, nth int, result Result, verdicts ...trail.Verdict) Trial {
	run := profile + "-" + string(rune('a'+seed)) + string(rune('0'+nth))
	r := Report{Run: run, Seed: seed, Profile: profile, Judgement: trail.Judgement{Valid: true, Verdicts: verdicts, Scope: trail.Scope{Exchanges: 1}}}
	t := Trial{Profile: profile, Seed: &seed, Nth: nth, Result: result, Run: run, Report: &r, Again: "parity run --profile " + profile, Struck: 1}
	for _, v := range verdicts {
		if v.Result == trail.Failed {
			t.Failed = append(t.Failed, v)
		}
	}
	return t
}

func verdictOf(kind, subject string, result trail.Result) trail.Verdict {
	return trail.Verdict{Kind: kind, Subject: subject, Result: result, Lines: []string{"#2 did it twice"}}
}

func TestCount(t *testing.T) {
	t.Parallel()
	handled, mishandled := verdictOf("fault", "lose", trail.Passed), verdictOf("fault", "lose", trail.Failed)
	held := verdictOf("expectation", "one-refund", trail.Passed)
	idle := verdictOf("always", "always: pages", trail.NotExercised)
	left := Trial{Profile: "rough", Nth: 1, Result: RunLeft, Why: "the time budget was over"}
	n := Count([]Trial{
		trial("rough", 3, 1, RunFailed, mishandled, held, idle), trial("rough", 2, 1, RunPassed, handled, held, idle),
		trial("calm", 3, 1, RunPassed, held), trial("rough", 2, 2, RunFailed, mishandled, held, idle),
		trial("rough", 5, 1, RunInvalid), trial("rough", 2, 3, RunPassed, handled, held, idle), left,
	})
	if n.Runs != 7 || n.Counted != 5 || n.Passed != 3 || *n.PassRate != 0.6 || n.Exit != Failed || len(n.Profiles) != 2 {
		t.Errorf("%+v", n)
	}
	rough := n.Profiles[0]
	if diff := cmp.Diff([]VerdictCount{
		{"lose", "fault", map[string]int{"handled": 2, "mishandled": 2}}, {"one-refund", "expectation", map[string]int{"held": 4}},
	}, rough.Verdicts); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Flaky{
		{"the run as a whole", 2, map[string][]string{"passed": {"rough-c1", "rough-c3"}, "failed": {"rough-c2"}}},
		{"lose", 2, map[string][]string{"handled": {"rough-c1", "rough-c3"}, "mishandled": {"rough-c2"}}},
	}, rough.Flaky); diff != "" || !rough.Repeated || n.Profiles[1].Repeated {
		t.Error(diff)
	}
	if f := rough.Failing; f == nil || *f.Seed != 2 || f.Nth != 2 || n.Profiles[1].Failing != nil {
		t.Errorf("the smallest failing seed: %+v", f)
	}
	alone := trial("rough", 1, 1, RunFailed)
	alone.Report.Exit = 3 // the agent's own
	for _, c := range []struct {
		trials []Trial
		want   int
	}{
		{[]Trial{alone}, 3},
		{nil, Unsound},
		{[]Trial{left, trial("rough", 5, 1, RunInvalid)}, Unsound},
		{[]Trial{left, trial("rough", 5, 1, RunPassed)}, Nothing},
		{[]Trial{trial("rough", 5, 1, RunFailed), trial("rough", 5, 1, RunBroken)}, Unsound},
	} {
		if got := Count(c.trials).Exit; got != c.want {
			t.Errorf("%v ends with %d, want %d", c.trials, got, c.want)
		}
	}
}

func TestNumbersAreReadable(t *testing.T) {
	t.Parallel()
	broken := trial("rough", 1, 2, RunFailed, verdictOf("fault", "lose", trail.Failed))
	broken.Why, broken.Twin = "lose failed", &Twin{Run: "rough-t1", Passed: true}
	n := Count([]Trial{trial("rough", 1, 1, RunPassed, verdictOf("fault", "lose", trail.Passed)), broken, {Profile: "rough", Nth: 1, Result: RunLeft, Why: string("enough was known")}})
	var text, doc bytes.Buffer
	if err := NumbersText(&text, n, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"rough       1  failed     rough-b2, twin rough-t1   lose failed", "rough   1 of 2           0.500     0.000",
		"1 run not counted: left out (enough was known) 1",
		"lose  handled 1, mishandled 1", "FLAKY  rough seed 1\n", "lose: handled 1 (as rough-b1), mishandled 1 (as rough-b2)",
		"FAILED  rough: the smallest failing seed is 1, lose failed", "#2 did it twice", "Again: parity run --profile rough", "Exit        1",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
	if strings.Contains(text.String(), "by luck") {
		t.Error("one failed, so that luck is not the question")
	}
	if err := NumbersJSON(&doc, n); err != nil {
		t.Fatal(err)
	}
	var said struct {
		PassK []float64 `json:"pass_k"`
		Exit  int       `json:"exit"`
	}
	if err := json.Unmarshal(doc.Bytes(), &said); err != nil || said.Exit != Failed || len(said.PassK) != 2 || strings.Contains(doc.String(), "null") {
		t.Errorf("%v\n%s", err, doc.String())
	}
}

// What is said of a fault counts only beside a twin that passed. What is judged
// with or without faults counts all the same.
func TestBesideATwinThatFailed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		twin *Twin
		want []trail.Result
	}{
		{nil, []trail.Result{trail.Failed, trail.NotExercised, trail.Failed}},
		{&Twin{Run: "calm-1", Passed: true}, []trail.Result{trail.Failed, trail.NotExercised, trail.Failed}},
		{&Twin{Run: "calm-1", Why: "the agent exited 1"}, []trail.Result{trail.NotEvaluated, trail.NotExercised, trail.Failed}},
	} {
		r := trial("rough", 1, 1, RunFailed, verdictOf("fault", "lose", trail.Failed), verdictOf("fault", "slow", trail.NotExercised),
			verdictOf("always", "always: one effect per intent", trail.Failed)).Report
		r.Beside(c.twin)
		var got []trail.Result
		for _, v := range r.Verdicts {
			got = append(got, v.Result)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%+v: %s", c.twin, diff)
		}
		if c.twin != nil && !c.twin.Passed && (r.Verdicts[0].Why != "the twin failed too: the agent exited 1" || r.Verdicts[0].Reaction != trail.Unjudged) {
			t.Errorf("%+v", r.Verdicts[0])
		}
		if (c.twin == nil) != (len(r.Hints) == 0) {
			t.Errorf("%+v: %v", c.twin, r.Hints)
		}
	}
}

func TestCame(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*Report){
		"passed ":            func(*Report) {},
		"failed lose failed": func(r *Report) { r.Verdicts[0].Result, r.Exit, r.Agent = trail.Failed, 3, &Agent{Exit: 3} },
		"failed charged twice: 98.00 USD": func(r *Report) {
			r.Verdicts[0].Result, r.Verdicts[0].Headline, r.Exit = trail.Failed, "charged twice: 98.00 USD", 1
		},
		"failed the agent exited 3": func(r *Report) { r.Exit, r.Agent = 3, &Agent{Exit: 3} },
		"failed the acceptance of old had expired": func(r *Report) {
			r.Exit, r.Agent, r.Strict = 1, &Agent{}, true
			r.Differences = []trail.Difference{{Name: "old", Accepted: &trail.Acceptance{Standing: trail.Expired}}}
		},
		"failed whether an intent took effect twice is left open (lose)": func(r *Report) {
			r.Exit, r.Agent, r.Strict, r.Ended = 1, &Agent{}, true, true
			r.Verdicts[0].Result, r.Verdicts[0].Doubt = trail.NotEvaluated, true
		},
		"invalid it called no service":         func(r *Report) { r.Exchanges, r.Exit = 0, Unsound },
		"invalid a required fault never fired": func(r *Report) { r.Valid, r.Exit = false, Unsound },
		"our fault Parity itself broke a call": func(r *Report) { r.Defects, r.Exit = []trail.Defect{{Seq: 2}}, Unsound },
	} {
		r := trial("rough", 1, 1, RunPassed, verdictOf("fault", "lose", trail.Passed)).Report
		change(r)
		if came, why := r.Came(); string(came)+" "+why != want {
			t.Errorf("%s %s, want %s", came, why, want)
		}
	}
}
