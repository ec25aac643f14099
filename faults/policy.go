package faults

import (
	"slices"

	"parity/faults/trail"
)

// Rules of the phase Policy change what policy goes by, and are asked before it
// decides; all others are asked of what it lets through alone, so that a call that
// is not permitted meets no rule and counts for none.
//
//	Plan.Rests
//	Apart ─▶ of policy ─▶ ConsiderPolicy ─▶ Plan.Lose, Plan.Narrow ─▶ policy decides ─▶ Plan.Ruled
//	     └─▶ the others ─▶ … once it was let through

// Apart sets the rules of the phase Policy apart from the others, each in their
// order.
func Apart(rules []*Rule) (ofPolicy, others []*Rule) {
	is := func(r *Rule) bool { return r.Fault.Phase == Policy }
	if !slices.ContainsFunc(rules, is) {
		return nil, rules
	}
	for _, r := range rules {
		if is(r) {
			ofPolicy = append(ofPolicy, r)
		} else {
			others = append(others, r)
		}
	}
	return ofPolicy, others
}

// ConsiderPolicy asks rules of the phase Policy about a call; the plan says on what
// approval it rests. They write to the plan
// what policy is to go by. A rule that is not about the call leaves no strike.
func ConsiderPolicy(ofPolicy []*Rule, e *Evaluation, t *Tallies, p *Plan) []trail.Strike {
	var strikes []trail.Strike
	for _, r := range ofPolicy {
		if s := r.Consider(e, t, p); s.Fired || s.Why != "" {
			strikes = append(strikes, s)
		}
	}
	return strikes
}

// Ruling is what came of what rules changed, once policy had decided.
type Ruling struct {
	Refused bool // the call, for what was narrowed: it would have been let through without
	Lost    bool // the approval was made void
}

// OnRuling judges, once policy has decided, whether the fault made a difference.
func (p *Plan) OnRuling(f func(Ruling) Done) {
	p.works = append(p.works, Work{Rule: p.owner, At: Deciding, Ruled: f})
}

// Ruled settles the strikes of the phase Policy. One that made no difference has
// not fired.
func (p *Plan) Ruled(strikes []trail.Strike, r Ruling) {
	for _, w := range p.Works(Deciding) {
		Settle(strikes, w, w.Ruled(r))
	}
}
