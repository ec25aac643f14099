package stripe

import (
	"hash/fnv"
	"net/http"
	"strconv"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// listChargeRefunds lists the refunds of one charge.
func listChargeRefunds(c *call, charge *world.Record) (answer, *refusal) {
	return c.page(refunds, "refund", kit.Query{Collection: full(refunds), Index: "charge", Value: charge.ID})
}

func listCharges(c *call) (answer, *refusal) {
	if id := c.query("customer"); id != "" {
		if _, ok := c.find(customers, id); !ok {
			return answer{}, missing(http.StatusBadRequest, "customer", id, "customer")
		}
	}
	return c.list(charges, "charge", nil, "payment_intent", "customer", "transfer_group")
}

// goodCharge is the charge of an intent that the card agreed to.
func (c *call) goodCharge(intent map[string]any, method *world.Record, known card, hold bool) map[string]any {
	charge := c.newCharge(intent, method)
	charge["paid"], charge["status"], charge["captured"] = true, succeeded, !hold
	charge["disputed"] = known.dispute != ""
	charge["receipt_url"] = "https://pay.stripe.com/receipts/payment/" + kit.Text(charge, "id")
	for range c.Tx.Find(full(invoicePayments), "payment.payment_intent", cast.Text(intent["id"]), 0) {
		charge["receipt_url"] = "https://pay.stripe.com/receipts/invoices/" + kit.Text(charge, "id") + "?s=ap"
		break
	}
	charge["outcome"] = map[string]any{
		"advice_code": nil, "network_advice_code": nil, "network_decline_code": nil,
		"network_status": "approved_by_network", "reason": nil, "risk_level": "normal",
		"risk_score":     int64(digits(kit.Text(charge, "id"), "risk") % 65),
		"seller_message": "Payment complete.", "type": "authorized",
	}
	if known.token == "riskLevelElevated" {
		outcome := cast.Object(charge["outcome"])
		outcome["risk_level"], outcome["risk_score"] = "elevated", int64(65+digits(kit.Text(charge, "id"), "risk")%10)
	}
	if !hold {
		charge["amount_captured"] = charge["amount"]
		charge["balance_transaction"] = c.bookCharge(charge, known.settled)
	}
	charge["payment_method_details"] = c.cardDetails(charge, method, hold)
	if known.dispute != "" {
		charge["dispute"] = c.openDispute(charge, known.dispute, known.inquiry)
		charge["disputed"] = !known.inquiry
	}
	return charge
}

// failedCharge is what a declined card leaves behind.
func (c *call) failedCharge(intent map[string]any, method *world.Record, why decline) map[string]any {
	charge := c.newCharge(intent, method)
	charge["status"], charge["failure_code"], charge["failure_message"] = "failed", why.code, why.message
	outcome := map[string]any{
		"advice_code": nil, "network_advice_code": nil, "network_decline_code": nil,
		"network_status": "declined_by_network", "reason": why.reason, "risk_level": "normal",
		"risk_score":     int64(digits(kit.Text(charge, "id"), "risk") % 65),
		"seller_message": "The bank returned the decline code `" + why.reason + "`.", "type": "issuer_declined",
	}
	for field, value := range map[string]string{"advice_code": why.advice, "network_decline_code": why.network} {
		if value != "" {
			outcome[field] = value
		}
	}
	if why.reason == "generic_decline" {
		outcome["seller_message"] = "The bank did not return any further details with this decline."
	}
	if why.blocked {
		outcome["network_status"], outcome["type"] = "not_sent_to_network", "blocked"
		outcome["reason"], outcome["risk_level"], outcome["risk_score"] = "highest_risk_level", "highest", int64(100)
		outcome["seller_message"] = "Stripe blocked this payment as too risky."
	}
	charge["outcome"] = outcome
	charge["payment_method_details"] = c.cardDetails(charge, method, false)
	return charge
}

// newCharge has what good and failed charges share.
func (c *call) newCharge(intent map[string]any, method *world.Record) map[string]any {
	return map[string]any{
		"id": c.NewID("ch_3", 23), "object": "charge", "amount": intent["amount"],
		"amount_captured": int64(0), "amount_refunded": int64(0), "application": c.setting("application", nil),
		"application_fee": nil, "application_fee_amount": intent["application_fee_amount"], "balance_transaction": nil,
		"billing_details": method.Value()["billing_details"], "calculated_statement_descriptor": c.setting("statement_descriptor", "PARITY REHEARSAL"),
		"captured": false, "created": c.now(), "currency": intent["currency"],
		"customer": intent["customer"], "description": intent["description"], "destination": nil, "dispute": nil, "disputed": false,
		"failure_balance_transaction": nil, "failure_code": nil, "failure_message": nil,
		"fraud_details": map[string]any{}, "livemode": false, "metadata": intent["metadata"],
		"on_behalf_of": intent["on_behalf_of"], "order": nil, "outcome": nil, "paid": false, "payment_intent": intent["id"],
		"payment_method": method.ID, "payment_method_details": nil, "radar_options": map[string]any{},
		"receipt_email": intent["receipt_email"], "receipt_number": nil, "receipt_url": nil,
		"refunded": false, "review": nil, "shipping": intent["shipping"], "source": nil, "source_transfer": nil,
		"statement_descriptor":        intent["statement_descriptor"],
		"statement_descriptor_suffix": intent["statement_descriptor_suffix"],
		"status":                      "pending", "transfer_data": transferOf(intent), "transfer_group": intent["transfer_group"],
	}
}

// cardDetails is what the charge remembers of the card. The codes that a
// network would give are derived from the charge's id.
func (c *call) cardDetails(charge map[string]any, method *world.Record, hold bool) any {
	face, isCard := method.Value()["card"].(map[string]any)
	if !isCard {
		return nil // a planted method need not show its card
	}
	id := kit.Text(charge, "id")
	unavailable := map[string]any{"status": "unavailable"}
	details := map[string]any{
		"amount_authorized": charge["amount"], "authorization_code": nil, "brand": face["brand"],
		"checks": checksOf(face, c.fake.cards.of(method)), "country": face["country"], "exp_month": face["exp_month"], "exp_year": face["exp_year"],
		"extended_authorization": map[string]any{"status": "disabled"}, "fingerprint": face["fingerprint"],
		"funding": face["funding"], "incremental_authorization": unavailable, "installments": nil,
		"last4": face["last4"], "mandate": nil, "multicapture": unavailable, "network": face["brand"],
		"network_token": map[string]any{"used": false}, "network_transaction_id": padded(digits(id, "network"), 15),
		"overcapture":      map[string]any{"maximum_amount_capturable": charge["amount"], "status": "unavailable"},
		"regulated_status": face["regulated_status"], "three_d_secure": nil, "transaction_link_id": nil, "wallet": nil,
	}
	if charge["paid"] == true {
		details["authorization_code"] = padded(digits(id, "authorization"), 6)
	} else {
		details["amount_authorized"] = nil
	}
	if hold {
		details["capture_before"] = c.captureBefore().Unix()
	}
	return map[string]any{"card": details, "type": "card"}
}

func updateCharge(c *call, old *world.Record) (answer, *refusal) {
	value := changed(old)
	assign(value, c.Input.Body, "description", "receipt_email", "transfer_group")
	if id := c.text("customer"); id != "" && value["customer"] != id {
		if value["customer"] != nil {
			return answer{}, invalid("customer", "", "This charge has a customer already (%v). The customer of a charge can only be set where there is none.", value["customer"])
		}
		customer, refused := c.live(theCustomer, id, http.StatusBadRequest, "customer")
		if refused != nil {
			return answer{}, refused
		}
		value["customer"] = customer.ID
	}
	if sent, ok := c.Input.Body["shipping"]; ok {
		value["shipping"] = shipping(sent, "carrier", "tracking_number")
	}
	if sent, ok := c.Input.Body["fraud_details"].(map[string]any); ok {
		fraud := map[string]any{}
		if report, _ := sent["user_report"].(string); report != "" {
			fraud["user_report"] = report
		}
		value["fraud_details"] = fraud
	}
	if refused := c.setMetadata(value, old.Value()["metadata"]); refused != nil {
		return answer{}, refused
	}
	record := c.update(charges, value)
	if before := kit.Before(old.Value(), record.Value()); len(before) > 0 {
		c.emit("charge.updated", record.Value(), before)
	}
	return answer{record: record, collection: charges}, nil
}

// digits gives a number that belongs to an id for good.
func digits(id, purpose string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(purpose + id)) // never fails
	return h.Sum64()
}

// padded writes the last n decimal digits of a number.
func padded(number uint64, n int) string {
	text := strconv.FormatUint(number, 10)
	for len(text) < n {
		text = "0" + text
	}
	return text[len(text)-n:]
}

// transferOf is as much of an intent's transfer as its charge shows.
func transferOf(intent map[string]any) any {
	transfer, ok := intent["transfer_data"].(map[string]any)
	if !ok {
		return nil
	}
	return map[string]any{"amount": transfer["amount"], "destination": transfer["destination"]}
}
