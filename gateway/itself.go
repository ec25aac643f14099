package gateway

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"parity/gateway/capture"
	"parity/gateway/exchange"
	"parity/gateway/ingress"
	"parity/gateway/live"
)

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
