package faults

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/expression"
	"parity/faults/trail"
	"parity/specs"
)

// Rule is one way in which a service misbehaves: when it happens and to what.
type Rule struct {
	Name     string
	Calls    []Pattern
	When     *expression.Program // nil: always
	Fault    *Fault
	Trigger  Trigger
	Per      *expression.Path // nil: the identity
	Because  string
	Required bool
	Live     bool   // it strikes where a real service is called, too
	Hash     string // of everything above: counters belong to name and hash

	injection Injection
	about     []Pattern // the calls that it strikes at: Calls, but for a Watcher
}

// Draft is a rule as a profile has it, with its parts parsed.
type Draft struct {
	Name     string
	Calls    []Pattern
	When     *expression.Program
	Fault    string
	With     map[string]any
	Trigger  Trigger
	Per      *expression.Path
	Because  string
	Required bool
	Live     bool
	Text     string // what the hash is taken over
}

// NewRule builds a rule. Its errors are *ArgError where a parameter is wrong.
func NewRule(d Draft) (*Rule, error) {
	fault, ok := Lookup(d.Fault)
	if !ok {
		return nil, fmt.Errorf("there is no fault %q", d.Fault)
	}
	if len(d.Calls) == 0 {
		return nil, errors.New("a rule names the calls that it is about")
	}
	injection, err := fault.Build(d.With)
	if err != nil {
		return nil, err
	}
	if fault.Lasts && d.Trigger.Tries == 0 {
		d.Trigger.Tries = math.MaxInt64
	}
	hash := chance.Hash(d.Name, d.Text)[:12]
	r := &Rule{
		Name: d.Name, Calls: d.Calls, When: d.When, Fault: fault, Trigger: d.Trigger, Per: d.Per,
		Because: d.Because, Required: d.Required, Live: d.Live, Hash: hash, injection: injection, about: d.Calls,
	}
	if w, ok := injection.(Watcher); ok {
		if watches := w.Watches(); len(watches) > 0 {
			r.about = watches
		}
	}
	return r, nil
}

// Matches tells whether the rule strikes at a call of op, if op has what its
// fault needs.
func (r *Rule) Matches(op *specs.Operation, in specs.Input) bool {
	for _, p := range r.about {
		if p.MatchCall(op, in) {
			return true
		}
	}
	return false
}

// attends tells whether the rule takes note of calls of op, which it does not
// name.
func (r *Rule) attends(op *specs.Operation) bool {
	c, ok := r.injection.(Companion)
	return ok && c.Attends(op)
}

// About gives the calls that the rule strikes at: mostly its Calls.
func (r *Rule) About() []Pattern { return r.about }

// Misfit says what an operation lacks that the fault needs; "" where it has it.
func (r *Rule) Misfit(op *specs.Operation, fake fakes.Fake) string {
	if f, ok := r.injection.(Requirer); ok {
		return f.Misfit(op, fake)
	}
	return ""
}

// AsksForResult tells whether the rule can be judged only once the fake has
// answered.
func (r *Rule) AsksForResult() bool {
	_, needs := r.injection.(NeedsResult)
	return needs || r.names("result")
}

// Evaluation is one exchange as the rules see it.
type Evaluation struct {
	Operation *specs.Operation
	Input     specs.Input
	Seed      chance.Seed
	Identity  string
	Intent    trail.Intent
	Now       time.Time
	Began     time.Time                                    // the run's first instant
	Base      string                                       // under which the client reached the service
	Host      string                                       // that the client meant
	Target    string                                       // path and query, as the service knows them
	Fresh     bool                                         // the client asks past caches
	Status    int                                          // what the fake has answered; 0: it was not asked yet
	Vars      func(names func(string) bool) map[string]any // what a condition may name; names says which it does
	Refer     expression.Resolve                           // follows an id to its record
	Noted     func(id string) map[string]any               // a note that rules keep in the world
}

func (e *Evaluation) request() Request {
	return Request{e.Operation, e.Input, e.Intent.Occurrence, e.Base, e.Host, e.Target, e.Identity, e.Intent.Key, e.Fresh}
}

// Consider asks one rule about one exchange. It writes to the plan if the rule
// fires, and says in any case what came of it.
func (r *Rule) Consider(e *Evaluation, t *Tallies, p *Plan) trail.Strike {
	s := trail.Strike{Rule: r.Name, Hash: r.Hash, Fault: r.Fault.Name, Phase: string(r.Fault.Phase), Required: r.Required}
	p.owner = r.Name
	mindful, minds := r.injection.(Mindful)
	if minds {
		p.page = r.page(e)
		if !r.Matches(e.Operation, e.Input) || r.lingers(e, t) {
			return r.attend(mindful, s, e, t, p)
		}
	}
	if !r.applies(e, &s) {
		return s
	}
	held := false
	if minds {
		gate := mindful.Mind(p, r.callContext(e, t, count{}, 0))
		if !gate.Open {
			s.Why = gate.Why
			return s
		}
		held = gate.Held
	}
	name := ruleKey{r.Name, r.Hash, s.Per}
	count, seen := t.count(name), sighting{}
	if in, _ := t.intent(e.Intent.Fingerprint, e.Intent.Occurrence); in != nil {
		seen = in.sight(name)
	}
	m := r.callContext(e, t, count, int(seen.attempts)+1) //nolint:gosec // small
	if some, ok := r.injection.(Filter); ok {
		if g := some.Beside(m); !g.Open {
			s.Use, s.Limit, s.Why = g.Use, some.Limit(), g.Why
			return s
		}
	}
	s.Index = seen.index
	if s.Index == 0 {
		s.Index = count.met + 1
	}
	if _, shuts := r.injection.(HoldsForAll); !held && (!shuts || !count.until.Time().After(e.Now)) {
		pulls, why := r.Trigger.pulls(occasion{
			index: s.Index, attempt: seen.attempts + 1, fired: count.fired, hit: seen.hit, age: e.Now.Sub(e.Began),
			draw:   func() float64 { return r.draw(e, "trigger") },
			lastOf: t.lastOf,
		})
		if !pulls {
			s.Why = why
			return s
		}
	}
	return r.strike(s, m, p)
}

// applies tells whether the rule is about the exchange at all, and notes what
// it is counted with, or why it is not.
func (r *Rule) applies(e *Evaluation, s *trail.Strike) bool {
	vars := e.Vars(r.names)
	if r.When != nil {
		ok, err := r.When.Bool(vars)
		if err != nil && r.names("result") && refused(e, vars) {
			s.Why = "when: not so: the service refused the call, and a refusal has no such result"
			return false
		}
		if err != nil {
			s.Unknown, s.Why = true, "when: "+err.Error()
			return false
		}
		if !ok {
			s.Why = "when: not so"
			return false
		}
	}
	s.Per = r.scope(e)
	if r.Per != nil {
		per, err := r.Per.Value(vars, e.Operation.Service+"."+e.Operation.Anatomy.Collection, e.Refer)
		if err != nil {
			s.Unknown, s.Why = true, "per: "+err.Error()
			return false
		}
		s.Per = fmt.Sprint(per)
	}
	return true
}

// refused tells whether the fake has refused the call, by a status or within a
// success: its result is an error then, with fields of its own.
func refused(e *Evaluation, vars map[string]any) bool {
	const firstError = 400
	result, _ := vars["result"].(map[string]any)
	return e.Status >= firstError || result["ok"] == false
}

// callContext is what the fault can know of the exchange.
func (r *Rule) callContext(e *Evaluation, t *Tallies, count count, attempt int) CallContext {
	m := CallContext{
		Call: e.request(), Status: e.Status, Attempt: attempt, Tries: int(r.Trigger.Attempts()), Now: e.Now, Began: e.Began, //nolint:gosec // small
		Uses: count.uses.since, Failing: t.failing, Noted: e.notes(r.page(e)),
		Draw:   func(purpose string) float64 { return r.draw(e, purpose) },
		Steady: func(purpose string) float64 { return chance.Draw(e.Seed, r.Name, purpose) },
	}
	if count.uses.len() > 0 {
		m.First = count.uses.of(count.uses.first).Time()
	}
	if count.until > 0 {
		m.Until = count.until.Time()
	}
	if r.Trigger.From > 0 {
		m.Opens = e.Began.Add(r.Trigger.From)
	}
	return m
}

// strike lets the fault write to the plan, unless another has decided already.
func (r *Rule) strike(s trail.Strike, m CallContext, p *Plan) trail.Strike {
	if gate, ok := r.injection.(Gatekeeper); ok {
		if g := gate.Open(m); !g.Open {
			s.Use, s.Limit, s.Why = g.Use, gate.Limit(), g.Why
			if annotator, ok := r.injection.(Annotator); ok && !p.decided {
				annotator.Pass(p, m)
			}
			return s
		}
	}
	if p.decided && (r.Fault.Decides || p.Wire.End != trail.Complete) {
		s.Outranked, s.Why = true, "an earlier rule decided the outcome"
		return s
	}
	p.decided = p.decided || r.Fault.Decides
	mark := r.injection.Apply(p, m)
	s.Fired, s.Wait, s.Until = true, mark.Wait, 0
	if !mark.Until.IsZero() {
		s.Until = trail.At(mark.Until)
	}
	return s
}

func (r *Rule) draw(e *Evaluation, purpose string) float64 {
	return chance.Draw(e.Seed, r.Name, purpose, e.Identity, e.Intent.ID)
}

func (r *Rule) names(name string) bool {
	return r.When != nil && r.When.Needs(name) || r.Per != nil && r.Per.Needs(name)
}

// Set is the rules of one profile revision, indexed by operation.
type Set struct {
	Rules       []*Rule
	by          map[*specs.Operation][]*Rule
	written     map[*Rule]bool     // those that write out the path of some calls
	connections map[string][]*Rule // by service: those that are about connections
}

// Target is an operation, and the fake that plays it.
type Target struct {
	Operation *specs.Operation
	Fake      fakes.Fake
}

// NewSet indexes rules, in file order, over the operations that there are.
func NewSet(rules []*Rule, targets []Target) *Set {
	s := &Set{Rules: rules, by: make(map[*specs.Operation][]*Rule), written: map[*Rule]bool{}, connections: map[string][]*Rule{}}
	operations := make([]*specs.Operation, len(targets))
	for i, to := range targets {
		operations[i] = to.Operation
	}
	index := NewIndex(operations)
	for _, r := range rules {
		about := index.Find(r.about)
		if slices.ContainsFunc(r.about, index.Writes) {
			s.written[r] = true
		}
		for _, i := range about {
			if r.Misfit(operations[i], targets[i].Fake) == "" {
				s.add(r, operations[i])
			}
		}
		if _, attends := r.injection.(Companion); !attends {
			continue
		}
		for i, op := range operations {
			if _, named := slices.BinarySearch(about, i); r.attends(op) && (!named || r.Misfit(op, targets[i].Fake) != "") {
				s.add(r, op)
			}
		}
	}
	return s
}

func (s *Set) add(r *Rule, op *specs.Operation) {
	switch {
	case !r.Fault.Connection:
		s.by[op] = append(s.by[op], r)
	case !slices.Contains(s.connections[op.Service], r):
		s.connections[op.Service] = append(s.connections[op.Service], r)
	}
}

// For gives the rules that are about op, in file order: some of them perhaps
// about calls with certain values in their path alone.
func (s *Set) For(op *specs.Operation) []*Rule { return s.by[op] }

// Of gives the rules that are about a call of op, in file order.
func (s *Set) Of(op *specs.Operation, in specs.Input) []*Rule {
	all := s.by[op]
	other := func(r *Rule) bool { return s.written[r] && !r.Matches(op, in) && !r.attends(op) }
	if len(s.written) == 0 || !slices.ContainsFunc(all, other) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), other)
}

// Connections gives the rules that are about connections to a service, in file
// order.
func (s *Set) Connections(service string) []*Rule { return s.connections[service] }
