package ingress

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
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
	End     End
}

// Sent is what went out, as far as this side can know: the bytes that were
// given to the kernel (HTTP/1.1) or framed and flushed (HTTP/2).
type Sent struct {
	Head, Body int // bytes; Head is 0 on HTTP/2, where it is compressed
	// Gone tells that the client left: a write failed, or it closed during Hang.
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
	var sent Sent
	head, before, body, after := reply.encode(r)
	sent.Head, sent.Body, sent.Err = write(c, head, before, body, after)
	sent.Gone = sent.Err != nil
	switch {
	case reply.End == EndReset:
		reset(c)
	case reply.End == EndHang && !sent.Gone:
		sent.Gone = hang(r.Context(), c, buffered.Reader)
		cut(c)
	case reply.whole():
		_ = c.Close()
	default:
		cut(c)
	}
	return sent
}

// Reset ends the exchange as EndReset does, and sends nothing.
func Reset(w http.ResponseWriter, r *http.Request) Sent {
	return Send(w, r, Reply{End: EndReset})
}

// Abort ends the exchange as EndClose does, and sends nothing.
func Abort(w http.ResponseWriter, r *http.Request) Sent {
	return Send(w, r, Reply{End: EndClose})
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

// encode gives what goes out on HTTP/1: the head, and the body's part with its
// chunk's frame around it.
func (p Reply) encode(r *http.Request) (head, before, body, after []byte) {
	if p.Status == 0 {
		return nil, nil, nil, nil
	}
	bodied := carries(p.Status)
	chunked := p.Declared == Chunked && r.ProtoAtLeast(1, 1)
	var b buffer
	fmt.Fprintf(&b, "HTTP/%d.%d %d %s\r\n", r.ProtoMajor, r.ProtoMinor, p.Status, http.StatusText(p.Status))
	_ = p.Header.WriteSubset(&b, map[string]bool{"Content-Length": true, "Transfer-Encoding": true, "Connection": true})
	switch {
	case !bodied:
	case chunked:
		b.WriteString("Transfer-Encoding: chunked\r\n")
	case p.Declared != Chunked:
		b.WriteString("Content-Length: " + strconv.FormatInt(p.declared(), 10) + "\r\n")
	}
	b.WriteString("Connection: close\r\n\r\n")
	if p.CutHead > 0 {
		return b[:min(p.CutHead, len(b))], nil, nil, nil
	}
	if r.Method == http.MethodHead || !bodied {
		return b, nil, nil, nil
	}
	body = p.Body[:p.part()]
	if chunked {
		if len(body) > 0 {
			before = []byte(strconv.FormatInt(int64(len(p.Body)), 16) + "\r\n")
			after = []byte("\r\n")
		}
		if len(body) < len(p.Body) {
			after = nil
		} else {
			after = append(after, "0\r\n\r\n"...)
		}
	}
	return b, before, body, after
}

// carries tells whether a status has a body (RFC 9110, section 6.4.1).
func carries(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified
}

// write puts parts on the wire in one write, so that they tend to share a
// packet, and says how much of the head and of the body went out.
func write(c net.Conn, head, before, body, after []byte) (headBytes, bodyBytes int, err error) {
	all := slices.Concat(head, before, body, after)
	if len(all) == 0 {
		return 0, 0, nil
	}
	n, err := c.Write(all)
	headBytes = min(n, len(head))
	bodyBytes = max(0, min(n-len(head)-len(before), len(body)))
	return headBytes, bodyBytes, err
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

func bufferedOnly(r *bufio.Reader) io.Reader { return io.LimitReader(r, int64(r.Buffered())) }

// buffer is an io.Writer whose bytes can be sliced.
type buffer []byte

func (b *buffer) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}

func (b *buffer) WriteString(s string) { *b = append(*b, s...) }

// sendStream is Send on HTTP/2.
func sendStream(w http.ResponseWriter, r *http.Request, reply Reply) Sent {
	var sent Sent
	whole := reply.whole()
	x, _ := r.Context().Value(exchangeKey{}).(*exchange)
	if reply.Status != 0 && reply.CutHead == 0 {
		for name, values := range reply.Header {
			w.Header()[name] = values
		}
		body := reply.Body[:reply.part()]
		if reply.Declared == Chunked {
			w.Header().Del("Content-Length")
		} else if carries(reply.Status) {
			w.Header().Set("Content-Length", strconv.FormatInt(reply.declared(), 10))
			if reply.declared() < int64(len(body)) {
				body, whole = body[:reply.declared()], true
			}
		}
		w.WriteHeader(reply.Status)
		if r.Method != http.MethodHead && carries(reply.Status) {
			sent.Body, sent.Err = w.Write(body)
		}
		if sent.Err == nil {
			sent.Err = http.NewResponseController(w).Flush()
		}
		sent.Gone = sent.Err != nil
	}
	if reply.End == EndHang && !sent.Gone {
		<-r.Context().Done()
		sent.Gone = !errors.Is(r.Context().Err(), context.DeadlineExceeded)
	}
	if x != nil && (reply.End != EndClose || !whole) {
		x.abort = true
	}
	return sent
}
