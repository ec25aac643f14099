package kept

import (
	"fmt"
	"strings"
	"sync"

	"parity/fakes/world"
	"parity/faults"
	"parity/faults/trail"
	"parity/gateway/report"
	"parity/specs"
)

// furnished says of the services that the run called what they began with, where
// that is what Parity chose, or was nothing, and calls found nothing, or is not
// what the agent asked for.
func (k *Run) furnished() []report.Beginning {
	if k.Profile == nil {
		return nil
	}
	worlds := sync.OnceValues(k.beginning) // making one takes as long as a short run
	var all []report.Beginning
	for _, service := range k.plays() {
		calls, nothing := k.searched(service)
		if calls == 0 {
			continue
		}
		of := report.Beginning{Service: service, Fixtures: k.Profile.Friendly[service], Ships: len(k.Profile.Sources[service].Files) == 0}
		if of.Fixtures == "" && nothing > 0 {
			if base, first := worlds(); base != nil {
				of.Has = k.grown(service, base, first)
				if len(of.Has) == 0 || nothing == calls {
					of.Nothing = nothing
				}
			}
		}
		if of.Nothing == 0 {
			of.Has = nil
			k.refused(&of, worlds)
		}
		if of.Fixtures != "" || of.Nothing > 0 || of.Refused > 0 {
			all = append(all, of)
		}
	}
	return all
}

// beginning is what every world of the run's services has, and what the run's own
// began with; nil where they cannot be made.
func (k *Run) beginning() (base, first *world.World) {
	first, err := k.firstWorld()
	if err == nil {
		base, err = k.Profile.Catalogue.World()
	}
	if err != nil {
		return nil, nil
	}
	return base, first
}

// grown counts what a service began with besides what every world of it has, by
// collection: 6 users.
func (k *Run) grown(service string, base, first *world.World) (all []string) {
	for _, c := range k.Profile.Catalogue.Collections() {
		name, its := strings.CutPrefix(c.Name, service+".")
		if n := first.Len(c.Name); its && !c.Hidden && n > base.Len(c.Name) {
			all = append(all, fmt.Sprintf("%d %s", n, name))
		}
	}
	return all
}

// searched counts the calls to a service, and those of them that found nothing
// before any had made something.
func (k *Run) searched(service string) (calls, nothing int) {
	made := false
	for i := range k.Events {
		x := k.Events[i].Exchange
		if x == nil || x.Service != service {
			continue
		}
		calls++
		made = made || x.Committed
		if op, _ := operationOf(k.Profile, service, x.Operation); op != nil && !made && foundNothing(op, x) {
			nothing++
		}
	}
	return calls, nothing
}

// foundNothing tells whether the service itself said that nothing is there.
func foundNothing(op *specs.Operation, x *trail.Exchange) bool {
	status, reply := x.Status, x.ReplyBody
	if x.FakeStatus != 0 {
		status, reply = x.FakeStatus, x.FakeBody
	}
	return faults.FindsNothing(op, status, reply)
}
