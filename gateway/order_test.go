package gateway_test

import (
	"strings"
	"testing"

	"parity/faults/trail"
)

const orderedProfile = `
profile: careful
seed: 7
services: {stripe: {}}
clock: {mode: stepped, step: 1m}
expect:
  looks-before-it-refunds:
    each: stripe POST /v1/refunds
    needs: stripe GET /v1/charges/{charge}
    where: earlier.path.charge == later.body.charge
    within: 10m
    enforce: true
`

func TestACallOutOfOrderIsRefused(t *testing.T) {
	t.Parallel()
	h := open(t, orderedProfile)
	c := h.proxied(false)
	const api = "https://api.stripe.com/v1"
	pay := func() string {
		paid := must(t, c, "POST", api+"/payment_intents", "amount=500&currency=usd&payment_method=pm_card_visa&confirm=true&automatic_payment_methods[enabled]=true&automatic_payment_methods[allow_redirects]=never")
		charge, _ := paid["latest_charge"].(string)
		return charge
	}
	refund := func(charge string) (int, string) {
		status, body, _, err := call(t, c, "POST", api+"/refunds", "charge="+charge+"&amount=100")
		if err != nil {
			t.Fatal(err)
		}
		wrong, _ := body["error"].(map[string]any)
		message, _ := wrong["message"].(string)
		return status, message
	}
	one, other := pay(), pay()
	if status, message := refund(one); status != 409 || !strings.Contains(message, "looks-before-it-refunds") || !strings.Contains(message, "within 10m") {
		t.Errorf("without a look: %d %s", status, message)
	}
	must(t, c, "GET", api+"/charges/"+one, "")
	if status, message := refund(one); status != 200 {
		t.Errorf("after a look: %d %s", status, message)
	}
	if status, _ := refund(other); status != 409 {
		t.Errorf("after a look at another charge: %d", status)
	}
	for range 10 {
		must(t, c, "GET", api+"/customers", "")
	}
	if status, _ := refund(one); status != 409 {
		t.Errorf("after a look that is too long ago: %d", status)
	}
	events, _ := h.events()
	refused := 0
	for _, e := range events {
		if x := e.Exchange; x != nil && x.Status == 409 {
			if refused++; x.Outcome != trail.Answered || x.Committed || !strings.HasPrefix(x.Note, "Out of order") {
				t.Errorf("%+v", x)
			}
		}
	}
	if refused != 3 {
		t.Errorf("%d were refused, want 3", refused)
	}
}
