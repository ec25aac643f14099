package report

import (
	"slices"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// Open names the verdicts that leave open whether an intent took effect twice. A
// run that ends with them is no failure, and not one to take for a good one:
// --strict fails it.
func (r *Report) Open() []string {
	if !r.Ended {
		return nil // what shows it may yet come
	}
	var names []string
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		if name := strings.TrimPrefix(v.Subject, trail.Always); open(v) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// open tells a verdict that leaves open whether an intent took effect twice. One
// that a known difference weakens does so in each run: whoever has read that
// difference knows it.
func open(v *trail.Verdict) bool {
	if v.Kind == "fault" && v.Doubt {
		return true
	}
	return v.Kind == "always" && v.Subject == trail.OneEffect && v.Result == trail.NotEvaluated && len(v.Weakened) == 0
}

// doubt says what a run leaves open that is not to end in silence; "": nothing.
func (r *Report) doubt() string {
	names := r.Open()
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, ", ") + ": an intent may have taken effect twice, and nothing shows whether it did; --strict fails the run for that"
}

// withheld says why --strict fails a run in which nothing failed; "": it does not.
func (r *Report) withheld() string {
	var why []string
	if names := r.expired(); len(names) > 0 {
		why = append(why, "the acceptance of "+strings.Join(names, " and ")+" had expired")
	}
	if names := r.Open(); len(names) > 0 {
		why = append(why, "whether an intent took effect twice is left open ("+strings.Join(names, ", ")+")")
	}
	if died := r.died(); died != "" {
		why = append(why, died)
	}
	return strings.Join(why, ", and ")
}

// judged are the verdicts as they count for programs: with those on acceptances
// that had expired and, where --strict fails the run for them, those that leave
// open whether an intent took effect twice as failed.
func (r *Report) judged() []trail.Verdict {
	all := slices.Concat(r.Verdicts, r.lapsed())
	if !r.Strict || !r.Ended {
		return all
	}
	for i := range all {
		if open(&all[i]) {
			all[i].Result = trail.Failed
		}
	}
	return all
}

// openRuns says how many of many runs leave open whether an intent took effect
// twice; "": none does.
func openRuns(trials []Trial) string {
	n, first := 0, ""
	var names []string
	for i := range trials {
		t := &trials[i]
		if len(t.Open) == 0 {
			continue
		}
		if n++; n == 1 {
			first = t.Run
		}
		for _, name := range t.Open {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if n == 0 {
		return ""
	}
	return words.Count(n, "run") + " (as " + first + "), " + strings.Join(names, ", ") + ": an intent may have taken effect twice, and nothing shows whether it did; --strict fails such runs"
}

// openCells says how many cells of a sweep leave it open; "": none does.
func openCells(cells []Cell) string {
	n, first := 0, ""
	for i := range cells {
		if len(cells[i].Open) == 0 {
			continue
		}
		if n++; n == 1 {
			first = cells[i].Name
		}
	}
	if n == 0 {
		return ""
	}
	return words.Count(n, "cell") + " (as " + first + "): an intent may have taken effect twice, and nothing shows whether it did; --strict fails the sweep for that"
}
