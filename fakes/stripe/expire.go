package stripe

import (
	"time"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// holdExpires is the timer that a hold sets; its subject is the intent.
const holdExpires = "hold-expires"

// holdLife is how long a card hold can be captured: seven days for what a
// customer pays online. Source: docs.stripe.com/payments/place-a-hold-on-a-payment-method.
const holdLife = 7 * 24 * time.Hour

// captureBefore is when a hold that is placed now expires, in whole seconds as
// the charge shows it: at that instant it is too late.
func (c *call) captureBefore() time.Time { return time.Unix(c.now(), 0).Add(holdLife) }

// expireLater sets the timer of a hold.
func (c *call) expireLater(intent string) { c.later(holdExpires, intent, c.captureBefore()) }

// keepFromExpiring takes it away: the money is taken, or given back.
func (c *call) keepFromExpiring(intent string) { c.never(holdExpires, intent) }

// expire cancels an intent whose hold nobody captured in time. Its charge reads
// as refunded, by a refund that moved no money.
// Source: a refusal recorded in test mode, which shows intent, charge and refund
// seven days and a second after the charge (Elastic Path's documentation of its
// payments, capturing an expired transaction); docs.stripe.com/api/charges for
// the event.
func (c *call) expire(id string) {
	old, ok := c.find(paymentIntents, id)
	if !ok || kit.Text(old.Value(), "status") != requiresCapture {
		return // another actor has changed it since
	}
	value := changed(old)
	value["cancellation_reason"] = "automatic"
	hold, ok := c.latest(old)
	if ok {
		c.create(refunds, map[string]any{
			"id": c.NewID("re_3", 23), "object": "refund", "amount": hold.Value()["amount"], "balance_transaction": nil,
			"charge": hold.ID, "created": c.now(), "currency": hold.Value()["currency"], "metadata": map[string]any{},
			"payment_intent": old.ID, "reason": "expired_uncaptured_charge", "receipt_number": nil,
			"source_transfer_reversal": nil, "status": succeeded, "transfer_reversal": nil,
		})
	}
	c.giveUp(value, hold, "charge.expired")
}

// giveUp cancels an intent and releases its hold, if it has one, telling of it
// by an event of that kind: the charge then reads as refunded, never captured.
func (c *call) giveUp(intent map[string]any, hold *world.Record, kind string) *world.Record {
	intent["status"], intent["canceled_at"], intent["next_action"] = canceled, c.now(), nil
	intent["amount_capturable"] = int64(0)
	if hold != nil {
		released := changed(hold)
		released["amount_refunded"], released["refunded"] = released["amount"], true
		charge := c.update(charges, released)
		c.emit(kind, charge.Value(), kit.Before(hold.Value(), charge.Value()))
	}
	record := c.update(paymentIntents, intent)
	c.emit("payment_intent.canceled", record.Value(), nil)
	return record
}
