package stripe

import (
	"fmt"
	"net/http"
	"time"

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
		value["trial_end"], value["trial_start"], value["status"], value["billing_cycle_anchor"] = at, or(value["trial_start"], c.now()), trialing, at
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
	behavior := c.text("proration_behavior")
	if behavior == "" {
		behavior, _ = c.Input.Query["proration_behavior"].(string)
	}
	at := c.now()
	if when, ok := c.integer("proration_date"); ok {
		at = when
	}
	start, end := periodOf(old.Value())
	prorates := behavior != "none" && old.Value()["status"] != trialing && old.Value()["status"] != incomplete
	share := shareLeft(start, end, at)
	anew := c.writeItems(old, ch, func(price map[string]any, item string, quantity, sign int64) {
		if prorates {
			c.prorate(old, price, item, quantity, sign, share, at, end)
		}
	})
	if c.text("billing_cycle_anchor") == "now" || c.Input.Body["trial_end"] == "now" {
		anew = true
		value["trial_end"] = nil
		if old.Value()["trial_end"] != nil {
			value["trial_end"] = c.now()
		}
		if value["status"] == trialing {
			value["status"] = active
		}
	}
	if anew {
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
	record := c.update(subscriptions, value)
	if status := record.Value()["status"]; status == active || status == trialing || status == pastDue {
		c.awaitNext(record)
	}
	if before := kit.Before(old.Value(), record.Value()); len(before) > 0 {
		c.emit("customer.subscription.updated", record.Value(), before)
	}
	if anew || behavior == "always_invoice" || c.has("add_invoice_items") {
		return c.billNow(record, anew)
	}
	return record
}

// writeItems changes the items, telling each time what is no longer used and
// what is from now on; anew tells whether the rhythm changed.
func (c *call) writeItems(old *world.Record, ch changes, tell func(price map[string]any, item string, quantity, sign int64)) (anew bool) {
	start, end := periodOf(old.Value())
	for item := range c.Tx.Find(full(subscriptionItems), "subscription", old.ID, 0) {
		before, quantity := cast.Object(item.Value()["price"]), whole(item.Value()["quantity"])
		w, changes := ch.put[item.ID]
		switch {
		case ch.drop[item.ID]:
			tell(before, item.ID, quantity, -1)
			c.remove(subscriptionItems, item.ID)
		case changes:
			value := changed(item)
			if w.price["id"] != before["id"] || w.quantity != quantity {
				tell(before, item.ID, quantity, -1)
				tell(w.price, item.ID, w.quantity, 1)
			}
			a, b := cast.Object(before["recurring"]), cast.Object(w.price["recurring"])
			anew = anew || a["interval"] != b["interval"] || whole(a["interval_count"]) != whole(b["interval_count"])
			value["price"], value["plan"], value["quantity"] = w.price, planOf(w.price), w.quantity
			if tags := w.given["metadata"]; tags != nil {
				value["metadata"] = kit.Merge(cast.Object(value["metadata"]), tags)
			}
			c.update(subscriptionItems, value)
		}
	}
	for _, w := range ch.add {
		item := c.create(subscriptionItems, c.newSubscriptionItem(old.ID, w, start, end))
		tell(w.price, item.ID, w.quantity, 1)
	}
	return anew
}

// prorate makes the item that a change in the middle of a period costs, or
// gives back.
func (c *call) prorate(subscription *world.Record, price map[string]any, item string, quantity, sign int64, share float64, at, end int64) {
	amount := sign * times(float64(amountOf(price, quantity))*share, 1)
	what := cast.Text(c.productName(cast.Text(price["product"])))
	if quantity != 1 {
		what = fmt.Sprintf("%d × %s", quantity, what)
	}
	about := "Remaining time on " + what + " after " + time.Unix(at, 0).UTC().Format("02 Jan 2006")
	if sign < 0 {
		about = "Unused time on " + what + " after " + time.Unix(at, 0).UTC().Format("02 Jan 2006")
	}
	value := c.newItem(cast.Text(subscription.Value()["customer"]))
	value["amount"], value["net_amount"], value["currency"], value["description"] = amount, amount, price["currency"], about
	value["discountable"], value["proration"], value["pricing"] = false, true, pricing(price)
	value["quantity"], value["quantity_decimal"] = quantity, decimal(quantity)
	value["period"] = map[string]any{"end": end, "start": at}
	value["parent"] = map[string]any{"subscription_details": map[string]any{"subscription": subscription.ID, "subscription_item": item}, "type": "subscription_details"}
	record := c.create(invoiceItems, value)
	c.emit("invoiceitem.created", record.Value(), nil)
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
	reason := "subscription_update"
	invoice := c.billFor(record, reason, false)
	if period {
		value := changed(invoice)
		c.addPeriod(value, record.Value(), false)
		c.total(value)
		invoice = c.update(invoices, value)
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
	if cast.Bool(c.Input.Query["prorate"]) {
		start, end := periodOf(old.Value())
		for _, one := range itemsOf(old.Value()) {
			item := cast.Object(one)
			c.prorate(old, cast.Object(item["price"]), cast.Text(item["id"]), whole(item["quantity"]), -1, shareLeft(start, end, c.now()), c.now(), end)
		}
	}
	record := c.update(subscriptions, value)
	if now, _ := c.Input.Query["invoice_now"].(bool); now {
		c.billNow(record, false)
		record, _ = c.find(subscriptions, old.ID)
	}
	record = c.end(record, "cancellation_requested")
	if invoice, ok := c.find(invoices, cast.Text(record.Value()["latest_invoice"])); ok && old.Value()["status"] == incomplete && invoice.Value()["status"] == "open" {
		c.void(invoice)
	}
	return answer{record: record, collection: subscriptions}, nil
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
