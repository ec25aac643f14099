package stripe

import (
	"net/http"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func listInvoices(c *call) (answer, *refusal) {
	keep := c.within(nil, "due_date")
	if id := c.query("subscription"); id != "" {
		keep = also(keep, func(r *world.Record) bool { return subscriptionOf(r.Value()) == id })
	}
	return c.list(invoices, "invoice", keep, "customer", "status", "collection_method")
}

// subscriptionOf is the subscription that an invoice bills; "" for others.
func subscriptionOf(invoice map[string]any) string {
	return kit.Text(invoice, "parent.subscription_details.subscription")
}

func uneditable() *refusal {
	return invalid("", "invoice_not_editable", "This invoice is no longer editable")
}

// newInvoice is a draft for a customer.
func (c *call) newInvoice(customer map[string]any, reason string) map[string]any {
	id := c.NewID("in_1", 23)
	return map[string]any{
		"id": id, "object": "invoice", "account_country": c.setting("country", "US"), "account_name": c.setting("display_name", "Parity rehearsal"), "account_tax_ids": nil, "amount_due": int64(0),
		"amount_overpaid": int64(0), "amount_paid": int64(0), "amount_paid_off_stripe": int64(0), "amount_remaining": int64(0), "amount_shipping": int64(0),
		"application": nil, "attempt_count": int64(0), "attempted": false, "auto_advance": false, "automatic_tax": automaticTax(nil),
		"automatically_finalizes_at": nil, "billing_reason": reason, "collection_method": "charge_automatically", "created": c.now(), "currency": "usd",
		"custom_fields": nil, "customer": customer["id"], "customer_account": nil, "customer_address": customer["address"], "customer_email": customer["email"],
		"customer_name": customer["name"], "customer_phone": customer["phone"], "customer_shipping": customer["shipping"], "customer_tax_exempt": or(customer["tax_exempt"], "none"),
		"customer_tax_ids": []any{}, "default_payment_method": nil, "default_source": nil, "default_tax_rates": []any{}, "description": nil, "discounts": []any{},
		"due_date": nil, "effective_at": nil, "ending_balance": nil, "footer": nil, "from_invoice": nil, "hosted_invoice_url": nil, "invoice_pdf": nil,
		"issuer": map[string]any{"type": "self"}, "last_finalization_error": nil, "latest_revision": nil, "lines": listing([]any{}, "/v1/invoices/"+id+"/lines"),
		"livemode": false, "metadata": map[string]any{}, "next_payment_attempt": nil, "number": nil, "on_behalf_of": nil, "parent": nil,
		"payment_settings": map[string]any{"default_mandate": nil, "payment_method_options": nil, "payment_method_types": nil}, "period_end": c.now(), "period_start": c.now(),
		"post_payment_credit_notes_amount": int64(0), "pre_payment_credit_notes_amount": int64(0), "receipt_number": nil, "rendering": nil, "shipping_cost": nil,
		"shipping_details": nil, "starting_balance": int64(0), "statement_descriptor": nil, "status": "draft",
		"status_transitions": map[string]any{"finalized_at": nil, "marked_uncollectible_at": nil, "paid_at": nil, "voided_at": nil},
		"subtotal":           int64(0), "subtotal_excluding_tax": int64(0), "test_clock": customer["test_clock"], "total": int64(0), "total_discount_amounts": []any{},
		"total_excluding_tax": int64(0), "total_pretax_credit_amounts": []any{}, "total_taxes": []any{}, "webhooks_delivered_at": c.now(),
	}
}

func createInvoice(c *call) (answer, *refusal) {
	id := c.text("customer")
	if from := cast.Object(c.Input.Body["from_invoice"]); from != nil {
		return answer{}, missing(http.StatusBadRequest, "invoice", cast.Text(from["invoice"]), "from_invoice[invoice]")
	}
	if id == "" {
		return answer{}, required("customer")
	}
	customer, refused := c.live(theCustomer, id, http.StatusBadRequest, "customer")
	if refused != nil {
		return answer{}, refused
	}
	value := c.newInvoice(customer.Value(), "manual")
	value["rendering"] = map[string]any{"amount_tax_display": nil, "pdf": map[string]any{"page_size": "auto"}, "template": nil, "template_version": nil}
	if sent := c.text("currency"); sent != "" {
		if value["currency"], refused = currencyOf(sent); refused != nil {
			return answer{}, refused
		}
	} else if known := cast.Text(customer.Value()["currency"]); known != "" {
		value["currency"] = known
	}
	if refused := c.describeInvoice(value); refused != nil {
		return answer{}, refused
	}
	subscription := c.text("subscription")
	if subscription != "" {
		if _, ok := c.find(subscriptions, subscription); !ok {
			return answer{}, missing(http.StatusBadRequest, "subscription", subscription, "subscription")
		}
		value["parent"] = invoiceParent(subscription)
	}
	c.keepDrafts()
	c.redeem(cast.List(value["discounts"]))
	if c.text("pending_invoice_items_behavior") == "include" || subscription != "" {
		c.takePending(value, subscription)
	}
	c.total(value)
	record := c.create(invoices, value)
	c.emit("invoice.created", record.Value(), nil)
	c.scheduleInvoice(record)
	return answer{record: record, collection: invoices}, nil
}

func invoiceParent(subscription string) map[string]any {
	return map[string]any{
		"quote_details": nil, "subscription_details": map[string]any{"metadata": map[string]any{}, "subscription": subscription}, "type": "subscription_details",
	}
}

// draftLife is how long a draft that advances by itself stays one.
// Source: docs.stripe.com/invoicing/integration/automatic-advancement-collection.
const draftLife = time.Hour

// scheduleInvoice has a draft finalized by Stripe, or nobody.
func (c *call) scheduleInvoice(r *world.Record) {
	if r.Value()["status"] != "draft" {
		return
	}
	if at := whole(r.Value()["automatically_finalizes_at"]); at > 0 {
		c.later(invoiceAdvances, r.ID, time.Unix(at, 0))
	} else {
		c.never(invoiceAdvances, r.ID)
	}
}

// describeInvoice lays over a draft what may be said of it.
func (c *call) describeInvoice(value map[string]any) *refusal {
	body := c.Input.Body
	assign(value, body, "account_tax_ids", "auto_advance", "automatically_finalizes_at", "collection_method", "custom_fields", "default_payment_method", "default_source",
		"description", "due_date", "effective_at", "footer", "issuer", "number", "on_behalf_of", "rendering", "shipping_details", "statement_descriptor")
	setLists(value, body, "default_tax_rates")
	if sent, ok := body["automatic_tax"]; ok {
		value["automatic_tax"] = automaticTax(sent)
	}
	if sent := cast.Object(body["payment_settings"]); sent != nil {
		value["payment_settings"] = kit.Merge(cast.Object(value["payment_settings"]), sent)
	}
	if days, ok := c.integer("days_until_due"); ok {
		value["due_date"] = whole(value["created"]) + days*24*3600
	}
	sends := value["collection_method"] == "send_invoice"
	switch {
	case !sends && value["due_date"] != nil:
		return unsaved(invalid("", "", "You can only set `days_until_due` or `due_date` if your collection_method is 'send_invoice'."))
	case sends && value["due_date"] == nil:
		return unsaved(invalid("", "", "If the collection_method is 'send_invoice' you must also specify a `due_date` or `days_until_due`."))
	}
	if value["auto_advance"] == true && value["automatically_finalizes_at"] == nil {
		value["automatically_finalizes_at"] = c.after(draftLife).Unix()
	} else if value["auto_advance"] != true {
		value["automatically_finalizes_at"] = nil
	}
	if id := c.text("default_payment_method"); id != "" {
		method, ok := c.find(paymentMethods, id)
		if !ok || method.Value()["customer"] != value["customer"] {
			return missing(http.StatusBadRequest, methodName, id, "default_payment_method")
		}
	}
	if sent, ok := body["discounts"]; ok {
		ids, refused := c.discountsOf(sent, "discounts", map[string]any{"invoice": value["id"], "customer": value["customer"]})
		if refused != nil {
			return refused
		}
		value["discounts"] = ids
	}
	merged, refused := c.metadata(value["metadata"])
	value["metadata"] = merged
	return refused
}

// updateInvoice changes a draft; of one that is finalized, what asks for no
// money.
func updateInvoice(c *call, old *world.Record) (answer, *refusal) {
	value := changed(old)
	if old.Value()["status"] != "draft" {
		for field := range c.Input.Body {
			switch field {
			case "metadata", "auto_advance", "expand", "default_payment_method", "default_source", "payment_settings":
			default:
				return answer{}, invalid(field, "", "Finalized invoices can't be updated in this way")
			}
		}
		return theInvoice.retag(c, old, "invoice.updated", "auto_advance", "default_payment_method", "default_source")
	}
	if refused := c.describeInvoice(value); refused != nil {
		return answer{}, refused
	}
	c.keepDrafts()
	c.total(value)
	record := c.update(invoices, value)
	c.scheduleInvoice(record)
	if before := kit.Before(old.Value(), record.Value()); len(before) > 0 {
		c.emit("invoice.updated", record.Value(), before)
	}
	return answer{record: record, collection: invoices}, nil
}

// deleteInvoice takes a draft away: its items wait for the next invoice.
func deleteInvoice(c *call, old *world.Record) (answer, *refusal) {
	if old.Value()["status"] != "draft" {
		return answer{}, invalid("", "invoice_not_editable", "You can only delete draft invoices. To delete an invoice that has been finalized, void it instead.")
	}
	for item := range c.Tx.Find(full(invoiceItems), "invoice", old.ID, 0) {
		c.remove(invoiceItems, item.ID)
	}
	c.never(invoiceAdvances, old.ID)
	c.remove(invoices, old.ID)
	c.emit("invoice.deleted", old.Value(), nil)
	return answer{value: tombstone(old)}, nil
}

func listInvoicePayments(c *call) (answer, *refusal) {
	q := kit.Query{Collection: full(invoicePayments)}
	if payment := cast.Object(c.Input.Query["payment"]); payment != nil {
		q.Index, q.Value = "payment.payment_intent", cast.Text(payment["payment_intent"])
	}
	return c.page(invoicePayments, "invoice_payment", c.filtered(q, "invoice", "status"))
}
