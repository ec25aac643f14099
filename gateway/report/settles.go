package report

import (
	"slices"
	"strings"

	"parity/faults/trail"
)

// Settles says how to find out what a run left open, as something to run or to
// write: a command, or a line of the profile; "": nothing is known that would.
func (r *Report) Settles(v *trail.Verdict) string {
	switch {
	case v.Result != trail.NotEvaluated || v.Settle == "":
		return ""
	case v.Settle == trail.SettleTwin:
		return "run it beside itself without faults, which runs the agent twice: " + r.besideTwin()
	case v.Settle == trail.SettleOutcome:
		return "have the agent say how it went: by exiting with another code than 0 where not all is done, by what it prints (says: {output: true} in the profile has that read), or by " + postOutcome
	case v.Settle == trail.SettleEachTime:
		return "let the fault strike each time: a rule of the profile without trigger does"
	case v.Settle == trail.SettleNeeded:
		return "put into the world (fixtures), among what the fault leaves out, something that the work needs"
	case v.Settle == trail.SettleField:
		return "name a field by which the work goes in the rule: with: {field: NAME}"
	}
	return "say in the profile what tells two orders apart: " + v.Settle
}

// postOutcome posts what came of the work, from within the agent.
const postOutcome = `curl -X POST "$PARITY_CONTROL_URL/v1/runs/$PARITY_RUN/outcome" -H "Authorization: Bearer $PARITY_TOKEN" -H "Content-Type: application/json" -d '{"status": "stopped"}'`

// besideTwin is the command that makes the run once more, beside one without
// faults.
func (r *Report) besideTwin() string {
	if slices.Contains(r.Flags, "--twin") {
		return r.Again()
	}
	return strings.Replace(r.Again(), "parity run ", "parity run --twin ", 1)
}
