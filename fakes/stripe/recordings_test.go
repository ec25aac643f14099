package stripe_test

import (
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/stripe"
)

// TestRecordedConversations plays what recorded clients sent and the real
// service answered.
func TestRecordedConversations(t *testing.T) {
	t.Parallel()
	service, err := stripe.New()
	if err != nil {
		t.Fatal(err)
	}
	set := func(r *faketest.Rig) { r.Header.Set("Authorization", "Bearer sk_test_recorded") }
	faketest.Recorded(t, service, "stripe", set, frozen())
}

// frozen names what is not met, and why.
func frozen() faketest.Frozen {
	const (
		anonymised   = "the recorded invoice shows another name of its customer than the customer was made with: names were replaced in the recording"
		unknownPrice = "the price was made before the recording begins, and no record shows it"
		counted      = "the coupon is known as it is after this conversation has used it"
		challenge    = "what a page needs for 3-D Secure (certificates) is not played"
	)
	return faketest.Frozen{
		"pay-stripe-fails-when-subscribing-with-sca-card.json#19":              challenge,
		"pay-cancel-now-when-scheduled-for-cancellation.json#4":                anonymised,
		"pay-cancel-now-when-scheduled-for-cancellation.json#8":                anonymised,
		"pay-cancel-now-when-scheduled-for-cancellation.json#9":                anonymised,
		"pay-cancel-now-when-scheduled-for-cancellation.json#10":               anonymised,
		"pay-checkout-payment-session.json#2":                                  unknownPrice,
		"pay-stripe-can-issue-credit-note-for-a-refund-for-stripe-tax.json#4":  anonymised,
		"pay-stripe-can-issue-credit-note-for-a-refund-for-stripe-tax.json#8":  anonymised,
		"pay-stripe-can-issue-credit-note-for-a-refund-for-stripe-tax.json#10": anonymised,
		"pay-stripe-change-subscription-quantity.json#4":                       anonymised,
		"pay-stripe-change-subscription-quantity.json#8":                       anonymised,
		"pay-stripe-change-subscription-quantity.json#10":                      anonymised,
		"pay-stripe-fails-when-subscribing-with-no-payment-method.json#2":      unknownPrice,
		"pay-stripe-fails-when-subscribing-with-sca-card.json#18":              anonymised,
		"pay-stripe-subscription-and-one-time-charge.json#4":                   anonymised,
		"pay-stripe-subscription-and-one-time-charge.json#8":                   anonymised,
		"pay-stripe-subscription-and-one-time-charge.json#9":                   anonymised,
		"pay-sync-stripe-invoice-discounts-and-coupons.json#11":                counted,
	}
}
