package stripe

import (
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// refundTime is how long a refund stays pending, or is taken for good until its
// bank sends it back. Source: docs.stripe.com/testing#refunds ("later").
const refundTime = 24 * time.Hour

// endRefund ends what is pending, and fails what its card sends back: the money
// is the account's again.
func (c *call) endRefund(id string) {
	old, ok := c.find(refunds, id)
	if !ok {
		return
	}
	value := changed(old)
	switch old.Value()["status"] {
	case "pending":
		value["status"] = succeeded
		delete(value, "pending_reason")
	case succeeded:
		value["status"], value["failure_reason"] = "failed", "expired_or_canceled_card"
		value["failure_balance_transaction"] = c.book(movement{
			kind: "refund_failure", category: "refund_failure", amount: whole(value["amount"]), currency: cast.Text(value["currency"]), source: id, about: "REFUND FAILURE",
		})
		if charge, ok := c.find(charges, cast.Text(value["charge"])); ok {
			restored := changed(charge)
			restored["amount_refunded"], restored["refunded"] = max(0, whole(restored["amount_refunded"])-whole(value["amount"])), false
			c.update(charges, restored)
		}
	default:
		return
	}
	record := c.update(refunds, value)
	kinds := []string{"refund.updated", "charge.refund.updated"}
	if record.Value()["status"] == "failed" {
		kinds = []string{"refund.failed", "charge.refund.updated"}
	}
	for _, kind := range kinds {
		c.emit(kind, record.Value(), kit.Before(old.Value(), record.Value()))
	}
}
