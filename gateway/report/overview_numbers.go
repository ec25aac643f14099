package report

import (
	"fmt"
	"math"
	"slices"

	"parity/specs/words"
)

// ofNumbers words the numbers of many runs: a row for each seed, a column for
// each profile.
func (o *overview) ofNumbers(n *Numbers) {
	o.Name, o.Version, o.Of, o.Exit = o.plain(n.Name), o.plain(n.Parity), [2]string{"Seed", "Profile"}, n.Exit
	agent := Report{Command: n.Command}
	o.Facts = append(o.Facts, "series "+o.Name, "agent "+o.plain(agent.agent()), words.Count(n.Runs, "run"), fmt.Sprintf("%s, %d at once", span(n.Took), n.Parallel))
	for i := range n.Profiles {
		p := &n.Profiles[i]
		o.Columns = append(o.Columns, column{o.plain(p.Profile), fmt.Sprintf("%d of %d passed", p.Passed, p.Counted)})
	}
	for i := range n.Trials {
		o.add(n.entry(&n.Trials[i]))
	}
	o.resultOfNumbers(n)
	o.rates(n)
	o.flaky(n)
	for i := range n.Profiles {
		p := &n.Profiles[i]
		for _, what := range p.NotProved {
			if len(n.Profiles) > 1 {
				what += " (" + p.Profile + ")"
			}
			o.Unproved = append(o.Unproved, o.plain(what))
		}
		if p.Failing != nil {
			o.Notes = append(o.Notes, o.plain(p.Profile+": the smallest failing seed is "+p.Failing.seed()))
			o.Commands = append(o.Commands, [2]string{"Do that of the smallest failing seed again, " + o.plain(p.Profile), o.plain(p.Failing.Again)})
		}
	}
	if doubt := openRuns(n.Trials); doubt != "" {
		o.Notes = append(o.Notes, "Open: "+o.plain(doubt))
	}
	o.Notes = append(o.Notes, fmt.Sprintf("Exit code %d", n.Exit))
	o.Commands = append(o.Commands, [2]string{"Write this again", "parity report " + o.Name + " --report series.html"})
}

// entry is a run as an overview has it. One that was left out before it had a seed
// stands with the first of its profile that has one.
func (n *Numbers) entry(t *Trial) entry {
	row := t.seed()
	if t.Seed == nil {
		i := slices.IndexFunc(n.Trials, func(o Trial) bool { return o.Profile == t.Profile && o.Seed != nil })
		if i >= 0 {
			row = n.Trials[i].seed()
		}
	}
	e := entry{
		Name: t.Profile + " seed " + row, Column: t.Profile, Row: row, Label: string(t.Result), Class: "warn", Said: t.Why, Run: t.Run, Again: t.Again,
		failed: t.Failed, result: "skipped", took: t.Took,
	}
	if n.Repeat > 1 {
		e.Name += fmt.Sprintf(" #%d", t.Nth)
	}
	switch t.Result {
	case RunPassed:
		e.Class, e.result = "good", "passed"
		if t.Struck == 0 {
			e.Label, e.Class = "passed, nothing struck", "idle"
		}
	case RunFailed:
		e.Class, e.result = "bad", "failed"
	case RunBroken:
		e.Class, e.result = "bad", "error"
	case RunLeft:
		e.Class = "idle"
	}
	if len(t.Failed) > 0 {
		e.Said = headline(&t.Failed[0])
	}
	if len(t.Open) > 0 && e.result == "passed" {
		e.Said = "leaves open whether an intent took effect twice"
	}
	if t.Run != "" {
		e.See = "parity report " + t.Run
	}
	if t.Twin != nil {
		e.Twin = t.Twin.Run
	}
	return e
}

// resultOfNumbers says the one thing to know, and how far it goes.
func (o *overview) resultOfNumbers(n *Numbers) {
	broken, wrong := 0, n.Counted-n.Passed
	for i := range n.Trials {
		if n.Trials[i].Result == RunBroken {
			broken++
		}
	}
	counted := words.Count(n.Counted, "run")
	o.Tone, o.Lead = "bad", "Passed means valid, and no verdict failed. What was not exercised or not evaluated did not fail either."
	switch {
	case broken > 0:
		o.Result = fmt.Sprintf("Parity itself broke %d of %s", broken, words.Count(n.Runs, "run"))
	case wrong > 0:
		o.Result = fmt.Sprintf("The agent failed %d of %s", wrong, counted)
	case n.Counted == 0:
		o.Result, o.Lead = "No run shows anything", upper(o.plain(reasons(n.Trials)))+"."
		return
	case n.Counted < n.Runs:
		o.Tone, o.Result = "warn", fmt.Sprintf("The agent passed the %s that count, of %d", counted, n.Runs)
	default:
		o.Tone, o.Result = "calm", fmt.Sprintf("The agent passed %s, as far as they go", counted)
	}
	if hint := n.byExit(); hint != "" {
		o.Notes = append(o.Notes, hint)
	}
	if n.Counted < n.Runs {
		o.Lead += " Not counted: " + o.plain(reasons(n.Trials)) + "."
	}
}

// rates says how often runs passed, for each profile and in all.
func (o *overview) rates(n *Numbers) {
	o.Ks = ks(n.Counted)
	add := func(name string, r *Rate) {
		row := rateRow{Name: o.plain(name), Passed: fmt.Sprintf("%d of %d", r.Passed, r.Counted)}
		for _, k := range o.Ks {
			share := ""
			if k <= len(r.PassK) {
				share = fmt.Sprintf("%.3f", r.PassK[k-1])
			}
			row.Shares = append(row.Shares, share)
		}
		o.Rates = append(o.Rates, row)
	}
	for i := range n.Profiles {
		add(n.Profiles[i].Profile, &n.Profiles[i].Rate)
	}
	if len(n.Profiles) > 1 {
		add("in all", &n.Rate)
		return
	}
	if r := &n.Rate; r.Counted > 0 && r.Passed == r.Counted {
		o.Notes = append(o.Notes, r.luck())
	}
}

// luck says what runs that all passed leave open: of an agent that passes less
// often than this, one in twenty would still have passed all of them.
func (r *Rate) luck() string {
	const doubt = 0.05
	return fmt.Sprintf("An agent that passes %.0f %% of the time passes %d of %d by luck once in twenty.", 100*math.Pow(doubt, 1/float64(r.Counted)), r.Passed, r.Counted)
}

// flaky names the verdicts that differ between runs of one seed.
func (o *overview) flaky(n *Numbers) {
	for i := range n.Profiles {
		p := &n.Profiles[i]
		for _, f := range p.Flaky {
			o.Flaky = append(o.Flaky, o.plain(p.Profile+" seed "+number(f.Seed)+", "+f.tally()))
		}
	}
}
