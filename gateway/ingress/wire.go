package ingress

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// An End is how a reply ends on the wire.
type End int

// The ends. What the client sees of them:
//
//	           HTTP/1.1, in TLS and tunnels too     HTTP/2
//	EndClose   FIN; in TLS without close_notify     RST_STREAM INTERNAL_ERROR if the
//	           unless the reply was whole           reply was cut, else END_STREAM
//	EndReset   RST: ECONNRESET                      RST_STREAM INTERNAL_ERROR
//	EndHang    silence until the client leaves or   the same, then RST_STREAM
//	           the request's context ends, then FIN INTERNAL_ERROR
//
// On HTTP/2 the stream ends when the Handler has returned, not before, and
// other streams of its connection go on: net/http offers nothing below that.
const (
	EndClose End = iota
	EndReset
	EndHang
)

// Chunked, as Reply.Declared, sends the body in one chunk.
const Chunked int64 = -1

// NoBody, as Reply.Cut, sends the head alone.
const NoBody = -1

// A Reply is what Send puts on the wire, as far as it goes.
type Reply struct {
	// Status 0 sends nothing at all: only the End happens.
	Status int
	// Header goes out as it is but for the framing headers, which are made here.
	// On HTTP/1.1 that goes for Date too: none is added.
	Header http.Header
	Body   []byte
	// Declared is the Content-Length that the head states, in bytes: 0 for the
	// honest one, Chunked for none. HTTP/2 has no chunks: there it means that
	// no length is stated. A length shorter than what is sent is only possible
	// on HTTP/1.1; on HTTP/2 the body ends at it, and so does the reply.
	Declared int64
	// Cut is how many bytes of Body go out: 0 for all of them, NoBody for none.
	// A chunked body that is cut ends inside its chunk.
	Cut int
	// CutHead is how many bytes of the head go out, with nothing after: 0 for
	// the whole head. On HTTP/2, where a head is one frame, none goes out.
	CutHead int
	// Ends are where the pieces of Body end, ascending; none: it is one piece.
	// Each is a chunk of its own where there are chunks.
	Ends []int
	// Pause, where set, is called before each piece, 0 for the first, which goes
	// out behind the head then and not with it. It waits, but no longer than its
	// context lasts, which ends when the client leaves.
	Pause func(ctx context.Context, piece int)
	End   End
	// Hold bounds an EndHang; 0: it lasts as long as the request's context.
	Hold time.Duration
}

// Sent is what went out, as far as this side can know: the bytes that were
// given to the kernel (HTTP/1.1) or framed and flushed (HTTP/2).
type Sent struct {
	Head, Body int // bytes; Head is 0 on HTTP/2, where it is compressed
	// Gone tells that the client left before it was given all there is: a write
	// failed, or it closed during Hang, what it waited for not being there.
	Gone bool
	Err  error // the write's, where one failed
}

// Send puts a reply on the wire that net/http would not send: cut, misdeclared,
// or ended abruptly. Nothing may have been written to w before, and nothing may
// be after; the request's body should have been read. On HTTP/1.1 it takes the
// connection over, which therefore ends with the reply.
func Send(w http.ResponseWriter, r *http.Request, reply Reply) Sent {
	if r.ProtoMajor >= 2 {
		return sendStream(w, r, reply)
	}
	c, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return Sent{Err: fmt.Errorf("taking the connection over: %w", err)}
	}
	if r.Context().Err() == nil { // a client that has closed its sending side still reads
		defer context.AfterFunc(r.Context(), func() { _ = c.SetWriteDeadline(time.Unix(1, 0)) })()
	}
	sent := sendConn(r.Context(), c, buffered.Reader, reply, r)
	switch {
	case reply.End == EndReset:
		reset(c)
	case reply.End == EndHang && !sent.Gone:
		ctx, stop := reply.hold(r.Context())
		sent.Gone = hang(ctx, c, buffered.Reader) && !reply.whole()
		stop()
		cut(c)
	case reply.whole() && !sent.Gone:
		_ = c.Close()
	default:
		cut(c)
	}
	return sent
}

// hold is the context of a hang.
func (p Reply) hold(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.Hold > 0 {
		return context.WithTimeout(ctx, p.Hold)
	}
	return context.WithCancel(ctx)
}

// Reset ends the exchange as EndReset does, and sends nothing.
func Reset(w http.ResponseWriter, r *http.Request) Sent {
	return Send(w, r, Reply{End: EndReset})
}

// whole tells whether the client gets a reply that is complete.
func (p Reply) whole() bool {
	return p.Status != 0 && p.CutHead == 0 && p.part() == len(p.Body) &&
		(p.Declared <= 0 || p.Declared == int64(len(p.Body)))
}

// part is how many bytes of Body go out.
func (p Reply) part() int {
	switch {
	case p.CutHead > 0 || p.Cut < 0:
		return 0
	case p.Cut == 0:
		return len(p.Body)
	default:
		return min(p.Cut, len(p.Body))
	}
}

func (p Reply) declared() int64 {
	if p.Declared == 0 {
		return int64(len(p.Body))
	}
	return p.Declared
}

// reset closes the TCP connection under c so that the client gets a RST.
func reset(c net.Conn) {
	if tcp := transport(c); tcp != nil {
		_ = tcp.SetLinger(0)
		_ = tcp.Close()
	}
	_ = c.Close() // gives its place back; nothing goes out any more
}

// cut closes the TCP connection under c with a FIN, and in TLS without the
// close_notify that would make the reply look whole.
func cut(c net.Conn) {
	if tcp := transport(c); tcp != nil {
		_ = tcp.CloseWrite()
		_ = tcp.Close()
	}
	_ = c.Close()
}

// hang waits until the client is gone, or ctx is done. What the client still
// sends is dropped.
func hang(ctx context.Context, c net.Conn, r *bufio.Reader) (gone bool) {
	defer context.AfterFunc(ctx, func() { _ = c.SetReadDeadline(time.Unix(1, 0)) })()
	_, err := io.Copy(io.Discard, io.MultiReader(bufferedOnly(r), c))
	var timeout net.Error
	return !errors.As(err, &timeout) || !timeout.Timeout()
}

// deadlined tells whether a context ended because its time was over.
func deadlined(ctx context.Context) bool { return errors.Is(ctx.Err(), context.DeadlineExceeded) }

func bufferedOnly(r *bufio.Reader) io.Reader { return io.LimitReader(r, int64(r.Buffered())) }

// buffer is an io.Writer whose bytes can be sliced.
type buffer []byte

func (b *buffer) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}

func (b *buffer) WriteString(s string) { *b = append(*b, s...) }
