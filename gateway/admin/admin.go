// Package admin is the control plane: what a person, a probe or a scraper asks
// of a gateway, on a listener of its own.
//
//	request ─► known Host? ─► same origin? ─► token? ─► contract ─► operation
//	              │403           │403          │401 403  │400 404 405 413 415
//	              └ no name that a hostile page could have pointed here
//
// What needs the token:
//
//	GET /healthz   never: it says that the process is alive
//	GET /readyz    never: it says whether the gateway takes traffic, and no more
//	GET /metrics   on a listener beyond loopback
//	GET /console/  never: it is a page, the same for all, that asks for one
//	anything else  always; without a token configured it is refused
//
// Probes can carry no token in most places, and tell nothing; counters tell how
// much is going on, which is for this machine alone to know unless the operator
// has said otherwise; a run's state is always somebody's.
//
// There are three kinds of token. The operator's, the control token, is good for
// everything. A run's is what its agent holds, and good for what an agent may do
// in that run: post what came of its work, and read its approvals and drafts. A
// person's is good for reading runs and for deciding what waits for a person; a
// console has one of that kind. See caller.go.
//
// What there is under /v1/ is in specs/parity/openapi.yaml. The gateway's root
// gives a function for each operation of it; this package lets no request
// through to one that the contract does not have.
package admin

import (
	"crypto/sha256"
	"log/slog"
	"net/http"
	"strings"

	"parity/fakes/clock"
	"parity/specs"
)

// Options are what a control plane is made of.
type Options struct {
	Address string      // where its listener is bound, as net.Listener.Addr gives it
	Token   string      // the operator's, shown as "Authorization: Bearer TOKEN"
	Hosts   []string    // names beside loopback ones that Host may have, without port
	Ready   func() bool // whether the gateway takes traffic; nil is never
	// Run gives the run that a token belongs to; nil: none has one.
	Run func(token string) (run string, ok bool)
	// Person gives the person, or the console, that a token belongs to; nil: none
	// has one.
	Person  func(token string) (by Caller, ok bool)
	Metrics http.Handler // answers /metrics; nil is 404
	Console http.Handler // answers GET below /console/, to anybody; nil is 404
	// Operations do what the contract (specs/parity/openapi.yaml) says, by
	// operationId: all of them, and no others.
	Operations map[string]Operation
	Wall       clock.Wall   // default: clock.System
	Log        *slog.Logger // nil is silent
}

// New gives the control plane's handler. Its server's BaseContext is to end with
// the gateway: live events have no end of their own, and a shutdown waits for
// them. The error is CheckAddress's, or says
// which of the hosts cannot be one, or in what the operations are not the
// contract's.
func New(o Options) (http.Handler, error) {
	if err := CheckAddress(o.Address, o.Token); err != nil {
		return nil, err
	}
	hosts, err := newHosts(o.Hosts)
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Wall == nil {
		o.Wall = clock.System{}
	}
	contract, err := specs.Builtin("parity")
	if err != nil {
		return nil, err
	}
	if err := check(contract, o.Operations); err != nil {
		return nil, err
	}
	a := &admin{o: o, token: sha256.Sum256([]byte(o.Token)), contract: contract, openings: openings(contract)}
	return secured(hosts.only(sameOrigin(a.routes()))), nil
}

type admin struct {
	o        Options
	token    [sha256.Size]byte
	contract *specs.Contract
	openings map[string]map[CallerKind]bool // by operation: to whom it is open
}

// routes sends each path to what answers it. It takes paths as they come: a mux
// would answer //v1/runs and /v1/runs/.. with a redirection, of a DELETE too.
func (a *admin) routes() http.Handler {
	metrics := a.o.Metrics
	switch {
	case metrics == nil:
		metrics = http.HandlerFunc(notFound)
	case !loopback(a.o.Address):
		metrics = a.authorised(metrics)
	}
	fixed := map[string]http.Handler{
		"/healthz": onlyRead(http.HandlerFunc(a.health)),
		"/readyz":  onlyRead(http.HandlerFunc(a.ready)),
		"/metrics": onlyRead(metrics),
	}
	// Whoever has no token does not learn which paths there are.
	operations := a.authorised(http.HandlerFunc(a.serve))
	console := a.o.Console
	if console == nil {
		console = http.HandlerFunc(notFound)
	}
	console = onlyRead(console)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch h := fixed[r.URL.Path]; {
		case h != nil:
			h.ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, "/console/"):
			console.ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, "/v1/"):
			operations.ServeHTTP(w, r)
		default:
			notFound(w, r)
		}
	})
}

func (a *admin) health(w http.ResponseWriter, _ *http.Request) {
	plain(w, http.StatusOK, "alive")
}

func (a *admin) ready(w http.ResponseWriter, _ *http.Request) {
	if a.o.Ready == nil || !a.o.Ready() {
		w.Header().Set("Retry-After", "1")
		plain(w, http.StatusServiceUnavailable, "not ready")
		return
	}
	plain(w, http.StatusOK, "ready")
}

func notFound(w http.ResponseWriter, _ *http.Request) {
	refuse(w, http.StatusNotFound, "unknown-path", "no such path; there are /healthz, /readyz, /metrics, /console/, /v1/gateway, and /v1/runs with what is below it")
}

// onlyRead lets through to next what asks to read.
func onlyRead(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			refuse(w, http.StatusMethodNotAllowed, "method", "this can only be read; use GET")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // a probe that has left needs no answer
}
