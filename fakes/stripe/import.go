package stripe

import (
	"maps"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
	"parity/specs"
)

// Import takes in the records that a real answer shows, at whatever depth, of
// whatever version: what the contract does not know of them is left out, and
// what it wants and they lack is filled in.
func (f *Fake) Import(fc *fakes.Call, status int, body []byte) {
	if status >= 500 {
		return
	}
	value, err := world.Decode([]byte(`{"all":` + string(body) + `}`))
	if err != nil {
		return
	}
	c := &call{Call: fc, fake: f, version: f.version}
	c.meet(status, value)
	if whole, err := world.Decode([]byte(`{"all":` + string(body) + `}`)); err == nil {
		c.learn(whole) // what is learned of it is kept, and the rest changed
	}
	c.importValue(value)
}

// kinds tells which collection an object belongs to.
func kinds() map[string]string {
	return map[string]string{
		"customer": customers, "payment_method": paymentMethods, "payment_intent": paymentIntents, "charge": charges, "refund": refunds, "event": events,
		"setup_intent": setupIntents, "product": products, "price": prices, "plan": prices, "coupon": coupons, "discount": discounts,
		"promotion_code": promotionCodes, "payment_link": paymentLinks, sessionName: checkoutSessions, "invoiceitem": invoiceItems, "invoice": invoices,
		"invoice_payment": invoicePayments, "subscription": subscriptions, "subscription_item": subscriptionItems, "credit_note": creditNotes,
		"balance_transaction": balanceTransactions, "payout": payouts, "transfer": transfers, "dispute": disputes, "webhook_endpoint": webhookEndpoints,
		"test_helpers.test_clock": testClocks,
	}
}

// importValue takes in what is inside first, and gives what stands for the value
// where it was.
func (c *call) importValue(v any) any {
	switch x := v.(type) {
	case []any:
		for i := len(x) - 1; i >= 0; i-- { // lists show the newest first, and of one second the one that came in last is the newest
			x[i] = c.importValue(x[i])
		}
	case map[string]any:
		if x["object"] == "event" && x["data"] != nil { // which keeps what it tells of as it was
			c.importValue(deep(x["data"]))
			c.takeIn(events, cast.Text(x["id"]), maps.Clone(x))
			return x["id"]
		}
		if price := cast.Object(x["price"]); cast.Text(price["object"]) == "price" {
			c.importValue(price) // it says more than the plan beside it
		}
		keeps := x["object"] == "subscription" || x["object"] == "subscription_item" || x["object"] == "invoice"
		for _, field := range sorted(x) {
			fresh := c.importValue(x[field])
			if keeps && (field == "items" || field == "price" || field == "plan" || field == "lines") {
				continue // these stand in the record itself
			}
			x[field] = fresh
		}
		if collection, id := kinds()[cast.Text(x["object"])], cast.Text(x["id"]); collection != "" && id != "" {
			c.takeIn(collection, id, maps.Clone(x))
			if x["object"] == "price" || x["object"] == "plan" || x["object"] == "subscription_item" || x["object"] == "dispute" {
				return x
			}
			return id
		}
	}
	return v
}

// deep copies a value with all that is in it.
func deep(v any) any {
	switch x := v.(type) {
	case map[string]any:
		all := make(map[string]any, len(x))
		for name, inner := range x {
			all[name] = deep(inner)
		}
		return all
	case []any:
		all := make([]any, len(x))
		for i, inner := range x {
			all[i] = deep(inner)
		}
		return all
	}
	return v
}

// takeIn puts one record into the world, unless it is there or cannot be made
// to fit.
func (c *call) takeIn(collection, id string, value map[string]any) {
	if value["object"] == "plan" {
		value = priceOfPlan(value)
	}
	old, there := c.find(collection, id)
	if there && (collection != prices || old.Value()["tax_behavior"] != nil) {
		return // a price that was known as a plan only is known better now
	}
	for field, otherwise := range wanted(collection) {
		if value[field] == nil {
			value[field] = otherwise
		}
	}
	for range 60 { // each round mends one thing
		wrong := c.fake.store.Contract.CheckRecord(collection, value)
		if len(wrong) == 0 {
			if there {
				c.update(collection, value)
				return
			}
			c.create(collection, value)
			c.follow(collection, value)
			return
		}
		if !mend(value, wrong[0]) {
			return
		}
	}
}

// mend takes out what the contract does not know; false when that is no help.
func mend(value map[string]any, wrong specs.Violation) bool {
	names := specs.PointerNames(wrong.Pointer)
	if len(names) == 0 || wrong.Rule == specs.RuleRequired {
		return false
	}
	at := value
	for _, name := range names[:len(names)-1] {
		inner := cast.Object(at[name])
		if inner == nil {
			delete(at, name) // a list, or nothing
			return true
		}
		inner = maps.Clone(inner)
		at[name] = inner
		at = inner
	}
	last := names[len(names)-1]
	if _, there := at[last]; !there {
		return false
	}
	if id := cast.Text(cast.Object(at[last])["id"]); id != "" {
		at[last] = id
	} else {
		delete(at, last)
	}
	return true
}

// wanted is what records of newer versions always have.
func wanted(collection string) map[string]any {
	none, nothing := []any{}, map[string]any{}
	switch collection {
	case products:
		return map[string]any{"images": none, "marketing_features": none, "updated": int64(0), "metadata": nothing}
	case charges:
		return map[string]any{"amount_captured": int64(0), "billing_details": nothing}
	case discounts:
		return map[string]any{"source": map[string]any{"coupon": nil, "type": "coupon"}}
	case subscriptionItems:
		return map[string]any{"discounts": none, "metadata": nothing, "current_period_start": int64(0), "current_period_end": int64(0)}
	case subscriptions:
		return map[string]any{
			"billing_mode": map[string]any{"flexible": nil, "type": "classic"}, "billing_schedules": none, "discounts": none,
			"invoice_settings": map[string]any{"account_tax_ids": nil, "issuer": map[string]any{"type": "self"}}, "metadata": nothing,
		}
	case invoices:
		return map[string]any{
			"amount_overpaid": int64(0), "amount_paid_off_stripe": int64(0), "amount_shipping": int64(0), "discounts": none, "issuer": map[string]any{"type": "self"},
			"default_tax_rates": none, "pre_payment_credit_notes_amount": int64(0), "post_payment_credit_notes_amount": int64(0),
			"payment_settings": map[string]any{"default_mandate": nil, "payment_method_options": nil, "payment_method_types": nil}, "attempted": false,
		}
	case invoiceItems:
		return map[string]any{"quantity_decimal": "1"}
	case disputes:
		return map[string]any{"enhanced_eligibility_types": none}
	case balanceTransactions:
		return map[string]any{"balance_type": "payments"}
	case payouts:
		return map[string]any{"reconciliation_status": "not_applicable"}
	case customers:
		return map[string]any{"livemode": false}
	}
	return nil
}

// priceOfPlan is the price that a plan is.
func priceOfPlan(plan map[string]any) map[string]any {
	return map[string]any{
		"id": plan["id"], "object": "price", "active": or(plan["active"], true), "billing_scheme": or(plan["billing_scheme"], "per_unit"), "created": or(plan["created"], int64(0)),
		"currency": or(plan["currency"], "usd"), "custom_unit_amount": nil, "livemode": false, "lookup_key": nil, "metadata": or(plan["metadata"], map[string]any{}), "nickname": plan["nickname"],
		"product": or(plan["product"], "prod_unknown"), "tax_behavior": nil, "tiers_mode": plan["tiers_mode"], "transform_quantity": plan["transform_usage"], "type": "recurring",
		"recurring": map[string]any{
			"interval": plan["interval"], "interval_count": plan["interval_count"], "meter": plan["meter"], "trial_period_days": plan["trial_period_days"], "usage_type": or(plan["usage_type"], "licensed"),
		},
		"unit_amount": plan["amount"], "unit_amount_decimal": or(plan["amount_decimal"], decimal(plan["amount"])),
	}
}

// follow makes what a record takes for granted: a payment method that only its
// id is known of, and the timers of what goes on.
func (c *call) follow(collection string, value map[string]any) {
	id, owner := "", value["customer"]
	switch collection {
	case customers:
		id, owner = cast.Text(cast.Object(value["invoice_settings"])["default_payment_method"]), value["id"]
	case paymentIntents, charges, setupIntents:
		id = cast.Text(value["payment_method"])
	case subscriptions:
		id = cast.Text(value["default_payment_method"])
		if record, ok := c.find(subscriptions, cast.Text(value["id"])); ok && len(itemsOf(value)) > 0 && value["status"] != canceled {
			if _, end := periodOf(value); end > 0 {
				c.awaitNext(record)
			}
		}
	}
	if !strings.HasPrefix(id, "pm_") {
		return
	}
	if _, there := c.find(paymentMethods, id); there {
		return
	}
	token := "visa"
	if value["status"] == requiresAction {
		token = "authenticationRequired"
	}
	known, _ := c.fake.cards.token("pm_card_" + token)
	method := c.cardMethod(known)
	method["id"] = id
	c.bestow(method, owner)
	c.create(paymentMethods, method)
}
