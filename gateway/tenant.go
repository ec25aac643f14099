package gateway

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parity/fakes"
	"parity/faults/run"
	"parity/gateway/journal"
	"parity/specs/secret"
)

// tenant is a run of this gateway: where its events go, which profile it is
// under, and how long it stays.
type tenant struct {
	*run.Run
	writer     *journal.Writer
	source     *source
	pinned     *revision // it keeps this one, whatever is saved; nil: it follows its source
	script     *script   // it answers as a record does; nil: its fakes answer
	identities identities
	met        *secret.Met // secrets that came from outside; nil: it decides a record again
	armament   armament
	noted      atomic.Pointer[revision]        // the newest that an event says is in force
	furnished  atomic.Pointer[fakes.Catalogue] // the run's world has all its collections
	furnishing sync.Mutex
	kept       sync.Map // names of what the journal has with its profiles
	terms      terms
	forgets    bool // its record may be full
	filling    filling
	touched    atomic.Int64 // unix nanoseconds of the newest call
	port       net.Listener // of its own, or nil
	carrying   atomic.Bool  // somebody carries its webhooks out
	calls      atomic.Int64 // that are under way
	nearCalls  nearing
	lifetime   context.Context
	stop       context.CancelFunc // ends it: calls that wait to do their work wait no longer
}

// terms are what a run was made with, besides its seed and clock.
type terms struct {
	Profile string        // as it was named
	Made    time.Time     // real time
	Ends    time.Time     // real time; zero: it stays
	Idle    time.Duration // without a call, it ends after so long; 0: it stays
	Only    []string      // the rules that are on; none: all
	First   bool          // it serves clients that name no run
	Locked  bool          // it keeps the revision that it began with
}

// revision is the profile revision that the next exchange is under.
func (l *tenant) revision() *revision {
	if l.pinned != nil {
		return l.pinned
	}
	return l.source.revision.Load()
}

// expires tells when the run ends by its terms; zero: it does not.
func (l *tenant) expires() time.Time { return l.terms.until(time.Unix(0, l.touched.Load())) }

// until tells when a run ends that was called last at an instant; zero: it does
// not.
func (t terms) until(touched time.Time) time.Time {
	if t.Idle == 0 {
		return t.Ends
	}
	idle := touched.Add(t.Idle)
	if !t.Ends.IsZero() && t.Ends.Before(idle) {
		return t.Ends
	}
	return idle
}

// place is where a run of this gateway is found. After a restart its run sleeps
// until somebody asks for it.
type place struct {
	name   string
	token  string
	ends   time.Time // of a run that sleeps, by its terms; zero: it does not
	tenant atomic.Pointer[tenant]
	mu     sync.Mutex
	wake   func() (*tenant, error)
}

// get gives the run, which it wakes if it sleeps.
func (p *place) get() (*tenant, error) {
	if l := p.tenant.Load(); l != nil {
		return l, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if l := p.tenant.Load(); l != nil {
		return l, nil
	}
	l, err := p.wake()
	if err != nil {
		return nil, err
	}
	p.tenant.Store(l)
	return l, nil
}

// claim is how a client names the run that it belongs to.
type claim struct {
	name, token string
	proven      bool // the token has to fit, wherever the client is
	local       bool // the client is on this machine
	shown       bool // the token is in the request itself
}

var (
	errUnnamed = errors.New("no run is named")
	errNoRun   = errors.New("no such run")
)

// find gives the run that a client belongs to: the one that it names, with its
// token where it is not on this machine; on this machine, the first one where
// it names none.
func (g *Gateway) find(c claim) (*tenant, error) {
	g.mu.RLock()
	p := g.first
	if c.name != "" {
		p = g.places[strings.ToLower(c.name)]
	}
	g.mu.RUnlock()
	switch {
	case c.name == "" && !c.proven && (!c.local || p == nil):
		return nil, errUnnamed
	case p == nil || c.proven && c.name == "":
		return nil, errNoRun
	}
	l, err := p.get()
	if err != nil {
		return nil, err
	}
	if (c.proven || c.token != "" || !c.local) && subtle.ConstantTimeCompare([]byte(l.Token), []byte(c.token)) != 1 {
		return nil, errNoRun
	}
	if l.terms.Idle > 0 {
		l.touched.Store(g.wall.Now().UnixNano())
	}
	return l, nil
}

// knows tells whether there is a run of that name.
func (g *Gateway) knows(name string) bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.places[name] != nil
}

// unfound words why a client got no run, for whom it reached at address.
func unfound(err error, c claim, address string) string {
	switch {
	case errors.Is(err, errUnnamed):
		return fmt.Sprintf("Say which run this is for: use http://RUN:TOKEN@%s as the proxy, or http://%s/run/RUN:TOKEN/SERVICE as the base URL; `parity runs new` makes a run and prints both.", address, address)
	case errors.Is(err, errNoRun):
		return fmt.Sprintf("There is no run %s with that token here: the proxy is http://RUN:TOKEN@%s, as `parity env` and `parity runs new` print it.", c.name, address)
	}
	return fmt.Sprintf("Run %s cannot go on: %v", c.name, err)
}

// local tells whether an address is one of this machine's own.
func local(remote string) bool {
	at, err := netip.ParseAddrPort(remote)
	return err == nil && at.Addr().Unmap().IsLoopback()
}

// address is where a client is told to reach this gateway: the public address, or
// where it has reached it.
func (g *Gateway) address(ctx context.Context) string {
	if g.public != "" {
		return g.public
	}
	if at, ok := ctx.Value(http.LocalAddrContextKey).(net.Addr); ok {
		return at.String()
	}
	return "HOST:PORT"
}

// add brings a run in. The error wraps errTaken where its name is taken.
func (g *Gateway) add(p *place, first bool) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.places[p.name] != nil {
		return fmt.Errorf("run %s: %w", p.name, errTaken)
	}
	g.places[p.name] = p
	if p.token != "" {
		g.tokens[sha256.Sum256([]byte(p.token))] = p.name
	}
	if first {
		g.first = p
	}
	g.metrics.RunBegan()
	return nil
}

var errTaken = errors.New("there is a run of that name already; choose another, or remove it with `parity runs rm`")

// drop takes a run out.
func (g *Gateway) drop(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.places[name]
	if p == nil {
		return
	}
	delete(g.places, name)
	delete(g.tokens, sha256.Sum256([]byte(p.token)))
	if g.first == p {
		g.first = nil
	}
	g.metrics.RunEnded()
}

// owner gives the run that goes on whose token this is. Digests are looked up:
// how long that takes tells nothing of tokens.
func (g *Gateway) owner(token string) (run string, ok bool) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	run, ok = g.tokens[sha256.Sum256([]byte(token))]
	return run, ok
}

// place gives where a run is found.
func (g *Gateway) place(name string) (*place, bool) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	p, ok := g.places[name]
	return p, ok
}

// serveFirst has a run serve clients that name none.
func (g *Gateway) serveFirst(p *place) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.first = p
}

// count is how many runs there are, awake or asleep.
func (g *Gateway) count() int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return len(g.places)
}

// asleep gives the runs that nobody has asked for yet.
func (g *Gateway) asleep() []*place {
	g.mu.RLock()
	defer g.mu.RUnlock()
	var list []*place
	for _, p := range g.places {
		if p.tenant.Load() == nil {
			list = append(list, p)
		}
	}
	return list
}

// awake gives the runs that do not sleep.
func (g *Gateway) awake() []*tenant {
	g.mu.RLock()
	defer g.mu.RUnlock()
	list := make([]*tenant, 0, len(g.places))
	for _, p := range g.places {
		if l := p.tenant.Load(); l != nil {
			list = append(list, l)
		}
	}
	return list
}
