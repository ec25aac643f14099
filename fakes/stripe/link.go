package stripe

import (
	"fmt"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func listLinks(c *call) (answer, *refusal) {
	return c.list(paymentLinks, "payment link", c.flags(nil, "active"))
}

// soldItems are the line items that a page sells, and what they come to. A page
// may mix prices of both kinds only where it begins a subscription.
func (c *call) soldItems(sent []any) (items []any, sum int64, currency string, repeats bool, refused *refusal) {
	items = []any{}
	for i, one := range sent {
		given, at := cast.Object(one), fmt.Sprintf("line_items[%d]", i)
		price, refused := c.priceFor(given, at, nil)
		if refused != nil {
			return nil, 0, "", false, refused
		}
		quantity, sent := given["quantity"].(int64)
		if !sent {
			if c.Operation.ID == "PostPaymentLinks" || c.Operation.ID == "PostCheckoutSessions" {
				quantity = 1
			}
		}
		if currency != "" && currency != price["currency"] {
			return nil, 0, "", false, invalid(at+"[price]", "", "All prices on a Checkout Session must be of one currency; %v is not %s.", price["currency"], currency)
		}
		currency, repeats = cast.Text(price["currency"]), repeats || price["type"] == "recurring"
		amount := amountOf(price, quantity)
		sum += amount
		items = append(items, map[string]any{
			"id": c.NewID("li_1", 23), "object": "item", "adjustable_quantity": nil, "amount_discount": int64(0), "amount_subtotal": amount,
			"amount_tax": int64(0), "amount_total": amount, "currency": price["currency"], "description": c.productName(cast.Text(price["product"])),
			"metadata": or(given["metadata"], map[string]any{}), "price": price, "quantity": quantity,
		})
	}
	return items, sum, currency, repeats, nil
}

// productName is what a line says of a product, drafted or there.
func (c *call) productName(id string) any {
	for _, one := range c.drafts {
		if one.collection == products && one.value != nil && one.value["id"] == id {
			return one.value["name"]
		}
	}
	if product, ok := c.find(products, id); ok {
		return product.Value()["name"]
	}
	return nil
}

func createLink(c *call) (answer, *refusal) {
	items, _, currency, _, refused := c.soldItems(cast.List(c.Input.Body["line_items"]))
	if refused != nil {
		return answer{}, refused
	}
	if len(items) == 0 {
		return answer{}, required("line_items")
	}
	id := c.NewID("plink_1", 23)
	value := map[string]any{
		"id": id, "object": "payment_link", "active": true,
		"after_completion":      map[string]any{"hosted_confirmation": map[string]any{"custom_message": nil}, "type": "hosted_confirmation"},
		"allow_promotion_codes": false, "application": nil, "application_fee_amount": nil, "application_fee_percent": nil,
		"automatic_tax":              map[string]any{"enabled": pick(cast.Object(c.Input.Body["automatic_tax"]), "enabled", false), "liability": nil},
		"billing_address_collection": "auto", "consent_collection": nil, "currency": currency, "custom_fields": []any{},
		"custom_text":       map[string]any{"after_submit": nil, "shipping_address": nil, "submit": nil, "terms_of_service_acceptance": nil},
		"customer_creation": "if_required", "inactive_message": nil,
		"invoice_creation": map[string]any{"enabled": false, "invoice_data": invoiceData()},
		"livemode":         false, "metadata": map[string]any{}, "on_behalf_of": nil, "payment_intent_data": nil, "payment_method_collection": "always",
		"payment_method_types": nil, "phone_number_collection": enabled(c.Input.Body["phone_number_collection"]), "restrictions": nil,
		"shipping_address_collection": nil, "shipping_options": []any{}, "submit_type": "auto", "subscription_data": nil,
		"tax_id_collection": map[string]any{"enabled": pick(cast.Object(c.Input.Body["tax_id_collection"]), "enabled", false), "required": "never"}, "transfer_data": nil,
		"url": "https://buy.stripe.com/test_" + c.NewID("", 18), "line_items": listing(items, "/v1/payment_links/"+id+"/line_items"),
	}
	if refused := c.describeLink(value); refused != nil {
		return answer{}, refused
	}
	c.keepDrafts()
	record := c.create(paymentLinks, value)
	c.emit("payment_link.created", c.unlisted(record.Value()), nil)
	return answer{record: record, collection: paymentLinks}, nil
}

func invoiceData() map[string]any {
	return map[string]any{
		"account_tax_ids": nil, "custom_fields": nil, "description": nil, "footer": nil, "issuer": nil, "metadata": map[string]any{}, "rendering_options": nil,
	}
}

func (c *call) describeLink(value map[string]any) *refusal {
	assign(value, c.Input.Body, "active", "after_completion", "allow_promotion_codes", "application_fee_amount", "application_fee_percent", "billing_address_collection",
		"consent_collection", "custom_text", "customer_creation", "inactive_message", "on_behalf_of", "payment_intent_data",
		"payment_method_collection", "payment_method_types", "restrictions", "shipping_address_collection", "submit_type", "subscription_data", "transfer_data")
	setLists(value, c.Input.Body, "custom_fields", "shipping_options")
	merged, refused := c.metadata(value["metadata"])
	value["metadata"] = merged
	return refused
}

// unlisted is a page without its line items, which are shown when asked for.
func (c *call) unlisted(value map[string]any) map[string]any {
	plain := kit.Merge(nil, value)
	delete(plain, "line_items")
	return plain
}

func updateLink(c *call, old *world.Record) (answer, *refusal) {
	value := changed(old)
	if refused := c.describeLink(value); refused != nil {
		return answer{}, refused
	}
	record := c.update(paymentLinks, value)
	if before := kit.Before(old.Value(), record.Value()); len(before) > 0 {
		c.emit("payment_link.updated", c.unlisted(record.Value()), before)
	}
	return answer{record: record, collection: paymentLinks}, nil
}
