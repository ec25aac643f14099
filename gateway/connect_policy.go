package gateway

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"parity/faults"
	"parity/faults/trail"
	"parity/gateway/capture"
	"parity/gateway/exchange"
	"parity/gateway/ingress"
	"parity/gateway/live"
)

// connectPolicy decides about a client before anything that it has to say was
// read: its credentials must fit its run; a bound service is intercepted; a
// host that policy lets out is tunnelled unread; everything else is refused.
func (g *Gateway) connectPolicy(ctx context.Context, a ingress.Approach) ingress.Verdict {
	l, err := g.Find(claimOf(a))
	if err != nil {
		return ingress.Verdict{Action: ingress.Challenge, Message: exchange.Unfound(err, claimOf(a), g.Address(ctx))}
	}
	rev := l.Revision()
	host := a.Authority.Host
	if s, ok := rev.At(host); ok {
		v := ingress.Verdict{Action: ingress.Intercept}
		if a.Way != ingress.Proxy { // there it is the request that says whether this service is new to the connection
			v.Break = breakOf(g.line.Connect(ctx, l, rev, exchange.AttemptOf(a, s.Name)))
		}
		return v
	}
	if ok, _ := rev.Egress.Decide(host, a.Authority.Port); ok {
		return ingress.Verdict{Action: ingress.Tunnel, Dialer: g.out.For(rev.Egress.Literal)}
	}
	if near := g.agents(a); near != nil {
		return ingress.Verdict{Action: ingress.Tunnel, Dialer: near}
	}
	g.metrics.Refused("unknown-host")
	g.turnedAway(l, a, rev.Egress.Advice(host, a.Authority.Port))
	return ingress.Verdict{Action: ingress.Refuse, Message: rev.Egress.Refusal(host, a.Authority.Port)}
}

// leaves sends on a request in plain HTTP that came straight to the data port, as
// Node's do that were turned around, and whose Host policy lets out; it tells
// whether that is so. What it does not let out is answered as any other.
func (g *Gateway) leaves(w http.ResponseWriter, r *http.Request) bool {
	origin, ok := ingress.FromContext(r.Context())
	if !ok || origin.Way != ingress.Direct || origin.Secure || origin.Authority.Port != 80 || g.forward == nil || g.itself(origin.Authority.Host) {
		return false
	}
	l, err := g.Find(exchange.Claim{Name: origin.RunName, Token: origin.RunToken, Proven: origin.Proven, Local: exchange.Local(origin.Remote)})
	if err != nil {
		return false // which is told where it is read
	}
	rev := l.Revision()
	if _, played := rev.At(origin.Authority.Host); played {
		return false
	}
	if ok, _ := rev.Egress.Decide(origin.Authority.Host, 80); !ok {
		return false
	}
	g.forward(w, r, origin, g.out.For(rev.Egress.Literal))
	return true
}

// itself tells a name that the gateway is called by.
func (g *Gateway) itself(host string) bool {
	public, _, _ := strings.Cut(g.public, ":")
	return host == "" || host == "localhost" || strings.HasSuffix(host, ".localhost") || host == public || slices.Contains(g.names, host)
}

func claimOf(a ingress.Approach) exchange.Claim {
	return exchange.Claim{Name: a.Credentials.Name, Token: a.Credentials.Token, Proven: a.Credentials.Sent, Local: exchange.Local(a.Remote)}
}

// turnedAway records a client whose request was never read.
func (g *Gateway) turnedAway(l *exchange.Run, a ingress.Approach, note string) {
	x := trail.Exchange{
		Way: string(a.Way), Method: exchange.Method(a.Way), Host: a.Authority.Host, Outcome: trail.Denied, Fidelity: trail.None, Status: 403, Note: note,
	}
	if a.Way == ingress.Address {
		x.Path = ":" + strconv.Itoa(a.Authority.Port)
	}
	g.deny(l, x)
}

// deny records a try to reach somebody that came to nothing.
func (g *Gateway) deny(l *exchange.Run, x trail.Exchange) {
	g.note(l, &trail.Event{Kind: trail.Exchanged, Revision: l.Revision().Profile.Revision, Exchange: &x})
}

// closed records a client that got nowhere after it was let in; why is of
// metrics.Refused.
func (g *Gateway) closed(a ingress.Approach, why, note string) {
	l, err := g.Find(claimOf(a))
	if err != nil {
		return // its run ended meanwhile
	}
	g.metrics.Refused(why)
	g.turnedAway(l, a, note)
}

// notHTTP records a client that spoke something else to a service that is played.
func (g *Gateway) notHTTP(a ingress.Approach) {
	g.closed(a, "unknown-host", "it spoke neither TLS nor HTTP, and was closed: services are played over HTTP alone")
}

// tunnelled records a connection that passes unread, or one whose way out did
// not open.
func (g *Gateway) tunnelled(a ingress.Approach, err error) {
	l, ferr := g.Find(claimOf(a))
	if ferr != nil {
		return // it ended meanwhile
	}
	rev := l.Revision()
	allowed, by := rev.Egress.Decide(a.Authority.Host, a.Authority.Port)
	if s := g.serving.Load(); !allowed && s != nil && capture.IsItself(a.Authority.Host, s.names) {
		return // a server of the agent's own is no outside
	}
	t := &trail.Tunnel{Host: a.Authority.Host, By: by}
	if err != nil {
		t.Failed = err.Error()
	} else {
		g.metrics.Tunnelled()
	}
	g.note(l, &trail.Event{Kind: trail.Tunnelled, Revision: rev.Profile.Revision, Tunnel: t})
}

// untrusted records a client that broke off the handshake with a service that
// is played: it does not trust Parity's certificate.
func (g *Gateway) untrusted(a ingress.Approach, err error) {
	g.closed(a, "untrusted", "the client broke off the TLS handshake ("+err.Error()+"): it does not trust Parity's certificate; `parity env` names the variables that have it trusted")
}

func (g *Gateway) note(l *exchange.Run, e *trail.Event) {
	if err := l.Append(e); err != nil {
		l.Room.NoteRefused(g.log, err)
		return
	}
	l.Room.NoteKept(g.log)
}

// breakOf is how ingress refuses a connection.
func breakOf(how string) ingress.Break {
	switch how {
	case faults.RefuseReset:
		return ingress.BreakReset
	case faults.RefuseHandshake:
		return ingress.BreakHandshake
	case faults.RefuseName:
		return ingress.BreakName
	}
	return ingress.Unbroken
}

// Serving tells the gateway of the agent whose run it is opened for: on which ports
// of this machine its processes listen, asked anew each time, and what the machine
// is called. A client of this machine that asks the proxy for one of these, as
// clients do that do not know that 127.0.0.2 or the host name is this machine, is
// passed on to it unread and unrecorded, as it would be without a gateway.
//
// That opens loopback, to clients on it, for ports of the agent's own: what it could
// connect to without a proxy. The gateway's own ports, what others listen on, and
// other machines' addresses stay shut.
func (s *Server) Serving(listens func(port int) bool, names []string) {
	s.Gateway.serving.Store(&serving{listens, names})
}

// serving is what Serving was told.
type serving struct {
	listens func(port int) bool
	names   []string
}

// agents gives the way to a server of the agent's own; nil: the client asks for
// something else.
func (g *Gateway) agents(a ingress.Approach) ingress.Dialer {
	s := g.serving.Load()
	if s == nil || a.Way != ingress.Proxy && a.Way != ingress.Connect || !exchange.Local(a.Remote) || !capture.IsItself(a.Authority.Host, s.names) || !s.listens(a.Authority.Port) {
		return nil
	}
	return &ownServer{out: g.out.For(func(string, int) bool { return true }), names: s.names}
}

// ownServer reaches this machine alone, by whatever it is called.
type ownServer struct {
	out   *live.Dialer
	names []string
}

// DialContext implements ingress.Dialer.
func (n *ownServer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, digits, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port, err := strconv.ParseUint(digits, 10, 16)
	if err != nil {
		return nil, err
	}
	last := fmt.Errorf("%s is not at this machine", host)
	for _, at := range n.addresses(ctx, strings.TrimSuffix(host, ".")) {
		c, err := n.out.DialContext(ctx, network, netip.AddrPortFrom(at, uint16(port)).String())
		if err == nil {
			return c, nil
		}
		last = err
	}
	return nil, last
}

// addresses are those of this machine that a host stands for. A name is looked up,
// and may be at no address of another machine.
func (n *ownServer) addresses(ctx context.Context, host string) []netip.Addr {
	four, six := netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()
	if at, err := netip.ParseAddr(host); err == nil {
		switch at = at.Unmap(); {
		case at == netip.IPv4Unspecified():
			return []netip.Addr{four}
		case at == netip.IPv6Unspecified():
			return []netip.Addr{six, four}
		}
		return []netip.Addr{at}
	}
	if !slices.Contains(n.names, strings.ToLower(host)) {
		return []netip.Addr{four, six} // localhost, and what is below it
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(found, func(at netip.Addr) bool { return !live.Here(at) })
}
