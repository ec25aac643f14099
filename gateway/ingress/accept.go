package ingress

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"runtime/debug"
	"time"
)

// First byte of a TLS record that holds a handshake (RFC 8446, section 5.1).
const tlsHandshake = 0x16

// An alert record: fatal, unrecognized_name (RFC 8446, section 6).
const unrecognizedName = "\x15\x03\x03\x00\x02\x02\x70"

// errElsewhere ends a handshake that is not ours to finish.
var errElsewhere = errors.New("not for this gateway")

func (s *Server) accept(l net.Listener) error {
	for {
		raw, err := l.Accept()
		if err != nil {
			var passing interface{ Temporary() bool } // out of descriptors, say
			if errors.As(err, &passing) && passing.Temporary() && !s.closing.Load() {
				done, stop := s.opt.Wall.After(10 * time.Millisecond)
				<-done
				stop()
				continue
			}
			return err
		}
		if s.open.Add(1) > int64(s.opt.MaxConns) {
			s.open.Add(-1)
			if !s.crowded.Swap(true) {
				s.opt.Log.Warn("connections refused: too many are open", "limit", s.opt.MaxConns)
			}
			_ = raw.Close()
			continue
		}
		s.crowded.Store(false)
		c := &conn{Conn: raw, number: s.numbers.Add(1), released: func() { s.open.Add(-1) }}
		s.work.begin()
		go func() {
			defer s.work.end()
			s.receive(c, s.opt.IdleTime)
		}()
	}
}

// receive tells TLS from HTTP and hands the connection on. It owns c until it
// returns. A panic costs this connection.
func (s *Server) receive(c *conn, patience time.Duration) {
	s.wait(c)
	defer func() {
		s.waited(c)
		if p := recover(); p != nil {
			_ = c.Close()
			s.opt.Log.Error("panic while accepting a connection", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	_ = c.SetReadDeadline(s.opt.Wall.Now().Add(patience))
	first, err := c.peek()
	if err != nil {
		_ = c.Close()
		return
	}
	switch {
	case first == tlsHandshake:
		s.handshake(c)
	case plausible(first):
		_ = c.SetReadDeadline(time.Time{})
		s.queue.push(newScreen(c))
	default:
		s.opt.Log.Debug("closed: neither TLS nor HTTP", "remote", c.RemoteAddr().String())
		_ = c.Close()
	}
}

// plausible tells whether a request can begin with b: a method is a token, and
// every method there is begins with a letter.
func plausible(b byte) bool {
	return 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z'
}

// handshake finishes TLS, or carries its bytes on unread.
func (s *Server) handshake(c *conn) {
	_ = c.SetDeadline(s.opt.Wall.Now().Add(s.opt.HeaderTime))
	if c.via == nil {
		c.keeping, c.mute = true, true
	}
	t := tls.Server(c, s.tls)
	err := t.HandshakeContext(s.base)
	if err == nil {
		_ = c.SetDeadline(time.Time{})
		if t.ConnectionState().NegotiatedProtocol == "h2" {
			s.queue.push(t)
			return
		}
		s.queue.push(&secured{screen: newScreen(t), tls: t})
		return
	}
	c.keeping, c.mute = false, false
	if errors.Is(err, errElsewhere) && c.named != nil {
		s.elsewhere(c)
		return
	}
	s.opt.Log.Debug("TLS handshake", "remote", c.RemoteAddr().String(), "error", err)
	_ = c.Close()
}

// helloed decides on a client's hello before anything is answered.
func (s *Server) helloed(hello *tls.ClientHelloInfo) (*tls.Config, error) {
	c, ok := hello.Conn.(*conn)
	if !ok {
		return nil, errElsewhere
	}
	if c.via != nil {
		c.leaf = c.via.approach.Authority.Host
		return nil, nil
	}
	if hello.ServerName == "" {
		c.leaf = localHost(c)
	} else {
		a, err := ParseAuthority(hello.ServerName, 443)
		if err != nil {
			return nil, err
		}
		if c.leaf = a.Host; a.Host != "localhost" {
			approach := Approach{Way: SNI, Authority: a, Remote: c.RemoteAddr().String(), Connection: c.number}
			c.named = &hop{approach: approach, verdict: s.decide(hello.Context(), approach)}
			if c.named.verdict.Action != Intercept {
				return nil, errElsewhere
			}
		}
	}
	c.keeping, c.mute, c.kept = false, false, nil
	return nil, nil
}

func (s *Server) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	c, ok := hello.Conn.(*conn)
	if !ok || c.leaf == "" {
		return nil, errElsewhere
	}
	return s.opt.CA.Leaf(c.leaf)
}

// elsewhere ends TLS without a proxy that is not for us: carried on or refused.
func (s *Server) elsewhere(c *conn) {
	v, a := c.named.verdict, c.named.approach
	if v.Action != Tunnel {
		s.opt.Log.Debug("TLS refused", slog.String("authority", a.Authority.String()), slog.String("reason", reason(v.Message)))
		_, _ = c.Conn.Write([]byte(unrecognizedName))
		_ = c.Close()
		return
	}
	c.early = append(c.kept, c.early...)
	c.kept = nil
	out, err := s.dial(s.base, c.named)
	if err != nil {
		_ = c.Close()
		return
	}
	s.carry(c, out, c.named)
}

// localHost is the address that a client without a server name connected to.
func localHost(c net.Conn) string {
	host, _, err := net.SplitHostPort(c.LocalAddr().String())
	if err != nil {
		return "localhost"
	}
	if host, err = cleanHost(host); err != nil {
		return "localhost"
	}
	return host
}
