package zendesk

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/specs"
)

// Word puts what the gateway has to say into Zendesk's own error shapes.
func (f *Fake) Render(t fakes.Problem) fakes.Reply {
	r := worded(t)
	if t.Status != 0 {
		r.status = t.Status
	}
	if t.Code != "" && r.body != nil {
		r.body["error"] = t.Code
	}
	if t.Message != "" && r.body != nil {
		said := map[string]any{"error": r.body["error"], "description": t.Message}
		if inner, ok := r.body["error"].(map[string]any); ok {
			said = map[string]any{"error": map[string]any{"title": inner["title"], "message": t.Message}}
		}
		r.body = said
	}
	header := common(strings.ToLower(t.RequestID))
	header["Cache-Control"] = []string{"no-cache"}
	if t.RetryAfter > 0 {
		r.after = t.RetryAfter
	}
	reply := r.reply(header)
	if !t.RetryDate.IsZero() {
		header.Set("Retry-After", t.RetryDate.UTC().Format(http.TimeFormat))
	}
	if (t.Kind == fakes.SessionExpired || t.Kind == fakes.Revoked) && r.body["error"] == "invalid_token" {
		header.Set("Www-Authenticate", `Bearer realm="Zendesk", error="invalid_token"`)
	}
	if t.Kind == fakes.RateLimited || t.Kind == fakes.OverQuota {
		limit := strconv.Itoa(perMinute)
		for name, value := range map[string]string{"X-Rate-Limit": limit, "X-Rate-Limit-Remaining": "0", "Ratelimit-Limit": limit, "Ratelimit-Remaining": "0"} {
			header.Set(name, value)
		}
		header.Set("Ratelimit-Reset", strconv.Itoa(int(max(t.RetryAfter, time.Second)/time.Second)))
	}
	return reply
}

// worded is the error of each kind of trouble as Zendesk itself would send it.
func worded(t fakes.Problem) *refusal {
	switch t.Kind {
	case fakes.BadRequest:
		return violated(t)
	case fakes.NoOperation, fakes.NoMethod:
		return named(http.StatusNotFound, "InvalidEndpoint", "Not found")
	case fakes.Unauthorised:
		return unauthenticated()
	case fakes.RateLimited:
		r := tooMany(t.RetryAfter)
		r.after = t.RetryAfter
		return r
	case fakes.TooLarge:
		return &refusal{status: http.StatusRequestEntityTooLarge, text: "Request Entity Too Large"}
	case fakes.Forbidden: // github.com/facetoe/zenpy/issues/336
		return forbidden()
	}
	if r := stopped(t); r != nil {
		return r
	}
	return broken(t.Status)
}

// stopped words what was good, and is not any more; nil for other trouble.
// Source: developer.zendesk.com/api-reference/introduction/security-and-auth for
// tokens, .../ticketing/tickets/tickets/#protecting-against-ticket-update-collisions
// for locks. The words of a cursor and of a retired path are made up.
func stopped(t fakes.Problem) *refusal {
	switch t.Kind {
	case fakes.SessionExpired, fakes.Revoked: // one text for both
		if kit.AuthorizationOf(t.Header).Is("Bearer") {
			return named(http.StatusUnauthorized, "invalid_token", "The access token provided is expired, revoked, malformed or invalid for other reasons.")
		}
		return unauthenticated()
	case fakes.CursorExpired:
		return named(http.StatusBadRequest, "InvalidCursor", "cursor is not valid")
	case fakes.KeyInFlight:
		return keyInFlight()
	case fakes.KeyReused:
		return keyReused()
	case fakes.Locked:
		return broken(http.StatusConflict)
	case fakes.OverQuota:
		r := tooMany(t.RetryAfter)
		r.after = t.RetryAfter
		return r
	case fakes.Retired:
		return named(http.StatusGone, "InvalidEndpoint", "This endpoint has been removed")
	}
	return nil
}

func keyInFlight() *refusal {
	return named(http.StatusConflict, "IdempotentRequestError", "A request with this Idempotency-Key is in progress.")
}

func keyReused() *refusal {
	return named(http.StatusBadRequest, "IdempotentRequestError", "Request parameters do not match. Please provide the same request parameters for the same Idempotency-Key.")
}

// broken is a failure of the service. Those of servers in front are plain text.
func broken(status int) *refusal {
	switch {
	case status == 0 || status == http.StatusInternalServerError:
		return titled(http.StatusInternalServerError, "Internal Server Error", "An unexpected error occurred. Please try again later.")
	case status == http.StatusConflict:
		return named(status, "DatabaseConflict", "Database collision")
	case status == http.StatusServiceUnavailable:
		return &refusal{status: status, text: "Service Unavailable"}
	case status == http.StatusForbidden:
		r := forbidden()
		return r
	case status == http.StatusNotFound:
		return notFound()
	case status == http.StatusTooManyRequests:
		return tooMany(0)
	case status == http.StatusUnprocessableEntity:
		return named(status, "RecordInvalid", "Record validation errors")
	}
	return &refusal{status: status, text: http.StatusText(status)}
}

// violated words the first violation of a request. Enums of records are told as
// validation errors, types as invalid attributes.
func violated(t fakes.Problem) *refusal {
	if len(t.Violations) == 0 {
		return titled(http.StatusBadRequest, "Bad Request", "The request could not be understood.")
	}
	v := t.Violations[0]
	for _, other := range t.Violations { // a path names the record: it comes first
		if other.In == "path" {
			v = other
			break
		}
	}
	names := specs.PointerNames(v.Pointer)
	last := ""
	if len(names) > 0 {
		last = kit.Clip(names[len(names)-1])
	}
	action := actionOf(t.Method, t.Path)
	switch {
	case v.In == "path":
		if strings.Contains(t.Path, "/help_center/") || !strings.HasSuffix(last, "_id") {
			return notFound()
		}
		return invalidAttribute("id", "an integer", action)
	case v.Rule == specs.RuleSyntax, v.Rule == specs.RuleSize:
		return &refusal{status: http.StatusUnprocessableEntity, body: map[string]any{"error": "Unprocessable Entity", "message": "Server could not parse JSON"}}
	case v.Rule == specs.RuleContentType:
		return &refusal{status: http.StatusUnsupportedMediaType, body: map[string]any{"error": "Unsupported Media Type", "message": "Content-Type must be application/json"}}
	case v.Rule == specs.RuleEnum:
		return invalid(wrong(last))
	case v.Rule == specs.RuleRequired && len(names) == 0:
		return titled(http.StatusBadRequest, "Parameter Missing", "Required parameter missing: %s", wrapped(t.Path))
	}
	want := v.Want
	if want == "" && strings.HasSuffix(last, "_id") {
		want = "integer"
	} else if want == "" {
		want = "boolean"
	}
	return invalidAttribute(kit.Clip(strings.Join(names, ".")), must(want), action)
}

// must says what a value has to be, in the words of Zendesk's own library.
func must(want string) string {
	switch {
	case strings.Contains(want, "integer"):
		return "an integer"
	case strings.Contains(want, "boolean"):
		return "a boolean"
	case strings.Contains(want, "object"):
		return "a hash"
	case strings.Contains(want, "array"):
		return "an array"
	case strings.Contains(want, "string"):
		return "a string"
	}
	return "valid"
}

// actionOf names the action of a request as refusals do: api/v2/tickets/show.
func actionOf(method, path string) string {
	parts := strings.Split(strings.TrimSuffix(strings.Trim(kit.Clip(path), "/"), ".json"), "/")
	if len(parts) < 3 {
		return strings.Join(parts, "/")
	}
	base, rest := strings.Join(parts[:3], "/"), parts[3:]
	verbs := map[string]string{http.MethodGet: "index", http.MethodPost: "create", http.MethodPut: "update", http.MethodPatch: "update", http.MethodDelete: "destroy"}
	switch {
	case len(rest) == 0:
		return base + "/" + verbs[method]
	case len(rest) == 1 && method == http.MethodGet:
		return base + "/show"
	case len(rest) == 1:
		return base + "/" + verbs[method]
	}
	return base + "/" + rest[1]
}

// wrapped names what a body has to wrap: the ticket of /api/v2/tickets/5.
func wrapped(path string) string {
	parts := strings.Split(strings.TrimSuffix(strings.Trim(path, "/"), ".json"), "/")
	if len(parts) < 3 {
		return "body"
	}
	return strings.TrimSuffix(kit.Clip(parts[2]), "s")
}
