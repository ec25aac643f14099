package stripe

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/specs"
)

// Word puts what the gateway has to say into Stripe's own error shape.
func (f *Fake) Render(t fakes.Problem) fakes.Reply {
	r := worded(t)
	if t.Status != 0 {
		r.status = t.Status
	}
	if t.Code != "" {
		r.code = t.Code
	}
	if t.Message != "" {
		r.message = t.Message
	}
	header := f.troubleHeader(t)
	if r.status == http.StatusUnauthorized {
		header.Set("Www-Authenticate", `Basic realm="Stripe"`)
	}
	if t.Kind == fakes.RateLimited {
		header.Set("Stripe-Rate-Limited-Reason", "global-rate")
	}
	return kit.ValueReply(r.status, header, r.body(t.RequestID, time.Time{}))
}

// worded is the error of each kind of trouble as Stripe itself would send it.
func worded(t fakes.Problem) *refusal {
	switch t.Kind {
	case fakes.BadRequest:
		return violated(t.Violations)
	case fakes.NoOperation, fakes.NoMethod:
		return unrecognised(t.Method, t.Path)
	case fakes.Unauthorised:
		return &refusal{status: http.StatusUnauthorized, message: noKey}
	case fakes.RateLimited:
		return &refusal{status: http.StatusTooManyRequests, code: "rate_limit", message: "Request rate limit exceeded. You can learn more about rate limits here https://stripe.com/docs/rate-limits."}
	case fakes.TooLarge:
		return &refusal{status: http.StatusRequestEntityTooLarge, message: "Request body is too large. Please send less data in one request."}
	case fakes.Forbidden:
		return forbidden(secretKey(t.Header))
	}
	if r := stopped(t); r != nil {
		return r
	}
	return broken(t.Status)
}

// forbidden refuses a key without the permission for a call.
// Source: github.com/stripe/stripe-node/issues/2246; stripe-node makes a
// StripePermissionError of the status.
func forbidden(key string) *refusal {
	whose := "The provided key "
	if key != "" {
		whose += "'" + masked(key) + "' "
	}
	return &refusal{status: http.StatusForbidden, kind: invalidRequest, message: whose + "does not have the required permissions for this endpoint."}
}

// stopped words what was good, and is not any more; nil for other trouble.
// A key that was rolled or revoked is said to have expired.
// Source: docs.stripe.com/error-codes and docs.stripe.com/keys#expire-key for the
// codes, github.com/stripe/stripe-cli/pull/792 for keys that were rolled; how
// Stripe says that a path is retired is not documented.
func stopped(t fakes.Problem) *refusal {
	key := kit.Clip(t.Header.Get("Idempotency-Key"))
	switch t.Kind {
	case fakes.SessionExpired, fakes.Revoked:
		return &refusal{status: http.StatusUnauthorized, code: "api_key_expired", message: "Expired API Key provided: " + masked(secretKey(t.Header))}
	case fakes.CursorExpired:
		param := "starting_after"
		if t.Asked(param) == "" && t.Asked("ending_before") != "" {
			param = "ending_before"
		}
		what := t.Path[strings.LastIndexByte(t.Path, '/')+1:]
		return missing(http.StatusBadRequest, kit.Clip(strings.ReplaceAll(strings.TrimSuffix(what, "s"), "_", " ")), kit.Clip(t.Asked(param)), param)
	case fakes.KeyInFlight:
		return inFlight(key)
	case fakes.KeyReused:
		return otherParameters(key)
	case fakes.Locked:
		r := broken(http.StatusConflict)
		r.status = http.StatusTooManyRequests
		return r
	case fakes.OverQuota:
		return &refusal{status: http.StatusTooManyRequests, code: "rate_limit", message: "Request rate limit exceeded. You can learn more about rate limits here https://stripe.com/docs/rate-limits."}
	case fakes.Retired:
		r := unrecognised(t.Method, t.Path)
		r.status = http.StatusGone
		return r
	}
	return nil
}

// broken is a failure of the service, in the type that its status calls for.
func broken(status int) *refusal {
	r := &refusal{status: status, kind: apiError, message: "An unknown error occurred"}
	switch {
	case status == 0:
		r.status = http.StatusInternalServerError
	case status == http.StatusConflict:
		r.kind, r.code = invalidRequest, "lock_timeout"
		r.message = "This object cannot be accessed right now because another API request or Stripe process is currently accessing it. If you see this error intermittently, retry the request. If you see this error frequently and are making multiple concurrent requests to a single object, make your requests serially or at a lower rate."
	case status == http.StatusPaymentRequired:
		*r = *declined(decline{code: "card_declined", reason: "generic_decline", message: "Your card was declined."})
		r.anyParam = false
	case status == http.StatusTooManyRequests:
		r.kind, r.code, r.message = invalidRequest, "rate_limit", "Request rate limit exceeded."
	case status == http.StatusForbidden:
		return forbidden("")
	case status < http.StatusInternalServerError:
		r.kind, r.message = invalidRequest, "The request could not be served."
	case status == http.StatusServiceUnavailable:
		r.message = "Stripe is temporarily unavailable. Please try again."
	}
	return r
}

func unrecognised(method, path string) *refusal {
	hint := ""
	if strings.HasSuffix(path, "/") {
		hint = "If you are trying to list objects, remove the trailing slash. If you are trying to retrieve an object, make sure you passed a valid (non-empty) identifier in your code. "
	}
	return &refusal{status: http.StatusNotFound, message: fmt.Sprintf("Unrecognized request URL (%s: %s). %sPlease see https://stripe.com/docs or we can help at https://support.stripe.com/.", kit.Clip(method), kit.Clip(path), hint)}
}

// violated words the first violation, as Stripe does: unknown parameters
// before all others.
func violated(all []specs.Violation) *refusal {
	var first *specs.Violation
	var unknown []string
	for i, v := range all {
		if v.Rule == specs.RuleUnknown {
			unknown = append(unknown, parameter(v.Pointer))
			if len(unknown) == 1 {
				first = &all[i]
			}
		} else if first == nil {
			first = &all[i]
		}
	}
	switch {
	case first == nil:
		return invalid("", "", "The request could not be understood.")
	case len(unknown) > 1:
		return invalid(unknown[0], parameterUnknown, "Received unknown parameters: "+strings.Join(some(unknown), ", "))
	}
	return violation(*first)
}

// some keeps a list of names short enough for a message. How many Stripe itself
// would name is not documented.
func some(names []string) []string {
	const most = 20
	if len(names) <= most {
		return names
	}
	return append(names[:most-1:most-1], fmt.Sprintf("and %d more", len(names)-most+1))
}

func violation(v specs.Violation) *refusal {
	param := parameter(v.Pointer)
	v.Got = unquoted(v.Got)
	switch v.Rule {
	case specs.RuleUnknown:
		message := "Received unknown parameter: " + param
		if v.Want != "" {
			message += ". Did you mean " + v.Want + "?"
		}
		return invalid(param, parameterUnknown, message)
	case specs.RuleRequired:
		return required(param)
	case specs.RuleType:
		return wrongType(param, v)
	case specs.RuleEnum:
		return invalid(param, "", fmt.Sprintf("Invalid %s: must be one of %s", param, choices(v.Want)))
	case specs.RuleContentType, specs.RuleSyntax:
		return invalid("", "", "Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have any questions, we can help at https://support.stripe.com/.")
	case "minLength":
		return emptied(param)
	case "maxLength":
		return invalid(param, "", fmt.Sprintf("Invalid string: %s; must be at most %s characters", v.Got, v.Want))
	case "minimum":
		return invalid(param, parameterInteger, fmt.Sprintf("This value must be greater than or equal to %s.", v.Want))
	case "maximum":
		return invalid(param, parameterInteger, fmt.Sprintf("This value must be less than or equal to %s.", v.Want))
	case "pattern":
		if param == "currency" {
			_, refused := currencyOf(v.Got)
			if refused != nil {
				return refused
			}
		}
	}
	if param == "" {
		return invalid("", "", v.Message)
	}
	return invalid(param, "", fmt.Sprintf("Invalid %s: %s", param, v.Message))
}

func wrongType(param string, v specs.Violation) *refusal {
	if v.Got == "" {
		return emptied(param)
	}
	kind, code := v.Want, ""
	switch {
	case strings.Contains(kind, "integer"):
		kind, code = "integer", parameterInteger
	case strings.Contains(kind, "object"):
		kind = "object"
	case strings.Contains(kind, "boolean"):
		kind = "boolean"
	case strings.Contains(kind, "array"):
		kind = "array"
	case strings.Contains(kind, "string"):
		kind = "string"
	}
	return invalid(param, code, fmt.Sprintf("Invalid %s: %s", kind, v.Got))
}

func emptied(param string) *refusal {
	return invalid(param, parameterEmpty, fmt.Sprintf("You passed an empty string for '%[1]s'. We assume empty values are an attempt to unset a parameter; however '%[1]s' cannot be unset. You should remove '%[1]s' from your request or supply a non-empty value.", param))
}

// parameter writes a JSON pointer as Stripe writes parameters: card[number].
// It is what the client called it, and may be as long as its body.
func parameter(pointer string) string {
	param := ""
	for i, name := range specs.PointerNames(pointer) {
		if i == 0 {
			param = name
			continue
		}
		param += "[" + name + "]"
	}
	return kit.Clip(param)
}

// choices turns "a, b, c" into "a, b, or c".
func choices(list string) string {
	names := strings.Split(list, ", ")
	for i, name := range names {
		names[i] = unquoted(name)
	}
	switch n := len(names); n {
	case 1:
		return names[0]
	case 2:
		return names[0] + " or " + names[1]
	default:
		return strings.Join(names[:n-1], ", ") + ", or " + names[n-1]
	}
}

// unquoted takes the quotes off a value that the contract shows as JSON.
func unquoted(text string) string {
	if plain, err := strconv.Unquote(text); err == nil {
		return plain
	}
	return text
}

// troubleHeader makes the headers of a worded reply.
func (f *Fake) troubleHeader(t fakes.Problem) http.Header {
	version := t.Header.Get("Stripe-Version")
	if version == "" {
		version = f.version
	}
	key, original := "", ""
	if t.Method == http.MethodPost {
		if key = t.Header.Get("Idempotency-Key"); key != "" {
			original = t.RequestID
		}
	}
	return kit.Headers(
		"Content-Type", "application/json",
		"Request-Id", t.RequestID,
		"Stripe-Version", version,
		"Idempotency-Key", key,
		"Original-Request", original,
		"Retry-After", t.After(),
	)
}
