package ingress

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"parity/fakes/clock"
)

// dial opens the way out of a tunnel, and reports one that cannot be opened.
func (s *Server) dial(ctx context.Context, h *hop) (net.Conn, error) {
	began := s.opt.Wall.Now()
	ctx, stop := context.WithCancel(context.WithValue(ctx, hopKey{}, &attempt{hop: h, server: s}))
	defer stop()
	defer context.AfterFunc(s.base, stop)()
	out, err := s.wayOut(ctx, h.verdict.Dialer, "tcp", h.approach.Authority.String())
	s.opt.Opened(h.approach, err)
	if err != nil {
		s.opt.Passed(Passage{
			Way: h.approach.Way, Authority: h.approach.Authority, Began: began, Ended: s.opt.Wall.Now(), Err: err,
		})
	}
	return out, err
}

// errCrowded is the error of a way out that would be one connection too many.
var errCrowded = errors.New("too many connections are open")

// wayOut dials, on a place among the connections.
func (s *Server) wayOut(ctx context.Context, dialer Dialer, network, address string) (net.Conn, error) {
	if dialer == nil {
		return nil, errors.New("this gateway has no way out")
	}
	if !s.place() {
		s.shed(ShedConnection)
		return nil, errCrowded
	}
	out, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		s.open.Add(-1)
		return nil, err
	}
	return &conn{Conn: out, released: func() { s.open.Add(-1) }}, nil
}

// carry copies bytes both ways until both ends have ended theirs, one of them
// broke off, nothing came for TunnelIdle, or the server shuts down. It closes
// both.
func (s *Server) carry(client, out net.Conn, h *hop) {
	began := s.opt.Wall.Now()
	p := &pipe{wall: s.opt.Wall, idle: s.opt.TunnelIdle}
	p.last.Store(began.UnixNano())
	unpaced(client)
	s.waited(client) // it lasts as long as the exchanges do
	defer context.AfterFunc(s.base, func() { _ = client.Close(); _ = out.Close() })()

	s.work.begin()
	done := make(chan struct{})
	go func() {
		defer s.work.end()
		defer close(done)
		p.copy(client, out, &p.in)
	}()
	p.copy(out, client, &p.out)
	<-done
	_ = client.Close()
	_ = out.Close()
	s.opt.Passed(Passage{
		Way: h.approach.Way, Authority: h.approach.Authority,
		Out: p.out.Load(), In: p.in.Load(), Began: began, Ended: s.opt.Wall.Now(),
	})
}

// A pipe is the two directions of a tunnel.
type pipe struct {
	wall    clock.Wall
	idle    time.Duration
	last    atomic.Int64 // when a byte last went either way, in Unix nanoseconds
	in, out atomic.Int64
}

// copy is one direction. At the end of src it ends dst's half; at an error it
// ends the tunnel, with a reset where src was reset.
func (p *pipe) copy(dst, src net.Conn, count *atomic.Int64) {
	buf := make([]byte, 32<<10)
	for {
		_ = src.SetReadDeadline(time.Unix(0, p.last.Load()).Add(p.idle))
		n, err := src.Read(buf)
		if n > 0 {
			p.last.Store(p.wall.Now().UnixNano())
			_ = dst.SetWriteDeadline(p.wall.Now().Add(p.idle))
			wrote, werr := dst.Write(buf[:n])
			count.Add(int64(wrote))
			if werr != nil {
				err = werr
			}
		}
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			_ = closeWrite(dst)
			return
		case errors.Is(err, os.ErrDeadlineExceeded) && p.busy():
			// The other direction goes on.
		default:
			if tcp := transport(dst); tcp != nil && errors.Is(err, syscall.ECONNRESET) {
				_ = tcp.SetLinger(0)
			}
			_ = dst.Close()
			_ = src.Close()
			return
		}
	}
}

func (p *pipe) busy() bool {
	return p.wall.Now().Sub(time.Unix(0, p.last.Load())) < p.idle
}

// forward sends a plain proxy request on to an allowed authority.
func (s *Server) forward(w http.ResponseWriter, r *http.Request, h *hop) {
	began := s.opt.Wall.Now()
	t := &attempt{hop: h, server: s}
	counted := &countedWriter{ResponseWriter: w, base: s.base}
	body := &countedBody{ReadCloser: r.Body}
	r = r.WithContext(context.WithValue(r.Context(), hopKey{}, t))
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = body
	}
	defer func() {
		if counted.taken != nil { // goproxy leaves it open
			_ = counted.taken.Close()
		}
		s.opt.Passed(Passage{
			Way: h.approach.Way, Authority: h.approach.Authority,
			Out: body.n.Load(), In: counted.n, Began: began, Ended: s.opt.Wall.Now(), Err: t.err,
		})
	}()
	r.URL.Host = h.approach.Authority.String()
	r.Header = r.Header.Clone()
	onward(r.Header)
	s.engine.ServeHTTP(counted, r)
}

// Forward sends a request that came in Direct on to an authority that its Host
// names and that the caller has allowed, through a dialer; nil: Options.Dialer. Its
// bytes are reported to Passed.
func (s *Server) Forward(w http.ResponseWriter, r *http.Request, origin Origin, dialer Dialer) {
	if dialer == nil {
		dialer = s.opt.Dialer
	}
	if dialer == nil {
		refuse(w, http.StatusForbidden, origin.Authority.Host+" is allowed, but this gateway has no way out")
		return
	}
	r = r.Clone(r.Context())
	r.URL.Scheme = "http"
	if origin.Secure {
		r.URL.Scheme = "https"
	}
	s.forward(w, r, &hop{
		approach: Approach{
			Way: origin.Way, Authority: origin.Authority, Remote: origin.Remote, Connection: origin.Connection,
			Credentials: Credentials{Name: origin.RunName, Token: origin.RunToken, Sent: origin.Proven},
		},
		verdict: Verdict{Action: Tunnel, Dialer: dialer},
	})
}

type countedWriter struct {
	http.ResponseWriter
	base  context.Context // ends a connection that was taken over
	taken net.Conn
	n     int64
}

func (w *countedWriter) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.n += int64(n)
	return n, err
}

// Flush lets goproxy stream.
func (w *countedWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Hijack lets goproxy carry a protocol upgrade, whose bytes are not counted.
func (w *countedWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err == nil {
		w.taken = c
		context.AfterFunc(w.base, func() { _ = c.Close() })
	}
	return c, rw, err
}

// Unwrap is for http.ResponseController.
func (w *countedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

type countedBody struct {
	io.ReadCloser
	n atomic.Int64
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.n.Add(int64(n))
	return n, err
}
