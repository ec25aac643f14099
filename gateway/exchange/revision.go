package exchange

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"parity/fakes"
	"parity/faults"
	"parity/gateway/live"
	"parity/gateway/metrics"
	"parity/profiles"
	"parity/profiles/policy"
	"parity/specs"
	"parity/specs/class"
)

// Revision is one profile revision, ready for use. It is not written to any more.
type Revision struct {
	Profile   *profiles.Profile
	Catalogue *fakes.Catalogue // the services that there are
	Rules     *faults.Set
	Egress    *policy.Egress
	Bound     map[string]bool // services that the profile binds

	hidden map[string]bool                               // collections that are bookkeeping
	ledger map[string]bool                               // collections in which a service writes down what is done
	beside map[string]fakes.Service                      // by service: the one that answers what it does not model
	known  map[string]func() map[*specs.Operation]*known // by service; made when it is first called
	named  map[string]string                             // names of identities, by the digest of their credential
	minted map[string][]maker                            // by service: whose credentials are made for each run
	added  map[string]func() *added                      // by service: addresses that Parity adds to it; made when first asked for
	real   map[string]*live.Service                      // by service, those that something may be read of
	staged func() *policy.Authority                      // of runs at a stage whose profile has no policy
}

// known is what every exchange of an operation needs to have at hand.
type known struct {
	name    string         // POST /v1/refunds
	bare    string         // without the base path of its server; "": it has none
	full    string         // stripe POST /v1/refunds
	effect  string         // what it does to the world
	class   string         // what sort of act it is, without what the profile says
	gates   []*policy.Gate // that may be about it
	metrics *metrics.Operation
	orders  *ordered // nil: no order of the profile asks anything of it
}

// Compile makes a profile ready for use.
func (l *Line) Compile(p *profiles.Profile) (*Revision, error) {
	egress, err := policy.New(policy.Terms{
		Mode: cmp.Or(l.terms.Mode, p.Egress), Tunnel: slices.Concat(p.Tunnel, l.terms.Tunnel), Services: profiles.HostsOf(p.Catalogue),
	})
	if err != nil {
		return nil, err
	}
	next := &Revision{
		Profile: p, Catalogue: p.Catalogue, hidden: map[string]bool{}, ledger: map[string]bool{}, Egress: egress, Bound: map[string]bool{}, beside: map[string]fakes.Service{},
		known: map[string]func() map[*specs.Operation]*known{}, named: map[string]string{}, minted: map[string][]maker{}, added: map[string]func() *added{},
		staged: sync.OnceValue(policy.Staged),
	}
	for _, i := range p.Identities {
		if len(i.Minted) > 0 {
			continue
		}
		digest := i.Digest
		if i.Env != "" {
			credential := l.getenv(i.Env)
			if credential == "" {
				l.log.Warn("nobody is known as an identity: its variable is empty", "identity", i.Name, "variable", i.Env)
				continue
			}
			digest = profiles.CredentialDigest(credential)
		}
		next.named[digest] = i.Name
	}
	Hide(next.hidden, p.Catalogue)
	for _, c := range p.Catalogue.Collections() {
		next.ledger[c.Name] = c.Ledger
	}
	all := make([]faults.Target, 0, 128*len(p.Services))
	for _, name := range p.Services {
		s, ok := p.Catalogue.Service(name)
		if !ok {
			return nil, errors.New("profile binds " + name + ", which is not in the catalogue")
		}
		next.Bound[name] = true
		next.added[name] = sync.OnceValue(func() *added { return l.addTo(s) })
		l.metrics.Declare(name, names(s.Contract.Operations)...)
		next.known[name] = sync.OnceValue(func() map[*specs.Operation]*known { return l.knownOf(p, s) })
		for _, op := range s.Contract.Operations {
			all = append(all, faults.Target{Operation: op, Fake: s.Fake})
		}
	}
	for name, other := range p.Beside {
		next.beside[name], _ = p.Catalogue.Service(other) // it is bound: see above
	}
	next.mints()
	if next.real, err = l.upstreams(p); err != nil {
		return nil, err
	}
	next.Rules = faults.NewSet(p.Rules, all)
	return next, nil
}

// Authority is what agents of a run at a stage may do; nil: everything.
func (r *Revision) Authority(stage int) *policy.Authority {
	if a := r.Profile.Authority; a != nil || stage == 0 {
		return a
	}
	return r.staged()
}

// knownOf is what exchanges of a service's operations need to have at hand.
func (l *Line) knownOf(p *profiles.Profile, s fakes.Service) map[*specs.Operation]*known {
	of, values := make(map[*specs.Operation]*known, len(s.Contract.Operations)), make([]known, len(s.Contract.Operations))
	for i, op := range s.Contract.Operations {
		short := op.Method + " " + op.Path
		values[i] = known{name: short, bare: bareOf(op), full: op.Name(), effect: string(p.Effect(op)), metrics: l.metrics.Operation(s.Name, short), orders: ordersOf(p.Orders, op)}
		if p.Authority != nil {
			values[i].class, values[i].gates = string(class.Of(op, p.Effect(op)).Class), p.Authority.GatesOf(op)
		}
		of[op] = &values[i]
	}
	return of
}

// about gives what is known of an operation; nil: its service is not bound.
func (r *Revision) about(op *specs.Operation) *known {
	if of := r.known[op.Service]; of != nil {
		return of()[op]
	}
	return nil
}

// bareOf is an operation without the base path of its server; "" where it has
// none.
func bareOf(op *specs.Operation) string {
	if bare := op.Bare(); bare != op.Path {
		return op.Method + " " + bare
	}
	return ""
}

func names(operations []*specs.Operation) []string {
	list := make([]string, len(operations))
	for i, op := range operations {
		list[i] = op.Method + " " + op.Path
	}
	return list
}

// Hide adds which collections of a catalogue are bookkeeping.
func Hide(all map[string]bool, catalogue *fakes.Catalogue) {
	for _, c := range catalogue.Collections() {
		all[c.Name] = all[c.Name] || c.Hidden
	}
}

// Names are the services that the profile binds, in order.
func (r *Revision) Names() []string {
	var names []string
	for name, bound := range r.Bound {
		if bound {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Directions says where the services are that the profile binds, to somebody
// who asked for none of them.
func (r *Revision) Directions() string {
	const most = 10
	names := r.Names()
	for i := range names {
		names[i] = "/" + names[i] + "/…"
	}
	switch {
	case len(names) == 0:
		return "The profile binds no service: name one in it"
	case len(names) > most:
		return "Use " + strings.Join(names[:most], ", ") + " or another of the " + strconv.Itoa(len(names)) + " services that the profile binds"
	}
	return "Use " + strings.Join(names, " or ")
}
