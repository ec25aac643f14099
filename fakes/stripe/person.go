package stripe

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

var _ fakes.Attended = (*Fake)(nil)

// What waits for a person, as acts call it.
const (
	waitsCheckout       = "checkout"
	waitsLink           = "payment_link"
	waitsInvoice        = "invoice"
	waitsAuthentication = "authentication"
	waitsOnboarding     = "onboarding"
)

// What a person does.
const (
	actComplete = "complete"
	actDecline  = "decline"
)

// The cards that people use who do not say which.
const (
	usualCard    = "pm_card_visa"
	decliningOne = "pm_card_chargeDeclined"
)

// usualEmail is whom a page is told of where nobody says an address.
const usualEmail = "customer@example.com"

// Acts lists what people do on Stripe's pages.
func (f *Fake) Acts() []fakes.Act {
	form := []string{"card", "email", "name"}
	return []fakes.Act{
		{Waits: waitsCheckout, Collection: full(checkoutSessions), Name: actComplete, Does: "fills in the page and pays, or saves the card", With: form},
		{Waits: waitsCheckout, Collection: full(checkoutSessions), Name: actDecline, Does: "pays with a card that is declined, and leaves", With: form},
		{Waits: waitsLink, Collection: full(paymentLinks), Name: actComplete, Does: "opens the link and pays", With: form},
		{Waits: waitsLink, Collection: full(paymentLinks), Name: actDecline, Does: "opens the link and pays with a card that is declined", With: form},
		{Waits: waitsInvoice, Collection: full(invoices), Name: actComplete, Does: "pays on the invoice's page", With: []string{"card"}},
		{Waits: waitsInvoice, Collection: full(invoices), Name: actDecline, Does: "pays with a card that is declined", With: []string{"card"}},
		{Waits: waitsAuthentication, Collection: full(paymentIntents), Name: actComplete, Does: "authenticates the payment"},
		{Waits: waitsAuthentication, Collection: full(paymentIntents), Name: actDecline, Does: "fails to authenticate the payment"},
		{Waits: waitsAuthentication, Collection: full(setupIntents), Name: actComplete, Does: "authenticates the card"},
		{Waits: waitsAuthentication, Collection: full(setupIntents), Name: actDecline, Does: "fails to authenticate the card"},
		{Waits: waitsOnboarding, Collection: full(accounts), Name: actComplete, Does: "tells Stripe what it wants to know of an account", With: []string{"email"}},
	}
}

// Waits tells what a page, a link, an open invoice or an intent waits for.
func (f *Fake) Waits(fc *fakes.Call, collection, id string) (fakes.Waiting, bool) {
	record, ok := fc.Tx.Get(collection, id)
	if !ok {
		return fakes.Waiting{}, false
	}
	v := record.Value()
	w := fakes.Waiting{}
	if at := whole(v["created"]); at > 0 { // a link does not say
		w.Since = time.Unix(at, 0).UTC()
	}
	switch collection {
	case full(checkoutSessions):
		w.Kind, w.URL = waitsCheckout, cast.Text(v["url"])
		w.Says = "a page of mode " + cast.Text(v["mode"])
		if currency := cast.Text(v["currency"]); currency != "" && v["amount_total"] != nil {
			w.Says += ": " + money(whole(v["amount_total"]), currency)
		}
		return w, v["status"] == "open"
	case full(paymentLinks):
		w.Kind, w.Says, w.URL = waitsLink, "a link that anybody can pay at", cast.Text(v["url"])
		return w, v["active"] == true
	case full(invoices):
		w.Kind, w.URL = waitsInvoice, cast.Text(v["hosted_invoice_url"])
		w.Says = "invoice " + cast.Text(v["number"]) + ": " + money(whole(v["amount_remaining"]), cast.Text(v["currency"]))
		return w, v["status"] == "open" && whole(v["amount_remaining"]) > 0
	case full(accounts):
		w.Kind, w.Says = waitsOnboarding, "the holder of an account of type "+cast.Text(v["type"])
		return w, v["details_submitted"] != true
	case full(paymentIntents):
		w.Says = "3-D Secure of a payment: " + money(whole(v["amount"]), cast.Text(v["currency"]))
	case full(setupIntents):
		w.Says = "3-D Secure of a card that is saved"
	default:
		return fakes.Waiting{}, false
	}
	w.Kind, w.URL = waitsAuthentication, cmp.Or(kit.Text(v, "next_action.redirect_to_url.url"), kit.Text(v, "next_action.use_stripe_sdk.stripe_js"))
	return w, v["status"] == requiresAction
}

// Do does what a person does on one of Stripe's pages.
func (f *Fake) Do(fc *fakes.Call, d fakes.Deed) (did string, err error) {
	record, ok := fc.Tx.Get(d.Collection, d.ID)
	if !ok {
		return "", fmt.Errorf("%s: %w", d.ID, fakes.ErrAct)
	}
	p := &visitor{call: &call{Call: fc, fake: f, version: f.version, attends: true}, declines: d.Act == actDecline}
	p.account = p.ownerOf(d.ID)
	if err := p.filled(d.With); err != nil {
		return "", err
	}
	switch strings.TrimPrefix(d.Collection, name+".") {
	case checkoutSessions:
		return p.payPage(record)
	case paymentLinks:
		return p.payLink(record)
	case invoices:
		return p.payInvoice(record)
	case paymentIntents:
		return p.authenticate(record)
	case setupIntents:
		return p.authenticateSetup(record)
	case accounts:
		return p.onboard(record)
	}
	return "", fakes.ErrAct
}

// A visitor is a person at one of Stripe's pages, and what they fill in.
type visitor struct {
	*call

	declines          bool
	card, email, name string
}

// filled reads what the person types.
func (p *visitor) filled(with map[string]any) error {
	p.card = usualCard
	if p.declines {
		p.card = decliningOne
	}
	for field, to := range map[string]*string{"card": &p.card, "email": &p.email, "name": &p.name} {
		if v, said := with[field]; said {
			text, ok := v.(string)
			if !ok || text == "" {
				return fmt.Errorf("%s is a text: %w", field, fakes.ErrAct)
			}
			*to = text
		}
	}
	if !strings.Contains(p.card, "_") {
		p.card = "pm_card_" + p.card
	}
	known, ok := p.fake.cards.token(p.card)
	switch {
	case !ok:
		return fmt.Errorf("%s is none of Stripe's test cards, such as pm_card_visa: %w", kit.Clip(p.card), fakes.ErrAct)
	case p.declines && !known.decline.happens():
		return fmt.Errorf("%s is not declined: name a card that is, such as %s: %w", p.card, decliningOne, fakes.ErrAct)
	case p.email != "" && !isEmail(p.email):
		return fmt.Errorf("%s is no address: %w", kit.Clip(p.email), fakes.ErrAct)
	}
	return nil
}

// method is the payment method that the person's card becomes.
func (p *visitor) method() draft {
	known, _ := p.fake.cards.token(p.card)
	value := p.cardMethod(known)
	value["billing_details"] = map[string]any{
		"address": address(map[string]any{"country": or(orNil(known.country), "US")}), "email": orNil(p.email), "name": orNil(p.name), "phone": nil, "tax_id": nil,
	}
	return draft{value: value}
}

// outcome words what came of a card.
func outcome(refused *refusal, done string) (string, error) {
	switch {
	case refused == nil:
		return done, nil
	case refused.kind == cardError:
		return "the card was declined: " + cmp.Or(refused.decline.reason, refused.code), nil
	}
	return "", errors.New(refused.message)
}

// authenticate ends the 3-D Secure of a payment.
func (p *visitor) authenticate(old *world.Record) (string, error) {
	value := changed(old)
	method, ok := p.find(paymentMethods, cast.Text(value["payment_method"]))
	if !ok {
		return "", errors.New("the card is gone")
	}
	if p.declines {
		p.failAuthentication(value, method)
		return "failed to authenticate", nil
	}
	_, refused := p.confirm(old, value, draft{method, method.Value()})
	return outcome(refused, "authenticated the payment")
}

// failAuthentication puts an intent back where it wants another card. Nothing
// was charged, so that there is no charge.
func (p *visitor) failAuthentication(value map[string]any, method *world.Record) {
	failed := &refusal{
		status: 402, kind: invalidRequest, code: "payment_intent_authentication_failure", method: method.Value(),
		message: "The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.",
	}
	value["status"], value["payment_method"], value["next_action"], value["last_payment_error"] = requiresMethod, nil, nil, failed.details()
	record := p.update(paymentIntents, value)
	p.emit("payment_intent.payment_failed", record.Value(), nil)
}

// authenticateSetup ends the 3-D Secure of a card that is saved.
func (p *visitor) authenticateSetup(old *world.Record) (string, error) {
	value := changed(old)
	method, ok := p.find(paymentMethods, cast.Text(value["payment_method"]))
	if !ok {
		return "", errors.New("the card is gone")
	}
	if p.declines {
		failed := &refusal{
			status: 402, kind: invalidRequest, code: "setup_intent_authentication_failure", method: method.Value(),
			message: "The latest attempt to set up the payment method has failed because authentication failed.",
		}
		value["status"], value["payment_method"], value["next_action"], value["last_setup_error"] = requiresMethod, nil, nil, failed.details()
		record := p.update(setupIntents, value)
		p.emit("setup_intent.setup_failed", record.Value(), nil)
		return "failed to authenticate", nil
	}
	_, refused := p.setUp(old, value, draft{method, method.Value()}, true)
	return outcome(refused, "authenticated the card")
}

// payInvoice pays an open invoice on its page.
func (p *visitor) payInvoice(old *world.Record) (string, error) {
	if _, there := p.mainPayment(old.ID); !there {
		return "", errors.New("the invoice has no payment that a card could make")
	}
	kept := p.method().keep(p.call, "")
	_, refused := p.collect(old, kept)
	return outcome(refused, "paid "+money(whole(old.Value()["amount_remaining"]), cast.Text(old.Value()["currency"])))
}
