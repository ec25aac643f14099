// Package permissions works out, from a profile alone, what becomes of each
// operation of each identity: what is printed, compared, tested and told.
//
//	profile, stage ─▶ Of ─▶ cells ─┬─▶ Compare ─▶ broader, narrower, other condition
//	                               ├─▶ Check   ─▶ cells that are not what a matrix says
//	                               └─▶ Written ─▶ the matrix as it is
//
// It asks policy.Authority what the gateway asks it, and decides nothing itself.
// There is no run, no world, and nothing is read or written.
package permissions

import (
	"cmp"
	"slices"
	"strings"

	"parity/fakes/expression"
	"parity/faults/trail"
	"parity/profiles"
	"parity/profiles/policy"
	"parity/specs"
	"parity/specs/class"
)

// Strangers stands for credentials of no identity.
const Strangers = "strangers"

// Why a cell is not allowed, besides the codes of policy.
const (
	CodeApproval = "approval-required" // somebody has to say yes
	CodeUnbound  = "unknown-host"      // the profile binds no such service
)

// A Subject is what calls are decided under.
type Subject struct {
	Profile *profiles.Profile
	Stage   int // of the run; 0: the profile's own; NoStage: none
}

// NoStage is the stage of a run that was begun without one.
const NoStage = -1

// A Cell is what becomes of one operation of one identity.
type Cell struct {
	Identity  string      `json:"identity"`
	Operation string      `json:"operation"`
	Class     class.Class `json:"class"`
	Outcomes  []Outcome   `json:"outcomes"` // the first whose condition holds; the last has none
}

// An Outcome is one thing that may become of it.
type Outcome struct {
	Decision trail.Decision `json:"decision"`
	Code     string         `json:"code,omitempty"` // as a refusal has it
	By       string         `json:"by,omitempty"`   // the gate, the stage or the grant that says so
	When     string         `json:"when,omitempty"` // the gate's condition; "": always, or whatever is left
}

// A Call is a call of an operation as far as it is known.
type Call struct {
	Input specs.Input
	Known bool // there is a body: conditions over the request are evaluated
}

// String is the outcome as a matrix has it.
func (o Outcome) String() string {
	text := string(o.Decision)
	switch o.Decision {
	case trail.PolicyRefused:
		text += " " + o.Code
	case trail.PolicyHeld, trail.PolicyCaptured:
		text += " " + o.By
	}
	if o.When != "" {
		text += " when " + o.When
	}
	return text
}

// String is the cell as a matrix has it: held large when result.amount > 10, else
// allowed.
func (c *Cell) String() string {
	parts := make([]string, len(c.Outcomes))
	for i, o := range c.Outcomes {
		parts[i] = o.String()
	}
	return strings.Join(parts, ", else ")
}

// Last is what becomes of the call where no gate's condition holds.
func (c *Cell) Last() Outcome { return c.Outcomes[len(c.Outcomes)-1] }

// InForce is the stage that is in force; 0: none is.
func (s Subject) InForce() int {
	if s.Stage == 0 && s.Profile.Authority != nil {
		return s.Profile.Authority.Stage
	}
	return max(s.Stage, 0)
}

// authority is what decides; nil: everybody may everything.
func (s Subject) authority() *policy.Authority {
	if s.Profile.Authority == nil && s.InForce() > 0 {
		return policy.Staged()
	}
	return s.Profile.Authority
}

// Identities are those of the profile, sorted, and the strangers.
func (s Subject) Identities() []string {
	all := make([]string, 0, len(s.Profile.Identities)+1)
	for _, i := range s.Profile.Identities {
		all = append(all, i.Name)
	}
	slices.Sort(all)
	return append(all, Strangers)
}

// Operations are those of all services that the profile binds, by name.
func (s Subject) Operations() []*specs.Operation {
	var all []*specs.Operation
	for _, name := range s.Profile.Services {
		if service, ok := s.Profile.Catalogue.Service(name); ok {
			all = append(all, service.Contract.Operations...)
		}
	}
	slices.SortStableFunc(all, byName)
	return slices.CompactFunc(all, func(a, b *specs.Operation) bool { return byName(a, b) == 0 })
}

// byName orders operations by service, path and method.
func byName(a, b *specs.Operation) int {
	return cmp.Or(cmp.Compare(a.Service, b.Service), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method))
}

// Of gives the cells of all identities and operations.
func Of(s Subject) []Cell {
	var all []Cell
	ops := s.Operations()
	classes := make([]class.Class, len(ops))
	for i, op := range ops {
		classes[i] = s.class(op)
	}
	for _, identity := range s.Identities() {
		for i, op := range ops {
			all = append(all, s.decide(identity, op, Call{}, classes[i]))
		}
	}
	return all
}

// Decide says what becomes of a call. Of one whose body is not known, each gate
// with a condition is an outcome of its own, and of several classes the highest
// counts. Of one that is, conditions are evaluated over the request alone: a gate
// that asks for more is taken to hold, but for one that allows, which lets nothing
// through that is not known.
func (s Subject) Decide(identity string, op *specs.Operation, call Call) Cell {
	return s.decide(identity, op, call, s.class(op))
}

// class is what an operation is before the profile has its say.
func (s Subject) class(op *specs.Operation) class.Class {
	return class.Of(op, s.Profile.Effect(op)).Class
}

func (s Subject) decide(identity string, op *specs.Operation, call Call, is class.Class) Cell {
	cell := Cell{Identity: identity, Operation: op.Name(), Class: is}
	if !slices.Contains(s.Profile.Services, op.Service) {
		cell.Outcomes = []Outcome{{Decision: trail.PolicyRefused, Code: CodeUnbound, By: "no " + op.Service}}
		return cell
	}
	a := s.authority()
	if a == nil {
		cell.Outcomes = []Outcome{{Decision: trail.PolicyAllowed}}
		return cell
	}
	vars := requested(op, call)
	if said := a.Classes[op]; said != nil {
		cell.Class = said.Of(is, func(when *expression.Program) (bool, error) {
			if !call.Known {
				return false, errUnknown{}
			}
			return when.Bool(vars)
		})
	}
	q := policy.Question{Operation: op, Input: call.Input, Class: cell.Class, Stage: s.InForce()}
	q.Live = s.Profile.Mode(op) == policy.Live && policy.Writes(op, q.Class)
	if identity != Strangers && slices.Contains(s.Identities(), identity) {
		q.Identity = identity
	}
	ans := a.Decide(q)
	if ans.Decision == trail.PolicyRefused {
		cell.Outcomes = []Outcome{{Decision: ans.Decision, Code: ans.Code, By: ans.By}}
		return cell
	}
	cell.Outcomes = outcomes(a, q, ans, func(when *expression.Program) (holds, known bool, err error) {
		switch {
		case !call.Known:
			return false, false, nil
		case beyond(when):
			return true, true, nil
		}
		holds, err = when.Bool(vars)
		return holds, true, err
	})
	return cell
}

// errUnknown is of a condition over a request that nobody has.
type errUnknown struct{}

func (errUnknown) Error() string { return "the request is not known" }

// beyond tells a condition that asks for more than the request.
func beyond(when *expression.Program) bool {
	return slices.ContainsFunc([]string{"result", "world", "clock", "run"}, when.Needs)
}

// outcomes asks the gates again and again: first as if the first condition that is
// not known held, then as if only the second did, until none is left.
func outcomes(a *policy.Authority, q policy.Question, ans policy.Answer, holds func(*expression.Program) (holds, known bool, err error)) []Outcome {
	var all []Outcome
	gates := a.GatesOf(q.Operation)
	for n := 0; ; n++ {
		var of *policy.Gate
		seen := 0
		made := a.Gate(q, ans, gates, func(g *policy.Gate, when *expression.Program) (bool, error) {
			yes, known, err := holds(when)
			switch {
			case known && err == nil && yes && g.Then == policy.Allow && beyond(when):
				return false, errUnknown{}
			case known:
				return yes, err
			}
			seen++
			if seen == n+1 {
				of = g
				return true, nil
			}
			return false, nil
		})
		o := outcome(made)
		if of == nil {
			return append(all, o)
		}
		o.When = of.When.String()
		all = append(all, o)
	}
}

func outcome(made policy.Gating) Outcome {
	o := Outcome{By: made.Name()}
	switch made.Then {
	case policy.Approve:
		o.Decision, o.Code = trail.PolicyHeld, CodeApproval
	case policy.Capture:
		o.Decision = trail.PolicyCaptured
	case policy.Refuse:
		o.Decision, o.Code = trail.PolicyRefused, policy.CodeGate
	default:
		o.Decision = trail.PolicyAllowed
		if made.Gate == nil {
			o.By = ""
		}
	}
	return o
}

// requested is what conditions see of a call.
func requested(op *specs.Operation, call Call) map[string]any {
	path := map[string]any{}
	for name, value := range call.Input.Path {
		path[name] = value
	}
	orEmpty := func(m map[string]any) map[string]any {
		if m == nil {
			return map[string]any{}
		}
		return m
	}
	return map[string]any{"request": map[string]any{
		"method": op.Method, "path": path, "query": orEmpty(call.Input.Query), "body": orEmpty(call.Input.Body), "header": map[string]any{},
	}}
}
