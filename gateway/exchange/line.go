package exchange

import (
	"context"
	"log/slog"
	"net/http"
	"sync"

	"parity/fakes/clock"
	"parity/faults/trail"
	"parity/gateway/live"
	"parity/gateway/metrics"
	"parity/profiles/policy"
)

// Runs is where the runs are that requests are for.
type Runs interface {
	// Find gives the run that a client belongs to. The error wraps ErrUnnamed or
	// ErrNoRun where there is none for it.
	Find(Claim) (*Run, error)
	// Knows tells whether there is a run of that name.
	Knows(name string) bool
	// Address is where a client is told to reach the gateway.
	Address(context.Context) string
}

// Options is what a Line is made of.
type Options struct {
	Runs     Runs              // nil for a line that serves nobody
	Allow    []string          // hosts that may be tunnelled, besides the profile's
	Egress   policy.EgressMode // in place of the profile's
	Hosts    []string          // names, besides loopback ones, by which the data port may be called
	Held     func() int64      // bytes held for requests under way; nil: none are
	Metrics  *metrics.Metrics
	Codec    *trail.Codec
	Wall     clock.Wall
	Log      *slog.Logger
	Limits   Limits
	Lifetime context.Context     // what goes on without its client ends with it
	Getenv   func(string) string // where identities have their credentials; nil: nowhere
	Sender   *live.Sender        // the way out to real services; nil: nothing leaves

	// Before, where set, is called as each step of an exchange begins. Tests
	// plant panics with it.
	Before func(Step)
	// CheckReplies holds what fakes answer against their contracts, by two judges.
	CheckReplies bool
}

// Line answers exchanges. It is an http.Handler.
type Line struct {
	runs     Runs
	metrics  *metrics.Metrics
	codec    *trail.Codec
	wall     clock.Wall
	log      *slog.Logger
	limits   Limits
	checks   *checks // of the fakes' replies; nil: none are made
	before   func(Step)
	terms    policy.Terms // of egress, besides the profile's
	hosts    []string
	held     func() int64
	nearHeld Nearing
	outside
	spent sync.Pool // of *Exchange: each has kilobytes
}

// outside is what a Line has of the world outside.
type outside struct {
	getenv func(string) string
	sender *live.Sender // nil: nothing leaves

	lifetime context.Context // ends when the gateway does
}

var _ http.Handler = (*Line)(nil)

// New makes a Line.
func New(o Options) *Line {
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	if o.Held == nil {
		o.Held = func() int64 { return 0 }
	}
	return &Line{
		runs: o.Runs, metrics: o.Metrics, codec: o.Codec, wall: o.Wall, log: o.Log, limits: o.Limits.withDefaults(), checks: newChecks(o.CheckReplies),
		before: o.Before, terms: policy.Terms{Mode: o.Egress, Tunnel: o.Allow}, hosts: o.Hosts, held: o.Held, outside: outside{o.Getenv, o.Sender, o.Lifetime},
	}
}
