package ingress

import (
	"crypto/tls"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"parity/fakes/clock"
)

// A conn is a connection whose first bytes were looked at. It lies below TLS,
// never around it: net/http gives up HTTP/2 on anything but a *tls.Conn.
type conn struct {
	net.Conn
	number uint64
	early  []byte // read already, and first to be given out

	// via is set inside a CONNECT. The bytes that net/http had read ahead of
	// its hijack are in early, such as a ClientHello in one packet with it.
	via *hop
	// named is whom TLS without a proxy asked for, decided before the
	// handshake goes on.
	named *hop
	leaf  string // the name that the certificate is for
	// carried is the run that the connection itself names: by a PROXY header, or
	// by having come in at a run's own port. It is torn where these name two.
	carried Credentials
	torn    bool
	taken   atomic.Bool // hijacked from net/http

	// reached is where it was made to, in a containment; nil elsewhere.
	reached *reached

	// tail is the end of what the client sent while it shakes hands.
	tail    []byte
	shaking bool

	// Until a hello is decided its bytes are kept, since a tunnel has to send
	// them on, and nothing is written, since tls answers a refusal by itself.
	kept    []byte
	keeping bool
	mute    bool

	screen  *screen       // above it, on HTTP/1; nil before that is known
	client  *client       // nil inside a test that made the connection itself
	calls   atomic.Int64  // under way
	seat    chan struct{} // see Seat
	pace    pace
	flooded atomic.Bool // closed for what its client takes back

	met met

	// lingers is set while the last that is written is an answer which the
	// client should get to read.
	lingers clock.Wall

	once     sync.Once
	released func()
}

// A hop is an approach that was decided.
type hop struct {
	approach Approach
	verdict  Verdict
	through  string // the Via of the request
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := 0, error(nil)
	if len(c.early) > 0 {
		n = copy(p, c.early)
		c.early = c.early[n:]
	} else {
		n, err = c.Conn.Read(p)
	}
	if c.keeping {
		c.kept = append(c.kept, p[:n]...)
	}
	if c.shaking {
		c.tail = append(c.tail, p[:n]...)
		c.tail = c.tail[max(0, len(c.tail)-alertLength):]
	}
	return n, err
}

func (c *conn) Write(p []byte) (int, error) {
	if c.mute {
		return len(p), nil
	}
	return c.write(p)
}

// NetConn is the connection below.
func (c *conn) NetConn() net.Conn { return c.Conn }

// CloseWrite ends this side's half, where the connection below can do that.
func (c *conn) CloseWrite() error { return closeWrite(c.Conn) }

// Close closes the connection and gives its place back.
func (c *conn) Close() error {
	if c.lingers != nil {
		c.linger()
	}
	err := c.Conn.Close()
	c.once.Do(func() {
		if c.released != nil {
			c.released()
		}
	})
	return err
}

// linger ends this side and waits for the other one. A close with unread bytes
// would make the kernel send a reset, on which a client may drop the answer.
func (c *conn) linger() {
	const patience, most = time.Second, 64 << 10
	_ = c.CloseWrite()
	_ = c.SetReadDeadline(c.lingers.Now().Add(patience))
	_, _ = io.CopyN(io.Discard, c.Conn, most)
}

// peek waits for the first bytes.
func (c *conn) peek() (byte, error) {
	if len(c.early) == 0 {
		buf := make([]byte, 2048) // a ClientHello with a post-quantum share
		n, err := c.Conn.Read(buf)
		if n == 0 {
			return 0, err
		}
		c.early = buf[:n]
	}
	return c.early[0], nil
}

func closeWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// below finds our conn under whatever net/http serves.
func below(c net.Conn) *conn {
	for c != nil {
		if own, ok := c.(*conn); ok {
			return own
		}
		c = unwrap(c)
	}
	return nil
}

// transport finds the TCP connection, below TLS and through a CONNECT.
func transport(c net.Conn) *net.TCPConn {
	for c != nil {
		if tcp, ok := c.(*net.TCPConn); ok {
			return tcp
		}
		c = unwrap(c)
	}
	return nil
}

func unwrap(c net.Conn) net.Conn {
	if outer, ok := c.(interface{ NetConn() net.Conn }); ok {
		return outer.NetConn()
	}
	return nil
}

// A secured conn is HTTP/1.1 in TLS. It may be wrapped, unlike a *tls.Conn that
// speaks HTTP/2: net/http asks it for the TLS state.
type secured struct {
	*screen
	tls *tls.Conn
}

// ConnectionState lets net/http set Request.TLS.
func (c *secured) ConnectionState() tls.ConnectionState { return c.tls.ConnectionState() }

// A queue is a net.Listener that is fed by hand.
type queue struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newQueue() *queue {
	return &queue{conns: make(chan net.Conn), done: make(chan struct{})}
}

// push hands c to the server, which closes it; after Close it is closed here.
func (q *queue) push(c net.Conn) {
	select {
	case q.conns <- c:
	case <-q.done:
		_ = c.Close()
	}
}

func (q *queue) Accept() (net.Conn, error) {
	select {
	case c := <-q.conns:
		return c, nil
	case <-q.done:
		return nil, net.ErrClosed
	}
}

func (q *queue) Close() error {
	q.once.Do(func() { close(q.done) })
	return nil
}

// Addr is none of any listener's: several may feed one queue.
func (q *queue) Addr() net.Addr { return &net.TCPAddr{} }
