package exchange

import (
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/jobs"
	"parity/fakes/kit"
	"parity/faults/trail"
	"parity/gateway/ingress"
	"parity/profiles"
	"parity/profiles/policy"
	"parity/specs"
)

// match finds the operation, who calls it, and whether the request is what the
// contract allows.
func (x *Exchange) match() {
	if x.answered || !x.served() {
		return
	}
	undeclared := x.rev.Profile.Undeclared(x.service.Name)
	m, beyond := x.sought(undeclared != profiles.Refused)
	if m.Operation == nil {
		x.unmatched(m)
		return
	}
	x.op = m.Operation
	if x.known == nil {
		x.known = x.rev.about(x.op)
	}
	x.entry.Operation, x.entry.Bare, x.entry.OperationID, x.entry.Effect = x.known.name, x.known.bare, x.op.ID, x.known.effect
	x.entry.Path = x.shownPath(m.Path)
	var violations []specs.Violation
	x.input, violations = x.op.Read(specs.Request{Path: m.Path, Query: x.r.URL.RawQuery, Header: x.r.Header, Body: x.body})
	if !x.identify() {
		return
	}
	x.checkRequest(violations)
	x.input.Query = x.op.Anonymous(x.input.Query)
	x.fingerprint = x.rev.Profile.Meaning(x.op).Fingerprint(x.whose(), x.op, x.input, x.began)
	if !x.authorise() {
		return
	}
	if len(violations) == 0 && undeclared != profiles.Ignored {
		violations = x.op.Undeclared(x.input)
	}
	if beyond != "" {
		violations = append(violations, specs.Beyond(beyond))
	}
	if len(violations) == 0 {
		return
	}
	refused := undeclared == profiles.Refused || len(specs.Refused(violations)) > 0
	if undeclared == profiles.Flagged && violations[0].Rule == specs.RuleUndeclared {
		refused = false
	}
	for i := range violations {
		v := &violations[i]
		v.Pointer, v.Message = kit.Clip(v.Pointer), kit.Clip(v.Message) // a name may be as long as the body
		pointer := x.rev.Profile.Secrets.Text(v.Pointer, x.hider())     // of a body that cannot be read it is all that is kept
		x.entry.Violations = append(x.entry.Violations, trail.Violation{In: v.In, Pointer: pointer, Rule: v.Rule, Message: v.Message})
	}
	if !refused {
		return
	}
	x.trouble(trail.Invalid, fakes.Problem{Kind: fakes.BadRequest, Violations: violations}, http.StatusBadRequest, "contract",
		violations[0].Message)
	if _, words := x.service.Fake.(fakes.Dialect); !words {
		x.reply = violated(http.StatusBadRequest, "contract", x.entry.Violations)
	}
}

// sought finds the operation in the service, in what stands beside it, among
// jobs, and, where that may be, at nearly the path that was asked for. Beyond
// says what of the path is in no contract.
func (x *Exchange) sought(leniently bool) (m specs.Match, beyond string) {
	m = x.matched(x.service)
	if other, ok := x.rev.beside[x.service.Name]; ok && m.Operation == nil {
		if its := x.matched(other); its.Operation != nil {
			x.found(other, x.base)
			m = its
		}
	}
	if m.Operation == nil && jobs.Serves(x.path) {
		m = x.addressed(m)
	}
	if m.Operation == nil && leniently {
		if its, what := x.service.Contract.MatchLenient(x.asked()); its.Operation != nil {
			return its, what
		}
	}
	return m, ""
}

// matched finds the operation that a service has for the request.
func (a *arrived) matched(s fakes.Service) specs.Match {
	m := s.Contract.MatchCall(a.asked())
	if m.Operation == nil && a.origin.Way == ingress.Direct {
		// The client's base URL may stand for the server's whole address.
		if bare := s.Contract.MatchBare(a.asked()); bare.Operation != nil || len(m.Allowed) == 0 {
			return bare
		}
	}
	return m
}

func (x *Exchange) unmatched(m specs.Match) {
	if !x.identify() || !x.unclassed() {
		return
	}
	t, status, message := fakes.Problem{Kind: fakes.NoOperation}, http.StatusNotFound, x.service.Name+" has no operation at "+kit.Clip(x.path)
	if len(m.Allowed) > 0 {
		t.Kind, status = fakes.NoMethod, http.StatusMethodNotAllowed
		message = x.service.Name + " allows " + strings.Join(m.Allowed, ", ") + " at " + kit.Clip(x.path)
	}
	x.trouble(trail.Unknown, t, status, "no-operation", message)
	x.entry.Note = message
}

// unclassed refuses a call to no operation where the profile has a policy: what it
// does to a real service nobody knows. It tells whether the call goes on.
func (x *Exchange) unclassed() bool {
	if x.rev.Authority(x.run.Stage) == nil || x.r.Method == http.MethodGet || x.r.Method == http.MethodHead {
		return true
	}
	x.entry.Policy = &trail.Policy{Stage: x.run.Stage}
	x.forbid(policy.CodeNoPolicy, x.service.Name+" has no operation at "+kit.Clip(x.path)+" that policy knows of. Nothing was done.")
	return false
}

// identify finds out who calls. The credential itself goes no further: what is
// kept is a digest under the run's seed.
func (x *Exchange) identify() bool {
	if x.preauthenticated {
		return true
	}
	i, ok := x.service.Fake.(fakes.Identifier)
	if !ok {
		return true
	}
	credential, trouble := i.Identify(fakes.Credentials{Header: x.r.Header, Query: x.input.Query, Body: x.input.Body})
	if credential != "" {
		x.identity, x.generation = x.showing(credential)
	}
	if trouble == nil {
		return true
	}
	x.trouble(trail.Answered, *trouble, http.StatusUnauthorized, "unauthorised", "no credential that the service would take")
	return false
}

// identityOf is the identity of whoever shows a credential.
func (x *Exchange) identityOf(shown string) string {
	identity, _ := x.showing(shown)
	return identity
}

// showing is identityOf, and tells which generation of a credential it is that was
// made for the run.
func (x *Exchange) showing(shown string) (identity string, generation int) {
	name, generation := x.mintedFor(shown)
	if name == "" && len(x.rev.named) > 0 {
		name = x.rev.named[profiles.CredentialDigest(shown)]
	}
	if name == "" {
		return x.run.identities.of(x.run.Seed, x.service, shown), generation
	}
	return fakes.IdentityPrefix(x.service.Name, x.service.Fake, shown) + name, generation
}

// requestID is an id for a reply that no fake gave: drawn from the intent, and
// where there is none, from the request itself: of one that policy refuses, from
// what a replay knows of it too.
func (x *Exchange) requestID() string {
	if in := x.entry.Intent; in.ID != "" {
		return "req_" + chance.ID(x.run.Seed, 14, "request", in.ID, strconv.Itoa(in.Attempt))
	}
	if x.forbidden {
		return "req_" + chance.ID(x.run.Seed, 14, "request", "forbidden", x.identity, x.fingerprint)
	}
	return "req_" + chance.ID(x.run.Seed, 14, "request", x.identity, x.r.Method, x.path, hex.EncodeToString(x.body), x.r.URL.RawQuery)
}

// whose is who calls, and for which account where one caller acts in several.
func (x *Exchange) whose() string { return actingFor(x.identity, x.account()) }

// account is the one of several that the call says it is for; "": the caller's own.
func (x *Exchange) account() string {
	if scoped, ok := x.service.Fake.(fakes.Scoped); ok {
		return scoped.Scope(x.r.Header)
	}
	return ""
}

func actingFor(identity, account string) string {
	if account == "" {
		return identity
	}
	return identity + " for " + account
}
