// Package live is the way out to real hosts: tunnels that policy allows, and calls
// to the real services behind those that a profile plays (Send).
//
//	host:port ──▶ an upstream proxy is set for it?
//	               │ no                      │ yes
//	               ▼                         ▼
//	          resolve, and then         CONNECT host:port,
//	          for each address,         the proxy resolves
//	          in the socket's           (a literal address
//	          Control hook:             is checked here)
//	          is it public?                  │
//	               │ no: refused             │
//	               ▼                         ▼
//	              TCP                       TCP
//
// The address is checked when the socket is about to connect, on the very
// address it connects to. A name that resolves to something harmless when
// asked first and to loopback when asked again gains nothing.
package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"parity/fakes/clock"

	"golang.org/x/net/http/httpproxy"
)

// Options are what a Dialer needs. The zero value dials public addresses only,
// without a proxy.
type Options struct {
	// Literal tells whether the user named exactly this host, not by a glob or
	// a list. Such a host may be, or resolve to, a private or loopback address.
	Literal func(host string, port int) bool
	// Proxy is the upstream proxy; see ProxyFromEnvironment.
	Proxy *httpproxy.Config
	// Own are addresses, host:port, that an upstream proxy cannot be at: what is
	// sent there comes back.
	Own []string
	// Self, where set, tells whether a port of this machine is the gateway's own:
	// nothing leads out to it.
	Self func(port int) bool
	// Via, where set, is the header Via of a CONNECT to an upstream proxy.
	Via func(context.Context) string
	// Resolver is for tests; default: the system's.
	Resolver *net.Resolver
	Wall     clock.Wall    // default: clock.System
	Timeout  time.Duration // to connect, through a proxy too; default 15 s
}

// A Dialer opens connections to real hosts.
type Dialer struct {
	opt   Options
	proxy func(*url.URL) (*url.URL, error)
	plain net.Dialer
}

// New makes a dialer. It refuses a proxy that it cannot use.
func New(opt Options) (*Dialer, error) {
	if opt.Literal == nil {
		opt.Literal = func(string, int) bool { return false }
	}
	if opt.Wall == nil {
		opt.Wall = clock.System{}
	}
	if opt.Timeout <= 0 {
		opt.Timeout = 15 * time.Second
	}
	d := &Dialer{opt: opt, proxy: func(*url.URL) (*url.URL, error) { return nil, nil }}
	d.plain = net.Dialer{Timeout: opt.Timeout, Resolver: opt.Resolver}
	if opt.Proxy != nil {
		d.proxy = opt.Proxy.ProxyFunc()
		for _, target := range []string{"http", "https"} {
			// A host that no sane NO_PROXY lists, to see what is set at all.
			u, err := d.proxy(&url.URL{Scheme: target, Host: "parity-checks-the-proxy.invalid"})
			if err != nil {
				return nil, fmt.Errorf("the upstream proxy for %s: %w", target, errUnreadable)
			}
			if u == nil {
				continue
			}
			if err := errors.Join(usable(u), d.foreign(u)); err != nil {
				return nil, fmt.Errorf("the upstream proxy for %s: %w", target, err)
			}
		}
	}
	return d, nil
}

// ProxyFromEnvironment reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY, each in
// upper case before lower case, as net/http does.
func ProxyFromEnvironment(getenv func(string) string) *httpproxy.Config {
	either := func(name string) string {
		if v := getenv(name); v != "" {
			return v
		}
		return getenv(strings.ToLower(name))
	}
	return &httpproxy.Config{HTTPProxy: either("HTTP_PROXY"), HTTPSProxy: either("HTTPS_PROXY"), NoProxy: either("NO_PROXY")}
}

// For is the same way out for somebody who names hosts of their own.
func (d *Dialer) For(literal func(host string, port int) bool) *Dialer {
	own := *d
	own.opt.Literal = literal
	return &own
}

// DialContext opens a connection to host:port. Its error is [ErrForbidden] if
// the host is, or resolves to, an address that it may not be.
func (d *Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, digits, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("dialling %s: %w", address, err)
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || n == 0 {
		return nil, fmt.Errorf("dialling %s: the port is not a number from 1 to 65535", address)
	}
	if err := plainHost(host); err != nil {
		return nil, err
	}
	t := target{host: strings.ToLower(strings.TrimSuffix(host, ".")), port: int(n)}
	t.literal = d.opt.Literal(t.host, t.port)

	via, err := d.proxy(&url.URL{Scheme: t.scheme(), Host: net.JoinHostPort(t.host, digits)})
	if err != nil {
		return nil, fmt.Errorf("the upstream proxy for %s: %w", address, errUnreadable)
	}
	if via != nil {
		if addr, err := netip.ParseAddr(t.host); err == nil {
			if err := t.check(addr); err != nil {
				return nil, err
			}
		}
		return d.through(ctx, via, net.JoinHostPort(t.host, digits))
	}
	dialer := d.plain
	dialer.ControlContext = func(_ context.Context, _, resolved string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(resolved)
		if err != nil {
			return fmt.Errorf("%w: %s resolves to %s, which is no address", ErrForbidden, t.host, resolved)
		}
		if d.opt.Self != nil && d.opt.Self(int(at.Port())) && Here(at.Addr()) {
			return fmt.Errorf("%w: %s is this gateway itself", ErrForbidden, address)
		}
		return t.check(at.Addr())
	}
	c, err := dialer.DialContext(ctx, network, net.JoinHostPort(t.host, digits))
	if err != nil {
		return nil, t.plainer(err)
	}
	return c, nil
}

// Here tells an address of this machine.
func Here(addr netip.Addr) bool {
	addr = addr.Unmap()
	if addr.IsLoopback() || addr.IsUnspecified() {
		return true
	}
	own, err := net.InterfaceAddrs()
	return err != nil || slices.ContainsFunc(own, func(a net.Addr) bool {
		at, ok := a.(*net.IPNet)
		return ok && at.IP.Equal(addr.AsSlice())
	})
}

// A target is whom to reach.
type target struct {
	host    string
	port    int
	literal bool
}

// scheme is which of the proxy variables is meant.
func (t target) scheme() string {
	if t.port == 80 {
		return "http"
	}
	return "https"
}

// check refuses an address that the target may not be.
func (t target) check(addr netip.Addr) error {
	what, need := kind(addr)
	_, notAddress := netip.ParseAddr(t.host)
	switch need {
	case needNothing:
		return nil
	case needLiteral:
		if t.literal {
			return nil
		}
	case needAddress:
		if t.literal && notAddress == nil {
			return nil
		}
	}
	if need == needNever {
		return fmt.Errorf("%w: %s is at %s, %s, which nothing may be tunnelled to", ErrForbidden, t.host, addr, what)
	}
	list := t.host
	if need == needAddress {
		list = addr.String()
	}
	return fmt.Errorf("%w: %s is at %s, %s: to allow that, list it by name: policy.egress.tunnel: [%q], or --allow %s",
		ErrForbidden, t.host, addr, what, list, list)
}

// plainer takes net's words off a refusal, which is said already.
func (t target) plainer(err error) error {
	if errors.Is(err, ErrForbidden) {
		var op *net.OpError
		if errors.As(err, &op) {
			return op.Err
		}
	}
	return err
}

// plainHost refuses the ways of writing an IPv4 address that some resolvers
// understand and some checks do not: 2130706433, 0x7f.1, 0177.0.0.1.
func plainHost(host string) error {
	if addr, err := netip.ParseAddr(host); err == nil {
		if addr.Zone() != "" {
			return fmt.Errorf("%w: %s: an address with a zone is on this machine's own link", ErrForbidden, host)
		}
		return nil
	}
	name := strings.TrimSuffix(host, ".")
	last := strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	hex, isHex := strings.CutPrefix(last, "0x")
	if isHex {
		isHex = strings.Trim(hex, "0123456789abcdef") == ""
	}
	if isHex || strings.Trim(last, "0123456789") == "" {
		return fmt.Errorf("%w: %q: an IPv4 address is written as four decimal numbers", ErrForbidden, host)
	}
	if strings.ContainsAny(name, "%/@ \t\r\n\x00[]") {
		return fmt.Errorf("%w: %q is not a host name", ErrForbidden, host)
	}
	return nil
}
