package stripe

import (
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// previewInvoice shows the next invoice of a customer or a subscription, with
// changes that are tried out. They are made, and the invoice with them, and all
// of it is given up again: what it shows is what would be billed.
func previewInvoice(c *call) (answer, *refusal) {
	return c.preview(c.text("customer"), c.text("subscription"), cast.Object(c.Input.Body["subscription_details"]),
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
	begins := of == nil && len(cast.List(details["items"])) > 0
	if of == nil && !begins {
		for found := range c.Tx.Find(full(subscriptions), "customer", customer, 0) {
			if lives(found) {
				of = found
				break
			}
		}
	}
	mark := c.Tx.Mark()
	invoice, refused := c.tryOut(owner, of, details, begins)
	c.Tx.Restore(mark)
	c.drafts = nil
	if refused != nil {
		return answer{}, refused
	}
	if len(cast.List(cast.Object(invoice["lines"])[kit.ItemsKey])) == 0 {
		return answer{}, &refusal{status: http.StatusNotFound, code: "invoice_upcoming_none", message: "No upcoming invoices for customer: " + customer}
	}
	return answer{value: invoice, collection: invoices}, nil
}

func lives(subscription *world.Record) bool {
	status := subscription.Value()["status"]
	return status == active || status == trialing || status == pastDue
}

// tryOut makes what is previewed, and gives the invoice that comes of it.
func (c *call) tryOut(owner, of *world.Record, details map[string]any, begins bool) (map[string]any, *refusal) {
	body := c.Input.Body
	for _, one := range cast.List(body["invoice_items"]) {
		item := c.newItem(owner.ID)
		if refused := c.describeItem(item, cast.Object(one)); refused != nil {
			return nil, refused
		}
		c.keepDrafts()
		c.create(invoiceItems, item)
	}
	shown, refused := c.tried(owner, of, details, begins)
	if refused != nil {
		return nil, refused
	}
	if shown == nil {
		shown = c.nextInvoice(owner, of, body["preview_mode"] == "recurring")
	}
	if sent, ok := body["discounts"]; ok {
		ids, refused := c.discountsOf(sent, "discounts", map[string]any{"invoice": shown["id"]})
		if refused != nil {
			return nil, refused
		}
		c.keepDrafts()
		shown["discounts"] = ids
	}
	c.total(shown)
	return c.upcoming(shown, owner), nil
}

// tried does what is tried out, and gives the invoice that is made at once by
// it; nil where it waits for the next one.
func (c *call) tried(owner, of *world.Record, details map[string]any, begins bool) (map[string]any, *refusal) {
	if len(details) == 0 {
		return nil, nil
	}
	body := kit.Merge(nil, details)
	if begins {
		body["customer"] = owner.ID
	}
	input := c.Input
	defer func() { c.Input = input }()
	c.Input.Body = body
	c.previews = true
	var refused *refusal
	switch {
	case begins:
		delete(body, "start_date")
		_, refused = createSubscription(c)
	case of == nil:
		return nil, nil
	case details["cancel_now"] == true:
		c.Input.Query = map[string]any{"prorate": details["proration_behavior"] != "none", "invoice_now": true}
		_, refused = deleteSubscription(c, of)
	default:
		_, refused = updateSubscription(c, of)
	}
	if refused != nil {
		if refused.param != "" {
			refused.param = within("subscription_details", refused.param)
		}
		return nil, refused
	}
	if c.shown == nil {
		return nil, nil
	}
	return changed(c.shown), nil
}

// within names a parameter that stands in another: items[0][id] in details is
// details[items][0][id].
func within(outer, inner string) string {
	name, rest, deeper := strings.Cut(inner, "[")
	if deeper {
		return outer + "[" + name + "][" + rest
	}
	return outer + "[" + name + "]"
}

// nextInvoice is what waits, and the next period of a subscription that has one.
func (c *call) nextInvoice(owner, of *world.Record, recurring bool) map[string]any {
	if of != nil {
		of, _ = c.find(subscriptions, of.ID)
	}
	if of == nil {
		invoice := c.newInvoice(owner.Value(), "upcoming")
		invoice["currency"] = or(owner.Value()["currency"], invoice["currency"])
		for item := range c.Tx.Find(full(invoiceItems), "customer", owner.ID, 0) {
			if item.Value()["invoice"] == nil {
				invoice["currency"] = item.Value()["currency"]
				break
			}
		}
		c.takePending(invoice, "")
		return invoice
	}
	value := of.Value()
	start, end := periodOf(value)
	next := c.at(end)
	invoice := next.newInvoice(owner.Value(), "upcoming")
	next.fillInvoice(invoice, value, "upcoming", false)
	invoice["created"], invoice["period_start"], invoice["period_end"] = end, start, end
	invoice["next_payment_attempt"] = end + int64(draftLife.Seconds())
	if !recurring {
		next.takePending(invoice, of.ID)
	}
	if stop := whole(value["cancel_at"]); lives(of) && (stop == 0 || stop > end) {
		next.roll(of)
		fresh := changed(of)
		next.itemize(fresh)
		next.addPeriod(invoice, fresh, false)
	}
	return invoice
}

// upcoming dresses an invoice that is not there.
func (c *call) upcoming(invoice map[string]any, owner *world.Record) map[string]any {
	balance := whole(owner.Value()["balance"])
	sum := whole(invoice["total"]) + balance
	invoice["billing_reason"], invoice["starting_balance"] = "upcoming", balance
	invoice["amount_due"], invoice["amount_remaining"] = max(0, sum), max(0, sum)
	invoice["ending_balance"] = min(0, sum)
	invoice["id"] = "upcoming_" + cast.Text(invoice["id"])
	lines := cast.List(cast.Object(invoice["lines"])[kit.ItemsKey])
	for i, one := range lines {
		line := kit.Merge(nil, cast.Object(one))
		line["invoice"] = invoice["id"]
		lines[i] = line
	}
	invoice["lines"] = listing(lines, "/v1/invoices/"+cast.Text(invoice["id"])+"/lines")
	return invoice
}
