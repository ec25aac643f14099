// Package trail holds what happened in a run, as values without I/O.
//
// A run is a line of events. Everything else is derived from that line:
//
//	Event 1 ── Event 2 ── Event 3 ── …      (sequenced, deterministic, encoded as CBOR)
//	   │          │          │
//	   └ Delta    └ Delta    └ Delta        (what each changed in the world)
//	              ·
//	          Settlement of 2               (what really went out: outside the line)
//
// State, trace, report and verdicts all read the line; none of them is kept
// beside it. Encode writes equal events as equal bytes.
package trail

import (
	"fmt"
	"time"

	"parity/fakes/world"
)

// Kind says what sort of input an event is.
type Kind string

// The kinds of events. Every input of a run is one of these.
const (
	Started     Kind = "started"     // the run began: seed, clock, profile revision
	Exchanged   Kind = "exchange"    // one request and what became of it
	Reserved    Kind = "reservation" // an exchange that waits holds its idempotency key
	Tunnelled   Kind = "tunnel"      // a connection passed through unread
	Revised     Kind = "revision"    // another profile revision came into force
	ClockMoved  Kind = "clock"       // the clock was set forward
	WorldEdited Kind = "edit"        // an actor other than the agent changed the world
)

// Change is one record created, updated or deleted.
type Change = world.Change

// Instant is a moment of the run's clock, in nanoseconds since the Unix epoch.
// It reads as RFC 3339 in JSON.
type Instant int64

// At gives the Instant of t.
func At(t time.Time) Instant { return Instant(t.UnixNano()) }

// Time gives i in UTC.
func (i Instant) Time() time.Time { return time.Unix(0, int64(i)).UTC() }

// MarshalJSON writes i as an RFC 3339 string.
func (i Instant) MarshalJSON() ([]byte, error) {
	return i.Time().AppendFormat([]byte(`"`), time.RFC3339Nano+`"`), nil
}

// UnmarshalJSON reads an RFC 3339 string.
func (i *Instant) UnmarshalJSON(b []byte) error {
	t, err := time.Parse(`"`+time.RFC3339Nano+`"`, string(b))
	if err != nil {
		return fmt.Errorf("instant: %w", err)
	}
	*i = At(t)
	return nil
}

// Event is one input of a run and what it changed.
type Event struct {
	Seq      uint64  `cbor:"1,keyasint" json:"seq"`
	Kind     Kind    `cbor:"2,keyasint" json:"kind"`
	At       Instant `cbor:"3,keyasint" json:"at"`
	Identity string  `cbor:"4,keyasint,omitempty" json:"identity,omitempty"`
	Revision string  `cbor:"5,keyasint,omitempty" json:"revision,omitempty"` // the profile revision in force

	Start    *Start    `cbor:"6,keyasint,omitempty" json:"start,omitempty"`
	Exchange *Exchange `cbor:"7,keyasint,omitempty" json:"exchange,omitempty"`
	Tunnel   *Tunnel   `cbor:"8,keyasint,omitempty" json:"tunnel,omitempty"`
	Clock    *Clock    `cbor:"9,keyasint,omitempty" json:"clock,omitempty"`
	Delta    []Change  `cbor:"10,keyasint,omitempty" json:"delta,omitempty"`
}

// Ticks tells whether the event has an instant of its own, which moved the
// clock. An exchange that waited keeps the instant of its reservation.
func (e *Event) Ticks() bool {
	switch e.Kind {
	case Exchanged:
		return e.Exchange == nil || e.Exchange.Reserved == 0
	case Reserved:
		return true
	}
	return false
}

// Start is what a run began with. Its id is not among it: two runs that began
// alike are alike.
type Start struct {
	Seed    uint64        `cbor:"2,keyasint" json:"seed"`
	Profile string        `cbor:"3,keyasint,omitempty" json:"profile,omitempty"`
	Mode    string        `cbor:"4,keyasint" json:"mode"` // live or stepped
	Step    time.Duration `cbor:"5,keyasint,omitempty" json:"step,omitempty"`
	Parity  string        `cbor:"6,keyasint,omitempty" json:"parity,omitempty"` // Parity's own version
}

// Clock is one move of the clock that no exchange made.
type Clock struct {
	To  Instant `cbor:"1,keyasint" json:"to"`
	Why string  `cbor:"2,keyasint,omitempty" json:"why,omitempty"`
}

// Tunnel is one connection that passed through unread.
type Tunnel struct {
	Host string `cbor:"1,keyasint" json:"host"`
	By   string `cbor:"2,keyasint,omitempty" json:"by,omitempty"` // the setting that allowed it
}

// Settlement is what really went out on the wire for the event Of. It stays
// outside the sequence and outside every comparison of runs.
type Settlement struct {
	Of         uint64        `cbor:"1,keyasint" json:"of"`
	Sent       int64         `cbor:"2,keyasint" json:"sent"` // body bytes handed to the connection
	ClientGone bool          `cbor:"3,keyasint,omitempty" json:"client_gone,omitempty"`
	Took       time.Duration `cbor:"4,keyasint" json:"took"`                      // admit to the end of the wire, real time
	Spent      time.Duration `cbor:"5,keyasint" json:"spent"`                     // Took without injected waits
	Error      string        `cbor:"6,keyasint,omitempty" json:"error,omitempty"` // why the wire ended early, if it did
	Wall       Instant       `cbor:"7,keyasint" json:"wall"`                      // real time at the end
	Proto      string        `cbor:"8,keyasint,omitempty" json:"proto,omitempty"` // HTTP/1.1 or HTTP/2.0
	Began      Instant       `cbor:"9,keyasint,omitempty" json:"began,omitempty"` // real time at admit
}
