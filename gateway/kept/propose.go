package kept

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"parity/faults"
	"parity/faults/trail"
	"parity/gateway/verdict"
	"parity/profiles"
)

// proposed are the differences that a run noticed and its profile does not
// declare, as it could. What a declared one covers, in all properties that are
// in question, is not among them, so that one that is pasted is not proposed
// again.
//
//	answered from a contract, as an example, or as recorded   all that this does not show
//	a call to what is not played                              content
//	a parameter that changes nothing of a list                content
//	a clock that was set while the run went on                timing
//
// Hosts that passed unread are none: no service of the rehearsal is at them.
func (k *Run) proposed(did trail.Scope) []trail.Proposal {
	all := []trail.Proposal{}
	if k.Profile == nil {
		return all
	}
	n := noticing{p: k.Profile}
	for _, f := range []trail.Fidelity{trail.Generic, trail.Example, trail.Recorded} {
		for _, service := range k.Profile.Services {
			all = append(all, n.answers(service, f, did.Operations)...)
		}
	}
	for _, service := range k.Profile.Services {
		all = append(all, n.missing(service, did.NotPlayed)...)
		all = append(all, n.ignored(service, k.Events)...)
	}
	return append(all, n.clock(k.Events)...)
}

// noticing holds what a run showed against what its profile declares.
type noticing struct{ p *profiles.Profile }

// notPlayed ends the name of the difference that operations are which a service
// does not have here.
const notPlayed = "-not-played"

// mostCovered bounds the operations that a proposal names one by one.
const mostCovered = 20

// answers proposes what it is for a service to have answered that faithfully.
func (n *noticing) answers(service string, f trail.Fidelity, called []trail.Touched) []trail.Proposal {
	d := trail.Proposal{Name: service + "-" + string(f)}
	switch f {
	case trail.Generic:
		d.Name = service + "-from-its-contract"
		d.Production = service + " answers as it was built to."
		d.Here = "Answers are made from its contract: what is written is kept and shown again, and what the contract wants and nobody gave is made up."
		d.So = "Nothing here shows what the agent does with what " + service + " really says, when it says it, and what it refuses."
	case trail.Example:
		d.Name = service + "-examples"
		d.Production = service + " does what is asked, and answers by what there is."
		d.Here = "The answer is an example, whatever is asked, and nothing is done."
		d.So = "Nothing here shows what these calls do, or what the agent makes of their answers."
	case trail.Recorded:
		d.Name = service + "-recorded"
		d.Production = service + " does what is asked."
		d.Here = "The answer is one that was recorded, and nothing is done."
		d.So = "Nothing here shows what these calls do."
	}
	if stands := n.standsFor(service); stands != "" {
		d.Here += " It stands in for what " + stands + " does not model."
	}
	for _, t := range called {
		operation, of := strings.CutPrefix(t.Operation, service+" ")
		if op, _ := operationOf(n.p, service, operation); !of || op == nil || !slices.Contains(t.Fidelity, f) {
			continue
		}
		var open []string
		for _, property := range profiles.Aspects() {
			if !verdict.Proves(f, property) && !n.declared(service, operation, property) {
				open = append(open, property)
			}
		}
		if len(open) > 0 {
			d.Covers = append(d.Covers, t.Operation)
			d.Weakens = joined(d.Weakens, open)
		}
	}
	return n.named(d, service+" *")
}

// missing proposes what it is that calls went to what a service does not play.
func (n *noticing) missing(service string, calls []trail.NotPlayed) []trail.Proposal {
	d := trail.Proposal{
		Name: service + notPlayed, Production: service + " answers these calls.", Here: "They are refused, as an operation is that does not exist.",
		So: "Nothing here shows what the agent does with their answers.", Weakens: []string{"content"},
	}
	for _, c := range calls {
		operation, of := strings.CutPrefix(c.Call, service+" ")
		if method, path, ok := strings.Cut(operation, " "); !of || !ok || n.missed(service, operation) {
			continue
		} else if name := service + " " + method + " " + withoutIDs(path); patternable(name) && !slices.Contains(d.Covers, name) {
			d.Covers = append(d.Covers, name)
		}
	}
	return n.named(d, "")
}

// clock proposes what it is that somebody set the clock, where the profile's own
// is none that differs.
func (n *noticing) clock(events []trail.Event) []trail.Proposal {
	moved := slices.ContainsFunc(events, func(e trail.Event) bool { return e.Kind == trail.ClockMoved })
	d := profiles.RunClock()
	if !moved || n.declared("", "", "timing") || slices.ContainsFunc(n.p.Differences, func(known profiles.Difference) bool { return known.Name == d.Name }) {
		return nil
	}
	return []trail.Proposal{{
		Name: d.Name, Covers: []string{"*"}, Production: d.Production, Here: d.Here, So: d.So, Weakens: d.Weakens,
	}}
}

// named gives a proposal that covers anything, under a name that is free. Many
// operations are written as a pattern, where there is one for them.
func (n *noticing) named(d trail.Proposal, pattern string) []trail.Proposal {
	if len(d.Covers) == 0 {
		return nil
	}
	if len(d.Covers) > mostCovered {
		d.Covers = d.Covers[:mostCovered]
		if pattern != "" {
			d.Covers = []string{pattern}
		}
	}
	for base, i := d.Name, 2; slices.ContainsFunc(n.p.Differences, func(known profiles.Difference) bool { return known.Name == d.Name }); i++ {
		d.Name = fmt.Sprintf("%s-%d", base, i)
	}
	return []trail.Proposal{d}
}

// declared tells whether a difference of the profile covers an operation and
// weakens a property.
func (n *noticing) declared(service, operation, property string) bool {
	return slices.ContainsFunc(n.p.Differences, func(d profiles.Difference) bool {
		return slices.Contains(d.Weakens, property) && covers(d)(service, operation)
	})
}

// missed tells whether a difference of the profile names what is not played: one
// that is about all of a service says nothing of what is lacking in it.
func (n *noticing) missed(service, operation string) bool {
	return slices.ContainsFunc(n.p.Differences, func(d profiles.Difference) bool {
		if d.Name == service+notPlayed {
			return covers(d)(service, operation)
		}
		d.Covers = slices.DeleteFunc(slices.Clone(d.Covers), func(p faults.Pattern) bool {
			return p.String() == "*" || p.String() == service+" *"
		})
		return covers(d)(service, operation)
	})
}

// standsFor is the built-in service that a service answers beside; "": none.
func (n *noticing) standsFor(service string) string {
	for ships, beside := range n.p.Beside {
		if beside == service {
			return ships
		}
	}
	return ""
}

// joined adds what is not there yet, in the order of the closed list.
func joined(all, more []string) []string {
	order := profiles.Aspects()
	all = append(all, more...)
	slices.SortFunc(all, func(a, b string) int { return cmp.Compare(slices.Index(order, a), slices.Index(order, b)) })
	return slices.Compact(all)
}

// numbered is a part of a path that looks like an id.
var numbered = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]+|.*[0-9].{2,}|.{3,}[0-9].*)$`) })

// withoutIDs writes a path as a pattern, in which ids match any.
func withoutIDs(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if numbered().MatchString(part) {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, "/")
}

func patternable(name string) bool {
	_, err := faults.ParsePattern(name)
	return err == nil
}
