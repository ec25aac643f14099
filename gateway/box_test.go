package gateway_test

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"testing"

	"parity/gateway/contain"
)

// A standInBox is a containment on loopback: whoever is inside dials by dial, and
// connections say that they were made to the address that was dialled.
type standInBox struct {
	proxy, control net.Listener
	captured       *inside
	names          net.PacketConn
	namesTCP       net.Listener
	attempts       chan contain.Attempt

	mu     sync.Mutex
	dialed []string
}

// contain has the gateway serve a containment for its first run.
func (h *harness) contain() *harness {
	h.t.Helper()
	h.box = newBox(h.t)
	if err := h.ServeBox(h.Run, h.box); err != nil {
		h.t.Fatal(err)
	}
	return h
}

func newBox(t *testing.T) *standInBox {
	t.Helper()
	listen := func() net.Listener {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		return l
	}
	names, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = names.Close() })
	return &standInBox{
		proxy: listen(), control: listen(), captured: &inside{Listener: listen(), to: map[string]net.Addr{}},
		names: names, namesTCP: listen(), attempts: make(chan contain.Attempt, 1024),
	}
}

func (b *standInBox) Proxy() net.Listener                   { return b.proxy }
func (b *standInBox) Control() net.Listener                 { return b.control }
func (b *standInBox) Captured() []net.Listener              { return []net.Listener{b.captured} }
func (b *standInBox) Names() (net.PacketConn, net.Listener) { return b.names, b.namesTCP }
func (b *standInBox) Attempts() <-chan contain.Attempt      { return b.attempts }

// DialContext reaches servers of the agent's, and notes which.
func (b *standInBox) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	b.mu.Lock()
	b.dialed = append(b.dialed, address)
	b.mu.Unlock()
	return new(net.Dialer).DialContext(ctx, network, address)
}

// lookup asks the gateway for a name's address.
func (b *standInBox) lookup(ctx context.Context, name string) (string, error) {
	r := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", b.names.LocalAddr().String())
	}}
	found, err := r.LookupNetIP(ctx, "ip4", name+".")
	if err != nil {
		return "", err
	}
	return found[0].String(), nil
}

// dial connects as somebody inside does, to HOST:PORT.
func (b *standInBox) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if _, err := netip.ParseAddr(host); err != nil {
		if host, err = b.lookup(ctx, host); err != nil {
			return nil, err
		}
	}
	return b.captured.dial(ctx, network, net.JoinHostPort(host, port))
}

// inside is a listener whose connections were made to other addresses.
type inside struct {
	net.Listener
	mu sync.Mutex
	to map[string]net.Addr // by who connects
}

// dial tells where a connection is made to before the listener gives it out.
func (l *inside) dial(ctx context.Context, network, to string) (net.Conn, error) {
	at, err := netip.ParseAddrPort(to)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c, err := new(net.Dialer).DialContext(ctx, network, l.Addr().String())
	if err == nil {
		l.to[c.LocalAddr().String()] = net.TCPAddrFromAddrPort(at)
	}
	return c, err
}

func (l *inside) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return meantFor{c, l.to[c.RemoteAddr().String()]}, nil
}

type meantFor struct {
	net.Conn
	to net.Addr
}

func (c meantFor) LocalAddr() net.Addr { return c.to }
func (c meantFor) NetConn() net.Conn   { return c.Conn }
func (c meantFor) CloseWrite() error   { return c.Conn.(*net.TCPConn).CloseWrite() }

// contained is a client inside, that knows no proxy.
func (h *harness) contained(h2 bool) *http.Client {
	return h.with(&http.Transport{DialContext: h.box.dial, TLSClientConfig: &tls.Config{RootCAs: h.roots()}, Protocols: protocols(h2)})
}
