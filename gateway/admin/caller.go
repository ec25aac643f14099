package admin

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"parity/specs"
)

// forAgents are the operations that are open to the token of the run that they
// are about: those whose security, in the contract, names the scheme run.
func forAgents(c *specs.Contract) map[string]bool {
	open := map[string]bool{}
	for _, op := range c.Operations {
		for _, way := range op.Source().Security() {
			if slices.Equal(way, []string{"run"}) {
				open[op.ID] = true
			}
		}
	}
	return open
}

// authorised lets through to next who shows a token that is good for it: the
// operator's for everything, a run's for what its agent may do in that run.
func (a *admin) authorised(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.o.Token == "" {
			refuse(w, http.StatusForbidden, "no-token", "this gateway was started without a control token, so that nobody can be let in; start it with one")
			return
		}
		token, shown := bearer(r)
		if shown && a.operator(token) {
			next.ServeHTTP(w, r)
			return
		}
		run, known := "", false
		if shown && a.o.Run != nil {
			run, known = a.o.Run(token)
		}
		switch {
		case !known:
			w.Header().Set("WWW-Authenticate", `Bearer realm="parity"`)
			refuse(w, http.StatusUnauthorized, "unauthorised", "show the operator's control token (PARITY_CONTROL_TOKEN): Authorization: Bearer TOKEN; an agent shows the token of its run, as long as that goes on")
		case a.open(run, r):
			next.ServeHTTP(w, r)
		default:
			refuse(w, http.StatusForbidden, "operator-only", fmt.Sprintf(
				"this is the token of run %s, with which its agent posts what came of its work (POST /v1/runs/%[1]s/outcome), reads the run's approvals and drafts, and does nothing else; this takes the operator's control token (PARITY_CONTROL_TOKEN)", run))
		}
	})
}

// open tells whether the token of run is good for a request. Nothing else is
// told of requests that it is not good for: neither that a path is none, nor
// that a run is.
func (a *admin) open(run string, r *http.Request) bool {
	m := a.contract.Match(r.Method, r.URL.EscapedPath())
	return m.Operation != nil && a.agents[m.Operation.ID] && m.Path["run"] == run
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
