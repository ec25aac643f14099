package sdktest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// What each SDK has to find, in the words of stripe-node.
const (
	paid = `{
		"object": "customer", "name": "Ada L.", "metadata": {"tier": "gold"},
		"created": "requires_confirmation", "confirmed": "requires_capture", "captured": "succeeded", "received": 4000,
		"refund": "succeeded", "of_charge": true,
		"charge": [4900, 4000, 2400],
		"expanded": "ada@example.com", "listed": ["succeeded"]
	}`
	billed = `{
		"subscription": "active", "first": [2000, 1000], "payment": "paid", "quantity": 3, "preview": 3000, "ending": true, "gone": "canceled",
		"sent": ["open", 1500], "paid": "paid", "note": 500, "voided": "void", "link": 1000, "session": [1000, "expired"], "setup": "succeeded", "invoices": 3
	}`
	accounted = `{
		"dispute": ["needs_response", 5000, "under_review"], "payout": "pending", "available": 7709, "movements": [9000, 5000],
		"poor": {"class": "StripeInvalidRequestError", "status": 400, "code": "balance_insufficient",
			"message": "You have insufficient funds in your Stripe account. One likely reason you have insufficient funds is that your funds are automatically being paid out; try enabling manual payouts by going to https://dashboard.stripe.com/account/payouts."},
		"event": ["charge.dispute.created", 1], "secret": true, "found": "search_result", "deleted": true
	}`
	paged    = `{"by_10": {"seen": 21, "newest_first": true}, "by_7": {"seen": 21, "newest_first": true}}`
	replays  = `{"first": "", "second": "true", "same": true, "customers": 1}`
	limited  = `{"class": "StripeRateLimitError", "status": 429, "code": "rate_limit", "after": "2"}`
	failures = `{
		"declined": {"class": "StripeCardError", "status": 402, "code": "card_declined", "decline": "insufficient_funds",
			"message": "Your card has insufficient funds."},
		"missing": {"class": "StripeInvalidRequestError", "status": 400, "code": "parameter_missing", "param": "amount",
			"message": "Missing required param: amount."},
		"unknown": {"class": "StripeInvalidRequestError", "status": 400, "code": "parameter_unknown", "param": "nmae",
			"message": "Received unknown parameter: nmae"},
		"absent": {"class": "StripeInvalidRequestError", "status": 404, "code": "resource_missing", "param": "id",
			"message": "No such customer: 'cus_absent'"},
		"state": {"class": "StripeInvalidRequestError", "status": 400, "code": "payment_intent_unexpected_state",
			"message": "This PaymentIntent could not be captured because it has a status of requires_confirmation. Only a PaymentIntent with one of the following statuses may be captured: requires_capture."},
		"conflict": {"class": "StripeIdempotencyError", "status": 400,
			"message": "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than 'order-77' if you meant to execute a different request."},
		"bad_key": {"class": "StripeAuthenticationError", "status": 401, "message": "Invalid API Key provided: sk_t****"},
		"no_key": {"class": "StripeAuthenticationError", "status": 401,
			"message": "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/."}
	}`
)

func TestStripePays(t *testing.T) {
	t.Parallel()
	each(t, "pay", nothing(t), func(t *testing.T, _ way, found map[string]any, r told) {
		same(t, found, paid)
		if _, committed := r.exchanges("stripe POST /v1/refunds"); !r.Valid || committed != 1 {
			t.Errorf("the report tells of %d refunds, not of 1: %+v", committed, r)
		}
	})
}

func TestStripeBills(t *testing.T) {
	t.Parallel()
	each(t, "bill", nothing(t), func(t *testing.T, _ way, found map[string]any, r told) {
		same(t, found, billed)
		if _, committed := r.exchanges("stripe POST /v1/subscriptions"); !r.Valid || committed != 1 {
			t.Errorf("the report tells of %d subscriptions, not of 1: %+v", committed, r)
		}
	})
}

func TestStripeAccounts(t *testing.T) {
	t.Parallel()
	each(t, "account", nothing(t), func(t *testing.T, _ way, found map[string]any, _ told) {
		same(t, found, accounted)
	})
}

func TestStripePages(t *testing.T) {
	t.Parallel()
	each(t, "page", nothing(t), func(t *testing.T, _ way, found map[string]any, r told) {
		same(t, found, paged)
		if pages, _ := r.exchanges("stripe GET /v1/customers"); pages != 3+3 {
			t.Errorf("21 customers came in %d pages; want 3 of 10 and 3 of 7", pages)
		}
	})
}

func TestStripeErrorClasses(t *testing.T) {
	t.Parallel()
	each(t, "fail", nothing(t), func(t *testing.T, _ way, found map[string]any, _ told) {
		same(t, found, failures)
	})
}

func TestStripeReplaysAKey(t *testing.T) {
	t.Parallel()
	each(t, "again", nothing(t), func(t *testing.T, _ way, found map[string]any, r told) {
		same(t, found, replays)
		if called, committed := r.exchanges("stripe POST /v1/customers"); called != 2 || committed != 1 {
			t.Errorf("%d calls made %d customers; want 2 and 1", called, committed)
		}
	})
}

// A limit is a class of its own, and neither SDK retries it.
func TestStripeRateLimit(t *testing.T) {
	t.Parallel()
	flags := profile(t, "  full: {call: stripe GET /v1/charges, inject: rate-limit}\n")
	each(t, "limit", flags, func(t *testing.T, _ way, found map[string]any, r told) {
		delete(found, "message") // ours says what the limit was
		same(t, found, limited)
		if called, _ := r.exchanges("stripe GET /v1/charges"); called != 1 {
			t.Errorf("the SDK called %d times", called)
		}
	})
}

// replies are the ways to lose one, and how each SDK takes it: what it lets its
// agent see, when the first attempt is hit.
var replies = map[string]map[string]string{
	"reset":       {"node": "none", "go": "none"},
	"hang":        {"node": "none", "go": "none"},
	"cut-headers": {"node": "none", "go": "none"},
	"cut-body":    {"node": "StripeConnectionError", "go": "none"}, // stripe-node retries no reply that began well
	"500":         {"node": "none", "go": "StripeAPIError"},        // stripe-go retries no error in Stripe's own words
	"502":         {"node": "none", "go": "none"},
	"504":         {"node": "none", "go": "none"},
	"html":        {"node": "none", "go": "none"},
}

// The SDK's own retry meets a lost reply: it sends the same key, and gets the
// first result. There is one charge, and the report says that the SDK hid the
// fault from its agent.
func TestStripeRetriesALostReply(t *testing.T) {
	t.Parallel()
	names := slices.Sorted(maps.Keys(replies))
	each(t, "lose "+strings.Join(names, " "), profile(t, lost(", trigger: {tries: 1}")), func(t *testing.T, w way, found map[string]any, r told) {
		if len(r.Faults) != len(replies) || !r.Valid {
			t.Fatalf("the report tells %+v", r)
		}
		for _, fault := range r.Faults {
			reply := strings.TrimPrefix(fault.Rule, "lose-")
			want, swallowed := `{"class": "none", "replayed": "true", "charges": 1}`, 1
			if seen := replies[reply][w.sdk]; seen != "none" {
				want, swallowed = fmt.Sprintf(`{"class": %q, "replayed": "", "charges": 1}`, seen), 0
			}
			same(t, map[string]any{reply: found[reply]}, fmt.Sprintf(`{%q: %s}`, reply, want))
			if fault.Fired != 1 || fault.Swallowed != swallowed {
				t.Errorf("the report says of %s that it fired %d times, of which the SDK hid %d; want 1 and %d",
					reply, fault.Fired, fault.Swallowed, swallowed)
			}
		}
		held(t, r)
	})
}

// Past the SDK's last retry its agent sees the failure; there is one charge
// still.
func TestStripeGivesUpOnALostReply(t *testing.T) {
	t.Parallel()
	each(t, "lose reset", profile(t, lost("")), func(t *testing.T, _ way, found map[string]any, r told) {
		same(t, found, `{"reset": {"class": "StripeConnectionError", "replayed": "", "charges": 1}}`)
		for _, fault := range r.Faults {
			if fault.Swallowed != 0 || fault.Rule == "lose-reset" && fault.Fired < 3 {
				t.Errorf("the report tells %+v", fault)
			}
		}
		held(t, r)
	})
}

// lost has one rule for each way to lose the reply to a payment.
func lost(trigger string) string {
	var rules strings.Builder
	for reply := range replies {
		with := "reply: " + `"` + reply + `"`
		if reply == "hang" {
			with += ", for: 200ms"
		}
		fmt.Fprintf(&rules, "  lose-%s: {call: stripe POST /v1/payment_intents, when: request.body.metadata.reply == %q, inject: ambiguous-success, with: {%s}%s}\n",
			reply, reply, with, trigger)
	}
	return rules.String()
}

// nothing gives the flags that choose a world with nothing in it.
func nothing(t *testing.T) []string {
	t.Helper()
	return profile(t, "  none: {enabled: false, call: stripe GET /v1/charges, inject: error}\n")
}

// profile writes one with these rules, and gives the flags that choose it.
func profile(t *testing.T, rules string) []string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "profile.yaml")
	if err := os.WriteFile(name, []byte("profile: sdk\nworld: empty\nservices: {stripe: {}}\nfaults:\n"+rules), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"--profile", name}
}

// held asks for the verdict that every intent changed something at most once.
func held(t *testing.T, r told) {
	t.Helper()
	for _, v := range r.Verdicts {
		if v.Subject == "always: one effect per intent" {
			if v.Result != "passed" {
				t.Errorf("%s: %s", v.Subject, v.Result)
			}
			return
		}
	}
	t.Errorf("no verdict on effects: %+v", r.Verdicts)
}

func same(t *testing.T, found map[string]any, want string) {
	t.Helper()
	var wanted map[string]any
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatalf("%v in %s", err, want)
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if !reflect.DeepEqual(found[name], wanted[name]) {
			t.Errorf("%s:\n got %s\nwant %s", name, text(found[name]), text(wanted[name]))
		}
	}
	for name := range found {
		if _, ok := wanted[name]; !ok {
			t.Errorf("%s: %s, which is not expected", name, text(found[name]))
		}
	}
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
