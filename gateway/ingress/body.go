package ingress

import (
	"errors"
	"io"
	"net/http"
	"time"

	"parity/fakes/clock"
)

// A timedBody has to arrive in time once somebody waits for it. The limit is
// not http.Server.ReadTimeout: that one goes on after the body and would end
// an exchange that a fault holds open.
type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
	wall    clock.Wall
	time    time.Duration
	there   bool // all of it is in memory: it takes no time
	begun   bool
	ended   bool
}

func (b *timedBody) Read(p []byte) (int, error) {
	b.limit()
	n, err := b.ReadCloser.Read(p)
	if err != nil && !b.ended {
		b.ended = true
		if errors.Is(err, io.EOF) && !b.there {
			_ = b.control.SetReadDeadline(time.Time{})
		}
	}
	return n, err
}

func (b *timedBody) limit() {
	if !b.begun {
		b.begun = true
		if b.there {
			return
		}
		_ = b.control.SetReadDeadline(b.wall.Now().Add(b.time))
	}
}

// How long is waited for more of a body that nobody wanted, and how much of it
// is read, in bytes. All of it has Options.BodyTime.
const (
	drainIdle = 2 * time.Second
	drainMost = 32 << 20
)

// drain reads what is left of a request's body once its answer is out. Many
// clients send all of it before they read anything. net/http leaves more than
// 256 KiB unread, or all of it where the connection ends with the answer; the
// kernel then answers the rest with a reset, and the client reports that, not
// the 413 which says what to do. HTTP/2 has RST_STREAM with NO_ERROR for it.
func (s *Server) drain(w http.ResponseWriter, r *http.Request, x *exchange, c *conn) {
	if r.Body == nil || r.Body == http.NoBody || r.ProtoMajor != 1 || c.taken.Load() {
		return
	}
	read, begun := x.body != nil && x.body.ended, x.body != nil && x.body.begun
	if read || !begun && r.Header.Get("Expect") != "" { // refused before it was sent
		return
	}
	control := http.NewResponseController(w)
	if err := control.Flush(); err != nil {
		return
	}
	buf := make([]byte, 32<<10)
	now := s.opt.Wall.Now()
	for end, left := now.Add(s.opt.BodyTime), drainMost; left > 0 && now.Before(end); now = s.opt.Wall.Now() {
		_ = control.SetReadDeadline(now.Add(min(drainIdle, end.Sub(now))))
		n, err := r.Body.Read(buf)
		left -= n
		if errors.Is(err, io.EOF) {
			_ = control.SetReadDeadline(time.Time{})
		}
		if err != nil {
			return
		}
	}
}
