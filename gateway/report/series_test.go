package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/faults/trail"
)

// counted are numbers in which each result is there.
func counted() Numbers {
	failed := trial("rough", 7, 1, RunFailed, verdictOf("fault", "lose-the-charge", trail.Failed))
	failed.Failed[0].Mend, failed.Took = "send an Idempotency-Key and keep it for the retry", 2*time.Second
	again := trial("rough", 9, 1, RunFailed, verdictOf("fault", "lose-the-charge", trail.Failed))
	again.Failed[0].Mend = failed.Failed[0].Mend
	exited := trial("calm", 7, 1, RunFailed)
	exited.Why = "the agent exited 3"
	unstruck := trial("calm", 8, 1, RunPassed)
	unstruck.Struck = 0
	invalid := trial("rough", 8, 1, RunInvalid)
	invalid.Why = "a required fault never fired"
	n := Count([]Trial{
		failed, exited, unstruck, trial("calm", 9, 1, RunPassed, verdictOf("fault", "slow", trail.Passed)), again, invalid,
		{Profile: "rough", Nth: 2, Result: RunLeft, Why: "the time budget was over"},
	})
	n.Name, n.Parallel, n.Took, n.Repeat, n.Command = "repeat-1", 2, time.Minute, 2, []string{"my-agent"}
	return n
}

func both() map[string]Series {
	s, n := swept(), counted()
	s.Name = "sweep-1"
	return map[string]Series{"sweep": {Sweep: &s}, "numbers": {Numbers: &n}}
}

func wrote(t *testing.T, write func(io.Writer, Series) error, s Series) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, s); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestSeriesReports(t *testing.T) {
	t.Parallel()
	for name, s := range both() {
		golden(t, name+".md", []byte(wrote(t, SeriesMarkdown, s)))
		golden(t, name+".junit.xml", []byte(wrote(t, SeriesJUnit, s)))
	}
}

// What is kept of a series has all that any of its reports says.
func TestSeriesIsTheSameWhenItIsReadAgain(t *testing.T) {
	t.Parallel()
	text := func(w io.Writer, s Series) error { return SeriesText(w, s, Options{}) }
	for name, s := range both() {
		back, err := ReadSeries([]byte(wrote(t, func(w io.Writer, s Series) error { return s.Keep(w) }, s)))
		if err != nil {
			t.Fatal(err)
		}
		for format, write := range map[string]func(io.Writer, Series) error{"text": text, "json": SeriesJSON, "markdown": SeriesMarkdown, "html": SeriesHTML, "junit": SeriesJUnit} {
			if diff := cmp.Diff(wrote(t, write, s), wrote(t, write, back)); diff != "" {
				t.Errorf("%s as %s: %s", name, format, diff)
			}
		}
	}
	for _, broken := range []string{"", "{}", `{"sweep": {}, "numbers": {}}`} {
		if _, err := ReadSeries([]byte(broken)); err == nil {
			t.Errorf("%s is taken for a series", broken)
		}
	}
}

// Whoever reads the page alone sees what came of each cell, and what to type.
func TestSeriesPageSaysWhatCameOfEachCell(t *testing.T) {
	t.Parallel()
	for name, wants := range map[string][]string{
		"sweep": {
			`<h1 id="headline">The agent mishandled 2 of 7 cells that were tried</h1>`, ">mishandled</span>", ">handled</span>", ">not evaluated</span>", ">not reached</span>",
			">nothing struck</span>", ">cut by the budget</span>", ">left out</span>", "the agent did not make this call this time", "--max-cells allows 9",
			"<code>parity report sweep-2</code>", "--cell &#39;stripe POST /v1/refunds × ambiguous-success&#39; -- my-agent</code>",
			"#4 sent again without a key: 2 refunds, 98.00 USD", "Send an Idempotency-Key and keep it for the retry", ">2 cells</span>",
		},
		"numbers": {
			`<h1 id="headline">The agent failed 3 of 5 runs</h1>`, ">passed, nothing struck</span>", ">invalid</span>", ">left out</span>", "The time budget was over",
			"The agent exited 3", "#2 did it twice", "rough: the smallest failing seed is 7", "pass^5", ">2 runs</span>",
		},
	} {
		page := wrote(t, SeriesHTML, both()[name])
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s: the page does not say %s", name, want)
			}
		}
	}
}

// awful is a series in which all that anybody may have sent is one text.
func awful(text string) map[string]Series {
	all := both()
	r := hostile(text)
	for _, s := range all {
		if s.Sweep != nil {
			s.Sweep.Calm, s.Sweep.Why, s.Sweep.Again, s.Sweep.Name = r, text, text, text
			for i := range s.Sweep.Cells {
				c := &s.Sweep.Cells[i]
				c.Name, c.Call, c.Effect, c.Fault, c.Why, c.Run, c.Again, c.Open = text, text, text, text, text, text, text, []string{text}
				if len(c.Failed) > 0 {
					c.Failed = r.Verdicts
				}
			}
			continue
		}
		n := s.Numbers
		n.Name, n.Command = text, []string{text}
		for i := range n.Trials {
			c := &n.Trials[i]
			c.Profile, c.Why, c.Run, c.Again, c.Open, c.Twin = text, text, text, text, []string{text}, &Twin{Run: text, Why: text}
			if len(c.Failed) > 0 {
				c.Failed = r.Verdicts
			}
		}
		for i := range n.Profiles {
			n.Profiles[i].Profile, n.Profiles[i].NotProved, n.Profiles[i].Failing = text, []string{text}, &n.Trials[0]
			n.Profiles[i].Flaky = []Flaky{{text, 1, map[string][]string{text: {text}}}}
		}
	}
	return all
}

// What came over the wire is text on the page, a row of a table in Markdown, and
// characters of XML.
func TestSeriesReportsOfHostileText(t *testing.T) {
	t.Parallel()
	const evil = "</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>\u2028\u202e\x1b[2J'\"&|`@x\n# [a](b) sk_live_abcdefghijkl"
	for name, s := range awful(evil) {
		page := wrote(t, SeriesHTML, s)
		if n := strings.Count(page, "<script"); n != 1 {
			t.Errorf("%s: there are %d scripts", name, n)
		}
		markup := page[strings.Index(page, "<body>"):strings.LastIndex(page, `<script type="module">`)]
		for _, bad := range []string{"<!--", "<img", "\u202e", "\x1b", "sk_live_abcdefghijkl"} {
			if strings.Contains(markup, bad) {
				t.Errorf("%s: the page has %q", name, bad)
			}
		}
		md := wrote(t, SeriesMarkdown, s)
		prose, commands, _ := strings.Cut(md, "### Again")
		for _, bad := range []string{"<img", "<script", "[a](b)", "@x", "\u202e", "\n# ", "sk_live_abcdefghijkl"} {
			if strings.Contains(prose, bad) {
				t.Errorf("%s: the Markdown has %q", name, bad)
			}
		}
		if strings.Contains(commands, "sk_live_abcdefghijkl") || strings.Contains(commands, "\n# [a]") {
			t.Errorf("%s: the Markdown ends %s", name, commands)
		}
		kept := wrote(t, func(w io.Writer, s Series) error { return s.Keep(w) }, s)
		if _, err := ReadSeries([]byte(kept)); err != nil || strings.Contains(kept, "sk_live_abcdefghijkl") {
			t.Errorf("%s: what is kept has a secret, or %v", name, err)
		}
		junit := wrote(t, SeriesJUnit, s)
		if err := junitFits([]byte(junit)); err != nil || strings.Contains(junit, "sk_live_abcdefghijkl") {
			t.Errorf("%s: %v\n%s", name, err, junit)
		}
	}
}

func TestSeriesJUnitCounts(t *testing.T) {
	t.Parallel()
	type counts struct{ tests, failures, errors, skipped int }
	all := both()
	strict, nothing, unfit := swept(), Count(nil), swept()
	strict.Calm.Strict, strict.Cells[4].Open = true, []string{"one effect per intent"}
	unfit.Cells, unfit.Exit, unfit.Why = nil, Unsound, "there is nothing to sweep"
	all["strict"], all["nothing"], all["unfit"] = Series{Sweep: &strict}, Series{Numbers: &nothing}, Series{Sweep: &unfit}
	for name, want := range map[string]counts{
		"sweep": {10, 2, 0, 7}, "numbers": {7, 3, 0, 2}, "strict": {10, 3, 0, 6}, "nothing": {1, 0, 1, 0}, "unfit": {1, 0, 1, 0},
	} {
		doc := wrote(t, SeriesJUnit, all[name])
		if err := junitFits([]byte(doc)); err != nil {
			t.Errorf("%s: %v\n%s", name, err, doc)
		}
		var back junitSuites
		if err := xml.Unmarshal([]byte(doc), &back); err != nil {
			t.Fatal(err)
		}
		got := counts{back.Tests, back.Failures, back.Errors, 0}
		for _, s := range back.Suites {
			got.skipped += s.Skipped
			if len(s.Cases) != s.Tests {
				t.Errorf("%s: %d of %d cases in %s", name, len(s.Cases), s.Tests, s.Name)
			}
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// Of thousands of seeds, those that failed are shown, and Markdown fits a comment.
func TestSeriesOfManyRunsIsBounded(t *testing.T) {
	t.Parallel()
	var trials []Trial
	for seed := range uint64(3_000) {
		result, verdict := RunPassed, verdictOf("fault", "lose", trail.Passed)
		if seed >= 2_990 {
			result, verdict = RunFailed, verdictOf("fault", "lose", trail.Failed)
		}
		trials = append(trials, trial("rough", seed, 1, result, verdict))
	}
	n := Count(trials)
	page, md := wrote(t, SeriesHTML, Series{Numbers: &n}), wrote(t, SeriesMarkdown, Series{Numbers: &n})
	if rows := strings.Count(page, `<th scope="row">`); rows != mostSeriesRows+1 || !strings.Contains(page, "2000 rows more") { // and that of the rate
		t.Errorf("%d rows", rows)
	}
	if len(md) > most || !strings.Contains(md, "2940 more rows are not shown") {
		t.Errorf("%d bytes of Markdown", len(md))
	}
	for seed := 2_990; seed < 3_000; seed++ {
		if !strings.Contains(page, fmt.Sprintf(`<th scope="row">%d</th>`, seed)) || !strings.Contains(md, fmt.Sprintf("| %d | **failed** |", seed)) {
			t.Errorf("seed %d is not shown, and it failed", seed)
		}
	}
}

// The runs of a series are named, those first that somebody would look at.
func TestRunsOfASeries(t *testing.T) {
	t.Parallel()
	all := both()
	n := all["numbers"]
	if names, failed := n.Runs(); failed != 3 || !slices.Equal(names[:failed], []string{"rough-h1", "calm-h1", "rough-j1"}) || len(names) != 6 || n.One() != "" {
		t.Errorf("%q, %d of them failed", names, failed)
	}
	s := all["sweep"]
	if names, failed := s.Runs(); failed != 2 || len(names) != 9 || names[2] != "sweep-1" {
		t.Errorf("%q, %d of them failed", names, failed)
	}
	unbegun := Count([]Trial{{Profile: "rough", Result: RunLeft}, {Profile: "rough", Result: RunLeft}})
	unbegun.Name = "repeat-1"
	if names, failed := (&Series{Numbers: &unbegun}).Runs(); failed != 0 || !slices.Equal(names, []string{"repeat-1-1"}) {
		t.Errorf("of a twin alone %q", names)
	}
	one := Count([]Trial{trial("rough", 1, 1, RunPassed)})
	if only := (&Series{Numbers: &one}).One(); only != "rough-b1" {
		t.Errorf("the one run is %q", only)
	}
}
