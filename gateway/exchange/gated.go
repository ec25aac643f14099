package exchange

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"parity/fakes"
	"parity/fakes/expression"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/approval"
	"parity/profiles/policy"
)

// Headers by which a client and Parity speak of approvals and drafts.
const (
	headerApproval = "Parity-Approval"
	headerDraft    = "Parity-Draft"
)

// gated is what gates make of the call, in its turn.
type gated struct {
	by       policy.Gating
	judged   bool              // by is known
	passes   approval.Approval // that the call rests on
	granted  bool              // there is one
	exempt   bool              // it passes since nothing would come of it
	asked    bool              // one was asked for
	override string            // the gate that an override lets it pass
	wait     time.Duration     // how long it waits for an answer
	waits    string            // the approval that it waits for
}

// gated asks the gates, in the call's turn and before any rule: a call that is
// not permitted meets none. It tells whether the call goes on. A call that the
// service refuses by itself, or answers by its idempotency key, is let through:
// nobody is asked about what is not done.
func (x *Exchange) gated(t *run.Turn) bool {
	if x.authority == nil {
		return true
	}
	captured := x.answer.Decision == trail.PolicyCaptured
	if len(x.known.gates) == 0 && !captured && !x.answer.Asks && len(x.parts) == 0 && !x.question.Live {
		x.gate.judged = true
		return true
	}
	by, tried := x.gating(t)
	by = x.again(by)
	x.gate.by, x.gate.judged = by, true
	x.entry.Policy.By = by.Name()
	if tried && by.Why != "" && x.comesToNothing(t) {
		return x.exempted(t)
	}
	switch by.Then {
	case policy.Allow:
		x.untry(t)
		if by.Gate == nil {
			x.entry.Policy.By = ""
		}
		return true
	case policy.Refuse:
		x.untry(t)
		x.forbid(policy.CodeGate, "This call is refused by policy ("+by.Name()+"). Nothing was done.")
		return false
	}
	if x.lost == 0 && x.skips(t) {
		x.untry(t)
		return true
	}
	if !tried {
		x.act(t)
	}
	if x.comesToNothing(t) {
		return x.exempted(t)
	}
	seen := x.predict(t)
	if by.Then == policy.Capture {
		x.capture(t, seen)
		return false
	}
	x.untry(t)
	return x.approved(t, seen)
}

// gating is what gates and stage make of the call, and whether the fake was asked
// for that.
func (x *Exchange) gating(t *run.Turn) (by policy.Gating, tried bool) {
	vars := map[string]any{}
	by = x.authority.Gate(x.question, x.answer, x.known.gates, func(g *policy.Gate, when *expression.Program) (bool, error) {
		if g.AsksForResult() && !tried {
			tried = true
			x.act(t)
		}
		x.lack(t, vars, func(name string) bool { return vars[name] == nil && when.Needs(name) })
		return when.Bool(vars)
	})
	return x.strictest(by), tried
}

// comesToNothing tells whether the call, as it was tried, is refused by its service
// or answered by its idempotency key.
func (x *Exchange) comesToNothing(t *run.Turn) bool {
	if x.question.Live { // what it comes to its real service says
		return false
	}
	return x.reply.Replayed || faults.Refuses(x.reply) && len(x.visible(t)) == 0
}

// exempted lets a call pass that comes to nothing.
func (x *Exchange) exempted(t *run.Turn) bool {
	x.untry(t)
	x.entry.Policy.Decision, x.entry.Policy.By = trail.PolicyAllowed, "" // nothing is captured of it
	x.gate.exempt = true
	return true
}

// strictest holds what gates and stage make of the parts of a batch against what
// they make of the batch: the strictest counts. What a gate's condition comes to
// for a part nobody can say.
func (x *Exchange) strictest(by policy.Gating) policy.Gating {
	for _, part := range x.parts {
		q := x.question
		q.Operation, q.Class = part.Operation, part.Class
		its := x.authority.Gate(q, x.authority.Decide(q), x.authority.GatesOf(part.Operation), func(*policy.Gate, *expression.Program) (bool, error) {
			return false, errPart
		})
		if stricter(its.Then, by.Then) {
			by = its
		}
	}
	return by
}

// stricter tells whether a gate lets less pass than another does.
func stricter(than, other policy.Then) bool {
	rank := []policy.Then{policy.Allow, policy.Capture, policy.Approve, policy.Refuse}
	return slices.Index(rank, than) > slices.Index(rank, other)
}

// errPart says why a gate's condition is not evaluated for a part of a batch.
var errPart = errors.New("of a part of a batch nobody can say")

// untry takes back what was tried to judge the call.
func (x *Exchange) untry(t *run.Turn) {
	t.Discard()
	x.reply = fakes.Reply{}
	x.enter(Plan)
}

// skips tells whether the gate need not ask: a named operator lets calls pass, or
// kept evidence does.
func (x *Exchange) skips(t *run.Turn) bool {
	g := x.gate.by.Gate
	if !g.Skippable(x.question) {
		return false
	}
	if by, ok := approval.Overridden(t.Tx(), t.Now, g.Name, x.question.Live); ok && g.Skip.Override > 0 {
		x.entry.Policy.Skipped, x.entry.Policy.SkipBy, x.gate.override = "override", by, g.Name
		return true
	}
	if g.Skip.Standing == nil {
		return false
	}
	call := trail.StandingApproval{Gate: g.Name, Identity: x.identity, Operation: x.known.full, Same: g.Skip.Standing.Values(x.input.Body)}
	for _, s := range x.run.Standing {
		if s.Key() == call.Key() {
			x.entry.Policy.Skipped, x.entry.Policy.SkipBy = trail.SkippedByEvidence, strconv.Itoa(s.Clean)+" clean"
			return true
		}
	}
	return false
}

// approved tells whether an approval lets the call pass; where none does it is
// held, and one is asked for.
func (x *Exchange) approved(t *run.Turn, seen approval.Seen) bool {
	c := x.approvalCall(seen.About)
	x.lose(t, c)
	s := approval.Look(t.Tx(), t.Now, c)
	if s.Code == "" {
		x.gate.passes, x.gate.granted = s.Approval, true
		x.entry.Policy.Approval, x.entry.Policy.State = s.Approval.ID(), s.Approval.State()
		return true
	}
	asked := s.Approval
	if s.Other.Value() != nil {
		asked = s.Other
	}
	if s.Anew {
		x.gate.asked = true
		asked = approval.Ask(t.Tx(), t.Now, x.authority, x.asking(t, c.Binding, seen))
	}
	if (x.authority.Asking.Waits && !x.replaying || x.waitsAgain) && (x.entry.Reserved == 0 || x.question.Live && !x.waitedOnce) && asked.Value() != nil && asked.Waits() {
		x.gate.wait, x.gate.waits = x.authority.Asking.Wait, asked.ID()
	}
	x.hold403(s, asked)
	return false
}

// regated asks the gates again, on the world as it is after a rule had the call
// wait: what it would do may be something else by now, and another call may have
// used its approval. Where they do not let it pass, nothing of it is done.
func (x *Exchange) regated(t *run.Turn) bool {
	if x.authority == nil {
		return true
	}
	hold := x.plan.Hold
	x.gate, x.reply = gated{}, fakes.Reply{}
	if x.gated(t) {
		x.plan.Hold = hold
		return true
	}
	x.plan = faults.Plan{}
	x.release(t)
	return false
}

// slipped takes a call back that was let through since its service would have
// refused it, or answered by its key, and that has changed something after all: a
// rule had the service do otherwise. It is held as any other.
func (x *Exchange) slipped(t *run.Turn) bool {
	if !x.gate.exempt || len(x.visible(t)) == 0 {
		return false
	}
	seen := x.predict(t)
	x.untry(t)
	x.gate.exempt, x.plan, x.entry.Strikes = false, faults.Plan{}, nil
	if x.gate.by.Then != policy.Capture && x.approved(t, seen) {
		x.act(t)
		x.spendApproval(t)
		return false
	}
	if x.gate.by.Then == policy.Capture {
		x.act(t)
		x.capture(t, seen)
	}
	return true
}

// asking is what an approval is asked for.
func (x *Exchange) asking(t *run.Turn, binding string, seen approval.Seen) approval.Asked {
	by, because, expires := x.authority.Order, "", x.authority.Asking.Expires
	if g := x.gate.by.Gate; g != nil {
		because, expires = g.Because, g.Expires
		if g.Then == policy.Approve {
			by = g.By
		}
	}
	if x.question.Live {
		by = slices.DeleteFunc(slices.Clone(by), func(name string) bool { return !x.authority.Approvers[name].Person })
	}
	return approval.Asked{
		ID: x.mint(t, "approval")("apr_", 8), Gate: x.gate.by.Name(), Because: because, Identity: x.identity, Operation: x.known.full,
		Class: string(x.question.Class), Intent: x.entry.Intent.ID, Event: t.State.Seq + 1, Binding: binding, By: by, Expires: expires,
		Request: x.shownRequest(), Seen: seen, Leaves: x.rests(),
	}
}

// shownRequest is what the call says, as a reviewer is shown it: without secrets.
func (x *Exchange) shownRequest() map[string]any {
	vars := x.orderVars()
	shown := map[string]any{"path": vars["path"], "query": x.op.Anonymous(orEmpty(x.input.Query))}
	if account := x.account(); account != "" {
		shown["account"] = account
	}
	if len(x.input.Body) > 0 { // an empty one is not told from none when it is decided again
		shown["body"] = vars["body"]
	} else if x.input.Value != nil {
		shown["body"] = x.input.Value
	}
	return shown
}

// hold403 answers that an approval is missing.
func (x *Exchange) hold403(s approval.Standing, asked approval.Approval) {
	message := held(s, asked)
	if x.lost > 0 {
		message = "This very call left for the real service before (" + lostAt(x.lost) + "), and nobody knows what came of it: look there before it is made again. " + message
	}
	x.entry.Policy.Decision, x.entry.Policy.Code = trail.PolicyHeld, s.Code
	x.forbid(s.Code, message)
	x.entry.Policy.Decision, x.entry.Outcome = trail.PolicyHeld, trail.Held
	if asked.Value() == nil {
		return
	}
	x.entry.Policy.Approval, x.entry.Policy.State = asked.ID(), asked.State()
	x.tell(headerApproval, asked.ID()+"; state="+asked.State())
	if x.reply.Result["parity"] == s.Code { // in Parity's own words
		x.reply.Result["approval"], x.reply.Result["state"] = asked.ID(), asked.State()
		if asked.Waits() {
			x.reply.Result["lapses"] = asked.Instant("lapses").Format(time.RFC3339)
		}
		x.reply.Body = world.Encode(x.reply.Result)
	}
}

// held says what a caller is told whose call is not let through: fixed texts.
func held(s approval.Standing, asked approval.Approval) string {
	const again = " Make the same call again once it is given. Nothing was done."
	switch {
	case s.Code == approval.CodeUnknown:
		return "There is no such approval of this caller's. Nothing was done."
	case s.Code == approval.CodeRejected:
		said := ""
		if note := s.Approval.Note(); note != "" {
			said = " (" + note + ")"
		}
		return "This call was rejected: " + s.Approval.ID() + said + ". Nothing was done."
	case s.Code == approval.CodeChanged:
		return "This call was approved as changed (" + s.Approval.ID() + "): make it with " + string(world.Encode(s.Approval.Set())) + ". Nothing was done."
	case s.Code == approval.CodeRequired && !s.Anew:
		return "This call needs an approval, which was asked for and is not given yet: " + asked.ID() + "." + again
	case s.There:
		return "Approval " + s.Approval.ID() + " is " + outOf(s) + "; another was asked for: " + asked.ID() + "." + again
	}
	return "This call needs an approval, which was asked for: " + asked.ID() + "." + again
}

// outOf says why an approval lets the call pass no more.
func outOf(s approval.Standing) string {
	switch s.Code {
	case approval.CodeStale:
		if s.Approval.State() != approval.Stale {
			return "of another call"
		}
		return "stale, since what it is about has changed"
	case approval.CodeExpired:
		return "expired"
	case approval.CodeRevoked:
		return "revoked"
	}
	return "used"
}

// spendApproval notes, in the turn that commits, that the approval or the override
// that let the call pass is used. A call that did not commit has used nothing.
func (x *Exchange) spendApproval(t *run.Turn) {
	if !x.gate.granted && x.gate.override == "" {
		return
	}
	done := x.reply.Status/100 == 2 && !x.reply.Replayed && !x.plan.NoCommit && !x.plan.Skip
	if !x.accepted && !done && !slices.ContainsFunc(t.Tx().Changes(), x.counts) {
		return
	}
	if x.gate.override != "" {
		approval.Passed(t.Tx(), x.gate.override)
		return
	}
	x.gate.passes.Use(t.Tx(), t.Now, t.State.Seq+1)
	x.entry.Policy.State = approval.Used
	x.tell(headerApproval, x.gate.passes.ID()+"; state="+approval.Used)
}

// capture keeps the call as a draft, and answers as its service would: nothing of
// it is done.
func (x *Exchange) capture(t *run.Turn, seen approval.Seen) {
	t.Discard()
	id := x.mint(t, "draft")("drf_", 8)
	kit.Keep(t.Tx(), fakes.DraftsCollection, id, map[string]any{
		"id": id, "by": x.gate.by.Name(), "at": t.Now.UnixNano(), "identity": x.identity, "operation": x.known.full, "class": string(x.question.Class),
		"intent": x.entry.Intent.ID, "event": int64(t.State.Seq + 1), "request": x.shownRequest(), "predicted": seen.Predicted, //nolint:gosec // counts events
	})
	x.forbidden = true // it meets no rule
	x.entry.Policy.Decision, x.entry.Policy.Draft = trail.PolicyCaptured, id
	x.entry.Outcome, x.entry.Fidelity, x.entry.Whole = trail.Captured, trail.Drafted, x.reply.Status/100 == 2
	x.tell(headerDraft, id+"; state=captured")
}
