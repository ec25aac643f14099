package contain

import (
	"context"
	"net/netip"
	"slices"
	"sync"
	"time"

	"parity/fakes/clock"
)

// How attempts are told: equal ones together, once in a while; and of those that
// differ so many, before several ports, and then several addresses, are told as
// one.
const (
	toldAgain     = time.Second
	mostPorts     = 256
	mostAddresses = 512
	mostTold      = 1024 // that wait for whoever reads them
)

// attempts gathers what was tried.
type attempts struct {
	wall clock.Wall
	told chan Attempt
	in   []int // the ports that come in: who accepts there is the gateway

	mu      sync.Mutex
	waiting map[what]Attempt
	order   []what
	seen    map[what]time.Time // when it was told last
	more    chan struct{}
	last    netip.AddrPort // until that is seen, what is tried is the gateway's own
	done    chan struct{}  // it was
}

type what struct {
	protocol string
	to       netip.AddrPort
	answered bool
}

func newAttempts(wall clock.Wall) *attempts {
	return &attempts{
		wall: wall, told: make(chan Attempt, mostTold), more: make(chan struct{}, 1),
		waiting: map[what]Attempt{}, seen: map[what]time.Time{},
	}
}

// passOver has what is seen count for nothing until an address is tried, which
// closes the channel. No address: everything counts.
func (a *attempts) passOver(last netip.AddrPort) <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last, a.done = last, make(chan struct{})
	return a.done
}

// own tells whether a connection that was accepted there is no attempt: it came in,
// or went to a server of the agent's by this machine's own address.
func (a *attempts) own(to netip.AddrPort) bool {
	return to.Port() == dnsPort || slices.Contains(a.in, int(to.Port())) || to.Addr().Unmap().IsLoopback()
}

// add notes an attempt.
func (a *attempts) add(one Attempt) {
	a.mu.Lock()
	if a.last.IsValid() {
		if one.To == a.last {
			a.last = netip.AddrPort{}
			close(a.done)
		}
		a.mu.Unlock()
		return
	}
	key := a.within(what{one.Protocol, one.To, one.Answered})
	waits, ok := a.waiting[key]
	if !ok {
		waits = Attempt{Protocol: key.protocol, To: key.to, Answered: key.answered, At: one.At}
		a.order = append(a.order, key)
	}
	waits.Times++
	a.waiting[key] = waits
	a.mu.Unlock()
	select {
	case a.more <- struct{}{}:
	default:
	}
}

// within is what an attempt is told as: itself, or among others where they are
// too many. a.mu is held.
func (a *attempts) within(key what) what {
	for _, wider := range []struct {
		most int
		as   what
	}{
		{mostPorts, what{key.protocol, netip.AddrPortFrom(key.to.Addr(), 0), key.answered}},
		{mostAddresses, what{key.protocol, netip.AddrPort{}, key.answered}},
	} {
		if _, known := a.seen[key]; known || len(a.seen) < wider.most {
			break
		}
		key = wider.as
	}
	if _, known := a.seen[key]; !known {
		a.seen[key] = time.Time{}
	}
	return key
}

// tell hands out what waits and is not held back, and says when the next may be.
// All: nothing is held back any more.
func (a *attempts) tell(all bool) (next time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.wall.Now()
	var left []what
	for _, key := range a.order {
		if wait := toldAgain - now.Sub(a.seen[key]); wait > 0 && !all {
			left = append(left, key)
			if next == 0 || wait < next {
				next = wait
			}
			continue
		}
		select {
		case a.told <- a.waiting[key]:
			a.seen[key] = now
			delete(a.waiting, key)
		default: // nobody reads: it is told with those that come
			left, next = append(left, key), toldAgain
		}
	}
	a.order = left
	return next
}

// run tells attempts until ctx ends, and then what is left.
func (a *attempts) run(ctx context.Context) {
	defer close(a.told)
	defer a.tell(true)
	for {
		var again <-chan time.Time
		stop := func() {}
		if next := a.tell(false); next > 0 {
			again, stop = a.wall.After(next)
		}
		select {
		case <-a.more:
		case <-again:
		case <-ctx.Done():
			stop()
			return
		}
		stop()
	}
}
