// Package resolve answers DNS for a containment, where nothing may be looked up:
// whichever name an agent asks for has an address of its own here, and a
// connection to that address says by it whom the agent meant.
//
//	question ──▶ its name ──▶ an address of 198.18.0.0/15 ──▶ answer
//	                                    │
//	connection to that address ──▶ Name ┘──▶ policy
//
// A name has the same address as long as the Resolver lasts, and mostly in the
// next run too: where to look for a free one begins with the name's hash.
package resolve

import (
	"hash/fnv"
	"io"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"time"

	"parity/fakes/clock"
)

// Options say what a Resolver knows. All may be left out.
type Options struct {
	// Host is what the agent's machine calls itself, and is at 127.0.0.1.
	Host string
	// Known tells whether a name is one that the run has to do with: a service's,
	// or one that is let out. Names that are not are counted apart, and do not
	// get the last addresses.
	Known func(name string) bool
	Most  int // names that get an address; default 65,536, half of the addresses there are
	Wall  clock.Wall
	Log   *slog.Logger
}

// Addresses for names: those that are for measuring networks (RFC 2544), so that
// nobody means one of them.
const (
	firstAddress = 198<<24 | 18<<16
	addresses    = 1 << 17
)

// Counts are what was asked so far.
type Counts struct {
	Questions uint64 // that could be read
	Names     int    // that have an address
	Strange   int    // of them, that the run has nothing to do with
	Refused   uint64 // names that got none: there were too many
}

// A Resolver answers DNS. It is safe for concurrent use.
type Resolver struct {
	o      Options
	places chan struct{} // for connections

	mu     sync.RWMutex
	byName map[string]uint32 // how far its address is from the first
	at     map[uint32]string
	counts Counts
	open   map[io.Closer]bool // what is served
	closed bool
	work   sync.WaitGroup
}

// New makes a Resolver.
func New(o Options) *Resolver {
	if o.Known == nil {
		o.Known = func(string) bool { return true }
	}
	if o.Most <= 0 || o.Most > addresses/2 {
		o.Most = addresses / 2
	}
	if o.Wall == nil {
		o.Wall = clock.System{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Host = strings.ToLower(strings.TrimSuffix(o.Host, "."))
	return &Resolver{o: o, places: make(chan struct{}, mostConns), byName: map[string]uint32{}, at: map[uint32]string{}, open: map[io.Closer]bool{}}
}

// Name is the name that an address was given out for.
func (r *Resolver) Name(at netip.Addr) (name string, ok bool) {
	offset, ok := offsetOf(at)
	if !ok {
		return "", false
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	name, ok = r.at[offset]
	return name, ok
}

// Counts are what was asked so far.
func (r *Resolver) Counts() Counts {
	r.mu.RLock()
	defer r.mu.RUnlock()
	c := r.counts
	c.Names = len(r.byName)
	return c
}

// address is a name's own. There is none once too many names have one: were one
// given anew, a connection to it could mean either name.
func (r *Resolver) address(name string) (netip.Addr, bool) {
	r.mu.RLock()
	offset, known := r.byName[name]
	r.mu.RUnlock()
	if known {
		return addressAt(offset), true
	}
	strange := !r.o.Known(name)
	r.mu.Lock()
	defer r.mu.Unlock()
	if offset, known = r.byName[name]; known {
		return addressAt(offset), true
	}
	most := r.o.Most
	if strange {
		most -= most / 8
	}
	if len(r.byName) >= most {
		if r.counts.Refused++; r.counts.Refused == 1 {
			r.o.Log.Warn("names get no address any more: too many were asked for", "names", len(r.byName))
		}
		return netip.Addr{}, false
	}
	if strange {
		r.counts.Strange++
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name))
	for offset = hash.Sum32() % addresses; offset == 0 || r.at[offset] != ""; {
		offset = (offset + 1) % addresses
	}
	r.byName[name], r.at[offset] = offset, name
	return addressAt(offset), true
}

func addressAt(offset uint32) netip.Addr {
	n := firstAddress + offset
	return netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
}

func offsetOf(at netip.Addr) (uint32, bool) {
	at = at.Unmap()
	if !at.Is4() {
		return 0, false
	}
	b := at.As4()
	n := uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
	return n - firstAddress, n >= firstAddress && n-firstAddress < addresses
}

// keep notes what is served, so that Close ends it. It is false after Close.
func (r *Resolver) keep(c io.Closer) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.open[c] = true
		r.work.Add(1)
	}
	return !r.closed
}

func (r *Resolver) drop(c io.Closer) {
	_ = c.Close()
	r.mu.Lock()
	delete(r.open, c)
	r.mu.Unlock()
	r.work.Done()
}

// Close ends all that is served, and waits for it.
func (r *Resolver) Close() {
	r.mu.Lock()
	r.closed = true
	for c := range r.open {
		_ = c.Close()
	}
	r.mu.Unlock()
	r.work.Wait()
}

// ended tells whether Close was called.
func (r *Resolver) ended() bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.closed
}

// pause is how long it waits after an error that may pass.
func (r *Resolver) pause() {
	over, stop := r.o.Wall.After(10 * time.Millisecond)
	defer stop()
	<-over
}
