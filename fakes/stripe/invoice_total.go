package stripe

import (
	"fmt"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// newLine is a line of an invoice.
func (c *call) newLine(invoice string, amount int64, currency, about any, quantity int64, period any) map[string]any {
	return map[string]any{
		"id": c.NewID("il_1", 23), "object": "line_item", "amount": amount, "currency": currency, "description": about, "discount_amounts": []any{},
		"discountable": true, "discounts": []any{}, "invoice": invoice, "livemode": false, "metadata": map[string]any{}, "parent": nil, "period": period,
		"pretax_credit_amounts": []any{}, "pricing": nil, "quantity": quantity, "quantity_decimal": decimal(quantity), "subtotal": amount, "taxes": []any{},
	}
}

// lineOf is the line that an invoice item becomes.
func (c *call) lineOf(invoice string, item map[string]any) map[string]any {
	line := c.newLine(invoice, whole(item["amount"]), item["currency"], item["description"], whole(item["quantity"]), item["period"])
	line["discountable"], line["discounts"], line["metadata"], line["pricing"] = item["discountable"], cast.List(item["discounts"]), or(item["metadata"], map[string]any{}), item["pricing"]
	prorated := map[string]any{"credited_items": nil}
	if of := cast.Object(cast.Object(cast.Object(item["proration_details"])["credited_items"])["invoice_line_item_details"]); of != nil {
		prorated["credited_items"] = of
	}
	details := map[string]any{"invoice_item": item["id"], "proration": item["proration"], "proration_details": prorated, "subscription": nil}
	parent := map[string]any{"invoice_item_details": details, "subscription_item_details": nil, "type": "invoice_item_details"}
	if from := cast.Object(cast.Object(item["parent"])["subscription_details"]); from != nil {
		details["subscription"] = from["subscription"]
		if at := from["subscription_item"]; at != nil {
			parent = map[string]any{"invoice_item_details": nil, "type": "subscription_item_details", "subscription_item_details": map[string]any{
				"invoice_item": item["id"], "proration": item["proration"], "proration_details": prorated,
				"subscription": from["subscription"], "subscription_item": at,
			}}
		}
	}
	line["parent"] = parent
	return line
}

// takePending bills the items that wait for the customer's next invoice: those
// of one subscription, or those of none.
func (c *call) takePending(invoice map[string]any, subscription string) {
	var waiting []map[string]any
	for item := range c.Tx.Find(full(invoiceItems), "customer", cast.Text(invoice["customer"]), 0) {
		of := kit.Text(item.Value(), "parent.subscription_details.subscription")
		if item.Value()["invoice"] == nil && (of == subscription || of == "" && subscription != "") && item.Value()["currency"] == invoice["currency"] {
			waiting = append(waiting, item.Value())
		}
	}
	lines := cast.List(cast.Object(invoice["lines"])[kit.ItemsKey])
	for _, item := range waiting {
		lines = append(lines, c.lineOf(cast.Text(invoice["id"]), item))
		billed := kit.Merge(nil, item)
		billed["invoice"] = invoice["id"]
		c.update(invoiceItems, billed)
	}
	invoice["lines"] = listing(lines, "/v1/invoices/"+cast.Text(invoice["id"])+"/lines")
}

// relined makes the lines of a draft anew after its items changed.
func (c *call) relined(id string) {
	old, ok := c.find(invoices, id)
	if !ok {
		return
	}
	value := changed(old)
	kept := []any{}
	known := map[string]map[string]any{}
	for _, one := range cast.List(cast.Object(old.Value()["lines"])[kit.ItemsKey]) {
		line := cast.Object(one)
		item := kit.Text(line, "parent.invoice_item_details.invoice_item")
		if item == "" {
			item = kit.Text(line, "parent.subscription_item_details.invoice_item")
		}
		if item == "" {
			kept = append(kept, line)
		}
		known[item] = line
	}
	for item := range c.Tx.Find(full(invoiceItems), "invoice", id, 0) {
		line := c.lineOf(id, item.Value())
		if before, ok := known[item.ID]; ok {
			line["id"] = before["id"]
		}
		kept = append(kept, line)
		value["currency"] = item.Value()["currency"]
	}
	value["lines"] = listing(kept, "/v1/invoices/"+id+"/lines")
	c.total(value)
	record := c.update(invoices, value)
	c.emit("invoice.updated", record.Value(), kit.Before(old.Value(), record.Value()))
}

// takenOff is what a discount takes off an amount.
func (c *call) takenOff(discount string, amount int64) int64 {
	value, drafted := c.drafted(discounts, discount)
	if !drafted {
		record, ok := c.find(discounts, discount)
		if !ok {
			return 0
		}
		value = record.Value()
	}
	coupon, ok := c.find(coupons, kit.Text(value, "source.coupon"))
	if !ok || amount <= 0 || value["end"] != nil && whole(value["end"]) <= c.now() && whole(value["end"]) > whole(value["start"]) {
		return 0
	}
	if share := coupon.Value()["percent_off"]; share != nil {
		return times(float64(amount)*real(share)/100, 1)
	}
	return min(amount, whole(coupon.Value()["amount_off"]))
}

// drafted finds what the call has drafted.
func (c *call) drafted(collection, id string) (map[string]any, bool) {
	for _, one := range c.drafts {
		if one.collection == collection && one.value["id"] == id {
			return one.value, true
		}
	}
	return nil, false
}

// total works out what a draft asks for. Discounts of single items come off the
// subtotal, those of the whole invoice off the total, spread over its lines.
func (c *call) total(invoice map[string]any) {
	lines := cast.List(cast.Object(invoice["lines"])[kit.ItemsKey])
	off := map[string]int64{}
	var order []string
	note := func(id string, n int64) {
		if _, seen := off[id]; !seen {
			order = append(order, id)
		}
		off[id] += n
	}
	fresh := make([]any, 0, len(lines))
	subtotal, base := int64(0), int64(0)
	for _, one := range lines {
		line := kit.Merge(nil, cast.Object(one))
		amounts, rest := []any{}, whole(line["amount"])
		for _, id := range cast.List(line["discounts"]) {
			n := c.takenOff(cast.Text(id), rest)
			rest -= n
			amounts = append(amounts, map[string]any{"amount": n, "discount": id})
			note(cast.Text(id), n)
		}
		line["discount_amounts"], line["pretax_credit_amounts"] = amounts, credits(amounts)
		subtotal += rest
		if line["discountable"] != false {
			base += max(0, rest)
		}
		fresh = append(fresh, line)
	}
	total, left := subtotal, base
	for _, id := range cast.List(invoice["discounts"]) {
		n := c.takenOff(cast.Text(id), left)
		total, left = total-n, left-n
		note(cast.Text(id), n)
		spread(fresh, id, n, base)
	}
	all := []any{}
	for _, id := range order {
		all = append(all, map[string]any{"amount": off[id], "discount": id})
	}
	invoice["lines"] = listing(fresh, "/v1/invoices/"+cast.Text(invoice["id"])+"/lines")
	invoice["subtotal"], invoice["subtotal_excluding_tax"] = subtotal, subtotal
	invoice["total"], invoice["total_excluding_tax"] = total, total
	invoice["total_discount_amounts"], invoice["total_pretax_credit_amounts"] = all, credits(all)
	invoice["amount_due"] = max(0, total)
	invoice["amount_remaining"] = max(0, total)
}

func credits(amounts []any) []any {
	all := []any{}
	for _, one := range amounts {
		of := cast.Object(one)
		all = append(all, map[string]any{"amount": of["amount"], "discount": of["discount"], "type": "discount"})
	}
	return all
}

// spread shows on each line its share of a discount of the whole.
func spread(lines []any, id any, off, base int64) {
	left := off
	for i, one := range lines {
		line := cast.Object(one)
		if line["discountable"] == false || whole(line["amount"]) <= 0 || base == 0 {
			continue
		}
		share := off * whole(line["amount"]) / base
		if i == len(lines)-1 {
			share = left
		}
		left -= share
		amounts := append(append([]any{}, cast.List(line["discount_amounts"])...), map[string]any{"amount": share, "discount": id})
		line["discount_amounts"], line["pretax_credit_amounts"] = amounts, credits(amounts)
	}
}

// lineText is what a line says of an item of a subscription: 2 × Basic (at
// $10.00 / month), by the product's own unit where it has one.
func (c *call) lineText(price map[string]any, quantity int64) string {
	what, unit := cast.Text(c.productName(cast.Text(price["product"]))), ""
	if product, ok := c.find(products, cast.Text(price["product"])); ok {
		if label := cast.Text(product.Value()["unit_label"]); label != "" {
			unit = " " + label
		}
	}
	return fmt.Sprintf("%d%s × %s (at %s)", quantity, unit, what, costs(price))
}
