// Package gateway is the process: the runs that clients are served by, under
// which profile revision each is, where they are kept, and the ports.
//
//	clients ─▶ ingress ─▶ Gateway ─▶ exchange.Line ─▶ a run's world and journal
//	operators ─▶ admin ─▶ Server (make, fork, end, arm, reset, move the clock …)
//
// It is on the upper one of three floors. On the ground are rooms that know lower
// houses alone (ingress, live, journal, metrics, verdict, report, …); over them
// is exchange, the line that each request goes down; beside the root is kept,
// which reads runs back from their journals, judges them and decides them again.
// The root knows them all and wires them: server.go and closing.go open and close; create.go, live_run.go,
// slots.go and recover.go have the runs; source.go, watch.go and
// revision_store.go their profiles; webhooks.go sends; control.go is what an
// operator may do. Its README has them in the order in which one reads them.
package gateway

import (
	"crypto/sha256"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"

	"parity/fakes/clock"
	"parity/gateway/exchange"
	"parity/gateway/ingress"
	"parity/gateway/live"
	"parity/gateway/metrics"
)

// Options is what a Gateway is made of.
type Options struct {
	exchange.Options
	Public string       // HOST:PORT that clients are told to reach the data port at; "": where they have reached it
	Out    *live.Dialer // the way out of what policy lets out
}

// Gateway has the runs that clients are served by, and answers their exchanges.
// It is an http.Handler.
type Gateway struct {
	line    *exchange.Line
	out     *live.Dialer
	metrics *metrics.Metrics
	wall    clock.Wall
	log     *slog.Logger
	public  string
	names   []string                                                                 // by which the gateway may be called
	forward func(http.ResponseWriter, *http.Request, ingress.Origin, ingress.Dialer) // sends on what came in by Host alone; set before it serves

	serving atomic.Pointer[serving] // nil: no agent of this process has a server of its own

	mu     sync.RWMutex
	slots  map[string]*slot
	tokens map[[sha256.Size]byte]string // runs, by the digests of their tokens
	first  *slot                        // the run of a client that names none
	before map[string]bool              // names of those that it follows: who names them is in it
}

var (
	_ http.Handler  = (*Gateway)(nil)
	_ exchange.Runs = (*Gateway)(nil)
)

// New makes a Gateway without runs.
func New(o Options) *Gateway {
	g := &Gateway{
		out: o.Out, metrics: o.Metrics, wall: o.Wall, log: o.Log, public: o.Public, names: o.Hosts,
		slots: map[string]*slot{}, tokens: map[[sha256.Size]byte]string{}, before: map[string]bool{},
	}
	o.Runs = g
	g.line = exchange.New(o.Options)
	return g
}

// ServeHTTP answers one exchange.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if g.leaves(w, r) {
		return
	}
	g.line.ServeHTTP(w, r)
}
