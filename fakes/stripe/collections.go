package stripe

import (
	"parity/fakes/kit"
	"parity/fakes/world"
)

// collections declares what the fake keeps, with the fields its lists filter.
func collections() []world.Collection {
	return []world.Collection{
		{Name: full(customers), Indexes: []string{"email", "test_clock"}},
		{Name: full(paymentMethods), Indexes: []string{"customer"}},
		{Name: full(paymentIntents), Indexes: []string{"customer"}},
		{Name: full(charges), Indexes: []string{"customer", "payment_intent"}},
		{Name: full(refunds), Indexes: []string{"charge", "payment_intent"}},
		{Name: full(events), Indexes: []string{"type"}, Ledger: true},
		{Name: full(setupIntents), Indexes: []string{"customer"}},
		{Name: full(products)},
		{Name: full(prices), Indexes: []string{"product", "lookup_key"}},
		{Name: full(coupons)},
		{Name: full(discounts)},
		{Name: full(promotionCodes), Indexes: []string{"code"}},
		{Name: full(paymentLinks)},
		{Name: full(checkoutSessions), Indexes: []string{"customer"}},
		{Name: full(invoiceItems), Indexes: []string{"customer", "invoice"}},
		{Name: full(invoices), Indexes: []string{"customer", "parent.subscription_details.subscription"}},
		{Name: full(invoicePayments), Indexes: []string{"invoice", "payment.payment_intent"}},
		{Name: full(subscriptions), Indexes: []string{"customer"}},
		{Name: full(subscriptionItems), Indexes: []string{"subscription"}},
		{Name: full(creditNotes), Indexes: []string{"invoice", "customer"}},
		{Name: full(balanceTransactions), Indexes: []string{"source"}, Ledger: true},
		{Name: full(payouts)},
		{Name: full(transfers), Indexes: []string{"transfer_group"}},
		{Name: full(disputes), Indexes: []string{"charge", "payment_intent"}},
		{Name: full(webhookEndpoints)},
		{Name: full(testClocks)},
		{Name: dueCollection, Hidden: true, Indexes: []string{"clock"}, Sorted: []string{"due"}},
		{Name: keysCollection, Hidden: true},
		{Name: spentCollection, Hidden: true},
		kit.Index{Collection: indexCollection}.Declared(),
		{Name: accountCollection, Hidden: true},
		{Name: pagesCollection, Hidden: true},
		{Name: full(accounts)},
		{Name: full(applicationFees), Indexes: []string{"charge"}},
		{Name: full(feeRefunds), Indexes: []string{"fee"}},
		{Name: full(transferReversals), Indexes: []string{"transfer"}},
		{Name: ownersCollection, Hidden: true},
		{Name: connectCollection, Hidden: true},
	}
}
