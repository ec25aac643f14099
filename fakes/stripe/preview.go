package stripe

import (
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// previewInvoice shows the next invoice of a customer or a subscription, with
// changes that are tried out. It is worked out in a world that is given up
// again, so that what it shows is what would be billed.
func previewInvoice(c *call) (answer, *refusal) {
	details := cast.Object(c.Input.Body["subscription_details"])
	return c.preview(c.text("customer"), c.text("subscription"), details,
		"You must provide at least one of `customer`, `subscription`, `schedule` or `customer_details` to preview an invoice.")
}

func upcomingInvoice(c *call) (answer, *refusal) {
	return c.preview(c.query("customer"), c.query("subscription"), nil,
		"You must either provide a `customer` or a `subscription` to the upcoming invoice endpoint.")
}

func (c *call) preview(customer, subscription string, details map[string]any, nothing string) (answer, *refusal) {
	var of *world.Record
	switch {
	case subscription != "":
		found, ok := c.find(subscriptions, subscription)
		if !ok {
			return answer{}, missing(http.StatusNotFound, "subscription", subscription, "subscription")
		}
		of, customer = found, cast.Text(found.Value()["customer"])
	case customer == "":
		return answer{}, &refusal{status: http.StatusBadRequest, message: nothing}
	}
	owner, refused := c.live(theCustomer, customer, http.StatusNotFound, "customer")
	if refused != nil {
		return answer{}, refused
	}
	if of == nil {
		for found := range c.Tx.Find(full(subscriptions), "customer", customer, 0) {
			if status := found.Value()["status"]; status == active || status == trialing || status == pastDue {
				of = found
				break
			}
		}
	}
	invoice := c.newInvoice(owner.Value(), "upcoming")
	invoice["id"] = "upcoming_" + cast.Text(invoice["id"])
	lines, refused := c.upcomingLines(invoice, of, details)
	if refused != nil {
		return answer{}, refused
	}
	if len(lines) == 0 {
		return answer{}, &refusal{status: http.StatusNotFound, code: "invoice_upcoming_none", message: "No upcoming invoices for customer: " + customer}
	}
	invoice["lines"] = listing(lines, "/v1/invoices/"+cast.Text(invoice["id"])+"/lines")
	c.total(invoice)
	invoice["starting_balance"] = whole(owner.Value()["balance"])
	due := max(0, whole(invoice["total"])+whole(owner.Value()["balance"]))
	invoice["amount_due"], invoice["amount_remaining"] = due, due
	invoice["ending_balance"] = min(0, whole(invoice["total"])+whole(owner.Value()["balance"]))
	c.drafts = nil
	return answer{value: invoice, collection: invoices}, nil
}

// upcomingLines are what waits, what is asked about, and the next period.
func (c *call) upcomingLines(invoice map[string]any, of *world.Record, details map[string]any) ([]any, *refusal) {
	var lines []any
	id := cast.Text(invoice["id"])
	for item := range c.Tx.Find(full(invoiceItems), "customer", cast.Text(invoice["customer"]), 0) {
		if item.Value()["invoice"] == nil {
			lines = append([]any{c.lineOf(id, item.Value())}, lines...)
		}
	}
	for _, one := range cast.List(c.Input.Body["invoice_items"]) {
		item := c.newItem(cast.Text(invoice["customer"]))
		if refused := c.describeItem(item, cast.Object(one)); refused != nil {
			return nil, refused
		}
		lines = append(lines, c.lineOf(id, item))
	}
	var wanted []wish
	if sent := cast.List(details["items"]); len(sent) > 0 {
		for i, one := range sent {
			given := cast.Object(one)
			if given["deleted"] == true {
				continue
			}
			w, refused := c.previewed(given, i)
			if refused != nil {
				return nil, refused
			}
			wanted = append(wanted, w)
		}
	}
	start := c.now()
	if of != nil {
		_, start = periodOf(of.Value())
		invoice["currency"], invoice["collection_method"], invoice["discounts"] = of.Value()["currency"], of.Value()["collection_method"], of.Value()["discounts"]
		invoice["parent"] = invoiceParent(of.ID)
		if len(wanted) == 0 && of.Value()["cancel_at"] == nil {
			for _, one := range itemsOf(of.Value()) {
				item := cast.Object(one)
				wanted = append(wanted, wish{price: cast.Object(item["price"]), quantity: whole(item["quantity"]), given: item})
			}
		}
		invoice["next_payment_attempt"] = start + int64(draftLife.Seconds())
	}
	invoice["period_end"] = start
	lines = append(lines, c.periodLines(invoice, wanted, of, start)...)
	if sent, ok := c.Input.Body["discounts"]; ok {
		ids, refused := c.discountsOf(sent, "discounts", map[string]any{"invoice": invoice["id"]})
		if refused != nil {
			return nil, refused
		}
		invoice["discounts"] = ids
	}
	return lines, nil
}

// periodLines are those of the next period.
func (c *call) periodLines(invoice map[string]any, wanted []wish, of *world.Record, start int64) []any {
	var lines []any
	id := cast.Text(invoice["id"])
	for _, w := range wanted {
		often := cast.Object(w.price["recurring"])
		end := next(start, start, cast.Text(often["interval"]), whole(often["interval_count"]))
		amount := amountOf(w.price, w.quantity)
		line := c.newLine(id, amount, w.price["currency"], c.lineText(w.price, w.quantity), w.quantity, map[string]any{"end": end, "start": start})
		line["pricing"] = pricing(w.price)
		invoice["currency"] = w.price["currency"]
		if of != nil {
			line["parent"] = map[string]any{"invoice_item_details": nil, "type": "subscription_item_details", "subscription_item_details": map[string]any{
				"invoice_item": nil, "proration": false, "proration_details": map[string]any{"credited_items": nil}, "subscription": of.ID, "subscription_item": w.given["id"],
			}}
		}
		lines = append(lines, line)
	}
	return lines
}

// previewed is an item of which a preview asks: one that is there, changed, or
// a new one.
func (c *call) previewed(given map[string]any, i int) (wish, *refusal) {
	at := "subscription_details[items][" + cast.Text(decimal(int64(i))) + "]"
	if id := cast.Text(given["id"]); id != "" {
		item, ok := c.find(subscriptionItems, id)
		if !ok {
			return wish{}, missing(http.StatusBadRequest, itemName, id, at+"[id]")
		}
		w, refused := c.rewish(item, given, at)
		w.given = kit.Merge(given, map[string]any{"id": id})
		return w, refused
	}
	return c.wishFor(given, at)
}
