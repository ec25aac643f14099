package verdict

import (
	"fmt"
	"slices"

	"parity/faults/trail"
	"parity/specs/words"
)

// known sorts the known differences into those that the run touched, each with
// how often, and the rest.
func (j *judge) known(s *trail.Scope) {
	for i, d := range j.in.Differences {
		n := 0
		for _, t := range s.Operations {
			if slices.Contains(j.cover[t.Operation], i) {
				n += t.Exchanges
			}
		}
		if n == 0 {
			s.Untouched = append(s.Untouched, d.Name)
			continue
		}
		s.Differences = append(s.Differences, trail.Difference{
			Name: d.Name, Production: d.Production, Here: d.Here, So: d.So, Weakens: d.Weakens, Exchanges: n, Accepted: d.Accepted,
		})
	}
}

// lapse takes the proof out of a verdict that passed on operations which a known
// difference covers whose acceptance has expired: whether the difference is still
// what it says that it is was to be looked at by then, and was not. What failed
// has failed all the same.
func (j *judge) lapse(v *trail.Verdict) {
	if v.Result != trail.Passed {
		return
	}
	var names []string
	until := ""
	for _, operation := range v.Scope.Operations {
		for _, i := range j.cover[operation] {
			d := j.in.Differences[i]
			if d.Accepted != nil && d.Accepted.Standing == trail.Expired {
				names, until = merge(names, []string{d.Name}), first(until, d.Accepted.Until)
			}
		}
	}
	if len(names) == 0 {
		return
	}
	v.Result, v.Weakened = trail.NotEvaluated, merge(v.Weakened, names)
	if v.Reaction != "" {
		v.Reaction = trail.Unjudged
	}
	v.Why = fmt.Sprintf("it looked well, but %s was accepted until %s, and nobody has looked at it since", words.And(names), until)
}
