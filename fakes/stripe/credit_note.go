package stripe

import (
	"fmt"
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// createCreditNote takes back a part of an invoice: off what is still due, or,
// where it is paid, as a refund, as credit for later, or outside of Stripe.
func createCreditNote(c *call) (answer, *refusal) {
	invoice, ok := c.find(invoices, c.text("invoice"))
	if !ok {
		return answer{}, missing(http.StatusBadRequest, "invoice", c.text("invoice"), "invoice")
	}
	if status := invoice.Value()["status"]; status != "open" && status != "paid" {
		return answer{}, invalid("", "", "You can only create credit notes for open or paid invoices; this one is %v.", status)
	}
	lines, amount, refused := c.creditLines(invoice)
	if refused != nil {
		return answer{}, refused
	}
	if len(lines) == 0 {
		amount, _ = c.integer("amount")
	}
	taken := whole(invoice.Value()["post_payment_credit_notes_amount"]) + whole(invoice.Value()["pre_payment_credit_notes_amount"])
	if left := whole(invoice.Value()["total"]) - taken; amount <= 0 || amount > left {
		return answer{}, invalid("amount", "", "The sum of credit notes (%s) may not be more than the invoice's total that is left (%s).", money(amount, cast.Text(invoice.Value()["currency"])), money(left, cast.Text(invoice.Value()["currency"])))
	}
	refundAmount, _ := c.integer("refund_amount")
	creditAmount, _ := c.integer("credit_amount")
	outside, _ := c.integer("out_of_band_amount")
	before := min(amount, whole(invoice.Value()["amount_remaining"]))
	if after := amount - before; refundAmount+creditAmount+outside != after {
		return answer{}, invalid("", "", "The sum of credit amount, refund amount and out of band amount (%s) must equal the post payment amount (%s).", money(refundAmount+creditAmount+outside, cast.Text(invoice.Value()["currency"])), money(after, cast.Text(invoice.Value()["currency"])))
	}
	var charge *world.Record
	if refundAmount > 0 {
		if charge, refused = c.chargeOf(invoice); refused != nil {
			return answer{}, refused
		}
	}
	value := c.newCreditNote(invoice, lines, amount, before)
	if refused := c.setMetadata(value, nil); refused != nil {
		return answer{}, refused
	}
	if outside > 0 {
		value["out_of_band_amount"] = outside
	}
	if charge != nil {
		value["refunds"] = []any{map[string]any{
			"amount_refunded": refundAmount, "payment_record_refund": nil, "refund": c.refundOf(charge, refundAmount), "type": "refund",
		}}
	}
	record := c.create(creditNotes, value)
	c.credit(invoice, before, amount-before, creditAmount)
	c.emit("credit_note.created", record.Value(), nil)
	return answer{record: record, collection: creditNotes}, nil
}

func (c *call) newCreditNote(invoice *world.Record, lines []any, amount, before int64) map[string]any {
	id := c.NewID("cn_1", 23)
	nth := 1
	for range c.Tx.Find(full(creditNotes), "invoice", invoice.ID, 0) {
		nth++
	}
	kind := "post_payment"
	switch {
	case before == amount:
		kind = "pre_payment"
	case before > 0:
		kind = "mixed"
	}
	value := map[string]any{
		"id": id, "object": "credit_note", "amount": amount, "amount_shipping": int64(0), "created": c.now(), "currency": invoice.Value()["currency"],
		"customer": invoice.Value()["customer"], "customer_account": nil, "customer_balance_transaction": nil, "discount_amount": int64(0), "discount_amounts": []any{},
		"effective_at": c.now(), "invoice": invoice.ID, "livemode": false, "memo": nil, "metadata": map[string]any{},
		"lines":  map[string]any{"object": "list", kit.ItemsKey: lines, "has_more": false, "url": "/v1/credit_notes/" + id + "/lines"},
		"number": fmt.Sprintf("%s-CN-%02d", cast.Text(invoice.Value()["number"]), nth), "out_of_band_amount": nil,
		"pdf":                 "https://pay.stripe.com/credit_notes/acct_1ParityRehearsal/test_" + c.NewID("", 60) + "/pdf?s=ap",
		"post_payment_amount": amount - before, "pre_payment_amount": before, "pretax_credit_amounts": []any{}, "reason": nil, "refunds": []any{},
		"shipping_cost": nil, "status": "issued", "subtotal": amount, "subtotal_excluding_tax": amount, "total": amount, "total_excluding_tax": amount,
		"total_taxes": []any{}, "type": kind, "voided_at": nil,
	}
	assign(value, c.Input.Body, "effective_at", "memo", "reason")
	return value
}

func (c *call) creditLines(invoice *world.Record) (lines []any, sum int64, refused *refusal) {
	lines = []any{}
	for i, one := range cast.List(c.Input.Body["lines"]) {
		given, at := cast.Object(one), fmt.Sprintf("lines[%d]", i)
		quantity, named := given["quantity"].(int64)
		if !named {
			quantity = 1
		}
		line := map[string]any{
			"id": c.NewID("cnli_1", 23), "object": "credit_note_line_item", "amount": int64(0), "description": nil, "discount_amount": int64(0), "discount_amounts": []any{},
			"livemode": false, "pretax_credit_amounts": []any{}, "quantity": quantity, "tax_rates": []any{}, "taxes": []any{}, "type": given["type"],
			"unit_amount": nil, "unit_amount_decimal": nil,
		}
		assign(line, given, "description", "unit_amount", "unit_amount_decimal", "invoice_line_item")
		line["unit_amount_decimal"] = or(line["unit_amount_decimal"], decimal(line["unit_amount"]))
		amount := times(unit(line, "unit_amount"), float64(quantity))
		if n, ok := given["amount"].(int64); ok {
			amount = n
		}
		if id := cast.Text(given["invoice_line_item"]); id != "" {
			billed, found := lineIn(invoice, id)
			if !found {
				return nil, 0, missing(http.StatusBadRequest, "line item", id, at+"[invoice_line_item]")
			}
			line["description"] = or(line["description"], billed["description"])
			if amount == 0 && whole(billed["quantity"]) > 0 {
				amount = whole(billed["amount"]) * quantity / whole(billed["quantity"])
			}
		}
		line["amount"] = amount
		sum += amount
		lines = append(lines, line)
	}
	return lines, sum, nil
}

func lineIn(invoice *world.Record, id string) (map[string]any, bool) {
	for _, one := range cast.List(cast.Object(invoice.Value()["lines"])[kit.ItemsKey]) {
		if cast.Object(one)["id"] == id {
			return cast.Object(one), true
		}
	}
	return nil, false
}

// chargeOf finds the charge that paid an invoice.
func (c *call) chargeOf(invoice *world.Record) (*world.Record, *refusal) {
	for payment := range c.Tx.Find(full(invoicePayments), "invoice", invoice.ID, 0) {
		intent, ok := c.find(paymentIntents, kit.Text(payment.Value(), "payment.payment_intent"))
		if !ok || payment.Value()["status"] != "paid" {
			continue
		}
		if charge, ok := c.latest(intent); ok && charge.Value()["refunded"] != true {
			return charge, nil
		}
	}
	return nil, invalid("refund_amount", "", "There is no payment of this invoice that could be refunded.")
}

// refundOf gives back a part of a charge on the account's own account.
func (c *call) refundOf(charge *world.Record, amount int64) string {
	value := c.newRefund(charge, amount, map[string]any{})
	value["balance_transaction"] = c.bookRefund(value, charge.Value(), 0)
	record := c.create(refunds, value)
	c.emit("refund.created", record.Value(), nil)
	c.giveBack(charge, amount)
	return record.ID
}

// credit counts a credit note on its invoice, and what is kept for later on
// its customer.
func (c *call) credit(invoice *world.Record, before, after, kept int64) {
	value := changed(invoice)
	value["post_payment_credit_notes_amount"] = whole(value["post_payment_credit_notes_amount"]) + after
	value["pre_payment_credit_notes_amount"] = whole(value["pre_payment_credit_notes_amount"]) + before
	value["amount_due"] = whole(value["amount_due"]) - before
	value["amount_remaining"] = whole(value["amount_remaining"]) - before
	if before > 0 && whole(value["amount_remaining"]) == 0 {
		c.paid(value)
	} else {
		c.emit("invoice.updated", c.update(invoices, value).Value(), kit.Before(invoice.Value(), value))
	}
	if customer, ok := c.find(customers, cast.Text(value["customer"])); ok && kept > 0 && !deleted(customer) {
		owed := changed(customer)
		owed["balance"] = whole(owed["balance"]) - kept
		c.update(customers, owed)
	}
}

func voidCreditNote(c *call, old *world.Record) (answer, *refusal) {
	invoice, ok := c.find(invoices, cast.Text(old.Value()["invoice"]))
	switch {
	case old.Value()["status"] == "void":
		return answer{}, invalid("", "", "This credit note has been voided already.")
	case old.Value()["type"] != "pre_payment" || !ok || invoice.Value()["status"] != "open":
		return answer{}, invalid("", "", "You can only void credit notes of open invoices.")
	}
	value := changed(old)
	value["status"], value["voided_at"] = "void", c.now()
	record := c.update(creditNotes, value)
	c.credit(invoice, -whole(value["pre_payment_amount"]), 0, 0)
	c.emit("credit_note.voided", record.Value(), nil)
	return answer{record: record, collection: creditNotes}, nil
}
