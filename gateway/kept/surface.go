package kept

import (
	"cmp"
	"slices"
	"strings"

	"parity/faults/trail"
	"parity/gateway/report"
	"parity/profiles"
	"parity/profiles/policy"
)

// surface sets what the run's profile lets an agent do beside what it did.
func (k *Run) surface(did trail.Scope) report.Surface {
	s := report.Surface{Services: []report.ServiceSurface{}, Tunnel: k.unread(), Outside: did.Outside, Denied: did.Denied}
	for _, name := range k.plays() {
		of := report.ServiceSurface{Service: name, Allows: allows(k.Profile, name), Called: []trail.Touched{}}
		for _, t := range did.Operations {
			if strings.HasPrefix(t.Operation, name+" ") {
				of.Called = append(of.Called, t)
				of.Used.Add(t.Effect)
			}
		}
		for _, n := range did.NotPlayed {
			if strings.HasPrefix(n.Call, name+" ") {
				of.Missing += n.Calls
			}
		}
		if did.Policy != nil {
			of.Classes = slices.Clone(did.Policy.Classes)
			of.Classes = slices.DeleteFunc(of.Classes, func(u trail.ClassUse) bool { return u.Service != name })
		}
		s.Services = append(s.Services, of)
	}
	return s
}

// plays are the services that the run plays; none where its profile is lost.
func (k *Run) plays() []string {
	if k.Profile == nil {
		return nil
	}
	return k.Profile.Services
}

// allows counts the operations that a service answers, by their effects as the
// profile has them.
func allows(p *profiles.Profile, name string) report.ByEffect {
	var n report.ByEffect
	if s, ok := p.Catalogue.Service(name); ok && s.Contract != nil {
		for _, op := range s.Contract.Operations {
			n.Add(string(p.Effect(op)))
		}
	}
	return n
}

// unread are the hosts that may be reached unread, as the profile and the flags
// of the run have them. An agent that Parity starts may always reach its model.
func (k *Run) unread() []string {
	hosts, flags := []string{}, k.Outcome.Flags
	if k.Profile != nil {
		hosts = append(hosts, k.Profile.Tunnel...)
	}
	if k.Outcome.Command != nil && !slices.Contains(hosts, policy.ModelAPIs) {
		hosts = append(hosts, policy.ModelAPIs)
	}
	for i := 0; i+1 < len(flags); i++ {
		switch flags[i] {
		case "--allow":
			hosts = append(hosts, flags[i+1])
			i++
		case "--egress":
			i++
		}
	}
	if k.lets() {
		hosts = append(hosts, "any public host ("+policy.Forgotten+")")
	}
	return hosts
}

// lets tells whether hosts that nobody knows pass unread, as the profile and the
// flags of the run have it.
func (k *Run) lets() bool {
	mode := policy.Agent
	if k.Profile != nil {
		mode = cmp.Or(k.Profile.Egress, mode)
	}
	if i := slices.Index(k.Outcome.Flags, "--egress"); i >= 0 && i+1 < len(k.Outcome.Flags) {
		mode = policy.EgressMode(k.Outcome.Flags[i+1])
	}
	return mode == policy.Tool
}
