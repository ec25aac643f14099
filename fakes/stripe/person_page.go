package stripe

import (
	"maps"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// pagesCollection keeps what a page was told and does not show: what its intent
// or its subscription is to be made with.
const pagesCollection = name + ".pages"

// pageData are the parameters that a page keeps for later.
func pageData() []string {
	return []string{"payment_intent_data", "subscription_data", "setup_intent_data", "application_fee_amount", "application_fee_percent", "on_behalf_of", "transfer_data"}
}

// keepPage notes what a session is to make once it is paid.
func (c *call) keepPage(id string, said map[string]any) {
	kept := map[string]any{}
	for _, field := range pageData() {
		if v, sent := said[field]; sent && v != nil {
			kept[field] = v
		}
	}
	if len(kept) > 0 {
		kit.Keep(c.Tx, pagesCollection, id, kept)
	}
}

func (c *call) kept(id, field string) map[string]any {
	record, ok := c.Tx.Get(pagesCollection, id)
	if !ok {
		return map[string]any{}
	}
	kept := maps.Clone(cast.Object(record.Value()[field]))
	if kept == nil {
		kept = map[string]any{}
	}
	return kept
}

// payLink opens a link, which makes a session of its own, and pays there.
func (p *visitor) payLink(link *world.Record) (string, error) {
	v := link.Value()
	items := cast.List(cast.Object(v["line_items"])[kit.ItemsKey])
	sum, mode := int64(0), "payment"
	for _, one := range items {
		item := cast.Object(one)
		sum += whole(item["amount_total"])
		if kit.Text(item, "price.type") == "recurring" {
			mode = "subscription"
		}
	}
	p.Input.Body = map[string]any{}
	for _, field := range []string{"allow_promotion_codes", "billing_address_collection", "custom_text", "submit_type"} {
		if v[field] != nil {
			p.Input.Body[field] = v[field]
		}
	}
	id := "cs_test_a1" + p.NewID("", 58)
	session := p.newSession(id, mode, items, sum, cast.Text(v["currency"]))
	if session["url"] == nil {
		session["url"], session["ui_mode"], session["client_secret"] = "https://checkout.stripe.com/c/pay/"+id+"#"+p.NewID("", 40), "hosted_page", nil
	}
	session["customer_creation"] = or(v["customer_creation"], "if_required")
	if mode == "subscription" {
		session["customer_creation"] = "always"
	}
	session["payment_link"], session["metadata"] = link.ID, or(v["metadata"], map[string]any{})
	p.Input.Body = nil
	record := p.create(checkoutSessions, session)
	p.keepPage(id, v)
	p.later(sessionExpires, id, time.Unix(whole(session["expires_at"]), 0))
	return p.payPage(record)
}

// payPage pays on a checkout page, or saves a card there.
func (p *visitor) payPage(old *world.Record) (string, error) {
	session := changed(old)
	known := cast.Object(session["customer_details"])
	if p.email == "" {
		p.email = cast.Text(known["email"])
	}
	if p.email == "" {
		p.email = usualEmail
	}
	var refused *refusal
	done := "paid " + money(whole(session["amount_total"]), cast.Text(session["currency"]))
	switch session["mode"] {
	case "setup":
		done = "saved a card"
		refused = p.saveOnPage(session)
	case "subscription":
		refused = p.subscribeOnPage(session)
	default:
		refused = p.payOnPage(session)
	}
	if refused == nil {
		p.completed(session)
	} else if refused.kind == cardError {
		p.update(checkoutSessions, session) // it is open yet
	}
	return outcome(refused, done)
}

// payOnPage makes the intent of a page, or takes the one that failed before, and
// pays it.
func (p *visitor) payOnPage(session map[string]any) *refusal {
	sum := whole(session["amount_total"])
	data := p.kept(cast.Text(session["id"]), "payment_intent_data")
	wants := session["customer_creation"] == "always" || data["setup_future_usage"] != nil || cast.Object(session["invoice_creation"])["enabled"] == true
	if wants && !p.declines {
		p.becomeCustomer(session)
	}
	if sum == 0 {
		session["payment_status"] = "no_payment_required"
		return nil
	}
	old, again := p.find(paymentIntents, cast.Text(session["payment_intent"]))
	var value map[string]any
	if again {
		value = changed(old)
	} else {
		old = nil
		value = p.bareIntent(p.NewID("pi_3", 23), sum, cast.Text(session["currency"]))
		p.takes(value, cast.List(session["payment_method_types"]))
		assign(value, data, "application_fee_amount", "capture_method", "description", "metadata", "on_behalf_of", "receipt_email", "setup_future_usage",
			"statement_descriptor", "statement_descriptor_suffix", "transfer_data", "transfer_group")
		if sent, ok := data["shipping"]; ok {
			value["shipping"] = shipping(sent, "carrier", "tracking_number")
		}
	}
	value["customer"] = session["customer"]
	_, refused := p.confirm(old, value, p.method())
	session["payment_intent"] = value["id"]
	if refused == nil {
		session["payment_status"] = map[bool]string{true: "paid", false: "unpaid"}[value["status"] == succeeded]
	}
	return refused
}

// saveOnPage has the setup intent of a page take the card.
func (p *visitor) saveOnPage(session map[string]any) *refusal {
	if session["customer_creation"] == "always" && !p.declines {
		p.becomeCustomer(session)
	}
	old, ok := p.find(setupIntents, cast.Text(session["setup_intent"]))
	if !ok {
		return invalid("", "", "The page has no setup intent.")
	}
	value := changed(old)
	data := p.kept(cast.Text(session["id"]), "setup_intent_data")
	assign(value, data, "description", "metadata", "on_behalf_of")
	value["customer"] = or(session["customer"], value["customer"])
	_, refused := p.setUp(old, value, p.method(), true)
	return refused
}

// subscribeOnPage begins the subscription that a page sells, with what is paid
// once on its first invoice. A card that is declined leaves no subscription.
func (p *visitor) subscribeOnPage(session map[string]any) *refusal {
	known, _ := p.fake.cards.token(p.card)
	if known.decline.happens() {
		refused := declined(known.decline)
		refused.anyParam = false
		return refused
	}
	p.becomeCustomer(session)
	customer := cast.Text(session["customer"])
	kept := p.method().keep(p.call, customer)
	p.emit("payment_method.attached", kept.Value(), nil)
	body := p.kept(cast.Text(session["id"]), "subscription_data")
	var items, once []any
	for _, one := range cast.List(cast.Object(session["line_items"])[kit.ItemsKey]) {
		item := cast.Object(one)
		wish := map[string]any{"price": kit.Text(item, "price.id"), "quantity": whole(item["quantity"])}
		if kit.Text(item, "price.type") == "recurring" {
			items = append(items, wish)
		} else {
			once = append(once, wish)
		}
	}
	body["customer"], body["items"], body["default_payment_method"] = customer, items, kept.ID
	if len(once) > 0 {
		body["add_invoice_items"] = once
	}
	if taken := cast.List(session["discounts"]); len(taken) > 0 {
		var wishes []any
		for _, one := range taken {
			wish := maps.Clone(cast.Object(one))
			maps.DeleteFunc(wish, func(_ string, v any) bool { return v == nil })
			wishes = append(wishes, wish)
		}
		body["discounts"] = wishes
	}
	p.Input.Body = body
	given, refused := createSubscription(p.call)
	p.Input.Body = nil
	if refused != nil {
		return refused
	}
	now, _ := p.find(subscriptions, given.record.ID)
	session["subscription"], session["invoice"] = now.ID, now.Value()["latest_invoice"]
	session["payment_status"] = "paid"
	if whole(session["amount_total"]) == 0 {
		session["payment_status"] = "no_payment_required"
	}
	return nil
}

// becomeCustomer makes whoever is at the page a customer, if they are none.
func (p *visitor) becomeCustomer(session map[string]any) {
	if session["customer"] != nil {
		return
	}
	p.Input.Body = map[string]any{"email": p.email}
	if p.name != "" {
		p.Input.Body["name"] = p.name
	}
	given, refused := createCustomer(p.call)
	p.Input.Body = nil
	if refused == nil {
		session["customer"] = given.record.ID
	}
}

// completed ends a session well. Its event comes after those of what it made;
// Stripe promises no order.
func (p *visitor) completed(session map[string]any) {
	details := kit.Merge(map[string]any{"address": nil, "business_name": nil, "email": nil, "individual_name": nil, "name": nil, "phone": nil, "tax_exempt": "none", "tax_ids": []any{}}, cast.Object(session["customer_details"]))
	known, _ := p.fake.cards.token(p.card)
	details["email"], details["name"] = p.email, or(details["name"], orNil(p.name))
	details["address"], details["tax_ids"] = address(map[string]any{"country": or(orNil(known.country), "US")}), []any{}
	session["customer_details"], session["status"], session["url"] = details, "complete", nil
	record := p.update(checkoutSessions, session)
	p.never(sessionExpires, record.ID)
	p.emit("checkout.session.completed", p.unlisted(record.Value()), nil)
}
