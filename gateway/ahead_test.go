package gateway_test

import (
	"sync/atomic"
	"time"

	"parity/fakes/clock"
)

// ahead is the machine's clock, which a test can put on. A second of
// waiting is a hundredth of one.
type ahead struct {
	clock.System
	more atomic.Int64
}

func (a *ahead) Now() time.Time { return a.System.Now().Add(time.Duration(a.more.Load())) }

func (a *ahead) by(d time.Duration) { a.more.Add(int64(d)) }

func (a *ahead) After(d time.Duration) (<-chan time.Time, func()) {
	if d == time.Second { // how often a gateway looks after its runs
		d /= 100
	}
	return a.System.After(d)
}
