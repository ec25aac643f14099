package faults

import (
	"time"

	"parity/fakes/chance"
	"parity/faults/trail"
	"parity/specs"
)

// Mindful is met by injections that go by what came before: since when a
// session lasts, who holds a lease, which keys were used. Mind is shown each
// call that the rule names and whose condition holds, before the trigger is
// asked, and may take notes of it. Only calls for which the gate is open are
// counted as intents; where what struck before still holds, they are struck
// without asking the trigger.
//
//	call? ─▶ when? ─▶ Mind: open? ─▶ held, or trigger? ─▶ Apply
//	                    └▶ notes        (in the world, hidden)
type Mindful interface {
	Mind(*Plan, CallContext) Gate
}

// Companion is met by Mindful injections that also see calls that their rule
// does not name: where a lease is taken, where a token is renewed.
type Companion interface {
	Attends(op *specs.Operation) bool
}

// Lingerer is met by Companions whose fault, once it has struck a caller, holds for
// all that the caller calls, whatever the rule's condition says of it.
type Lingerer interface {
	Companion
	Lingers(CallContext) bool
}

// lingers tells that the rule has struck the caller before, and holds.
func (r *Rule) lingers(e *Evaluation, t *Tallies) bool {
	l, ok := r.injection.(Lingerer)
	return ok && l.Lingers(r.callContext(e, t, count{}, 0))
}

// Note is something that a rule has to remember, beside what it counts. It is
// kept in the world, so that it forks, replays and is set back with everything
// else, until the rule's text changes.
type Note struct {
	ID    string
	Value map[string]any // as a record has it
	Taken bool           // only if the fake answers the call with success
}

// Note has the rule remember something of this service, in place of what it had
// noted by that name before.
func (p *Plan) Note(name string, value map[string]any) {
	p.notes = append(p.notes, Note{ID: p.page + "/" + name, Value: value})
}

// NoteTaken is Note where the fake answers the call with success.
func (p *Plan) NoteTaken(name string, value map[string]any) {
	p.notes = append(p.notes, Note{ID: p.page + "/" + name, Value: value, Taken: true})
}

// Notes lists what is to be remembered, in order.
func (p *Plan) Notes() []Note { return p.notes }

// noted reads an instant out of a note.
func noted(note map[string]any, field string) (time.Time, bool) {
	n, ok := note[field].(int64)
	return time.Unix(0, n).UTC(), ok
}

// page is before the names of what a rule notes of a service.
func (r *Rule) page(e *Evaluation) string {
	if _, ok := r.injection.(Mindful); !ok {
		return ""
	}
	return chance.Hash(r.Name, r.Hash, e.Operation.Service)[:16]
}

// notes looks up what is on a page.
func (e *Evaluation) notes(page string) func(string) map[string]any {
	return func(name string) map[string]any {
		if e.Noted == nil {
			return nil
		}
		return e.Noted(page + "/" + name)
	}
}

// attend has a call seen that the rule does not name. No trigger is asked about
// it, and it is not counted.
func (r *Rule) attend(mindful Mindful, s trail.Strike, e *Evaluation, t *Tallies, p *Plan) trail.Strike {
	m := r.callContext(e, t, count{}, 0)
	m.Aside = true
	if gate := mindful.Mind(p, m); !gate.Open {
		s.Why = gate.Why
		return s
	}
	return r.strike(s, m, p)
}

// scope is what the rule counts apart where it does not say it.
func (r *Rule) scope(e *Evaluation) string {
	if c, ok := r.injection.(interface{ Together() bool }); ok && c.Together() {
		return ""
	}
	return e.Identity
}
