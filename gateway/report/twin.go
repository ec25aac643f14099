package report

import (
	"fmt"
	"strconv"
	"strings"

	"parity/faults/trail"
)

// Twin is the rehearsal of the same agent and seed beside this one, without any
// rule.
type Twin struct {
	Run    string `json:"run,omitempty"` // "": it came to none
	Passed bool   `json:"passed"`        // it was valid, and nothing failed
	Why    string `json:"why,omitempty"` // it did not pass
}

// Beside puts a run beside its twin. What is said of faults counts only where the
// twin passed: an agent that fails without them is not seen to fail for them, and
// nothing that it does well is known to be for them.
func (r *Report) Beside(t *Twin) {
	if r.Twin = t; t == nil {
		return
	}
	name := "the twin"
	if t.Run != "" {
		name += ", run " + t.Run + ","
	}
	if t.Passed {
		r.Hints = append(r.Hints, upper(name)+" went without faults, and nothing failed there")
		return
	}
	r.Hints = append(r.Hints, upper(name)+" went without faults and failed too, so no verdict on a fault counts: "+t.Why)
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		if v.Kind == "fault" && (v.Result == trail.Passed || v.Result == trail.Failed) {
			v.Result, v.Reaction, v.Mend = trail.NotEvaluated, trail.Unjudged, ""
			v.Headline = ""
			v.Why = "the twin failed too: " + t.Why
		}
	}
}

// Came is what came of a run, in the sense in which runs are counted: it passed
// where it is valid, no verdict failed, and the agent ended well, where --exit has
// that count. Why says what keeps it from that. What was not exercised or not
// evaluated is no part of it: the report says that.
func (r *Report) Came() (came Result, why string) {
	const few = 3
	failed := r.causes()
	if more := len(failed) - few; more > 0 {
		failed = append(failed[:few], fmt.Sprintf("and %d more", more))
	}
	switch {
	case len(r.Defects) > 0:
		return RunBroken, "Parity itself broke a call"
	case len(failed) > 0:
		return RunFailed, strings.Join(failed, "; ")
	case r.NoTraffic():
		return RunInvalid, "it called no service"
	case len(r.Missing) > 0:
		return RunInvalid, partly
	case !r.Valid:
		return RunInvalid, "a required fault never fired"
	case r.Exit == Nothing:
		return RunPassed, ""
	case r.Agent != nil && r.Agent.Exit == r.Exit:
		return RunFailed, exitedWith + strconv.Itoa(r.Exit)
	}
	return RunFailed, r.withheld()
}

// exitedWith begins why a run failed in which no verdict did.
const exitedWith = "the agent exited "
