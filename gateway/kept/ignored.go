package kept

import (
	"net/url"
	"slices"
	"strings"

	"parity/faults/trail"
)

// ignoring ends the name of the difference that lists are in which parameters
// change nothing here.
const ignoring = "-ignored-parameters"

// ignored proposes what it is that an agent sent parameters which change nothing
// of what a list shows here.
func (n *noticing) ignored(service string, events []trail.Event) []trail.Proposal {
	d := trail.Proposal{
		Name: service + ignoring, Production: service + " shows what these parameters ask for.",
		So: "Nothing here shows what the agent does with a list that was narrowed by them.", Weakens: []string{"content"},
	}
	s, _ := n.p.Catalogue.Service(service)
	sent := map[string][]string{}
	for i := range events {
		x := events[i].Exchange
		if x == nil || x.Service != service || x.Query == "" || x.Fidelity != trail.Generic || x.Status/100 != 2 {
			continue
		}
		op, _ := operationOf(n.p, service, x.Operation)
		query, err := url.ParseQuery(x.Query)
		if op == nil || err != nil || n.known(service+ignoring, service, x.Operation) {
			continue
		}
		for _, name := range s.Contract.Idle(op) {
			if query.Has(name) && !slices.Contains(sent[x.Operation], name) {
				sent[x.Operation] = append(sent[x.Operation], name)
			}
		}
		if name := service + " " + x.Operation; len(sent[x.Operation]) > 0 && !slices.Contains(d.Covers, name) {
			d.Covers = append(d.Covers, name)
		}
	}
	var here []string
	for _, name := range d.Covers {
		operation := strings.TrimPrefix(name, service+" ")
		slices.Sort(sent[operation])
		here = append(here, operation+" lists the same whatever "+strings.Join(sent[operation], ", ")+" says")
	}
	d.Here = strings.Join(here, "; ") + "."
	return n.named(d, "")
}

// known tells whether a difference of that name covers an operation.
func (n *noticing) known(name, service, operation string) bool {
	for _, d := range n.p.Differences {
		if d.Name == name && covers(d)(service, operation) {
			return true
		}
	}
	return false
}
