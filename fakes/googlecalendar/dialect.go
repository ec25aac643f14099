package googlecalendar

import (
	"fmt"
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/specs"
)

// Word puts what the gateway has to say into Google's own error shape.
func (f *Fake) Render(t fakes.Problem) fakes.Reply {
	r := worded(t)
	if t.Kind == fakes.Forbidden {
		r = f.lacking(t)
	}
	if t.Status != 0 {
		r.status = t.Status
	}
	if t.Kind != fakes.Unauthorised {
		if t.Code != "" {
			r.reason = t.Code
		}
		if t.Message != "" {
			r.message = t.Message
			if t.Kind != fakes.Forbidden { // its inner one is of another wording anyway
				r.inner = ""
			}
		}
	}
	c := &call{Call: &fakes.Call{Header: t.Header}}
	reply := c.refuse(r)
	if after := t.After(); after != "" {
		reply.Header.Set("Retry-After", after)
	}
	return reply
}

// lacking refuses a token without the scope of the operation that the call is of.
// A token endpoint has that endpoint's shape.
// Source: github.com/GeneralTask/task-manager/pull/2160, as Google answered.
func (f *Fake) lacking(t fakes.Problem) *refusal {
	if strings.HasSuffix(t.Path, "/token") || strings.HasSuffix(t.Path, "/revoke") {
		return oauthError(http.StatusForbidden, "access_denied", "Forbidden")
	}
	m := f.contract.Match(t.Method, t.Path)
	if m.Operation == nil {
		return refused(http.StatusForbidden, "forbidden", "Forbidden")
	}
	return lowScope(methodOf(m.Operation.ID), fullScopes(f.scopes[m.Operation.ID]))
}

// worded is the error of each kind of trouble as Google itself would send it.
func worded(t fakes.Problem) *refusal {
	switch t.Kind {
	case fakes.BadRequest:
		return violated(t)
	case fakes.Unauthorised:
		return refusedToken(t)
	case fakes.NoOperation, fakes.NoMethod:
		return refused(http.StatusNotFound, "notFound", "Not Found")
	case fakes.RateLimited:
		r := refused(http.StatusForbidden, "rateLimitExceeded", "Rate Limit Exceeded")
		if t.Status == http.StatusTooManyRequests {
			r.status = t.Status
		}
		r.domain = usageLimits
		return r
	case fakes.TooLarge:
		return refused(http.StatusRequestEntityTooLarge, "uploadTooLarge", "Request Too Large")
	}
	if r := stopped(t); r != nil {
		return r
	}
	switch t.Status {
	case http.StatusServiceUnavailable:
		return refused(t.Status, "backendError", "Service Unavailable")
	case http.StatusConflict:
		return duplicate()
	case http.StatusNotFound:
		return notFound()
	case http.StatusPreconditionFailed:
		return precondition("If-Match")
	case http.StatusUnauthorized:
		return invalidToken()
	case http.StatusGone:
		return gone()
	case http.StatusTooManyRequests:
		r := refused(t.Status, "rateLimitExceeded", "Rate Limit Exceeded")
		r.domain = usageLimits
		return r
	}
	return refused(http.StatusInternalServerError, "backendError", "Backend Error")
}

// stopped words what was good, and is not any more; nil for other trouble.
// Source: developers.google.com/workspace/calendar/api/guides/errors; a locked
// record and a retired method are not there.
func stopped(t fakes.Problem) *refusal {
	switch t.Kind {
	case fakes.SessionExpired, fakes.Revoked:
		return invalidToken()
	case fakes.CursorExpired:
		if t.Asked("syncToken") != "" {
			return fullSync()
		}
		return badPage()
	case fakes.KeyInFlight, fakes.KeyReused:
		return duplicate()
	case fakes.Locked:
		return refused(http.StatusConflict, "conflict", "Conflict")
	case fakes.OverQuota:
		r := refused(http.StatusForbidden, "dailyLimitExceeded", "Daily Limit Exceeded")
		r.domain = usageLimits
		return r
	case fakes.Retired:
		return refused(http.StatusGone, "gone", "This method is no longer available.")
	}
	return nil
}

// violated words the first breach of the contract. Those of a token endpoint
// have that endpoint's shape.
func violated(t fakes.Problem) *refusal {
	if len(t.Violations) == 0 {
		return badRequest()
	}
	v := t.Violations[0]
	if strings.HasSuffix(t.Path, "/token") || strings.HasSuffix(t.Path, "/revoke") {
		return oauthError(http.StatusBadRequest, "invalid_request", "Bad Request")
	}
	if v.In == "query" {
		return wrongParameter(v)
	}
	switch v.Rule {
	case specs.RuleContentType:
		return refused(http.StatusBadRequest, "badContent", "Unsupported content with type: "+kit.Clip(v.Got))
	case specs.RuleSyntax, specs.RuleSize:
		return refused(http.StatusBadRequest, "parseError", "Parse Error")
	case specs.RuleRequired:
		return missing("Required")
	case specs.RuleEnum:
		return invalid("Invalid %s value.", last(v.Pointer))
	}
	return invalid("Invalid value for: " + last(v.Pointer))
}

// wrongParameter words what is wrong with a query parameter.
func wrongParameter(v specs.Violation) *refusal {
	name := first(v.Pointer)
	got := strings.Trim(v.Got, `"`)
	switch v.Rule {
	case specs.RuleRequired:
		return parameter(name, "required", "Required parameter: "+name)
	case specs.RuleEnum:
		return parameter(name, "invalidParameter", fmt.Sprintf("Invalid string value: '%s'. Allowed values: [%s]", got, strings.ToLower(v.Want)))
	case specs.RuleType:
		kind := v.Want
		return parameter(name, "invalidParameter", fmt.Sprintf("Invalid %s value: '%s'.", kind, got))
	case "minimum", "maximum":
		return parameter(name, "invalidParameter", fmt.Sprintf("Invalid integer value: '%s'. Values must be within the range: [%s]", got, v.Want))
	}
	return parameter(name, "invalidParameter", "Invalid value for: "+name)
}

func first(pointer string) string {
	if names := specs.PointerNames(pointer); len(names) > 0 {
		return names[0]
	}
	return ""
}

func last(pointer string) string {
	if names := specs.PointerNames(pointer); len(names) > 0 {
		return names[len(names)-1]
	}
	return ""
}
