package stripe_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// newBareStage is a world of records that a profile might plant: each has the
// fields that the contract demands, and no more than its state needs.
func newBareStage(t testing.TB) *stage {
	s := newStage(t)
	s.rig = newRig(t)
	tx := s.rig.world.Begin()
	s.paths = map[string][]string{"id": {"evt_bare"}}
	plant := func(collection, parameter, id string, fields map[string]any) {
		value := map[string]any{"id": id, "created": int64(1), "livemode": false}
		maps.Copy(value, fields)
		if collection == "refunds" {
			delete(value, "livemode")
		}
		if wrong := s.service.Contract.CheckRecord(collection, value); len(wrong) > 0 {
			t.Fatalf("%s: %+v", id, wrong[0])
		}
		if _, err := tx.Insert("stripe."+collection, id, value); err != nil {
			t.Fatal(err)
		}
		s.paths[parameter] = append(s.paths[parameter], id)
		s.known[parameter] = s.paths[parameter]
	}
	plant("customers", "customer", "cus_bare", map[string]any{"object": "customer"})
	plant("payment_methods", "payment_method", "pm_bare", map[string]any{"object": "payment_method", "type": "card", "billing_details": map[string]any{}})
	plant("payment_methods", "payment_method", "pm_bank", map[string]any{"object": "payment_method", "type": "us_bank_account", "billing_details": map[string]any{}, "customer": "cus_gone"})
	plant("payment_methods", "payment_method", "pm_card", map[string]any{
		"object": "payment_method", "type": "card", "billing_details": map[string]any{}, "customer": "cus_bare",
		"card": map[string]any{"brand": "visa", "exp_month": int64(1), "exp_year": int64(2030), "funding": "credit", "last4": "1111"},
	})
	for i, status := range []string{"canceled", "processing", "requires_action", "requires_capture", "requires_confirmation", "requires_payment_method", "succeeded"} {
		for _, kinds := range [][]any{nil, {"card"}} {
			fields := map[string]any{"object": "payment_intent", "amount": int64(1000), "currency": "usd", "status": status, "payment_method": "pm_card", "customer": "cus_bare"}
			if kinds != nil {
				fields["payment_method_types"], fields["latest_charge"], fields["amount_capturable"] = kinds, "ch_bare0", int64(1000)
			}
			plant("payment_intents", "intent", fmt.Sprintf("pi_bare%d%d", i, len(kinds)), fields)
		}
	}
	for i, intent := range []any{nil, "pi_bare30", "pi_bare31", "pi_gone"} {
		for _, captured := range []bool{false, true} {
			plant("charges", "charge", fmt.Sprintf("ch_bare%d%v", i, captured), map[string]any{
				"object": "charge", "amount": int64(1000), "amount_captured": int64(0), "amount_refunded": int64(0),
				"billing_details": map[string]any{}, "captured": captured, "currency": "usd", "disputed": false, "metadata": map[string]any{}, "paid": true, "refunded": false,
				"status": "succeeded", "payment_intent": intent,
			})
		}
	}
	for i, status := range []any{nil, "requires_action", "succeeded"} {
		plant("refunds", "refund", fmt.Sprintf("re_bare%d", i), map[string]any{"object": "refund", "amount": int64(100), "currency": "usd", "status": status})
	}
	plant("events", "id", "evt_bare", map[string]any{"object": "event", "data": map[string]any{"object": map[string]any{}}, "pending_webhooks": int64(0), "type": "a.b"})
	s.known["payment_intent"] = s.paths["intent"]
	s.bases = map[string][]string{
		"PostPaymentIntents":                    {"amount=1000&currency=usd&payment_method_types[]=card"},
		"PostPaymentIntentsIntentConfirm":       {"payment_method=pm_card_visa"},
		"PostPaymentMethodsPaymentMethodAttach": {"customer=cus_bare"},
	}
	s.rig.world = tx.Commit()
	return s
}

// TestPlantedRecordsOfFewFieldsAreAnswered sends the same to records that have
// but the fields that they must have.
func TestPlantedRecordsOfFewFieldsAreAnswered(t *testing.T) {
	t.Parallel()
	s := newSweep(t)
	s.stage = newBareStage(t)
	for _, operation := range s.service.Contract.Operations {
		parameters := s.document.parameters(operation.Method, operation.Path)
		for _, target := range s.targets(operation.Path) {
			base := s.basesOf(operation.ID)[0]
			s.judge(operation, target, base)
			for _, path := range s.expandable(operation) {
				s.judge(operation, target, over(base, []pair{{"expand[]", path}}))
			}
			for _, name := range slices.Sorted(maps.Keys(parameters)) {
				for _, sample := range s.document.samples(name, parameters[name], s.known) {
					s.try(operation, target, over(base, sample))
				}
			}
		}
	}
	s.report(t)
}
