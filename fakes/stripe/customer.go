package stripe

import (
	"maps"
	"net/http"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
)

func listCustomers(c *call) (answer, *refusal) {
	alive := func(r *world.Record) bool {
		return !deleted(r) && (r.Value()["test_clock"] == nil || c.query("test_clock") != "")
	}
	return c.list(customers, "customer", alive, "email", "test_clock")
}

// blankCustomer is a customer of whom nothing is said. What differs is nil.
func blankCustomer() map[string]any {
	return map[string]any{
		"id": nil, "object": "customer", "address": nil, "balance": int64(0),
		"created": nil, "currency": nil, "customer_account": nil, "default_source": nil,
		"delinquent": false, "description": nil, "discount": nil, "email": nil, "invoice_prefix": nil,
		"invoice_settings": map[string]any{
			"custom_fields": nil, "default_payment_method": nil, "footer": nil, "rendering_options": nil,
		},
		"livemode": false, "metadata": map[string]any{}, "name": nil, "next_invoice_sequence": int64(1),
		"phone": nil, "preferred_locales": []any{}, "shipping": nil, "tax_exempt": "none", "test_clock": nil,
	}
}

func createCustomer(c *call) (answer, *refusal) {
	if refused := c.onClock(); refused != nil {
		return answer{}, refused
	}
	id := c.NewID("cus_", 14)
	value := maps.Clone(c.fake.blank.customer)
	value["id"], value["created"], value["invoice_prefix"] = id, c.now(), strings.ToUpper(c.NewID("", 8))
	if refused := c.describe(value); refused != nil {
		return answer{}, refused
	}
	token := c.text("payment_method")
	if token == "" {
		token = c.text("source")
	}
	var method draft
	if token != "" {
		var refused *refusal
		if method, refused = c.methodFor(token, "payment_method"); refused == nil {
			refused = c.attachable(method, id)
		}
		if refused != nil {
			return answer{}, refused
		}
	}
	if refused := c.defaultMethod(value, method.id()); refused != nil {
		return answer{}, refused
	}
	record := c.create(customers, value)
	c.emit("customer.created", record.Value(), nil)
	if token != "" {
		c.emit("payment_method.attached", method.keep(c, id).Value(), nil)
	}
	return answer{record: record, collection: customers}, nil
}

func updateCustomer(c *call, old *world.Record) (answer, *refusal) {
	value := changed(old)
	if refused := c.describe(value); refused != nil {
		return answer{}, refused
	}
	if refused := c.defaultMethod(value, ""); refused != nil {
		return answer{}, refused
	}
	record := c.update(customers, value)
	if before := kit.Before(old.Value(), record.Value()); len(before) > 0 {
		c.emit("customer.updated", record.Value(), before)
	}
	return answer{record: record, collection: customers}, nil
}

// describe lays the parameters that customers are made of over a record.
func (c *call) describe(value map[string]any) *refusal {
	body := c.Input.Body
	if email := c.text("email"); email != "" && !isEmail(email) {
		return unsaved(invalid("email", "email_invalid", "Invalid email address: %s", email))
	}
	assign(value, body, "balance", "business_name", "default_source", "description", "email", "individual_name",
		"invoice_prefix", "name", "next_invoice_sequence", "phone", "preferred_locales", "test_clock")
	for _, field := range []string{"business_name", "individual_name"} {
		if value[field] == nil { // these two are absent when unset, where others are null
			delete(value, field)
		}
	}
	if exempt, sent := body["tax_exempt"]; sent {
		if value["tax_exempt"] = exempt; exempt == "" {
			value["tax_exempt"] = "none"
		}
	}
	if sent, ok := body["address"]; ok {
		value["address"] = address(sent)
	}
	if sent, ok := body["shipping"]; ok {
		value["shipping"] = shipping(sent)
	}
	merged, refused := c.metadata(value["metadata"])
	value["metadata"] = merged
	return refused
}

// defaultMethod sets what invoices are to be paid with. The method must be the
// customer's own; attached is the id of one that this very call gives it.
func (c *call) defaultMethod(value map[string]any, attached string) *refusal {
	sent, ok := c.Input.Body["invoice_settings"].(map[string]any)
	if !ok {
		return nil
	}
	settings := map[string]any{}
	if old, ok := value["invoice_settings"].(map[string]any); ok {
		settings = maps.Clone(old)
	}
	assign(settings, sent, "custom_fields", "default_payment_method", "footer")
	if rendering, ok := sent["rendering_options"]; ok {
		settings["rendering_options"] = filled(rendering, "amount_tax_display", "template")
	}
	if id := kit.Text(settings, "default_payment_method"); attached != "" && id == c.text("payment_method") {
		settings["default_payment_method"] = attached // pm_card_visa becomes a method of its own
	} else if id != "" {
		method, ok := c.find(paymentMethods, id)
		if !ok {
			return missing(http.StatusBadRequest, methodName, id, "invoice_settings[default_payment_method]")
		}
		if method.Value()["customer"] != value["id"] {
			return invalid("invoice_settings[default_payment_method]", resourceMissing, "The customer does not have a payment method with the ID %s. The payment method must be attached to the customer.", id)
		}
	}
	value["invoice_settings"] = settings
	return nil
}

// deleteCustomer leaves a tombstone that can still be read.
func deleteCustomer(c *call, old *world.Record) (answer, *refusal) {
	return answer{record: c.dropCustomer(old), collection: customers}, nil
}

// dropCustomer takes a customer's payment methods away for good, and ends its
// subscriptions at once.
// Source: docs.stripe.com/api/customers/delete.
func (c *call) dropCustomer(old *world.Record) *world.Record {
	for subscription := range c.Tx.Find(full(subscriptions), "customer", old.ID, 0) {
		if status := subscription.Value()["status"]; status != canceled && status != incompleteExpired {
			c.end(subscription, "cancellation_requested")
		}
	}
	for method := range c.Tx.Find(full(paymentMethods), "customer", old.ID, 0) {
		value := changed(method)
		value["customer"] = nil
		c.spend(c.update(paymentMethods, value).ID)
	}
	tombstone := c.update(customers, map[string]any{"id": old.ID, "object": "customer", "deleted": true})
	c.emit("customer.deleted", old.Value(), nil)
	return tombstone
}

func isEmail(text string) bool {
	local, domain, found := strings.Cut(text, "@")
	return found && local != "" && domain != "" && !strings.ContainsAny(text, " \t\r\n") && !strings.Contains(domain, "@")
}
