package gateway

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parity/fakes"
	"parity/faults"
	"parity/faults/trail"
	"parity/gateway/client"
	"parity/gateway/metrics"
	"parity/profiles"
	"parity/profiles/policy"
)

// source is a profile that runs are under. A good save of it comes into force
// for all of them at once.
type source struct {
	path     string   // as it was named
	only     []string // names of rules: all others are switched off; none: all are on
	revision atomic.Pointer[revision]
	failed   atomic.Value // string: why the last save is not in force
	recent   recent
	changing sync.Mutex // one change at a time
	state    atomic.Pointer[inForce]
}

// inForce is how a revision came into force.
type inForce struct {
	since     time.Time
	back      bool // somebody put an earlier one in force
	foresight client.Foresight
	said      string
}

// profile is the revision in force.
func (s *source) profile() *profiles.Profile { return s.revision.Load().profile }

// trouble says why the last save is not in force; "" when it is.
func (s *source) trouble() string {
	text, _ := s.failed.Load().(string)
	return text
}

// isBack tells whether an earlier revision is in force than the file has.
func (s *source) isBack() bool {
	state := s.state.Load()
	return state != nil && state.back
}

// revision is one profile revision, ready for use.
type revision struct {
	profile   *profiles.Profile
	catalogue *fakes.Catalogue // the services that there are
	hidden    map[string]bool  // collections that are bookkeeping
	rules     *faults.Set
	egress    *policy.Egress
	bound     map[string]bool          // services that the profile binds
	beside    map[string]fakes.Service // by service: the one that answers what it does not model
	known     map[*operation]*known
	named     map[string]string        // names of identities, by the digest of their credential
	added     map[string]func() *added // by service: addresses that Parity adds to it; made when first asked for
}

// known is what every exchange of an operation needs to have at hand.
type known struct {
	name    string // POST /v1/refunds
	bare    string // without the base path of its server; "": it has none
	full    string // stripe POST /v1/refunds
	effect  string // what it does to the world
	metrics *metrics.Operation
	orders  *ordered // nil: no order of the profile asks anything of it
}

// compile makes a profile ready for use.
func (g *Gateway) compile(p *profiles.Profile) (*revision, error) {
	egress, err := policy.Compile(append(append([]string{}, p.Tunnel...), g.allow...)...)
	if err != nil {
		return nil, err
	}
	next := &revision{
		profile: p, catalogue: p.Catalogue, hidden: map[string]bool{}, egress: egress, bound: map[string]bool{}, beside: map[string]fakes.Service{},
		known: map[*operation]*known{}, named: map[string]string{}, added: map[string]func() *added{},
	}
	for _, i := range p.Identities {
		digest := i.Digest
		if i.Env != "" {
			credential := g.getenv(i.Env)
			if credential == "" {
				g.log.Warn("nobody is known as an identity: its variable is empty", "identity", i.Name, "variable", i.Env)
				continue
			}
			digest = profiles.CredentialDigest(credential)
		}
		next.named[digest] = i.Name
	}
	hide(next.hidden, p.Catalogue)
	all := make([]faults.Target, 0, 64)
	for _, name := range p.Services {
		s, ok := p.Catalogue.Service(name)
		if !ok {
			return nil, errors.New("profile binds " + name + ", which is not in the catalogue")
		}
		next.bound[name] = true
		next.added[name] = sync.OnceValue(func() *added { return g.addTo(s) })
		g.metrics.Declare(name, names(s.Contract.Operations)...)
		for _, op := range s.Contract.Operations {
			short := op.Method + " " + op.Path
			next.known[op] = &known{short, bareOf(op), op.Name(), string(p.Effect(op)), g.metrics.Operation(name, short), ordersOf(p.Orders, op)}
			all = append(all, faults.Target{Operation: op, Fake: s.Fake})
		}
	}
	for name, other := range p.Beside {
		next.beside[name], _ = p.Catalogue.Service(other) // it is bound: see above
	}
	next.rules = faults.NewSet(p.Rules, all)
	return next, nil
}

// bareOf is an operation without the base path of its server; "" where it has
// none.
func bareOf(op *operation) string {
	if bare := op.Bare(); bare != op.Path {
		return op.Method + " " + bare
	}
	return ""
}

func names(operations []*operation) []string {
	list := make([]string, len(operations))
	for i, op := range operations {
		list[i] = op.Method + " " + op.Path
	}
	return list
}

// use puts a profile revision in force for every run that is under the source:
// for each exchange admitted from now on, and for none before. Nothing changes
// when it returns an error.
func (g *Gateway) use(s *source, p *profiles.Profile) error {
	next, err := g.compile(p)
	if err != nil {
		return err
	}
	for _, l := range g.under(s) {
		if err := l.keep(p); err != nil {
			return err
		}
	}
	s.revision.Store(next)
	for _, l := range g.under(s) { // with those that were made in between
		if err := l.follow(next); err != nil {
			g.log.Error("event not recorded", "run", l.ID, "kind", trail.Revised, "error", err)
		}
	}
	return nil
}

// follow notes that a revision is in force for a run that may have begun under
// another.
func (l *tenant) follow(rev *revision) error {
	if l.noted.Load() == rev {
		return nil // a call came in between
	}
	if err := l.keep(rev.profile); err != nil {
		return err
	}
	return l.revise(rev)
}

// hide adds which collections of a catalogue are bookkeeping.
func hide(all map[string]bool, catalogue *fakes.Catalogue) {
	for _, c := range catalogue.Collections() {
		all[c.Name] = all[c.Name] || c.Hidden
	}
}

// under gives the runs that follow a source and are awake. Those that sleep note
// the revision when they wake.
func (g *Gateway) under(s *source) []*tenant {
	var list []*tenant
	for _, l := range g.awake() {
		if l.source == s && l.pinned == nil {
			list = append(list, l)
		}
	}
	return list
}

// names are the services that the profile binds, in order.
func (r *revision) names() []string {
	var names []string
	for name, bound := range r.bound {
		if bound {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// directions says where the services are that the profile binds, to somebody
// who asked for none of them.
func (r *revision) directions() string {
	const most = 10
	names := r.names()
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
