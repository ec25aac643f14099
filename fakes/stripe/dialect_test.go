package stripe_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"parity/fakes"
)

func TestViolations(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const intents = "/v1/payment_intents"
	tests := []struct{ method, path, form, code, param, message string }{
		{"POST", intents, "currency=usd", "parameter_missing", "amount", "Missing required param: amount."},
		{"POST", intents, "amount=5", "parameter_missing", "currency", "Missing required param: currency."},
		{"POST", intents, "amount=abc&currency=usd", "parameter_invalid_integer", "amount", "Invalid integer: abc"},
		{"POST", intents, "amount=1.5&currency=usd", "parameter_invalid_integer", "amount", "Invalid integer: 1.5"},
		{"POST", intents, "amount=&currency=usd", "parameter_invalid_empty", "amount", "You passed an empty string for 'amount'."},
		{"POST", intents, "amount=500&currency=usd&foo=1", "parameter_unknown", "foo", "Received unknown parameter: foo"},
		{"POST", intents, "amount=500&currency=usd&foo=1&bar=2", "parameter_unknown", "bar", "Received unknown parameters: bar, foo"},
		{"POST", intents, "amout=500&currency=usd", "parameter_unknown", "amout", "Received unknown parameter: amout. Did you mean amount?"},
		{"POST", intents, "amount=500&currency=usd&confirm=maybe", "", "confirm", "Invalid boolean: maybe"},
		{"POST", intents, "amount=500&currency=usd&capture_method=later", "", "capture_method", "Invalid capture_method: must be one of automatic, automatic_async, or manual"},
		{"POST", intents, "amount=500&currency=usd&transfer_data[amount]=5", "parameter_missing", "transfer_data[destination]", "Missing required param: transfer_data[destination]."},
		{"POST", intents, "amount=500&currency=usd&automatic_payment_methods[enabled]=true&payment_method_types[]=card", "", "", "You may only specify one of these parameters: automatic_payment_methods, payment_method_types."},
		{"POST", intents, "amount=500&currency=dollars", "", "currency", "Invalid currency: dollars. Stripe currently supports these currencies: usd, aed"},
		{"POST", intents, "amount=500&currency=zzz", "", "currency", "Invalid currency: zzz. Stripe currently supports these currencies: usd, aed"},
		{"POST", intents, "amount=0&currency=usd", "parameter_invalid_integer", "amount", "The amount must be greater than or equal to the minimum charge amount allowed"},
		{"POST", intents, "amount=-5&currency=usd", "parameter_invalid_integer", "amount", "Invalid positive integer"},
		{"POST", intents, "amount=49&currency=usd", "amount_too_small", "amount", "Amount must be at least $0.50 usd"},
		{"POST", intents, "amount=49&currency=jpy", "amount_too_small", "amount", "Amount must be at least ¥50 jpy"},
		{"POST", intents, "amount=100000000&currency=usd", "amount_too_large", "amount", "Amount must be no more than $999,999.99"},
		{"POST", intents, "amount=500&currency=usd&customer=cus_no", "resource_missing", "customer", "No such customer: 'cus_no'"},
		{"POST", intents, "amount=500&currency=usd&payment_method=pm_no", "resource_missing", "payment_method", "No such PaymentMethod: 'pm_no'; It's possible"},
		{"POST", intents, "amount=500&currency=usd&payment_method_data[type]=card&payment_method_data[card][number]=4242424242424242", "", "", "Sending credit card numbers directly to the Stripe API"},
		{"POST", intents + "/pi_no/confirm", "", "resource_missing", "intent", "No such payment_intent: 'pi_no'"},
		{"POST", "/v1/customers", "email=nobody", "email_invalid", "email", "Invalid email address: nobody"},
		{"GET", "/v1/customers?limit=0", "", "parameter_invalid_integer", "limit", "This value must be greater than or equal to 1."},
		{"GET", "/v1/customers?limit=101", "", "parameter_invalid_integer", "limit", "This value must be less than or equal to 100."},
		{"GET", "/v1/customers/cus_no", "", "resource_missing", "id", "No such customer: 'cus_no'"},
		{"GET", "/v1/charges/ch_no", "", "resource_missing", "id", "No such charge: 'ch_no'"},
		{"GET", "/v1/foo", "", "", "", "Unrecognized request URL (GET: /v1/foo). Please see https://stripe.com/docs"},
		{"DELETE", "/v1/charges", "", "", "", "Unrecognized request URL (DELETE: /v1/charges)."},
		{"GET", "/v1/customers/", "", "", "", "If you are trying to list objects, remove the trailing slash."},
	}
	for _, test := range tests {
		no := r.send(test.method, test.path, test.form, nil)
		if no.status < 400 {
			t.Errorf("%s %s: %d", test.path, test.form, no.status)
		}
		code, _ := no.at("error.code").(string)
		param, _ := no.at("error.param").(string)
		message, _ := no.at("error.message").(string)
		if code != test.code || param != test.param || !strings.HasPrefix(message, test.message) && !strings.Contains(message, test.message) {
			t.Errorf("%s %s: %s", test.path, test.form, no.raw)
		}
		if doc, _ := no.at("error.doc_url").(string); code != "" && doc != "https://stripe.com/docs/error-codes/"+strings.ReplaceAll(code, "_", "-") {
			t.Errorf("doc_url is %q", doc)
		}
	}
	if n := r.world.Len("stripe.payment_intents"); n != 0 {
		t.Errorf("%d intents were made", n)
	}
}

// A name as long as a body was once echoed in full, twice.
func TestLongNamesAreEchoedInPart(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	long := strings.Repeat("x", 1<<20)
	clipped := strings.Repeat("x", 199) + "…"
	no := r.send("POST", "/v1/payment_intents", "amount=500&currency=usd&"+long+"=1", nil)
	if no.at("error.param") != clipped || no.at("error.message") != "Received unknown parameter: "+clipped {
		t.Errorf("%d bytes: %.300s", len(no.raw), no.raw)
	}
	form := "amount=500&currency=usd"
	for i := range 30 {
		form += "&" + strings.Repeat(string(rune('a'+i%26)), 1000+i) + "=1"
	}
	no = r.send("POST", "/v1/payment_intents", form, nil)
	if message, _ := no.at("error.message").(string); len(message) > 8000 || !strings.HasSuffix(message, " more") {
		t.Errorf("%d bytes, ending %q", len(message), message[max(0, len(message)-40):])
	}
	no = r.send("GET", "/v1/"+long, "", nil)
	if message, _ := no.at("error.message").(string); len(message) > 500 {
		t.Errorf("a path is echoed in %d bytes", len(message))
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	tests := []struct {
		trouble      fakes.Problem
		status       int
		kind, code   string
		header, says string
	}{
		{fakes.Problem{Kind: fakes.BadRequest}, 400, "invalid_request_error", "", "", ""},
		{fakes.Problem{Kind: fakes.NoOperation, Method: "GET", Path: "/x"}, 404, "invalid_request_error", "", "", ""},
		{fakes.Problem{Kind: fakes.NoMethod, Method: "PUT", Path: "/v1/charges"}, 404, "invalid_request_error", "", "", ""},
		{fakes.Problem{Kind: fakes.Unauthorised}, 401, "invalid_request_error", "", "Www-Authenticate", `Basic realm="Stripe"`},
		{fakes.Problem{Kind: fakes.RateLimited, RetryAfter: 1500 * time.Millisecond}, 429, "invalid_request_error", "rate_limit", "Retry-After", "2"},
		{fakes.Problem{Kind: fakes.RateLimited, RetryDate: r.now}, 429, "invalid_request_error", "rate_limit", "Retry-After", "Sun, 01 Mar 2026 12:00:00 GMT"},
		{fakes.Problem{Kind: fakes.RateLimited}, 429, "invalid_request_error", "rate_limit", "Retry-After", ""},
		{fakes.Problem{Kind: fakes.Broken}, 500, "api_error", "", "", ""},
		{fakes.Problem{Kind: fakes.Broken, Status: 503}, 503, "api_error", "", "", ""},
		{fakes.Problem{Kind: fakes.Broken, Status: 402, Code: "expired_card", Message: "No."}, 402, "card_error", "expired_card", "", ""},
		{fakes.Problem{Kind: fakes.Broken, Status: 409}, 409, "invalid_request_error", "lock_timeout", "", ""},
		{fakes.Problem{Kind: fakes.Broken, Status: 403}, 403, "invalid_request_error", "", "", ""},
		{fakes.Problem{Kind: fakes.TooLarge}, 413, "invalid_request_error", "", "", ""},
	}
	for _, test := range tests {
		no := r.must(test.status, r.word(test.trouble))
		code, _ := no.at("error.code").(string)
		if no.at("error.type") != test.kind || code != test.code {
			t.Errorf("%+v: %s", test.trouble, no.raw)
		}
		if test.header != "" && no.header.Get(test.header) != test.says {
			t.Errorf("%s is %q, want %q", test.header, no.header.Get(test.header), test.says)
		}
		if no.header.Get("Request-Id") != "req_rig" || no.header.Get("Content-Type") != "application/json" {
			t.Errorf("headers: %v", no.header)
		}
	}
}

func TestIdentify(t *testing.T) {
	t.Parallel()
	who := newRig(t).service.Fake.(fakes.Identifier)
	basic := func(user string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(user)) }
	tests := []struct{ authorization, key, message string }{
		{"Bearer sk_test_123", "sk_test_123", ""},
		{"bearer rk_test_123", "rk_test_123", ""},
		{basic("sk_test_123:"), "sk_test_123", ""},
		{"", "", "You did not provide an API key."},
		{"Bearer ", "", "You did not provide an API key."},
		{"Basic ???", "", "You did not provide an API key."},
		{"Bearer sk_live_123secret", "", "This is a rehearsal"},
		{basic("rk_live_123secret:"), "", "This is a rehearsal"},
		{"Bearer pk_test_123", "", "publishable API key"},
		{"Bearer sk_test_", "", "Invalid API Key provided: sk_t****"},
		{"Bearer hunter2hunter2", "", "Invalid API Key provided: hunter2h**ter2"},
		{"Bearer sk_test_ab\xffcd\n", "", "Invalid API Key provided"},
	}
	for _, test := range tests {
		header := http.Header{}
		if test.authorization != "" {
			header.Set("Authorization", test.authorization)
		}
		key, trouble := who.Identify(fakes.Credentials{Header: header})
		message := ""
		if trouble != nil {
			message = trouble.Message
			if trouble.Kind != fakes.Unauthorised || strings.Contains(message, "123secret") {
				t.Errorf("%q: %+v", test.authorization, trouble)
			}
		}
		if key != test.key || !strings.Contains(message, test.message) || (message == "") != (test.message == "") {
			t.Errorf("%q: key %q, message %q", test.authorization, key, message)
		}
	}
}
