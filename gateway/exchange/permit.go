package exchange

import (
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/expression"
	"parity/fakes/kit"
	"parity/faults/trail"
	"parity/profiles/policy"
	"parity/specs"
	"parity/specs/class"
)

// ruled is what policy makes of the call. Where the profile has none it is zero.
type ruled struct {
	authority *policy.Authority
	question  policy.Question
	carried   string       // what raised the class
	parts     []class.Part // of a batch
	answer    policy.Answer
	forbidden bool // policy refused the call, which meets no rule
	gate      gated

	generation int // of the credential that was shown, where it was made for the run

	waitsAgain bool // a record says that it waited for an answer
	waitedOnce bool // for an answer to its approval
}

// permit decides whether the call may be made at all. What no service of this
// gateway answers for may not: it would leave.
func (x *Exchange) permit() {
	if x.answered || x.served() {
		return
	}
	message := x.rev.Egress.Refusal(x.origin.Authority.Host, x.origin.Authority.Port)
	status := http.StatusForbidden
	if x.entry.Way == "base" {
		status = http.StatusNotFound
		message = "No service is at " + kit.Clip(x.path) + ". " + x.rev.Directions() + ", or set this address as HTTP_PROXY."
	}
	x.refuse(trail.Denied, status, "unknown-host", message)
}

// authorise asks policy what it can say without the run's state: whether stage
// and grant let the call pass. What a call may not do is said before what is wrong
// with it. It tells whether the call goes on.
func (x *Exchange) authorise() bool {
	if x.authority = x.rev.Authority(x.run.Stage); x.authority == nil {
		return true
	}
	carried := x.carries()
	x.question = policy.Question{Operation: x.op, Input: x.input, Class: carried.Class, Identity: x.who(), Stage: x.run.Stage}
	x.parts = carried.Parts
	switch carried.Code {
	case "":
		x.carried = carried.By
		return x.allowed()
	case class.Contract:
		x.entry.Policy = x.said(policy.Answer{Decision: trail.PolicyRefused, Code: "contract"})
		x.trouble(trail.Invalid, fakes.Problem{Kind: fakes.BadRequest, Status: http.StatusBadRequest, Message: carried.Message}, http.StatusBadRequest, "contract", carried.Message)
		return false
	}
	x.entry.Policy = x.said(policy.Answer{By: carried.By})
	x.forbid(carried.Code, carried.Message)
	return false
}

// carries tells what the request carries besides the call that it seems to be.
func (x *Exchange) carries() class.Carried {
	judge := class.Judge{
		Match: func(method, path string) (*specs.Operation, bool) {
			m := x.service.Contract.Match(method, path)
			return m.Operation, m.Operation != nil
		},
		Class: func(op *specs.Operation) class.Class {
			if op == x.op {
				return x.classified()
			}
			is := class.Of(op, x.rev.Profile.Effect(op)).Class
			if said := x.authority.Classes[op]; said != nil {
				return said.Most(is)
			}
			return is
		},
		Table: func(op *specs.Operation) (class.Table, bool) {
			if said := x.authority.Classes[op]; said != nil && said.GraphQL != nil {
				return *said.GraphQL, true
			}
			return class.Table{}, false
		},
	}
	return judge.Carry(x.op, class.Request{Method: x.r.Method, Query: x.r.URL.RawQuery, Header: x.r.Header, Input: x.input, Body: x.body})
}

// ruling is what stage and grant make of the call, and of each part of a batch:
// the first that is refused counts.
func (x *Exchange) ruling() policy.Answer {
	own := x.authority.Decide(x.question)
	for _, part := range x.parts {
		q := x.question
		q.Operation, q.Class, q.Input = part.Operation, part.Class, specs.Input{}
		if its := x.authority.Decide(q); own.Decision != trail.PolicyRefused && its.Decision == trail.PolicyRefused {
			its.By += " (a part: " + part.Operation.Name() + ")"
			return its
		}
	}
	return own
}

// allowed asks stage and grant, and forbids the call where either does not let it
// pass.
func (x *Exchange) allowed() bool {
	x.answer = x.ruling()
	x.entry.Policy = x.said(x.answer)
	if x.answer.Decision != trail.PolicyRefused {
		return true
	}
	x.forbid(x.answer.Code, x.refusal())
	return false
}

// said is what the journal keeps of an answer.
func (x *Exchange) said(a policy.Answer) *trail.Policy {
	return &trail.Policy{
		Class: string(x.question.Class), Carried: x.carried, Stage: x.question.Stage, Grant: string(a.Grant), Decision: a.Decision, Code: a.Code, By: a.By,
	}
}

// refusal is what the caller is told: a fixed text, without advice on how to get
// around.
func (x *Exchange) refusal() string {
	q := x.question
	switch x.answer.Code {
	case policy.CodeOverStage:
		return "This call is " + article(q.Class) + ", which is beyond the stage of this run (" + x.answer.By + ", " + policy.StageName(q.Stage) + "). Nothing was done."
	case policy.CodeNotGranted:
		return "The caller may not make this call (" + x.known.full + ", " + article(q.Class) + "). Nothing was done."
	}
	return "This call is not permitted. Nothing was done."
}

func article(c class.Class) string {
	if strings.HasPrefix(string(c), "a") || strings.HasPrefix(string(c), "i") {
		return "an " + string(c) + " act"
	}
	return "a " + string(c) + " act"
}

// forbid answers that policy does not let the call pass, as its service words a
// missing right.
func (x *Exchange) forbid(code, message string) {
	x.entry.Policy.Decision, x.entry.Policy.Code = trail.PolicyRefused, code
	x.forbidden = true
	x.trouble(trail.Forbidden, fakes.Problem{Kind: fakes.Forbidden, Status: http.StatusForbidden, Message: message}, http.StatusForbidden, code, message)
	x.entry.Outcome, x.entry.Fidelity, x.entry.Note = trail.Forbidden, trail.None, message
	x.tell("X-Parity-Refused", code)
}

// tell adds a header to the reply.
func (x *Exchange) tell(name, value string) {
	header := x.reply.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set(name, value)
	x.reply.Header = header
}

// classified is what sort of act the call is.
func (x *Exchange) classified() class.Class {
	is := class.Class(x.known.class)
	if is == "" {
		is = class.Of(x.op, specs.Effect(x.known.effect)).Class
	}
	said := x.authority.Classes[x.op]
	if said == nil {
		return is
	}
	return said.Of(is, func(when *expression.Program) (bool, error) {
		return when.Bool(map[string]any{"request": x.requestVars(), "run": map[string]any{"id": x.run.ID, "seed": int64(x.run.Seed)}}) //nolint:gosec // shown as it is
	})
}

// who is the name that the profile has for whoever calls; "": it has none. Where
// the call shows no credential, since the service takes none there, it is the only
// one that there is.
func (x *Exchange) who() string {
	if x.identity == "" {
		return x.authority.Alone
	}
	return x.rev.nameOf(x.identity)
}
