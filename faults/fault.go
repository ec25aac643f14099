// Package faults holds the catalogue of what a service can do wrong, and the
// rules that say when it does.
//
//	Rule ── call? when? trigger? ──▶ fires ──▶ Fault ──▶ changes the Plan
//	              │                                        │
//	           Tallies (folded from events)        hold · skip · commit? · say · wire
//
// Faults and rules hold no mutable field. What a rule has counted is in the
// Tallies of a run; what a fault does is written into the Plan of one
// exchange, which the gateway then carries out.
package faults

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Phase says when a fault strikes relative to the commit point.
type Phase string

// The phases.
const (
	Before  Phase = "before"  // nothing has happened
	After   Phase = "after"   // the world has changed
	Instead Phase = "instead" // the fake is not asked
	InReply Phase = "reply"   // what is sent is altered; the world is right
	InWorld Phase = "world"   // somebody or something else changes the world
	InTime  Phase = "time"    // the run's clock, or a lifetime, has its say
	Policy  Phase = "policy"  // before policy decides: what it goes by is changed (policy.go)
)

// Fault is one entry of the catalogue.
type Fault struct {
	Name     string
	Phase    Phase
	Summary  string // one sentence: what the client sees
	Reaction string // one sentence: what a good agent does
	Example  string // a complete rule, in YAML, as under faults: of a profile
	Params   []Param
	Judging  Judging
	Forms    []Form  // by which a sweep tries it
	Unswept  string  // why no sweep does; "": it has Forms
	Declares string  // the property, as differences weaken it, of which a rule with it says how production is
	Decides  bool    // it decides the outcome: of several on one exchange, the first in the file wins
	Live     LiveUse // whether it may strike where a real service is called
	Lasts    bool    // it is a state of the service: a trigger that says no tries hits each attempt

	// Connection says that it strikes connections to a service, before any
	// request is known.
	Connection bool

	build func(Args) (Injection, error)
}

// Injection is a fault with its parameters: it writes what is to happen into
// the plan.
type Injection interface {
	Apply(*Plan, CallContext) Mark
}

// Gatekeeper is met by injections that have a say in whether they fire.
type Gatekeeper interface {
	Open(CallContext) Gate
	// Limit is how many of the newest calls that it counted it asks for.
	Limit() int
}

// HoldsForAll is met by Gatekeeper injections whose refusal holds for every call of its
// bucket until the instant in its Mark: no trigger is asked meanwhile.
type HoldsForAll interface {
	Gatekeeper
	HoldsForAll()
}

// Annotator is met by Gatekeeper injections that have something to say in the replies
// to calls that they let pass, such as how many more are left.
type Annotator interface {
	Pass(*Plan, CallContext)
}

// Gate is what a Gatekeeper injection says of a call.
type Gate struct {
	Open bool
	Why  string // it does not fire
	Use  bool   // and the call is counted
	Held bool   // what struck before still holds: no trigger is asked; for a Mindful one
}

// Build checks raw parameters, as a profile has them, and makes an Injection.
// Every problem is reported at once, as an *ArgError each.
func (f *Fault) Build(raw map[string]any) (Injection, error) {
	args, problems := f.parse(raw)
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return f.build(args)
}

func (f *Fault) parse(raw map[string]any) (Args, []error) {
	args := Args{}
	var problems []error
	names := make([]string, 0, len(raw))
	for name := range raw {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		i := slices.IndexFunc(f.Params, func(p Param) bool { return p.Name == name })
		if i < 0 {
			problems = append(problems, &ArgError{Key: name, Message: fmt.Sprintf(
				"%s has no parameter %q; it has %s", f.Name, name, strings.Join(f.paramNames(), ", "))})
			continue
		}
		value, err := f.Params[i].parse(raw[name])
		if err != nil {
			arg := &ArgError{Key: name, Message: err.Error()}
			var inside *insideError
			if errors.As(err, &inside) {
				arg.Inside = []string{inside.at}
			}
			problems = append(problems, arg)
			continue
		}
		args[name] = value
	}
	for _, p := range f.Params {
		if _, given := args[p.Name]; !given && p.Default != nil {
			args[p.Name] = p.Default
		}
	}
	return args, problems
}

func (f *Fault) paramNames() []string {
	names := make([]string, len(f.Params))
	for i, p := range f.Params {
		names[i] = p.Name
	}
	if len(names) == 0 {
		return []string{"none"}
	}
	return names
}

// ArgError is one thing wrong with one parameter.
type ArgError struct {
	Key     string
	Inside  []string // where in it, if in a part of it: keys of maps, and indices of lists from 0
	Message string
}

func (e *ArgError) Error() string { return e.Key + ": " + e.Message }
