package gateway_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"
)

// stripeDay has a shop take payments through an afternoon. What production-like
// says of a sandbox's limit, of sessions and of lists is met there. The latency
// is cut, and the wait that it tells is 1 s in place of 5 s.
func stripeDay() meeting {
	return meeting{
		profile: "stripe-bad-day", play: stripeAfternoon, step: "200ms", more: `faults:
  sandbox-limit: {enabled: false}
  sessions-of-an-hour: {enabled: false}
  lists-move: {enabled: false}
  everyday-latency-elsewhere: {enabled: false}
  everyday-latency: {with: {fixed: 1ms}}
  refuse-for-a-while: {with: {retry_after: 1s}}
`,
		failed: []string{"always: bounded retries", "always: one effect per intent", "lose-a-payment", "key-in-flight", "refuse-for-a-while", "fall-over-now-and-then"},
	}
}

func stripeAfternoon(a *hand) {
	e := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer e.Close()
	a.sitsOut("POST", "stripe", "/v1/webhook_endpoints", "url="+e.URL+"&enabled_events[0]=*")
	for i := range 6 { // one of them is refused, and told to wait
		a.sitsOut("GET", "stripe", fmt.Sprint("/v1/customers?limit=", 1+i), nil)
	}
	for i := range 2 {
		charge := a.settles(intents, payment+fmt.Sprint("&metadata[order_id]=", i)).at("latest_charge")
		a.settles("/v1/refunds", "charge="+charge)
	}
	for i := range 24 { // enough for what happens by chance
		a.sitsOut("GET", "stripe", fmt.Sprint("/v1/charges?limit=", 1+i), nil)
	}
}

// settles moves money: the naive client with a new key each time, the careful one
// with one key, and with time for a call that is still under way.
func (a *hand) settles(path, form string) heard {
	a.t.Helper()
	if !a.careful {
		return a.insists("POST", "stripe", path, form)
	}
	a.n++
	var r heard
	for range 8 {
		if r = a.says("POST", "stripe", path, form, "Idempotency-Key", fmt.Sprint("settles-", a.n)); r.fine() {
			return r
		}
		if r.status == http.StatusConflict {
			a.h.advance(a.h.Run.ID, "6s")
		}
		time.Sleep(pause)
	}
	a.t.Errorf("POST %s: %d %.200s %v", path, r.status, r.body, r.err)
	return r
}
