package ingress

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// A frame is one piece of a body on HTTP/1, with what stands around it.
type frame struct{ before, body, after []byte }

// encode gives what goes out on HTTP/1: the head, and the body's part.
func (p Reply) encode(r *http.Request) (head []byte, frames []frame) {
	if p.Status == 0 {
		return nil, nil
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
		return b[:min(p.CutHead, len(b))], nil
	}
	if r.Method == http.MethodHead || !bodied {
		return b, nil
	}
	for piece := range p.pieces() {
		f := frame{body: piece.sent}
		if chunked {
			f.before = []byte(strconv.FormatInt(int64(piece.whole), 16) + "\r\n")
			if len(piece.sent) == piece.whole {
				f.after = []byte("\r\n")
			}
		}
		frames = append(frames, f)
	}
	if chunked && p.part() == len(p.Body) {
		frames = append(frames, frame{after: []byte("0\r\n\r\n")})
	}
	return b, frames
}

// piece is one piece of a body, as far as it goes out.
type piece struct {
	sent  []byte
	whole int // its length, had it not been cut
}

// pieces gives the pieces of Body that go out, none of which is empty.
func (p Reply) pieces() func(func(piece) bool) {
	return func(yield func(piece) bool) {
		begin, part := 0, p.part()
		for _, end := range append(slices.Clip(p.Ends), len(p.Body)) {
			end = min(end, len(p.Body))
			if begin >= part {
				return
			}
			if end <= begin {
				continue
			}
			if !yield(piece{p.Body[begin:min(end, part)], end - begin}) {
				return
			}
			begin = end
		}
	}
}

// carries tells whether a status has a body (RFC 9110, section 6.4.1).
func carries(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified
}

// sendConn writes a reply on HTTP/1: in one write, so that its parts tend to
// share a packet, or piece by piece.
func sendConn(ctx context.Context, c net.Conn, r *bufio.Reader, reply Reply, request *http.Request) (sent Sent) {
	head, frames := reply.encode(request)
	if len(head) == 0 {
		return sent
	}
	out := slices.Clone(head)
	lead, unsent := len(head), 0 // bytes of out before its first of the body, and of the body
	put := func() bool {
		if len(out) == 0 {
			return sent.Err == nil
		}
		n, err := c.Write(out)
		sent.Head += min(n, len(head)-sent.Head)
		if err != nil {
			unsent = max(0, min(n-lead, unsent))
		}
		sent.Body += unsent
		out, lead, unsent, sent.Err, sent.Gone = out[:0], 0, 0, err, err != nil
		return err == nil
	}
	pause := func(int) bool { return true }
	if reply.Pause != nil {
		leave, stop := watch(ctx, c, r)
		defer stop()
		pause = func(i int) bool {
			if !put() {
				return false
			}
			reply.Pause(leave, i)
			sent.Gone = leave.Err() != nil
			return !sent.Gone
		}
	}
	for i, f := range frames {
		if len(f.body) > 0 && !pause(i) {
			return sent
		}
		if unsent == 0 {
			lead = len(out) + len(f.before)
		}
		out, unsent = append(append(append(out, f.before...), f.body...), f.after...), unsent+len(f.body)
	}
	put()
	return sent
}

// watch gives a context that ends when the client is gone, and a stop that has
// to be called before anybody else reads from c.
func watch(ctx context.Context, c net.Conn, r *bufio.Reader) (context.Context, func()) {
	leave, left := context.WithCancel(ctx)
	patience, enough := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if hang(patience, c, r) {
			left()
		}
	}()
	return leave, func() {
		enough()
		<-done
		left()
		_ = c.SetReadDeadline(time.Time{})
	}
}

// sendStream is Send on HTTP/2.
func sendStream(w http.ResponseWriter, r *http.Request, reply Reply) Sent {
	var sent Sent
	whole := reply.whole()
	x, _ := r.Context().Value(exchangeKey{}).(*exchange)
	if reply.Status != 0 && reply.CutHead == 0 {
		for name, values := range reply.Header {
			w.Header()[name] = values
		}
		if reply.Declared == Chunked {
			w.Header().Del("Content-Length")
		} else if carries(reply.Status) {
			w.Header().Set("Content-Length", strconv.FormatInt(reply.declared(), 10))
			if reply.declared() < int64(reply.part()) {
				reply.Cut, whole = int(reply.declared()), true
			}
		}
		w.WriteHeader(reply.Status)
		sent.stream(w, r, reply)
	}
	if reply.End == EndHang && !sent.Gone {
		ctx, stop := reply.hold(r.Context())
		defer stop()
		<-ctx.Done()
		sent.Gone = !deadlined(ctx) && (!whole || reply.Declared == Chunked) // no length said, only the stream's end tells that it is whole
	}
	if x != nil && (reply.End != EndClose || !whole || sent.Gone) {
		x.abort = true
	}
	return sent
}

// stream writes the body on HTTP/2, each piece in frames of its own.
func (s *Sent) stream(w http.ResponseWriter, r *http.Request, reply Reply) {
	control := http.NewResponseController(w)
	defer func() { s.Gone = s.Gone || s.Err != nil }()
	if r.Method != http.MethodHead && carries(reply.Status) {
		i := 0
		for piece := range reply.pieces() {
			if reply.Pause != nil {
				if s.Err = control.Flush(); s.Err != nil {
					return
				}
				reply.Pause(r.Context(), i)
				if s.Gone = r.Context().Err() != nil; s.Gone {
					return
				}
			}
			n, err := w.Write(piece.sent)
			s.Body += n
			if s.Err = err; err != nil {
				return
			}
			i++
		}
	}
	s.Err = control.Flush()
}
