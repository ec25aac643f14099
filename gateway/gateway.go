// Package gateway is the exchange: one straight line from a request that came
// in, whichever way, to what went out on the wire.
//
//	admit ▶ match ▶ permit ▶ plan ▶ act ▶ record │ ▶ enact ▶ settle
//	└──────── decide, touching no socket ────────┘   └─ the wire ─┘
//
// Its root alone knows all the rooms below it and wires them together: ways in
// (ingress), runs, journals, metrics, the control plane, profiles and fakes.
package gateway

import (
	"context"
	"crypto/subtle"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"parity/fakes"
	"parity/fakes/clock"
	"parity/faults"
	"parity/faults/trail"
	"parity/gateway/metrics"
	"parity/gateway/policy"
	"parity/gateway/run"
	"parity/profiles"
)

// Record is where a run's events are kept. Append must not wait; Covered waits
// until the store's promise holds for the event.
type Record interface {
	Append(seq uint64, data []byte) error
	Covered(ctx context.Context, seq uint64) error
	Settle(of uint64, data []byte)
}

// Limits bound what one exchange may cost. A zero field takes its default.
type Limits struct {
	Body     int64 // bytes of a request body, on the wire and inflated; default 10 MiB
	Inflated int64 // times that a compressed body may grow; default 100
}

// Options is what a Gateway is made of.
type Options struct {
	Catalogue *fakes.Catalogue
	Profile   *profiles.Profile
	Allow     []string // hosts that may be tunnelled, besides the profile's
	Metrics   *metrics.Metrics
	Codec     *trail.Codec
	Wall      clock.Wall
	Log       *slog.Logger
	Limits    Limits
	Lifetime  context.Context // what goes on without its client ends with it

	// Before, where set, is called as each step of an exchange begins. Tests
	// plant panics with it.
	Before func(Step)
}

// Gateway answers exchanges. It is an http.Handler.
type Gateway struct {
	catalogue *fakes.Catalogue
	metrics   *metrics.Metrics
	codec     *trail.Codec
	wall      clock.Wall
	log       *slog.Logger
	limits    Limits
	before    func(Step)
	allow     []string
	lifetime  context.Context // ends when the gateway does
	hidden    map[string]bool // collections that are bookkeeping
	revision  atomic.Pointer[revision]

	mu    sync.RWMutex
	lives map[string]*tenant
	first *tenant // the run of a client that names none
}

// tenant is a run and where its events go.
type tenant struct {
	*run.Run
	record     Record
	identities identities
}

// revision is one profile revision, ready for use.
type revision struct {
	profile *profiles.Profile
	rules   *faults.Set
	egress  *policy.Egress
	bound   map[string]bool // services that the profile binds
	known   map[*operation]*known
}

// known is what every exchange of an operation needs to have at hand.
type known struct {
	name    string // POST /v1/refunds
	full    string // stripe POST /v1/refunds
	metrics *metrics.Operation
}

// New makes a Gateway on a profile.
func New(o Options) (*Gateway, error) {
	if o.Limits.Body == 0 {
		o.Limits.Body = 10 << 20
	}
	if o.Limits.Inflated == 0 {
		o.Limits.Inflated = 100
	}
	g := &Gateway{
		catalogue: o.Catalogue, metrics: o.Metrics, codec: o.Codec, wall: o.Wall, log: o.Log, limits: o.Limits,
		before: o.Before, allow: o.Allow, lifetime: o.Lifetime, hidden: hidden(o.Catalogue), lives: map[string]*tenant{},
	}
	if err := g.Use(o.Profile); err != nil {
		return nil, err
	}
	return g, nil
}

// hidden tells which collections are bookkeeping.
func hidden(catalogue *fakes.Catalogue) map[string]bool {
	all := map[string]bool{}
	for _, name := range catalogue.Names() {
		s, _ := catalogue.Service(name)
		for _, c := range s.Collections {
			all[c.Name] = c.Hidden
		}
	}
	return all
}

// Use puts a profile revision in force: for every exchange admitted from now
// on, and for none before. Nothing changes when it returns an error.
func (g *Gateway) Use(p *profiles.Profile) error {
	egress, err := policy.Compile(append(append([]string{}, p.Tunnel...), g.allow...)...)
	if err != nil {
		return err
	}
	next := &revision{profile: p, egress: egress, bound: map[string]bool{}, known: map[*operation]*known{}}
	all := make([]*operation, 0, 64)
	for _, name := range p.Services {
		s, ok := g.catalogue.Service(name)
		if !ok {
			return errors.New("profile binds " + name + ", which is not in the catalogue")
		}
		next.bound[name] = true
		g.metrics.Declare(name, names(s.Contract.Operations)...)
		for _, op := range s.Contract.Operations {
			short := op.Method + " " + op.Path
			next.known[op] = &known{short, op.Name(), g.metrics.Operation(name, short)}
		}
		all = append(all, s.Contract.Operations...)
	}
	next.rules = faults.NewSet(p.Rules, all)
	g.revision.Store(next)
	g.mu.RLock()
	defer g.mu.RUnlock()
	for _, l := range g.lives {
		if err := l.Note(&trail.Event{Kind: trail.Revised, Revision: p.Revision}); err != nil {
			g.log.Error("revision not recorded", "run", l.ID, "error", err)
		}
	}
	return nil
}

func names(operations []*operation) []string {
	list := make([]string, len(operations))
	for i, op := range operations {
		list[i] = op.Method + " " + op.Path
	}
	return list
}

// Profile is the revision in force.
func (g *Gateway) Profile() *profiles.Profile { return g.revision.Load().profile }

// Add brings a run in. The first one serves clients that name none.
func (g *Gateway) Add(r *run.Run, record Record) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := &tenant{Run: r, record: record}
	g.lives[r.ID] = l
	if g.first == nil {
		g.first = l
	}
	g.metrics.RunBegan()
}

// find gives the run that a client names, or the first one. A client that has
// sent credentials has to have sent the run's own.
func (g *Gateway) find(name, token string, sent bool) (*tenant, bool) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	l := g.first
	if name != "" {
		l = g.lives[strings.ToLower(name)]
	}
	if l == nil || sent && subtle.ConstantTimeCompare([]byte(l.Token), []byte(token)) != 1 {
		return nil, false
	}
	return l, true
}

var _ http.Handler = (*Gateway)(nil)
