package ingress

import (
	"context"
	"net"
)

// mostGathered is how much of a reply goes out with what comes after it: as much
// as net/http writes at once.
const mostGathered = 4 << 10

// tlsRecord is how much fits into one record of TLS (RFC 8446, section 5.1).
const tlsRecord = 16 << 10

// A gathering is what is to go out on a connection with what is written next. It
// is the goroutine's that serves a request.
type gathering struct {
	gathers bool
	out     []byte
}

// Gather has the head of a reply and the beginning of its body go out together
// with the rest, in one write and one TLS record: net/http writes each 4 KiB. It
// holds until leave is called. It is for a body that is given to net/http in one
// piece: of what does not fit into 4 KiB there is always a rest, which net/http
// writes at the latest when the handler has returned. And it is for HTTP/1 alone:
// on HTTP/2 a goroutine of the connection writes what many requests answer.
func Gather(ctx context.Context) (leave func()) {
	x, ok := ctx.Value(exchangeKey{}).(*exchange)
	if !ok || x.conn == nil || x.conn.screen == nil || x.conn.screen.through.Load() {
		return func() {}
	}
	s := x.conn.screen
	s.gathers = true
	return func() { s.gathers = false }
}

// together writes p, after what was gathered, or gathers it.
func (s *screen) together(p []byte) (int, error) {
	before := len(s.out)
	if s.gathers && before+len(p) <= mostGathered {
		s.out = append(s.out, p...)
		return len(p), nil
	}
	if before == 0 {
		return s.Conn.Write(p)
	}
	out := s.out
	s.out = s.out[:0]
	plain, ok := s.Conn.(*conn)
	switch {
	case ok && before+len(p) <= portion:
		both := net.Buffers{out, p}
		n, err := plain.paced(func() (int64, error) { return both.WriteTo(plain.Conn) })
		return max(0, int(n)-before), err
	case before+len(p) <= tlsRecord:
		n, err := s.Conn.Write(append(out, p...))
		return max(0, n-before), err
	}
	if _, err := s.Conn.Write(out); err != nil {
		return 0, err
	}
	return s.Conn.Write(p)
}
