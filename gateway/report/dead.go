package report

import (
	"strings"

	"parity/faults/trail"
)

// Dead says which rules and expectations came to nothing because their condition
// could not be evaluated on any call that they were about, and why not. What no
// call was about is not exercised, and not dead.
func (r *Report) Dead() []string {
	var all []string
	for _, f := range r.Faults {
		if f.Unknown > 0 && f.Unknown == f.Matched {
			all = append(all, "rule "+f.Rule+": its condition could not be evaluated "+often(f.Unknown)+": "+strings.TrimPrefix(f.Unknowing, "when: "))
		}
	}
	for _, v := range r.Verdicts {
		if v.Kind != "expectation" || v.Result != trail.NotEvaluated {
			continue
		}
		if why, dead := strings.CutPrefix(v.Why, "cannot be evaluated: "); dead { // where only some could not, it begins with how many
			all = append(all, "expectation "+v.Subject+": its condition could not be evaluated: "+why)
		}
	}
	return all
}

// died names the first, for the row on the exit code.
func (r *Report) died() string {
	switch all := r.Dead(); len(all) {
	case 0:
		return ""
	case 1:
		return "dead: " + all[0]
	default:
		return "dead: " + all[0] + " (and more, above)"
	}
}

// deadly says what would have the run fail for what came to nothing; "": it does.
func (r *Report) deadly() string {
	if r.Strict {
		return ""
	}
	return " (with --strict, this fails the run)"
}

// dead opens a report with what came to nothing.
func (p *page) dead(r *Report) {
	for _, said := range r.Dead() {
		p.labelled("DEAD  ", red(), said+r.deadly(), 6)
	}
}

func (d *markdown) dead(r *Report) {
	for _, said := range r.Dead() {
		d.add("\n**DEAD** " + d.text(said+r.deadly()) + "\n")
	}
}
