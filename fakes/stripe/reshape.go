package stripe

import (
	"slices"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// What a version of the API still shows that newer ones do not. Dates are those
// of the versions that took it away. Source: docs.stripe.com/changelog.
const (
	dahlia   = "2026-03-25" // references of orders are whole, bank debits have a purpose
	clover   = "2025-09-30" // coupons went into a source, or into a promotion
	basil    = "2025-03-31" // periods went to items, payments of invoices to a list
	listed22 = "2022-11-15" // charges and refunds are listed no more inside others
	hidden20 = "2020-08-27" // a customer's lists are there only when expanded
)

// reshapes tells whether records of a collection may be shown otherwise than
// they are kept.
func (c *call) reshapes(collection string) bool {
	switch collection {
	case webhookEndpoints, balanceTransactions, paymentLinks, checkoutSessions, disputes:
		return true
	}
	return c.version < clover
}

// reshaped is a value as this call shows it: records in it, at whatever depth,
// in the shape of its version. Nothing is changed in place.
func (c *call) reshaped(v any) any {
	switch x := v.(type) {
	case []any:
		changed := make([]any, len(x))
		for i := range x {
			changed[i] = c.reshaped(x[i])
		}
		return changed
	case map[string]any:
		fresh := make(map[string]any, len(x))
		for field, one := range x {
			switch one.(type) {
			case map[string]any, []any:
				one = c.reshaped(one)
			}
			fresh[field] = one
		}
		c.reshape(cast.Text(x["object"]), fresh)
		return fresh
	}
	return v
}

// reshape changes one record, which is a copy.
func (c *call) reshape(kind string, r map[string]any) {
	switch kind {
	case "webhook_endpoint":
		if c.Operation.ID != "PostWebhookEndpoints" {
			delete(r, "secret")
		}
	case "charge":
		c.unsettled(r)
	case "balance_transaction":
		r["status"] = settledBy(r, c.now())
	case "payment_link", sessionName:
		if !slices.ContainsFunc(c.expand, func(path string) bool { return len(path) >= 10 && path[:10] == "line_items" }) {
			delete(r, "line_items")
		}
	}
	if c.version >= clover {
		return
	}
	switch kind {
	case "discount":
		r["coupon"] = c.embed(coupons, cast.Text(cast.Object(r["source"])["coupon"]), cast.Object(r["source"])["coupon"])
	case "promotion_code":
		r["coupon"] = c.embed(coupons, cast.Text(cast.Object(r["promotion"])["coupon"]), cast.Object(r["promotion"])["coupon"])
	}
	if c.version < basil {
		c.beforeBasil(kind, r)
	}
	if c.version < listed22 {
		c.before2022(kind, r)
	}
	if c.version < hidden20 && kind == "customer" && r["deleted"] != true {
		for _, field := range []string{"sources", "subscriptions", "tax_ids"} {
			if r[field] == nil {
				r[field] = must(made()[customers+"."+field].make(c.Tx, r))
			}
		}
	}
}

// unsettled hides the movement of a charge that was captured asynchronously, in
// the second in which it was made: Stripe fills it in a moment later.
// Source: docs.stripe.com/payments/payment-intents/asynchronous-capture.
func (c *call) unsettled(charge map[string]any) {
	if whole(charge["created"]) != c.now() || charge["balance_transaction"] == nil {
		return
	}
	id := cast.Text(charge["payment_intent"])
	if id == "" {
		id = cast.Text(cast.Object(charge["payment_intent"])["id"])
	}
	if intent, ok := c.find(paymentIntents, id); ok && intent.Value()["capture_method"] == "automatic_async" {
		charge["balance_transaction"] = nil
	}
}

// embed puts a record in place of its id.
func (c *call) embed(collection, id string, otherwise any) any {
	if record, ok := c.find(collection, id); ok {
		return record.Value()
	}
	return otherwise
}

func (c *call) beforeBasil(kind string, r map[string]any) {
	switch kind {
	case "subscription":
		r["current_period_start"], r["current_period_end"] = periodOf(r)
		r["discount"] = nil
		if all := cast.List(r["discounts"]); len(all) > 0 {
			r["discount"] = c.reshaped(c.embed(discounts, cast.Text(all[0]), all[0]))
		}
	case "invoice":
		c.invoiceBeforeBasil(r)
	case "plan":
		r["aggregate_usage"] = nil
	case "line_item":
		lineBeforeBasil(c, r)
	case "invoiceitem":
		price := c.embed(prices, kit.Text(r, "pricing.price_details.price"), nil)
		r["price"], r["plan"], r["subscription"] = price, nil, orNil(kit.Text(r, "parent.subscription_details.subscription"))
		r["unit_amount"], r["unit_amount_decimal"] = whole(cast.Object(r["pricing"])["unit_amount_decimal"]), cast.Object(r["pricing"])["unit_amount_decimal"]
	case "charge", "payment_intent":
		r["invoice"] = nil
		id := cast.Text(r["id"])
		if kind == "charge" {
			id = cast.Text(r["payment_intent"])
		}
		for payment := range c.Tx.Find(full(invoicePayments), "payment.payment_intent", id, 0) {
			r["invoice"] = payment.Value()["invoice"]
		}
	}
}

func (c *call) invoiceBeforeBasil(r map[string]any) {
	r["paid"], r["paid_out_of_band"] = r["status"] == "paid", whole(r["amount_paid_off_stripe"]) > 0
	r["subscription"], r["charge"], r["payment_intent"] = orNil(subscriptionOf(r)), nil, nil
	r["subscription_details"] = map[string]any{"metadata": nil}
	if of := cast.Object(cast.Object(r["parent"])["subscription_details"]); of != nil {
		r["subscription_details"] = map[string]any{"metadata": of["metadata"]}
	}
	if intent, ok := c.mainPayment(cast.Text(r["id"])); ok {
		r["payment_intent"], r["charge"] = intent.ID, intent.Value()["latest_charge"]
		if slices.Contains(c.expand, "payment_intent") || slices.Contains(c.expand, "latest_invoice.payment_intent") {
			r["payment_intent"] = c.reshaped(intent.Value())
		}
	}
	r["tax"], r["total_tax_amounts"], r["quote"], r["discount"] = nil, []any{}, nil, nil
	r["application_fee_amount"], r["transfer_data"] = nil, nil
}

func lineBeforeBasil(c *call, r map[string]any) {
	details, kind := cast.Object(cast.Object(r["parent"])["subscription_item_details"]), "subscription"
	if details == nil {
		details, kind = cast.Object(cast.Object(r["parent"])["invoice_item_details"]), "invoiceitem"
	}
	price := c.embed(prices, kit.Text(r, "pricing.price_details.price"), nil)
	r["price"], r["plan"] = price, nil
	if of := cast.Object(price); of != nil && of["type"] == "recurring" {
		r["plan"] = planOf(of)
	}
	r["type"], r["proration"], r["proration_details"] = kind, or(details["proration"], false), or(details["proration_details"], map[string]any{"credited_items": nil})
	r["subscription"], r["subscription_item"] = details["subscription"], details["subscription_item"]
	if item := details["invoice_item"]; item != nil {
		r["invoice_item"] = item
	}
	if r["subscription_item"] == nil {
		delete(r, "subscription_item")
	}
	r["amount_excluding_tax"], r["unit_amount_excluding_tax"] = r["amount"], cast.Object(r["pricing"])["unit_amount_decimal"]
	r["tax_amounts"], r["tax_rates"] = []any{}, []any{}
}

func (c *call) before2022(kind string, r map[string]any) {
	id := cast.Text(r["id"])
	switch kind {
	case "charge":
		if cast.Object(r["refunds"]) == nil {
			r["refunds"] = c.reshaped(must(refundsOf(c.Tx, r)))
		}
	case "payment_intent":
		found := must(embedded(c.Tx, kit.Query{Collection: full(charges), Index: "payment_intent", Value: id}, "/v1/charges?payment_intent="+id))
		r["charges"] = c.reshaped(found)
	}
}
