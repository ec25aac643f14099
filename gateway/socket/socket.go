// Package socket has the websockets that the clients of one run have open to
// its fakes: a fake's deliveries go out on them, one message at a time, and what
// a client acknowledges is what came of the attempt.
//
//	GET, Upgrade ─▶ Accept ─▶ hello ─▶ ┌────────────┐ ◀─ Send: a message to one of them, in turn
//	                                   │ connections │
//	                                   └────────────┘ ─▶ acknowledged, in time or not
//
// It keeps nothing: what is to be sent waits in the run's world, and is there
// when another connection is.
package socket

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"parity/fakes"
	"parity/fakes/clock"
)

// Bounds of a connection, by the machine's clock.
const (
	pingEvery = 10 * time.Second // clients hold one without pings for dead
	pongTime  = 20 * time.Second
	writeTime = 10 * time.Second
	mostRead  = 1 << 20 // bytes of a client's message
)

// Options are what a Hub needs.
type Options struct {
	Lifetime context.Context // ends all connections
	Wall     clock.Wall
	Go       func(func()) // runs what serves a connection, for as long as that is open
	Opened   func()       // is told of each connection that messages can go out on
}

// A Hub has the connections of one run. It is safe for concurrent use.
type Hub struct {
	o Options

	mu     sync.Mutex
	open   map[string][]*connection // by service, in the order in which they were opened
	turns  map[string]int           // how many messages went to any of them
	places map[string]int           // how many are open, or greeted just now
}

// A connection is one websocket.
type connection struct {
	id     string
	conn   *websocket.Conn
	fake   fakes.Socketed
	closed chan struct{}

	mu    sync.Mutex
	waits map[string]chan []byte // what is not acknowledged yet
}

// New makes a Hub without connections.
func New(o Options) *Hub {
	return &Hub{o: o, open: map[string][]*connection{}, turns: map[string]int{}, places: map[string]int{}}
}

// Open is how many connections a service has.
func (h *Hub) Open(service string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.open[service])
}

// Accept makes a websocket of a request's connection, which goes on when it
// returns. What it does not accept, it has answered.
func (h *Hub) Accept(w http.ResponseWriter, r *http.Request, service string, fake fakes.Socketed, reply fakes.Reply) error {
	// Whether a page in a browser may call was decided before.
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return fmt.Errorf("websocket: %w", err)
	}
	conn.SetReadLimit(mostRead)
	c := &connection{id: reply.Socket, conn: conn, fake: fake, closed: make(chan struct{}), waits: map[string]chan []byte{}}
	n := h.place(service, 1)
	if err := h.write(c, fake.Greet(reply.Body, n)); err != nil {
		h.place(service, -1)
		_ = conn.CloseNow()
		return err
	}
	if n > fakes.MostSockets {
		h.place(service, -1)
		h.o.Go(func() { _ = conn.Close(websocket.StatusNormalClosure, "") })
		return fmt.Errorf("websocket: %d connections are open already", fakes.MostSockets)
	}
	h.mu.Lock()
	h.open[service] = append(h.open[service], c)
	h.mu.Unlock()
	h.o.Go(func() {
		defer h.left(service, c)
		c.read(h.o.Lifetime)
	})
	h.o.Go(func() { h.ping(c) })
	h.o.Opened()
	return nil
}

// place takes a place among the connections of a service, or gives it back, and tells
// how many are taken. One that is greeted has its place, and no messages yet.
func (h *Hub) place(service string, n int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.places[service] += n
	return h.places[service]
}

// Send sends a message to a connection of a service, and waits until it is
// acknowledged. It gives what the client answered with that.
func (h *Hub) Send(ctx context.Context, service string, f fakes.Frame, message []byte) (answer []byte, err error) {
	c := h.next(service, f.To)
	if c == nil {
		return nil, errors.New("the websocket is not open any more")
	}
	acked := c.await(f.ID)
	defer c.forget(f.ID)
	if err := h.write(c, message); err != nil {
		return nil, err
	}
	if f.Last {
		h.o.Go(func() { _ = c.conn.Close(websocket.StatusNormalClosure, "") })
	}
	if f.ID == "" {
		return nil, nil
	}
	over, stop := h.o.Wall.After(f.Within)
	defer stop()
	select {
	case answer = <-acked:
		return answer, nil
	case <-over:
		return nil, fmt.Errorf("no answer within %v", f.Within)
	case <-c.closed:
		return nil, errors.New("the websocket was closed before it was acknowledged")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// next is the connection that a message goes to: each in its turn.
func (h *Hub) next(service, id string) *connection {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := h.open[service]
	if id != "" {
		if i := slices.IndexFunc(all, func(c *connection) bool { return c.id == id }); i >= 0 {
			return all[i]
		}
		return nil
	}
	if len(all) == 0 {
		return nil
	}
	h.turns[service]++
	return all[(h.turns[service]-1)%len(all)]
}

func (h *Hub) left(service string, c *connection) {
	close(c.closed)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.places[service]--
	h.open[service] = slices.DeleteFunc(slices.Clone(h.open[service]), func(other *connection) bool { return other == c })
}

func (h *Hub) write(c *connection, message []byte) error {
	ctx, stop := context.WithTimeout(h.o.Lifetime, writeTime)
	defer stop()
	if err := c.conn.Write(ctx, websocket.MessageText, message); err != nil {
		return fmt.Errorf("websocket: %w", err)
	}
	return nil
}

// ping shows the client that the connection is there, and finds out whether the
// client is.
func (h *Hub) ping(c *connection) {
	for {
		due, stop := h.o.Wall.After(pingEvery)
		select {
		case <-due:
		case <-c.closed:
			stop()
			return
		}
		ctx, cancel := context.WithTimeout(h.o.Lifetime, pongTime)
		err := c.conn.Ping(ctx)
		cancel()
		if err != nil {
			_ = c.conn.CloseNow()
			return
		}
	}
}

// read takes what the client says, until the connection ends.
func (c *connection) read(ctx context.Context) {
	defer func() { _ = c.conn.CloseNow() }()
	for {
		_, message, err := c.conn.Read(ctx)
		if err != nil {
			return
		}
		id, answer := c.fake.Acked(message)
		c.mu.Lock()
		if acked, ok := c.waits[id]; ok {
			delete(c.waits, id)
			acked <- answer
		}
		c.mu.Unlock()
	}
}

func (c *connection) await(id string) chan []byte {
	acked := make(chan []byte, 1)
	if id != "" {
		c.mu.Lock()
		c.waits[id] = acked
		c.mu.Unlock()
	}
	return acked
}

func (c *connection) forget(id string) {
	c.mu.Lock()
	delete(c.waits, id)
	c.mu.Unlock()
}
