package stripe_test

import (
	"testing"
	"time"

	"parity/fakes/faketest"
)

func TestProductsAndPrices(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	p := s.post("/v1/products", "name=Shirt&default_price_data[currency]=usd&default_price_data[unit_amount]=1500&expand[]=default_price")
	faketest.Want(t, p, map[string]any{"default_price.unit_amount": 1500, "active": true})
	s.refused(400, "", "This product cannot be deleted because it has one or more user-created prices.", s.Send("DELETE", "/v1/products/"+p.Text("id"), ""))
	free := s.make("/v1/products", "name=Free")
	s.Must(200, s.Send("DELETE", "/v1/products/"+free, ""))
	s.refused(400, "resource_missing", "No such product: '"+free+"'", s.Form("POST", "/v1/prices", "product="+free+"&currency=usd&unit_amount=1"))
	s.refused(400, "parameter_missing", "", s.Form("POST", "/v1/prices", "currency=usd&unit_amount=1"))
	one := s.make("/v1/prices", "product="+s.product+"&currency=usd&unit_amount=1&lookup_key=k")
	s.refused(400, "", "", s.Form("POST", "/v1/prices", "product="+s.product+"&currency=usd&unit_amount=2&lookup_key=k"))
	two := s.make("/v1/prices", "product="+s.product+"&currency=usd&unit_amount=2&lookup_key=k&transfer_lookup_key=true")
	if got := s.get("/v1/prices?lookup_keys[]=k").IDs("data"); len(got) != 1 || got[0] != two {
		t.Errorf("%s has the key, want %s, not %s", got, two, one)
	}
	s.post("/v1/prices/"+s.monthly, "active=false")
	s.refused(400, "price_inactive", "", s.Form("POST", "/v1/payment_links", "line_items[0][price]="+s.monthly+"&line_items[0][quantity]=1"))
	faketest.Want(t, s.get("/v1/plans/"+s.monthly), map[string]any{"object": "plan", "amount": 1000, "interval": "month", "active": false})
}

func TestCouponsAndCodes(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	coupon := s.make("/v1/coupons", "percent_off=25&duration=repeating&duration_in_months=2&max_redemptions=1")
	s.refused(400, "", "", s.Form("POST", "/v1/coupons", "duration=once"))
	s.refused(400, "", "", s.Form("POST", "/v1/coupons", "duration=once&percent_off=120"))
	code := s.make("/v1/promotion_codes", "promotion[type]=coupon&promotion[coupon]="+coupon+"&code=SPRING")
	s.refused(400, "", "An active promotion code with `code: spring` already exists.", s.Form("POST", "/v1/promotion_codes", "promotion[type]=coupon&promotion[coupon]="+coupon+"&code=spring"))
	sub := s.post("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly+"&discounts[0][promotion_code]="+code+"&expand[]=latest_invoice&expand[]=discounts.source.coupon")
	faketest.Want(t, sub, map[string]any{"latest_invoice.total": 750, "latest_invoice.subtotal": 1000, "discounts.0.source.coupon.times_redeemed": 1, "discounts.0.promotion_code": code})
	s.refused(400, "coupon_expired", "", s.Form("POST", "/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly+"&discounts[0][coupon]="+coupon))
	s.Wait(32 * day)
	faketest.Want(t, s.get("/v1/subscriptions/"+sub.Text("id")+"?expand[]=latest_invoice"), map[string]any{"latest_invoice.total": 750})
	s.Wait(31 * day)
	faketest.Want(t, s.get("/v1/subscriptions/"+sub.Text("id")+"?expand[]=latest_invoice"), map[string]any{"latest_invoice.total": 1000})
}

func TestCheckoutSessionsAndLinks(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	once := s.make("/v1/prices", "product="+s.product+"&currency=usd&unit_amount=1500")
	link := s.post("/v1/payment_links", "line_items[0][price]="+once+"&line_items[0][quantity]=2&expand[]=line_items")
	faketest.Want(t, link, map[string]any{"active": true, "line_items.data.0.amount_total": 3000, "currency": "usd"})
	if s.get("/v1/payment_links/"+link.Text("id")).At("line_items") != nil {
		t.Error("line items are there unasked")
	}
	faketest.Want(t, s.get("/v1/payment_links/"+link.Text("id")+"/line_items?limit=1"), map[string]any{"data.0.quantity": 2, "has_more": false})
	const back = "&success_url=https://shop.example/thanks"
	form := "mode=payment&line_items[0][price]=" + once + "&line_items[0][quantity]=1" + back
	session := s.post("/v1/checkout/sessions", form+"&customer="+s.customer)
	faketest.Want(t, session, map[string]any{"status": "open", "payment_status": "unpaid", "amount_total": 1500, "customer_details.email": "ann@example.com"})
	faketest.Want(t, s.post("/v1/checkout/sessions/"+session.Text("id")+"/expire", ""), map[string]any{"status": "expired", "url": nil})
	s.refused(400, "", "", s.Form("POST", "/v1/checkout/sessions/"+session.Text("id")+"/expire", ""))
	later := s.make("/v1/checkout/sessions", form)
	s.Wait(25 * time.Hour)
	faketest.Want(t, s.get("/v1/checkout/sessions/"+later), map[string]any{"status": "expired"})
	s.refused(400, "parameter_missing", "Missing required param: success_url.", s.Form("POST", "/v1/checkout/sessions", "mode=payment&line_items[0][price]="+once))
	s.refused(400, "", "", s.Form("POST", "/v1/checkout/sessions", "mode=payment&line_items[0][price]="+s.monthly+back))
	data := "mode=payment&line_items[0][quantity]=3&line_items[0][price_data][currency]=usd&line_items[0][price_data][unit_amount]=200&line_items[0][price_data][product_data][name]=Cup" + back
	faketest.Want(t, s.post("/v1/checkout/sessions", data+"&expand[]=line_items"), map[string]any{"amount_total": 600, "line_items.data.0.description": "Cup"})
}

func TestSetupIntents(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	form := "customer=" + s.customer + "&payment_method_types[]=card"
	setup := s.post("/v1/setup_intents", form)
	faketest.Want(t, setup, map[string]any{"status": "requires_payment_method", "usage": "off_session"})
	path := "/v1/setup_intents/" + setup.Text("id")
	s.refused(400, "setup_intent_unexpected_state", "", s.Form("POST", path+"/confirm", ""))
	s.refused(402, "card_declined", "", s.Form("POST", path+"/confirm", "payment_method=pm_card_chargeDeclined"))
	faketest.Want(t, s.get(path), map[string]any{"status": "requires_payment_method", "last_setup_error.code": "card_declined"})
	done := s.post(path+"/confirm", "payment_method=pm_card_visa")
	faketest.Want(t, done, map[string]any{"status": "succeeded", "last_setup_error": nil})
	faketest.Want(t, s.get("/v1/payment_methods/"+done.Text("payment_method")), map[string]any{"customer": s.customer})
	s.refused(400, "setup_intent_unexpected_state", "", s.Form("POST", path+"/cancel", ""))
	faketest.Want(t, s.post("/v1/setup_intents", form+"&confirm=true&payment_method=pm_card_authenticationRequired"), map[string]any{"status": "requires_action", "next_action.type": "use_stripe_sdk"})
}
