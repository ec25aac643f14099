package gateway_test

import (
	"net/http"
	"testing"

	"parity/faults/trail"
	"parity/gateway/kept"
)

// What a few agents do about a fault under the shipped differences: a rule that
// ignores Retry-After once came out as not evaluated under every profile that
// extends baseline.
func TestVerdictsUnderTheShippedDifferences(t *testing.T) {
	t.Parallel()
	const lost = `
  it: {call: stripe.PostPaymentIntents, inject: ambiguous-success, with: {reply: reset}, trigger: {nth: 1}}
`
	const busy = `
  it: {call: stripe.PostPaymentIntents, inject: rate-limit, with: {retry_after: 30s}, trigger: {nth: 1}}
`
	const api = "https://api.stripe.com/v1/payment_intents"
	for name, c := range map[string]struct {
		rule     string
		act      func(t *testing.T, c *http.Client)
		result   trail.Result
		reaction trail.Reaction
	}{
		"sends it again with a new key": {lost, func(t *testing.T, c *http.Client) {
			_, _, _, _ = call(t, c, "POST", api, payment, "Idempotency-Key", "a")
			_, _, _, _ = call(t, c, "POST", api, payment, "Idempotency-Key", "b")
		}, trail.Failed, trail.Mishandled},
		"sends it again with its key": {lost, func(t *testing.T, c *http.Client) {
			_, _, _, _ = call(t, c, "POST", api, payment, "Idempotency-Key", "a")
			_, _, _, _ = call(t, c, "POST", api, payment, "Idempotency-Key", "a")
		}, trail.Passed, trail.Handled},
		"looks, and leaves it": {lost, func(t *testing.T, c *http.Client) {
			_, _, _, _ = call(t, c, "POST", api, payment)
			must(t, c, "GET", api, "")
		}, trail.Passed, trail.Handled},
		"stops": {lost, func(t *testing.T, c *http.Client) {
			_, _, _, _ = call(t, c, "POST", api, payment)
		}, trail.NotEvaluated, trail.Unjudged},
		"sends it again in other words": {lost, func(t *testing.T, c *http.Client) {
			_, _, _, _ = call(t, c, "POST", api, payment, "Idempotency-Key", "a")
			_, _, _, _ = call(t, c, "POST", api, payment+"&description=again", "Idempotency-Key", "b")
		}, trail.NotEvaluated, trail.Unjudged},
		"comes back before it may": {busy, func(t *testing.T, c *http.Client) {
			_, _, _, _ = call(t, c, "POST", api, payment)
			_, _, _, _ = call(t, c, "POST", api, payment)
		}, trail.Failed, trail.Mishandled},
		"stays away": {busy, func(t *testing.T, c *http.Client) {
			_, _, _, _ = call(t, c, "POST", api, payment)
		}, trail.NotEvaluated, trail.Unjudged},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, "profile: judged\nextends: [baseline]\nfaults:"+c.rule)
			c.act(t, h.proxied(false))
			h.close()
			kept, err := kept.Read(h.root, h.Run.ID)
			if err != nil {
				t.Fatal(err)
			}
			rep := kept.Report()
			fitsSchema(t, rep)
			if len(rep.Verdicts) == 0 || rep.Verdicts[0].Subject != "it" {
				t.Fatalf("verdicts %+v", rep.Verdicts)
			}
			if v := rep.Verdicts[0]; v.Result != c.result || v.Reaction != c.reaction {
				t.Errorf("%s, %s: %v %s; want %s, %s", v.Result, v.Reaction, v.Lines, v.Why, c.result, c.reaction)
			}
		})
	}
}
