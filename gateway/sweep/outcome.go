package sweep

import (
	"slices"
	"strings"

	"parity/faults/trail"
)

// Outcome is what came of a cell.
type Outcome string

// The outcomes. Those that name a reaction are the reaction of the judge.
const (
	Handled      = Outcome(trail.Handled)
	Mishandled   = Outcome(trail.Mishandled)
	CutShort     = Outcome(trail.CutShort)
	NotEvaluated = Outcome(trail.Unjudged)
	NotReached   = Outcome("not reached")       // the agent did not make the call
	NotStruck    = Outcome("nothing struck")    // it did, and the fault found nothing there to strike
	OverBudget   = Outcome("cut by the budget") // it was not begun, or not brought to its end
	Broken       = Outcome("our fault")         // Parity broke a call, or could not judge
	LeftOut      = Outcome("left out")          // it was not begun, for another reason than the budget
)

// Found is what was found out about a cell.
type Found struct {
	Outcome Outcome
	Why     string          // it was not handled, in a few words; "": the verdicts say it
	Failed  []trail.Verdict // what failed here, and not without the fault
}

// Judge says what a run with one fault shows. Calm is what the agent does without
// any: what fails there is not the fault's doing. Cut says why the agent was ended
// before its own end; "": it was not.
func Judge(calm, run trail.Judgement, cell Cell, cut string) Found {
	fault := cell.Fault
	f := Found{Failed: failures(calm, run)}
	if len(run.Defects) > 0 {
		return Found{Outcome: Broken, Why: "Parity itself broke a call: nothing about this run can be trusted"}
	}
	if len(f.Failed) > 0 {
		f.Outcome = Mishandled
		return f
	}
	i := slices.IndexFunc(run.Verdicts, func(v trail.Verdict) bool { return (v.Kind == "fault" || v.Kind == "required") && v.Subject == fault })
	if i < 0 {
		f.Outcome, f.Why = NotEvaluated, "no verdict came of it"
		return f
	}
	v := &run.Verdicts[i]
	switch away := unstruck(run, v, fault); {
	case away && cut != "": // it may yet have come to it
		f.Outcome, f.Why = CutShort, "the agent was ended before the fault struck: "+cut
	case away:
		f.Outcome, f.Why = unfired(run, cell, v.Why)
	case cut != "":
		f.Outcome, f.Why = CutShort, "the agent was ended: "+cut
	case v.Result == trail.Passed:
		f.Outcome = Handled
	case v.Reaction == trail.CutShort:
		f.Outcome, f.Why = CutShort, v.Why
	default:
		f.Outcome, f.Why = NotEvaluated, v.Why
	}
	return f
}

// failures are the verdicts that failed, but for those that fail anyway, and those
// of which another tells the same story, or more of it.
func failures(calm, run trail.Judgement) []trail.Verdict {
	var all []trail.Verdict
	for _, v := range run.Verdicts {
		if v.Result != trail.Failed {
			continue
		}
		anyway := slices.ContainsFunc(calm.Verdicts, func(c trail.Verdict) bool {
			return c.Result == trail.Failed && c.Kind == v.Kind && c.Subject == v.Subject
		})
		if anyway {
			continue
		}
		i := slices.IndexFunc(all, func(o trail.Verdict) bool { return begins(v, o) || begins(o, v) })
		switch {
		case i < 0:
			all = append(all, v)
		case begins(all[i], v):
			all[i].Lines = v.Lines
		}
	}
	return all
}

// begins tells whether the story of one verdict begins as that of another does.
func begins(other, v trail.Verdict) bool {
	return strings.HasPrefix(strings.Join(v.Lines, "\n"), strings.Join(other.Lines, "\n"))
}

// unstruck tells whether a fault stayed away.
func unstruck(run trail.Judgement, v *trail.Verdict, fault string) bool {
	return v.Result == trail.InvalidRun || v.Result == trail.NotExercised ||
		slices.ContainsFunc(run.Faults, func(c trail.RuleCount) bool { return c.Rule == fault && c.Fired == 0 })
}

// unfired says why a fault stayed away.
func unfired(run trail.Judgement, cell Cell, why string) (Outcome, string) {
	called := slices.ContainsFunc(run.Operations, func(t trail.Touched) bool { return t.Operation == cell.Call })
	for _, c := range run.Faults {
		switch {
		case c.Rule != cell.Fault || c.Matched >= cell.Nth:
		case c.Matched == 0 && called:
			return NotStruck, "the call was refused before any fault could strike it"
		case c.Matched == 0:
			return NotReached, "the agent did not make this call this time"
		default:
			return NotReached, "the agent did not make this call so often this time"
		}
	}
	if _, short, ok := strings.Cut(why, "never fired: "); ok {
		why = short
	}
	return NotStruck, why
}
