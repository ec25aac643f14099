package stripe

import (
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A kind is what a path may name: where it is kept, what errors call it, the
// parameter of the path that holds its id, and the parameter that errors blame.
type kind struct{ collection, what, parameter, blamed string }

// The kinds that paths name.
var (
	theBalanceTransaction = kind{balanceTransactions, "balance transaction", "id", "id"}
	theCharge             = kind{charges, "charge", "charge", "id"}
	theSession            = kind{checkoutSessions, sessionName, "session", "session"}
	theCoupon             = kind{coupons, "coupon", "coupon", "coupon"}
	theCreditNote         = kind{creditNotes, "credit note", "id", "id"}
	theCustomer           = kind{customers, "customer", "customer", "id"}
	theDispute            = kind{disputes, "dispute", "dispute", "dispute"}
	theEvent              = kind{events, "event", "id", "id"}
	theInvoiceItem        = kind{invoiceItems, "invoiceitem", "invoiceitem", "id"}
	theInvoicePayment     = kind{invoicePayments, "invoice_payment", "invoice_payment", "invoice_payment"}
	theInvoice            = kind{invoices, "invoice", "invoice", "id"}
	theIntent             = kind{paymentIntents, intentName, "intent", "intent"}
	theLink               = kind{paymentLinks, "payment link", "payment_link", "payment_link"}
	theMethod             = kind{paymentMethods, methodName, "payment_method", "payment_method"}
	thePayout             = kind{payouts, "payout", "payout", "payout"}
	thePrice              = kind{prices, "price", "price", "price"}
	theProduct            = kind{products, "product", "id", "id"}
	thePromotionCode      = kind{promotionCodes, "promotion code", "promotion_code", "promotion_code"}
	theRefund             = kind{refunds, "refund", "refund", "id"}
	theSetup              = kind{setupIntents, setupName, "intent", "intent"}
	theItem               = kind{subscriptionItems, itemName, "item", "item"}
	theSubscription       = kind{subscriptions, "subscription", subscriptionPath, "id"}
	theClock              = kind{testClocks, clockName, "test_clock", "test_clock"}
	theTransfer           = kind{transfers, "transfer", "transfer", "transfer"}
	theEndpoint           = kind{webhookEndpoints, "webhook endpoint", "webhook_endpoint", "webhook_endpoint"}
)

// by is the kind where a path calls its id otherwise.
func (k kind) by(parameter, blamed string) kind {
	k.parameter, k.blamed = parameter, blamed
	return k
}

// find finds the record that the path names.
func (k kind) find(c *call) (*world.Record, *refusal) {
	id := c.Input.Path[k.parameter]
	record, ok := c.find(k.collection, id)
	if !ok {
		return nil, missing(http.StatusNotFound, k.what, id, k.blamed)
	}
	return record, nil
}

// live finds a record that is not deleted, for a path or a parameter.
func (c *call) live(k kind, id string, status int, param string) (*world.Record, *refusal) {
	record, ok := c.find(k.collection, id)
	if !ok || deleted(record) {
		return nil, missing(status, k.what, id, param)
	}
	return record, nil
}

func deleted(r *world.Record) bool { return r.Value()["deleted"] == true }

// on answers a call about the record that its path names.
func (k kind) on(act func(*call, *world.Record) (answer, *refusal)) handler {
	return kit.With(k.find, act)
}

// alive is on for records that leave a trace when they are deleted.
func (k kind) alive(act func(*call, *world.Record) (answer, *refusal)) handler {
	return kit.With(func(c *call) (*world.Record, *refusal) {
		return c.live(k, c.Input.Path[k.parameter], http.StatusNotFound, k.blamed)
	}, act)
}

// given answers with a record.
func (k kind) given(_ *call, record *world.Record) (answer, *refusal) {
	return answer{record: record, collection: k.collection}, nil
}

// shown answers with the record that the path names.
func (k kind) shown() handler { return k.on(k.given) }

// listed lists records, which the named parameters filter.
func (k kind) listed(filters ...string) handler {
	return func(c *call) (answer, *refusal) { return c.list(k.collection, k.what, nil, filters...) }
}

// lines lists the lines that stand in a field of the record.
func (k kind) lines(field string) handler {
	return k.on(func(c *call, record *world.Record) (answer, *refusal) {
		return c.part(cast.List(cast.Object(record.Value()[field])[kit.ItemsKey]), "line item")
	})
}

// retag changes the metadata of a record, and what else is named.
func (k kind) retag(c *call, old *world.Record, event string, fields ...string) (answer, *refusal) {
	value := changed(old)
	assign(value, c.Input.Body, fields...)
	if refused := c.setMetadata(value, old.Value()["metadata"]); refused != nil {
		return answer{}, refused
	}
	record := c.update(k.collection, value)
	if before := kit.Before(old.Value(), record.Value()); len(before) > 0 && event != "" {
		c.emit(event, record.Value(), before)
	}
	return k.given(c, record)
}

// retagged retags the record that the path names.
func (k kind) retagged(event string, fields ...string) handler {
	return k.on(func(c *call, old *world.Record) (answer, *refusal) { return k.retag(c, old, event, fields...) })
}
