package stripe

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

const needsReturnURL = "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents."

// confirmIntent takes the money, or holds it, or says why not.
func confirmIntent(c *call, old *world.Record) (answer, *refusal) {
	if refused := open(old); refused != nil {
		return answer{}, refused
	}
	value := changed(old)
	c.retype(value)
	if refused := c.terms(value); refused != nil {
		return answer{}, refused
	}
	if amount, ok := c.Input.Body["amount_to_confirm"].(int64); ok && value["amount"] != amount {
		return answer{}, invalid("amount_to_confirm", "", "The amount_to_confirm (%d) is not the amount of the PaymentIntent (%v).", amount, value["amount"])
	}
	method, chosen, refused := c.chosenMethod(value)
	if refused != nil {
		return answer{}, refused
	}
	if id, _ := value["payment_method"].(string); !chosen && id != "" {
		if method, refused = c.methodFor(id, "payment_method"); refused == nil {
			refused = c.usable(method, value)
		}
		if refused != nil {
			return answer{}, refused
		}
		chosen = true
	}
	if refused := c.confirmable(value, chosen); refused != nil {
		refused.intent = old.Value()
		return answer{}, refused
	}
	return c.confirm(old, value, method)
}

// open refuses to confirm an intent whose status is past that.
func open(intent *world.Record) *refusal {
	status := kit.Text(intent.Value(), "status")
	switch {
	case slices.Contains(unconfirmed(), status):
		return nil
	case status == succeeded:
		return wrongState(intent.Value(), "You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.")
	}
	return wrongState(intent.Value(), "You cannot confirm this PaymentIntent because it has a status of "+status+". Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.")
}

// confirmable refuses what is missing before any money can move.
func (c *call) confirmable(intent map[string]any, chosen bool) *refusal {
	if !chosen {
		message := "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken."
		if customer, _ := intent["customer"].(string); customer != "" {
			message = fmt.Sprintf("You cannot confirm this PaymentIntent because it's missing a payment method. To confirm the PaymentIntent with %s, specify a payment method attached to this customer along with the customer ID.", customer)
		}
		return wrongState(intent, message)
	}
	if kit.Text(intent, "automatic_payment_methods.allow_redirects") == "always" && c.text("return_url") == "" {
		return &refusal{status: http.StatusBadRequest, message: needsReturnURL}
	}
	return nil
}

// A happening is an event to write once the intent is: of the intent itself
// when object is nil.
type happening struct {
	kind   string
	object map[string]any
}

// confirm tries the method and writes the intent as it comes out. Old is nil
// when the intent is made by this very call.
func (c *call) confirm(old *world.Record, value map[string]any, method draft) (answer, *refusal) {
	kept := method.keep(c, "")
	value["payment_method"], value["status"] = kept.ID, requiresConfirmation
	value["next_action"], value["last_payment_error"] = nil, nil
	var happened []happening
	if old == nil {
		happened = append(happened, happening{"payment_intent.created", maps.Clone(value)})
	}
	more, refused := c.pay(value, kept)
	happened = append(happened, more...)
	var record *world.Record
	if old == nil {
		record = c.create(paymentIntents, value)
	} else {
		record = c.update(paymentIntents, value)
	}
	for _, one := range happened {
		if one.object == nil {
			one.object = record.Value()
		}
		c.emit(one.kind, one.object, nil)
	}
	if refused != nil {
		refused.intent = record.Value()
		return answer{}, refused
	}
	c.settleInvoice(record)
	return answer{record: record, collection: paymentIntents}, nil
}

// pay puts the card to the test and moves the intent to where that leads.
func (c *call) pay(intent map[string]any, method *world.Record) ([]happening, *refusal) {
	known := c.fake.cards.of(method)
	if known.auth && !c.attends {
		reason := c.unattended()
		if reason == nil {
			return c.challenge(intent), nil
		}
		return c.fail(intent, method, *reason)
	}
	if known.decline.happens() {
		return c.fail(intent, method, known.decline)
	}
	return c.take(intent, method, known), nil
}

// unattended tells why nobody can authenticate; nil when the customer is there
// to do it.
func (c *call) unattended() *decline {
	no := decline{code: authenticationCode}
	switch away := c.Input.Body["off_session"]; {
	case c.away:
		no.reason = authenticationCode
		no.message = "Your card was declined. This transaction requires authentication."
	case c.flag("error_on_requires_action"):
		no.reason = "authentication_not_handled"
		no.message = "This payment required an authentication action to complete, but `error_on_requires_action` was set. When you're ready, you can upgrade your integration to handle actions at https://stripe.com/docs/payments/payment-intents/upgrade-to-handle-actions."
	case away == true, away == "one_off", away == "recurring":
		no.reason = authenticationCode
		no.message = "Your card was declined. This transaction requires authentication."
	default:
		return nil
	}
	return &no
}

// challenge leaves the intent waiting for its customer to authenticate.
func (c *call) challenge(intent map[string]any) []happening {
	source := c.NewID("src_1", 23)
	secret := kit.Text(intent, "client_secret")
	intent["status"] = requiresAction
	if back := c.text("return_url"); back != "" {
		intent["next_action"] = map[string]any{"type": "redirect_to_url", "redirect_to_url": map[string]any{
			"return_url": back,
			"url":        "https://hooks.stripe.com/3d_secure_2/hosted?payment_intent=" + kit.Text(intent, "id") + "&payment_intent_client_secret=" + secret + "&source=" + source,
		}}
	} else {
		intent["next_action"] = map[string]any{"type": "use_stripe_sdk", "use_stripe_sdk": map[string]any{
			"type": "three_d_secure_redirect", "source": source,
			"stripe_js": "https://hooks.stripe.com/redirect/authenticate/" + source + "?client_secret=" + secret,
		}}
	}
	return []happening{{kind: "payment_intent.requires_action"}}
}

// fail records a declined charge; the intent wants another method.
func (c *call) fail(intent map[string]any, method *world.Record, why decline) ([]happening, *refusal) {
	charge := c.create(charges, c.failedCharge(intent, method, why))
	refused := declined(why)
	refused.anyParam = false
	refused.charge, refused.method = charge.ID, method.Value()
	intent["status"], intent["payment_method"] = requiresMethod, nil
	intent["latest_charge"], intent["last_payment_error"] = charge.ID, refused.details()
	return []happening{
		{"charge.failed", charge.Value()}, {kind: "payment_intent.payment_failed"},
	}, refused
}

// take charges the card: at once, or as a hold to be captured.
func (c *call) take(intent map[string]any, method *world.Record, known card) []happening {
	amount, _ := intent["amount"].(int64)
	hold := intent["capture_method"] == "manual"
	charge := c.create(charges, c.goodCharge(intent, method, known, hold))
	intent["latest_charge"] = charge.ID
	happened := []happening{{"charge.succeeded", charge.Value()}}
	if dispute, ok := c.find(disputes, cast.Text(charge.Value()["dispute"])); ok {
		happened = append(happened, happening{"charge.dispute.created", dispute.Value()})
		if !known.inquiry {
			happened = append(happened, happening{"charge.dispute.funds_withdrawn", dispute.Value()})
		}
	}
	if hold {
		intent["status"], intent["amount_capturable"] = requiresCapture, amount
		c.expireLater(kit.Text(intent, "id"))
		happened = append(happened, happening{kind: "payment_intent.amount_capturable_updated"})
	} else {
		intent["status"], intent["amount_received"] = succeeded, amount
		happened = append(happened, happening{kind: "payment_intent.succeeded"})
	}
	if method.Value()["customer"] != nil {
		return happened
	}
	owner, ok := c.find(customers, kit.Text(intent, "customer"))
	if !ok || deleted(owner) || intent["setup_future_usage"] == nil {
		c.spend(method.ID)
		return happened
	}
	saved := draft{method, method.Value()}.keep(c, owner.ID)
	return append(happened, happening{"payment_method.attached", saved.Value()})
}
