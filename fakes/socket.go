package fakes

import (
	"strings"
	"time"
)

// Socketed is met by WebhookSenders that send on websockets, which clients open
// to them, as well as to endpoints.
//
//	a call ─▶ Reply.Socket ─▶ upgraded: Greet ─▶ connection ◀─ a Delivery that is OnSocket
//	                                                 └▶ Acked ─▶ Delivered
//
// Which connections there are is known to whoever serves them, and is no part of
// the world: a delivery waits there until one is open. What a client answers
// comes to the fake by WebhookSender.Delivered alone, as an endpoint's answer
// does, and its body where the fake Heeds the delivery. None of the three reads
// a world: what is sent is the delivery's body.
type Socketed interface {
	// Greet makes the first message of a connection of the body of the reply that
	// opened it; open is how many connections there are with it. One above
	// MostSockets is closed after that.
	Greet(body []byte, open int) []byte
	// Frame tells how a delivery goes out.
	Frame(Delivery) Frame
	// Acked reads a client's message: of what it takes, and what it answers. id is
	// "" where it acknowledges nothing.
	Acked(message []byte) (id string, answer []byte)
}

// MostSockets is how many connections of one service a run may have open.
const MostSockets = 10

// A Frame is how a message goes out on a websocket.
type Frame struct {
	ID     string        // under which it is acknowledged; "": it is taken once it is written
	Within time.Duration // in which it is, by the machine's clock
	To     string        // the connection, by Reply.Socket; "": any
	Last   bool          // the connection is closed then
}

// OnSocket tells whether a delivery goes out on a connection that a client has
// opened, and not to an endpoint.
func (d Delivery) OnSocket() bool {
	return strings.HasPrefix(d.URL, "wss://") || strings.HasPrefix(d.URL, "ws://")
}
