package stripe

import (
	"fmt"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

const (
	// disputeFee is what a dispute costs, won or lost. Source: stripe.com/pricing.
	disputeFee = 1500
	// evidenceTime is how long evidence is waited for, and reviewTime how long it
	// is looked at. Source: docs.stripe.com/disputes/how-disputes-work, for card
	// networks: 7 to 21 days, and 60 to 75 days.
	evidenceTime = 9 * 24 * time.Hour
	reviewTime   = 60 * 24 * time.Hour
)

// evidenceFields are what can be said for a charge, in the words of the API.
const evidenceFields = "access_activity_log billing_address cancellation_policy cancellation_policy_disclosure cancellation_rebuttal customer_communication customer_email_address customer_name customer_purchase_ip customer_signature duplicate_charge_documentation duplicate_charge_explanation duplicate_charge_id product_description receipt refund_policy refund_policy_disclosure refund_refusal_explanation service_date service_documentation shipping_address shipping_carrier shipping_date shipping_documentation shipping_tracking_number uncategorized_file uncategorized_text"

// openDispute makes the dispute of a charge, and takes the money back. One that
// is an inquiry takes nothing yet.
func (c *call) openDispute(charge map[string]any, reason string, inquiry bool) string {
	id := c.NewID("du_1", 23)
	evidence := map[string]any{"enhanced_evidence": map[string]any{}}
	for field := range strings.FieldsSeq(evidenceFields) {
		evidence[field] = nil
	}
	evidence["customer_purchase_ip"] = "203.0.113.7"
	details := cast.Object(charge["billing_details"])
	evidence["customer_name"], evidence["customer_email_address"] = details["name"], details["email"]
	face := cast.Object(cast.Object(charge["payment_method_details"])["card"])
	value := map[string]any{
		"id": id, "object": "dispute", "amount": charge["amount"], "balance_transactions": []any{}, "charge": charge["id"],
		"created": c.now(), "currency": charge["currency"], "enhanced_eligibility_types": []any{}, "evidence": evidence,
		"evidence_details": map[string]any{
			"due_by": c.after(evidenceTime).UTC().Truncate(24*time.Hour).Unix() + 24*3600 - 1, "enhanced_eligibility": map[string]any{},
			"has_evidence": false, "past_due": false, "submission_count": int64(0),
		},
		"is_charge_refundable": inquiry, "livemode": false, "metadata": map[string]any{}, "payment_intent": charge["payment_intent"],
		"payment_method_details": map[string]any{"card": map[string]any{"brand": face["brand"], "case_type": "chargeback", "network": face["network"], "network_reason_code": "83"}, "type": "card"},
		"reason":                 reason, "status": "needs_response",
	}
	if inquiry {
		value["status"] = "warning_needs_response"
		cast.Object(cast.Object(value["payment_method_details"])["card"])["case_type"] = "inquiry"
	} else {
		value["balance_transactions"] = []any{c.withdrawal(value, -1)}
	}
	c.create(disputes, value)
	c.later(disputeDue, id, time.Unix(whole(cast.Object(value["evidence_details"])["due_by"]), 0))
	return id
}

// withdrawal books what a dispute takes (-1) or gives back (1), and gives the
// movement as the dispute shows it.
func (c *call) withdrawal(dispute map[string]any, sign int64) map[string]any {
	cost := int64(0)
	about := fmt.Sprintf("Chargeback withdrawal for %v", dispute["charge"])
	category := "dispute"
	if sign < 0 {
		cost = disputeFee
	} else {
		about, category = fmt.Sprintf("Chargeback reversal for %v", dispute["charge"]), "dispute_reversal"
	}
	id := c.book(movement{kind: "adjustment", category: category, amount: sign * whole(dispute["amount"]), fee: cost, currency: cast.Text(dispute["currency"]), source: cast.Text(dispute["id"]), about: about})
	record, _ := c.find(balanceTransactions, id)
	return record.Value()
}

// answerable tells whether a dispute still waits for its account.
func answerable(dispute map[string]any) bool {
	return dispute["status"] == "needs_response" || dispute["status"] == "warning_needs_response"
}

// updateDispute keeps evidence, and hands it in unless told not to: that can be
// done once.
func updateDispute(c *call, old *world.Record) (answer, *refusal) {
	sent := cast.Object(c.Input.Body["evidence"])
	value := changed(old)
	if refused := c.setMetadata(value, old.Value()["metadata"]); refused != nil {
		return answer{}, refused
	}
	submits := len(sent) > 0 && pick(c.Input.Body, "submit", true) || c.flag("submit")
	if (len(sent) > 0 || submits) && !answerable(old.Value()) {
		return answer{}, invalid("", "", "This dispute is already closed or under review; its evidence can no longer be changed.")
	}
	details := kit.Merge(nil, cast.Object(old.Value()["evidence_details"]))
	if len(sent) > 0 {
		evidence := kit.Merge(nil, cast.Object(old.Value()["evidence"]))
		assign(evidence, sent, strings.Fields(evidenceFields)...)
		if extra := cast.Object(sent["enhanced_evidence"]); extra != nil {
			evidence["enhanced_evidence"] = extra
		}
		value["evidence"], details["has_evidence"] = evidence, true
	}
	if submits {
		details["submission_count"] = whole(details["submission_count"]) + 1
		value["status"] = "under_review"
		if old.Value()["status"] == "warning_needs_response" {
			value["status"] = "warning_under_review"
		}
		c.never(disputeDue, old.ID)
		wait := reviewTime
		if said := cast.Text(cast.Object(value["evidence"])["uncategorized_text"]); said == "winning_evidence" || said == "losing_evidence" {
			wait = time.Second // test mode decides at once. Source: docs.stripe.com/testing#disputes
		}
		c.later(disputeDecided, old.ID, c.after(wait))
	}
	value["evidence_details"] = details
	record := c.update(disputes, value)
	if before := kit.Before(old.Value(), record.Value()); len(before) > 0 {
		c.emit("charge.dispute.updated", record.Value(), before)
	}
	return answer{record: record, collection: disputes}, nil
}

func closeDispute(c *call, old *world.Record) (answer, *refusal) {
	if !answerable(old.Value()) {
		return answer{}, invalid("", "", "This dispute is already closed.")
	}
	c.never(disputeDue, old.ID)
	c.endDispute(old.ID, false)
	record, _ := c.find(disputes, old.ID)
	return answer{record: record, collection: disputes}, nil
}

// loseDispute is what silence does.
func (c *call) loseDispute(id string) {
	if old, ok := c.find(disputes, id); ok && answerable(old.Value()) {
		c.endDispute(id, false)
	}
}

// decideDispute ends the review: by the words that test mode knows, else for
// the cardholder.
func (c *call) decideDispute(id string) {
	if old, ok := c.find(disputes, id); ok && strings.HasSuffix(cast.Text(old.Value()["status"]), "under_review") {
		c.endDispute(id, cast.Text(cast.Object(old.Value()["evidence"])["uncategorized_text"]) == "winning_evidence")
	}
}

func (c *call) endDispute(id string, won bool) {
	old, _ := c.find(disputes, id)
	value := changed(old)
	switch {
	case strings.HasPrefix(cast.Text(value["status"]), "warning"):
		value["status"] = "warning_closed"
	case won:
		value["status"] = "won"
		value["balance_transactions"] = append(append([]any{}, cast.List(value["balance_transactions"])...), c.withdrawal(value, 1))
	default:
		value["status"] = "lost"
	}
	details := kit.Merge(nil, cast.Object(value["evidence_details"]))
	details["past_due"] = whole(details["due_by"]) <= c.now() && answerable(old.Value())
	value["evidence_details"] = details
	record := c.update(disputes, value)
	if won {
		c.emit("charge.dispute.funds_reinstated", record.Value(), nil)
	}
	c.emit("charge.dispute.closed", record.Value(), kit.Before(old.Value(), record.Value()))
}
