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

// frozen names what is not met, and why: all of it is what only the recorded
// account knows.
func frozen() faketest.Frozen {
	const (
		dashboard    = "the account's dashboard decides which kinds of payment method there are, the statement's text, and the platform's application"
		anonymised   = "the recorded invoice shows another name and email than the customer was made with, and the account's name"
		oneTime      = "the subscription adds a one-time price that no record shows; what follows is about it"
		unknownPrice = "the price was made before the recording begins, and no record shows it"
		counted      = "the coupon is known as it is after this conversation has used it"
		challenge    = "what a page needs for 3-D Secure (certificates) is not played"
	)
	return faketest.Frozen{
		"pay-cancel-now-when-scheduled-for-cancellation.json#10":                       anonymised,
		"pay-stripe-can-issue-credit-note-for-a-refund-for-stripe-tax.json#10":         anonymised,
		"pay-stripe-change-subscription-quantity.json#10":                              anonymised,
		"pay-stripe-subscription-and-one-time-charge.json#9":                           oneTime,
		"pay-cancel-now-when-scheduled-for-cancellation.json#4":                        anonymised,
		"pay-cancel-now-when-scheduled-for-cancellation.json#5":                        dashboard,
		"pay-cancel-now-when-scheduled-for-cancellation.json#6":                        dashboard,
		"pay-cancel-now-when-scheduled-for-cancellation.json#8":                        anonymised,
		"pay-cancel-now-when-scheduled-for-cancellation.json#9":                        anonymised,
		"pay-checkout-payment-session.json#2":                                          unknownPrice,
		"pay-connect-transfer.json#4":                                                  dashboard,
		"pay-stripe-can-create-setup-intent.json#2":                                    dashboard,
		"pay-stripe-can-issue-credit-note-for-a-refund-for-stripe-tax.json#4":          anonymised,
		"pay-stripe-can-issue-credit-note-for-a-refund-for-stripe-tax.json#5":          dashboard,
		"pay-stripe-can-issue-credit-note-for-a-refund-for-stripe-tax.json#6":          dashboard,
		"pay-stripe-can-issue-credit-note-for-a-refund-for-stripe-tax.json#8":          anonymised,
		"pay-stripe-change-subscription-quantity.json#4":                               anonymised,
		"pay-stripe-change-subscription-quantity.json#5":                               dashboard,
		"pay-stripe-change-subscription-quantity.json#6":                               dashboard,
		"pay-stripe-change-subscription-quantity.json#8":                               anonymised,
		"pay-stripe-fails-when-subscribing-with-no-payment-method.json#2":              unknownPrice,
		"pay-stripe-fails-when-subscribing-with-sca-card.json#18":                      anonymised,
		"pay-stripe-fails-when-subscribing-with-sca-card.json#19":                      challenge,
		"pay-stripe-performing-multiple-refunds-increments-total-refund-amount.json#4": dashboard,
		"pay-stripe-subscription-and-one-time-charge.json#4":                           oneTime,
		"pay-stripe-subscription-and-one-time-charge.json#5":                           oneTime,
		"pay-stripe-subscription-and-one-time-charge.json#6":                           oneTime,
		"pay-stripe-subscription-and-one-time-charge.json#7":                           oneTime,
		"pay-stripe-subscription-and-one-time-charge.json#8":                           oneTime,
		"pay-sync-stripe-invoice-discounts-and-coupons.json#8":                         dashboard,
		"pay-sync-stripe-invoice-discounts-and-coupons.json#9":                         dashboard,
		"pay-sync-stripe-invoice-discounts-and-coupons.json#11":                        counted,
	}
}
