package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// connections is how many there are to each server, all of them busy: what an
// agent's pool of them, or a few agents at once, come to.
const connections = 16

// patience is how long one call may take, a connection be opened, or a server
// come up.
const patience = 30 * time.Second

// A tally is what came of a number of calls.
type tally struct {
	calls, bytes, failed int
	first                string // of what failed
	took                 time.Duration
}

func (t *tally) fail(what string) {
	if t.failed++; t.first == "" {
		t.first = what
	}
}

func (t *tally) add(other tally) {
	t.calls, t.bytes, t.failed = t.calls+other.calls, t.bytes+other.bytes, t.failed+other.failed
	if t.first == "" {
		t.first = other.first
	}
}

// drive sends one request over and over, on all connections, for so long or so
// often, whichever is first; 0 is no bound.
func (c crowd) drive(ctx context.Context, r request, status int, d time.Duration, n int) tally {
	var (
		all  sync.WaitGroup
		lock sync.Mutex
		sum  tally
		over atomic.Bool
		left atomic.Int64
	)
	if left.Store(int64(n)); n == 0 {
		left.Store(1 << 62)
	}
	if d > 0 {
		defer time.AfterFunc(d, func() { over.Store(true) }).Stop()
	}
	defer context.AfterFunc(ctx, func() { over.Store(true) })()
	began := time.Now()
	for _, one := range c {
		all.Go(func() {
			var mine tally
			for !over.Load() && left.Add(-1) >= 0 && mine.failed < 100 {
				got, size, err := one.exchange(ctx, r, nil)
				mine.calls, mine.bytes = mine.calls+1, mine.bytes+size
				switch {
				case err != nil:
					mine.fail(err.Error())
				case got != status:
					mine.fail(fmt.Sprintf("status %d instead of %d", got, status))
				}
			}
			lock.Lock()
			defer lock.Unlock()
			sum.add(mine)
		})
	}
	all.Wait()
	sum.took = time.Since(began)
	return sum
}
