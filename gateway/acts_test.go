package gateway_test

import (
	"errors"
	"net/http"
	"testing"

	"parity/fakes/cast"
	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
)

// shoppers is a profile in which each third page is paid with a card that is declined.
const shoppers = `
profile: shop
seed: 7
services: {stripe: {}}
clock: {mode: stepped, start: 2026-03-02T13:00:00Z}
people:
  poor: {service: stripe, waits: checkout, does: decline, after: 2s, every: 3, with: {card: pm_card_chargeDeclinedInsufficientFunds}}
  shopper: {service: stripe, waits: checkout, does: complete, after: 2s, with: {email: ada@acme.example}}
`

const beans = "mode=payment&success_url=https://shop.example/ok&line_items[0][price_data][currency]=usd&line_items[0][price_data][unit_amount]=4900&line_items[0][price_data][product_data][name]=Beans&line_items[0][quantity]=1"

// Whoever stands in comes by the run's clock to what began to wait, once, and an
// operator does what nobody else does; a record of both is decided again to the
// byte.
func TestPeopleComeToWhatWaits(t *testing.T) {
	t.Parallel()
	h := open(t, shoppers, func(s *gateway.Settings) { s.Token = controlToken })
	c := h.proxied(false)
	post := func(path, form string) string {
		t.Helper()
		status, body, _, err := call(t, c, http.MethodPost, "https://api.stripe.com"+path, form)
		if err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %v %s", path, status, err, body)
		}
		return cast.Text(body["id"])
	}
	var pages []string
	for range 4 {
		pages = append(pages, post("/v1/checkout/sessions", beans))
	}
	intent := post("/v1/payment_intents", "amount=2000&currency=usd&confirm=true&payment_method=pm_card_authenticationRequired&return_url=https://shop.example/back")
	for range 4 {
		_, _, _, _ = call(t, c, http.MethodGet, "https://api.stripe.com/v1/charges", "") // a second each
	}
	status := func(path string) string {
		_, body, _, _ := call(t, c, http.MethodGet, "https://api.stripe.com"+path, "")
		return cast.Text(body["status"])
	}
	for i, page := range pages {
		want := "complete"
		if i == 2 {
			want = "open"
		}
		if got := status("/v1/checkout/sessions/" + page); got != want {
			t.Errorf("page %d is %s, want %s", i, got, want)
		}
	}
	k, err := client.New(client.Options{URL: "http://" + h.Control(), Token: controlToken})
	if err != nil {
		t.Fatal(err)
	}
	acted, err := k.Act(t.Context(), h.Run.ID, client.NewAct{ID: intent, Act: "complete", By: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	if got := status("/v1/payment_intents/" + intent); got != "succeeded" || acted.Event == 0 {
		t.Errorf("the payment is %s after %+v", got, acted)
	}
	agents, err := client.New(client.Options{URL: "http://" + h.Control(), Token: h.Run.Token})
	if err != nil {
		t.Fatal(err)
	}
	_, err = agents.Act(t.Context(), h.Run.ID, client.NewAct{ID: pages[2], Act: "complete", By: "agent"})
	if e, ok := errors.AsType[*client.Error](err); !ok || e.Status != http.StatusForbidden {
		t.Errorf("the agent stood in for a person: %v", err)
	}
	stood, acts := 0, 0
	events, _ := h.events()
	for i := range events {
		if e := &events[i]; e.Act != nil {
			acts++
			if e.Kind == trail.Fired && e.Act.By.Kind == trail.ByRehearsed {
				stood++
			}
		}
	}
	if stood != 4 || acts != 5 {
		t.Errorf("%d acts, %d of them by those who stand in", acts, stood)
	}
	h.repeats()
}
