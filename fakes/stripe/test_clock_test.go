package stripe_test

import (
	"fmt"
	"testing"
	"time"

	"parity/fakes/faketest"
)

// A simulation is a shop whose customer lives by a test clock.
type simulation struct {
	shop
	clock string
	start time.Time
}

func simulate(t *testing.T) simulation {
	t.Helper()
	s := simulation{shop: newShop(t, ""), start: time.Date(2030, 1, 31, 9, 0, 0, 0, time.UTC)}
	s.clock = s.make("/v1/test_helpers/test_clocks", fmt.Sprintf("frozen_time=%d&name=years+ahead", s.start.Unix()))
	s.customer = s.make("/v1/customers", "email=ann@example.com&payment_method=pm_card_visa&invoice_settings[default_payment_method]=pm_card_visa&test_clock="+s.clock)
	return s
}

// advance moves the clock and waits until it is there.
func (s simulation) advance(to time.Time) {
	s.T.Helper()
	faketest.Want(s.T.(*testing.T), s.post("/v1/test_helpers/test_clocks/"+s.clock+"/advance", fmt.Sprintf("frozen_time=%d", to.Unix())), map[string]any{
		"status": "advancing", "status_details.advancing.target_frozen_time": int(to.Unix()),
	})
	s.Wait(5 * time.Second)
	faketest.Want(s.T.(*testing.T), s.get("/v1/test_helpers/test_clocks/"+s.clock), map[string]any{"status": "ready", "frozen_time": int(to.Unix())})
}

func TestClockRenewsWhatIsBoundToIt(t *testing.T) {
	t.Parallel()
	s := simulate(t)
	s.make("/v1/webhook_endpoints", "url=https://hooks.example/a&enabled_events[]=invoice.paid&enabled_events[]=test_helpers.test_clock.ready")
	sub := s.post("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly+"&trial_period_days=7&expand[]=latest_invoice")
	path := "/v1/subscriptions/" + sub.Text("id")
	faketest.Want(t, sub, map[string]any{"created": int(s.start.Unix()), "test_clock": s.clock, "status": "trialing", "latest_invoice.test_clock": s.clock})

	s.Wait(6 * day) // of the run: the clock stands
	faketest.Want(t, s.get(path), map[string]any{"status": "trialing"})

	s.advance(s.start.AddDate(0, 0, 5))
	if !s.happened("customer.subscription.trial_will_end") {
		t.Error("the end of the trial was not announced")
	}
	s.advance(s.start.Add(7*day + 30*time.Minute))
	faketest.Want(t, s.get(path+"?expand[]=latest_invoice"), map[string]any{"status": "active", "latest_invoice.status": "draft", "latest_invoice.billing_reason": "subscription_cycle"})
	s.advance(s.start.Add(7*day + 2*time.Hour))
	paid := s.get(path + "?expand[]=latest_invoice")
	faketest.Want(t, paid, map[string]any{"latest_invoice.status": "paid", "latest_invoice.amount_paid": 1000, "latest_invoice.status_transitions.paid_at": int(s.start.Add(7*day + time.Hour).Unix())})

	s.advance(s.start.Add(7*day+2*time.Hour).AddDate(0, 2, 0)) // two renewals at once
	if n := s.get("/v1/invoices?subscription=" + sub.Text("id")).Len("data"); n != 4 {
		t.Errorf("%d invoices, want 4", n)
	}
	for _, d := range s.Deliveries() {
		if d.Due.After(s.Now) {
			t.Errorf("a delivery is due at %v, the clock's time; it is %v", d.Due, s.Now)
		}
	}
	if n := len(s.Deliveries()); n < 8 {
		t.Errorf("%d deliveries", n)
	}
}

func TestClockRefusals(t *testing.T) {
	t.Parallel()
	s := simulate(t)
	path := "/v1/test_helpers/test_clocks/" + s.clock
	to := func(at time.Time) string { return fmt.Sprintf("frozen_time=%d", at.Unix()) }
	s.refused(404, "resource_missing", "No such test clock: 'clock_none'", s.Send("GET", "/v1/test_helpers/test_clocks/clock_none", ""))
	s.refused(400, "resource_missing", "No such test clock: 'clock_none'", s.Form("POST", "/v1/customers", "test_clock=clock_none"))
	s.refused(400, "", "", s.Form("POST", path+"/advance", to(s.start)))
	s.refused(400, "", "", s.Form("POST", path+"/advance", to(s.start.AddDate(2, 0, 1))))
	item := "customer=" + s.customer + "&items[0][price]=" + s.monthly
	sub := s.make("/v1/subscriptions", item)
	s.refused(400, "", "", s.Form("POST", path+"/advance", to(s.start.AddDate(0, 3, 0))))
	s.post(path+"/advance", to(s.start.Add(day)))
	moving := "Test clock advancement underway - cannot perform modifications: " + s.clock
	s.refused(429, "", moving, s.Form("POST", path+"/advance", to(s.start.Add(2*day))))
	s.refused(429, "", moving, s.Form("POST", "/v1/subscriptions/"+sub, "description=now"))
	s.refused(429, "", moving, s.Send("DELETE", path, ""))
	s.get("/v1/subscriptions/" + sub)
	s.Wait(5 * time.Second)
	s.post("/v1/subscriptions/"+sub, "description=now")
	s.make("/v1/subscriptions", item)
	s.make("/v1/subscriptions", item)
	s.refused(400, "", "", s.Form("POST", "/v1/subscriptions", item))
	s.make("/v1/customers", "test_clock="+s.clock)
	s.make("/v1/customers", "test_clock="+s.clock)
	s.refused(400, "", "", s.Form("POST", "/v1/customers", "test_clock="+s.clock))
}

func TestClockTakesItsCustomersWithIt(t *testing.T) {
	t.Parallel()
	s := simulate(t)
	other := s.make("/v1/customers", "")
	sub := s.make("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly)
	for list, want := range map[string]int{
		"/v1/customers?": 2, "/v1/customers?test_clock=" + s.clock: 1, "/v1/subscriptions?": 0, "/v1/subscriptions?customer=" + s.customer: 1,
		"/v1/subscriptions?test_clock=" + s.clock: 1, "/v1/test_helpers/test_clocks?": 1,
	} {
		if got := s.get(list).IDs("data"); len(got) != want {
			t.Errorf("%s lists %v, want %d", list, got, want)
		}
	}
	faketest.Want(t, s.Must(200, s.Send("DELETE", "/v1/test_helpers/test_clocks/"+s.clock, "")), map[string]any{"deleted": true, "object": "test_helpers.test_clock"})
	faketest.Want(t, s.get("/v1/customers/"+s.customer), map[string]any{"deleted": true})
	faketest.Want(t, s.get("/v1/subscriptions/"+sub), map[string]any{"status": "canceled"})
	s.get("/v1/customers/" + other)
	late := s.make("/v1/test_helpers/test_clocks", fmt.Sprintf("frozen_time=%d&customer=%s", s.start.Unix(), other))
	faketest.Want(t, s.get("/v1/customers/"+other+"?expand[]=test_clock"), map[string]any{"test_clock.id": late})
	s.Wait(8 * day)
	s.refused(404, "resource_missing", "", s.Send("GET", "/v1/test_helpers/test_clocks/"+late, ""))
	for _, kind := range []string{"created", "deleted"} {
		if !s.happened("test_helpers.test_clock." + kind) {
			t.Errorf("no event says that it was %s", kind)
		}
	}
}

func TestDeletedCustomerIsBilledNoMore(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	sub := s.make("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly)
	s.Must(200, s.Send("DELETE", "/v1/customers/"+s.customer, ""))
	faketest.Want(t, s.get("/v1/subscriptions/"+sub), map[string]any{"status": "canceled"})
	s.Wait(40 * day)
	if n := s.get("/v1/invoices?subscription=" + sub).Len("data"); n != 1 {
		t.Errorf("%d invoices", n)
	}
}
