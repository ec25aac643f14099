package report

import "parity/faults/trail"

// Mode says who decides the exit code.
type Mode string

// The modes, as --exit names them.
const (
	ByAgent   Mode = "agent"   // the agent's own code counts
	ByVerdict Mode = "verdict" // verdicts alone decide: an agent that rightly stops with an error is a success
)

// The codes that are Parity's own. 2 is for usage, and 126, 127 and 128+n are
// the agent's, as shells have them.
const (
	Nothing = 0   // nothing failed
	Failed  = 1   // a verdict failed, or --strict holds something against the run
	Unsound = 125 // the run proves nothing: invalid, no traffic, or a fault of ours
)

// ExitCode maps a judgement to an exit code. The first that applies:
//
//	agent not started            its code (126, 127)
//	an exchange broken by us     125
//	agent ended by a signal      its code (128+n), by agent only
//	a verdict failed             its code if not 0, by agent only; else 1
//	invalid, or no traffic       125
//	otherwise                    its code, by agent only; else 0
//
// With --strict a 0 may become a 1: see HoldStrict.
func ExitCode(j trail.Judgement, agentExit int, started bool, mode Mode) int {
	byAgent := mode != ByVerdict
	switch {
	case !started:
		return agentExit
	case len(j.Defects) > 0:
		return Unsound
	case byAgent && agentExit > 128 && agentExit < 160:
		return agentExit
	case failed(j):
		if byAgent && agentExit != 0 {
			return agentExit
		}
		return Failed
	case !j.Valid || j.Exchanges == 0:
		return Unsound
	case byAgent:
		return agentExit
	}
	return Nothing
}

// HoldStrict gives the exit code of a run that --strict was asked for: one that
// would end with 0 has failed where it touched a known difference whose
// acceptance had expired, and where it leaves open whether an intent took effect
// twice, or has a rule or expectation that is dead.
func (r *Report) HoldStrict(code int) int {
	if r.Strict && code == Nothing && r.withheld() != "" {
		return Failed
	}
	return code
}

// expired names the known differences that the run touched and whose acceptance
// had expired.
func (r *Report) expired() []string {
	var names []string
	for _, d := range r.Differences {
		if d.Accepted != nil && d.Accepted.Standing == trail.Expired {
			names = append(names, d.Name)
		}
	}
	return names
}

// Failed tells whether a verdict failed.
func (r *Report) Failed() bool { return failed(r.Judgement) }

func failed(j trail.Judgement) bool {
	for _, v := range j.Verdicts {
		if v.Result == trail.Failed {
			return true
		}
	}
	return false
}
