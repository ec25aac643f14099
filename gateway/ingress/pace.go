package ingress

import (
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"parity/fakes/clock"
)

// portion is how many bytes a client has Options.WriteTime to take. The limit
// goes on with each portion, so that it bounds how slow a client may be and not
// how long a reply; between portions, where faults wait, there is none.
const portion = 64 << 10

// A pace is what bounds the writes of a connection, together with the deadline
// that others set for it.
type pace struct {
	wall  clock.Wall
	shed  func(Shed)
	limit time.Duration // for each portion; 0 where the client may take its time

	mu       sync.Mutex
	deadline time.Time // that others set
	set      time.Time // the pace's own, where it is in force; else zero
}

// write writes p within the pace, portion by portion.
func (c *conn) write(p []byte) (sent int, err error) {
	if c.pace.limit == 0 {
		return c.Conn.Write(p)
	}
	for {
		n, err := c.paced(func() (int64, error) {
			n, err := c.Conn.Write(p[sent:min(len(p), sent+portion)])
			return int64(n), err
		})
		sent += int(n)
		if err != nil || sent == len(p) {
			return sent, err
		}
	}
}

// paced does one write within the pace.
func (c *conn) paced(write func() (int64, error)) (int64, error) {
	if c.pace.limit == 0 {
		return write()
	}
	own := c.pace.begin(c.Conn)
	n, err := write()
	if own && errors.Is(err, os.ErrDeadlineExceeded) {
		c.pace.shed(ShedReader)
	}
	return n, err
}

// begin sets the deadline of the next portion, and tells whether it is the
// pace's own.
//
// Most portions are taken at once: one that was set a moment ago is left, and
// each gives a little more than the limit, so that it is never less.
func (t *pace) begin(c net.Conn) (own bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	due := t.wall.Now().Add(t.limit)
	if !t.deadline.IsZero() && !due.Before(t.deadline) {
		t.set = time.Time{}
		_ = c.SetWriteDeadline(t.deadline)
		return false
	}
	if t.set.Before(due) {
		t.set = due.Add(t.limit / 16)
		_ = c.SetWriteDeadline(t.set)
	}
	return true
}

// SetWriteDeadline is a deadline besides the pace's.
func (c *conn) SetWriteDeadline(t time.Time) error {
	c.pace.mu.Lock()
	defer c.pace.mu.Unlock()
	c.pace.deadline, c.pace.set = t, time.Time{}
	return c.Conn.SetWriteDeadline(t)
}

// SetDeadline is one for reading too.
func (c *conn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

// unpaced lets a client take its time, on all connections below c: what a
// tunnel carries has limits of its own.
func unpaced(c net.Conn) {
	for ; c != nil; c = unwrap(c) {
		if own, ok := c.(*conn); ok {
			own.pace.limit = 0
		}
	}
}

// A pacedWriter has the pace of a stream of HTTP/2, whose client may read its
// connection and give this stream no window. A stream's deadline strikes when
// it is due, whether anything is being written or not, so there is one only
// while something is.
type pacedWriter struct {
	http.ResponseWriter
	control  *http.ResponseController
	server   *Server
	buffered int // bytes that net/http may hold still
}

// streamBuffer is how much net/http gathers before it writes to a stream.
const streamBuffer = 4 << 10

func (s *Server) paced(w http.ResponseWriter) *pacedWriter {
	return &pacedWriter{ResponseWriter: w, control: http.NewResponseController(w), server: s}
}

// begin sets the deadline for what is written next.
func (w *pacedWriter) begin() {
	_ = w.control.SetWriteDeadline(w.server.opt.Wall.Now().Add(w.server.opt.WriteTime))
}

func (w *pacedWriter) end(err error) {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		w.server.shed(ShedReader)
	}
	_ = w.control.SetWriteDeadline(time.Time{})
}

func (w *pacedWriter) Write(p []byte) (sent int, err error) {
	for {
		part := p[sent:min(len(p), sent+portion)]
		if w.buffered+len(part) < streamBuffer {
			n, err := w.ResponseWriter.Write(part)
			w.buffered += n
			return sent + n, err
		}
		w.begin()
		n, err := w.ResponseWriter.Write(part)
		w.end(err)
		w.buffered = streamBuffer - 1 // at most
		sent += n
		if err != nil || sent == len(p) {
			return sent, err
		}
	}
}

// FlushError is for http.ResponseController.
func (w *pacedWriter) FlushError() error {
	w.begin()
	err := w.control.Flush()
	w.end(err)
	w.buffered = 0
	return err
}

// rest writes what net/http holds still, while the request is counted: a client
// that gives its streams no window would have it wait on for each, after its
// handler. What then ends the stream needs none.
func (w *pacedWriter) rest() {
	if w.buffered > 0 {
		_ = w.FlushError() // the client may be gone; there is nobody else to tell
	}
	w.begin()
}

// Unwrap is for http.ResponseController.
func (w *pacedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
