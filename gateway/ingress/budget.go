package ingress

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
)

// Why something is turned away for what it would cost.
var (
	// ErrGatewayFull is the error of a request that would have this server hold
	// more bytes than it may, for all clients together.
	ErrGatewayFull = errors.New("the gateway holds as many bytes for requests under way as it may")
	// ErrClientFull is the same for all requests of one client's address.
	ErrClientFull = errors.New("the gateway holds as many bytes for this client's requests under way as one client may have")
)

// A Shed is what was turned away, or ended, because there was too much of it.
// The set is closed: metrics use it as a label.
type Shed string

// What is shed.
const (
	ShedConnection Shed = "connections"        // over Options.MaxConns
	ShedClient     Shed = "client-connections" // over Options.MaxClientConns
	ShedHead       Shed = "head"               // a request's head that found no room
	ShedReader     Shed = "slow-reader"        // a client that did not take its reply within Options.WriteTime
	ShedResets     Shed = "resets"             // an HTTP/2 client that takes back what it asks for
	ShedCalls      Shed = "calls"              // a client that asks on and on over Options.MaxClientCalls
)

// Sheds are all of them.
func Sheds() []string {
	return []string{string(ShedConnection), string(ShedClient), string(ShedHead), string(ShedReader), string(ShedResets), string(ShedCalls)}
}

// What is counted for a connection and for a request besides their bytes: what
// net/http, TLS and the handler have for each.
const (
	connectionCost = 16 << 10
	requestCost    = 8 << 10
)

// smallest is what a request may have of the last eighth of a budget, on a
// connection that has few: calls of ordinary size go on beside a flood of large
// ones, or of large replies.
const smallest = 64 << 10

// A budget bounds the bytes that are held for clients: of heads and bodies as
// they are read, of replies until they are written, and a flat sum for each
// connection and request. Nothing is counted, or allocated, for being announced.
type budget struct {
	total, each int64 // bytes
	used        atomic.Int64

	mu      sync.Mutex
	clients map[netip.Prefix]*client
	swept   int // how many clients there were when those that had left were last forgotten
}

func newBudget(total int64) *budget {
	return &budget{total: total, each: total / 2, clients: map[netip.Prefix]*client{}}
}

// A client is whoever connects from one address: all of a network of 64 bits in
// IPv6, which is what one machine is given.
type client struct {
	budget *budget
	conns  int // guarded by budget.mu
	used   atomic.Int64
	resets bucket

	calls, refusals atomic.Int64 // under way; see begin
}

// client finds the client at an address, with one more connection. It is nil
// where it has as many as it may.
func (b *budget) client(addr net.Addr, most int) *client {
	key := clientKey(addr)
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.clients[key]
	if c == nil {
		b.forget()
		c = &client{budget: b}
		b.clients[key] = c
	}
	if c.conns >= most {
		return nil
	}
	c.conns++
	return c
}

// leave takes a connection off its client's. The client is kept a while: what
// it did goes on counting.
func (b *budget) leave(c *client) {
	b.mu.Lock()
	c.conns--
	b.mu.Unlock()
}

// forget drops clients without connections once there are many of them.
func (b *budget) forget() {
	const many = 1024
	if len(b.clients) < max(many, 2*b.swept) {
		return
	}
	for key, c := range b.clients {
		if c.conns == 0 && c.used.Load() == 0 {
			delete(b.clients, key)
		}
	}
	b.swept = len(b.clients)
}

func clientKey(addr net.Addr) netip.Prefix {
	at, err := netip.ParseAddrPort(addr.String())
	if err != nil {
		return netip.Prefix{} // no TCP: they are one client
	}
	ip, bits := at.Addr().Unmap().WithZone(""), 32
	if ip.Is6() {
		bits = 64
	}
	prefix, _ := ip.Prefix(bits)
	return prefix
}

// hold counts n bytes, whatever the budget: they are there already.
func (c *client) hold(n int64) {
	c.used.Add(n)
	c.budget.used.Add(n)
}

// reserve counts n bytes, or refuses to. The last part of the budget is for
// those who want little.
func (c *client) reserve(n int64, little bool) error {
	total, each := c.budget.total, c.budget.each
	if !little {
		total, each = total-total/8, each-each/8
	}
	c.hold(n)
	var err error
	switch {
	case c.used.Load() > each:
		err = ErrClientFull
	case c.budget.used.Load() > total:
		err = ErrGatewayFull
	default:
		return nil
	}
	c.hold(-n)
	return err
}

// Reserve counts n more bytes as held for the request whose context this is,
// until it has ended. Its error, which says that there is no room for them, is
// ErrGatewayFull or ErrClientFull, or ErrClientBusy for a call too many. Of a
// request that did not come in through a Server nothing is counted.
func Reserve(ctx context.Context, n int64) error {
	x, ok := ctx.Value(exchangeKey{}).(*exchange)
	if !ok || x.client == nil {
		return nil
	}
	if x.busy {
		return ErrClientBusy
	}
	if err := x.client.reserve(n, x.held+n <= smallest && x.conn.calls.Load() <= few); err != nil {
		return err
	}
	x.held += n
	return nil
}

// Hold counts n more bytes as Reserve does, for what is there already. It may
// exceed the budget, which others then find full.
func Hold(ctx context.Context, n int64) {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok && x.client != nil {
		x.client.hold(n)
		x.held += n
	}
}

// release gives back what a request had.
func (x *exchange) release() {
	if x.client != nil {
		x.client.hold(-x.held)
		x.held = 0
	}
	if x.counted != nil {
		x.counted.Add(-1)
		x.conn.calls.Add(-1)
	}
}

// headSize is about how many bytes a request's head has.
func headSize(r *http.Request) int64 {
	n := len(r.RequestURI) + len(r.Host)
	for name, values := range r.Header {
		for _, value := range values {
			n += len(name) + len(value)
		}
	}
	return int64(n)
}

// Held is how many bytes are held for requests and connections.
func (s *Server) Held() int64 { return s.budget.used.Load() }
