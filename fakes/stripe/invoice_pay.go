package stripe

import (
	"fmt"
	"net/http"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// retries is how long after a failed payment of a subscription the next one is
// tried; after the last the subscription is canceled. Accounts can choose
// otherwise. Source: docs.stripe.com/billing/revenue-recovery/smart-retries.
var retries = [...]time.Duration{3 * 24 * time.Hour, 5 * 24 * time.Hour, 7 * 24 * time.Hour}

const noSource = "This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority."

// fallback finds what an invoice or a subscription is paid with: its own, else
// the customer's.
func (c *call) fallback(owner map[string]any) (*world.Record, bool) {
	ids := []string{cast.Text(owner["default_payment_method"]), cast.Text(owner["default_source"])}
	if subscription, ok := c.find(subscriptions, subscriptionOf(owner)); ok {
		ids = append(ids, cast.Text(subscription.Value()["default_payment_method"]), cast.Text(subscription.Value()["default_source"]))
	}
	if customer, ok := c.find(customers, cast.Text(owner["customer"])); ok {
		ids = append(ids, kit.Text(customer.Value(), "invoice_settings.default_payment_method"), cast.Text(customer.Value()["default_source"]))
	}
	for _, id := range ids {
		if method, ok := c.find(paymentMethods, id); ok && id != "" {
			return method, true
		}
	}
	return nil, false
}

// finalize makes a draft a demand: it gets its number, and a payment intent
// where money is due. Nothing due is paid at once.
func (c *call) finalize(old *world.Record) *world.Record {
	value := changed(old)
	c.total(value)
	c.balance(value)
	value["status"], value["automatically_finalizes_at"] = "open", nil
	value["effective_at"] = or(value["effective_at"], c.now())
	value["status_transitions"] = transition(value, "finalized_at", c.now())
	page := "acct_1ParityRehearsal/test_" + c.NewID("", 60) + "?s=ap"
	value["hosted_invoice_url"] = "https://invoice.stripe.com/i/" + page
	value["invoice_pdf"] = "https://pay.stripe.com/invoice/" + page[:len(page)-len("?s=ap")] + "/pdf?s=ap"
	value["webhooks_delivered_at"] = c.now()
	if rendering := cast.Object(value["rendering"]); rendering != nil && kit.Text(rendering, "pdf.page_size") == "auto" {
		set := kit.Merge(nil, rendering)
		set["pdf"] = map[string]any{"page_size": "letter"}
		value["rendering"] = set
	}
	c.number(value)
	c.never(invoiceAdvances, old.ID)
	due := whole(value["amount_due"])
	if due == 0 {
		value["status"], value["attempted"], value["auto_advance"] = "paid", true, false
		value["status_transitions"] = transition(value, "paid_at", c.now())
	}
	record := c.update(invoices, value)
	c.emit("invoice.finalized", record.Value(), nil)
	if due == 0 {
		c.emit("invoice.paid", record.Value(), nil)
		c.emit("invoice.payment_succeeded", record.Value(), nil)
		return record
	}
	c.paymentFor(record)
	return record
}

func transition(invoice map[string]any, what string, at any) map[string]any {
	all := kit.Merge(nil, cast.Object(invoice["status_transitions"]))
	all[what] = at
	return all
}

// number takes the next of the customer's numbers.
func (c *call) number(invoice map[string]any) {
	customer, ok := c.find(customers, cast.Text(invoice["customer"]))
	if !ok || deleted(customer) || invoice["number"] != nil {
		return
	}
	next := max(1, whole(customer.Value()["next_invoice_sequence"]))
	invoice["number"] = fmt.Sprintf("%s-%04d", cast.Text(customer.Value()["invoice_prefix"]), next)
	value := changed(customer)
	value["next_invoice_sequence"] = next + 1
	value["currency"] = or(value["currency"], invoice["currency"])
	c.update(customers, value)
}

// balance puts what the customer is owed or owes against what is asked for.
// Amounts too small to be charged wait for the next invoice.
func (c *call) balance(invoice map[string]any) {
	customer, ok := c.find(customers, cast.Text(invoice["customer"]))
	if !ok || deleted(customer) {
		return
	}
	before, total := whole(customer.Value()["balance"]), whole(invoice["total"])
	due := total + before
	after := int64(0)
	switch {
	case due < 0:
		after, due = due, 0
	case due > 0 && due < smallest(cast.Text(invoice["currency"])) && invoice["collection_method"] == "charge_automatically":
		after, due = due, 0
	}
	invoice["starting_balance"], invoice["ending_balance"] = before, after
	invoice["amount_due"], invoice["amount_remaining"] = due, due
	if after != before {
		value := changed(customer)
		value["balance"] = after
		c.update(customers, value)
	}
}

// longestReference is how much of an invoice's id an order reference holds
// before dahlia, as recorded.
const longestReference = 25

// paymentFor makes the payment intent that an invoice is paid by.
func (c *call) paymentFor(invoice *world.Record) {
	value, id := invoice.Value(), c.NewID("pi_3", 23)
	about := "Payment for Invoice"
	intent := c.bareIntent(id, whole(value["amount_due"]), cast.Text(value["currency"]))
	intent["customer"] = value["customer"]
	if subscriptionOf(value) != "" {
		about = "Subscription update"
		if value["billing_reason"] == "subscription_create" {
			about = "Subscription creation"
		}
		intent["setup_future_usage"] = "off_session"
		reference := invoice.ID
		if c.version < dahlia {
			reference = reference[:min(len(reference), longestReference)]
		}
		intent["payment_details"] = map[string]any{"customer_reference": nil, "order_reference": reference}
	}
	if !c.kindsFor("invoice", intent) {
		c.takes(intent, []any{"card", "link"})
	}
	intent["description"], intent["capture_method"] = about, "automatic"
	record := c.create(paymentIntents, intent)
	c.emit("payment_intent.created", record.Value(), nil)
	c.payment(invoice, record.ID, whole(value["amount_due"]), true)
}

// payment notes that an intent pays an invoice, or a part of it.
func (c *call) payment(invoice *world.Record, intent string, amount int64, main bool) *world.Record {
	return c.create(invoicePayments, map[string]any{
		"id": c.NewID("inpay_1", 23), "object": "invoice_payment", "amount_paid": nil, "amount_requested": amount, "created": c.now(),
		"currency": invoice.Value()["currency"], "invoice": invoice.ID, "is_default": main, "livemode": false,
		"payment": map[string]any{"payment_intent": intent, "type": "payment_intent"}, "status": "open",
		"status_transitions": map[string]any{"canceled_at": nil, "paid_at": nil},
	})
}

// mainPayment finds the intent that an open invoice is to be paid by.
func (c *call) mainPayment(invoice string) (*world.Record, bool) {
	for payment := range c.Tx.Find(full(invoicePayments), "invoice", invoice, 0) {
		if payment.Value()["is_default"] == true {
			return c.find(paymentIntents, kit.Text(payment.Value(), "payment.payment_intent"))
		}
	}
	return nil, false
}

// collect tries to take what an open invoice asks for, and gives the invoice as
// it then is.
func (c *call) collect(invoice, method *world.Record) (*world.Record, *refusal) {
	intent, ok := c.mainPayment(invoice.ID)
	if !ok {
		return invoice, missing(http.StatusBadRequest, intentName, "", "payment_intent")
	}
	value := changed(intent)
	left := whole(invoice.Value()["amount_remaining"])
	value["amount"] = left
	_, refused := c.confirm(intent, value, draft{method, method.Value()})
	record, _ := c.find(invoices, invoice.ID)
	if record.Value()["status"] == "paid" {
		return record, nil
	}
	now, _ := c.find(paymentIntents, intent.ID)
	tried := changed(record)
	tried["attempted"] = true
	if refused == nil { // its customer has to authenticate
		record = c.update(invoices, tried)
		c.emit("invoice.payment_action_required", record.Value(), nil)
		refused = &refusal{status: http.StatusPaymentRequired, kind: cardError, code: "invoice_payment_intent_requires_action", message: "Invoice payment intent requires action", intent: now.Value()}
		return record, refused
	}
	tried["attempt_count"] = whole(tried["attempt_count"]) + 1
	record = c.update(invoices, tried)
	c.emit("invoice.payment_failed", record.Value(), nil)
	return record, refused
}

// settleInvoice counts a payment that succeeded toward the invoice that it is
// for, if it is for one.
func (c *call) settleInvoice(intent *world.Record) {
	if intent.Value()["status"] != succeeded {
		return
	}
	for payment := range c.Tx.Find(full(invoicePayments), "payment.payment_intent", intent.ID, 0) {
		if payment.Value()["status"] == "open" {
			c.settle(payment, whole(intent.Value()["amount_received"]))
		}
		return
	}
}

func (c *call) settle(payment *world.Record, amount int64) {
	paid := changed(payment)
	paid["amount_paid"], paid["status"] = amount, "paid"
	paid["status_transitions"] = map[string]any{"canceled_at": nil, "paid_at": c.now()}
	record := c.update(invoicePayments, paid)
	old, ok := c.find(invoices, cast.Text(payment.Value()["invoice"]))
	if !ok {
		return
	}
	value := changed(old)
	sum := whole(value["amount_paid"]) + amount
	due := whole(value["amount_due"])
	value["amount_paid"], value["amount_remaining"] = sum, max(0, due-sum)
	value["amount_overpaid"] = max(0, sum-due)
	value["attempted"] = true
	if payment.Value()["is_default"] == true {
		value["attempt_count"] = whole(value["attempt_count"]) + 1
	}
	if sum < due {
		c.emit("invoice_payment.paid", record.Value(), nil)
		c.emit("invoice.updated", c.update(invoices, value).Value(), kit.Before(old.Value(), value))
		return
	}
	c.paid(value)
	c.emit("invoice_payment.paid", record.Value(), nil)
}

// paid ends an invoice well, and lets its subscription go on.
func (c *call) paid(value map[string]any) *world.Record {
	value["status"], value["auto_advance"], value["next_payment_attempt"] = "paid", false, nil
	value["status_transitions"] = transition(value, "paid_at", c.now())
	record := c.update(invoices, value)
	c.never(invoiceAdvances, record.ID)
	for payment := range c.Tx.Find(full(invoicePayments), "invoice", record.ID, 0) {
		if payment.Value()["status"] == "open" {
			c.dropPayment(payment)
		}
	}
	c.emit("invoice.paid", record.Value(), nil)
	c.emit("invoice.payment_succeeded", record.Value(), nil)
	c.paidFor(record)
	return record
}

// dropPayment gives a payment that is not wanted any more up, with its intent.
func (c *call) dropPayment(payment *world.Record) {
	value := changed(payment)
	value["status"], value["status_transitions"] = canceled, map[string]any{"canceled_at": c.now(), "paid_at": nil}
	c.update(invoicePayments, value)
	intent, ok := c.find(paymentIntents, kit.Text(payment.Value(), "payment.payment_intent"))
	if ok && payment.Value()["is_default"] == true && intent.Value()["status"] != succeeded && intent.Value()["status"] != canceled {
		given := changed(intent)
		given["cancellation_reason"] = "void_invoice"
		c.giveUp(given, nil, "")
	}
}

// mail puts an invoice that goes out to its customer into the outbox.
func (c *call) mail(invoice *world.Record) {
	to := []string{}
	if address := cast.Text(invoice.Value()["customer_email"]); address != "" {
		to = append(to, address)
	}
	err := kit.Send(c.Tx, fakes.Sent{
		Service: name, Kind: "invoice", ID: invoice.ID, To: to, At: c.present(), Content: invoice.Value(),
		Summary: fmt.Sprintf("Invoice %v for %s", or(invoice.Value()["number"], invoice.ID), money(whole(invoice.Value()["amount_due"]), cast.Text(invoice.Value()["currency"]))),
	})
	kit.Must(name, err)
}
