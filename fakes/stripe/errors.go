package stripe

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The types of error that Stripe tells apart.
const (
	apiError           = "api_error"
	cardError          = "card_error"
	idempotencyError   = "idempotency_error"
	invalidRequest     = "invalid_request_error"
	docsRoot           = "https://stripe.com/docs/error-codes/"
	requestLog         = "https://dashboard.stripe.com/test/logs/"
	unexpectedState    = "payment_intent_unexpected_state"
	parameterMissing   = "parameter_missing"
	parameterUnknown   = "parameter_unknown"
	parameterEmpty     = "parameter_invalid_empty"
	parameterInteger   = "parameter_invalid_integer"
	resourceMissing    = "resource_missing"
	keyInUse           = "idempotency_key_in_use"
	connectedAccounts  = "It's possible this PaymentMethod exists on one of your connected accounts, in which case you should retry this request on that connected account. Learn more at https://stripe.com/docs/connect/authentication"
	authenticationCode = "authentication_required"
)

// A refusal is an error in Stripe's shape.
type refusal struct {
	status   int
	kind     string // invalidRequest when empty
	code     string
	message  string
	param    string
	anyParam bool // param is sent even when empty
	decline  decline
	charge   string
	intent   map[string]any
	method   map[string]any
	setup    map[string]any
	final    bool // trying again is no use, as the reply says
	unsaved  bool // its idempotency key stays free
}

func invalid(param, code, message string, args ...any) *refusal {
	if len(args) > 0 {
		message = fmt.Sprintf(message, args...)
	}
	return &refusal{status: http.StatusBadRequest, param: param, code: code, message: message}
}

// missing words that an object does not exist. Path ids are answered 404,
// parameters that name an object 400.
func missing(status int, what, id, param string) *refusal {
	message := fmt.Sprintf("No such %s: '%s'", what, id)
	if what == "PaymentMethod" {
		message += "; " + connectedAccounts
	}
	return &refusal{status: status, param: param, code: resourceMissing, message: message}
}

func required(param string) *refusal {
	r := invalid(param, parameterMissing, "Missing required param: %s.", param)
	r.unsaved = true
	return r
}

// wrongState refuses what an intent's status does not allow; the intent comes
// with the error.
func wrongState(intent map[string]any, message string) *refusal {
	r := invalid("", unexpectedState, message)
	r.intent = intent
	return r
}

// body is the error document. Details of a declined card are there only where
// a card was declined.
func (r *refusal) body(request string, now time.Time) map[string]any {
	e := r.details()
	if request != "" {
		log := requestLog + request
		if !now.IsZero() {
			log += "?t=" + strconv.FormatInt(now.Unix(), 10)
		}
		e["request_log_url"] = log
	}
	if r.intent != nil {
		e["payment_intent"] = r.intent
	}
	if r.setup != nil {
		e["setup_intent"] = r.setup
	}
	return map[string]any{"error": e}
}

// details is the part of an error that an intent remembers as its
// last_payment_error.
func (r *refusal) details() map[string]any {
	e := map[string]any{"type": r.kind, "message": r.message}
	if r.kind == "" {
		e["type"] = invalidRequest
	}
	if r.code != "" {
		e["code"] = r.code
		e["doc_url"] = docsRoot + strings.ReplaceAll(r.code, "_", "-")
	}
	if r.param != "" || r.anyParam {
		e["param"] = r.param
	}
	for field, value := range map[string]string{
		"decline_code": r.decline.reason, "advice_code": r.decline.advice,
		"network_decline_code": r.decline.network, "charge": r.charge,
	} {
		if value != "" {
			e[field] = value
		}
	}
	if r.method != nil {
		e["payment_method"] = r.method
	}
	return e
}

// retry is what Stripe-Should-Retry says: nothing where Stripe leaves it to
// the client.
func (r *refusal) retry() string {
	switch {
	case r.status == http.StatusPaymentRequired, r.final:
		return "false"
	case r.status == http.StatusConflict:
		return "true"
	}
	return ""
}
