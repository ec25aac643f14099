package stripe_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes"
)

const held = "amount=2000&currency=usd&confirm=true&capture_method=manual&payment_method=pm_card_visa" + never

const holdLife = 7 * 24 * time.Hour

// TestAHoldExpires: what nobody captures in seven days is canceled by Stripe,
// and each record says so.
func TestAHoldExpires(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.now = r.now.Add(300 * time.Millisecond)
	placed := r.now.Unix()
	intent := r.must(200, r.keyed("k1", "/v1/payment_intents", held))
	path := "/v1/payment_intents/" + intent.id()
	charge := "/v1/charges/" + intent.at("latest_charge").(string)
	expires := placed + int64(holdLife/time.Second)
	want(t, r.get(charge), map[string]any{"payment_method_details.card.capture_before": expires})

	r.wait(holdLife - 301*time.Millisecond)
	want(t, r.get(path), map[string]any{"status": "requires_capture", "amount_capturable": 2000})
	made := r.types()
	r.wait(time.Millisecond) // to the whole second that the charge shows
	want(t, r.get(path), map[string]any{
		"status": "canceled", "cancellation_reason": "automatic", "canceled_at": expires,
		"amount_capturable": 0, "amount_received": 0, "next_action": nil,
	})
	want(t, r.get(charge), map[string]any{
		"captured": false, "refunded": true, "amount_refunded": 2000, "amount_captured": 0, "paid": true, "status": "succeeded",
	})
	back := r.get("/v1/refunds")
	want(t, back, map[string]any{
		"data.0.reason": "expired_uncaptured_charge", "data.0.amount": 2000, "data.0.status": "succeeded",
		"data.0.balance_transaction": nil, "data.0.created": expires, "data.1": nil,
	})
	if diff := cmp.Diff([]string{"charge.expired", "payment_intent.canceled"}, r.types()[len(made):]); diff != "" {
		t.Error(diff)
	}
	want(t, r.get("/v1/events"), map[string]any{
		"data.0.type": "payment_intent.canceled", "data.0.created": expires, "data.0.data.object.status": "canceled",
		"data.0.request": map[string]any{"id": nil, "idempotency_key": nil},
		"data.1.type":    "charge.expired", "data.1.data.object.refunded": true,
		"data.1.data.previous_attributes": map[string]any{"amount_refunded": 0, "refunded": false},
	})
	late := r.must(400, r.post(path+"/capture", ""))
	want(t, late, map[string]any{
		"error.code":    "payment_intent_unexpected_state",
		"error.message": "This PaymentIntent could not be captured because it has a status of canceled. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.",
	})
	r.must(400, r.post("/v1/refunds", "payment_intent="+intent.id()))
}

// TestWhatDoesNotExpire: nothing happens to what was taken, given up or never
// held.
func TestWhatDoesNotExpire(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(r *rig, intent got){
		"captured": func(r *rig, i got) { r.must(200, r.post("/v1/payment_intents/"+i.id()+"/capture", "")) },
		"captured in part": func(r *rig, i got) {
			r.must(200, r.post("/v1/payment_intents/"+i.id()+"/capture", "amount_to_capture=500"))
		},
		"captured by charge": func(r *rig, i got) { r.must(200, r.post("/v1/charges/"+i.at("latest_charge").(string)+"/capture", "")) },
		"canceled":           func(r *rig, i got) { r.must(200, r.post("/v1/payment_intents/"+i.id()+"/cancel", "")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			do(r, r.must(200, r.post("/v1/payment_intents", held)))
			if n := r.world.Len(fakes.TimersCollection); n != 0 {
				t.Errorf("%d timers are left", n)
			}
			before := r.world.Hash()
			r.wait(30 * 24 * time.Hour)
			if r.world.Hash() != before {
				t.Error("something happened later on")
			}
		})
	}
}

// TestOthersMayBeFaster: a timer whose intent another actor changed, or took
// away, does nothing; nor does one of a kind that this fake does not know.
func TestOthersMayBeFaster(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	changed := r.must(200, r.post("/v1/payment_intents", held)).id()
	gone := r.must(200, r.post("/v1/payment_intents", held)).id()
	bare := r.must(200, r.post("/v1/payment_intents", held)).id()
	r.set("stripe.payment_intents", changed, map[string]any{"status": "processing"})
	r.set("stripe.payment_intents", bare, map[string]any{"latest_charge": nil})
	tx := r.world.Begin()
	if err := tx.Delete("stripe.payment_intents", gone); err != nil {
		t.Fatal(err)
	}
	r.world = tx.Commit()
	made := r.types()
	r.wait(holdLife)
	want(t, r.get("/v1/payment_intents/"+changed), map[string]any{"status": "processing", "cancellation_reason": nil})
	want(t, r.get("/v1/payment_intents/"+bare), map[string]any{"status": "canceled", "cancellation_reason": "automatic"})
	if diff := cmp.Diff([]string{"payment_intent.canceled"}, r.types()[len(made):]); diff != "" {
		t.Error(diff)
	}

	call := &fakes.Call{Contract: r.service.Contract, Tx: r.world.Begin(), Now: r.now, NewID: r.mint}
	r.service.Fake.(fakes.Timed).Fire(call, fakes.Timer{Service: "stripe", Kind: "payday", Subject: changed, Due: r.now})
	if n := len(call.Tx.Changes()); n != 0 {
		t.Errorf("an unknown timer made %d changes", n)
	}
}

// TestHoldsExpireInOrder: the one placed first expires first, however far the
// clock is moved at once.
func TestHoldsExpireInOrder(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var placed, expired []string
	for range 3 {
		placed = append(placed, r.must(200, r.post("/v1/payment_intents", held)).id())
		r.wait(time.Hour)
	}
	r.wait(365 * 24 * time.Hour)
	var at []int64
	for e := range r.world.Find("stripe.events", "type", "payment_intent.canceled", 0) {
		object := got{body: e.Value()}
		expired, at = append(expired, object.at("data.object.id").(string)), append(at, object.at("created").(int64))
	}
	slices.Reverse(expired)
	if diff := cmp.Diff(placed, expired); diff != "" || at[0]-at[1] != 3600 || at[1]-at[2] != 3600 {
		t.Errorf("expired %v at %v: %s", expired, at, diff)
	}
}
