package ingress

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// How many requests a client may take back on HTTP/2 before they were answered:
// so many at once, and so many a second for good. A client that gives up when
// its time is over does that now and then; one that floods does nothing else,
// and pays for none of the work.
const (
	resetBurst = 1000
	resetRate  = 100
)

// A bucket leaks at resetRate, and overflows beyond resetBurst.
type bucket struct {
	mu    sync.Mutex
	level float64
	at    time.Time
}

// add puts one in, and tells whether it still fits.
func (b *bucket) add(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.level = max(0, b.level-now.Sub(b.at).Seconds()*resetRate) + 1
	b.at = now
	if b.level > resetBurst {
		b.level = resetBurst
		return false
	}
	return true
}

// A sparing lets something be said once a minute: what floods, floods logs too.
type sparing struct{ last atomic.Int64 }

func (s *sparing) due(now time.Time) bool {
	last := s.last.Load()
	return now.UnixNano()-last >= int64(time.Minute) && s.last.CompareAndSwap(last, now.UnixNano())
}

// takenBack counts a request of HTTP/2 whose client has reset it. One too many
// costs the connection.
func (s *Server) takenBack(r *http.Request, c *conn) bool {
	if r.ProtoMajor < 2 || r.Context().Err() == nil || c.client == nil {
		return false
	}
	if now := s.opt.Wall.Now(); !c.client.resets.add(now) && !c.flooded.Swap(true) {
		s.shed(ShedResets)
		if s.flooding.due(now) {
			s.opt.Log.Warn("connections closed: their client takes back what it asks for", "remote", c.RemoteAddr().String())
		}
		_ = c.Close()
	}
	return true
}
