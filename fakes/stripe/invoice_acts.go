package stripe

import (
	"net/http"

	"parity/fakes/world"
)

func finalizeInvoice(c *call, old *world.Record) (answer, *refusal) {
	if old.Value()["status"] != "draft" {
		return answer{}, invalid("", "invoice_not_editable", "This invoice is already finalized, you can't re-finalize a non-draft invoice.")
	}
	record := c.finalize(old)
	if advance, sent := c.Input.Body["auto_advance"].(bool); sent && record.Value()["status"] == "open" {
		value := changed(record)
		value["auto_advance"] = advance
		record = c.update(invoices, value)
	}
	if record.Value()["auto_advance"] == true && record.Value()["status"] == "open" {
		c.later(invoiceAdvances, record.ID, c.after(draftLife))
	}
	return answer{record: record, collection: invoices}, nil
}

// payInvoice takes what an invoice asks for; a draft is finalized first.
func payInvoice(c *call, old *world.Record) (answer, *refusal) {
	switch old.Value()["status"] {
	case "paid":
		return answer{}, invalid("", "", "Invoice is already paid")
	case "void", "uncollectible":
		return answer{}, invalid("", "", "Invoice is %v and can no longer be paid", old.Value()["status"])
	}
	outside := c.flag("paid_out_of_band")
	var method *world.Record
	if !outside && (old.Value()["status"] != "draft" || whole(old.Value()["total"]) > 0) {
		found, refused := c.payer(old.Value())
		if refused != nil {
			return answer{}, refused
		}
		method = found
	}
	record := old
	if old.Value()["status"] == "draft" {
		record = c.finalize(old)
	}
	if record.Value()["status"] == "paid" {
		return answer{record: record, collection: invoices}, nil
	}
	if outside {
		value := changed(record)
		value["amount_paid"], value["amount_remaining"], value["attempted"] = value["amount_due"], int64(0), true
		value["amount_paid_off_stripe"] = value["amount_due"]
		return answer{record: c.paid(value), collection: invoices}, nil
	}
	c.away = pick(c.Input.Body, "off_session", true)
	record, refused := c.collect(record, method)
	return answer{record: record, collection: invoices}, refused
}

// payer finds what an invoice is to be paid with now.
func (c *call) payer(invoice map[string]any) (*world.Record, *refusal) {
	id := c.text("payment_method")
	param := "payment_method"
	if id == "" {
		id, param = c.text("source"), "source"
	}
	if id == "" {
		method, ok := c.fallback(invoice)
		if !ok {
			return nil, &refusal{status: http.StatusBadRequest, code: resourceMissing, message: noSource, final: true}
		}
		return method, nil
	}
	method, refused := c.methodFor(id, param)
	if refused != nil {
		return nil, refused
	}
	if owner := method.value["customer"]; owner != nil && owner != invoice["customer"] {
		return nil, invalid(param, "", "The provided PaymentMethod (%s) does not belong to the supplied Customer (%v).", method.id(), invoice["customer"])
	}
	return method.keep(c, ""), nil
}

// attachPayment lets a payment that was made on its own count.
func attachPayment(c *call, old *world.Record) (answer, *refusal) {
	id := c.text("payment_intent")
	if id == "" {
		return answer{}, required("payment_intent")
	}
	intent, ok := c.find(paymentIntents, id)
	switch {
	case !ok:
		return answer{}, missing(http.StatusBadRequest, intentName, id, "payment_intent")
	case old.Value()["status"] != "open":
		return answer{}, invalid("", "", "Payments can only be attached to open invoices. This invoice has a status of %v.", old.Value()["status"])
	case intent.Value()["status"] == canceled:
		return answer{}, invalid("payment_intent", "", "A canceled PaymentIntent cannot be attached to an invoice.")
	case intent.Value()["currency"] != old.Value()["currency"], intent.Value()["customer"] != nil && intent.Value()["customer"] != old.Value()["customer"]:
		return answer{}, invalid("payment_intent", "", "The PaymentIntent must be of the invoice's customer and currency.")
	}
	for range c.Tx.Find(full(invoicePayments), "payment.payment_intent", id, 0) {
		return answer{}, invalid("payment_intent", "", "The PaymentIntent %s is attached to an invoice already.", id)
	}
	payment := c.payment(old, id, whole(intent.Value()["amount"]), false)
	if intent.Value()["status"] == succeeded {
		c.settle(payment, whole(intent.Value()["amount_received"]))
	}
	record, _ := c.find(invoices, old.ID)
	return answer{record: record, collection: invoices}, nil
}

func sendInvoice(c *call, old *world.Record) (answer, *refusal) {
	switch status := old.Value()["status"]; {
	case old.Value()["collection_method"] != "send_invoice":
		return answer{}, invalid("", "", "You can only manually send an invoice if its collection method is 'send_invoice'.")
	case old.Value()["customer_email"] == nil:
		return answer{}, invalid("", "", "Missing email. In order to create invoices that are sent to the customer, the customer must have a valid email.")
	case status == "void", status == "uncollectible", status == "paid":
		return answer{}, invalid("", "", "You can't send an invoice that is %v.", status)
	}
	record := old
	if old.Value()["status"] == "draft" {
		record = c.finalize(old)
	}
	c.mail(record)
	c.emit("invoice.sent", record.Value(), nil)
	return answer{record: record, collection: invoices}, nil
}

func voidInvoice(c *call, old *world.Record) (answer, *refusal) {
	if status := old.Value()["status"]; status != "open" && status != "uncollectible" {
		return answer{}, invalid("", "", "You can only pass in open invoices. This invoice isn't open.")
	}
	return answer{record: c.void(old), collection: invoices}, nil
}

// void withdraws an invoice, and what would have paid it.
func (c *call) void(old *world.Record) *world.Record {
	value := changed(old)
	value["status"], value["auto_advance"], value["next_payment_attempt"] = "void", false, nil
	value["status_transitions"] = transition(value, "voided_at", c.now())
	record := c.update(invoices, value)
	c.never(invoiceAdvances, old.ID)
	for payment := range c.Tx.Find(full(invoicePayments), "invoice", old.ID, 0) {
		if payment.Value()["status"] == "open" {
			c.dropPayment(payment)
		}
	}
	c.emit("invoice.voided", record.Value(), nil)
	return record
}

func writeOffInvoice(c *call, old *world.Record) (answer, *refusal) {
	if status := old.Value()["status"]; status != "open" {
		return answer{}, invalid("", "", "You can only pass in open invoices. This invoice isn't open.")
	}
	value := changed(old)
	value["status"], value["auto_advance"] = "uncollectible", false
	value["status_transitions"] = transition(value, "marked_uncollectible_at", c.now())
	record := c.update(invoices, value)
	c.never(invoiceAdvances, old.ID)
	c.emit("invoice.marked_uncollectible", record.Value(), nil)
	return answer{record: record, collection: invoices}, nil
}

// advanceInvoice does what Stripe does of itself: a draft is finalized, and an
// open invoice is paid or sent.
func (c *call) advanceInvoice(id string) {
	record, ok := c.find(invoices, id)
	if !ok {
		return
	}
	if record.Value()["status"] == "draft" {
		record = c.finalize(record)
	}
	if record.Value()["status"] != "open" {
		return
	}
	if record.Value()["collection_method"] == "send_invoice" {
		c.mail(record)
		c.emit("invoice.sent", record.Value(), nil)
		return
	}
	method, ok := c.fallback(record.Value())
	if !ok {
		tried := changed(record)
		tried["attempted"], tried["attempt_count"] = true, whole(tried["attempt_count"])+1
		record = c.update(invoices, tried)
		c.emit("invoice.payment_failed", record.Value(), nil)
	} else if record, _ = c.collect(record, method); record.Value()["status"] == "paid" {
		return
	}
	c.tryAgain(record)
}

// tryAgain sets the next attempt of an invoice that could not be paid, and
// lets its subscription know.
func (c *call) tryAgain(record *world.Record) {
	tries := int(whole(record.Value()["attempt_count"]))
	value := changed(record)
	last := tries > len(retries) || tries < 1
	if last {
		value["next_payment_attempt"], value["auto_advance"] = nil, false
	} else {
		at := c.after(retries[tries-1])
		value["next_payment_attempt"] = at.Unix()
		c.later(invoiceAdvances, record.ID, at)
	}
	record = c.update(invoices, value)
	c.emit("invoice.updated", record.Value(), nil)
	c.unpaid(record, last)
}
