package ingress

import (
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"parity/fakes/clock"
)

// Paced gives another server than a data port connections as one has them: no
// more than most at once, and a client has so long to take 64 KiB of what is
// written to it, and else loses its connection. shed hears of both.
func Paced(l net.Listener, most int, limit time.Duration, wall clock.Wall, shed func(Shed)) net.Listener {
	return &pacedListener{Listener: l, most: int64(most), limit: limit, wall: wall, shed: shed}
}

type pacedListener struct {
	net.Listener
	most  int64
	open  atomic.Int64
	limit time.Duration
	wall  clock.Wall
	shed  func(Shed)
}

// Accept waits for the next connection that there is room for.
func (l *pacedListener) Accept() (net.Conn, error) {
	for {
		raw, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.open.Add(1) <= l.most {
			return &conn{Conn: raw, pace: pace{wall: l.wall, shed: l.shed, limit: l.limit}, released: func() { l.open.Add(-1) }}, nil
		}
		l.open.Add(-1)
		l.shed(ShedConnection)
		_ = raw.Close()
	}
}

// Timely gives bodies of requests to such a server so long to arrive, once
// somebody waits for them.
func Timely(next http.Handler, limit time.Duration, wall clock.Wall) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			body := &timedBody{ReadCloser: r.Body, control: http.NewResponseController(w), wall: wall, time: limit}
			r = r.WithContext(r.Context()) // by its own kind of body net/http knows that it was not asked for
			r.Body = body
			defer body.limit() // net/http reads on, to use the connection again
		}
		next.ServeHTTP(w, r)
	})
}
