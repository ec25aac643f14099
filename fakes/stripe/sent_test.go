package stripe_test

import (
	"strings"
	"testing"

	"parity/fakes/kit"
)

// Money that moves is in the outbox; a hold is not, until it is captured.
func TestTheOutboxHasMoneyThatMoves(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const card = "&currency=usd&confirm=true&payment_method=pm_card_visa&payment_method_types[0]=card"
	paid := r.must(200, r.post("/v1/payment_intents", "amount=4900"+card))
	held := r.must(200, r.post("/v1/payment_intents", "amount=2000&capture_method=manual"+card))
	r.must(402, r.post("/v1/payment_intents", "amount=700&currency=usd&confirm=true&payment_method=pm_card_chargeDeclined&payment_method_types[0]=card"))
	r.must(200, r.post("/v1/payment_intents/"+held.id()+"/capture", "amount_to_capture=1500"))
	r.must(200, r.post("/v1/refunds", "amount=1000&payment_intent="+paid.id()))
	var sent []string
	for s := range kit.Outbox(r.world) {
		sent = append(sent, s.Kind+": "+s.Summary)
	}
	if got, want := strings.Join(sent, "; "), "charge: Charge of $49.00; charge: Charge of $15.00; refund: Refund of $10.00"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
