package stripe_test

import (
	"testing"
	"time"

	"parity/fakes/faketest"
)

func TestTestMethodsAreReadByTheirToken(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	for token, face := range map[string]map[string]any{
		"pm_card_visa": {"card.brand": "visa", "card.last4": "4242", "card.country": "US"}, "pm_card_mastercard_debit": {"card.brand": "mastercard", "card.funding": "debit"},
		"pm_card_cz": {"card.country": "CZ", "card.last4": "0002"}, "pm_card_chargeDeclined": {"card.last4": "0002"}, "pm_card_cvcCheckFail": {"card.checks.cvc_check": "unchecked"},
	} {
		read := s.get("/v1/payment_methods/" + token)
		faketest.Want(t, read, face)
		faketest.Want(t, read, map[string]any{"customer": nil, "object": "payment_method", "type": "card"})
	}
	id := s.get("/v1/payment_methods/pm_card_cz").Text("id")
	faketest.Want(t, s.post("/v1/payment_methods/"+id+"/attach", "customer="+s.customer), map[string]any{"id": id, "customer": s.customer, "card.country": "CZ"})
	faketest.Want(t, s.get("/v1/payment_methods/"+id), map[string]any{"id": id, "customer": s.customer})
	faketest.Want(t, s.post("/v1/payment_intents", "amount=100&currency=usd&confirm=true&payment_method_types[]=card&customer="+s.customer+"&payment_method="+id), map[string]any{"status": "succeeded"})
	for _, unknown := range []string{"pm_card_none", "tok_visa", "pm_1T0000000000000000000000"} {
		s.refused(404, "resource_missing", "", s.Send("GET", "/v1/payment_methods/"+unknown, ""))
	}
}

// What recordings show of a card's code: nobody checks it before the card is used.
func TestACardsCodeIsCheckedWhenTheCardIsUsed(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	for token, found := range map[string]string{"pm_card_visa": "pass", "pm_card_cvcCheckFail": "fail"} {
		id := s.get("/v1/payment_methods/" + token).Text("id")
		faketest.Want(t, s.get("/v1/payment_methods/"+id), map[string]any{"card.checks.cvc_check": "unchecked"})
		faketest.Want(t, s.post("/v1/payment_methods/"+id+"/attach", "customer="+s.customer), map[string]any{"card.checks.cvc_check": found, "card.brand": "visa"})
	}
	paid := s.post("/v1/payment_intents", "amount=100&currency=usd&confirm=true&payment_method_types[]=card&payment_method=pm_card_mastercard&expand[]=latest_charge")
	faketest.Want(t, paid, map[string]any{"latest_charge.payment_method_details.card.checks.cvc_check": "pass"})
}

func TestAConnectedAccountHasTheSettingsOfEachWayToPay(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	made := s.post("/v1/accounts", "type=standard&country=AU")
	for _, one := range []string{"bacs_debit_payments", "card_issuing.tos_acceptance", "invoices", "sepa_debit_payments", "payouts.schedule"} {
		if made.At("settings."+one) == nil {
			t.Errorf("no settings of %s", one)
		}
	}
}

func TestCursorsThatAreNotInTheList(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	ended := s.make("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly)
	s.make("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly)
	s.Must(200, s.Send("DELETE", "/v1/subscriptions/"+ended, ""))
	gone, other := s.make("/v1/customers", ""), s.make("/v1/customers", "email=o@example.com")
	s.Must(200, s.Send("DELETE", "/v1/customers/"+gone, ""))
	coupon := s.make("/v1/coupons", "percent_off=5")
	s.Must(200, s.Send("DELETE", "/v1/coupons/"+coupon, ""))
	for _, row := range []struct{ list, what, id string }{
		{"/v1/customers?", "customer", "cus_none"},
		{"/v1/customers?", "customer", gone},
		{"/v1/customers?email=o@example.com&", "customer", s.customer},
		{"/v1/subscriptions?", "subscription", ended},
		{"/v1/subscriptions?customer=" + other + "&status=all&", "subscription", ended},
		{"/v1/subscriptions?status=active&", "subscription", ended},
		{"/v1/coupons?", "coupon", coupon},
		{"/v1/invoices?status=draft&", "invoice", s.get("/v1/invoices").IDs("data")[0]},
		{"/v1/prices?active=false&", "price", s.monthly},
		{"/v1/products?", "product", "prod_none"},
		{"/v1/events?type=charge.refunded&", "event", s.get("/v1/events").IDs("data")[0]},
	} {
		for _, param := range []string{"starting_after", "ending_before"} {
			g := s.Send("GET", row.list+param+"="+row.id, "")
			s.refused(400, "resource_missing", "No such "+row.what+": '"+row.id+"'", g)
			faketest.Want(t, g, map[string]any{"error.param": param, "error.type": "invalid_request_error"})
		}
	}
	if n := s.get("/v1/subscriptions?status=all&starting_after=" + s.get("/v1/subscriptions").IDs("data")[0]).Len("data"); n != 1 {
		t.Errorf("%d after the newest of all, want the one that ended", n)
	}
}

func TestDeclinesSayWhy(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	for token, want := range map[string]string{
		"chargeDeclined": "card_declined generic_decline try_again_later 01", "chargeDeclinedInsufficientFunds": "card_declined insufficient_funds try_again_later 51",
		"visa_chargeDeclinedLostCard": "card_declined lost_card do_not_try_again 41", "chargeDeclinedStolenCard": "card_declined stolen_card do_not_try_again 43",
		"chargeDeclinedExpiredCard": "expired_card expired_card do_not_try_again 54", "chargeDeclinedIncorrectCvc": "incorrect_cvc incorrect_cvc confirm_card_data 82",
		"chargeDeclinedProcessingError": "processing_error processing_error try_again_later 96", "chargeDeclinedVelocityLimitExceeded": "card_declined card_velocity_exceeded try_again_later 61",
		"chargeCustomerFail": "card_declined generic_decline try_again_later 01", "riskLevelHighest": "card_declined fraudulent do_not_try_again ",
	} {
		g := s.Must(402, s.Form("POST", "/v1/payment_intents", "amount=100&currency=usd&confirm=true&payment_method_types[]=card&payment_method=pm_card_"+token))
		if got := g.Text("error.code") + " " + g.Text("error.decline_code") + " " + g.Text("error.advice_code") + " " + g.Text("error.network_decline_code"); got != want {
			t.Errorf("%s is declined with %q, want %q", token, got, want)
		}
		charge := s.get("/v1/charges/" + g.Text("error.charge"))
		faketest.Want(t, charge, map[string]any{
			"failure_code": g.At("error.code"), "outcome.advice_code": g.At("error.advice_code"), "outcome.network_decline_code": g.At("error.network_decline_code"),
			"outcome.network_advice_code": nil, "payment_method_details.card.transaction_link_id": nil,
		})
		faketest.Want(t, g, map[string]any{"error.payment_intent.last_payment_error.network_decline_code": g.At("error.network_decline_code"), "error.payment_intent.managed_payments": nil})
	}
}

func TestListsSayHowManyThereAre(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	for range 3 {
		s.make("/v1/customers", "email=many@example.com")
	}
	s.Wait(time.Minute)
	for _, path := range []string{
		"/v1/customers?email=many@example.com&limit=1&expand[]=total_count",
		"/v1/customers?email=many@example.com&limit=1&expand[]=total_count&starting_after=" + s.get("/v1/customers").IDs("data")[0],
		"/v1/customers/search?query=email:%22many@example.com%22&limit=1&expand[]=total_count",
	} {
		faketest.Want(t, s.get(path), map[string]any{"total_count": 3, "has_more": true})
	}
	if s.get("/v1/customers?limit=1").At("total_count") != nil {
		t.Error("nobody asked how many")
	}
}
