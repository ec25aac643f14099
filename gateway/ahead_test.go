package gateway_test

import (
	"sync/atomic"
	"time"

	"parity/fakes/clock"
)

// ahead is the machine's clock, which a test can put on.
type ahead struct {
	clock.System
	more atomic.Int64
}

func (a *ahead) Now() time.Time { return a.System.Now().Add(time.Duration(a.more.Load())) }

func (a *ahead) by(d time.Duration) { a.more.Add(int64(d)) }
