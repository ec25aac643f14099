package stripe_test

import (
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func TestSubscriptionIsPaidAndRenewed(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	sub := s.post("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly+"&items[0][quantity]=2&expand[]=latest_invoice.payments")
	id := sub.Text("id")
	faketest.Want(t, sub, map[string]any{
		"status": "active", "latest_invoice.status": "paid", "latest_invoice.amount_paid": 2000, "latest_invoice.billing_reason": "subscription_create",
		"latest_invoice.lines.data.0.description": "2 × Basic (at $10.00 / month)", "latest_invoice.payments.data.0.status": "paid", "quantity": 2,
	})
	end := int64(sub.At("items.data.0.current_period_end").(float64))
	if want := s.Now.AddDate(0, 1, 0).Unix(); end != want {
		t.Errorf("the period ends at %d, want %d", end, want)
	}
	s.Wait(32 * day)
	sub = s.get("/v1/subscriptions/" + id + "?expand[]=latest_invoice")
	faketest.Want(t, sub, map[string]any{"status": "active", "latest_invoice.billing_reason": "subscription_cycle", "latest_invoice.status": "paid", "latest_invoice.number": s.get("/v1/customers/"+s.customer).Text("invoice_prefix") + "-0002"})
	if n := s.get("/v1/invoices?subscription=" + id).Len("data"); n != 2 {
		t.Errorf("%d invoices, want 2", n)
	}
}

func TestDeclinedRenewalIsPastDueAndThenEnds(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	id := s.make("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly)
	bad := s.make("/v1/payment_methods/pm_card_chargeCustomerFail/attach", "customer="+s.customer)
	s.post("/v1/customers/"+s.customer, "invoice_settings[default_payment_method]="+bad)
	s.Wait(31*day + 2*time.Hour)
	sub := s.get("/v1/subscriptions/" + id + "?expand[]=latest_invoice")
	faketest.Want(t, sub, map[string]any{"status": "past_due", "latest_invoice.status": "open", "latest_invoice.attempt_count": 1})
	if sub.At("latest_invoice.next_payment_attempt") == nil || !s.happened("invoice.payment_failed") {
		t.Error("nothing says that it will be tried again")
	}
	good := s.make("/v1/payment_methods/pm_card_visa/attach", "customer="+s.customer)
	paid := s.post("/v1/invoices/"+sub.Text("latest_invoice.id")+"/pay", "payment_method="+good)
	faketest.Want(t, paid, map[string]any{"status": "paid", "amount_remaining": 0})
	faketest.Want(t, s.get("/v1/subscriptions/"+id), map[string]any{"status": "active"})
	s.Wait(60 * day)
	faketest.Want(t, s.get("/v1/subscriptions/"+id), map[string]any{"status": "canceled", "cancellation_details.reason": "payment_failed"})
}

func TestTrialEndsInABill(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	sub := s.post("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly+"&trial_period_days=7&expand[]=latest_invoice")
	faketest.Want(t, sub, map[string]any{"status": "trialing", "latest_invoice.total": 0, "latest_invoice.status": "paid"})
	s.Wait(5 * day)
	if !s.happened("customer.subscription.trial_will_end") {
		t.Error("the end of the trial was not announced")
	}
	s.Wait(2*day + 2*time.Hour)
	faketest.Want(t, s.get("/v1/subscriptions/"+sub.Text("id")+"?expand[]=latest_invoice"), map[string]any{"status": "active", "latest_invoice.amount_paid": 1000})
}

func TestSubscriptionThatCannotBegin(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	items := "customer=" + s.customer + "&items[0][price]=" + s.monthly
	s.refused(400, "resource_missing", "", s.Form("POST", "/v1/subscriptions", items))
	s.refused(400, "resource_missing", "No such price: 'price_none'", s.Form("POST", "/v1/subscriptions", "customer="+s.customer+"&items[0][price]=price_none"))
	once := s.make("/v1/prices", "product="+s.product+"&currency=usd&unit_amount=5")
	s.refused(400, "", "The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.", s.Form("POST", "/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+once))
	bad := s.make("/v1/payment_methods/pm_card_chargeCustomerFail/attach", "customer="+s.customer)
	s.refused(402, "card_declined", "", s.Form("POST", "/v1/subscriptions", items+"&payment_behavior=error_if_incomplete&default_payment_method="+bad))
	if n := s.get("/v1/subscriptions?status=all").Len("data"); n != 0 {
		t.Errorf("%d subscriptions were made", n)
	}
	sub := s.post("/v1/subscriptions", items+"&default_payment_method="+bad+"&expand[]=latest_invoice.confirmation_secret")
	faketest.Want(t, sub, map[string]any{"status": "incomplete", "latest_invoice.status": "open"})
	if !strings.Contains(sub.Text("latest_invoice.confirmation_secret.client_secret"), "_secret_") {
		t.Error("nothing to pay it with")
	}
	s.Wait(24 * time.Hour)
	faketest.Want(t, s.get("/v1/subscriptions/"+sub.Text("id")+"?expand[]=latest_invoice"), map[string]any{"status": "incomplete_expired", "latest_invoice.status": "void"})
}

func TestIncompleteSubscriptionIsPaidByItsIntent(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_authenticationRequired")
	sub := s.post("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly+"&expand[]=latest_invoice.payments")
	faketest.Want(t, sub, map[string]any{"status": "incomplete"})
	intent := sub.Text("latest_invoice.payments.data.0.payment.payment_intent")
	faketest.Want(t, s.get("/v1/payment_intents/"+intent), map[string]any{"status": "requires_action", "description": "Subscription creation"})
	good := s.make("/v1/payment_methods/pm_card_visa/attach", "customer="+s.customer)
	s.post("/v1/payment_intents/"+intent+"/confirm", "payment_method="+good)
	faketest.Want(t, s.get("/v1/subscriptions/"+sub.Text("id")), map[string]any{"status": "active"})
}

func TestProration(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	sub := s.post("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly)
	item := sub.Text("items.data.0.id")
	period := sub.At("items.data.0.current_period_end").(float64) - sub.At("items.data.0.current_period_start").(float64)
	s.Wait(time.Duration(period/2) * time.Second)
	faketest.Want(t, s.post("/v1/subscription_items/"+item, "quantity=3"), map[string]any{"quantity": 3})
	waiting := s.get("/v1/invoiceitems?pending=true&customer=" + s.customer)
	if got := waiting.Texts("data", "amount"); len(got) != 2 || got[0] != "1500" || got[1] != "-500" {
		t.Errorf("prorations of %v, want 1500 and -500", got)
	}
	next := s.post("/v1/invoices/create_preview", "subscription="+sub.Text("id"))
	faketest.Want(t, next, map[string]any{"total": 4000, "billing_reason": "upcoming"})
	big := s.make("/v1/prices", "product="+s.product+"&currency=usd&unit_amount=12000&recurring[interval]=year")
	now := s.post("/v1/subscriptions/"+sub.Text("id"), "items[0][id]="+item+"&items[0][price]="+big+"&proration_behavior=none&expand[]=latest_invoice")
	faketest.Want(t, now, map[string]any{"items.data.0.price.id": big, "latest_invoice.billing_reason": "subscription_update", "latest_invoice.status": "paid"})
}

func TestCancellation(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	sub := s.post("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly)
	path := "/v1/subscriptions/" + sub.Text("id")
	ending := s.post(path, "cancel_at_period_end=true")
	faketest.Want(t, ending, map[string]any{"status": "active", "cancel_at": sub.At("items.data.0.current_period_end"), "cancellation_details.reason": "cancellation_requested"})
	faketest.Want(t, s.post(path, "cancel_at_period_end=false"), map[string]any{"cancel_at": nil, "canceled_at": nil})
	s.post(path, "cancel_at_period_end=true")
	s.Wait(32 * day)
	faketest.Want(t, s.get(path), map[string]any{"status": "canceled"})
	s.refused(404, "resource_missing", "No such subscription: '"+sub.Text("id")+"'", s.Send("DELETE", path, ""))
	s.refused(400, "", "A canceled subscription can only update its cancellation_details and metadata.", s.Form("POST", path, "description=again"))
	other := s.make("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly)
	faketest.Want(t, s.Must(200, s.Send("DELETE", "/v1/subscriptions/"+other, "")), map[string]any{"status": "canceled"})
	if got := s.get("/v1/subscriptions?customer=" + s.customer).Len("data"); got != 0 {
		t.Errorf("%d are listed that are canceled", got)
	}
	if got := s.get("/v1/subscriptions?status=canceled&customer=" + s.customer).Len("data"); got != 2 {
		t.Errorf("%d are canceled, want 2", got)
	}
}

func TestOlderVersionsSeeTheirOwnShape(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	s.Vendor = nil // it knows the newest version only
	s.Header.Set("Stripe-Version", "2022-08-01")
	sub := s.post("/v1/subscriptions", "customer="+s.customer+"&items[0][plan]="+s.monthly+"&expand[]=latest_invoice.payment_intent")
	faketest.Want(t, sub, map[string]any{
		"latest_invoice.paid": true, "latest_invoice.payment_intent.status": "succeeded", "latest_invoice.lines.data.0.price.id": s.monthly,
		"current_period_start": sub.At("created"), "latest_invoice.payment_intent.charges.data.0.paid": true, "plan.aggregate_usage": nil,
	})
	s.Header.Del("Stripe-Version")
	if s.get("/v1/subscriptions/"+sub.Text("id")).At("current_period_start") != nil {
		t.Error("the newest version shows what it does not have")
	}
}
