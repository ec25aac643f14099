package stripe

import (
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func listRefunds(c *call) (answer, *refusal) {
	if id := c.query("charge"); id != "" {
		if _, ok := c.find(charges, id); !ok {
			return answer{}, missing(http.StatusNotFound, "charge", id, "charge")
		}
	}
	if id := c.query("payment_intent"); id != "" {
		if _, ok := c.find(paymentIntents, id); !ok {
			return answer{}, missing(http.StatusNotFound, intentName, id, "payment_intent")
		}
	}
	return c.list(refunds, "refund", nil, "charge", "payment_intent")
}

// createRefund gives money back, all that is left or a part of it.
func createRefund(c *call, charge *world.Record) (answer, *refusal) {
	amount, refused := c.refundAmount(charge)
	if refused != nil {
		return answer{}, refused
	}
	tags, refused := c.metadata(nil)
	if refused != nil {
		return answer{}, refused
	}
	status, ends := succeeded, false
	if method, ok := c.find(paymentMethods, kit.Text(charge.Value(), "payment_method")); ok {
		known := c.fake.cards.of(method)
		ends = known.refund != ""
		if known.refund == "pending" {
			status = known.refund
		}
	}
	if refused := c.unshared(charge); refused != nil {
		return answer{}, refused
	}
	value := c.newRefund(charge, amount, tags)
	assign(value, c.Input.Body, "reason")
	if value["status"] = status; status == "pending" {
		value["pending_reason"] = "processing"
	}
	cutBack := c.unshare(charge, value)
	if c.account == "" {
		cutBack = 0 // it went back to the account that the payment was sent on to
	}
	value["balance_transaction"] = c.bookRefund(value, charge.Value(), cutBack)
	record := c.create(refunds, value)
	c.emit("refund.created", record.Value(), nil)
	c.giveBack(charge, amount)
	if ends {
		c.later(refundEnds, record.ID, c.after(refundTime))
	}
	return answer{record: record, collection: refunds}, nil
}

// newRefund is a refund that worked.
func (c *call) newRefund(charge *world.Record, amount int64, tags map[string]any) map[string]any {
	return map[string]any{
		"id": c.NewID("re_3", 23), "object": "refund", "amount": amount,
		"balance_transaction": nil, "charge": charge.ID, "created": c.now(),
		"currency": charge.Value()["currency"], "customer": charge.Value()["customer"], "customer_account": nil,
		"destination_details": map[string]any{
			"card": map[string]any{"reference_status": "pending", "reference_type": "acquirer_reference_number", "type": "refund"},
			"type": "card",
		},
		"metadata": tags, "payment_intent": charge.Value()["payment_intent"], "payment_method": charge.Value()["payment_method"], "reason": nil,
		"receipt_number": nil, "source_transfer_reversal": nil, "status": succeeded, "transfer_reversal": nil,
	}
}

// refundable finds the charge that the path or the body means, if money can be
// given back of it.
func (c *call) refundable() (*world.Record, *refusal) {
	chargeID, intentID := c.text("charge"), c.text("payment_intent")
	if of := c.Input.Path["charge"]; of != "" {
		chargeID = of
	}
	if chargeID == "" && intentID == "" {
		return nil, &refusal{
			status: http.StatusBadRequest, unsaved: true,
			message: "One of the following params should be provided for this request: payment_intent or charge.",
		}
	}
	if chargeID == "" {
		intent, ok := c.find(paymentIntents, intentID)
		if !ok {
			return nil, missing(http.StatusNotFound, intentName, intentID, "payment_intent")
		}
		chargeID = kit.Text(intent.Value(), "latest_charge")
		if chargeID == "" {
			return nil, noSuccessfulCharge(intentID)
		}
	}
	charge, ok := c.find(charges, chargeID)
	if !ok {
		return nil, missing(http.StatusNotFound, "charge", chargeID, "id")
	}
	owner := kit.Text(charge.Value(), "payment_intent")
	switch {
	case intentID != "" && owner != intentID:
		return nil, invalid("charge", "", "Charge %s does not belong to PaymentIntent %s.", chargeID, intentID)
	case charge.Value()["status"] != succeeded, charge.Value()["captured"] != true:
		return nil, noSuccessfulCharge(owner)
	case charge.Value()["disputed"] == true:
		return nil, invalid("", "charge_disputed", "Charge %s has been charged back; cannot issue a refund.", chargeID)
	case charge.Value()["refunded"] == true:
		return nil, invalid("", "charge_already_refunded", "Charge %s has already been refunded.", chargeID)
	}
	return charge, nil
}

func noSuccessfulCharge(intent string) *refusal {
	return invalid("", "", "This PaymentIntent (%s) does not have a successful charge to refund.", intent)
}

// refundAmount is what the body asks for: at most what is left, which is also
// what is meant when it names no amount.
func (c *call) refundAmount(charge *world.Record) (int64, *refusal) {
	total, _ := charge.Value()["amount"].(int64)
	gone, _ := charge.Value()["amount_refunded"].(int64)
	amount, sent := c.Input.Body["amount"].(int64)
	switch {
	case !sent:
		return total - gone, nil
	case amount <= 0:
		return 0, unsaved(notPositive("amount"))
	case amount > total-gone:
		return 0, overRefund(amount, total-gone, kit.Text(charge.Value(), "currency"))
	}
	return amount, nil
}

// giveBack adds a refund to its charge.
func (c *call) giveBack(charge *world.Record, amount int64) {
	value := changed(charge)
	total, _ := value["amount"].(int64)
	gone, _ := value["amount_refunded"].(int64)
	value["amount_refunded"] = gone + amount
	value["refunded"] = gone+amount == total
	record := c.update(charges, value)
	c.emit("charge.refunded", record.Value(), kit.Before(charge.Value(), record.Value()))
}

// refundInCharge finds the refund that the path names, among those of its charge.
func (c *call) refundInCharge() (*world.Record, *refusal) {
	if _, refused := theCharge.by("charge", "charge").find(c); refused != nil {
		return nil, refused
	}
	record, refused := theRefund.find(c)
	if refused == nil && record.Value()["charge"] != c.Input.Path["charge"] {
		refused = missing(http.StatusNotFound, theRefund.what, record.ID, theRefund.blamed)
	}
	return record, refused
}

func updateRefund(c *call, old *world.Record) (answer, *refusal) {
	value := changed(old)
	if refused := c.setMetadata(value, old.Value()["metadata"]); refused != nil {
		return answer{}, refused
	}
	record := c.update(refunds, value)
	if before := kit.Before(old.Value(), record.Value()); len(before) > 0 {
		c.emit("refund.updated", record.Value(), before)
	}
	return answer{record: record, collection: refunds}, nil
}

// cancelRefund stops a refund that waits for its customer. Refunds to cards
// never do.
func cancelRefund(c *call, old *world.Record) (answer, *refusal) {
	if status := kit.Text(old.Value(), "status"); status != requiresAction {
		return answer{}, invalid("", "", "You cannot cancel this refund because it has a status of %s. Only a refund with a status of requires_action may be canceled.", status)
	}
	value := changed(old)
	value["status"] = canceled
	record := c.update(refunds, value)
	if charge, ok := c.find(charges, kit.Text(value, "charge")); ok {
		amount, _ := value["amount"].(int64)
		restored := changed(charge)
		restored["amount_refunded"], restored["refunded"] = max(0, cast.Int(restored["amount_refunded"])-amount), false
		c.update(charges, restored)
	}
	c.emit("refund.updated", record.Value(), kit.Before(old.Value(), record.Value()))
	return answer{record: record, collection: refunds}, nil
}
