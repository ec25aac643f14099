package slack

import (
	"net/http"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/specs"
)

// Word puts what the gateway has to say into Slack's own error shape. Slack
// refuses with a 200, whatever the reason: of the statuses that are asked for,
// only 429 and those from 500 on are its own.
func (f *Fake) Render(t fakes.Problem) fakes.Reply {
	if strings.HasPrefix(t.Path, "/services/") { // hooks.slack.com speaks plain text
		if status, text := hooked(t.Kind); status != 0 {
			return fakes.Reply{Status: status, Header: kit.Headers("Content-Type", "text/plain; charset=utf-8"), Body: []byte(text)}
		}
	}
	r, status := worded(t)
	if t.Kind == fakes.Forbidden {
		r = f.lacking(t)
	}
	if t.Code != "" {
		r.code = t.Code
	}
	if t.Message != "" && t.Code != "" {
		r.messages = []string{"[ERROR] " + t.Message}
	}
	header := kit.Headers("Content-Type", "application/json; charset=utf-8", "X-Slack-Req-Id", requestID(padded(t.RequestID)))
	if after := t.After(); after != "" {
		header.Set("Retry-After", after)
	}
	return kit.ValueReply(status, header, r.body())
}

// hooked is what a webhook's address says of a call; 0: what the rest of Slack
// does.
// Source: docs.slack.dev/messaging/sending-messages-using-incoming-webhooks, errors.
func hooked(kind fakes.ProblemKind) (status int, text string) {
	switch kind {
	case fakes.BadRequest:
		return http.StatusBadRequest, "invalid_payload"
	case fakes.Forbidden:
		return http.StatusForbidden, "action_prohibited"
	case fakes.Revoked:
		return http.StatusNotFound, "no_service"
	}
	return 0, ""
}

// lacking refuses a call that its token has no right to: one of the method's
// scopes is what it would need. That a method wants none, Slack words otherwise.
// Source: docs.slack.dev/reference/methods/auth.revoke, missing_scope and no_permission.
func (f *Fake) lacking(t fakes.Problem) *refusal {
	r := refuse("no_permission")
	if m := f.methods[strings.TrimPrefix(t.Path, "/api/")]; len(m.scopes) > 0 {
		r = &refusal{code: "missing_scope", needed: m.scopes[0]}
	}
	if t.Message != "" {
		r.messages = []string{"[ERROR] " + t.Message}
	}
	return r
}

// padded gives 32 characters that follow from an id.
func padded(id string) string {
	if id == "" {
		id = "req"
	}
	return strings.Repeat(id, 32/len(id)+1)[:32]
}

// worded is the error of each kind of trouble as Slack itself would send it.
func worded(t fakes.Problem) (*refusal, int) {
	switch t.Kind {
	case fakes.BadRequest:
		return violated(t), http.StatusOK
	case fakes.NoOperation, fakes.NoMethod:
		name := kit.Clip(strings.TrimPrefix(t.Path, "/api/"))
		return &refusal{code: "unknown_method", fields: map[string]any{"req_method": name}}, http.StatusOK
	case fakes.Unauthorised:
		return refuse(invalidAuth), http.StatusOK
	case fakes.RateLimited:
		return &refusal{code: rateLimited, wait: max(t.RetryAfter, time.Second)}, http.StatusTooManyRequests
	case fakes.TooLarge:
		return refuse("request_too_large"), http.StatusRequestEntityTooLarge
	case fakes.OverQuota:
		return &refusal{code: rateLimited, wait: max(t.RetryAfter, time.Second)}, http.StatusTooManyRequests
	case fakes.Forbidden:
		return refuse("no_permission"), http.StatusOK
	}
	if r := stopped(t.Kind); r != nil {
		return r, http.StatusOK
	}
	return broken(t.Status)
}

// stopped words what was good, and is not any more; nil for other trouble. Slack
// has no idempotency keys and no locks: there it is the nearest that it says of
// other calls.
// Source: the errors that every method documents.
func stopped(kind fakes.ProblemKind) *refusal {
	switch kind {
	case fakes.SessionExpired:
		return refuse("token_expired")
	case fakes.Revoked:
		return refuse("token_revoked")
	case fakes.CursorExpired:
		return refuse(invalidCursor)
	case fakes.KeyInFlight, fakes.KeyReused:
		return refuse("fatal_error")
	case fakes.Locked:
		return refuse("access_denied")
	case fakes.Retired:
		return refuse("method_deprecated")
	}
	return nil
}

// broken is a failure of the service, in the code that its status calls for.
// Source: docs.slack.dev/reference/methods/chat.postMessage, errors.
func broken(status int) (*refusal, int) {
	switch {
	case status == http.StatusTooManyRequests:
		return refuse(rateLimited), status
	case status == http.StatusServiceUnavailable:
		return refuse("service_unavailable"), status
	case status == http.StatusGatewayTimeout:
		return refuse("request_timeout"), status
	case status >= http.StatusInternalServerError:
		return refuse("internal_error"), status
	case status == http.StatusUnauthorized:
		return refuse(invalidAuth), http.StatusOK
	case status == http.StatusForbidden:
		return refuse("access_denied"), http.StatusOK
	case status == http.StatusNotFound:
		return refuse(channelNotFound), http.StatusOK
	case status == 0:
		return refuse("internal_error"), http.StatusInternalServerError
	}
	return refuse("fatal_error"), http.StatusOK
}

// violated words what could not be read of a request.
// Source: the errors that every method documents, such as
// docs.slack.dev/reference/methods/api.test.
func violated(t fakes.Problem) *refusal {
	kind := t.Header.Get("Content-Type")
	isJSON := strings.HasPrefix(kind, "application/json")
	for _, v := range t.Violations {
		switch {
		case v.In != "body":
			return refuse("invalid_arg_name")
		case v.Rule == specs.RuleContentType:
			return refuse("invalid_post_type")
		case isJSON && v.Rule == specs.RuleType && v.Pointer == "":
			return refuse("json_not_object")
		case isJSON && v.Rule == specs.RuleSyntax:
			return refuse("invalid_json")
		case v.Rule == specs.RuleSyntax:
			return refuse("invalid_form_data")
		case v.Rule == specs.RuleFormat:
			r := refuse(invalidArguments)
			r.messages = []string{"[ERROR] " + kit.Clip(v.Message) + " [json-pointer:" + kit.Clip(v.Pointer) + "]"}
			return r
		}
	}
	return refuse(invalidArguments)
}

// retired answers the methods that the Conversations API replaced.
// Source: docs.slack.dev/changelog/2020-01-deprecating-antecedents-to-the-conversations-api.
func retired(c *call) (answer, *refusal) {
	if refused := c.trust(); refused != nil {
		return answer{}, refused
	}
	successor := map[string]string{
		"replies": "replies", "mark": "mark", "history": "history", "list": "list", "info": "info", "setTopic": "setTopic",
		"setPurpose": "setPurpose", "createChild": "create",
	}[c.Input.Path["action"]]
	if successor == "" {
		successor = c.Input.Path["action"]
	}
	return answer{}, &refusal{code: "method_deprecated", messages: []string{
		"[ERROR] This method is retired and can no longer be used. Please use conversations." + kit.Clip(successor) +
			" instead. Learn more: https://api.slack.com/changelog/2020-01-deprecating-antecedents-to-the-conversations-api.",
	}}
}
