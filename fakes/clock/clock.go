// Package clock is the one owner of time: the wall clock, and the clock that
// a run lives by.
//
//	wall  ──┬───────┬──────────────┬─▶  real time, read here and nowhere else
//	        │Tick   │Tick          │Tick
//	run   ──┴──┬────┴──┬───────────┴─▶  one instant for each exchange
//	live:      speed × the wall time that went by
//	stepped:   a fixed step each exchange, whatever the wall says
//	frozen:    one instant for all of them, live or stepped
//
// A State is a value: it is kept in the run, changes only by returning the
// next one, and derives from events, so that a fork and a replay have the same
// time. A Wall is what real waits and live clocks read; tests hand in one of
// their own or use testing/synctest around System.
package clock

import (
	"context"
	"time"
)

// A Wall is real time.
type Wall interface {
	// Now is the present instant.
	Now() time.Time
	// After gives a channel that receives once d has gone by, and a stop that
	// frees its timer; stop may be called at any time and more than once.
	After(d time.Duration) (done <-chan time.Time, stop func())
}

// System is this machine's clock.
type System struct{}

var _ Wall = System{}

// Now is time.Now.
func (System) Now() time.Time { return time.Now() }

// After is a time.Timer.
func (System) After(d time.Duration) (<-chan time.Time, func()) {
	timer := time.NewTimer(d)
	return timer.C, func() { timer.Stop() }
}

// Sleep waits for d, or until ctx is done, whose cause it then returns. A d
// that is not positive returns at once.
func Sleep(ctx context.Context, wall Wall, d time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if d <= 0 {
		return nil
	}
	_, err := SleepOr(ctx, wall, d, nil)
	return err
}

// SleepOr is Sleep until something else happens: it tells whether that woke it.
func SleepOr(ctx context.Context, wall Wall, d time.Duration, wake <-chan struct{}) (woken bool, err error) {
	done, stop := wall.After(d)
	defer stop()
	select {
	case <-done:
		return false, nil
	case <-wake:
		return true, nil
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}
