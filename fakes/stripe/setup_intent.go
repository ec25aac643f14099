package stripe

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

const setupName = "setupintent" // as errors call it

func listSetups(c *call) (answer, *refusal) {
	return c.list(setupIntents, setupName, c.flags(nil, "attach_to_self"), "customer", "payment_method")
}

func createSetup(c *call) (answer, *refusal) {
	id := c.NewID("seti_1", 23)
	value := map[string]any{
		"id": id, "object": "setup_intent", "allowed_payment_method_types": nil, "application": nil, "automatic_payment_methods": nil, "cancellation_reason": nil,
		"client_secret": id + "_secret_" + c.NewID("", 31), "created": c.now(), "customer": nil, "customer_account": nil, "description": nil,
		"excluded_payment_method_types": nil, "flow_directions": nil, "last_setup_error": nil, "latest_attempt": nil, "livemode": false, "managed_payments": nil,
		"mandate": nil, "metadata": map[string]any{}, "next_action": nil, "on_behalf_of": nil, "payment_method": nil,
		"payment_method_configuration_details": nil, "payment_method_options": map[string]any{}, "payment_method_types": []any{"card"},
		"single_use_mandate": nil, "status": requiresMethod, "usage": "off_session",
	}
	assign(value, c.Input.Body, "usage", "on_behalf_of")
	if refused := c.accept(value); refused != nil {
		return answer{}, refused
	}
	if card := cast.Object(cast.Object(value["payment_method_options"])["card"]); card != nil {
		options := maps.Clone(cast.Object(value["payment_method_options"]))
		card = maps.Clone(card)
		delete(card, "installments") // intents of payment alone have it
		options["card"], value["payment_method_options"] = card, options
	}
	if refused := c.setupTerms(value); refused != nil {
		return answer{}, refused
	}
	method, chosen, refused := c.chosenMethod(value)
	if refused != nil {
		return answer{}, refused
	}
	if !c.flag("confirm") {
		if chosen {
			value["payment_method"], value["status"] = method.keep(c, "").ID, requiresConfirmation
		}
		record := c.create(setupIntents, value)
		c.emit("setup_intent.created", record.Value(), nil)
		return answer{record: record, collection: setupIntents}, nil
	}
	return c.setUp(nil, value, method, chosen)
}

// configuration is the account's choice of payment methods.
const configuration = "pmc_1ParityRehearsalDefault"

// setupTerms lays over a setup intent what creating and changing share.
func (c *call) setupTerms(value map[string]any) *refusal {
	assign(value, c.Input.Body, "allowed_payment_method_types", "attach_to_self", "description", "excluded_payment_method_types", "flow_directions")
	c.options(value)
	if id := c.text("customer"); id != "" {
		customer, refused := c.live(theCustomer, id, http.StatusBadRequest, "customer")
		if refused != nil {
			return refused
		}
		value["customer"] = customer.ID
	}
	return c.setMetadata(value, value["metadata"])
}

func updateSetup(c *call, old *world.Record) (answer, *refusal) {
	value := changed(old)
	c.retype(value)
	if refused := c.setupTerms(value); refused != nil {
		return answer{}, refused
	}
	method, chosen, refused := c.chosenMethod(value)
	if refused != nil {
		return answer{}, refused
	}
	if chosen {
		value["payment_method"], value["status"], value["next_action"] = method.keep(c, "").ID, requiresConfirmation, nil
	}
	return answer{record: c.update(setupIntents, value), collection: setupIntents}, nil
}

// openSetup finds the setup intent that the path names, if it is not done.
func (c *call) openSetup(what string) (*world.Record, *refusal) {
	old, refused := theSetup.find(c)
	if refused != nil {
		return nil, refused
	}
	status := cast.Text(old.Value()["status"])
	if !slices.Contains(unconfirmed(), status) {
		r := invalid("", "setup_intent_unexpected_state", "You cannot %s this SetupIntent because it has a status of %s. Only a SetupIntent with one of the following statuses may be %s: %s.",
			map[string]string{"updated": "update", "confirmed": "confirm", "canceled": "cancel"}[what], status, what, strings.Join(unconfirmed(), ", "))
		if status == succeeded && what == "confirmed" {
			r.message = "You cannot confirm this SetupIntent because it has already succeeded."
		}
		r.setup = old.Value()
		return nil, r
	}
	return old, nil
}

// onSetup answers a call that does something to an open setup intent.
func onSetup(what string, act func(*call, *world.Record) (answer, *refusal)) handler {
	return kit.With(func(c *call) (*world.Record, *refusal) { return c.openSetup(what) }, act)
}

func confirmSetup(c *call, old *world.Record) (answer, *refusal) {
	value := changed(old)
	c.options(value)
	method, chosen, refused := c.chosenMethod(value)
	if refused != nil {
		return answer{}, refused
	}
	if id := cast.Text(value["payment_method"]); !chosen && id != "" {
		if method, refused = c.methodFor(id, "payment_method"); refused != nil {
			return answer{}, refused
		}
		chosen = true
	}
	return c.setUp(old, value, method, chosen)
}

// setUp tries the method, and gives it to the customer.
func (c *call) setUp(old *world.Record, value map[string]any, method draft, chosen bool) (answer, *refusal) {
	if !chosen {
		r := invalid("", "setup_intent_unexpected_state", "You cannot confirm this SetupIntent because it's missing a payment method. Update the SetupIntent with a payment method and then confirm it again.")
		if old != nil {
			r.setup = old.Value()
		}
		return answer{}, r
	}
	if kit.Text(value, "automatic_payment_methods.allow_redirects") == "always" && c.text("return_url") == "" {
		return answer{}, &refusal{status: http.StatusBadRequest, message: needsReturnURL}
	}
	known := c.fake.cards.of(world.Loose("", method.value))
	value["latest_attempt"], value["last_setup_error"], value["next_action"] = c.NewID("setatt_1", 23), nil, nil
	var failed *refusal
	event := "setup_intent.succeeded"
	switch {
	case known.decline.happens() && !known.attach:
		failed = declined(known.decline)
		failed.anyParam = false
		value["status"], value["payment_method"], event = requiresMethod, nil, "setup_intent.setup_failed"
	case known.auth && !c.attends:
		value["payment_method"], event = method.keep(c, "").ID, "setup_intent.requires_action"
		c.challenge(value)
	default:
		value["status"], value["payment_method"] = succeeded, method.keep(c, cast.Text(value["customer"])).ID
	}
	if failed != nil {
		failed.method = method.value
		value["last_setup_error"] = failed.details()
	}
	write := c.update
	if old == nil {
		write = c.create
	}
	record := write(setupIntents, value)
	if old == nil {
		c.emit("setup_intent.created", record.Value(), nil)
	}
	c.emit(event, record.Value(), nil)
	if failed != nil {
		failed.setup = record.Value()
		return answer{}, failed
	}
	if record.Value()["status"] == succeeded && record.Value()["customer"] != nil && method.value["customer"] == record.Value()["customer"] && method.record == nil {
		if kept, ok := c.find(paymentMethods, cast.Text(record.Value()["payment_method"])); ok {
			c.emit("payment_method.attached", kept.Value(), nil)
		}
	}
	return answer{record: record, collection: setupIntents}, nil
}

func cancelSetup(c *call, old *world.Record) (answer, *refusal) {
	value := changed(old)
	assign(value, c.Input.Body, "cancellation_reason")
	value["status"], value["next_action"] = canceled, nil
	record := c.update(setupIntents, value)
	c.emit("setup_intent.canceled", record.Value(), nil)
	return answer{record: record, collection: setupIntents}, nil
}
