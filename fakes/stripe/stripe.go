package stripe

import (
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/specs"
)

// name is the service's name; it prefixes its collections in the world.
const name = "stripe"

// The collections, as the contract names them.
const (
	customers      = "customers"
	paymentMethods = "payment_methods"
	paymentIntents = "payment_intents"
	charges        = "charges"
	refunds        = "refunds"
	events         = "events"

	setupIntents        = "setup_intents"
	products            = "products"
	prices              = "prices"
	coupons             = "coupons"
	discounts           = "discounts"
	promotionCodes      = "promotion_codes"
	paymentLinks        = "payment_links"
	checkoutSessions    = "checkout_sessions"
	invoiceItems        = "invoiceitems"
	invoices            = "invoices"
	invoicePayments     = "invoice_payments"
	subscriptions       = "subscriptions"
	subscriptionItems   = "subscription_items"
	creditNotes         = "credit_notes"
	balanceTransactions = "balance_transactions"
	payouts             = "payouts"
	transfers           = "transfers"
	disputes            = "disputes"
	webhookEndpoints    = "webhook_endpoints"
	testClocks          = "test_clocks"
)

// Bookkeeping that no operation shows.
const (
	keysCollection = name + ".idempotency"
	// spentCollection holds the ids of payment methods that may not be used
	// again: detached, or used once without a customer.
	spentCollection = name + ".spent"
	// indexCollection holds what searches saw before records were changed.
	indexCollection = name + ".index"
	// dueCollection holds what comes due by the time of a test clock.
	dueCollection = name + ".due"
)

// keyLife is how long an idempotency key is remembered: "at least 24 hours".
// Source: docs.stripe.com/api/idempotent_requests.
const keyLife = 24 * time.Hour

// Fake plays Stripe. It keeps no state: all of it is in the call's world.
type Fake struct {
	version  string // what Stripe-Version is when the client names none
	store    kit.Store
	handlers map[string]handler // by operation id
	cards    deck
	shape    kit.Shape
	keys     kit.Keys
	index    kit.Index
	blank    blank
}

// blank are records of which nothing is said, to be copied. What stands in them
// is shared, as by records of the world: none of it may be changed.
type blank struct{ customer, intent map[string]any }

var (
	_ fakes.Fake          = (*Fake)(nil)
	_ fakes.Dialect       = (*Fake)(nil)
	_ fakes.Identifier    = (*Fake)(nil)
	_ fakes.Keyed         = (*Fake)(nil)
	_ fakes.Timed         = (*Fake)(nil)
	_ fakes.WebhookSender = (*Fake)(nil)
	_ fakes.Importer      = (*Fake)(nil)
	_ fakes.Editor        = (*Fake)(nil)
	_ fakes.Copier        = (*Fake)(nil)
	_ fakes.Inferrer      = (*Fake)(nil)
)

// New makes the service.
func New() (fakes.Service, error) { return kit.Build(name, newFake) }

func newFake(contract *specs.Contract) (fakes.Service, map[string]handler) {
	f := &Fake{
		version:  contract.Version,
		store:    kit.Store{Service: name, Contract: contract},
		handlers: handlers(),
		cards:    newDeck(),
		keys:     kit.Keys{Collection: keysCollection, Life: keyLife},
		index:    kit.Index{Collection: indexCollection, Lag: searchLag},
		blank:    blank{customer: blankCustomer(), intent: blankIntent()},
	}
	f.shape = shape(contract)
	return fakes.Service{Fake: f, Collections: collections()}, f.handlers
}

func full(collection string) string { return name + "." + collection }
