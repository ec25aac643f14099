// Package admin is the control plane: what a person, a probe or a scraper asks
// of a gateway, on a listener of its own.
//
//	request ─► known Host? ─► same origin? ─► route ─► token? ─► answer
//	              │403           │403          │404      │401
//	              │                            │405      │
//	              └ no name that a hostile page could have pointed here
//
// What needs the token:
//
//	GET /healthz   never: it says that the process is alive
//	GET /readyz    never: it says whether the gateway takes traffic, and no more
//	GET /metrics   on a listener beyond loopback
//	anything else  always; without a token configured it is refused
//
// Probes can carry no token in most places, and tell nothing; counters tell how
// much is going on, which is for this machine alone to know unless the operator
// has said otherwise; a run's state is always somebody's.
package admin

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
)

// A Run is what the control plane tells about one run.
type Run struct {
	ID          string `json:"id"`
	Profile     string `json:"profile,omitempty"`      // where it was loaded from
	Revision    string `json:"revision"`               // the profile revision in force
	Seed        uint64 `json:"seed,string"`            // a string: JavaScript rounds large numbers
	Exchanges   uint64 `json:"exchanges"`              // so far
	ReloadError string `json:"reload_error,omitempty"` // why the last save of the profile is not in force
}

// Runs gives the live runs. The gateway meets it.
type Runs interface {
	LiveRuns() []Run
}

// Options are what a control plane is made of.
type Options struct {
	Address string       // where its listener is bound, as net.Listener.Addr gives it
	Token   string       // what callers show as "Authorization: Bearer TOKEN"
	Hosts   []string     // names beside loopback ones that Host may have, without port
	Ready   func() bool  // whether the gateway takes traffic; nil is never
	Metrics http.Handler // answers /metrics; nil is 404
	Runs    Runs         // nil is none
	Log     *slog.Logger // nil is silent
}

// New gives the control plane's handler. Its error is CheckAddress's, or says
// which of the hosts cannot be one.
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
	a := &admin{o: o, token: sha256.Sum256([]byte(o.Token))}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", a.health)
	mux.HandleFunc("GET /readyz", a.ready)
	if o.Metrics != nil {
		if loopback(o.Address) {
			mux.Handle("GET /metrics", o.Metrics)
		} else {
			mux.Handle("GET /metrics", a.authorised(o.Metrics))
		}
	}
	mux.Handle("GET /v1/run", a.authorised(http.HandlerFunc(a.run)))
	mux.Handle("/v1/run", a.authorised(http.HandlerFunc(onlyRead)))
	for _, path := range []string{"/healthz", "/readyz", "/metrics"} {
		mux.HandleFunc(path, onlyRead)
	}
	// Whoever has no token does not learn which paths there are.
	mux.Handle("/v1/", a.authorised(http.HandlerFunc(notFound)))
	mux.HandleFunc("/", notFound)
	return secured(hosts.only(sameOrigin(mux))), nil
}

type admin struct {
	o     Options
	token [sha256.Size]byte
}

func (a *admin) health(w http.ResponseWriter, _ *http.Request) {
	plain(w, http.StatusOK, "alive")
}

func (a *admin) ready(w http.ResponseWriter, _ *http.Request) {
	if a.o.Ready == nil || !a.o.Ready() {
		w.Header().Set("Retry-After", "1")
		plain(w, http.StatusServiceUnavailable, "not ready yet")
		return
	}
	plain(w, http.StatusOK, "ready")
}

func (a *admin) run(w http.ResponseWriter, r *http.Request) {
	runs := []Run{} // an empty list, never null
	if a.o.Runs != nil {
		runs = append(runs, a.o.Runs.LiveRuns()...)
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(map[string][]Run{"runs": runs}); err != nil {
		a.o.Log.DebugContext(r.Context(), "control answer not sent", "error", err)
	}
}

// authorised lets only callers with the token through to next.
func (a *admin) authorised(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.o.Token == "" {
			refuse(w, http.StatusForbidden, "this gateway was started without a control token, so that nobody can be let in; start it with one")
			return
		}
		if !a.shown(r) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="parity"`)
			refuse(w, http.StatusUnauthorized, "show the control token: Authorization: Bearer TOKEN")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// shown tells whether r carries the token. Digests are compared, in constant
// time, so that not even the token's length can be measured.
func (a *admin) shown(r *http.Request) bool {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return false
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return false
	}
	got := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(got[:], a.token[:]) == 1
}

func notFound(w http.ResponseWriter, _ *http.Request) {
	refuse(w, http.StatusNotFound, "no such path; there are /healthz, /readyz, /metrics and /v1/run")
}

func onlyRead(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Allow", "GET, HEAD")
	refuse(w, http.StatusMethodNotAllowed, "this can only be read; use GET")
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // a probe that has left needs no answer
}

// refuse answers with an RFC 9457 problem, whose detail says what to do.
func refuse(w http.ResponseWriter, status int, detail string) {
	body, _ := json.Marshal(map[string]any{ // of a number and strings: it cannot fail
		"status": status, "title": http.StatusText(status), "detail": detail,
	})
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}
