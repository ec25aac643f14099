package exchange

import (
	"net/http"

	"parity/fakes"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/approval"
	"parity/profiles/policy"
	"parity/specs/class"
)

// narrowed asks the rules that change what policy goes by, before it decides, and
// decides again where one has narrowed what the caller may. It tells whether the
// call goes on.
func (x *Exchange) narrowed(t *run.Turn, rules []*faults.Rule) bool {
	if len(rules) == 0 {
		return true
	}
	if x.authority == nil { // a grant may be taken away that no profile has given
		x.authority = x.rev.staged()
		x.question = policy.Question{Operation: x.op, Input: x.input, Class: x.classified(), Identity: x.who(), Stage: x.run.Stage}
	}
	call := x.approvalCall("")
	if a, ok := approval.Of(t.Tx(), call); ok {
		if x.plan.Rests = a.State(); a.Granted() {
			x.plan.Rests = approval.Approved
		}
	}
	x.entry.Strikes = append(x.entry.Strikes, faults.ConsiderPolicy(rules, x.evaluation(t), t.State.Tallies, &x.plan)...)
	refused := false
	if left := x.plan.Narrow; left != nil {
		x.question.Narrowed = class.Class(left.To)
		if refused = !x.allowed(); refused && left.Mask {
			x.mask()
		}
	} else if x.entry.Policy == nil {
		x.authority = nil // no rule has struck, and the profile has no policy
	}
	if x.plan.Lose == "" {
		x.plan.Ruled(x.entry.Strikes, faults.Ruling{Refused: refused})
	}
	return !refused
}

// mask answers as if there were nothing there, as services do that do not tell
// who may not see a thing that it exists.
func (x *Exchange) mask() {
	note := x.entry.Note
	x.trouble(trail.Forbidden, fakes.Problem{Kind: fakes.NoOperation, Status: http.StatusNotFound}, http.StatusNotFound, policy.CodeNotGranted, "There is no such thing.")
	x.entry.Outcome, x.entry.Fidelity, x.entry.Note = trail.Forbidden, trail.None, note
}

// approvalCall is the call as approvals know it.
func (x *Exchange) approvalCall(about string) approval.Call {
	return approval.Call{
		Identity: x.identity, Binding: faults.Binding(x.whose(), x.op, x.input, x.body), About: approval.About(x.identity, x.known.full, about),
		Named: x.r.Header.Get(headerApproval), Rejected: x.authority.Asking.Rejected, Leaves: x.rests(),
	}
}

// lose makes the approval void that the call rests on, where a rule says so.
func (x *Exchange) lose(t *run.Turn, c approval.Call) {
	if x.plan.Lose == "" {
		return
	}
	a, ok := approval.Of(t.Tx(), c)
	lost := ok && a.Granted()
	if lost {
		a.Lose(t.Tx(), t.Now, x.plan.Lose)
		x.entry.Policy.Observed = "lost: " + x.plan.Lose
	}
	x.plan.Ruled(x.entry.Strikes, faults.Ruling{Lost: lost})
}
