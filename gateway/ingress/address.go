package ingress

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"sync"
	"time"
)

// Names gives the name that DNS gave an address out for; false: for none.
type Names func(netip.Addr) (name string, ok bool)

// ServeAddress accepts connections that were made to any address and port, in a
// containment where every address leads here, as ServeRun does those to a port of
// a run's own. Where one was made to is its local address. Whom it is for is
// decided with the way Address and that port:
//
//	TLS with a server name       by that name
//	HTTP in the clear            by Host
//	TLS without a server name    by the name that DNS gave the address, else by the address
//	ports besides 80 and 443     by that name, before a byte was read: there a server
//	                             may speak first; without one, as on 80 and 443, or by
//	                             the address once the client has been silent for a second
//	anything else                by that name or address: what is not tunnelled is closed
//
// A connection to a loopback address that is for nobody by its name is reset: no
// server of the agent's own is there.
func (s *Server) ServeAddress(l net.Listener, run, token string, names Names) error {
	return s.serveRun(l, Credentials{Name: run, Token: token, Sent: true}, names)
}

// silence is how long a client without a name says nothing before it is taken for
// one whose server speaks first.
const silence = time.Second

// reached is where a connection of the way Address was made to.
type reached struct {
	at    netip.AddrPort
	host  string // the name that DNS gave the address, else the address
	known bool   // it is the name

	mu   sync.Mutex
	last *hop // that a request by Host was intercepted for
}

func reachedAt(c net.Conn, names Names) *reached {
	if names == nil {
		return nil
	}
	at, err := netip.ParseAddrPort(c.LocalAddr().String())
	if err != nil {
		return nil
	}
	at = netip.AddrPortFrom(at.Addr().Unmap().WithZone(""), at.Port())
	r := &reached{at: at, host: at.Addr().String()}
	if name, ok := names(at.Addr()); ok {
		if a, err := ParseAuthority(name, 1); err == nil {
			r.host, r.known = a.Host, true
		}
	}
	return r
}

// authority is whom the address alone is.
func (r *reached) authority() Authority { return Authority{Host: r.host, Port: int(r.at.Port())} }

// nobody tells whether a host is the agent's own machine.
func (r *reached) nobody(host string) bool {
	addr, err := netip.ParseAddr(host)
	return r.at.Addr().IsLoopback() && (host == "localhost" || err == nil && addr.IsLoopback())
}

// meaning is a Host with the name in the place of the address that DNS gave out for
// it.
func (r *reached) meaning(host string) string {
	if r == nil || !r.known {
		return host
	}
	if a, err := ParseAuthority(host, int(r.at.Port())); err == nil && a.Host == r.at.Addr().String() {
		return Authority{Host: r.host, Port: a.Port}.String()
	}
	return host
}

// approaching decides about a connection of the way Address.
func (s *Server) approaching(ctx context.Context, c *conn, a Authority, by Credentials) *hop {
	h := &hop{approach: Approach{Way: Address, Authority: a, Credentials: by, Remote: c.RemoteAddr().String(), Connection: c.number}}
	h.verdict = s.decide(ctx, h.approach)
	return h
}

// arrived decides about a connection to a port where a server may speak first. It
// tells whether that was all.
func (s *Server) arrived(c *conn) (done bool) {
	r := c.reached
	if port := r.at.Port(); port == 80 || port == 443 {
		return false
	}
	if r.nobody(r.host) {
		reset(c)
		return true
	}
	if !r.known {
		_ = c.SetReadDeadline(s.opt.Wall.Now().Add(silence))
		if _, err := c.peek(); !errors.Is(err, os.ErrDeadlineExceeded) {
			return false
		}
	}
	return s.byAddress(c)
}

// byAddress decides about a connection by its address alone, and carries it on
// where it is to be tunnelled. It tells whether that was all.
func (s *Server) byAddress(c *conn) (done bool) {
	c.named = s.approaching(s.base, c, c.reached.authority(), c.carried)
	if c.named.verdict.Action != Tunnel {
		return false
	}
	s.elsewhere(c)
	return true
}

// greeted decides on a client's hello, where its connection is not decided yet.
func (s *Server) greeted(hello *tls.ClientHelloInfo, c *conn) error {
	a := c.reached.authority()
	if hello.ServerName != "" {
		said, err := ParseAuthority(hello.ServerName, a.Port)
		if err != nil {
			return err
		}
		a.Host = said.Host
	}
	if c.named == nil {
		if c.reached.nobody(a.Host) {
			return errBroken // and nothing has been answered
		}
		if c.named = s.approaching(hello.Context(), c, a, c.carried); c.named.verdict.Action == Tunnel {
			return errElsewhere
		}
	}
	c.leaf = c.named.approach.Authority.Host
	if c.named.verdict.Action != Intercept {
		c.leaf = a.Host // the client gets to read why
	}
	c.keeping, c.mute, c.kept = false, false, nil
	return c.broken()
}

// requested tells whether what a client has sent may begin a request.
func requested(early []byte) bool {
	if len(early) == 0 || !plausible(early[0]) {
		return false
	}
	line, _, whole := bytes.Cut(early, []byte("\n"))
	return !whole || bytes.Contains(line, []byte(" HTTP/"))
}

// raw ends a connection that speaks neither TLS nor HTTP, unless it may go on
// unread.
func (s *Server) raw(c *conn) {
	r := c.reached
	switch {
	case c.named == nil && r.nobody(r.host):
		reset(c)
		return
	case c.named == nil && s.byAddress(c):
		return
	case c.breakage() != Unbroken:
		reset(c)
		return
	case c.named.verdict.Action == Intercept:
		s.opt.NotHTTP(c.named.approach)
	}
	s.opt.Log.Debug("closed: neither TLS nor HTTP", "to", c.named.approach.Authority.String(), "remote", c.RemoteAddr().String())
	_ = c.Close()
}

// hosted is a request in the clear that a client has sent to what it takes for the
// service: Host says which.
func (s *Server) hosted(w http.ResponseWriter, r *http.Request, x *exchange, c *conn, creds Credentials) {
	x.origin.Way = Address
	a := c.reached.authority()
	if r.Host != "" { // else HTTP/1.0
		said, err := ParseAuthority(c.reached.meaning(r.Host), a.Port)
		if err != nil {
			refuse(w, http.StatusBadRequest, err.Error())
			return
		}
		if said.Port != a.Port {
			refuse(w, http.StatusMisdirectedRequest, fmt.Sprintf(
				"this request is for %q, but the connection was made to port %d: send it on a connection of its own", clip(r.Host), a.Port))
			return
		}
		a = said
	}
	if c.reached.nobody(a.Host) {
		Sever(w, r)
		return
	}
	h := s.hostDecided(r.Context(), c, a, creds)
	switch h.verdict.Action {
	case Intercept:
		if h.verdict.Break != Unbroken {
			Sever(w, r)
			return
		}
		s.to(w, r, x, a)
	case Tunnel:
		h.through = through(r.Header)
		x.origin.Authority = a
		r.URL.Scheme = "http"
		s.forward(w, r, h)
	default:
		refuse(w, http.StatusForbidden, h.verdict.Message)
	}
}

// hostDecided decides about a request by Host. What is intercepted holds for the
// connection, as in TLS: rules about connections are asked once.
func (s *Server) hostDecided(ctx context.Context, c *conn, a Authority, creds Credentials) *hop {
	r := c.reached
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last != nil && r.last.approach.Authority == a {
		return r.last
	}
	h := s.approaching(ctx, c, a, creds)
	if h.verdict.Action == Intercept {
		r.last = h
	}
	return h
}
