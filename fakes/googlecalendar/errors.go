package googlecalendar

import (
	"fmt"
	"net/http"
)

// The domains of Google's reasons.
const (
	global      = "global"
	ofCalendar  = "calendar"
	usageLimits = "usageLimits"
	// credentialHelp ends what Google says of credentials.
	credentialHelp = " Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."
)

// A refusal is an error in Google's shape.
type refusal struct {
	status   int
	domain   string // global when empty
	reason   string
	message  string
	inner    string // the message of the one error; message when empty
	kind     string // of the location: parameter or header
	location string
	newer    string            // the status of Google's newer shape, such as UNAUTHENTICATED
	details  []any             // of the newer shape
	oauth    string            // the error of the token endpoints; their shape is another
	header   map[string]string // beside those of every reply
}

// body is the error document.
// Source: developers.google.com/workspace/calendar/api/guides/errors.
func (r *refusal) body() map[string]any {
	if r.oauth != "" {
		body := map[string]any{"error": r.oauth}
		if r.message != "" {
			body["error_description"] = r.message
		}
		return body
	}
	one := map[string]any{"domain": r.domain, "reason": r.reason, "message": r.inner}
	if r.domain == "" {
		one["domain"] = global
	}
	if r.inner == "" {
		one["message"] = r.message
	}
	if r.kind != "" {
		one["locationType"], one["location"] = r.kind, r.location
	}
	whole := map[string]any{"code": int64(r.status), "message": r.message, "errors": []any{one}}
	if r.newer != "" {
		whole["status"] = r.newer
	}
	if r.details != nil {
		whole["details"] = r.details
	}
	return map[string]any{"error": whole}
}

func refused(status int, reason, message string) *refusal {
	return &refusal{status: status, reason: reason, message: message}
}

func invalid(message string, args ...any) *refusal {
	if len(args) > 0 {
		message = fmt.Sprintf(message, args...)
	}
	return refused(http.StatusBadRequest, "invalid", message)
}

func missing(message string) *refusal { return refused(http.StatusBadRequest, "required", message) }

// badRequest is what Google says of instants that it cannot read.
func badRequest() *refusal { return refused(http.StatusBadRequest, "badRequest", "Bad Request") }

func notFound() *refusal { return refused(http.StatusNotFound, "notFound", "Not Found") }

func duplicate() *refusal {
	return refused(http.StatusConflict, "duplicate", "The requested identifier already exists.")
}

func gone() *refusal { return refused(http.StatusGone, "deleted", "Resource has been deleted") }

func parameter(name, reason, message string) *refusal {
	return &refusal{status: http.StatusBadRequest, reason: reason, message: message, kind: "parameter", location: name}
}

func emptyRange() *refusal {
	r := parameter("timeMax", "timeRangeEmpty", "The specified time range is empty.")
	r.domain = ofCalendar
	return r
}

func precondition(header string) *refusal {
	return &refusal{status: http.StatusPreconditionFailed, reason: "conditionNotMet", message: "Precondition Failed", kind: "header", location: header}
}

func badPage() *refusal { return invalid("Invalid page token value.") }

func fullSync() *refusal {
	return &refusal{
		status: http.StatusGone, domain: ofCalendar, reason: "fullSyncRequired",
		message: "Sync token is no longer valid, a full sync is required.", kind: "parameter", location: "syncToken",
	}
}

// lowAccess refuses what the user's role at a calendar does not allow.
func lowAccess(role string) *refusal {
	r := refused(http.StatusForbidden, "requiredAccessLevel", "You need to have "+role+" access to this calendar.")
	r.domain = ofCalendar
	return r
}

// invalidToken refuses an access token that is not one, is over, or was given up.
func invalidToken() *refusal {
	return &refusal{
		status: http.StatusUnauthorized, reason: "authError", newer: "UNAUTHENTICATED", kind: "header", location: "Authorization",
		message: "Request had invalid authentication credentials." + credentialHelp, inner: "Invalid Credentials",
		header: map[string]string{"Www-Authenticate": `Bearer realm="https://accounts.google.com/", error="invalid_token"`},
	}
}

// noToken refuses a call that shows no credential.
func noToken() *refusal {
	return &refusal{
		status: http.StatusUnauthorized, reason: "required", newer: "UNAUTHENTICATED", kind: "header", location: "Authorization",
		message: "Request is missing required authentication credential." + credentialHelp, inner: "Login Required.",
		header: map[string]string{"Www-Authenticate": `Bearer realm="https://accounts.google.com/"`},
	}
}

// lowScope refuses a token that was not given the scope of an operation.
func lowScope(operation, scopes string) *refusal {
	return &refusal{
		status: http.StatusForbidden, reason: "insufficientPermissions", newer: "PERMISSION_DENIED",
		message: "Request had insufficient authentication scopes.", inner: "Insufficient Permission",
		details: []any{map[string]any{
			"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "ACCESS_TOKEN_SCOPE_INSUFFICIENT", "domain": "googleapis.com",
			"metadata": map[string]any{"service": "calendar-json.googleapis.com", "method": operation},
		}},
		header: map[string]string{"Www-Authenticate": `Bearer realm="https://accounts.google.com/", error="insufficient_scope", scope="` + scopes + `"`},
	}
}

func oauthError(status int, kind, description string) *refusal {
	return &refusal{status: status, oauth: kind, message: description}
}
