package stripe

import (
	"fmt"
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// updateSubscription changes what is billed, when, or until when.
func updateSubscription(c *call, old *world.Record) (answer, *refusal) {
	if status := old.Value()["status"]; status == canceled || status == incompleteExpired {
		for field := range c.Input.Body {
			if field != "metadata" && field != "cancellation_details" && field != "expand" {
				return answer{}, invalid("", "", "A canceled subscription can only update its cancellation_details and metadata.")
			}
		}
	}
	changes, refused := c.itemChanges(old)
	if refused != nil {
		return answer{}, refused
	}
	if changes.how, refused = c.prorates(old.Value()); refused != nil {
		return answer{}, refused
	}
	value := changed(old)
	extras, refused := c.extraItems(value)
	if refused != nil {
		return answer{}, refused
	}
	if refused := c.describeSubscription(value); refused != nil {
		return answer{}, refused
	}
	if refused := c.ending(value); refused != nil {
		return answer{}, refused
	}
	if c.has("cancellation_details") {
		value["cancellation_details"] = kit.Merge(cast.Object(value["cancellation_details"]), c.reason(cast.Text(cast.Object(value["cancellation_details"])["reason"])))
	}
	if at, ok := c.integer("trial_end"); ok {
		if at <= c.now() {
			return answer{}, unsaved(invalid("trial_end", "", "Invalid timestamp: must be an integer Unix timestamp in the future."))
		}
		if refused := c.tooFar("trial_end", at); refused != nil {
			return answer{}, refused
		}
		if value["status"] != trialing {
			value["trial_start"] = c.now()
		}
		value["trial_end"], value["status"], value["billing_cycle_anchor"] = at, trialing, at
		changes.until = at
	}
	c.keepDrafts()
	for _, item := range extras {
		c.create(invoiceItems, item)
	}
	record := c.applyChanges(old, value, changes)
	return answer{record: record, collection: subscriptions}, nil
}

// changes are what a call does to the items of a subscription.
type changes struct {
	put   map[string]wish // by item
	add   []wish
	drop  map[string]bool
	until int64 // a new end of the period; 0 leaves it
	how   proration
}

// itemChanges reads the items of an update: those with an id change, those that
// are deleted go, the others are added.
func (c *call) itemChanges(old *world.Record) (changes, *refusal) {
	ch := changes{put: map[string]wish{}, drop: map[string]bool{}}
	sent := cast.List(c.Input.Body["items"])
	if _, ok := c.integer("quantity"); len(sent) == 0 && (c.text("plan") != "" || ok) && len(itemsOf(old.Value())) == 1 {
		sent = []any{map[string]any{"id": cast.Object(itemsOf(old.Value())[0])["id"], "plan": c.Input.Body["plan"], "quantity": c.Input.Body["quantity"]}}
	}
	for i, one := range sent {
		given, at := cast.Object(one), fmt.Sprintf("items[%d]", i)
		id := cast.Text(given["id"])
		if id == "" {
			w, refused := c.wishFor(given, at)
			if refused != nil {
				return ch, refused
			}
			ch.add = append(ch.add, w)
			continue
		}
		item, ok := c.find(subscriptionItems, id)
		if !ok || item.Value()["subscription"] != old.ID {
			return ch, missing(http.StatusBadRequest, "subscription_item", id, at+"[id]")
		}
		if given["deleted"] == true {
			ch.drop[id] = true
			continue
		}
		w, refused := c.rewish(item, given, at)
		if refused != nil {
			return ch, refused
		}
		ch.put[id] = w
	}
	if len(itemsOf(old.Value())) > 0 && len(ch.drop) == len(itemsOf(old.Value())) && len(ch.add) == 0 {
		return ch, invalid("", "", "A subscription must have at least one active plan. To cancel a subscription, please use the cancel API endpoint on /v1/subscriptions.")
	}
	return ch, nil
}

// rewish is an item as parameters change it.
func (c *call) rewish(item *world.Record, given map[string]any, at string) (wish, *refusal) {
	w := wish{price: cast.Object(item.Value()["price"]), quantity: whole(item.Value()["quantity"]), given: given}
	if given["price"] != nil || given["plan"] != nil || given["price_data"] != nil {
		made, refused := c.wishFor(given, at)
		if refused != nil {
			return w, refused
		}
		w.price = made.price
	}
	if n, ok := given["quantity"].(int64); ok {
		w.quantity = n
	}
	return w, nil
}

// applyChanges writes a changed subscription, with what its changes cost.
func (c *call) applyChanges(old *world.Record, value map[string]any, ch changes) *world.Record {
	p := ch.how
	anew := c.anew(old, ch)
	tried := ch.until > 0 && old.Value()["status"] != trialing
	prorated := c.writeItems(old, ch, p, anew || tried)
	if anew {
		value["trial_end"] = nil
		if old.Value()["trial_end"] != nil {
			value["trial_end"] = min(c.now(), whole(old.Value()["trial_end"]))
		}
		if value["status"] == trialing {
			value["status"] = active
		}
		c.restart(old.ID, value)
	}
	if ch.until > 0 {
		c.reperiod(old.ID, c.now(), ch.until)
	}
	c.itemize(value)
	switch set, sent := c.Input.Body["cancel_at_period_end"].(bool); {
	case sent && set:
		c.endAtPeriod(value)
	case sent:
		value["cancel_at_period_end"], value["cancel_at"], value["canceled_at"] = false, nil, nil
		value["cancellation_details"] = c.reason("")
	}
	if at, sent := c.integer("cancel_at"); sent {
		prorated = c.endEarly(old, at, p) || prorated
	}
	record := c.update(subscriptions, value)
	if status := record.Value()["status"]; status == active || status == trialing || status == pastDue {
		c.awaitNext(record)
	}
	if before := kit.Before(old.Value(), record.Value()); len(before) > 0 {
		c.emit("customer.subscription.updated", record.Value(), before)
	}
	if anew || tried || p.now && (prorated || c.has("add_invoice_items")) {
		record = c.billNow(record, anew || tried)
	}
	return record
}

// writeItems changes the items. What is no longer used is given back, and what
// is from now on asked for, unless all of it is billed anew. It tells whether
// anything came of that.
func (c *call) writeItems(old *world.Record, ch changes, p proration, anew bool) (prorated bool) {
	start, end := periodOf(old.Value())
	for item := range c.Tx.Find(full(subscriptionItems), "subscription", old.ID, 0) {
		w, put := ch.put[item.ID]
		before := cast.Object(item.Value()["price"])
		changes := put && (w.price["id"] != before["id"] || w.quantity != whole(item.Value()["quantity"]))
		if anew || changes || ch.drop[item.ID] {
			prorated = c.creditUnused(old, item, p) || prorated
		}
		if ch.drop[item.ID] {
			c.remove(subscriptionItems, item.ID)
		}
		if !put {
			continue
		}
		value := changed(item)
		value["price"], value["plan"], value["quantity"] = w.price, planOf(w.price), w.quantity
		if metered(w.price) {
			delete(value, "quantity")
		}
		if tags := w.given["metadata"]; tags != nil {
			value["metadata"] = kit.Merge(cast.Object(value["metadata"]), tags)
		}
		fresh := c.update(subscriptionItems, value)
		if changes && !anew {
			prorated = c.debit(old, fresh, p) || prorated
		}
	}
	for _, w := range ch.add {
		item := c.create(subscriptionItems, c.newSubscriptionItem(old.ID, w, start, end))
		if !anew {
			prorated = c.debit(old, item, p) || prorated
		}
	}
	return prorated
}

// restart begins a new period now.
func (c *call) restart(id string, value map[string]any) {
	value["billing_cycle_anchor"] = c.now()
	for item := range c.Tx.Find(full(subscriptionItems), "subscription", id, 0) {
		fresh := changed(item)
		often := cast.Object(cast.Object(fresh["price"])["recurring"])
		fresh["current_period_start"] = c.now()
		fresh["current_period_end"] = next(c.now(), c.now(), cast.Text(often["interval"]), whole(often["interval_count"]))
		c.update(subscriptionItems, fresh)
	}
}

func (c *call) reperiod(id string, start, end int64) {
	for item := range c.Tx.Find(full(subscriptionItems), "subscription", id, 0) {
		fresh := changed(item)
		fresh["current_period_start"], fresh["current_period_end"] = start, end
		c.update(subscriptionItems, fresh)
	}
}

// billNow bills a change at once, with the new period where there is one.
func (c *call) billNow(record *world.Record, period bool) *world.Record {
	free := record.Value()["status"] == trialing
	invoice := c.billFor(record, "subscription_update", free)
	if period {
		value := changed(invoice)
		c.addPeriod(value, record.Value(), free)
		c.total(value)
		invoice = c.update(invoices, value)
	}
	if c.previews {
		c.shown = invoice
		return record
	}
	c.latestInvoice(record.ID, invoice.ID)
	if record.Value()["collection_method"] == "send_invoice" {
		c.later(invoiceAdvances, invoice.ID, c.after(draftLife))
	} else if invoice = c.finalize(invoice); invoice.Value()["status"] == "open" {
		if method, ok := c.fallback(invoice.Value()); ok {
			invoice, _ = c.collect(invoice, method)
		}
		if invoice.Value()["status"] == "open" {
			c.unpaid(invoice, false)
		}
	}
	now, _ := c.find(subscriptions, record.ID)
	return now
}

// deleteSubscription cancels at once; one that is gone is not found again.
func deleteSubscription(c *call, old *world.Record) (answer, *refusal) {
	if status := old.Value()["status"]; status == canceled || status == incompleteExpired {
		return answer{}, missing(http.StatusNotFound, "subscription", old.ID, "id")
	}
	value := changed(old)
	value["cancel_at_period_end"] = false
	why := c.reason("cancellation_requested")
	value["cancellation_details"] = why
	if old.Value()["cancel_at_period_end"] == true {
		value["cancel_at"] = nil
	}
	waits := false
	if cast.Bool(c.Input.Query["prorate"]) {
		p, _ := c.prorates(old.Value())
		waits = c.endEarly(old, c.now(), p)
	}
	record := c.update(subscriptions, value)
	if cast.Bool(c.Input.Query["invoice_now"]) && (waits || c.waiting(old)) {
		record = c.billNow(record, false)
	}
	if c.previews {
		return answer{record: record, collection: subscriptions}, nil
	}
	record = c.end(record, "cancellation_requested")
	if invoice, ok := c.find(invoices, cast.Text(record.Value()["latest_invoice"])); ok && old.Value()["status"] == incomplete && invoice.Value()["status"] == "open" {
		c.void(invoice)
	}
	return answer{record: record, collection: subscriptions}, nil
}

// waiting tells whether items of a subscription wait for its next invoice.
func (c *call) waiting(subscription *world.Record) bool {
	for item := range c.Tx.Find(full(invoiceItems), "customer", cast.Text(subscription.Value()["customer"]), 0) {
		of := kit.Text(item.Value(), "parent.subscription_details.subscription")
		if item.Value()["invoice"] == nil && (of == "" || of == subscription.ID) {
			return true
		}
	}
	return false
}

func resumeSubscription(c *call, old *world.Record) (answer, *refusal) {
	if old.Value()["status"] != paused {
		return answer{}, invalid("", "", "You can only resume a subscription that is paused; this one has a status of %v.", old.Value()["status"])
	}
	value := changed(old)
	value["status"] = active
	c.restart(old.ID, value)
	c.itemize(value)
	record := c.update(subscriptions, value)
	c.awaitNext(record)
	c.emit("customer.subscription.resumed", record.Value(), nil)
	return answer{record: c.billNow(record, true), collection: subscriptions}, nil
}
