package generic

import (
	"net/http"
	"strconv"
	"strings"

	"parity/fakes"
	"parity/specs"
)

// Word puts what the gateway has to say into the shape of the contract's
// errors: of the operation's own, where it is known.
func (f *Fake) Render(t fakes.Problem) fakes.Reply {
	r := troubled(t)
	if t.Status != 0 {
		r.status = t.Status
	}
	if t.Code != "" {
		r.code = t.Code
	}
	if t.Message != "" {
		r.message = t.Message
	}
	r.header = f.troubleHeader(t, r)
	to := target{status: r.status}
	if t.Method != "" && t.Path != "" {
		if m := f.match(t); m.Operation != nil {
			p := f.plans[m.Operation.Source()]()
			if t.Kind == fakes.BadRequest && t.Status == 0 && r.status == http.StatusBadRequest {
				r.status = p.nearest(r.status, http.StatusUnprocessableEntity)
				if len(t.Violations) > 0 && t.Violations[0].Rule != specs.RuleSyntax && p.validates() {
					r.status = http.StatusUnprocessableEntity
				}
			}
			if t.Status == 0 {
				r.status = p.nearest(r.status, stands(t.Kind)...)
			}
			to = p.failure(r.status)
		}
	}
	return f.worded(f.rules.reworded(r), to, f.fixed("trouble", f.service, string(t.Kind)))
}

// match finds what the trouble is about, also where the client's base URL stands
// for the server's whole address, and where a slash at the end is left out.
func (f *Fake) match(t fakes.Problem) specs.Match {
	m := f.contract.Match(t.Method, t.Path)
	if m.Operation == nil && len(m.Allowed) == 0 {
		call := &specs.Call{Method: t.Method, Path: t.Path}
		if m = f.contract.MatchBare(call); m.Operation == nil {
			if its, _ := f.contract.MatchLenient(call); its.Operation != nil {
				return its
			}
		}
	}
	return m
}

func troubled(t fakes.Problem) *refusal {
	switch t.Kind {
	case fakes.BadRequest:
		r := &refusal{status: http.StatusBadRequest, code: "invalid_request", message: violated(t.Violations)}
		if len(t.Violations) > 0 {
			r.field = strings.ReplaceAll(strings.Trim(t.Violations[0].Pointer, "/"), "/", ".")
			if t.Violations[0].Rule == specs.RuleContentType {
				r.status, r.code = http.StatusUnsupportedMediaType, "unsupported_media_type"
			}
		}
		return r
	case fakes.NoOperation:
		return &refusal{status: http.StatusNotFound, code: "not_found", message: "There is nothing at " + t.Method + " " + t.Path}
	case fakes.NoMethod:
		return &refusal{status: http.StatusMethodNotAllowed, code: "method_not_allowed", message: t.Method + " is not allowed at " + t.Path}
	case fakes.Unauthorised:
		return &refusal{status: http.StatusUnauthorized, code: "unauthorized", message: noCredential}
	case fakes.RateLimited:
		return &refusal{status: http.StatusTooManyRequests, code: "rate_limited", message: "Too many requests; slow down."}
	case fakes.TooLarge:
		return &refusal{status: http.StatusRequestEntityTooLarge, code: "too_large", message: "The request is too large."}
	case fakes.Forbidden:
		return &refusal{status: http.StatusForbidden, code: "forbidden", message: "The credential does not allow this call."}
	}
	if r := stopped(t.Kind); r != nil {
		return r
	}
	status := t.Status
	if status == 0 {
		status = http.StatusInternalServerError
	}
	return &refusal{status: status, code: strings.ToLower(strings.ReplaceAll(http.StatusText(status), " ", "_")), message: http.StatusText(status)}
}

// stopped words what was good, and is not any more; nil for other trouble.
func stopped(kind fakes.ProblemKind) *refusal {
	switch kind {
	case fakes.SessionExpired:
		return &refusal{status: http.StatusUnauthorized, code: "token_expired", message: "The access token expired."}
	case fakes.Revoked:
		return &refusal{status: http.StatusUnauthorized, code: "token_revoked", message: "The access token was revoked."}
	case fakes.CursorExpired:
		return &refusal{status: http.StatusBadRequest, code: "invalid_cursor", message: "The cursor has expired; start over from the first page."}
	case fakes.KeyInFlight:
		return keyInFlight()
	case fakes.KeyReused:
		return keyReused()
	case fakes.Locked:
		return &refusal{status: http.StatusLocked, code: "locked", message: "The resource is locked by another request."}
	case fakes.OverQuota:
		return &refusal{status: http.StatusTooManyRequests, code: "quota_exceeded", message: "The quota is used up."}
	case fakes.Retired:
		return &refusal{status: http.StatusGone, code: "gone", message: "This operation is no longer offered."}
	}
	return nil
}

// stands are the statuses under which a contract may have what has no reply of
// its own, the nearest first.
func stands(kind fakes.ProblemKind) []int {
	switch kind {
	case fakes.SessionExpired, fakes.Revoked:
		return []int{http.StatusForbidden}
	case fakes.CursorExpired:
		return []int{http.StatusGone, http.StatusUnprocessableEntity}
	case fakes.KeyInFlight:
		return []int{http.StatusUnprocessableEntity, http.StatusBadRequest}
	case fakes.KeyReused:
		return []int{http.StatusBadRequest, http.StatusConflict}
	case fakes.Locked:
		return []int{http.StatusConflict, http.StatusPreconditionFailed}
	case fakes.OverQuota:
		return []int{http.StatusForbidden, http.StatusPaymentRequired}
	case fakes.Retired:
		return []int{http.StatusNotFound}
	}
	return nil
}

// violated words what a request breaks, the first things first.
func violated(violations []specs.Violation) string {
	const most = 3
	var parts []string
	for _, v := range violations[:min(len(violations), most)] {
		where := strings.ReplaceAll(strings.Trim(v.Pointer, "/"), "/", ".")
		if where == "" {
			where = "The " + v.In
		}
		parts = append(parts, where+" "+v.Message)
	}
	if len(parts) == 0 {
		return "The request is not as it has to be."
	}
	if more := len(violations) - most; more > 0 {
		parts = append(parts, "and "+strconv.Itoa(more)+" more")
	}
	return strings.Join(parts, "; ")
}

// troubleHeader gives the headers that go with a status, in any service.
func (f *Fake) troubleHeader(t fakes.Problem, r *refusal) http.Header {
	h := http.Header{}
	if after := t.After(); after != "" {
		h.Set("Retry-After", after)
	}
	switch r.status {
	case http.StatusMethodNotAllowed:
		if allowed := f.match(t).Allowed; len(allowed) > 0 {
			h.Set("Allow", strings.Join(allowed, ", "))
		}
	case http.StatusUnauthorized:
		challenge := f.challenge()
		if (t.Kind == fakes.SessionExpired || t.Kind == fakes.Revoked) && challenge == "Bearer" { // RFC 6750, 3.1
			challenge += ` error="invalid_token"`
		}
		h.Set("Www-Authenticate", challenge)
	}
	return h
}
