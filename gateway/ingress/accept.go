package ingress

import (
	"crypto/tls"
	"errors"
	"net"
	"runtime/debug"
	"time"
)

// First byte of a TLS record that holds a handshake (RFC 8446, section 5.1).
const tlsHandshake = 0x16

// errElsewhere ends a handshake that is not ours to finish.
var errElsewhere = errors.New("not for this gateway")

// accept takes a listener's connections. What the connections of one were made to
// is known where names is not nil: see ServeAddress.
func (s *Server) accept(l net.Listener, carried Credentials, names Names) error {
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
		c, shed := s.admit(raw, names)
		if c == nil {
			s.shed(shed)
			if s.crowded.due(s.opt.Wall.Now()) {
				s.opt.Log.Warn("connections refused: too many are open", "what", shed, "limit", s.opt.MaxConns, "limit for one client", s.opt.MaxClientConns)
			}
			_ = raw.Close()
			continue
		}
		c.carried = carried
		s.work.begin()
		go func() {
			defer s.work.end()
			s.receive(c, s.opt.IdleTime)
		}()
	}
}

// admit gives a new connection its place, among all and among its client's. It
// is nil where there is none.
func (s *Server) admit(raw net.Conn, names Names) (*conn, Shed) {
	if !s.place() {
		return nil, ShedConnection
	}
	from := raw.RemoteAddr()
	if names != nil { // where every address is local, a client's is whatever it dials
		from = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}
	}
	client := s.budget.client(from, s.opt.MaxClientConns)
	if client == nil {
		s.open.Add(-1)
		return nil, ShedClient
	}
	client.hold(connectionCost)
	return &conn{Conn: raw, reached: reachedAt(raw, names), number: s.numbers.Add(1), client: client, seat: make(chan struct{}, 1), pace: pace{wall: s.opt.Wall, shed: s.shed, limit: s.opt.WriteTime}, released: func() {
		client.hold(-connectionCost)
		s.budget.leave(client)
		s.open.Add(-1)
	}}, ""
}

// place takes one of the places for connections, in or out, where one is left.
func (s *Server) place() bool {
	if s.open.Add(1) > int64(s.opt.MaxConns) {
		s.open.Add(-1)
		return false
	}
	return true
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
	if c.reached != nil && s.arrived(c) {
		return
	}
	_ = c.SetReadDeadline(s.opt.Wall.Now().Add(patience))
	first, err := c.peek()
	if err == nil && first == announcing && c.via == nil && c.reached == nil {
		if err = s.announced(c); err == nil {
			_ = c.SetReadDeadline(s.opt.Wall.Now().Add(patience))
			first, err = c.peek()
		}
	}
	if err != nil {
		_ = c.Close()
		return
	}
	switch {
	case first == tlsHandshake:
		s.handshake(c)
	case c.reached != nil && !requested(c.early):
		s.raw(c)
	case plausible(first) && c.breakage() != Unbroken:
		reset(c)
	case plausible(first):
		_ = c.SetReadDeadline(time.Time{})
		s.enqueue(c, newScreen(c))
	default:
		s.opt.Log.Debug("closed: neither TLS nor HTTP", "remote", c.RemoteAddr().String())
		_ = c.Close()
	}
}

// enqueue gives a connection to net/http. From then on its state there says
// whether Shutdown may close it: it may be in an exchange at once.
func (s *Server) enqueue(c *conn, served net.Conn) {
	s.waited(c)
	s.queue.push(served)
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
	c.shaking = true
	t := tls.Server(c, s.tls)
	err := t.HandshakeContext(s.base)
	c.shaking = false
	if err == nil {
		c.tail = nil
		_ = c.SetDeadline(time.Time{})
		if t.ConnectionState().NegotiatedProtocol == "h2" {
			s.enqueue(c, t)
			return
		}
		s.enqueue(c, &secured{screen: newScreen(t), tls: t})
		return
	}
	c.keeping, c.mute = false, false
	if errors.Is(err, errBroken) {
		c.sever()
		return
	}
	if errors.Is(err, errElsewhere) && c.named != nil {
		s.elsewhere(c)
		return
	}
	s.opt.Log.Debug("TLS handshake", "remote", c.RemoteAddr().String(), "error", err)
	if by, why := c.distrust(err); why != nil && c.breakage() == Unbroken && !s.closing.Load() {
		s.opt.Untrusted(by.approach, why)
	}
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
		return nil, c.broken()
	}
	if c.reached != nil {
		return nil, s.greeted(hello, c)
	}
	if hello.ServerName == "" {
		c.leaf = localHost(c)
	} else {
		a, err := ParseAuthority(hello.ServerName, 443)
		if err != nil {
			return nil, err
		}
		if c.leaf = a.Host; a.Host != "localhost" {
			c.named = &hop{approach: Approach{Way: SNI, Authority: a, Credentials: c.carried, Remote: c.RemoteAddr().String(), Connection: c.number}}
			if c.torn {
				c.named.verdict.Message = errTwoRuns.Error()
			} else {
				c.named.verdict = s.decide(hello.Context(), c.named.approach)
			}
			if c.named.verdict.Action == Tunnel {
				return nil, errElsewhere
			}
		}
	}
	c.keeping, c.mute, c.kept = false, false, nil
	return nil, c.broken()
}

func (s *Server) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	c, ok := hello.Conn.(*conn)
	if !ok || c.leaf == "" {
		return nil, errElsewhere
	}
	if c.named != nil && c.named.verdict.Action != Intercept {
		return s.opt.CA.passing(c.leaf)
	}
	return s.opt.CA.Leaf(c.leaf)
}

// elsewhere carries TLS without a proxy on, as it came.
func (s *Server) elsewhere(c *conn) {
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
