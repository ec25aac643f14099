package stripe

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// captureIntent takes money that is held, all of it or a part; the rest is
// released.
func captureIntent(c *call, old *world.Record) (answer, *refusal) {
	record, _, refused := c.capture(old, "amount_to_capture")
	return answer{record: record, collection: paymentIntents}, refused
}

// captureCharge is the same by way of the intent's charge.
func captureCharge(c *call, charge *world.Record) (answer, *refusal) {
	intent, ok := c.find(paymentIntents, kit.Text(charge.Value(), "payment_intent"))
	switch {
	case charge.Value()["captured"] == true:
		return answer{}, invalid("", "charge_already_captured", "Charge %s has already been captured.", charge.ID)
	case !ok:
		return answer{}, missing(http.StatusBadRequest, intentName, kit.Text(charge.Value(), "payment_intent"), "payment_intent")
	case kit.Text(intent.Value(), "status") == requiresCapture && intent.Value()["latest_charge"] != charge.ID:
		return answer{}, invalid("", "", "Charge %s could not be captured because it is not what its PaymentIntent (%s) holds.", charge.ID, intent.ID)
	}
	_, charge, refused := c.capture(intent, "amount")
	return answer{record: charge, collection: charges}, refused
}

// capture moves an intent and its charge from held to taken.
func (c *call) capture(old *world.Record, param string) (intent, charge *world.Record, refused *refusal) {
	if status := kit.Text(old.Value(), "status"); status != requiresCapture {
		return nil, nil, wrongState(old.Value(), "This PaymentIntent could not be captured because it has a status of "+status+". Only a PaymentIntent with one of the following statuses may be captured: requires_capture.")
	}
	held, _ := old.Value()["amount_capturable"].(int64)
	amount := held
	if sent, ok := c.Input.Body[param].(int64); ok {
		amount = sent
	}
	switch {
	case amount <= 0:
		return nil, nil, unsaved(notPositive(param))
	case amount > held:
		return nil, nil, invalid(param, "amount_too_large", "The payment could not be captured because the requested capture amount is greater than the authorized amount.")
	}
	hold, ok := c.latest(old)
	if !ok {
		return nil, nil, missing(http.StatusBadRequest, "charge", kit.Text(old.Value(), "latest_charge"), "latest_charge")
	}
	value := changed(old)
	if merged, refused := c.metadata(old.Value()["metadata"]); refused != nil {
		return nil, nil, refused
	} else if c.has("metadata") {
		value["metadata"] = merged
	}
	assign(value, c.Input.Body, "application_fee_amount", "hooks", "statement_descriptor", "statement_descriptor_suffix")
	c.detail(value)
	c.transfer(value)
	value["status"], value["amount_capturable"], value["amount_received"] = succeeded, int64(0), amount

	taken := changed(hold)
	taken["captured"], taken["amount_captured"] = true, amount
	taken["amount_refunded"] = held - amount // what is released counts as refunded, as at Stripe
	taken["transfer_data"] = transferOf(value)
	if fee, ok := c.Input.Body["application_fee"]; ok { // its older name
		taken["application_fee_amount"] = fee
	}
	assign(taken, c.Input.Body, "application_fee_amount", "receipt_email", "statement_descriptor", "statement_descriptor_suffix", "transfer_group")
	taken["balance_transaction"] = c.bookCharge(taken, false)
	charge = c.update(charges, taken)
	intent = c.update(paymentIntents, value)
	c.keepFromExpiring(intent.ID)
	c.emit("charge.captured", charge.Value(), kit.Before(hold.Value(), charge.Value()))
	c.emit("payment_intent.succeeded", intent.Value(), nil)
	c.settleInvoice(intent)
	return intent, charge, nil
}

// cancelable are the states in which an intent can be given up.
func cancelable() []string {
	return []string{requiresMethod, requiresCapture, requiresConfirmation, requiresAction, processing}
}

// cancelIntent gives an intent up, and releases what it holds.
func cancelIntent(c *call, old *world.Record) (answer, *refusal) {
	status := kit.Text(old.Value(), "status")
	if !slices.Contains(cancelable(), status) {
		return answer{}, wrongState(old.Value(), "You cannot cancel this PaymentIntent because it has a status of "+status+". Only a PaymentIntent with one of the following statuses may be canceled: "+strings.Join(cancelable(), ", ")+".")
	}
	value := changed(old)
	assign(value, c.Input.Body, "cancellation_reason")
	var hold *world.Record
	if status == requiresCapture {
		hold, _ = c.latest(old)
		c.keepFromExpiring(old.ID)
	}
	record := c.giveUp(value, hold, "charge.refunded")
	return answer{record: record, collection: paymentIntents}, nil
}

// latest is the charge of an intent that has one. A planted intent may hold
// money without a charge.
func (c *call) latest(intent *world.Record) (*world.Record, bool) {
	return c.find(charges, kit.Text(intent.Value(), "latest_charge"))
}
