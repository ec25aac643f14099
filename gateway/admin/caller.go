package admin

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"strings"

	"parity/specs"
)

// A CallerKind is a sort of token that callers show. Its text is the name that the
// contract has for it among its security schemes.
type CallerKind string

// The kinds. Which operations are open to one is in the contract.
const (
	Operator CallerKind = "token"  // the control token: everything
	Agent    CallerKind = "run"    // a run's token: what its agent may do, in that run alone
	Person   CallerKind = "person" // a person's own, or a console's: to read runs, and to decide
)

// anybody is who shows no token, or one that is nobody's.
const anybody CallerKind = ""

// A Caller is who makes a call.
type Caller struct {
	Kind CallerKind
	// Name is the person's, or the run of an agent.
	Name string
	// Proved tells that the token shown is that name's own. Where it is not, a name
	// is what somebody has said.
	Proved bool
	// Console tells that it is a page that the person has opened.
	Console bool
}

// openings are the kinds of callers that each operation is open to, as its
// security in the contract says.
func openings(c *specs.Contract) map[string]map[CallerKind]bool {
	all := map[string]map[CallerKind]bool{}
	for _, op := range c.Operations {
		open := map[CallerKind]bool{Operator: true}
		ways := op.Source().Security()
		for _, way := range ways {
			if len(way) == 1 {
				open[CallerKind(way[0])] = true
			}
		}
		open[anybody] = len(ways) == 0
		all[op.ID] = open
	}
	return all
}

// authorised lets through to next who shows a token that is good for what is
// asked: the operator's for everything, others for what the contract says.
func (a *admin) authorised(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.o.Token == "" {
			refuse(w, http.StatusForbidden, "no-token", "this gateway was started without a control token, so that nobody can be let in; start it with one")
			return
		}
		by := a.caller(r)
		switch {
		case a.open(by, r):
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, by)))
		case by.Kind == Agent:
			refuse(w, http.StatusForbidden, "operator-only", fmt.Sprintf(
				"this is the token of run %s, with which its agent posts what came of its work (POST /v1/runs/%[1]s/outcome), reads the run's approvals and drafts, and does nothing else; this takes the operator's control token (PARITY_CONTROL_TOKEN)", by.Name))
		case by.Kind == Person:
			refuse(w, http.StatusForbidden, "operator-only", "this token is good for reading runs and for deciding what waits for a person, and for nothing else; this takes the operator's control token (PARITY_CONTROL_TOKEN)")
		default:
			w.Header().Set("WWW-Authenticate", `Bearer realm="parity"`)
			refuse(w, http.StatusUnauthorized, "unauthorised", "show the operator's control token (PARITY_CONTROL_TOKEN): Authorization: Bearer TOKEN; an agent shows the token of its run, as long as that goes on, and a person the one that `parity token new` has printed")
		}
	})
}

// callerKey is where a request's context has who makes it.
type callerKey struct{}

// caller tells who makes a request, by the token that it shows.
func (a *admin) caller(r *http.Request) Caller {
	token, shown := bearer(r)
	if !shown {
		return Caller{}
	}
	if a.operator(token) {
		return Caller{Kind: Operator}
	}
	if a.o.Run != nil {
		if run, ok := a.o.Run(token); ok {
			return Caller{Kind: Agent, Name: run}
		}
	}
	if a.o.Person != nil {
		if by, ok := a.o.Person(token); ok {
			by.Kind = Person
			return by
		}
	}
	return Caller{}
}

// open tells whether a request is open to who makes it. Nothing else is told of
// requests that are not: neither that a path is none, nor that a run is.
func (a *admin) open(by Caller, r *http.Request) bool {
	if by.Kind == Operator {
		return true
	}
	m := a.contract.Match(r.Method, r.URL.EscapedPath())
	if m.Operation == nil {
		return false
	}
	to := a.openings[m.Operation.ID]
	return to[anybody] || to[by.Kind] && (by.Kind != Agent || m.Path["run"] == by.Name)
}

// bearer is the token that a request shows.
func bearer(r *http.Request) (string, bool) {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	return token, strings.EqualFold(scheme, "Bearer")
}

// operator tells whether token is the operator's. Digests are compared, in
// constant time, so that not even the token's length can be measured.
func (a *admin) operator(token string) bool {
	got := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(got[:], a.token[:]) == 1
}
