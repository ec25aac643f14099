package slack

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes/cast"
)

// Codes that are named more than once.
const (
	rateLimited      = "ratelimited"
	channelNotFound  = "channel_not_found"
	messageNotFound  = "message_not_found"
	notInChannel     = "not_in_channel"
	isArchived       = "is_archived"
	userNotFound     = "user_not_found"
	fileNotFound     = "file_not_found"
	wrongKind        = "method_not_supported_for_channel_type"
	invalidCursor    = "invalid_cursor"
	invalidLimit     = "invalid_limit"
	invalidArguments = "invalid_arguments"
	invalidAuth      = "invalid_auth"
)

// A refusal is an error in Slack's shape: nearly always a 200 with "ok": false.
type refusal struct {
	code             string
	needed, provided string
	messages         []string
	warnings         []string
	errors           []any
	wait             time.Duration
	fields           map[string]any
}

func refuse(code string) *refusal { return &refusal{code: code} }

func (r *refusal) status() int {
	if r.code == rateLimited {
		return http.StatusTooManyRequests
	}
	return http.StatusOK
}

// body is the error document.
func (r *refusal) body() map[string]any {
	body := map[string]any{"ok": false, "error": r.code}
	if r.needed != "" {
		body["needed"], body["provided"] = r.needed, r.provided
	}
	meta := map[string]any{}
	if len(r.messages) > 0 {
		meta["messages"] = cast.Anys(r.messages)
	}
	if len(r.warnings) > 0 {
		meta["warnings"] = cast.Anys(r.warnings)
		body["warning"] = strings.Join(r.warnings, ",")
	}
	if len(meta) > 0 {
		body["response_metadata"] = meta
	}
	if len(r.errors) > 0 {
		body["errors"] = r.errors
	}
	for field, value := range r.fields {
		body[field] = value
	}
	return body
}

// seconds is a wait as Retry-After gives it: whole, and never less.
func seconds(wait time.Duration) string {
	return strconv.FormatInt(int64(max(1, (wait+time.Second-1)/time.Second)), 10)
}

// requestID makes of what was drawn the 32 hexadecimal digits of a request's
// id.
func requestID(drawn string) string {
	const digits = "0123456789abcdef"
	id := make([]byte, 0, len(drawn))
	for i := range len(drawn) {
		id = append(id, digits[drawn[i]&15])
	}
	return string(id)
}
