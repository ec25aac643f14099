package stripe_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// pay makes an intent that succeeded and gives its id and its charge's.
func (r *rig) pay(form string) (intent, charge string) {
	r.t.Helper()
	paid := r.must(200, r.post("/v1/payment_intents", "confirm=true&"+form+never))
	charge, _ = paid.at("latest_charge").(string)
	return paid.id(), charge
}

func TestRefunds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	intent, charge := r.pay("amount=3000&currency=usd&payment_method=pm_card_visa")
	first := r.must(200, r.post("/v1/refunds", "charge="+charge+"&amount=1000&reason=duplicate"))
	want(t, first, map[string]any{"amount": 1000, "charge": charge, "payment_intent": intent, "status": "succeeded", "reason": "duplicate", "object": "refund"})
	want(t, r.get("/v1/charges/"+charge), map[string]any{"amount_refunded": 1000, "refunded": false})

	no := r.must(400, r.post("/v1/refunds", "charge="+charge+"&amount=2001"))
	want(t, no, map[string]any{"error.message": "Refund amount ($20.01) is greater than unrefunded amount on charge ($20.00)", "error.param": "amount", "error.code": nil})

	rest := r.must(200, r.post("/v1/refunds", "payment_intent="+intent))
	want(t, rest, map[string]any{"amount": 2000})
	want(t, r.get("/v1/charges/"+charge), map[string]any{"amount_refunded": 3000, "refunded": true})

	no = r.must(400, r.post("/v1/refunds", "payment_intent="+intent))
	want(t, no, map[string]any{"error.code": "charge_already_refunded", "error.message": "Charge " + charge + " has already been refunded."})

	page := r.get("/v1/refunds?charge=" + charge)
	if diff := cmp.Diff([]string{rest.id(), first.id()}, page.ids()); diff != "" {
		t.Error(diff)
	}
	tagged := r.must(200, r.post("/v1/refunds/"+first.id(), "metadata[why]=asked"))
	want(t, tagged, map[string]any{"metadata.why": "asked"})
	want(t, r.must(400, r.post("/v1/refunds/"+first.id()+"/cancel", "")), map[string]any{"error.type": "invalid_request_error"})
	kinds := r.types()[3:]
	if diff := cmp.Diff([]string{"refund.created", "charge.refunded", "refund.created", "charge.refunded", "refund.updated"}, kinds); diff != "" {
		t.Error(diff)
	}
	event := r.get("/v1/events?type=charge.refunded&limit=1")
	want(t, event, map[string]any{"data.0.data.previous_attributes": map[string]any{"amount_refunded": 1000, "refunded": false}, "data.0.data.object.amount_refunded": 3000})
}

func TestRefusedRefunds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	_, charge := r.pay("amount=3000&currency=jpy&payment_method=pm_card_visa")
	other, _ := r.pay("amount=3000&currency=usd&payment_method=pm_card_visa")
	_, disputed := r.pay("amount=3000&currency=usd&payment_method=pm_card_createDispute")
	bare := r.must(200, r.post("/v1/payment_intents", "amount=500&currency=usd"+never)).id()
	tests := []struct {
		form, code, message string
		status              int
	}{
		{"amount=5", "", "One of the following params should be provided for this request: payment_intent or charge.", 400},
		{"charge=ch_nope", "resource_missing", "No such charge: 'ch_nope'", 404},
		{"payment_intent=pi_nope", "resource_missing", "No such payment_intent: 'pi_nope'", 404},
		{"payment_intent=" + bare, "", "This PaymentIntent (" + bare + ") does not have a successful charge to refund.", 400},
		{"charge=" + charge + "&payment_intent=" + other, "", "does not belong to PaymentIntent", 400},
		{"charge=" + charge + "&amount=0", "parameter_invalid_integer", "Invalid positive integer", 400},
		{"charge=" + charge + "&amount=3001", "", "Refund amount (¥3,001) is greater than unrefunded amount on charge (¥3,000)", 400},
		{"charge=" + charge + "&amount=ten", "parameter_invalid_integer", "Invalid integer: ten", 400},
		{"charge=" + charge + "&reason=mistake", "", "Invalid reason: must be one of duplicate, fraudulent, or requested_by_customer", 400},
		{"charge=" + disputed, "charge_disputed", "has been charged back", 400},
	}
	for _, test := range tests {
		no := r.must(test.status, r.post("/v1/refunds", test.form))
		if code, _ := no.at("error.code").(string); code != test.code {
			t.Errorf("%s: code %q, want %q", test.form, code, test.code)
		}
		if message, _ := no.at("error.message").(string); !strings.Contains(message, test.message) {
			t.Errorf("%s: %q, want %q", test.form, message, test.message)
		}
	}
	if n := r.world.Len("stripe.refunds"); n != 0 {
		t.Errorf("%d refunds were made", n)
	}
}

func TestSlowAndFailingRefunds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	_, charge := r.pay("amount=3000&currency=usd&payment_method=pm_card_pendingRefund")
	want(t, r.must(200, r.post("/v1/refunds", "charge="+charge)), map[string]any{"status": "pending"})
	want(t, r.get("/v1/charges/"+charge), map[string]any{"amount_refunded": 3000})
	pending := r.get("/v1/refunds").ids()[0]
	_, charge = r.pay("amount=3000&currency=usd&payment_method=pm_card_refundFail")
	want(t, r.must(200, r.post("/v1/refunds", "charge="+charge)), map[string]any{"status": "succeeded"})
	want(t, r.get("/v1/charges/"+charge), map[string]any{"amount_refunded": 3000, "refunded": true})
	failing := r.get("/v1/refunds").ids()[0]
	r.wait(48 * time.Hour)
	want(t, r.get("/v1/refunds/"+pending), map[string]any{"status": "succeeded", "pending_reason": nil})
	want(t, r.get("/v1/refunds/"+failing), map[string]any{"status": "failed", "failure_reason": "expired_or_canceled_card"})
	want(t, r.get("/v1/charges/"+charge), map[string]any{"amount_refunded": 0, "refunded": false})
}
