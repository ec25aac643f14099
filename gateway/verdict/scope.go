package verdict

import (
	"fmt"
	"slices"
	"strings"

	"parity/faults/trail"
)

// count counts what each rule met and did: those of the profile first, in file
// order, then those that only an earlier revision had.
func (j *judge) count() {
	j.counted, j.reasons = map[string]*trail.RuleCount{}, map[string]map[string]int{}
	for _, r := range j.in.Rules {
		c := j.ruleCount(r.Name)
		c.Fault, c.Required = r.Fault, c.Required || r.Required
	}
	for _, call := range j.calls {
		for i := range call.x.Strikes {
			s := &call.x.Strikes[i]
			c := j.ruleCount(s.Rule)
			c.Fault = first(c.Fault, s.Fault)
			c.Matched++
			switch {
			case s.Fired:
				c.Fired++
			case s.Outranked:
				c.Outranked++
			case s.Unknown:
				c.Unknown++
				c.Unknowing = first(c.Unknowing, s.Why)
			}
			j.excuse(s)
		}
	}
}

func (j *judge) ruleCount(name string) *trail.RuleCount {
	c := j.counted[name]
	if c == nil {
		c = &trail.RuleCount{Rule: name}
		j.counted[name] = c
		j.counts = append(j.counts, c)
	}
	return c
}

// scope says what the run touched and what it left out.
func (j *judge) scope() trail.Scope {
	s := trail.Scope{
		Faults: []trail.RuleCount{}, Operations: []trail.Touched{}, NeverCalled: []string{},
		Differences: []trail.Difference{}, Untouched: []string{}, Outside: []trail.HostCount{}, Denied: []trail.HostCount{}, Defects: []trail.Defect{}, NotPlayed: []trail.NotPlayed{},
	}
	for _, c := range j.counts {
		s.Faults = append(s.Faults, *c)
	}
	called := j.touched(&s)
	for _, name := range j.in.Services {
		if !called[name] {
			s.NeverCalled = append(s.NeverCalled, name)
		}
	}
	slices.Sort(s.NeverCalled)
	j.known(&s)
	s.Outside, s.Declined, s.Policy, s.Upstream = j.outside(), j.declined(), j.authority(), j.proof()
	s.Contained = j.contained()
	return s
}

// touched goes through the calls: operations, services, refusals, defects.
func (j *judge) touched(s *trail.Scope) map[string]bool {
	called, at, denied := map[string]bool{}, map[string]int{}, map[string]int{}
	for _, c := range j.calls {
		switch c.x.Outcome {
		case trail.Connected, trail.Refused:
			continue
		case trail.Denied:
			s.Denied = tallyDenied(s.Denied, denied, c.x)
			continue
		case trail.Panicked:
			s.Defects = append(s.Defects, trail.Defect{Seq: c.seq, Note: c.x.Note})
		}
		if len(c.x.Breaches) > 0 {
			s.Defects = append(s.Defects, trail.Defect{Seq: c.seq, Note: breach(c.x)})
		}
		for _, d := range c.x.Disputes {
			s.Disputed = append(s.Disputed, trail.Disputed{Seq: c.seq, Operation: c.name(), Dispute: d})
		}
		if c.x.Service == "" {
			continue
		}
		s.Exchanges++
		called[c.x.Service] = true
		if c.x.Operation == "" {
			s.NotPlayed = tallyMissing(s.NotPlayed, c)
			continue
		}
		i, known := at[c.name()]
		if !known {
			i = len(s.Operations)
			at[c.name()] = i
			s.Operations = append(s.Operations, trail.Touched{Operation: c.name(), Effect: c.x.Effect, Fidelity: []trail.Fidelity{}})
			j.covering(c.x.Service, c.x.Operation)
		}
		add(&s.Operations[i], c)
	}
	for i := range s.Operations {
		answered(&s.Operations[i])
	}
	slices.SortFunc(s.Operations, func(a, b trail.Touched) int { return strings.Compare(a.Operation, b.Operation) })
	return called
}

// breach says in what a fake's reply is not what its contract says.
func breach(x *trail.Exchange) string {
	b := x.Breaches[0]
	text := fmt.Sprintf("the reply to %s breaks the contract: %s%s %s", x.Operation, b.In, b.Pointer, b.Message)
	if more := len(x.Breaches) - 1; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

// outside counts the connections that passed unread.
func (j *judge) outside() []trail.HostCount {
	hosts, at := []trail.HostCount{}, map[string]int{}
	for i := range j.in.Events {
		if t := j.in.Events[i].Tunnel; t != nil {
			hosts = tallyHost(hosts, at, t.Host, t.By)
		}
	}
	return hosts
}

func tallyHost(hosts []trail.HostCount, at map[string]int, host, by string) []trail.HostCount {
	i, known := at[host]
	if !known {
		i = len(hosts)
		at[host] = i
		hosts = append(hosts, trail.HostCount{Host: host, By: by})
	}
	hosts[i].Calls++
	return hosts
}

// tallyDenied counts what was turned away: calls by host, attempts by protocol and
// port as well.
func tallyDenied(hosts []trail.HostCount, at map[string]int, x *trail.Exchange) []trail.HostCount {
	protocol, to := x.Attempt()
	if protocol == "" {
		return tallyHost(hosts, at, x.Host, "")
	}
	by := ""
	if x.Note == trail.AnsweredWithin {
		by = "a server of the agent's own"
	}
	key := protocol + " " + to + by
	i, known := at[key]
	if !known {
		i = len(hosts)
		at[key] = i
		hosts = append(hosts, trail.HostCount{Host: to, By: by, Protocol: protocol})
	}
	hosts[i].Calls += max(1, x.Times)
	return hosts
}

func add(t *trail.Touched, c *call) {
	t.Exchanges++
	if c.x.Committed {
		t.Committed++
		if t.First == 0 {
			t.First = c.seq
		}
	}
	for _, f := range c.x.Fidelities() {
		if f != "" && !slices.Contains(t.Fidelity, f) {
			t.Fidelity = append(t.Fidelity, f)
		}
	}
}

// answered leaves out that a fault answered, or nobody, where something else
// did as well.
func answered(t *trail.Touched) {
	slices.Sort(t.Fidelity)
	proper := slices.DeleteFunc(slices.Clone(t.Fidelity), func(f trail.Fidelity) bool { return f == trail.Injected || f == trail.None })
	if len(proper) > 0 {
		t.Fidelity = proper
	}
}

// mostMissing bounds the calls to what is not played that are told apart.
const mostMissing = 100

// tallyMissing counts a call that no operation was for.
func tallyMissing(all []trail.NotPlayed, c *call) []trail.NotPlayed {
	if c.x.Outcome != trail.Unknown {
		return all
	}
	name := c.x.Service + " " + c.x.Method + " " + c.x.Path
	for i := range all {
		if all[i].Call == name {
			all[i].Calls++
			return all
		}
	}
	if len(all) >= mostMissing {
		all[len(all)-1].Calls++
		return all
	}
	return append(all, trail.NotPlayed{Call: name, Calls: 1, First: c.seq})
}
