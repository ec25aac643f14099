package stripe

import (
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// begin writes a subscription with its items and its first invoice, and tries
// to have that paid.
func (c *call) begin(value map[string]any, wanted []wish, extras []map[string]any, method *world.Record) *world.Record {
	id := cast.Text(value["id"])
	end := whole(value["trial_end"])
	c.beginItems(value, wanted)
	c.itemize(value)
	if c.flag("cancel_at_period_end") {
		c.endAtPeriod(value)
	}
	switch {
	case end > 0:
		value["status"] = trialing
	case value["collection_method"] == "send_invoice", c.leadsIn(value):
		value["status"] = active
	}
	record := c.create(subscriptions, value)
	for _, item := range extras {
		c.create(invoiceItems, item)
	}
	if c.leadsIn(value) && !c.previews {
		c.awaitNext(record)
		c.emit("customer.subscription.created", record.Value(), nil)
		return record
	}
	invoice := c.billFor(record, "subscription_create", end > 0)
	if c.previews {
		c.shown = invoice
		return record
	}
	record = c.latestInvoice(id, invoice.ID)
	if record.Value()["collection_method"] == "send_invoice" {
		c.later(invoiceAdvances, invoice.ID, c.after(draftLife))
		c.setStatus(id, cast.Text(record.Value()["status"]))
	} else {
		invoice = c.finalize(invoice)
		if invoice.Value()["status"] == "paid" {
			c.paidFor(invoice)
		} else if method != nil && c.text("payment_behavior") != "default_incomplete" {
			_, _ = c.collect(invoice, method) // what failed is on the invoice, and the subscription is incomplete
		}
		if now, _ := c.find(invoices, invoice.ID); now.Value()["status"] == "open" {
			open := changed(now)
			open["auto_advance"] = true
			c.update(invoices, open)
		}
	}
	record, _ = c.find(subscriptions, id)
	if record.Value()["status"] == incomplete {
		c.later(incompleteExpires, id, c.after(incompleteLife))
	} else {
		c.awaitNext(record)
	}
	c.emit("customer.subscription.created", record.Value(), nil)
	return record
}

// beginItems writes the items of a new subscription, in their first period.
func (c *call) beginItems(value map[string]any, wanted []wish) {
	for _, one := range wanted {
		until := whole(value["trial_end"])
		if until == 0 {
			often := cast.Object(one.price["recurring"])
			until = through(c.now(), whole(value["billing_cycle_anchor"]), cast.Text(often["interval"]), whole(often["interval_count"]))
		}
		c.create(subscriptionItems, c.newSubscriptionItem(cast.Text(value["id"]), one, c.now(), until))
	}
}

// leadsIn tells whether a new subscription is free until the anchor of its
// billing cycle, without a bill that says so.
// Source: docs.stripe.com/billing/subscriptions/billing-cycle.
func (c *call) leadsIn(value map[string]any) bool {
	return whole(value["billing_cycle_anchor"]) > c.now() && value["trial_end"] == nil && c.text("proration_behavior") == "none"
}

func (c *call) newSubscriptionItem(subscription string, w wish, start, end int64) map[string]any {
	item := map[string]any{
		"id": c.NewID("si_", 14), "object": "subscription_item", "billing_thresholds": nil, "created": c.now(), "current_period_end": end,
		"current_period_start": start, "discounts": []any{}, "metadata": or(w.given["metadata"], map[string]any{}), "plan": planOf(w.price), "price": w.price,
		"quantity": w.quantity, "subscription": subscription, "tax_rates": or(w.given["tax_rates"], []any{}),
	}
	if w.metered {
		delete(item, "quantity")
	}
	return item
}

// itemize shows the items in their subscription, and what older versions show
// of one that has a single item.
func (c *call) itemize(value map[string]any) {
	var items []any
	for item := range c.Tx.Find(full(subscriptionItems), "subscription", cast.Text(value["id"]), 0) {
		items = append([]any{item.Value()}, items...)
	}
	value["items"] = listing(items, "/v1/subscription_items?subscription="+cast.Text(value["id"]))
	value["plan"], value["quantity"] = nil, nil
	if len(items) == 1 {
		value["plan"], value["quantity"] = cast.Object(items[0])["plan"], cast.Object(items[0])["quantity"]
	}
}

// periodOf is the period that a subscription is in: that of its first item.
func periodOf(subscription map[string]any) (start, end int64) {
	items := itemsOf(subscription)
	if len(items) == 0 {
		return whole(subscription["created"]), whole(subscription["created"])
	}
	return whole(cast.Object(items[0])["current_period_start"]), whole(cast.Object(items[0])["current_period_end"])
}

// billFor drafts the invoice of a subscription's present period, with what
// waits to be billed.
func (c *call) billFor(subscription *world.Record, reason string, free bool) *world.Record {
	value := subscription.Value()
	customer, _ := c.find(customers, cast.Text(value["customer"]))
	invoice := c.newInvoice(customer.Value(), reason)
	c.fillInvoice(invoice, value, reason, free)
	c.takePending(invoice, subscription.ID)
	if reason != "subscription_update" {
		c.addPeriod(invoice, value, free)
	}
	c.total(invoice)
	record := c.create(invoices, invoice)
	c.emit("invoice.created", record.Value(), nil)
	if !free {
		c.useUp(subscription.ID)
	}
	return record
}

// useUp takes from a subscription the discounts that are for one invoice.
func (c *call) useUp(id string) {
	old, _ := c.find(subscriptions, id)
	kept := []any{}
	for _, one := range cast.List(old.Value()["discounts"]) {
		discount, _ := c.find(discounts, cast.Text(one))
		if discount != nil {
			if coupon, ok := c.find(coupons, kit.Text(discount.Value(), "source.coupon")); ok && coupon.Value()["duration"] == "once" {
				continue
			}
		}
		kept = append(kept, one)
	}
	if len(kept) < len(cast.List(old.Value()["discounts"])) {
		value := changed(old)
		value["discounts"] = kept
		c.update(subscriptions, value)
	}
}

func (c *call) fillInvoice(invoice, subscription map[string]any, reason string, free bool) {
	invoice["currency"], invoice["collection_method"] = subscription["currency"], subscription["collection_method"]
	parent := invoiceParent(cast.Text(subscription["id"]))
	cast.Object(parent["subscription_details"])["metadata"] = subscription["metadata"]
	invoice["parent"], invoice["discounts"] = parent, subscription["discounts"]
	if days := subscription["days_until_due"]; days != nil && subscription["collection_method"] == "send_invoice" {
		invoice["due_date"] = c.now() + whole(days)*24*3600
		invoice["auto_advance"], invoice["automatically_finalizes_at"] = true, c.after(draftLife).Unix()
	}
	if start, _ := periodOf(subscription); reason == "subscription_cycle" && !free {
		invoice["period_end"] = start
	}
}

// addPeriod adds a line for each item of a subscription.
func (c *call) addPeriod(invoice, subscription map[string]any, free bool) {
	lines := cast.List(cast.Object(invoice["lines"])[kit.ItemsKey])
	for _, one := range itemsOf(subscription) {
		item := cast.Object(one)
		price := cast.Object(item["price"])
		quantity := whole(item["quantity"])
		amount, about := amountOf(price, quantity), any(c.lineText(price, quantity))
		if share := shareBilled(subscription, item); share < 1 {
			amount = times(float64(amount)*share, 1)
		}
		if free {
			amount, about = 0, freeTrial(c.productName(cast.Text(price["product"])))
		}
		line := c.newLine(cast.Text(invoice["id"]), amount, price["currency"], about, quantity, map[string]any{"end": item["current_period_end"], "start": item["current_period_start"]})
		line["pricing"] = pricing(price)
		line["parent"] = map[string]any{"invoice_item_details": nil, "type": "subscription_item_details", "subscription_item_details": map[string]any{
			"invoice_item": nil, "proration": false, "proration_details": map[string]any{"credited_items": nil}, "subscription": subscription["id"], "subscription_item": item["id"],
		}}
		if tags := cast.Object(subscription["metadata"]); len(tags) > 0 {
			line["metadata"] = tags
		}
		lines = append(lines, line)
	}
	invoice["lines"] = listing(lines, "/v1/invoices/"+cast.Text(invoice["id"])+"/lines")
}

func freeTrial(product any) any { return "Free trial for " + cast.Text(product) }

func (c *call) latestInvoice(id, invoice string) *world.Record {
	old, _ := c.find(subscriptions, id)
	value := changed(old)
	value["latest_invoice"] = invoice
	return c.update(subscriptions, value)
}

// paidFor moves a subscription on whose invoice is paid.
func (c *call) paidFor(invoice *world.Record) {
	old, ok := c.find(subscriptions, subscriptionOf(invoice.Value()))
	if !ok {
		return
	}
	switch old.Value()["status"] {
	case incomplete, pastDue, "unpaid":
		c.setStatus(old.ID, active)
		c.never(incompleteExpires, old.ID)
		now, _ := c.find(subscriptions, old.ID)
		c.awaitNext(now)
		if invoice.Value()["billing_reason"] != "subscription_create" || whole(invoice.Value()["created"]) != c.now() {
			c.emit("customer.subscription.updated", now.Value(), map[string]any{"status": old.Value()["status"]})
		}
	}
}

// unpaid moves a subscription whose invoice was not paid; last tells that
// nobody will try again.
func (c *call) unpaid(invoice *world.Record, last bool) {
	old, ok := c.find(subscriptions, subscriptionOf(invoice.Value()))
	if !ok {
		return
	}
	status := cast.Text(old.Value()["status"])
	switch {
	case last && (status == pastDue || status == active):
		c.end(old, "payment_failed")
	case status == active || status == trialing:
		record := c.setStatus(old.ID, pastDue)
		c.emit("customer.subscription.updated", record.Value(), map[string]any{"status": status})
	}
}

func (c *call) setStatus(id, status string) *world.Record {
	old, _ := c.find(subscriptions, id)
	value := changed(old)
	value["status"] = status
	return c.update(subscriptions, value)
}

// awaitNext sets the timers of what comes next: the end of the period, or of
// the trial, or of all.
func (c *call) awaitNext(r *world.Record) {
	_, end := periodOf(r.Value())
	if at := whole(r.Value()["cancel_at"]); at > 0 && at < end {
		end = at
	}
	c.later(subscriptionRenews, r.ID, time.Unix(end, 0))
	if warn := whole(r.Value()["trial_end"]) - 3*24*3600; r.Value()["status"] == trialing && warn > c.now() {
		c.later(trialWillEnd, r.ID, time.Unix(warn, 0))
	}
}

// announceTrialEnd tells, three days before, that a trial ends.
func (c *call) announceTrialEnd(id string) {
	if r, ok := c.find(subscriptions, id); ok && r.Value()["status"] == trialing {
		c.emit("customer.subscription.trial_will_end", r.Value(), nil)
	}
}

// expireIncomplete gives up a subscription that was never paid for.
func (c *call) expireIncomplete(id string) {
	old, ok := c.find(subscriptions, id)
	if !ok || old.Value()["status"] != incomplete {
		return
	}
	value := changed(old)
	value["status"], value["ended_at"] = incompleteExpired, c.now()
	record := c.update(subscriptions, value)
	if invoice, ok := c.find(invoices, cast.Text(value["latest_invoice"])); ok && invoice.Value()["status"] == "open" {
		c.void(invoice)
	}
	c.emit("customer.subscription.updated", record.Value(), map[string]any{"status": incomplete})
}

// renew begins the next period: its invoice is a draft for an hour, then it is
// paid.
func (c *call) renew(id string) {
	old, ok := c.find(subscriptions, id)
	if !ok {
		return
	}
	status := cast.Text(old.Value()["status"])
	if status != active && status != trialing && status != pastDue {
		return
	}
	if at := whole(old.Value()["cancel_at"]); at > 0 && at <= c.now() {
		c.end(old, cast.Text(cast.Object(old.Value()["cancellation_details"])["reason"]))
		return
	}
	c.roll(old)
	value := changed(old)
	c.itemize(value)
	if status == trialing {
		value["status"] = active
	}
	record := c.update(subscriptions, value)
	c.emit("customer.subscription.updated", record.Value(), kit.Before(old.Value(), record.Value()))
	invoice := c.billFor(record, "subscription_cycle", false)
	advancing := changed(invoice)
	advancing["auto_advance"], advancing["automatically_finalizes_at"] = true, c.after(draftLife).Unix()
	c.update(invoices, advancing)
	record = c.latestInvoice(id, invoice.ID)
	switch pause := cast.Object(record.Value()["pause_collection"]); {
	case pause == nil:
		c.later(invoiceAdvances, invoice.ID, c.after(draftLife))
	case pause["behavior"] == "void":
		c.void(c.finalize(invoice))
	}
	c.awaitNext(record)
}

// roll moves the items of a subscription on to their next period.
func (c *call) roll(subscription *world.Record) {
	anchor := whole(subscription.Value()["billing_cycle_anchor"])
	_, end := periodOf(subscription.Value())
	for item := range c.Tx.Find(full(subscriptionItems), "subscription", subscription.ID, 0) {
		value := changed(item)
		often := cast.Object(cast.Object(value["price"])["recurring"])
		value["current_period_start"], value["current_period_end"] = end, through(end, anchor, cast.Text(often["interval"]), whole(often["interval_count"]))
		c.update(subscriptionItems, value)
	}
}

// end cancels a subscription for good.
func (c *call) end(old *world.Record, why string) *world.Record {
	value := changed(old)
	value["status"], value["ended_at"] = canceled, c.now()
	value["canceled_at"] = or(value["canceled_at"], c.now())
	details := kit.Merge(nil, cast.Object(value["cancellation_details"]))
	details["reason"] = orNil(why)
	value["cancellation_details"] = details
	record := c.update(subscriptions, value)
	for _, kind := range []string{subscriptionRenews, trialWillEnd, incompleteExpires} {
		c.never(kind, old.ID)
	}
	c.emit("customer.subscription.deleted", record.Value(), nil)
	return record
}

// endAtPeriod has a subscription end with the period that is paid.
func (c *call) endAtPeriod(value map[string]any) {
	_, end := periodOf(value)
	value["cancel_at_period_end"], value["cancel_at"], value["canceled_at"] = true, end, c.now()
	value["cancellation_details"] = c.reason("cancellation_requested")
}
