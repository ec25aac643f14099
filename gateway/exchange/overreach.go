package exchange

import (
	"parity/fakes"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/profiles/policy"
)

// overreaches refuses a part that policy would not let pass by itself where the
// whole was not judged as strictly: beforehand only calls that are written as calls
// are told, not what a service makes of a list of records.
func (x *Exchange) overreaches(t *run.Turn) bool {
	if x.authority == nil {
		return false
	}
	if x.answer.Decision == trail.PolicyRefused {
		x.forbid(x.answer.Code, x.refusal())
		return true
	}
	of := x.within.of
	for of.within.of != nil {
		of = of.within.of
	}
	if !of.gate.judged || len(x.known.gates) == 0 && x.answer.Decision != trail.PolicyCaptured && !x.answer.Asks {
		return false
	}
	by, tried := x.gating(t)
	if tried {
		x.takeBack(t)
		x.reply = fakes.Reply{}
		x.enter(Plan)
	}
	if !stricter(by.Then, policy.Allow) || !stricter(by.Then, of.gate.by.Then) {
		return false
	}
	x.entry.Policy.By = by.Name()
	x.forbid(policy.CodeGate, "This call is not let through by policy as a part of another ("+by.Name()+"). Nothing was done.")
	return true
}

// watch answers the parts of a call of which no part is decided by itself, such as
// one that is a part. Policy is asked about them all the same.
func (x *Exchange) watch(t *run.Turn, call *fakes.Call) fakes.Carrier {
	return func(part fakes.Part, answer func(*fakes.Call) fakes.Reply) fakes.Reply {
		if p := x.part(t, part, answer); p.known != nil && p.overreaches(t) {
			return p.reply
		}
		return answer(call.As(part))
	}
}
