package notion

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/specs"
)

// Word puts what the gateway has to say into Notion's own error shape.
func (f *Fake) Render(t fakes.Problem) fakes.Reply {
	r := worded(t)
	if t.Kind == fakes.Unauthorised && t.Path != "" && f.contract.MatchCall(&specs.Call{Method: t.Method, Path: t.Path}).Operation == nil {
		r = noSuchURL() // an address is judged before a token, as recorded
		t.Code, t.Message = "", ""
	}
	if t.Status != 0 {
		r.status = t.Status
	}
	if t.Code != "" {
		r.code = t.Code
	}
	if t.Message != "" {
		r.message = t.Message
	}
	if t.RetryAfter > 0 {
		r.retry = t.RetryAfter
	}
	given := r.reply(uuidFrom(t.RequestID, "4"))
	if !t.RetryDate.IsZero() {
		given.Header.Set("Retry-After", t.RetryDate.UTC().Format(http.TimeFormat))
	}
	return given
}

// worded is the error of each kind of trouble as Notion itself would send it.
func worded(t fakes.Problem) *refusal {
	switch t.Kind {
	case fakes.BadRequest:
		return violated(t.Violations)
	case fakes.NoOperation, fakes.NoMethod:
		return noSuchURL()
	case fakes.Unauthorised:
		if strings.HasPrefix(t.Path, "/v1/oauth/") {
			return &refusal{status: http.StatusUnauthorized, code: "invalid_client", message: "Client authentication failed.", oauth: true}
		}
		return unauthorised()
	case fakes.RateLimited:
		return limitedFor(0)
	case fakes.TooLarge:
		return tooLarge()
	case fakes.SessionExpired, fakes.Revoked: // a token that is no more is as unknown as any
		return unauthorised()
	case fakes.Forbidden:
		return restricted()
	case fakes.CursorExpired:
		return badCursor(kit.Clip(t.Asked("start_cursor")))
	case fakes.KeyInFlight, fakes.KeyReused, fakes.Locked: // there are no keys and no locks: conflicts are all alike
		return broken(http.StatusConflict)
	case fakes.OverQuota:
		return limitedFor(0)
	case fakes.Retired: // what a version does not have any more is no address
		return noSuchURL()
	}
	return broken(t.Status)
}

func noSuchURL() *refusal {
	return &refusal{status: http.StatusBadRequest, code: codeURL, message: "Invalid request URL."}
}

func unauthorised() *refusal {
	return &refusal{status: http.StatusUnauthorized, code: codeAuth, message: "API token is invalid."}
}

func limitedFor(wait time.Duration) *refusal {
	return &refusal{status: http.StatusTooManyRequests, code: codeLimited, message: "You have been rate limited. Please try again in a few minutes.", retry: wait}
}

// tooLarge is a body over 500 kB. Source: developers.notion.com, Request limits.
func tooLarge() *refusal {
	return &refusal{status: http.StatusRequestEntityTooLarge, code: codeValidation, message: "Request body too large."}
}

// broken is a failure of the service, in the code that its status calls for.
func broken(status int) *refusal {
	r := &refusal{status: status, code: "internal_server_error", message: "Unexpected error occurred."}
	switch status {
	case 0:
		r.status = http.StatusInternalServerError
	case http.StatusBadRequest:
		r.code, r.message = codeValidation, "The request could not be served."
	case http.StatusUnauthorized:
		return unauthorised()
	case http.StatusForbidden:
		return restricted()
	case http.StatusNotFound:
		r.code, r.message = codeMissing, "Could not find the object."
	case http.StatusConflict:
		r.code, r.message = codeConflict, "Conflict occurred while saving. Please try again."
	case http.StatusTooManyRequests:
		return limitedFor(0)
	case http.StatusBadGateway, http.StatusServiceUnavailable:
		r.code, r.message = "service_unavailable", "Public API service is temporarily unavailable. Please try again later."
	case http.StatusGatewayTimeout:
		r.code, r.message = "gateway_timeout", "The request timed out. Please try again later."
	case 529:
		r.code, r.message = "service_overload", "The service is overloaded. Please try again later."
	}
	return r
}

// violated words what the contract itself refuses: bodies that are no JSON, or
// no object. All else is the fake's to judge.
func violated(all []specs.Violation) *refusal {
	for _, v := range all {
		switch v.Rule {
		case specs.RuleSyntax, specs.RuleSize:
			return &refusal{status: http.StatusBadRequest, code: codeJSON, message: "Error parsing JSON body."}
		case specs.RuleContentType:
			return invalid("body", should("body", "an object", undefined))
		case specs.RuleUnknown:
			if v.In == "query" {
				return invalid("query", should("query"+pointed(v.Pointer), "not present", quoted(v.Got)))
			}
			if v.In == "body" {
				return invalid("body", should("body"+pointed(v.Pointer), "not present", got(v.Got)))
			}
		case specs.RuleType:
			if v.In == "body" && v.Pointer == "" {
				return invalid("body", should("body", "an object", v.Got))
			}
		case specs.RuleFormat, specs.RuleRequired:
			if v.Pointer != "" && v.In != "path" {
				return misplaced(v)
			}
		}
	}
	return refuse("The request could not be understood.")
}

// misplaced words what one value, or the lack of it, was blamed for.
func misplaced(v specs.Violation) *refusal {
	if v.Rule == specs.RuleRequired {
		return invalid(v.In, should(v.In+pointed(v.Pointer), "defined", undefined))
	}
	return invalid(v.In, should(v.In+pointed(v.Pointer), strings.TrimPrefix(v.Message, "must be "), got(v.Got)))
}

// pointed is a JSON pointer as Notion writes places.
func pointed(pointer string) string {
	where := ""
	for _, name := range specs.PointerNames(pointer) {
		if _, err := strconv.Atoi(name); err == nil {
			where += "[" + name + "]"
		} else {
			where += "." + name
		}
	}
	return where
}

// got is what came, as far as a violation tells: texts are without quotes there.
func got(text string) string {
	switch text {
	case "an object":
		return "{}"
	case "an array":
		return "[]"
	case "true", "false", "null":
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return quoted(text)
}
