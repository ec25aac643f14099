package verdict

import (
	"fmt"
	"slices"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// silent is the verdict on a rule that never fired: the run is invalid where
// it was required.
func (j *judge) silent(name string, c *trail.RuleCount) trail.Verdict {
	v := trail.Verdict{
		Subject: name, Kind: "fault", Result: trail.NotExercised, Because: j.info(name).Because,
		Why: j.whySilent(name, c), Scope: trail.Basis{Operations: []string{}},
	}
	if c.Required && j.unfinished() == "" {
		v.Kind, v.Result = "required", trail.InvalidRun
	}
	if more := j.unfinished(); more != "" {
		v.Why += "; " + more
	}
	return v
}

// excuse notes why a strike did not fire.
func (j *judge) excuse(s *trail.Strike) {
	if s.Fired || s.Unknown {
		return
	}
	why := first(s.Why, "it gave no reason")
	if why == "when: not so" {
		why = "its condition did not hold"
	}
	if j.reasons[s.Rule] == nil {
		j.reasons[s.Rule] = map[string]int{}
	}
	j.reasons[s.Rule][why]++
}

// whySilent gathers the reasons that the strikes give, most frequent first.
func (j *judge) whySilent(name string, c *trail.RuleCount) string {
	if c.Matched == 0 {
		return "no call was one that it is about"
	}
	reasons := j.reasons[name]
	whys := make([]string, 0, len(reasons))
	for why := range reasons {
		whys = append(whys, why)
	}
	slices.SortFunc(whys, func(a, b string) int {
		if d := reasons[b] - reasons[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	const most = 3
	if len(whys) > most {
		whys = append(whys[:most], "and other reasons")
	}
	for i, why := range whys {
		if n := reasons[why]; n > 1 {
			whys[i] += fmt.Sprintf(" (%d times)", n)
		}
	}
	if c.Unknown > 0 {
		whys = append(whys, fmt.Sprintf("its condition could not be evaluated %s (%s)", often(c.Unknown), c.Unknowing))
	}
	return "it was about " + words.Count(c.Matched, "call") + ", and never fired: " + strings.Join(whys, "; ")
}
