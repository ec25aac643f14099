package stripe

import (
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func listInvoiceItems(c *call) (answer, *refusal) {
	var keep func(*world.Record) bool
	if pending, asked := c.Input.Query["pending"].(bool); asked {
		keep = func(r *world.Record) bool { return (r.Value()["invoice"] == nil) == pending }
	}
	return c.dated(invoiceItems, "invoiceitem", keep, "invoice", "customer")
}

// dated lists records whose instant is their date, where others have created.
func (c *call) dated(collection, what string, keep func(*world.Record) bool, filters ...string) (answer, *refusal) {
	created := c.Input.Query["created"]
	if created == nil {
		return c.list(collection, what, keep, filters...)
	}
	bounds := kit.BoundsOf(created)
	q := kit.Query{Collection: full(collection), Keep: also(keep, func(r *world.Record) bool { return bounds.Holds(r, "date") })}
	for _, field := range filters {
		if value := c.query(field); value != "" {
			q.Keep = also(q.Keep, func(r *world.Record) bool { return r.Value()[field] == value })
		}
	}
	return c.page(collection, what, q)
}

func createInvoiceItem(c *call) (answer, *refusal) {
	var draft map[string]any
	if id := c.text("invoice"); id != "" {
		invoice, ok := c.find(invoices, id)
		if !ok {
			return answer{}, missing(http.StatusBadRequest, "invoice", id, "invoice")
		}
		if invoice.Value()["status"] != "draft" {
			return answer{}, uneditable()
		}
		draft = invoice.Value()
	}
	id := c.text("customer")
	if id == "" && draft != nil {
		id = cast.Text(draft["customer"])
	}
	if id == "" {
		return answer{}, required("customer")
	}
	customer, refused := c.live(theCustomer, id, http.StatusBadRequest, "customer")
	if refused != nil {
		return answer{}, refused
	}
	value := c.newItem(customer.ID)
	if refused := c.describeItem(value, c.Input.Body); refused != nil {
		return answer{}, refused
	}
	if draft != nil && draft["currency"] != value["currency"] && len(cast.List(cast.Object(draft["lines"])[kit.ItemsKey])) > 0 {
		return answer{}, invalid("currency", "", "The currency of an invoice item must match the currency of its invoice (%v).", draft["currency"])
	}
	if id := c.text("subscription"); id != "" {
		if _, ok := c.find(subscriptions, id); !ok {
			return answer{}, missing(http.StatusBadRequest, "subscription", id, "subscription")
		}
		value["parent"] = subscriptionParent(id)
	}
	if refused := c.setMetadata(value, nil); refused != nil {
		return answer{}, refused
	}
	c.keepDrafts()
	c.redeem(cast.List(value["discounts"]))
	if draft != nil {
		value["invoice"] = draft["id"]
	}
	record := c.create(invoiceItems, value)
	c.emit("invoiceitem.created", record.Value(), nil)
	if draft != nil {
		c.relined(cast.Text(draft["id"]))
	}
	return answer{record: record, collection: invoiceItems}, nil
}

func subscriptionParent(id string) map[string]any {
	return map[string]any{"subscription_details": map[string]any{"subscription": id, "subscription_item": nil}, "type": "subscription_details"}
}

// newItem is an item that says nothing yet.
func (c *call) newItem(customer string) map[string]any {
	clock := any(nil)
	if owner, ok := c.find(customers, customer); ok {
		clock = owner.Value()["test_clock"]
	}
	return map[string]any{
		"id": c.NewID("ii_1", 23), "object": "invoiceitem", "amount": int64(0), "currency": "usd", "customer": customer, "customer_account": nil,
		"date": c.now(), "description": nil, "discountable": true, "discounts": []any{}, "frozen_fields": []any{}, "invoice": nil, "livemode": false,
		"metadata": map[string]any{}, "net_amount": int64(0), "parent": nil, "period": map[string]any{"end": c.now(), "start": c.now()}, "pricing": nil,
		"proration": false, "quantity": int64(1), "quantity_decimal": "1", "tax_rates": []any{}, "test_clock": clock,
	}
}

// describeItem lays over an item what it charges for: a price, or an amount, of
// which Stripe makes a price of its own.
func (c *call) describeItem(value, sent map[string]any) *refusal {
	assign(value, sent, "description", "discountable", "period")
	setLists(value, sent, "tax_rates")
	if quantity, ok := sent["quantity"].(int64); ok {
		value["quantity"], value["quantity_decimal"] = quantity, decimal(quantity)
	}
	quantity := whole(value["quantity"])
	named := map[string]any{"price": or(cast.Object(sent["pricing"])["price"], sent["price"]), "price_data": sent["price_data"]}
	_, flat := sent["amount"].(int64)
	_, single := sent["unit_amount"].(int64)
	exact := cast.Text(sent["unit_amount_decimal"])
	switch {
	case named["price"] != nil || named["price_data"] != nil:
		at := "pricing"
		if sent["price"] != nil || sent["price_data"] != nil {
			at = ""
		}
		price, refused := c.priceFor(named, at, false)
		if refused != nil {
			return barely(refused)
		}
		value["currency"], value["amount"] = price["currency"], amountOf(price, quantity)
		value["pricing"] = pricing(price)
		if value["description"] == nil {
			value["description"] = c.productName(cast.Text(price["product"]))
		}
	case flat, single, exact != "":
		if refused := c.amounts(value, sent); refused != nil {
			return refused
		}
	case value["pricing"] == nil && value["description"] == nil:
		return required("amount")
	case value["pricing"] != nil:
		value["amount"] = times(real(cast.Object(value["pricing"])["unit_amount_decimal"]), float64(quantity))
	}
	if sent["discounts"] != nil {
		ids, refused := c.discountsOf(sent["discounts"], "discounts", map[string]any{"invoice_item": value["id"], "customer": value["customer"]})
		if refused != nil {
			return refused
		}
		value["discounts"] = ids
	}
	value["net_amount"] = value["amount"]
	return nil
}

// amounts lays over an item an amount, of one or of all of it.
func (c *call) amounts(value, sent map[string]any) *refusal {
	amount, flat := sent["amount"].(int64)
	unitAmount, single := sent["unit_amount"].(int64)
	quantity := whole(value["quantity"])
	currency := "usd"
	if named := cast.Text(sent["currency"]); named != "" {
		var refused *refusal
		if currency, refused = currencyOf(named); refused != nil {
			return refused
		}
	} else if value["pricing"] != nil {
		currency = cast.Text(value["currency"])
	}
	each := real(sent["unit_amount_decimal"])
	switch {
	case single:
		each = float64(unitAmount)
	case flat:
		each = float64(amount)
	}
	if !flat {
		amount = times(each, float64(quantity))
	}
	value["currency"], value["amount"] = currency, amount
	value["pricing"] = c.ownPrice(each, currency, cast.Text(value["description"]))
	return nil
}

// barely takes the brackets off a parameter that stands for itself.
func barely(r *refusal) *refusal {
	if n := len(r.param); n > 2 && r.param[0] == '[' && r.param[n-1] == ']' {
		r.param = r.param[1 : n-1]
	}
	return r
}

func pricing(price map[string]any) map[string]any {
	return map[string]any{
		"price_details": map[string]any{"price": price["id"], "product": price["product"]}, "type": "price_details",
		"unit_amount_decimal": price["unit_amount_decimal"],
	}
}

// ownPrice is the price, of a product of its own, that an amount gets: neither
// is for anything else.
func (c *call) ownPrice(each float64, currency, about string) map[string]any {
	if about == "" {
		about = "Invoice item"
	}
	product := c.newProduct(c.NewID("prod_", 14), about)
	price := map[string]any{
		"id": c.NewID("price_1", 23), "object": "price", "active": false, "billing_scheme": "per_unit", "created": c.now(), "currency": currency,
		"custom_unit_amount": nil, "livemode": false, "lookup_key": nil, "metadata": map[string]any{}, "nickname": nil, "product": product["id"],
		"recurring": nil, "tax_behavior": "unspecified", "tiers_mode": nil, "transform_quantity": nil, "type": "one_time",
		"unit_amount": times(each, 1), "unit_amount_decimal": decimal(times(each, 1)),
	}
	product["active"] = false
	c.drafts = append(c.drafts, drafted{products, product}, drafted{prices, price})
	return pricing(price)
}

// editableItem finds the item that the path names, if it is not billed yet.
func (c *call) editableItem() (*world.Record, *refusal) {
	old, refused := theInvoiceItem.find(c)
	if refused != nil {
		return nil, refused
	}
	if invoice, ok := c.find(invoices, cast.Text(old.Value()["invoice"])); ok && invoice.Value()["status"] != "draft" {
		return nil, uneditable()
	}
	return old, nil
}

func updateInvoiceItem(c *call, old *world.Record) (answer, *refusal) {
	value := changed(old)
	if refused := c.describeItem(value, c.Input.Body); refused != nil {
		return answer{}, refused
	}
	if refused := c.setMetadata(value, old.Value()["metadata"]); refused != nil {
		return answer{}, refused
	}
	c.keepDrafts()
	record := c.update(invoiceItems, value)
	if id := cast.Text(value["invoice"]); id != "" {
		c.relined(id)
	}
	return answer{record: record, collection: invoiceItems}, nil
}

func deleteInvoiceItem(c *call, old *world.Record) (answer, *refusal) {
	c.remove(invoiceItems, old.ID)
	c.emit("invoiceitem.deleted", old.Value(), nil)
	if id := cast.Text(old.Value()["invoice"]); id != "" {
		c.relined(id)
	}
	return answer{value: tombstone(old)}, nil
}
