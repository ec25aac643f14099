package stripe_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

const (
	sessionsAt = "stripe.checkout_sessions"
	intentsAt  = "stripe.payment_intents"
)

// acts has a person do something, and gives the types of the events that it made,
// oldest first.
func (s shop) acts(act, collection, id string, with map[string]any) (did string, kinds []string) {
	s.T.Helper()
	before := len(s.kinds())
	did, err := s.Act(act, collection, id, with)
	if err != nil {
		s.T.Fatal(err)
	}
	kinds = s.kinds()
	kinds = kinds[:len(kinds)-before]
	slices.Reverse(kinds)
	return did, kinds
}

func (s shop) saw(kinds []string, want ...string) {
	s.T.Helper()
	if got := strings.Join(kinds, " "); got != strings.Join(want, " ") {
		s.T.Errorf("events\n got %s\nwant %s", got, strings.Join(want, " "))
	}
}

const beansPage = "mode=payment&success_url=https://shop.example/ok&line_items[0][price_data][currency]=usd&line_items[0][price_data][unit_amount]=4900&line_items[0][price_data][product_data][name]=Beans&line_items[0][quantity]=1"

func TestAPersonPaysACheckoutPage(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	id := s.make("/v1/checkout/sessions", beansPage+"&payment_intent_data[metadata][order]=7&payment_intent_data[description]=Order+7&metadata[order]=7")
	if got := s.Waits("checkout"); !slices.Equal(got, []string{id}) {
		t.Fatalf("waits: %v", got)
	}

	did, kinds := s.acts("decline", sessionsAt, id, map[string]any{"card": "chargeDeclinedInsufficientFunds"})
	if !strings.Contains(did, "insufficient_funds") {
		t.Errorf("declined: %q", did)
	}
	s.saw(kinds, "payment_intent.created", "charge.failed", "payment_intent.payment_failed")
	failed := s.get("/v1/checkout/sessions/" + id)
	faketest.Want(t, failed, map[string]any{"status": "open", "payment_status": "unpaid"})
	intent := failed.Text("payment_intent")
	faketest.Want(t, s.get("/v1/payment_intents/"+intent), map[string]any{"status": "requires_payment_method", "last_payment_error.decline_code": "insufficient_funds"})

	_, kinds = s.acts("complete", sessionsAt, id, map[string]any{"email": "ann@example.com", "name": "Ann", "card": "threeDSecureRequired"})
	s.saw(kinds, "charge.succeeded", "payment_intent.succeeded", "checkout.session.completed")
	faketest.Want(t, s.get("/v1/checkout/sessions/"+id), map[string]any{
		"status": "complete", "payment_status": "paid", "payment_intent": intent, "customer": nil, "url": nil, "customer_details.email": "ann@example.com", "customer_details.name": "Ann",
	})
	faketest.Want(t, s.get("/v1/payment_intents/"+intent), map[string]any{"status": "succeeded", "amount_received": 4900.0, "metadata.order": "7", "description": "Order 7", "last_payment_error": nil})
	if got := s.Waits("checkout"); len(got) > 0 {
		t.Errorf("it waits when it is paid: %v", got)
	}
	s.Wait(25 * time.Hour)
	faketest.Want(t, s.get("/v1/checkout/sessions/"+id), map[string]any{"status": "complete"})
}

func TestAPersonSubscribesAndSavesACardOnAPage(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	id := s.make("/v1/checkout/sessions", "mode=subscription&success_url=https://shop.example/ok&line_items[0][price]="+s.monthly+"&line_items[0][quantity]=2&subscription_data[metadata][plan]=basic")
	if did, _ := s.acts("decline", sessionsAt, id, nil); !strings.Contains(did, "generic_decline") {
		t.Errorf("declined: %q", did)
	}
	faketest.Want(t, s.get("/v1/checkout/sessions/"+id), map[string]any{"status": "open", "subscription": nil, "customer": nil})
	_, kinds := s.acts("complete", sessionsAt, id, map[string]any{"email": "bob@example.com"})
	if kinds[0] != "customer.created" || kinds[len(kinds)-1] != "checkout.session.completed" || !slices.Contains(kinds, "customer.subscription.created") || !slices.Contains(kinds, "invoice.paid") {
		t.Errorf("events: %v", kinds)
	}
	paid := s.get("/v1/checkout/sessions/" + id)
	faketest.Want(t, paid, map[string]any{"status": "complete", "payment_status": "paid", "payment_intent": nil})
	faketest.Want(t, s.get("/v1/subscriptions/"+paid.Text("subscription")), map[string]any{
		"status": "active", "customer": paid.Text("customer"), "metadata.plan": "basic", "items.data.0.quantity": 2.0, "latest_invoice": paid.Text("invoice"),
	})
	faketest.Want(t, s.get("/v1/invoices/"+paid.Text("invoice")), map[string]any{"status": "paid", "amount_paid": 2000.0})

	setup := s.make("/v1/checkout/sessions", "mode=setup&currency=usd&success_url=https://shop.example/ok&customer="+s.customer)
	_, kinds = s.acts("complete", sessionsAt, setup, nil)
	s.saw(kinds, "setup_intent.succeeded", "payment_method.attached", "checkout.session.completed")
	done := s.get("/v1/checkout/sessions/" + setup)
	faketest.Want(t, done, map[string]any{"status": "complete", "payment_status": "no_payment_required"})
	faketest.Want(t, s.get("/v1/setup_intents/"+done.Text("setup_intent")), map[string]any{"status": "succeeded", "customer": s.customer})
}

func TestAPersonPaysAtALink(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	price := s.make("/v1/prices", "product="+s.product+"&currency=usd&unit_amount=1500")
	link := s.make("/v1/payment_links", "line_items[0][price]="+price+"&line_items[0][quantity]=2&metadata[campaign]=may&payment_intent_data[metadata][from]=link")
	for range 2 {
		s.acts("complete", "stripe.payment_links", link, nil)
	}
	made := s.get("/v1/checkout/sessions?payment_link=" + link)
	if made.Len("data") != 2 {
		t.Fatalf("sessions: %s", made.Body)
	}
	faketest.Want(t, made, map[string]any{"data.0.status": "complete", "data.0.amount_total": 3000.0, "data.0.metadata.campaign": "may", "data.0.payment_link": link})
	faketest.Want(t, s.get("/v1/payment_intents/"+made.Text("data.0.payment_intent")), map[string]any{"status": "succeeded", "metadata.from": "link"})
	s.post("/v1/payment_links/"+link, "active=false")
	if got := s.Waits("payment_link"); len(got) > 0 {
		t.Errorf("a link that is off waits: %v", got)
	}
}

func TestAPersonAuthenticates(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	for _, one := range []struct {
		card, act, status, error string
		kinds                    []string
	}{
		{"pm_card_authenticationRequired", "complete", "succeeded", "", []string{"charge.succeeded", "payment_intent.succeeded"}},
		{"pm_card_authenticationRequired", "decline", "requires_payment_method", "payment_intent_authentication_failure", []string{"payment_intent.payment_failed"}},
		{"pm_card_authenticationRequiredChargeDeclinedInsufficientFunds", "complete", "requires_payment_method", "card_declined", []string{"charge.failed", "payment_intent.payment_failed"}},
	} {
		id := s.make("/v1/payment_intents", "amount=2000&currency=usd&confirm=true&payment_method="+one.card+"&return_url=https://shop.example/back")
		_, kinds := s.acts(one.act, intentsAt, id, nil)
		s.saw(kinds, one.kinds...)
		now := s.get("/v1/payment_intents/" + id)
		if now.Text("status") != one.status || now.Text("last_payment_error.code") != one.error || now.At("next_action") != nil {
			t.Errorf("%s %s: %s", one.card, one.act, now.Body)
		}
	}
	setup := s.make("/v1/setup_intents", "confirm=true&payment_method=pm_card_authenticationRequired&customer="+s.customer+"&return_url=https://shop.example/back")
	_, kinds := s.acts("decline", "stripe.setup_intents", setup, nil)
	s.saw(kinds, "setup_intent.setup_failed")
	faketest.Want(t, s.get("/v1/setup_intents/"+setup), map[string]any{"status": "requires_payment_method", "last_setup_error.code": "setup_intent_authentication_failure"})

	subscription := s.post("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly+"&payment_behavior=default_incomplete&expand[]=latest_invoice")
	s.acts("complete", "stripe.invoices", subscription.Text("latest_invoice.id"), nil)
	faketest.Want(t, s.get("/v1/subscriptions/"+subscription.Text("id")), map[string]any{"status": "active"})

	if _, err := s.Act("complete", sessionsAt, s.make("/v1/checkout/sessions", beansPage), map[string]any{"card": "pm_card_nobody"}); err == nil {
		t.Error("a card that there is not was taken")
	}
}
