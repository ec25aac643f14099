package zendesk

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// A refusal is an error in one of Zendesk's shapes.
type refusal struct {
	status int
	body   map[string]any
	text   string // instead of body
	after  time.Duration
}

func (r *refusal) reply(header http.Header) fakes.Reply {
	if r.after > 0 {
		header.Set("Retry-After", strconv.Itoa(int((r.after+time.Second-1)/time.Second)))
	}
	if r.text != "" {
		header.Set("Content-Type", "text/plain; charset=utf-8")
		return fakes.Reply{Status: r.status, Header: header, Body: []byte(r.text)}
	}
	header.Set("Content-Type", "application/json; charset=utf-8")
	return kit.ValueReply(r.status, header, r.body)
}

func named(status int, name, description string) *refusal {
	body := map[string]any{"error": name}
	if description != "" {
		body["description"] = description
	}
	return &refusal{status: status, body: body}
}

func titled(status int, title, message string, args ...any) *refusal {
	if len(args) > 0 {
		message = fmt.Sprintf(message, args...)
	}
	return &refusal{status: status, body: map[string]any{"error": map[string]any{"title": title, "message": message}}}
}

// notFound is recorded.
func notFound() *refusal { return named(http.StatusNotFound, "RecordNotFound", "Not found") }

func unauthenticated() *refusal {
	return named(http.StatusUnauthorized, "Couldn't authenticate you", "")
}

func forbidden() *refusal {
	return titled(http.StatusForbidden, "Forbidden", "You do not have access to this page. Please contact the account owner of this help desk for further help.")
}

func missingScope() *refusal {
	return named(http.StatusForbidden, "Forbidden", "You are missing the following required scopes: read, write")
}

func tooMany(after time.Duration) *refusal {
	r := named(http.StatusTooManyRequests, "APIRateLimitExceeded", "Number of allowed API requests per minute exceeded")
	r.after = max(after, time.Second)
	return r
}

// tooManyValues refuses a list of more than a job takes, as recorded.
func tooManyValues() *refusal {
	r := named(http.StatusBadRequest, "TooManyValues", fmt.Sprintf("Parameter  cannot specify more than %d values", mostAtOnce))
	r.body["max_count"] = int64(mostAtOnce)
	return r
}

// invalidAttribute is how parameters are refused.
// Source: recorded; github.com/zendesk/stronger_parameters.
func invalidAttribute(attribute, must, action string) *refusal {
	return titled(http.StatusBadRequest, "Invalid attribute", "You passed an invalid value for the %s attribute. Invalid parameter: %[1]s must be %s from %s", attribute, must, action)
}

// A fault is what is wrong with one field of a record.
type fault struct {
	field, description, code string
	more                     map[string]any
}

// invalid refuses a record for its fields.
func invalid(faults ...fault) *refusal {
	details := map[string]any{}
	for _, f := range faults {
		one := map[string]any{"description": f.description}
		if f.code != "" {
			one["error"] = f.code
		}
		for name, value := range f.more {
			one[name] = value
		}
		details[f.field] = append(cast.List(details[f.field]), one)
	}
	return &refusal{status: http.StatusUnprocessableEntity, body: map[string]any{
		"error": "RecordInvalid", "description": "Record validation errors", "details": details,
	}}
}

// titleOf writes a field as messages do: organization_id is Organization.
func titleOf(field string) string {
	words := strings.Split(strings.TrimSuffix(field, "_id"), "_")
	if words[0] != "" {
		words[0] = strings.ToUpper(words[0][:1]) + words[0][1:]
	}
	return strings.Join(words, " ")
}

func blank(field string) fault {
	return fault{field: field, description: titleOf(field) + ": cannot be blank", code: "BlankValue"}
}

func wrong(field string) fault {
	return fault{field: field, description: titleOf(field) + ": is invalid", code: "InvalidValue"}
}
