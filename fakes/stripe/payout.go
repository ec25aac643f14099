package stripe

import (
	"time"

	"parity/fakes/cast"
	"parity/fakes/world"
)

const poor = "You have insufficient funds in your Stripe account. One likely reason you have insufficient funds is that your funds are automatically being paid out; try enabling manual payouts by going to https://dashboard.stripe.com/account/payouts."

func listPayouts(c *call) (answer, *refusal) {
	return c.list(payouts, "payout", c.within(nil, "arrival_date"), "destination", "status")
}

// createPayout sends money to the account's own bank, where it arrives two days
// later.
func createPayout(c *call) (answer, *refusal) {
	currency, refused := currencyOf(c.text("currency"))
	if refused != nil {
		return answer{}, refused
	}
	amount, _ := c.integer("amount")
	if amount <= 0 {
		return answer{}, unsaved(notPositive("amount"))
	}
	tags, refused := c.metadata(nil)
	if refused != nil {
		return answer{}, refused
	}
	if refused := c.affordable(amount, currency, poor); refused != nil {
		return answer{}, refused
	}
	id := c.NewID("po_1", 23)
	value := map[string]any{
		"id": id, "object": "payout", "amount": amount, "application_fee": nil, "application_fee_amount": nil,
		"arrival_date": c.after(2 * 24 * time.Hour).UTC().Truncate(24 * time.Hour).Unix(), "automatic": false,
		"balance_transaction": c.book(movement{kind: "payout", category: "payout", amount: -amount, currency: currency, source: id, about: "STRIPE PAYOUT", atOnce: true}),
		"created":             c.now(), "currency": currency, "description": nil, "destination": "ba_1ParityRehearsalBank", "failure_balance_transaction": nil,
		"failure_code": nil, "failure_message": nil, "livemode": false, "metadata": tags, "method": "standard", "original_payout": nil,
		"payout_method": nil, "reconciliation_status": "not_applicable", "reversed_by": nil, "source_type": "card", "statement_descriptor": nil,
		"status": "pending", "trace_id": nil, "type": "bank_account",
	}
	assign(value, c.Input.Body, "description", "destination", "method", "source_type", "statement_descriptor")
	record := c.create(payouts, value)
	c.emit("payout.created", record.Value(), nil)
	c.later(payoutMoves, id, c.after(12*time.Hour))
	return answer{record: record, collection: payouts}, nil
}

// movePayout lets a payout go on its way, and arrive.
func (c *call) movePayout(id string) {
	old, ok := c.find(payouts, id)
	if !ok {
		return
	}
	value := changed(old)
	switch old.Value()["status"] {
	case "pending":
		value["status"] = "in_transit"
		c.later(payoutMoves, id, c.after(36*time.Hour))
		c.emit("payout.updated", c.update(payouts, value).Value(), map[string]any{"status": "pending"})
	case "in_transit":
		value["status"] = "paid"
		c.emit("payout.paid", c.update(payouts, value).Value(), nil)
	}
}

func cancelPayout(c *call, old *world.Record) (answer, *refusal) {
	if status := old.Value()["status"]; status != "pending" {
		return answer{}, invalid("", "payouts_not_allowed", "Payouts can only be canceled while they are pending; %s is %v.", old.ID, status)
	}
	value := changed(old)
	value["status"] = canceled
	value["failure_balance_transaction"] = c.book(movement{kind: "payout_cancel", category: "payout_reversal", amount: whole(value["amount"]), currency: cast.Text(value["currency"]), source: old.ID, about: "STRIPE PAYOUT", atOnce: true})
	record := c.update(payouts, value)
	c.never(payoutMoves, old.ID)
	c.emit("payout.canceled", record.Value(), nil)
	return answer{record: record, collection: payouts}, nil
}

// createTransfer moves money to a connected account. In test mode a transfer may overdraw what is not
// settled yet, as recorded.
func createTransfer(c *call) (answer, *refusal) {
	currency, refused := currencyOf(c.text("currency"))
	if refused != nil {
		return answer{}, refused
	}
	tags, refused := c.metadata(nil)
	if refused != nil {
		return answer{}, refused
	}
	source, amount := c.text("source_transaction"), int64(0)
	if source != "" {
		charge, ok := c.find(charges, source)
		if !ok {
			return answer{}, missing(400, "charge", source, "source_transaction")
		}
		amount = whole(charge.Value()["amount_captured"])
	}
	if sent, ok := c.integer("amount"); ok {
		amount = sent
	} else if source == "" {
		return answer{}, required("amount")
	}
	if refused := c.canReceive(c.text("destination"), "destination"); refused != nil {
		return answer{}, refused
	}
	more := map[string]any{"metadata": tags}
	for _, field := range []string{"description", "source_transaction", "source_type", "transfer_group"} {
		if c.has(field) {
			more[field] = c.Input.Body[field]
		}
	}
	record := c.sendOn(c.text("destination"), amount, currency, 0, more)
	return answer{record: record, collection: transfers}, nil
}
