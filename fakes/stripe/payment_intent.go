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

// The states of a payment intent.
const (
	requiresMethod       = "requires_payment_method"
	requiresConfirmation = "requires_confirmation"
	requiresAction       = "requires_action"
	requiresCapture      = "requires_capture"
	processing           = "processing"
	succeeded            = "succeeded"
	canceled             = "canceled"
)

const intentName = "payment_intent" // as errors call it

// automaticSince is the version from which an intent that names no kinds of
// payment method takes all that the dashboard enables.
// Source: docs.stripe.com/upgrades, 2023-08-16.
const automaticSince = "2023-08-16"

func listIntents(c *call) (answer, *refusal) {
	if id := c.query("customer"); id != "" {
		if _, ok := c.find(customers, id); !ok {
			return answer{}, missing(http.StatusBadRequest, "customer", id, "customer")
		}
	}
	return c.list(paymentIntents, intentName, nil, "customer", "customer_account")
}

func createIntent(c *call) (answer, *refusal) {
	value, refused := c.newIntent()
	if refused != nil {
		return answer{}, refused
	}
	method, chosen, refused := c.chosenMethod(value)
	if refused != nil {
		return answer{}, refused
	}
	if !c.flag("confirm") {
		if chosen {
			value["payment_method"] = method.keep(c, "").ID
			value["status"] = requiresConfirmation
		}
		record := c.create(paymentIntents, value)
		c.emit("payment_intent.created", record.Value(), nil)
		return answer{record: record, collection: paymentIntents}, nil
	}
	if refused := c.confirmable(value, chosen); refused != nil {
		refused.intent = nil // it was never made
		return answer{}, refused
	}
	return c.confirm(nil, value, method)
}

// newIntent is the intent that the body asks for, before any money moves.
func (c *call) newIntent() (map[string]any, *refusal) {
	currency, refused := currencyOf(c.text("currency"))
	if refused != nil {
		return nil, refused
	}
	amount, _ := c.Input.Body["amount"].(int64)
	if refused := payable(amount, currency); refused != nil {
		return nil, refused
	}
	value := c.bareIntent(c.NewID("pi_3", 23), amount, currency)
	assign(value, c.Input.Body, "confirmation_method", "on_behalf_of")
	if refused := c.accept(value); refused != nil {
		return nil, refused
	}
	return value, c.terms(value)
}

// bareIntent is an intent of which nothing is said but its amount.
func (c *call) bareIntent(id string, amount int64, currency string) map[string]any {
	value := maps.Clone(c.fake.blank.intent)
	value["id"], value["amount"], value["currency"], value["created"] = id, amount, currency, c.now()
	value["client_secret"], value["application"] = id+"_secret_"+c.NewID("", 25), c.setting("application", nil)
	return value
}

// blankIntent is an intent of which nothing is said. What differs is nil.
func blankIntent() map[string]any {
	return map[string]any{
		"id": nil, "object": "payment_intent", "allowed_payment_method_types": nil, "amount": nil, "amount_capturable": int64(0),
		"amount_details": map[string]any{"tip": map[string]any{}}, "amount_received": int64(0),
		"application": nil, "application_fee_amount": nil, "automatic_payment_methods": nil,
		"canceled_at": nil, "cancellation_reason": nil, "capture_method": "automatic_async",
		"client_secret": nil, "confirmation_method": "automatic",
		"created": nil, "currency": nil, "customer": nil, "customer_account": nil,
		"description": nil, "excluded_payment_method_types": nil, "last_payment_error": nil,
		"latest_charge": nil, "livemode": false, "managed_payments": nil, "metadata": map[string]any{}, "next_action": nil,
		"on_behalf_of": nil, "payment_method": nil, "payment_method_configuration_details": nil,
		"payment_method_options": map[string]any{}, "payment_method_types": []any{"card"},
		"processing": nil, "receipt_email": nil, "review": nil, "setup_future_usage": nil,
		"shipping": nil, "source": nil, "statement_descriptor": nil, "statement_descriptor_suffix": nil,
		"status": requiresMethod, "transfer_data": nil, "transfer_group": nil,
	}
}

// accept decides which kinds of payment method an intent takes.
func (c *call) accept(value map[string]any) *refusal {
	automatic, named := c.Input.Body["automatic_payment_methods"].(map[string]any)
	kinds, listed := c.Input.Body["payment_method_types"].([]any)
	enabled, _ := automatic["enabled"].(bool)
	switch {
	case enabled && listed:
		return unsaved(invalid("", "", "You may only specify one of these parameters: automatic_payment_methods, payment_method_types."))
	case listed:
		value["payment_method_types"] = kinds
	case enabled, !named && c.version >= automaticSince:
		redirects, _ := automatic["allow_redirects"].(string)
		if redirects == "" {
			redirects = "always"
		}
		value["automatic_payment_methods"] = map[string]any{"allow_redirects": redirects, "enabled": true}
		value["payment_method_types"] = []any{"card", "link"}
	}
	if value["automatic_payment_methods"] != nil {
		value["payment_method_configuration_details"] = map[string]any{"id": configuration, "parent": nil}
	}
	where := "automatic"
	if value["object"] == "setup_intent" {
		where = "setup"
	}
	if value["automatic_payment_methods"] != nil && c.kindsFor(where, value) {
		return nil
	}
	kinds, _ = value["payment_method_types"].([]any)
	c.takes(value, kinds)
	return nil
}

// takes says which kinds of payment method an intent takes, and how.
func (c *call) takes(value map[string]any, kinds []any) {
	options := map[string]any{}
	if slices.Contains(kinds, any("card")) {
		options["card"] = map[string]any{
			"installments": nil, "mandate_options": nil, "network": nil, "request_three_d_secure": "automatic",
		}
	}
	if slices.Contains(kinds, any("link")) {
		options["link"] = map[string]any{"persistent_token": nil}
	}
	value["payment_method_types"], value["payment_method_options"] = kinds, options
}

// terms lays over an intent what creating, changing and confirming share.
func (c *call) terms(value map[string]any) *refusal {
	body := c.Input.Body
	assign(value, body, "allowed_payment_method_types", "application_fee_amount", "capture_method", "description",
		"excluded_payment_method_types", "hooks", "receipt_email", "setup_future_usage",
		"statement_descriptor", "statement_descriptor_suffix", "transfer_group")
	if email, _ := value["receipt_email"].(string); email != "" && !isEmail(email) {
		return unsaved(invalid("receipt_email", "email_invalid", "Invalid email address: %s", email))
	}
	if sent, ok := body["shipping"]; ok {
		value["shipping"] = shipping(sent, "carrier", "tracking_number")
	}
	c.detail(value)
	c.transfer(value)
	c.options(value)
	if id := c.text("customer"); id != "" {
		customer, refused := c.live(theCustomer, id, http.StatusBadRequest, "customer")
		if refused != nil {
			return refused
		}
		value["customer"] = customer.ID
	}
	if c.has("transfer_data") || c.has("application_fee_amount") || c.has("on_behalf_of") {
		if refused := c.shares(value); refused != nil {
			return refused
		}
	}
	return c.setMetadata(value, value["metadata"])
}

// retype changes the kinds of payment method that an intent takes.
func (c *call) retype(value map[string]any) {
	if kinds, ok := c.Input.Body["payment_method_types"].([]any); ok {
		value["payment_method_types"], value["automatic_payment_methods"] = kinds, nil
	}
}

// detail merges payment_details, which are absent when unset.
func (c *call) detail(value map[string]any) {
	sent, ok := c.Input.Body["payment_details"]
	if !ok {
		return
	}
	old, _ := value["payment_details"].(map[string]any)
	if value["payment_details"] = kit.Merge(old, sent); sent == "" {
		delete(value, "payment_details")
	}
}

// transfer lays transfer_data over a record that has some, or over one that it
// gives a destination. What is unset in it is absent, where others are null.
func (c *call) transfer(value map[string]any) {
	sent, ok := c.Input.Body["transfer_data"].(map[string]any)
	if !ok {
		return
	}
	old, _ := value["transfer_data"].(map[string]any)
	data := kit.Merge(old, sent)
	if tags, ok := sent["metadata"]; ok {
		data["metadata"] = kit.Merge(cast.Object(old["metadata"]), tags)
	}
	if data["destination"] != nil {
		value["transfer_data"] = data
	}
}

// options merges payment_method_options, kind by kind.
func (c *call) options(value map[string]any) {
	sent, ok := c.Input.Body["payment_method_options"].(map[string]any)
	if !ok {
		return
	}
	options := map[string]any{}
	if old, ok := value["payment_method_options"].(map[string]any); ok {
		options = maps.Clone(old)
	}
	for kind, settings := range sent {
		given, ok := settings.(map[string]any)
		switch {
		case ok:
			options[kind] = kit.Merge(cast.Object(options[kind]), given)
		case settings == "":
			delete(options, kind)
		}
	}
	value["payment_method_options"] = options
}

// chosenMethod finds or makes the payment method that the body names, if any,
// and refuses one that this intent cannot use.
func (c *call) chosenMethod(intent map[string]any) (method draft, chosen bool, refused *refusal) {
	data, given := c.Input.Body["payment_method_data"].(map[string]any)
	switch id := c.text("payment_method"); {
	case id != "":
		method, refused = c.methodFor(id, "payment_method")
	case given:
		method, refused = c.methodFrom(data, "payment_method_data.")
	case c.text("confirmation_token") != "":
		return draft{}, false, missing(http.StatusBadRequest, "confirmation_token", c.text("confirmation_token"), "confirmation_token")
	default:
		return draft{}, false, nil
	}
	if refused == nil {
		refused = c.usable(method, intent)
	}
	return method, true, refused
}

// usable refuses a method that is spent, that is someone else's, or that the
// intent does not take.
func (c *call) usable(method draft, intent map[string]any) *refusal {
	kinds, _ := intent["payment_method_types"].([]any)
	owner := method.value["customer"]
	switch {
	case !slices.Contains(kinds, method.value["type"]):
		return invalid("payment_method", "", "The PaymentMethod provided (%v) is not allowed for this PaymentIntent. Please attach a PaymentMethod of one of the following types: %s.", method.value["type"], joined(kinds))
	case owner != nil && intent["customer"] == nil:
		return invalid("payment_method", "", "The provided PaymentMethod (%s) belongs to the Customer %v. Please include the Customer in the `customer` parameter on the PaymentIntent.", method.id(), owner)
	case owner != nil && owner != intent["customer"]:
		return invalid("payment_method", "", "The provided PaymentMethod (%s) does not belong to the supplied Customer (%v).", method.id(), intent["customer"])
	case c.spent(method.id()):
		return invalid("payment_method", "", spentPay)
	}
	return nil
}

func joined(kinds []any) string {
	names := make([]string, 0, len(kinds))
	for _, kind := range kinds {
		if text, ok := kind.(string); ok {
			names = append(names, text)
		}
	}
	return strings.Join(names, ", ")
}

// unconfirmed are the states in which an intent can still be changed.
func unconfirmed() []string { return []string{requiresMethod, requiresConfirmation, requiresAction} }

// updateIntent changes an intent. What decides about money can only change
// until it is confirmed.
func updateIntent(c *call, old *world.Record) (answer, *refusal) {
	status := kit.Text(old.Value(), "status")
	if !slices.Contains(unconfirmed(), status) {
		if refused := c.settled(old, status); refused != nil {
			return answer{}, refused
		}
	}
	value := changed(old)
	if refused := c.revalue(value); refused != nil {
		return answer{}, refused
	}
	c.retype(value)
	if refused := c.terms(value); refused != nil {
		return answer{}, refused
	}
	method, chosen, refused := c.chosenMethod(value)
	if refused != nil {
		return answer{}, refused
	}
	switch {
	case chosen:
		value["payment_method"] = method.keep(c, "").ID
		value["status"], value["next_action"] = requiresConfirmation, nil
	case c.Input.Body["payment_method"] == "":
		value["payment_method"] = nil
		value["status"], value["next_action"] = requiresMethod, nil
	}
	return answer{record: c.update(paymentIntents, value), collection: paymentIntents}, nil
}

// settled refuses to change what a confirmed intent has fixed.
func (c *call) settled(old *world.Record, status string) *refusal {
	for _, field := range []string{"amount", "currency", "customer", "payment_method", "payment_method_data", "payment_method_types", "capture_method", "setup_future_usage", "application_fee_amount"} {
		if c.has(field) {
			return wrongState(old.Value(), "This PaymentIntent's "+field+" could not be updated because it has a status of "+status+
				". You may only update the "+field+" of a PaymentIntent with one of the following statuses: "+strings.Join(unconfirmed(), ", ")+".")
		}
	}
	return nil
}

// revalue changes amount and currency, which are judged together.
func (c *call) revalue(value map[string]any) *refusal {
	if !c.has("amount") && !c.has("currency") {
		return nil
	}
	if sent := c.text("currency"); sent != "" {
		currency, refused := currencyOf(sent)
		if refused != nil {
			return refused
		}
		value["currency"] = currency
	}
	if amount, ok := c.Input.Body["amount"].(int64); ok {
		value["amount"] = amount
	}
	return payable(cast.Int(value["amount"]), kit.Text(value, "currency"))
}
