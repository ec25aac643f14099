package stripe_test

import "time"

// stock fills the stage with what is sold and billed, each in several states,
// and gives what may be named, by path parameter.
func (r *rig) stock(customer, intent string) map[string][]string {
	r.t.Helper()
	made := func(path, form string) string { r.t.Helper(); return r.must(200, r.post(path, form)).id() }
	product, loner := made("/v1/products", "name=Basic&unit_label=seat"), made("/v1/products", "name=Lonely")
	monthly := made("/v1/prices", "product="+product+"&currency=usd&unit_amount=1000&recurring[interval]=month")
	yearly := made("/v1/prices", "product="+product+"&currency=usd&unit_amount=9000&recurring[interval]=year&lookup_key=year")
	once := made("/v1/prices", "product="+product+"&currency=usd&unit_amount=500")
	tiered := made("/v1/prices", "product="+product+"&currency=usd&billing_scheme=tiered&tiers_mode=graduated&tiers[0][up_to]=2&tiers[0][unit_amount]=100&tiers[1][up_to]=inf&tiers[1][unit_amount]=50&recurring[interval]=week")
	half, five := made("/v1/coupons", "percent_off=50&duration=forever"), made("/v1/coupons", "amount_off=500&currency=usd&duration=once&max_redemptions=2")
	code := made("/v1/promotion_codes", "promotion[type]=coupon&promotion[coupon]="+half+"&code=HALF")
	link := made("/v1/payment_links", "line_items[0][price]="+once+"&line_items[0][quantity]=2")
	session := made("/v1/checkout/sessions", "mode=payment&success_url=https://a.example&line_items[0][price]="+once+"&line_items[0][quantity]=2")
	closed := made("/v1/checkout/sessions", "mode=subscription&success_url=https://a.example&line_items[0][price]="+monthly)
	r.must(200, r.post("/v1/checkout/sessions/"+closed+"/expire", ""))
	setup, done := made("/v1/setup_intents", "customer="+customer), made("/v1/setup_intents", "customer="+customer+"&payment_method_types[]=card&payment_method=pm_card_visa&confirm=true")
	running := made("/v1/subscriptions", "customer="+customer+"&items[0][price]="+monthly+"&items[1][price]="+tiered+"&items[1][quantity]=3")
	trial := made("/v1/subscriptions", "customer="+customer+"&items[0][price]="+monthly+"&trial_period_days=7")
	over := made("/v1/subscriptions", "customer="+customer+"&items[0][price]="+yearly+"&discounts[0][coupon]="+five)
	r.must(200, r.send("DELETE", "/v1/subscriptions/"+over, "", nil))
	draft := made("/v1/invoices", "customer="+customer)
	item := made("/v1/invoiceitems", "customer="+customer+"&invoice="+draft+"&amount=700&discounts[0][coupon]="+half)
	waiting := made("/v1/invoiceitems", "customer="+customer+"&amount=300&currency=usd")
	open := made("/v1/invoices", "customer="+customer+"&collection_method=send_invoice&days_until_due=7&pending_invoice_items_behavior=include")
	r.must(200, r.post("/v1/invoices/"+open+"/finalize", ""))
	paid := r.must(200, r.get("/v1/invoices?status=paid")).ids()
	note := made("/v1/credit_notes", "invoice="+open+"&amount=100")
	payment := r.must(200, r.get("/v1/invoice_payments")).ids()
	hook := made("/v1/webhook_endpoints", "url=https://hooks.example/stripe&enabled_events[]=*")
	payout := r.seed("payouts", map[string]any{
		"id": "po_1planted", "object": "payout", "amount": int64(100), "arrival_date": int64(1), "automatic": false, "created": int64(1), "currency": "usd",
		"livemode": false, "metadata": map[string]any{}, "method": "standard", "reconciliation_status": "not_applicable", "source_type": "card", "status": "pending", "type": "bank_account",
	})
	transfer := made("/v1/transfers", "amount=100&currency=usd&destination=acct_1")
	disputes := r.must(200, r.get("/v1/disputes")).ids()
	items := r.must(200, r.get("/v1/subscription_items?subscription="+running)).ids()
	r.wait(2 * time.Second)
	return map[string][]string{
		"id": {product, loner, note, r.must(200, r.get("/v1/balance_transactions")).ids()[0]}, "product": {product, loner}, "price": {monthly, yearly, once, tiered, "price_none"},
		"plan": {monthly, once, "plan_none"}, "coupon": {half, five, "none"}, "promotion_code": {code, "promo_none"}, "payment_link": {link}, "session": {session, closed},
		"intent": {setup, done}, "subscription": {running, trial, over}, "subscription_exposed_id": {running, trial, over, "sub_none"}, "item": append(items, "si_none"),
		"invoice": append(paid, draft, open, "in_none"), "invoiceitem": {item, waiting, "ii_none"}, "credit_note": {note}, "invoice_payment": payment, "webhook_endpoint": {hook, "we_none"},
		"payout": {payout, "po_none"}, "transfer": {transfer}, "dispute": append(disputes, "du_none"),
	}
}

// seed puts a record where no call leads.
func (r *rig) seed(collection string, value map[string]any) string {
	r.t.Helper()
	tx := r.world.Begin()
	if _, err := tx.Insert("stripe."+collection, value["id"].(string), value); err != nil {
		r.t.Fatal(err)
	}
	r.world = tx.Commit()
	return value["id"].(string)
}
