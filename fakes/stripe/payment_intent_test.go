package stripe_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const never = "&automatic_payment_methods[enabled]=true&automatic_payment_methods[allow_redirects]=never"

// TestIntentStates walks the state machine: how an intent is made, what is
// done to it, and where that leaves it.
func TestIntentStates(t *testing.T) {
	t.Parallel()
	const base = "amount=2000&currency=usd" + never
	const unexpected = "payment_intent_unexpected_state"
	tests := []struct {
		name   string
		make   string
		steps  []string // "confirm payment_method=…", "capture", …
		status int      // of the last answer
		state  string   // of the intent afterwards
		code   string   // of the error
	}{
		{"bare", base, nil, 200, "requires_payment_method", ""},
		{"with a card", base + "&payment_method=pm_card_visa", nil, 200, "requires_confirmation", ""},
		{"confirmed at once", base + "&payment_method=pm_card_visa&confirm=true", nil, 200, "succeeded", ""},
		{"confirmed later", base + "&payment_method=pm_card_visa", []string{"confirm"}, 200, "succeeded", ""},
		{"confirmed with a card", base, []string{"confirm payment_method=pm_card_visa"}, 200, "succeeded", ""},
		{"confirmed with card data", base, []string{"confirm payment_method_data[type]=card&payment_method_data[card][token]=tok_visa"}, 200, "succeeded", ""},
		{"confirmed without a card", base, []string{"confirm"}, 400, "requires_payment_method", unexpected},
		{"confirmed twice", base + "&payment_method=pm_card_visa&confirm=true", []string{"confirm"}, 400, "succeeded", unexpected},
		{"held", base + "&payment_method=pm_card_visa&confirm=true&capture_method=manual", nil, 200, "requires_capture", ""},
		{"held and captured", base + "&payment_method=pm_card_visa&confirm=true&capture_method=manual", []string{"capture"}, 200, "succeeded", ""},
		{"held and captured in part", base + "&payment_method=pm_card_visa&confirm=true&capture_method=manual", []string{"capture amount_to_capture=500"}, 200, "succeeded", ""},
		{"held and captured too far", base + "&payment_method=pm_card_visa&confirm=true&capture_method=manual", []string{"capture amount_to_capture=2001"}, 400, "requires_capture", "amount_too_large"},
		{"held and captured twice", base + "&payment_method=pm_card_visa&confirm=true&capture_method=manual", []string{"capture", "capture"}, 400, "succeeded", unexpected},
		{"held and confirmed", base + "&payment_method=pm_card_visa&confirm=true&capture_method=manual", []string{"confirm"}, 400, "requires_capture", unexpected},
		{"held and canceled", base + "&payment_method=pm_card_visa&confirm=true&capture_method=manual", []string{"cancel cancellation_reason=abandoned"}, 200, "canceled", ""},
		{"captured without a hold", base, []string{"capture"}, 400, "requires_payment_method", unexpected},
		{"canceled", base, []string{"cancel"}, 200, "canceled", ""},
		{"canceled twice", base, []string{"cancel", "cancel"}, 400, "canceled", unexpected},
		{"canceled and confirmed", base, []string{"cancel", "confirm payment_method=pm_card_visa"}, 400, "canceled", unexpected},
		{"canceled after success", base + "&payment_method=pm_card_visa&confirm=true", []string{"cancel"}, 400, "succeeded", unexpected},
		{"declined", base + "&payment_method=pm_card_chargeDeclined", []string{"confirm"}, 402, "requires_payment_method", "card_declined"},
		{"declined, then another card", base + "&payment_method=pm_card_visa_chargeDeclined", []string{"confirm", "confirm payment_method=pm_card_visa"}, 200, "succeeded", ""},
		{"asks to authenticate", base + "&payment_method=pm_card_authenticationRequired", []string{"confirm"}, 200, "requires_action", ""},
		{"asks to authenticate, then another card", base + "&payment_method=pm_card_threeDSecure2Required", []string{"confirm", "confirm payment_method=pm_card_mastercard"}, 200, "succeeded", ""},
		{"asks to authenticate, canceled", base + "&payment_method=pm_card_authenticationRequired", []string{"confirm", "cancel"}, 200, "canceled", ""},
		{"nobody there to authenticate", base + "&payment_method=pm_card_authenticationRequired", []string{"confirm off_session=true"}, 402, "requires_payment_method", "authentication_required"},
		{"actions refused", base + "&payment_method=pm_card_authenticationRequired", []string{"confirm error_on_requires_action=true"}, 402, "requires_payment_method", "authentication_required"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			last := r.must(200, r.post("/v1/payment_intents", test.make))
			id := last.id()
			for _, step := range test.steps {
				verb, form, _ := strings.Cut(step, " ")
				last = r.post("/v1/payment_intents/"+id+"/"+verb, form)
			}
			r.must(test.status, last)
			if code, _ := last.at("error.code").(string); code != test.code {
				t.Errorf("code %q, want %q", code, test.code)
			}
			now := r.must(200, r.get("/v1/payment_intents/"+id))
			want(t, now, map[string]any{"status": test.state})
			if test.status >= 400 && test.code != "amount_too_large" {
				want(t, last, map[string]any{"error.payment_intent.id": id, "error.payment_intent.status": test.state})
			}
		})
	}
}

func TestChargeOfAnIntent(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	intent := r.must(200, r.post("/v1/payment_intents", "amount=3000&currency=USD&confirm=true&payment_method=pm_card_visa&return_url=https://example.com&description=Tea&metadata[order_id]=6735"))
	want(t, intent, map[string]any{"currency": "usd", "amount_received": 3000, "latest_charge": intent.at("latest_charge"), "metadata.order_id": "6735", "automatic_payment_methods.allow_redirects": "always"})
	if secret, _ := intent.at("client_secret").(string); !strings.HasPrefix(secret, intent.id()+"_secret_") {
		t.Errorf("client_secret is %q", secret)
	}
	charge := r.must(200, r.get("/v1/charges/"+intent.at("latest_charge").(string)))
	want(t, charge, map[string]any{
		"amount": 3000, "amount_captured": 3000, "captured": true, "paid": true, "status": "succeeded", "refunded": false,
		"payment_intent": intent.id(), "description": "Tea", "metadata.order_id": "6735", "outcome.type": "authorized",
		"payment_method_details.card.last4": "4242", "payment_method_details.type": "card", "created": r.now.Unix(),
	})
	if diff := cmp.Diff([]string{"payment_intent.created", "charge.succeeded", "payment_intent.succeeded"}, r.types()); diff != "" {
		t.Error(diff)
	}
}

func TestHoldsAreReleased(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	hold := "amount=2000&currency=usd&confirm=true&capture_method=manual&payment_method=pm_card_visa" + never
	part := r.must(200, r.post("/v1/payment_intents", hold))
	want(t, part, map[string]any{"amount_capturable": 2000, "amount_received": 0})
	taken := r.must(200, r.post("/v1/payment_intents/"+part.id()+"/capture", "amount_to_capture=500&expand[]=latest_charge"))
	want(t, taken, map[string]any{
		"amount_received": 500, "amount_capturable": 0, "latest_charge.captured": true,
		"latest_charge.amount_captured": 500, "latest_charge.amount_refunded": 1500, "latest_charge.refunded": false,
	})
	gone := r.must(200, r.post("/v1/payment_intents", hold))
	gone = r.must(200, r.post("/v1/payment_intents/"+gone.id()+"/cancel", "expand[]=latest_charge"))
	want(t, gone, map[string]any{
		"status": "canceled", "canceled_at": r.now.Unix(), "amount_capturable": 0,
		"latest_charge.captured": false, "latest_charge.refunded": true, "latest_charge.amount_refunded": 2000,
	})
	r.must(400, r.post("/v1/refunds", "payment_intent="+gone.id()))

	byCharge := r.must(200, r.post("/v1/payment_intents", hold))
	path := "/v1/charges/" + byCharge.at("latest_charge").(string) + "/capture"
	want(t, r.must(200, r.post(path, "")), map[string]any{"captured": true, "amount_captured": 2000})
	want(t, r.must(400, r.post(path, "")), map[string]any{"error.code": "charge_already_captured"})
}

func TestDeclines(t *testing.T) {
	t.Parallel()
	tests := []struct{ card, code, reason, message string }{
		{"pm_card_chargeDeclined", "card_declined", "generic_decline", "Your card was declined."},
		{"pm_card_visa_chargeDeclinedInsufficientFunds", "card_declined", "insufficient_funds", "Your card has insufficient funds."},
		{"pm_card_chargeDeclinedLostCard", "card_declined", "lost_card", "Your card was declined."},
		{"pm_card_chargeDeclinedStolenCard", "card_declined", "stolen_card", "Your card was declined."},
		{"pm_card_chargeDeclinedExpiredCard", "expired_card", "expired_card", "Your card has expired."},
		{"pm_card_chargeDeclinedIncorrectCvc", "incorrect_cvc", "incorrect_cvc", "Your card's security code is incorrect."},
		{"pm_card_chargeDeclinedProcessingError", "processing_error", "processing_error", "An error occurred while processing your card. Try again in a little bit."},
		{"pm_card_radarBlock", "card_declined", "fraudulent", "Your card was declined."},
	}
	for _, test := range tests {
		t.Run(test.card, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			no := r.must(402, r.post("/v1/payment_intents", "amount=999&currency=usd&confirm=true&payment_method="+test.card+never))
			want(t, no, map[string]any{
				"error.type": "card_error", "error.code": test.code, "error.decline_code": test.reason, "error.message": test.message,
				"error.payment_intent.status":                          "requires_payment_method",
				"error.payment_intent.payment_method":                  nil,
				"error.payment_intent.last_payment_error.decline_code": test.reason,
				"error.payment_intent.latest_charge":                   no.at("error.charge"),
				"error.payment_method.object":                          "payment_method",
			})
			charge := r.must(200, r.get("/v1/charges/"+no.at("error.charge").(string)))
			want(t, charge, map[string]any{"status": "failed", "paid": false, "captured": false, "failure_code": test.code})
			if diff := cmp.Diff([]string{"payment_intent.created", "charge.failed", "payment_intent.payment_failed"}, r.types()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestThreeDSecure(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	sdk := r.must(200, r.post("/v1/payment_intents", "amount=999&currency=usd&confirm=true&payment_method=pm_card_authenticationRequired"+never))
	want(t, sdk, map[string]any{"status": "requires_action", "next_action.type": "use_stripe_sdk", "latest_charge": nil})
	web := r.must(200, r.post("/v1/payment_intents", "amount=999&currency=usd&confirm=true&return_url=https://example.com/back&payment_method=pm_card_authenticationRequired"))
	want(t, web, map[string]any{"next_action.type": "redirect_to_url", "next_action.redirect_to_url.return_url": "https://example.com/back"})
	want(t, r.get("/v1/charges"), map[string]any{"data": []any{}})
}

// TestReturnURL is the classical mistake: the default takes redirects, and a
// confirmation from a server then needs somewhere to come back to.
func TestReturnURL(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	form := "amount=999&currency=usd&payment_method=pm_card_visa"
	no := r.must(400, r.post("/v1/payment_intents", form+"&confirm=true"))
	if message, _ := no.at("error.message").(string); !strings.Contains(message, "you must provide a `return_url`") {
		t.Error(message)
	}
	if n := r.world.Len("stripe.payment_intents"); n != 0 {
		t.Errorf("%d intents were made", n)
	}
	intent := r.must(200, r.post("/v1/payment_intents", form))
	no = r.must(400, r.post("/v1/payment_intents/"+intent.id()+"/confirm", ""))
	want(t, no, map[string]any{"error.payment_intent.status": "requires_confirmation"})
	r.must(200, r.post("/v1/payment_intents/"+intent.id()+"/confirm", "return_url=https://example.com"))
	r.must(200, r.post("/v1/payment_intents", form+"&confirm=true&payment_method_types[]=card"))
	old := http.Header{"Stripe-Version": {"2022-11-15"}}
	aged := r.must(200, r.send("POST", "/v1/payment_intents", form+"&confirm=true", old))
	want(t, aged, map[string]any{"automatic_payment_methods": nil, "status": "succeeded"})
	if v := aged.header.Get("Stripe-Version"); v != "2022-11-15" {
		t.Errorf("Stripe-Version is %q", v)
	}
}

func TestChangingAnIntent(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	intent := r.must(200, r.post("/v1/payment_intents", "amount=999&currency=usd&metadata[a]=1&metadata[b]=2"+never))
	path := "/v1/payment_intents/" + intent.id()
	now := r.must(200, r.post(path, "amount=1200&description=Tea&metadata[a]=&metadata[c]=3&payment_method=pm_card_visa"))
	want(t, now, map[string]any{"amount": 1200, "description": "Tea", "metadata": map[string]any{"b": "2", "c": "3"}, "status": "requires_confirmation"})
	want(t, r.must(200, r.post(path, "metadata=&description=")), map[string]any{"metadata": map[string]any{}, "description": nil})
	r.must(200, r.post(path+"/confirm", ""))
	no := r.must(400, r.post(path, "amount=1"))
	want(t, no, map[string]any{"error.code": "payment_intent_unexpected_state", "error.payment_intent.id": intent.id()})
	r.must(200, r.post(path, "metadata[late]=yes"))
}

func TestSpentMethods(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := r.must(200, r.post("/v1/payment_intents", "amount=999&currency=usd&confirm=true&payment_method=pm_card_visa"+never))
	method := first.at("payment_method").(string)
	no := r.must(400, r.post("/v1/payment_intents", "amount=999&currency=usd&confirm=true&payment_method="+method+never))
	if message, _ := no.at("error.message").(string); !strings.Contains(message, "It may not be used again") {
		t.Error(message)
	}
	customer := r.must(200, r.post("/v1/customers", "email=a@b.co")).id()
	r.must(400, r.post("/v1/payment_methods/"+method+"/attach", "customer="+customer))
	saved := r.must(200, r.post("/v1/payment_intents", "amount=999&currency=usd&confirm=true&setup_future_usage=off_session&payment_method=pm_card_visa&customer="+customer+never))
	again := "amount=999&currency=usd&confirm=true&off_session=true&payment_method=" + saved.at("payment_method").(string) + never
	r.must(400, r.post("/v1/payment_intents", again))
	r.must(200, r.post("/v1/payment_intents", again+"&customer="+customer))
}
