package stripe

import (
	"fmt"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A proration is how a change in the middle of a period is worked out.
// Source: docs.stripe.com/billing/subscriptions/prorations.
type proration struct {
	at   int64 // the instant as of which the change counts
	none bool  // nothing is given back, and nothing asked for
	now  bool  // what comes of it is invoiced at once
}

// prorates reads how a call wants its change prorated. What is free, or not
// paid for yet, is not prorated.
func (c *call) prorates(subscription map[string]any) (proration, *refusal) {
	behavior := cast.Text(c.given("proration_behavior"))
	p := proration{at: c.now(), none: behavior == "none", now: behavior == "always_invoice"}
	if status := subscription["status"]; status == trialing || status == incomplete {
		p.none = true
	}
	at, sent := c.given("proration_date").(int64)
	if !sent {
		return p, nil
	}
	start, end := periodOf(subscription)
	switch {
	case c.given("billing_cycle_anchor") == "now":
		return p, invalid("proration_date", "", "You cannot specify `proration_date` when `billing_cycle_anchor=now`.")
	case at < start || at > end:
		return p, invalid("proration_date", "", "Invalid proration_date: must be within the current period of the subscription (%d to %d).", start, end)
	}
	p.at = at
	return p, nil
}

// given is a parameter of the body, or of the query where a DELETE has it.
func (c *call) given(parameter string) any {
	if sent, ok := c.Input.Body[parameter]; ok {
		return sent
	}
	return c.Input.Query[parameter]
}

// anew tells whether a change begins a new period at once, by a new rhythm, by
// going from free to paid, by an end of the trial, or because it was asked for.
// Source: docs.stripe.com/api/subscriptions/update.
func (c *call) anew(old *world.Record, ch changes) bool {
	trial := old.Value()["status"] == trialing
	if c.given("billing_cycle_anchor") == "now" || trial && c.given("trial_end") == "now" {
		return true
	}
	if trial {
		return false
	}
	before, after, rhythm := int64(0), int64(0), false
	licensed := false
	for _, one := range itemsOf(old.Value()) {
		item := cast.Object(one)
		price, quantity := cast.Object(item["price"]), whole(item["quantity"])
		licensed = licensed || !metered(price)
		before += amountOf(price, quantity)
		id := cast.Text(item["id"])
		if ch.drop[id] {
			continue
		}
		if w, changes := ch.put[id]; changes {
			a, b := cast.Object(price["recurring"]), cast.Object(w.price["recurring"])
			rhythm = rhythm || a["interval"] != b["interval"] || max(1, whole(a["interval_count"])) != max(1, whole(b["interval_count"]))
			price, quantity = w.price, w.quantity
		}
		after += amountOf(price, quantity)
	}
	for _, w := range ch.add {
		if !w.metered {
			after += amountOf(w.price, w.quantity)
		}
	}
	return rhythm || licensed && before == 0 && after > 0
}

// metered tells whether what is used is billed afterwards: nothing of it is
// prorated.
func metered(price map[string]any) bool {
	return cast.Object(price["recurring"])["usage_type"] == "metered"
}

// creditUnused gives back what was billed for the time that an item has left from an
// instant on, up to its end; it tells whether that was anything.
func (c *call) creditUnused(subscription, item *world.Record, p proration) bool {
	price, quantity := cast.Object(item.Value()["price"]), whole(item.Value()["quantity"])
	if p.none || metered(price) {
		return false
	}
	amount, of := c.unused(subscription, item, p.at)
	if amount == 0 {
		return false
	}
	c.adjust(subscription, item, price, quantity, -amount, p.at, of)
	return true
}

// unused is what was billed for the time that an item has left at an instant:
// in flexible billing mode what was really asked for it, less discounts; in
// classic mode what it costs now. The last that was asked for comes with it.
// Source: docs.stripe.com/billing/subscriptions/billing-mode/compare.
func (c *call) unused(subscription, item *world.Record, at int64) (amount int64, of map[string]any) {
	value := item.Value()
	start, end := whole(value["current_period_start"]), whole(value["current_period_end"])
	_, known := c.find(invoices, cast.Text(subscription.Value()["latest_invoice"]))
	if kit.Text(subscription.Value(), "billing_mode.type") != "flexible" || !known && subscription.Value()["latest_invoice"] != nil {
		price := cast.Object(value["price"])
		full := c.discounted(subscription.Value(), amountOf(price, whole(value["quantity"])))
		return times(float64(full)*shareLeft(start, end, at), 1), nil
	}
	left := 0.0
	for one := range c.Tx.Find(full(invoiceItems), "customer", cast.Text(subscription.Value()["customer"]), 0) {
		if kit.Text(one.Value(), "parent.subscription_details.subscription_item") != item.ID {
			continue
		}
		span := cast.Object(one.Value()["period"])
		if whole(span["end"]) <= at {
			break // of an earlier period, as all before it are
		}
		if whole(one.Value()["amount"]) < 0 {
			return times(left, 1), of // what came before was given back then
		}
		if of == nil {
			of = c.debitOf(one.Value())
		}
		left += real(one.Value()["amount"]) * shareLeft(whole(span["start"]), whole(span["end"]), at)
	}
	for invoice := range c.Tx.Find(full(invoices), "parent.subscription_details.subscription", subscription.ID, 0) {
		if invoice.Value()["status"] == "void" {
			continue
		}
		for _, one := range cast.List(cast.Object(invoice.Value()["lines"])[kit.ItemsKey]) {
			line := cast.Object(one)
			details := cast.Object(cast.Object(line["parent"])["subscription_item_details"])
			if details["subscription_item"] == item.ID && details["proration"] == false {
				span := cast.Object(line["period"])
				if of == nil {
					of = billedBy(invoice.ID, line["id"])
				}
				return times(left+netOf(line)*shareLeft(whole(span["start"]), whole(span["end"]), at), 1), of
			}
		}
	}
	return times(left, 1), of
}

// debitOf is how a credit names an item that asked for what it gives back: by
// the line of an invoice that it became, or itself while it waits.
func (c *call) debitOf(item map[string]any) map[string]any {
	if invoice, ok := c.find(invoices, cast.Text(item["invoice"])); ok {
		for _, line := range cast.List(cast.Object(invoice.Value()["lines"])[kit.ItemsKey]) {
			if kit.Text(cast.Object(line), "parent.subscription_item_details.invoice_item") == item["id"] {
				return billedBy(invoice.ID, cast.Object(line)["id"])
			}
		}
	}
	return map[string]any{"invoice_item": item["id"], "type": "invoice_item"}
}

func billedBy(invoice string, line any) map[string]any {
	return map[string]any{"invoice_line_item_details": map[string]any{"invoice": invoice, "invoice_line_items": []any{line}}, "type": "invoice_line_items"}
}

// netOf is what a line asks for, less its discounts.
func netOf(line map[string]any) float64 {
	net := whole(line["amount"])
	for _, one := range cast.List(line["discount_amounts"]) {
		net -= whole(cast.Object(one)["amount"])
	}
	return float64(net)
}

// debit asks for the time that an item is used from an instant on.
func (c *call) debit(subscription, item *world.Record, p proration) bool {
	value := item.Value()
	price, quantity := cast.Object(value["price"]), whole(value["quantity"])
	if p.none || metered(price) {
		return false
	}
	share := shareLeft(whole(value["current_period_start"]), whole(value["current_period_end"]), p.at)
	full := c.discounted(subscription.Value(), amountOf(price, quantity))
	c.adjust(subscription, item, price, quantity, times(float64(full)*share, 1), p.at, nil)
	return true
}

// discounted is an amount less what the discounts of a subscription take off.
// A proration has them in its amount: it is not discounted again.
func (c *call) discounted(subscription map[string]any, amount int64) int64 {
	for _, id := range cast.List(subscription["discounts"]) {
		amount -= c.takenOff(cast.Text(id), amount)
	}
	return amount
}

// adjust makes the item that a change in the middle of a period costs, or
// gives back of what it names.
func (c *call) adjust(subscription, item *world.Record, price map[string]any, quantity, amount, at int64, of map[string]any) {
	what := cast.Text(c.productName(cast.Text(price["product"])))
	if quantity != 1 {
		what = fmt.Sprintf("%d × %s", quantity, what)
	}
	about := "Remaining time on "
	if amount < 0 {
		about = "Unused time on "
	}
	about += what + " after " + time.Unix(at, 0).UTC().Format("02 Jan 2006")
	value := c.newItem(cast.Text(subscription.Value()["customer"]))
	value["amount"], value["net_amount"], value["currency"], value["description"] = amount, amount, price["currency"], about
	value["discountable"], value["proration"], value["pricing"] = false, true, pricing(price)
	value["quantity"], value["quantity_decimal"] = quantity, decimal(quantity)
	value["period"] = map[string]any{"end": item.Value()["current_period_end"], "start": at}
	value["parent"] = map[string]any{"subscription_details": map[string]any{"subscription": subscription.ID, "subscription_item": item.ID}, "type": "subscription_details"}
	details := map[string]any{"credited_items": nil, "discount_amounts": []any{}}
	if of != nil {
		details["credited_items"] = of
	}
	value["proration_details"] = details
	record := c.create(invoiceItems, value)
	c.emit("invoiceitem.created", record.Value(), nil)
}

// endEarly gives back what is billed for the time after an instant at which a
// subscription is to end.
func (c *call) endEarly(subscription *world.Record, at int64, p proration) bool {
	given := false
	for item := range c.Tx.Find(full(subscriptionItems), "subscription", subscription.ID, 0) {
		if at < whole(item.Value()["current_period_end"]) {
			p.at = at
			given = c.creditUnused(subscription, item, p) || given
		}
	}
	return given
}
