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
	Fired       Kind = "timer"       // a service did what had come due
	SetBack     Kind = "reset"       // the run was set back to its start
	Snapshotted Kind = "snapshot"    // the state was given a name
	RolledBack  Kind = "rollback"    // the run was set back to a snapshot
	Abandoned   Kind = "abandonment" // a call that waited was left behind: what it had reserved is given up
	Resumed     Kind = "resumption"  // the run goes on after its gateway's end
	Claimed     Kind = "claim"       // the agent, or who runs it, says what came of its work
	Reached     Kind = "connection"  // a service that has faults of connections was connected to, or could not be
	Delivered   Kind = "delivery"    // a webhook was sent to the agent's endpoint, or could not be
	Armed       Kind = "armed"       // a rule came into force in this run alone
	Disarmed    Kind = "disarmed"    // such a rule is no longer in force
	Worded      Kind = "approval"    // somebody decided about an approval, or let calls pass a gate
	Credential  Kind = "credential"  // a credential was minted, rotated, revoked, or ran out
	Acted       Kind = "act"         // a person did in a service what waited for one
	Probed      Kind = "containment" // ways out were tried from where the agent is
)

// Kinds are all the kinds of events.
func Kinds() []Kind {
	return []Kind{
		Started, Exchanged, Reserved, Tunnelled, Revised, ClockMoved, WorldEdited, Fired, SetBack, Snapshotted,
		RolledBack, Abandoned, Resumed, Claimed, Reached, Delivered, Armed, Disarmed, Worded, Credential, Acted, Probed,
	}
}

// Change is one record created, updated or deleted.
type Change = world.Change

// Collection declares one kind of record.
type Collection = world.Collection

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

	Claim    *Claim    `cbor:"11,keyasint,omitempty" json:"claim,omitempty"`
	Snapshot *Snapshot `cbor:"12,keyasint,omitempty" json:"snapshot,omitempty"` // taken, or gone back to
	Timer    *Timer    `cbor:"13,keyasint,omitempty" json:"timer,omitempty"`
	Of       uint64    `cbor:"14,keyasint,omitempty" json:"of,omitempty"` // the reservation that was abandoned
	Epoch    *Epoch    `cbor:"15,keyasint,omitempty" json:"epoch,omitempty"`

	// Declared are the collections that a revision brought, which the world
	// lacked: it has them from here on.
	Declared []Collection `cbor:"16,keyasint,omitempty" json:"declared,omitempty"`

	Delivery *Delivery `cbor:"17,keyasint,omitempty" json:"delivery,omitempty"`

	Edit   *Edit   `cbor:"18,keyasint,omitempty" json:"edit,omitempty"`
	Arming *Arming `cbor:"19,keyasint,omitempty" json:"arming,omitempty"` // of what was armed or disarmed

	Word       *Word             `cbor:"20,keyasint,omitempty" json:"word,omitempty"`
	Credential *CredentialChange `cbor:"21,keyasint,omitempty" json:"credential,omitempty"`
	Act        *Act              `cbor:"22,keyasint,omitempty" json:"act,omitempty"` // of a person, also of one that stands in and whose timer came due

	Containment *Containment `cbor:"23,keyasint,omitempty" json:"containment,omitempty"`
}

// Edit is a change of the world by somebody other than the agent.
type Edit struct {
	Service string `cbor:"1,keyasint" json:"service"`
	Rule    string `cbor:"2,keyasint,omitempty" json:"rule,omitempty"`   // the rule that has it happen
	Before  bool   `cbor:"3,keyasint,omitempty" json:"before,omitempty"` // of the exchange after it; else of the one before it
	Did     string `cbor:"4,keyasint,omitempty" json:"did,omitempty"`    // in words
}

// Arming is a rule that is in force in one run, without being in its profile.
// What disarms it has its name alone.
type Arming struct {
	Name     string   `cbor:"1,keyasint" json:"name"`
	Text     string   `cbor:"2,keyasint,omitempty" json:"text,omitempty"`   // the rule as a profile would have it under its name
	Until    Instant  `cbor:"3,keyasint,omitempty" json:"until,omitempty"`  // on the run's clock; 0: until it is disarmed
	Fault    string   `cbor:"4,keyasint,omitempty" json:"inject,omitempty"` // as Text has it, for who does not read that
	Calls    []string `cbor:"5,keyasint,omitempty" json:"call,omitempty"`
	Because  string   `cbor:"6,keyasint,omitempty" json:"because,omitempty"`
	Required bool     `cbor:"7,keyasint,omitempty" json:"required,omitempty"`
}

// Delivery is one attempt to send a webhook, and what came of it.
type Delivery struct {
	Service string  `cbor:"1,keyasint" json:"service"`
	ID      string  `cbor:"2,keyasint" json:"id"` // what is sent to whom
	Method  string  `cbor:"3,keyasint" json:"method"`
	URL     string  `cbor:"4,keyasint" json:"url"`
	Attempt int     `cbor:"5,keyasint" json:"attempt"` // from 1
	Signed  Instant `cbor:"6,keyasint" json:"signed"`  // the run's instant at which it was sent
	Header  []Field `cbor:"7,keyasint,omitempty" json:"header,omitempty"`
	Body    []byte  `cbor:"8,keyasint,omitempty" json:"body,omitempty"`
	Status  int     `cbor:"9,keyasint,omitempty" json:"status,omitempty"`  // what the endpoint answered; 0: it did not
	Error   string  `cbor:"10,keyasint,omitempty" json:"error,omitempty"`  // why, then
	Copy    int     `cbor:"11,keyasint,omitempty" json:"copy,omitempty"`   // above 0: sent once more, beside the delivery of that id
	Spoilt  bool    `cbor:"12,keyasint,omitempty" json:"spoilt,omitempty"` // its signature was not right
	Answer  []byte  `cbor:"14,keyasint,omitempty" json:"answer,omitempty"` // what the endpoint answered, where its service does what that says
	Masked  bool    `cbor:"13,keyasint,omitempty" json:"masked,omitempty"` // it was signed with a mark, or had one in its address or headers: its run went on from a record, which keeps no secret
}

// Ticks tells whether the event has an instant of its own, which moved the
// clock. An exchange that waited keeps the instant of its reservation, but for one
// that waited for somebody's answer.
func (e *Event) Ticks() bool {
	switch e.Kind {
	case Exchanged, Reserved:
		x := e.Exchange
		return x == nil || x.Reserved == 0 || x.Policy != nil && x.Policy.Waited
	}
	return false
}

// Start is what a run began with. Its id is not among it: two runs that began
// alike are alike.
type Start struct {
	Seed    uint64        `cbor:"2,keyasint" json:"seed"`
	Profile string        `cbor:"3,keyasint,omitempty" json:"profile,omitempty"`
	Mode    string        `cbor:"4,keyasint" json:"mode"`                      // live or stepped
	Speed   float64       `cbor:"7,keyasint,omitempty" json:"speed,omitempty"` // of a live clock
	Step    time.Duration `cbor:"5,keyasint,omitempty" json:"step,omitempty"`
	Stamp   Stamp         `cbor:"6,keyasint" json:"stamp"`
	// Filled is the instant as of which fixtures were made; 0: the run's first.
	Filled Instant `cbor:"8,keyasint,omitempty" json:"filled,omitempty"`
	// Standing are the calls that kept evidence lets pass a gate, as it was then.
	Standing []StandingApproval `cbor:"10,keyasint,omitempty" json:"standing,omitempty"`

	Stage int `cbor:"9,keyasint,omitempty" json:"stage,omitempty"` // how far its agent may go, 1 to 5; 0: its profile has no policy
}

// Snapshot names a state of the run: the one after the event Seq.
type Snapshot struct {
	Name string `cbor:"1,keyasint" json:"name"`
	Seq  uint64 `cbor:"2,keyasint" json:"seq"`
}

// Claim is what the agent, or who runs it, says that came of its work.
type Claim struct {
	Status string      `cbor:"1,keyasint" json:"status"` // complete (or success), partial, unknown, escalated, stopped or failure
	Claims []Statement `cbor:"2,keyasint,omitempty" json:"claims,omitempty"`
	Note   string      `cbor:"3,keyasint,omitempty" json:"note,omitempty"`
}

// Statement is one thing that is claimed.
type Statement struct {
	Text    string `cbor:"1,keyasint" json:"text"`
	Subject string `cbor:"2,keyasint,omitempty" json:"subject,omitempty"` // the record that it is about
}

// Timer is something that a service does later on its own.
type Timer struct {
	Service string `cbor:"1,keyasint" json:"service"`
	Kind    string `cbor:"2,keyasint" json:"kind"`
	Subject string `cbor:"3,keyasint" json:"subject"`                    // the record that it is about
	Undone  bool   `cbor:"4,keyasint,omitempty" json:"undone,omitempty"` // it takes more work than may be done at once: nothing was done
}

// Epoch is one time that a run's store was opened for writing. After an
// unclean end its number is part of new ids, so that none is used twice.
type Epoch struct {
	Number uint64 `cbor:"1,keyasint" json:"number"`
	Clean  bool   `cbor:"2,keyasint,omitempty" json:"clean,omitempty"` // the one before ended by a close
}

// Stamp says under which conditions a run is made, by content: runs under
// different stamps cannot be compared without saying so.
type Stamp struct {
	Profile   string `cbor:"1,keyasint" json:"profile"`                      // revision
	Contracts string `cbor:"2,keyasint" json:"contracts"`                    // of all services
	Fixtures  string `cbor:"3,keyasint,omitempty" json:"fixtures,omitempty"` // "": the world begins empty
	Parity    string `cbor:"4,keyasint" json:"parity"`                       // version and revision
	Policy    string `cbor:"5,keyasint,omitempty" json:"policy,omitempty"`   // classes, grants, gates, approvers and egress; "": the profile has none
}

// Clock is one move of the clock that no exchange made. It says all that the
// clock goes by from then on, so that a fold needs no wall; what is left out, as
// in journals from before the clock had it, stays as it was.
type Clock struct {
	To     Instant       `cbor:"1,keyasint" json:"to"` // the earliest instant of the next exchange
	Why    string        `cbor:"2,keyasint,omitempty" json:"why,omitempty"`
	Frozen bool          `cbor:"3,keyasint,omitempty" json:"frozen,omitempty"` // it stands there
	Mode   string        `cbor:"4,keyasint,omitempty" json:"mode,omitempty"`   // live or stepped
	Speed  float64       `cbor:"5,keyasint,omitempty" json:"speed,omitempty"`  // seconds of the run for each real one, live
	Step   time.Duration `cbor:"6,keyasint,omitempty" json:"step,omitempty"`   // for each exchange, stepped
}

// Tunnel is one connection that passed through unread.
type Tunnel struct {
	Host string `cbor:"1,keyasint" json:"host"`
	By   string `cbor:"2,keyasint,omitempty" json:"by,omitempty"` // the setting that allowed it
	// Failed says why the host could not be reached, if so.
	Failed string `cbor:"3,keyasint,omitempty" json:"failed,omitempty"`
}

// GatewayEnded is the error of a settlement whose wire the end of the gateway cut.
const GatewayEnded = "the gateway ended"

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
