package stripe

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// The states of a subscription, besides canceled.
const (
	active            = "active"
	trialing          = "trialing"
	pastDue           = "past_due"
	incomplete        = "incomplete"
	incompleteExpired = "incomplete_expired"
	paused            = "paused"
)

// incompleteLife is how long the first payment is waited for.
// Source: docs.stripe.com/billing/subscriptions/overview#subscription-statuses.
const incompleteLife = 23 * time.Hour

const subscriptionPath = "subscription_exposed_id"

// listSubscriptions leaves out those that are canceled unless asked for them.
func listSubscriptions(c *call) (answer, *refusal) {
	status := c.query("status")
	keep := func(r *world.Record) bool {
		has := cast.Text(r.Value()["status"])
		switch status {
		case "all":
			return true
		case "":
			return has != canceled
		case "ended":
			return has == canceled || has == incompleteExpired
		}
		return has == status
	}
	for _, field := range []string{"price", "plan"} {
		if id := c.query(field); id != "" {
			keep = also(keep, func(r *world.Record) bool {
				return slices.ContainsFunc(itemsOf(r.Value()), func(item any) bool { return kit.Text(cast.Object(item), "price.id") == id })
			})
		}
	}
	for _, field := range []string{"current_period_start", "current_period_end"} {
		if asked := c.Input.Query[field]; asked != nil {
			bounds := kit.BoundsOf(asked)
			keep = also(keep, func(r *world.Record) bool {
				return slices.ContainsFunc(itemsOf(r.Value()), func(item any) bool { return bounds.Holds(world.Loose("", cast.Object(item)), field) })
			})
		}
	}
	if clock := c.query("test_clock"); clock != "" || c.query("customer") == "" {
		keep = also(keep, func(r *world.Record) bool { return cast.Text(r.Value()["test_clock"]) == clock })
	}
	return c.list(subscriptions, "subscription", keep, "customer", "collection_method")
}

func itemsOf(subscription map[string]any) []any {
	return cast.List(cast.Object(subscription["items"])[kit.ItemsKey])
}

// A wish is an item that a subscription is to have.
type wish struct {
	price    map[string]any
	quantity int64
	metered  bool
	given    map[string]any
}

// wishes reads the items of the body, or the one plan of older versions.
func (c *call) wishes() ([]wish, *refusal) {
	sent := cast.List(c.Input.Body["items"])
	if len(sent) == 0 && c.text("plan") != "" {
		sent = []any{map[string]any{"plan": c.text("plan"), "quantity": c.Input.Body["quantity"]}}
	}
	var all []wish
	for i, one := range sent {
		made, refused := c.wishFor(cast.Object(one), fmt.Sprintf("items[%d]", i))
		if refused != nil {
			return nil, refused
		}
		all = append(all, made)
	}
	return all, nil
}

func (c *call) wishFor(given map[string]any, at string) (wish, *refusal) {
	price, refused := c.priceFor(given, at, true)
	if refused != nil {
		return wish{}, barely(refused)
	}
	w := wish{price: price, quantity: 1, given: given, metered: cast.Object(price["recurring"])["usage_type"] == "metered"}
	if n, ok := given["quantity"].(int64); ok {
		w.quantity = n
	}
	return w, nil
}

func createSubscription(c *call) (answer, *refusal) {
	id := c.text("customer")
	if id == "" {
		return answer{}, required("customer")
	}
	customer, refused := c.live(theCustomer, id, http.StatusBadRequest, "customer")
	if refused != nil {
		return answer{}, refused
	}
	if refused := c.fewEnough(customer.Value()); refused != nil {
		return answer{}, refused
	}
	wanted, refused := c.wishes()
	if refused != nil {
		return answer{}, refused
	}
	if len(wanted) == 0 {
		return answer{}, required("items")
	}
	for _, one := range wanted[1:] {
		if first, other := wanted[0].price, one.price; first["currency"] != other["currency"] {
			return answer{}, invalid("items", "", "The price specified only supports `%v`. This doesn't match the expected currency: `%v`.", other["currency"], first["currency"])
		}
	}
	value := c.newSubscription(customer.Value(), wanted)
	extras, refused := c.extraItems(value)
	if refused != nil {
		return answer{}, refused
	}
	if refused := c.describeSubscription(value); refused != nil {
		return answer{}, refused
	}
	if refused := c.trial(value, wanted[0].price); refused != nil {
		return answer{}, refused
	}
	method, refused := c.mayBegin(value, wanted, extras)
	if refused != nil {
		return answer{}, refused
	}
	c.keepDrafts()
	c.redeem(cast.List(value["discounts"]))
	record := c.begin(value, wanted, extras, method)
	return answer{record: record, collection: subscriptions}, nil
}

func (c *call) newSubscription(customer map[string]any, wanted []wish) map[string]any {
	return map[string]any{
		"id": c.NewID("sub_1", 23), "object": "subscription", "application": nil, "application_fee_percent": nil,
		"automatic_tax":        map[string]any{"disabled_reason": nil, "enabled": pick(cast.Object(c.Input.Body["automatic_tax"]), "enabled", false), "liability": nil},
		"billing_cycle_anchor": c.now(), "billing_cycle_anchor_config": nil,
		"billing_mode":      c.billingMode(),
		"billing_schedules": []any{}, "billing_thresholds": nil, "cancel_at": nil, "cancel_at_period_end": false, "canceled_at": nil,
		"cancellation_details": map[string]any{"comment": nil, "feedback": nil, "feedback_option": nil, "reason": nil}, "collection_method": "charge_automatically", "created": c.now(),
		"currency": wanted[0].price["currency"], "customer": customer["id"], "customer_account": nil, "days_until_due": nil, "default_payment_method": nil,
		"default_source": nil, "default_tax_rates": []any{}, "description": nil, "discounts": []any{}, "ended_at": nil,
		"invoice_settings": map[string]any{"account_tax_ids": nil, "custom_fields": nil, "description": nil, "footer": nil, "issuer": map[string]any{"type": "self"}}, "items": listing([]any{}, ""), "latest_invoice": nil,
		"livemode": false, "managed_payments": nil, "metadata": map[string]any{}, "next_pending_invoice_item_invoice": nil, "on_behalf_of": nil, "pause_collection": nil,
		"payment_settings":              map[string]any{"payment_method_options": nil, "payment_method_types": nil, "save_default_payment_method": "off"},
		"pending_invoice_item_interval": nil, "pending_setup_intent": nil, "pending_update": nil, "plan": nil, "quantity": nil, "schedule": nil, "start_date": c.now(),
		"status": incomplete, "test_clock": customer["test_clock"], "transfer_data": nil, "trial_end": nil,
		"trial_settings": map[string]any{"end_behavior": map[string]any{"missing_payment_method": "create_invoice"}}, "trial_start": nil,
	}
}

// billingMode is flexible unless the call says otherwise, or its version is older
// than that. Source: docs.stripe.com/billing/subscriptions/billing-mode.
func (c *call) billingMode() map[string]any {
	sent := cast.Object(c.Input.Body["billing_mode"])
	kind := cast.Text(sent["type"])
	if kind == "classic" || kind == "" && c.version < clover {
		return map[string]any{"flexible": nil, "type": "classic"}
	}
	shows := or(cast.Object(sent["flexible"])["proration_discounts"], "included")
	return map[string]any{"flexible": map[string]any{"proration_discounts": shows}, "type": "flexible", "updated_at": c.now()}
}

// describeSubscription lays over a subscription what does not change what it
// bills.
func (c *call) describeSubscription(value map[string]any) *refusal {
	body := c.Input.Body
	assign(value, body, "application_fee_percent", "billing_thresholds", "collection_method", "days_until_due", "default_source", "description", "on_behalf_of", "pause_collection", "pending_invoice_item_interval")
	setLists(value, body, "default_tax_rates")
	for _, part := range []string{"payment_settings", "trial_settings", "invoice_settings"} {
		if sent := cast.Object(body[part]); sent != nil {
			value[part] = kit.Merge(cast.Object(value[part]), sent)
		}
	}
	if pause := cast.Object(value["pause_collection"]); pause != nil {
		value["pause_collection"] = map[string]any{"behavior": pause["behavior"], "resumes_at": pause["resumes_at"]}
	}
	if value["collection_method"] == "send_invoice" && value["days_until_due"] == nil {
		return unsaved(invalid("", "", "If the collection_method is 'send_invoice' you must also specify a `days_until_due`."))
	}
	if id, sent := body["default_payment_method"]; sent {
		method, ok := c.find(paymentMethods, cast.Text(id))
		if id != "" && !ok {
			return missing(http.StatusBadRequest, methodName, cast.Text(id), "default_payment_method")
		}
		if id != "" && method.Value()["customer"] != value["customer"] {
			return invalid("default_payment_method", resourceMissing, "The customer does not have a payment method with the ID %s. The payment method must be attached to the customer.", id)
		}
		value["default_payment_method"] = orNil(cast.Text(id))
	}
	if refused := c.subscriptionDiscounts(value); refused != nil {
		return refused
	}
	merged, refused := c.metadata(value["metadata"])
	value["metadata"] = merged
	return refused
}

func (c *call) subscriptionDiscounts(value map[string]any) *refusal {
	sent, given := c.Input.Body["discounts"]
	if coupon, code := c.text("coupon"), c.text("promotion_code"); coupon != "" || code != "" {
		sent, given = []any{map[string]any{"coupon": orNil(coupon), "promotion_code": orNil(code)}}, true
	} else if c.has("coupon") {
		sent, given = "", true
	}
	if !given {
		return nil
	}
	ids, refused := c.discountsOf(sent, "discounts", map[string]any{"subscription": value["id"], "customer": value["customer"]})
	if refused != nil {
		return refused
	}
	value["discounts"] = ids
	return nil
}

// trial sets when the first money is due, and how the subscription ends.
func (c *call) trial(value, price map[string]any) *refusal {
	end := int64(0)
	if days, ok := c.integer("trial_period_days"); ok && days > 0 {
		end = c.Now.UTC().AddDate(0, 0, int(days)).Unix()
	}
	if at, ok := c.integer("trial_end"); ok {
		if at <= c.now() {
			return unsaved(invalid("trial_end", "", "Invalid timestamp: must be an integer Unix timestamp in the future."))
		}
		if refused := c.tooFar("trial_end", at); refused != nil {
			return refused
		}
		end = at
	}
	if days := whole(cast.Object(price["recurring"])["trial_period_days"]); c.flag("trial_from_plan") && days > 0 && end == 0 {
		end = c.Now.UTC().AddDate(0, 0, int(days)).Unix()
	}
	if end > 0 {
		value["trial_start"], value["trial_end"], value["billing_cycle_anchor"] = c.now(), end, end
	}
	if at, ok := c.integer("billing_cycle_anchor"); ok {
		if at <= c.now() {
			return unsaved(invalid("billing_cycle_anchor", "", "billing_cycle_anchor must be a timestamp in the future."))
		}
		value["billing_cycle_anchor"] = at
	}
	if start, ok := c.integer("backdate_start_date"); ok {
		value["start_date"] = start
	}
	return c.ending(value)
}

// ending reads when a subscription is to end.
func (c *call) ending(value map[string]any) *refusal {
	if at, ok := c.integer("cancel_at"); ok {
		if at <= c.now() {
			return unsaved(invalid("cancel_at", "", "cancel_at must be a timestamp in the future."))
		}
		value["cancel_at"], value["canceled_at"] = at, c.now()
		value["cancellation_details"] = c.reason("cancellation_requested")
	} else if c.Input.Body["cancel_at"] == "" {
		value["cancel_at"], value["canceled_at"], value["cancellation_details"] = nil, nil, c.reason("")
	}
	return nil
}

func (c *call) reason(why string) map[string]any {
	details := map[string]any{"comment": nil, "feedback": nil, "feedback_option": nil, "reason": orNil(why)}
	sent := cast.Object(c.Input.Body["cancellation_details"])
	if sent == nil {
		sent = cast.Object(c.Input.Query["cancellation_details"])
	}
	assign(details, sent, "comment", "feedback")
	return details
}

// extraItems are charges that come once, on the first invoice.
func (c *call) extraItems(subscription map[string]any) ([]map[string]any, *refusal) {
	var all []map[string]any
	for i, one := range cast.List(c.Input.Body["add_invoice_items"]) {
		given, at := cast.Object(one), fmt.Sprintf("add_invoice_items[%d]", i)
		price, refused := c.priceFor(given, at, false)
		if refused != nil {
			return nil, refused
		}
		quantity, ok := given["quantity"].(int64)
		if !ok {
			quantity = 1
		}
		item := c.newItem(cast.Text(subscription["customer"]))
		item["currency"], item["amount"], item["net_amount"] = price["currency"], amountOf(price, quantity), amountOf(price, quantity)
		item["pricing"], item["quantity"], item["quantity_decimal"] = pricing(price), quantity, decimal(quantity)
		item["description"], item["parent"] = c.productName(cast.Text(price["product"])), subscriptionParent(cast.Text(subscription["id"]))
		all = append(all, item)
	}
	return all, nil
}

// mayBegin refuses what Stripe refuses before a subscription is there: nothing
// to pay with, or a payment that must not fail and would.
func (c *call) mayBegin(value map[string]any, wanted []wish, extras []map[string]any) (*world.Record, *refusal) {
	method, ok := c.fallback(value)
	first := int64(0)
	for _, one := range wanted {
		if !one.metered {
			first += amountOf(one.price, one.quantity)
		}
	}
	if value["trial_end"] != nil || c.leadsIn(value) {
		first = 0
	}
	for _, item := range extras {
		first += whole(item["amount"])
	}
	behavior := c.text("payment_behavior")
	switch {
	case value["collection_method"] == "send_invoice", first == 0, c.previews:
		return method, nil
	case !ok && behavior == "default_incomplete":
		return nil, nil
	case !ok:
		return nil, &refusal{status: http.StatusBadRequest, code: resourceMissing, message: noSource, final: true}
	case behavior == "error_if_incomplete":
		return method, c.wouldFail(method)
	}
	return method, nil
}

// wouldFail refuses a payment that could not be taken at once.
func (c *call) wouldFail(method *world.Record) *refusal {
	known := c.fake.cards.of(method)
	switch {
	case known.decline.happens() && !known.auth:
		return declined(known.decline)
	case known.auth:
		r := declined(decline{code: "subscription_payment_intent_requires_action", message: "Payment for this subscription requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with subscription.latest_invoice. For more details see https://stripe.com/docs/billing/subscriptions/overview#requires-action"})
		r.anyParam = false
		return r
	}
	return nil
}

// tooFar refuses a time that no account plans for: most are milliseconds.
func (c *call) tooFar(param string, at int64) *refusal {
	const years = 5
	if at <= c.Now.AddDate(years, 0, 0).Unix() {
		return nil
	}
	return unsaved(invalid(param, "", "Invalid timestamp: can be no more than five years in the future"))
}
