// Package gateway is the exchange: one straight line from a request that came
// in, whichever way, to what went out on the wire.
//
//	admit ▶ match ▶ permit ▶ plan ▶ act ▶ record │ ▶ enact ▶ settle
//	└──────── decide, touching no socket ────────┘   └─ the wire ─┘
//
// Its root alone knows all the rooms below it and wires them together: ways in
// (ingress), runs, journals, metrics, the control plane, profiles and fakes.
package gateway

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"net/http"
	"sync"

	"parity/fakes/clock"
	"parity/faults/trail"
	"parity/gateway/live"
	"parity/gateway/metrics"
)

// Limits bound what one exchange may cost. A zero field takes its default.
type Limits struct {
	Body     int64 // bytes of a request body, on the wire and inflated; default 10 MiB
	Inflated int64 // times that a compressed body may grow; default 100
	Calls    int64 // under way in one run; default 2048
	Held     int64 // bytes for requests under way, of which it is warned; 0: it is not
}

func (l Limits) withDefaults() Limits {
	if l.Body == 0 {
		l.Body = 10 << 20
	}
	if l.Inflated == 0 {
		l.Inflated = 100
	}
	if l.Calls == 0 {
		l.Calls = 2048
	}
	return l
}

// Options is what a Gateway is made of.
type Options struct {
	Allow    []string     // hosts that may be tunnelled, besides the profile's
	Hosts    []string     // names, besides loopback ones, by which the data port may be called
	Held     func() int64 // bytes held for requests under way; nil: none are
	Public   string       // HOST:PORT that clients are told to reach the data port at; "": where they have reached it
	Out      *live.Dialer // the way out of what policy lets out; nil for a gateway that nobody approaches
	Metrics  *metrics.Metrics
	Codec    *trail.Codec
	Wall     clock.Wall
	Log      *slog.Logger
	Limits   Limits
	Lifetime context.Context     // what goes on without its client ends with it
	Getenv   func(string) string // where identities have their credentials; nil: nowhere

	// Before, where set, is called as each step of an exchange begins. Tests
	// plant panics with it.
	Before func(Step)
	// CheckReplies holds what fakes answer against their contracts.
	CheckReplies bool
}

// Gateway answers exchanges. It is an http.Handler.
type Gateway struct {
	out      *live.Dialer
	metrics  *metrics.Metrics
	codec    *trail.Codec
	wall     clock.Wall
	log      *slog.Logger
	limits   Limits
	checks   bool // the fakes' replies, by their contracts
	before   func(Step)
	allow    []string
	hosts    []string
	public   string
	held     func() int64
	nearHeld nearing
	lifetime context.Context // ends when the gateway does
	getenv   func(string) string

	mu     sync.RWMutex
	places map[string]*place
	tokens map[[sha256.Size]byte]string // runs, by the digests of their tokens
	first  *place                       // the run of a client that names none
}

// New makes a Gateway without runs.
func New(o Options) *Gateway {
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	if o.Held == nil {
		o.Held = func() int64 { return 0 }
	}
	return &Gateway{
		out: o.Out, metrics: o.Metrics, codec: o.Codec, wall: o.Wall, log: o.Log, limits: o.Limits.withDefaults(), checks: o.CheckReplies,
		before: o.Before, allow: o.Allow, hosts: o.Hosts, public: o.Public, held: o.Held, lifetime: o.Lifetime, getenv: o.Getenv, places: map[string]*place{}, tokens: map[[sha256.Size]byte]string{},
	}
}

var _ http.Handler = (*Gateway)(nil)
