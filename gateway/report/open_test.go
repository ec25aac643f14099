package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"parity/faults/trail"
)

// doubtful is a run in which nobody knows whether a refund was made twice.
func doubtful(r *Report) {
	r.Verdicts[0].Result, r.Verdicts[0].Reaction, r.Verdicts[0].Doubt = trail.NotEvaluated, trail.Unjudged, true
	r.Verdicts[0].Why = "it was sent again in other words"
	r.Verdicts[2].Result, r.Verdicts[2].Why = trail.NotEvaluated, "two refunds of one order may be one"
}

// A run that may have paid twice, and of which nothing shows whether it did, ended
// with 0 and without a word.
func TestWhatIsLeftOpenIsSaid(t *testing.T) {
	t.Parallel()
	both := []string{"lose-a-big-refund", "one effect per intent"}
	for _, c := range []struct {
		name        string
		change      func(*Report)
		open        []string
		exit, agent int // with --strict
	}{
		{"nothing", func(*Report) {}, nil, 0, 0},
		{"a fault and all intents", doubtful, both, 1, 0},
		{"a fault alone", func(r *Report) { doubtful(r); r.Verdicts[2].Result = trail.Passed }, both[:1], 1, 0},
		{"all intents alone", func(r *Report) { doubtful(r); r.Verdicts[0].Doubt = false }, both[1:], 1, 0},
		{"a known difference says so", func(r *Report) {
			doubtful(r)
			r.Verdicts[0].Doubt, r.Verdicts[2].Weakened = false, []string{"no-settlement"}
		}, nil, 0, 0},
		{"it fails anyhow", func(r *Report) { doubtful(r); r.Verdicts[2].Result = trail.Failed }, both[:1], 1, 0},
		{"the agent stopped with an error", doubtful, both, 3, 3},
		{"it is still going", func(r *Report) { doubtful(r); r.Ended = false }, nil, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, strict := range []bool{false, true} {
				r := sample()
				c.change(&r)
				r.Strict, r.Agent.Exit = strict, c.agent
				r.Exit = r.HoldStrict(ExitCode(r.Judgement, r.Agent.Exit, true, ByAgent))
				want := c.exit
				if !strict && !r.Failed() && c.agent == 0 {
					want = 0
				}
				if !slices.Equal(r.Open(), c.open) || r.Exit != want {
					t.Errorf("strict %v: open %q, exit %d, want %q, %d", strict, r.Open(), r.Exit, c.open, want)
				}
				var out bytes.Buffer
				if err := Terminal(&out, r, Options{}); err != nil {
					t.Fatal(err)
				}
				said := strings.Join(strings.Fields(out.String()), " ")
				row := " Open " + strings.Join(c.open, ", ") + ": an intent may have taken effect twice, and nothing shows whether it did; --strict fails the run for that"
				if strings.Contains(said, row) != (c.open != nil) || strings.Contains(said, " Open ") != (c.open != nil) {
					t.Errorf("strict %v:\n%s", strict, out.String())
				}
				why := "Exit 1: --strict, and whether an intent took effect twice is left open (" + strings.Join(c.open, ", ") + ")"
				if strings.Contains(said, why) != (strict && c.exit == 1 && !r.Failed()) {
					t.Errorf("strict %v: the exit code is not explained\n%s", strict, out.String())
				}
			}
		})
	}
}

// Programs are told of it too: as of something that failed where --strict fails
// the run for it.
func TestProgramsAreToldWhatIsLeftOpen(t *testing.T) {
	t.Parallel()
	for _, strict := range []bool{false, true} {
		r := sample()
		doubtful(&r)
		r.Strict = strict
		var out bytes.Buffer
		if err := JSON(&out, r); err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Open     []string
			Verdicts []trail.Verdict
		}
		if err := json.Unmarshal(out.Bytes(), &doc); err != nil || len(doc.Open) != 2 || !doc.Verdicts[0].Doubt || doc.Verdicts[0].Result != trail.NotEvaluated {
			t.Errorf("JSON: %v, %+v", err, doc)
		}
		out.Reset()
		if err := JUnit(&out, r); err != nil {
			t.Fatal(err)
		}
		var suites junitSuites
		if err := xml.Unmarshal(out.Bytes(), &suites); err != nil {
			t.Fatal(err)
		}
		failures := map[bool]int{true: 2}[strict]
		if skipped := strings.Count(out.String(), "<skipped"); suites.Failures != failures || skipped != 2-failures {
			t.Errorf("strict %v: JUnit has %d failures, and %d are skipped", strict, suites.Failures, skipped)
		}
		out.Reset()
		if err := SARIF(&out, r); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), `"level": "error"`); n != failures {
			t.Errorf("strict %v: SARIF has %d errors", strict, n)
		}
		out.Reset()
		if err := Markdown(&out, r); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "- open: lose-a-big-refund, one effect per intent: an intent may have taken effect twice") {
			t.Errorf("Markdown:\n%s", out.String())
		}
	}
}

// Of many runs, and of a sweep, it is said once, with where to look.
func TestWhatManyRunsLeaveOpen(t *testing.T) {
	t.Parallel()
	flat := func(write func(*bytes.Buffer) error) string {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(out.String()), " ")
	}
	all := []Trial{trial("p", 1, 1, RunPassed), trial("p", 2, 1, RunPassed), trial("p", 3, 1, RunPassed)}
	all[1].Open, all[2].Open = []string{"lose"}, []string{"lose", "one effect per intent"}
	said := flat(func(out *bytes.Buffer) error { return NumbersText(out, Count(all), Options{}) })
	if want := "Open 2 runs (as " + all[1].Run + "), lose, one effect per intent: an intent may have taken effect twice"; !strings.Contains(said, want) {
		t.Errorf("%s\nwanted %s", said, want)
	}
	s := swept()
	s.Cells[1].Open = []string{"timeout"}
	said = flat(func(out *bytes.Buffer) error { return SweepText(out, s, Options{}) })
	if want := "Open 1 cell (as " + s.Cells[1].Name + "): an intent may have taken effect twice"; !strings.Contains(said, want) {
		t.Errorf("%s\nwanted %s", said, want)
	}
}
