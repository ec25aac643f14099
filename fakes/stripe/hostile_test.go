package stripe_test

import "testing"

// Milliseconds, where seconds are wanted, are refused and break nothing.
func TestTimesFarAheadAreRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	price := r.must(200, r.post("/v1/prices", "currency=usd&unit_amount=500&recurring[interval]=month&product_data[name]=p")).id()
	customer := r.must(200, r.post("/v1/customers", "payment_method=pm_card_visa")).id()
	begin := "customer=" + customer + "&items[0][price]=" + price
	for _, at := range []string{"9999999999", "253402300800", "1772366400000"} {
		want(t, r.must(400, r.post("/v1/subscriptions", begin+"&trial_end="+at)), map[string]any{"error.param": "trial_end"})
	}
	begun := r.must(200, r.post("/v1/subscriptions", begin+"&trial_period_days=3")).id()
	want(t, r.must(400, r.post("/v1/subscriptions/"+begun, "trial_end=9999999999")), map[string]any{"error.param": "trial_end"})
}

// A code that is sent empty is made up, as one that is not sent.
func TestAPromotionCodeIsNeverEmpty(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	coupon := r.must(200, r.post("/v1/coupons", "percent_off=5&duration=once")).id()
	made := r.must(200, r.post("/v1/promotion_codes", "promotion[type]=coupon&promotion[coupon]="+coupon+"&code="))
	if code, _ := made.at("code").(string); code == "" {
		t.Errorf("the code is %v", made.at("code"))
	}
}

func TestAnAccountHasSixteenEndpoints(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const endpoint = "url=https://example.com/hook&enabled_events[0]=*"
	for range 16 {
		r.must(200, r.post("/v1/webhook_endpoints", endpoint))
	}
	r.must(400, r.post("/v1/webhook_endpoints", endpoint))
}
