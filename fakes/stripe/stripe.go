package stripe

import (
	"fmt"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
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
)

// Bookkeeping that no operation shows.
const (
	keysCollection = name + ".idempotency"
	// spentCollection holds the ids of payment methods that may not be used
	// again: detached, or used once without a customer.
	spentCollection = name + ".spent"
)

// keyLife is how long an idempotency key is remembered: "at least 24 hours".
// Source: docs.stripe.com/api/idempotent_requests.
const keyLife = 24 * time.Hour

// Fake plays Stripe. It keeps no state: all of it is in the call's world.
type Fake struct {
	version  string // what Stripe-Version is when the client names none
	contract *specs.Contract
	handlers map[string]handler // by operation id
	cards    deck
	shape    kit.Shape
	keys     kit.Keys
}

var (
	_ fakes.Fake       = (*Fake)(nil)
	_ fakes.Dialect    = (*Fake)(nil)
	_ fakes.Identifier = (*Fake)(nil)
	_ fakes.Keyed      = (*Fake)(nil)
	_ fakes.Timed      = (*Fake)(nil)
)

// New makes the service. An operation of the contract that nothing here
// answers, and an answer to no operation, are errors.
func New() (fakes.Service, error) {
	contract, err := specs.Builtin(name)
	if err != nil {
		return fakes.Service{}, fmt.Errorf("stripe: %w", err)
	}
	f := &Fake{
		version:  contract.Version,
		contract: contract,
		handlers: handlers(),
		cards:    newDeck(),
		keys:     kit.Keys{Collection: keysCollection, Life: keyLife},
	}
	f.shape = shape(contract)
	for _, operation := range contract.Operations {
		if f.handlers[operation.ID] == nil {
			return fakes.Service{}, fmt.Errorf("stripe: the contract has %s, which nothing answers; add it to handlers", operation.Name())
		}
	}
	if known, answered := len(contract.Operations), len(f.handlers); known != answered {
		return fakes.Service{}, fmt.Errorf("stripe: %d operations are answered, the contract has %d", answered, known)
	}
	return fakes.Service{
		Name: name, Contract: contract, Fake: f,
		Collections: collections(), Hosts: contract.Hosts,
	}, nil
}

// collections declares what the fake keeps, with the fields its lists filter.
func collections() []world.Collection {
	return []world.Collection{
		{Name: full(customers), Indexes: []string{"email"}},
		{Name: full(paymentMethods), Indexes: []string{"customer"}},
		{Name: full(paymentIntents), Indexes: []string{"customer"}},
		{Name: full(charges), Indexes: []string{"customer", "payment_intent"}},
		{Name: full(refunds), Indexes: []string{"charge", "payment_intent"}},
		{Name: full(events), Indexes: []string{"type"}},
		{Name: keysCollection, Hidden: true},
		{Name: spentCollection, Hidden: true},
	}
}

// handlers maps each operation to what answers it.
func handlers() map[string]handler {
	return map[string]handler{
		"GetCustomers":                                    listCustomers,
		"PostCustomers":                                   createCustomer,
		"GetCustomersCustomer":                            getCustomer,
		"PostCustomersCustomer":                           updateCustomer,
		"DeleteCustomersCustomer":                         deleteCustomer,
		"GetCustomersCustomerPaymentMethods":              listCustomerMethods,
		"GetCustomersCustomerPaymentMethodsPaymentMethod": getCustomerMethod,

		"GetPaymentMethods":                     listMethods,
		"PostPaymentMethods":                    createMethod,
		"GetPaymentMethodsPaymentMethod":        getMethod,
		"PostPaymentMethodsPaymentMethod":       updateMethod,
		"PostPaymentMethodsPaymentMethodAttach": attachMethod,
		"PostPaymentMethodsPaymentMethodDetach": detachMethod,

		"GetPaymentIntents":               listIntents,
		"PostPaymentIntents":              createIntent,
		"GetPaymentIntentsIntent":         getIntent,
		"PostPaymentIntentsIntent":        updateIntent,
		"PostPaymentIntentsIntentConfirm": confirmIntent,
		"PostPaymentIntentsIntentCapture": captureIntent,
		"PostPaymentIntentsIntentCancel":  cancelIntent,

		"GetCharges":               listCharges,
		"GetChargesCharge":         getCharge,
		"PostChargesCharge":        updateCharge,
		"PostChargesChargeCapture": captureCharge,

		"GetRefunds":              listRefunds,
		"PostRefunds":             createRefund,
		"GetRefundsRefund":        getRefund,
		"PostRefundsRefund":       updateRefund,
		"PostRefundsRefundCancel": cancelRefund,

		"GetEvents":   listEvents,
		"GetEventsId": getEvent,
	}
}

func full(collection string) string { return name + "." + collection }
