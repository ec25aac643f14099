package gateway

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parity/gateway/exchange"
)

// slot is where a run of this gateway is found. After a restart its run sleeps
// until somebody asks for it.
type slot struct {
	name  string
	token string
	ends  time.Time // of a run that sleeps, by its terms; zero: it does not
	live  atomic.Pointer[liveRun]
	box   atomic.Pointer[Box] // the containment that its agent is in; nil: none
	mu    sync.Mutex
	load  func() (*liveRun, error)
}

// get gives the run, which it wakes if it sleeps.
func (p *slot) get() (*liveRun, error) {
	if l := p.live.Load(); l != nil {
		return l, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if l := p.live.Load(); l != nil {
		return l, nil
	}
	l, err := p.load()
	if err != nil {
		return nil, err
	}
	p.live.Store(l)
	return l, nil
}

// Find gives the run that a client belongs to: the one that it names, with its
// token where it is not on this machine; on this machine, the first one where
// it names none.
func (g *Gateway) Find(c exchange.Claim) (*exchange.Run, error) {
	g.mu.RLock()
	p := g.first
	if name := strings.ToLower(c.Name); name != "" && !g.before[name] {
		p = g.slots[name]
	}
	g.mu.RUnlock()
	switch {
	case c.Name == "" && !c.Proven && (!c.Local || p == nil):
		return nil, exchange.ErrUnnamed
	case p == nil || c.Proven && c.Name == "":
		return nil, exchange.ErrNoRun
	}
	l, err := p.get()
	if err != nil {
		return nil, err
	}
	if (c.Proven || c.Token != "" || !c.Local) && subtle.ConstantTimeCompare([]byte(l.Token), []byte(c.Token)) != 1 {
		return nil, exchange.ErrNoRun
	}
	if l.terms.Idle > 0 {
		l.touched.Store(g.wall.Now().UnixNano())
	}
	return &l.Run, nil
}

// Knows tells whether there is a run of that name.
func (g *Gateway) Knows(name string) bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.slots[name] != nil || g.before[name]
}

// Address is where a client is told to reach this gateway: the public address, or
// where it has reached it.
func (g *Gateway) Address(ctx context.Context) string {
	if g.public != "" {
		return g.public
	}
	if at, ok := ctx.Value(http.LocalAddrContextKey).(net.Addr); ok {
		return at.String()
	}
	return "HOST:PORT"
}

// add brings a run in. The error wraps errTaken where its name is taken.
func (g *Gateway) add(p *slot) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.slots[p.name] != nil {
		return fmt.Errorf("run %s: %w", p.name, errTaken)
	}
	g.slots[p.name] = p
	if p.token != "" {
		g.tokens[sha256.Sum256([]byte(p.token))] = p.name
	}
	g.metrics.RunBegan()
	return nil
}

var errTaken = errors.New("there is a run of that name already; choose another, or remove it with `parity runs rm`")

// drop takes a run out.
func (g *Gateway) drop(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.slots[name]
	if p == nil {
		return
	}
	delete(g.slots, name)
	if digest := sha256.Sum256([]byte(p.token)); g.tokens[digest] == name { // else it is that of the run that follows
		delete(g.tokens, digest)
	}
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

// slot gives where a run is found.
func (g *Gateway) slot(name string) (*slot, bool) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	p, ok := g.slots[name]
	return p, ok
}

// goesOn gives a run that goes on, by its name, and without one that of clients which
// name none; nil: there is none.
func (g *Gateway) goesOn(name string) *liveRun {
	p := g.firstSlot()
	if name != "" {
		p, _ = g.slot(name)
	}
	if p == nil {
		return nil
	}
	l, err := p.get()
	if err != nil {
		return nil
	}
	return l
}

// firstSlot gives where the run of clients that name none is found; nil: there is
// none.
func (g *Gateway) firstSlot() *slot {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.first
}

// serveFirst has a run serve clients that name none, and those that name runs
// which it follows: they were told that name when it was theirs.
func (g *Gateway) serveFirst(p *slot, before ...string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.first = p
	for _, name := range before {
		g.before[name] = true
	}
}

// count is how many runs there are, awake or asleep.
func (g *Gateway) count() int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return len(g.slots)
}

// asleep gives the runs that nobody has asked for yet.
func (g *Gateway) asleep() []*slot {
	g.mu.RLock()
	defer g.mu.RUnlock()
	var list []*slot
	for _, p := range g.slots {
		if p.live.Load() == nil {
			list = append(list, p)
		}
	}
	return list
}

// awake gives the runs that do not sleep.
func (g *Gateway) awake() []*liveRun {
	g.mu.RLock()
	defer g.mu.RUnlock()
	list := make([]*liveRun, 0, len(g.slots))
	for _, p := range g.slots {
		if l := p.live.Load(); l != nil {
			list = append(list, l)
		}
	}
	return list
}

// all gives every run of the gateway, in the order of names.
func (g *Gateway) all() []*slot {
	g.mu.RLock()
	defer g.mu.RUnlock()
	list := make([]*slot, 0, len(g.slots))
	for _, name := range slices.Sorted(maps.Keys(g.slots)) {
		list = append(list, g.slots[name])
	}
	return list
}
