package faults

import (
	"parity/fakes"
	"parity/specs"
)

// approvalLost makes the approval void that a call rests on.
//
//	call ─▶ ╳ pending ┄┄ approved ┄┄ ╳ void ┄┄ call ─▶ ╳ approval-expired, and a new one is asked for
func approvalLost() *Fault {
	return &Fault{
		Name:     "approval-lost",
		Phase:    Policy,
		Summary:  "The approval that a call rests on is good no more: it has expired, was revoked or used, is for another version of what the call changes, or never comes.",
		Reaction: "Asks anew, or stops and says so; does not send the same again and again, nor call it done.",
		Judging:  Judging{Class: Unapproved},
		Unswept:  "it takes a call that somebody has approved, which no list of calls shows",
		Example: `approval-expires:
  call: stripe POST /v1/refunds
  inject: approval-lost
  with: {how: expired}
  trigger: {nth: 1}
  because: Reviewers answer in the evening, and approvals are good for half an hour.`,
		Params: []Param{{
			Name: "how", Kind: Choice, Choices: []string{LostExpired, LostRevoked, LostUsed, LostStale, LostNever}, Default: LostExpired,
			Doc: "what became of it right before it is looked at: it ran out; who gave it took it back; it was used by another call; it is for another version of a record; " +
				"or nobody answers, whatever was said, until it lapses. The trigger counts calls that rest on an approval: one that was given, and with never-arrives one that was asked for",
			Example: "revoked",
		}},
		build: func(a Args) (Injection, error) { return lostApproval{how: a.text("how")}, nil },
	}
}

// How an approval is lost.
const (
	LostExpired = "expired"       // its state is expired then
	LostRevoked = "revoked"       // revoked
	LostUsed    = "used"          // used, by no call of the run
	LostStale   = "other-version" // stale, though no record has moved
	LostNever   = "never-arrives" // pending, and nobody is asked any more: it lapses
)

type lostApproval struct{ how string }

// Misfit wants a call that somebody may be asked about.
func (l lostApproval) Misfit(op *specs.Operation, _ fakes.Fake) string {
	if op.Effect == specs.Read {
		return op.Name() + " changes nothing: nobody is asked about a read"
	}
	return ""
}

// Mind passes over calls that rest on no approval.
func (l lostApproval) Mind(p *Plan, _ CallContext) Gate {
	switch {
	case p.Rests == "approved", l.how == LostNever && (p.Rests == "pending" || p.Rests == "escalated"):
		return Gate{Open: true}
	case p.Rests == "":
		return Gate{Why: "the call rests on no approval"}
	}
	return Gate{Why: "the approval that the call rests on is " + p.Rests}
}

func (l lostApproval) Apply(p *Plan, _ CallContext) Mark {
	if p.Lose == "" {
		p.Lose = l.how
	}
	p.OnRuling(func(r Ruling) Done {
		if !r.Lost {
			return Nothing("policy did not look at the approval")
		}
		return Done{Did: "lost the approval: " + l.how}
	})
	return Mark{}
}
