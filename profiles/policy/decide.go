package policy

import (
	"strconv"

	"parity/fakes/expression"
	"parity/faults/trail"
	"parity/specs"
	"parity/specs/class"
)

// Why a call is not let through. The set is closed: metrics use it as a label.
const (
	CodeNoPolicy   = "no-policy"        // no operation is known there
	CodeEscalation = "class-escalation" // it carries more than it seems
	CodeOverStage  = "over-stage"       // its class is beyond the run's stage
	CodeNotGranted = "not-granted"      // its class is beyond what the caller may
	CodeGate       = "gate-refused"
)

// A Question is one call, as policy sees it before the run's state comes into it.
type Question struct {
	Operation *specs.Operation
	Input     specs.Input
	Class     class.Class // with what the request carries
	Identity  string      // by the profile's name; "": a stranger
	Stage     int         // of the run; 0: none is in force
	Narrowed  class.Class // what a fault has left of the grant; "": all of it
	Live      bool        // it is a write that would leave for its real service
}

// An Answer is what stage and grant say of a call.
type Answer struct {
	Decision trail.Decision
	Code     string
	By       string      // stage or grant, where it is not allowed
	Grant    class.Class // the highest class that the caller may there; "": none
	Asks     bool        // the stage has somebody say yes, unless a gate decides
	MayAllow bool        // a gate may let it pass without
}

// Decide says what stage and grant make of a call: allowed, captured or refused.
// Whatever is true of a call is true of it under a higher stage or a wider grant:
// a decision never rises when one of them is lowered.
func (a *Authority) Decide(q Question) Answer {
	rung := rungOf(q.Stage, q.Class)
	ans := Answer{Decision: trail.PolicyAllowed, Grant: a.grant(q), Asks: rung == asks || rung == asksOrGate, MayAllow: rung == asksOrGate || rung == free}
	if rung == refuses || rung == drafts && !a.Capture {
		ans.Decision, ans.Code, ans.By = trail.PolicyRefused, CodeOverStage, "stage "+strconv.Itoa(q.Stage)
		return ans
	}
	if why := a.ungranted(q, ans.Grant); why != "" {
		ans.Decision, ans.Code, ans.By = trail.PolicyRefused, CodeNotGranted, why
		return ans
	}
	if rung == drafts {
		ans.Decision, ans.By = trail.PolicyCaptured, "stage "+strconv.Itoa(q.Stage)
	}
	return ans
}

// grant is the highest class that the caller may at the operation's service.
func (a *Authority) grant(q Question) class.Class {
	most := a.Strangers
	switch g, granted := a.Grants[q.Identity]; {
	case a.Open, q.Identity != "" && len(a.Grants) == 0: // what strangers may takes nothing from others
		most = class.Admin
	case granted:
		most = g.most(q.Operation.Service)
	case q.Identity != "":
		most = "" // others have a grant, and this one has none
	}
	if q.Narrowed != "" && q.Narrowed.Rank() < most.Rank() {
		return q.Narrowed
	}
	return most
}

// ungranted says by what the caller may not make the call; "": it may.
func (a *Authority) ungranted(q Question, most class.Class) string {
	g := a.Grants[q.Identity]
	for _, p := range g.Never {
		if p.MatchCall(q.Operation, q.Input) {
			return "never " + p.String()
		}
	}
	if q.Class.Within(most) {
		return ""
	}
	if q.Narrowed == "" {
		for _, p := range g.Also {
			if p.MatchCall(q.Operation, q.Input) {
				return ""
			}
		}
	}
	switch {
	case q.Identity == "":
		return "strangers"
	case most == "":
		return q.Identity + " has no grant for " + q.Operation.Service
	}
	return q.Identity + " may " + string(most)
}

// Gating is what gates and the stage's own rule make of a call that may be made.
type Gating struct {
	Then  Then
	Gate  *Gate  // nil: the stage's own rule
	Why   string // of a condition that could not be evaluated
	Stage int
	Mode  Mode // that decides in their place; "": none does
}

// Name is what decided, for people: the gate, or the stage.
func (g Gating) Name() string {
	if g.Mode != "" {
		return "mode " + string(g.Mode)
	}
	if g.Gate != nil {
		return g.Gate.Name
	}
	return "stage " + strconv.Itoa(g.Stage)
}

// Gate asks the gates in file order about a call that Decide let through, then
// the stage's own rule. Holds evaluates a condition. A gate asks for more than
// the stage as it likes, and for less only where the stage lets it; a condition
// that cannot be evaluated lets nothing through.
func (a *Authority) Gate(q Question, ans Answer, gates []*Gate, holds func(*Gate, *expression.Program) (bool, error)) Gating {
	captured := ans.Decision == trail.PolicyCaptured
	for _, g := range gates {
		if !g.about(q) {
			continue
		}
		made := Gating{Then: g.Then, Gate: g, Stage: q.Stage}
		if g.When != nil {
			ok, err := holds(g, g.When)
			switch {
			case err != nil && g.Then == Allow:
				continue
			case err != nil && (g.Then == Refuse || q.Class == class.Read): // a no is not weakened to a question, and nobody approves reads
				made.Why = err.Error()
			case err != nil:
				made.Then, made.Why = Approve, err.Error()
			case !ok:
				continue
			}
		}
		switch {
		case made.Then == Allow && captured, made.Then == Approve && captured:
			made.Then = Capture // nothing is done that somebody would have to approve
		case made.Then == Allow && !ans.MayAllow && ans.Asks:
			made.Then = Approve
		}
		return made.real(q)
	}
	made := Gating{Then: Allow, Stage: q.Stage}
	switch {
	case captured:
		made.Then = Capture
	case ans.Asks:
		made.Then = Approve
	}
	return made.real(q)
}

// about tells whether the gate names a call. Reads are never gated.
func (g *Gate) about(q Question) bool {
	if q.Class == class.Read && g.Then != Refuse {
		return false
	}
	for _, p := range g.Calls {
		if p.MatchCall(q.Operation, q.Input) {
			return true
		}
	}
	return false
}

// GatesOf gives the gates that may be about calls of an operation.
func (a *Authority) GatesOf(op *specs.Operation) []*Gate {
	var some []*Gate
	for _, g := range a.Gates {
		for _, p := range g.Calls {
			if p.Match(op) || p.May(op) {
				some = append(some, g)
				break
			}
		}
	}
	return some
}
