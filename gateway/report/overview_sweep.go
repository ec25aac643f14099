package report

import (
	"fmt"
	"slices"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// ofSweep words a sweep: a row for each fault, a column for each call.
func (o *overview) ofSweep(s *Sweep) {
	calm := &s.Calm
	o.Name, o.Version, o.Of = o.plain(s.Name), o.plain(calm.Parity), [2]string{"Fault", "Call"}
	o.Began, o.Seed, o.Exit = calm.Began, number(calm.Seed), s.Exit
	o.Facts = append(o.Facts, "series "+o.Name)
	if calm.Profile != "" {
		o.Facts = append(o.Facts, "profile "+o.plain(calm.Profile))
	}
	o.Facts = append(o.Facts, "seed "+o.Seed, "agent "+o.plain(calm.agent()), fmt.Sprintf("%s, %d at once", span(s.Took), s.Parallel))
	for i := range s.Cells {
		c := &s.Cells[i]
		if name := o.plain(c.Call); !slices.ContainsFunc(o.Columns, func(k column) bool { return k.Name == name }) {
			o.Columns = append(o.Columns, column{name, o.plain(c.Effect)})
		}
		o.add(s.entry(c))
	}
	o.resultOfSweep(s)
	for _, v := range calm.Verdicts {
		if v.Result == trail.Failed {
			o.Notes = append(o.Notes, o.plain("Without any fault this fails already, and is held against no cell: "+v.Subject+". "+headline(&v)))
		}
	}
	for _, what := range append(s.unshown(), weakened(calm)...) {
		o.Unproved = append(o.Unproved, o.plain(what))
	}
	if doubt := openCells(s.Cells); doubt != "" {
		o.Notes = append(o.Notes, "Open: "+o.plain(doubt))
	}
	o.Notes = append(o.Notes, fmt.Sprintf("Exit code %d: %s", s.Exit, o.plain(s.Why)))
	o.Commands = [][2]string{
		{"Do one cell alone", o.plain(s.Again)},
		{"See the run without faults", "parity report " + o.plain(calm.Run)},
		{"Write this again", "parity report " + o.Name + " --report series.html"},
	}
}

// entry is a cell as an overview has it.
func (s *Sweep) entry(c *Cell) entry {
	e := entry{Name: c.Name, Column: c.Call, Row: c.Fault, Label: c.Outcome, Class: "warn", Run: c.Run, Again: c.Again, failed: c.Failed, result: "skipped"}
	for _, known := range outcomes() {
		if known.outcome == c.Outcome {
			e.Class = known.class
		}
	}
	e.Said = s.why(c, c.Why)
	if len(c.Failed) > 0 {
		e.Said = strings.TrimSuffix(headline(&c.Failed[0])+"; "+e.Said, "; ")
	}
	switch {
	case c.Outcome == "our fault":
		e.result = "error"
	case len(c.Failed) > 0:
		e.result = "failed"
	case !c.begun() && c.Outcome == "cut by the budget":
		e.Class, e.Said = "idle", "not begun"
	case len(c.Open) > 0:
		e.Said = strings.TrimSuffix("leaves open whether an intent took effect twice; "+e.Said, "; ")
		if s.Calm.Strict {
			e.result = "failed"
		}
	case c.Outcome == "handled":
		e.result = "passed"
	}
	if c.Run != "" {
		e.See = "parity report " + c.Run
	}
	if c.Agent != nil {
		e.took = c.Agent.Took
	}
	return e
}

// resultOfSweep says the one thing to know, and how far it goes.
func (o *overview) resultOfSweep(s *Sweep) {
	count, tried := map[string]int{}, 0
	for i := range s.Cells {
		count[s.Cells[i].Outcome]++
		if s.Cells[i].begun() && s.Cells[i].Outcome != "cut by the budget" {
			tried++
		}
	}
	cells := words.Count(tried, "cell")
	wrong, handled, broken := count["mishandled"], count["handled"], count["our fault"]
	o.Tone = "bad"
	switch {
	case len(s.Cells) == 0:
		o.Result = "There was nothing to sweep"
	case broken > 0:
		o.Result = fmt.Sprintf("Parity itself broke %d of %s", broken, cells)
	case wrong > 0:
		o.Result = fmt.Sprintf("The agent mishandled %d of %s that %s tried", wrong, cells, was(tried))
	case s.Calm.Exit != Nothing:
		o.Result = "The agent fails without any fault already"
	case s.Exit != Nothing:
		o.Result = upper(s.Why)
	case handled == 0:
		o.Tone, o.Result = "warn", "No cell shows what the agent does about its fault"
	case handled < len(s.Cells):
		o.Tone, o.Result = "warn", fmt.Sprintf("The agent handled %d of %s, and the others show nothing", handled, words.Count(len(s.Cells), "cell"))
	default:
		o.Tone, o.Result = "calm", fmt.Sprintf("The agent mishandled none of %s", cells)
	}
	o.Lead = "It was run once without faults, and once for each of its calls and each fault that fits it."
	if len(s.Cells) == 0 {
		o.Lead = upper(o.plain(s.Why)) + "."
	}
}

// was is the verb for some of n.
func was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}
