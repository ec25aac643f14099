package stripe

import (
	"maps"
	"time"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// How long a session can be paid, and the bounds of what may be asked for.
// Source: docs.stripe.com/api/checkout/sessions/create#create_checkout_session-expires_at.
const (
	sessionLife  = 24 * time.Hour
	sessionLeast = 30 * time.Minute
)

const sessionName = "checkout.session"

func createSession(c *call) (answer, *refusal) {
	items, sum, currency, repeats, refused := c.soldItems(cast.List(c.Input.Body["line_items"]))
	if refused != nil {
		return answer{}, refused
	}
	mode := c.text("mode")
	if refused := c.sessionFits(mode, len(items), repeats); refused != nil {
		return answer{}, refused
	}
	id := "cs_test_a1" + c.NewID("", 58)
	value := c.newSession(id, mode, items, sum, currency)
	if refused := c.sessionCustomer(value, mode); refused != nil {
		return answer{}, refused
	}
	if refused := c.sessionDiscounts(value, sum); refused != nil {
		return answer{}, refused
	}
	if at, ok := c.integer("expires_at"); ok {
		if at < c.after(sessionLeast).Unix() || at > c.after(sessionLife).Unix() {
			return answer{}, unsaved(invalid("expires_at", "", "The `expires_at` timestamp must be less than 24 hours and at least 30 minutes from Checkout Session creation."))
		}
		value["expires_at"] = at
	}
	merged, refused := c.metadata(nil)
	if refused != nil {
		return answer{}, refused
	}
	value["metadata"] = merged
	if data := cast.Object(c.Input.Body["payment_intent_data"]); data != nil {
		shared := maps.Clone(data)
		shared["amount"] = value["amount_total"]
		if refused := c.shares(shared); refused != nil {
			return answer{}, refused
		}
	}
	c.keepDrafts()
	if mode == "setup" {
		value["setup_intent"] = c.sessionSetup(value)
	}
	record := c.create(checkoutSessions, value)
	c.keepPage(id, c.Input.Body)
	c.later(sessionExpires, id, time.Unix(whole(value["expires_at"]), 0))
	return answer{record: record, collection: checkoutSessions}, nil
}

// sessionFits refuses what a mode does not go with.
func (c *call) sessionFits(mode string, items int, repeats bool) *refusal {
	hosted := c.text("ui_mode") == "" || c.text("ui_mode") == "hosted" || c.text("ui_mode") == "hosted_page"
	switch {
	case mode == "":
		return required("mode")
	case mode != "setup" && items == 0:
		return required("line_items")
	case mode == "payment" && repeats:
		return invalid("line_items", "", "You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.")
	case mode == "subscription" && !repeats:
		return invalid("line_items", "", "You must provide at least one recurring price in `subscription` mode when using prices.")
	case hosted && c.text("success_url") == "":
		return required("success_url")
	case c.text("customer") != "" && c.text("customer_email") != "":
		return unsaved(invalid("", "", "You may only specify one of these parameters: customer, customer_email."))
	}
	return nil
}

func (c *call) newSession(id, mode string, items []any, sum int64, currency string) map[string]any {
	body := c.Input.Body
	value := map[string]any{
		"id": id, "object": sessionName, "adaptive_pricing": map[string]any{"enabled": true}, "after_expiration": nil, "allow_promotion_codes": nil,
		"amount_subtotal": sum, "amount_total": sum, "automatic_tax": map[string]any{"enabled": pick(cast.Object(body["automatic_tax"]), "enabled", false), "liability": nil, "provider": nil, "status": nil},
		"billing_address_collection": nil, "branding_settings": branding(), "cancel_url": nil, "client_reference_id": nil, "client_secret": nil,
		"collected_information": map[string]any{"business_name": nil, "individual_name": nil, "shipping_details": nil}, "consent": nil, "consent_collection": nil,
		"created": c.now(), "currency": orNil(currency), "currency_conversion": nil, "custom_fields": []any{},
		"custom_text": map[string]any{"after_submit": nil, "shipping_address": nil, "submit": nil, "terms_of_service_acceptance": nil},
		"customer":    nil, "customer_account": nil, "customer_creation": nil, "customer_details": nil, "customer_email": nil, "discounts": []any{},
		"expires_at": c.after(sessionLife).Unix(), "integration_identifier": nil, "invoice": nil, "invoice_creation": nil, "livemode": false, "locale": nil,
		"metadata": map[string]any{}, "mode": mode, "origin_context": nil, "payment_intent": nil, "payment_link": nil, "payment_method_collection": "if_required",
		"payment_method_configuration_details": map[string]any{"id": configuration, "parent": nil},
		"payment_method_options":               map[string]any{"card": map[string]any{"request_three_d_secure": "automatic"}}, "payment_method_types": []any{"card", "link"},
		"payment_status": "unpaid", "permissions": nil, "phone_number_collection": enabled(body["phone_number_collection"]), "recovered_from": nil,
		"saved_payment_method_options": nil, "setup_intent": nil, "shipping_address_collection": nil, "shipping_cost": nil, "shipping_options": []any{},
		"status": "open", "submit_type": nil, "subscription": nil, "success_url": nil,
		"total_details": map[string]any{"amount_discount": int64(0), "amount_shipping": int64(0), "amount_tax": int64(0)}, "ui_mode": "hosted_page",
		"url": nil, "wallet_options": nil, "line_items": listing(items, "/v1/checkout/sessions/"+id+"/line_items"),
	}
	c.kindsFor("checkout", value)
	value["branding_settings"] = c.setting("branding", value["branding_settings"])
	assign(value, body, "after_expiration", "allow_promotion_codes", "billing_address_collection", "cancel_url", "client_reference_id", "consent_collection",
		"custom_text", "customer_email", "integration_identifier", "locale", "origin_context", "payment_method_collection", "payment_method_types",
		"redirect_on_completion", "return_url", "shipping_address_collection", "submit_type", "success_url", "ui_mode")
	setLists(value, body, "custom_fields", "shipping_options")
	switch mode {
	case "payment":
		value["invoice_creation"] = map[string]any{"enabled": pick(cast.Object(body["invoice_creation"]), "enabled", false), "invoice_data": invoiceData()}
	case "subscription":
		value["payment_method_collection"] = or(body["payment_method_collection"], "always")
	case "setup":
		value["payment_status"], value["amount_subtotal"], value["amount_total"] = "no_payment_required", nil, nil
		value["payment_method_collection"], value["total_details"] = "always", nil
	}
	switch cast.Text(value["ui_mode"]) {
	case "hosted_page", "hosted":
		value["url"] = "https://checkout.stripe.com/c/pay/" + id + "#" + c.NewID("", 40)
	default:
		value["client_secret"] = id + "_secret_" + c.NewID("", 40)
	}
	return value
}

func branding() map[string]any {
	return map[string]any{
		"background_color": "#ffffff", "border_style": "rounded", "button_color": "#0074d4", "display_name": "Parity rehearsal", "font_family": "default", "icon": nil, "logo": nil,
	}
}

// sessionCustomer notes who is to pay, as far as that is known.
func (c *call) sessionCustomer(value map[string]any, mode string) *refusal {
	details := map[string]any{"address": nil, "business_name": nil, "email": nil, "individual_name": nil, "name": nil, "phone": nil, "tax_exempt": "none", "tax_ids": nil}
	switch id, email := c.text("customer"), c.text("customer_email"); {
	case id != "":
		customer, refused := c.live(theCustomer, id, 400, "customer")
		if refused != nil {
			return refused
		}
		value["customer"] = customer.ID
		details["email"], details["tax_exempt"] = customer.Value()["email"], or(customer.Value()["tax_exempt"], "none")
		value["customer_details"] = details
		value["saved_payment_method_options"] = map[string]any{"allow_redisplay_filters": []any{"always"}, "payment_method_remove": "disabled", "payment_method_save": nil}
	case email != "":
		if !isEmail(email) {
			return unsaved(invalid("customer_email", "email_invalid", "Invalid email address: %s", email))
		}
		details["email"] = email
		value["customer_details"] = details
	}
	if value["customer"] == nil && mode != "setup" {
		value["customer_creation"] = or(c.Input.Body["customer_creation"], map[string]string{"payment": "if_required", "subscription": "always"}[mode])
	}
	return nil
}

// sessionDiscounts takes off what a coupon or a code does.
func (c *call) sessionDiscounts(value map[string]any, sum int64) *refusal {
	sent := cast.List(c.Input.Body["discounts"])
	if len(sent) == 0 {
		return nil
	}
	if c.flag("allow_promotion_codes") {
		return unsaved(invalid("", "", "You may only specify one of these parameters: allow_promotion_codes, discounts."))
	}
	ids, refused := c.discountsOf(sent, "discounts", map[string]any{"checkout_session": value["id"]})
	if refused != nil {
		return refused
	}
	off := int64(0)
	var shown []any
	for i, id := range ids {
		off += c.takenOff(cast.Text(id), sum-off)
		wish := cast.Object(sent[i])
		shown = append(shown, map[string]any{"coupon": wish["coupon"], "promotion_code": wish["promotion_code"]})
	}
	value["discounts"], value["amount_total"] = shown, sum-off
	value["total_details"] = map[string]any{"amount_discount": off, "amount_shipping": int64(0), "amount_tax": int64(0)}
	return nil
}

// sessionSetup makes the setup intent of a session that takes no money.
func (c *call) sessionSetup(session map[string]any) string {
	id := c.NewID("seti_1", 23)
	record := c.create(setupIntents, map[string]any{
		"id": id, "object": "setup_intent", "application": nil, "automatic_payment_methods": nil, "cancellation_reason": nil,
		"client_secret": id + "_secret_" + c.NewID("", 31), "created": c.now(), "customer": session["customer"], "customer_account": nil, "description": nil,
		"excluded_payment_method_types": nil, "flow_directions": nil, "last_setup_error": nil, "latest_attempt": nil, "livemode": false,
		"mandate": nil, "metadata": map[string]any{}, "next_action": nil, "on_behalf_of": nil, "payment_method": nil,
		"payment_method_configuration_details": nil, "payment_method_options": map[string]any{}, "payment_method_types": session["payment_method_types"],
		"single_use_mandate": nil, "status": requiresMethod, "usage": "off_session",
	})
	c.emit("setup_intent.created", record.Value(), nil)
	return id
}

func expireSession(c *call, old *world.Record) (answer, *refusal) {
	if status := old.Value()["status"]; status != "open" {
		return answer{}, invalid("", "", "Only Checkout Sessions with a status in [\"open\"] can be expired. This Checkout Session has a status of %v.", status)
	}
	c.never(sessionExpires, old.ID)
	c.closeSession(old.ID)
	record, _ := c.find(checkoutSessions, old.ID)
	return answer{record: record, collection: checkoutSessions}, nil
}

// closeSession ends a session that nobody paid.
func (c *call) closeSession(id string) {
	old, ok := c.find(checkoutSessions, id)
	if !ok || old.Value()["status"] != "open" {
		return
	}
	value := changed(old)
	value["status"], value["url"] = "expired", nil
	record := c.update(checkoutSessions, value)
	c.emit("checkout.session.expired", c.unlisted(record.Value()), nil)
}
