package generic

import (
	"errors"
	"sync"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
	"parity/specs/anatomy"
	"parity/specs/openapi"
)

// Options are what a service is made of.
type Options struct {
	Contract      *specs.Contract // with a Behaviour, it is corrected too: one service has it then
	Model         *anatomy.Model  // nil: inferred
	Behaviour     []byte          // the behaviour file; nil for none
	BehaviourName string          // as problems are to name it
	Hosts         []string        // nil: those of the contract
	Stateless     bool            // it keeps nothing, and answers from examples and schemas
}

// A Problem is something wrong in a behaviour file.
type Problem struct {
	Line, Column  int // from 1; 0: the file as a whole
	Message, Hint string
	Fatal         bool // the service cannot be played with it
}

// Fake plays one service. Nothing in it changes once it is made, but for what
// is read from the contract when it is first needed.
type Fake struct {
	service   string
	contract  *specs.Contract
	api       *openapi.API
	model     *anatomy.Model
	res       map[*anatomy.Resource]*resource
	order     []*resource // parents before children
	plans     map[*openapi.Operation]func() *plan
	examples  sync.Once
	known     map[*resource]shown
	keys      kit.Keys
	rules     *behaviour
	library   library // what was worked out of schemas
	stateless bool
	linked    bool             // some records do not say whose they are
	guarded   bool             // every operation wants a credential
	schemes   []openapi.Scheme // of all operations, each once
	ways      []string         // in which they may be shown, in words
}

var (
	_ fakes.Fake       = (*Fake)(nil)
	_ fakes.Dialect    = (*Fake)(nil)
	_ fakes.Identifier = (*Fake)(nil)
	_ fakes.Keyed      = (*Fake)(nil)
	_ fakes.Editor     = (*Fake)(nil)
	_ fakes.Copier     = (*Fake)(nil)
)

// New makes the service. Problems are those of the behaviour file; one that is
// Fatal comes with an error, as does a contract that says nothing.
func New(o Options) (fakes.Service, []Problem, error) {
	if o.Contract == nil || o.Contract.API() == nil {
		return fakes.Service{}, nil, errors.New("a generic fake wants a contract")
	}
	f := &Fake{service: o.Contract.Service, contract: o.Contract, api: o.Contract.API(), model: o.Model, stateless: o.Stateless}
	if f.model == nil {
		f.model = o.Contract.Model()
	}
	if len(o.Behaviour) > 0 {
		f.model = copyOf(f.model)
	}
	rules, problems, err := f.behave(o.Behaviour, o.BehaviourName)
	if err != nil {
		return fakes.Service{}, problems, err
	}
	f.rules = rules
	f.keys = kit.Keys{Collection: f.service + keysSuffix, Life: keyLife}
	f.resources()
	f.guarded = len(f.api.Operations) > 0
	for _, source := range f.api.Operations {
		f.guarded = f.guarded && f.secured(source)
		f.scheme(source)
	}
	f.plans = make(map[*openapi.Operation]func() *plan, len(o.Contract.Operations))
	for _, op := range o.Contract.Operations {
		f.guarded = f.guarded && !op.Admits()
		f.plans[op.Source()] = sync.OnceValue(func() *plan { return f.newPlan(op) })
	}
	s := fakes.Service{Name: f.service, Contract: o.Contract, Fake: f, Hosts: o.Hosts, Collections: f.collections()}
	if s.Hosts == nil {
		s.Hosts = o.Contract.Hosts
	}
	for _, r := range f.order {
		if r.seeded && !f.stateless {
			s.Begin = f.begin
		}
	}
	if len(o.Behaviour) > 0 {
		s.Hash = chance.Hash("behaviour", string(o.Behaviour))
		o.Contract.Correct(f.model)
	}
	return s, problems, nil
}

// collections declares what the fake keeps.
func (f *Fake) collections() []world.Collection {
	if f.stateless {
		return nil
	}
	var all []world.Collection
	latent := false
	listings := f.listings()
	for _, r := range f.order {
		if !r.kept() {
			continue
		}
		all = append(all, world.Collection{Name: r.full, Indexes: r.indexes(listings[r])})
		latent = true
	}
	if f.linked {
		all = append(all, world.Collection{Name: f.service + linksSuffix, Indexes: []string{"in"}, Hidden: true})
	}
	if latent {
		all = append(all, world.Collection{Name: f.service + latentSuffix, Hidden: true})
	}
	return append(all, world.Collection{Name: f.service + keysSuffix, Hidden: true})
}

// copyOf gives a model that can be corrected: the first belongs to the contract.
func copyOf(m *anatomy.Model) *anatomy.Model {
	own := map[*anatomy.Resource]*anatomy.Resource{}
	out := &anatomy.Model{Roles: make(map[*openapi.Operation]*anatomy.Role, len(m.Roles)), Errors: m.Errors}
	for _, r := range m.Resources {
		copied := *r
		own[r] = &copied
		out.Resources = append(out.Resources, &copied)
	}
	for _, r := range out.Resources {
		r.Parent = own[r.Parent]
	}
	for op, role := range m.Roles {
		copied := *role
		copied.Resource = own[role.Resource]
		out.Roles[op] = &copied
	}
	return out
}
