package ingress

import (
	"bytes"
	"errors"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
)

// errFraming ends a connection whose client sent a message that two readers
// could frame in two ways.
var errFraming = errors.New("ambiguous message framing")

// A screen refuses HTTP/1 messages that two readers could frame differently:
// Content-Length with Transfer-Encoding, doubled framing headers, folded lines,
// bare LF or CR, Transfer-Encoding in HTTP/1.0. net/http is lenient with most
// of these, which is harmless alone and a smuggled request behind a proxy that
// is lenient otherwise. The screen follows the framing of the stream itself,
// since a body may look like a head.
type screen struct {
	net.Conn
	framing framing
	through atomic.Bool // hijacked: no longer HTTP
	refusal error

	own    *conn        // below
	coming int          // bytes of a head that is not whole, not counted as held yet
	held   atomic.Int64 // those that are
	closed atomic.Bool

	gathering
}

func newScreen(c net.Conn) *screen {
	s := &screen{Conn: c, own: below(c)}
	if s.own != nil {
		s.own.screen = s
	}
	return s
}

func (s *screen) Read(p []byte) (int, error) {
	if s.refusal != nil {
		return 0, s.refusal
	}
	n, err := s.Conn.Read(p)
	if n == 0 || s.through.Load() {
		return n, err
	}
	if good, problem := s.framing.follow(p[:n]); problem != nil {
		s.refusal = problem
		if good == 0 {
			return 0, problem
		}
		return good, nil
	}
	if problem := s.heading(n); problem != nil {
		s.refusal = problem
		s.own.pace.shed(ShedHead)
		return 0, problem
	}
	return n, err
}

// headPortion is how much of a head may come before it is counted. Most come
// in one piece, and count as their request then.
const headPortion = 4 << 10

// heading counts what is held of a head that comes in pieces.
func (s *screen) heading(n int) error {
	if s.own == nil || s.own.client == nil {
		return nil
	}
	if s.coming += n; !s.framing.inHead() {
		s.coming = 0
		s.headless()
		return nil
	}
	if s.coming < headPortion {
		return nil
	}
	if err := s.own.client.reserve(int64(s.coming), true); err != nil {
		return err
	}
	s.held.Add(int64(s.coming))
	s.coming = 0
	if s.closed.Load() { // meanwhile
		s.headless()
	}
	return nil
}

func (s *screen) headless() {
	if n := s.held.Swap(0); n > 0 {
		s.own.client.hold(-n)
	}
}

// Close gives back what was held of a head that did not come to its end.
func (s *screen) Close() error {
	s.closed.Store(true)
	s.headless()
	return s.Conn.Close()
}

// Write says why in the place of net/http's wordless answer.
func (s *screen) Write(p []byte) (int, error) {
	if s.refusal != nil && bytes.HasPrefix(p, []byte("HTTP/1.1 400 Bad Request\r\n")) {
		text, status := s.refusal.Error()+"\n", "400 Bad Request"
		if !errors.Is(s.refusal, errFraming) {
			status = "503 Service Unavailable"
		}
		answer := "HTTP/1.1 " + status + "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\nContent-Length: " +
			strconv.Itoa(len(text)) + "\r\n\r\n" + text
		if _, err := s.Conn.Write([]byte(answer)); err != nil {
			return 0, err
		}
		return len(p), nil
	}
	return s.together(p)
}

// NetConn is the connection below.
func (s *screen) NetConn() net.Conn { return s.Conn }

// CloseWrite ends this side's half.
func (s *screen) CloseWrite() error { return closeWrite(s.Conn) }

// What comes next in the stream.
type part int

const (
	partStart   part = iota // a request line
	partHeader              // a header line, or the empty line
	partBody                // left bytes of body
	partSize                // a chunk's size line
	partChunk               // left bytes of chunk
	partEnd                 // the CRLF after a chunk
	partTrailer             // a trailer line, or the empty line
	partRaw                 // not HTTP/1 any more
)

// Longest line that is followed, in bytes. net/http's limit on the head as a
// whole strikes first.
const maxLine = 1 << 20

// framing follows one direction of an HTTP/1 connection.
type framing struct {
	at   part
	line []byte // of a line that did not come in one piece
	left int64

	begun    bool // a request line has been seen
	raw, old bool // CONNECT; not HTTP/1.1, so that net/http knows no chunks
	length   int64
	lengths  int
	codings  int
	hosts    int
}

// follow takes the next bytes. On a problem, good is how many of them may still
// be given out, which never completes the head that is at fault.
func (f *framing) follow(p []byte) (good int, problem error) {
	rest := p
	for len(rest) > 0 {
		switch f.at {
		case partRaw:
			return len(p), nil
		case partBody, partChunk:
			n := min(f.left, int64(len(rest)))
			f.left -= n
			rest = rest[n:]
			if f.left == 0 {
				f.bodyEnded()
			}
		default:
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				if len(f.line)+len(rest) > maxLine {
					return len(p) - len(rest), framingError("a line is too long")
				}
				f.line = append(f.line, rest...)
				return len(p), nil
			}
			line := rest[:end+1]
			if len(f.line) > 0 {
				line = append(f.line, line...)
				f.line = f.line[:0]
			}
			if err := f.take(line); err != nil {
				return len(p) - len(rest), err
			}
			rest = rest[end+1:]
		}
	}
	return len(p), nil
}

// read tells whether the request that is served has been read from the wire to
// its end, and nothing of another. It is for HTTP/1 alone: on HTTP/2 another
// goroutine reads, whatever is served.
func (c *conn) read() bool { return c.screen != nil && c.screen.framing.at == partStart }

// inHead tells whether a request's head has begun and not ended.
func (f *framing) inHead() bool {
	return f.at == partHeader || f.at == partStart && len(f.line) > 0
}

func (f *framing) bodyEnded() {
	if f.at == partChunk {
		f.at = partEnd
		return
	}
	f.at = partStart
}

// take reads one line, which ends in LF.
func (f *framing) take(line []byte) error {
	text, ok := bytes.CutSuffix(line, []byte("\r\n"))
	if !ok {
		return framingError("a line ends in a bare LF, not in CRLF")
	}
	if bytes.IndexByte(text, '\r') >= 0 {
		return framingError("a line has a bare CR in it")
	}
	switch f.at {
	case partStart:
		return f.start(text)
	case partHeader:
		if len(text) == 0 {
			return f.headEnded()
		}
		return f.header(text)
	case partSize:
		return f.size(text)
	case partEnd:
		if len(text) != 0 {
			return framingError("a chunk is longer than its size")
		}
		f.at = partSize
	case partTrailer:
		if len(text) == 0 {
			f.at = partStart
			return nil
		}
		return f.header(text)
	}
	return nil
}

func (f *framing) start(text []byte) error {
	if len(text) == 0 { // net/http refuses it, after the request before it
		return nil
	}
	// Later on a connection the preface is a request like any other.
	if !f.begun && bytes.Equal(text, []byte("PRI * HTTP/2.0")) { // RFC 9113, section 3.4
		f.at = partRaw
		return nil
	}
	*f = framing{
		at:    partHeader,
		line:  f.line,
		begun: true,
		raw:   bytes.HasPrefix(text, []byte("CONNECT ")),
		old:   !bytes.HasSuffix(text, []byte(" HTTP/1.1")),
	}
	return nil
}

func (f *framing) header(text []byte) error {
	if text[0] == ' ' || text[0] == '\t' {
		return framingError("a header line is folded")
	}
	name, value, ok := bytes.Cut(text, []byte(":"))
	if !ok || len(name) == 0 || bytes.ContainsAny(name, " \t") {
		return framingError("a header line is not NAME: VALUE")
	}
	framed := false
	switch len(name) { // spares most headers the comparison
	case len("host"):
		if strings.EqualFold(string(name), "host") {
			f.hosts++
			framed = true
		}
	case len("content-length"):
		if strings.EqualFold(string(name), "content-length") {
			f.lengths++
			framed = true
			n, err := strconv.ParseUint(string(bytes.Trim(value, " \t")), 10, 63)
			if err != nil {
				return framingError("Content-Length is not a number")
			}
			f.length = int64(n)
		}
	case len("transfer-encoding"):
		if strings.EqualFold(string(name), "transfer-encoding") {
			f.codings++
			framed = true
			if !strings.EqualFold(string(bytes.Trim(value, " \t")), "chunked") {
				return framingError("Transfer-Encoding is not chunked")
			}
		}
	}
	if framed && f.at == partTrailer {
		return framingError("a trailer carries a framing header")
	}
	return nil
}

func (f *framing) headEnded() error {
	switch {
	case f.hosts > 1:
		return framingError("Host is given more than once")
	case f.lengths > 1:
		return framingError("Content-Length is given more than once")
	case f.codings > 1:
		return framingError("Transfer-Encoding is given more than once")
	case f.codings > 0 && f.lengths > 0:
		return framingError("Content-Length comes with Transfer-Encoding")
	case f.codings > 0 && f.old:
		return framingError("Transfer-Encoding comes in a version before HTTP/1.1")
	case f.raw && (f.codings > 0 || f.length > 0):
		return framingError("CONNECT comes with a body")
	case f.raw:
		f.at = partRaw
	case f.codings > 0:
		f.at = partSize
	case f.length > 0:
		f.at, f.left = partBody, f.length
	default:
		f.at = partStart
	}
	return nil
}

func (f *framing) size(text []byte) error {
	digits, _, _ := bytes.Cut(text, []byte(";"))
	digits = bytes.TrimRight(digits, " \t")
	n, err := strconv.ParseUint(string(digits), 16, 63)
	if err != nil || len(digits) > 16 {
		return framingError("a chunk's size is not a hexadecimal number")
	}
	if n == 0 {
		f.at = partTrailer
		return nil
	}
	f.at, f.left = partChunk, int64(n)
	return nil
}

type framingError string

func (e framingError) Error() string {
	return "this request could be read in two ways and was refused: " + string(e)
}

func (e framingError) Is(target error) bool { return target == errFraming }
