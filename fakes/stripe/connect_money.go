package stripe

import (
	"fmt"
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

const (
	applicationFees   = "application_fees"
	feeRefunds        = "fee_refunds"
	transferReversals = "transfer_reversals"
)

// share gives others their part of a charge that is captured: the account that it
// is sent on to, and the platform that takes a fee. It gives the fee that the
// charge itself pays.
//
//	direct       charge on the account ── fee ──▶ platform
//	destination  charge on the platform ── transfer ──▶ payment on the account ── fee ──▶ platform
//
// Source: docs.stripe.com/connect/charges.
func (c *call) share(charge map[string]any) (cut int64) {
	cut = whole(charge["application_fee_amount"])
	to := kit.Text(charge, "transfer_data.destination")
	switch {
	case c.account != "" && cut > 0:
		charge["application_fee"] = c.takeFee(c.account, cut, charge["currency"], charge["id"], nil)
		return cut
	case c.account != "" || to == "":
		return 0
	}
	if _, ok := c.connected(to); !ok {
		return 0 // a planted charge may name anybody
	}
	amount := whole(charge["amount_captured"])
	if part, said := cast.Object(charge["transfer_data"])["amount"].(int64); said {
		amount = part
	}
	if charge["transfer_group"] == nil {
		charge["transfer_group"] = "group_" + cast.Text(charge["payment_intent"])
	}
	sent := c.sendOn(to, amount, cast.Text(charge["currency"]), cut, map[string]any{"source_transaction": charge["id"], "transfer_group": charge["transfer_group"]})
	charge["transfer"], charge["destination"] = sent.ID, to
	if cut > 0 {
		payment := cast.Text(sent.Value()["destination_payment"])
		fee := c.takeFee(to, cut, charge["currency"], payment, charge["id"])
		charge["application_fee"] = fee
		c.as(to, func() {
			if old, ok := c.find(charges, payment); ok {
				value := changed(old)
				value["application_fee"], value["application_fee_amount"] = fee, cut
				c.update(charges, value)
			}
		})
	}
	return 0
}

// takeFee books a platform's fee, and gives its id.
func (c *call) takeFee(account string, amount int64, currency, charge, origin any) (id string) {
	c.as("", func() {
		id = c.NewID("fee_1", 23)
		fee := c.create(applicationFees, map[string]any{
			"id": id, "object": "application_fee", "account": account, "amount": amount, "amount_refunded": int64(0), "application": or(c.setting("application", nil), "ca_ParityRehearsal"),
			"balance_transaction": c.book(movement{kind: "application_fee", category: "platform_earning", amount: amount, currency: cast.Text(currency), source: id, about: nil}),
			"charge":              charge, "created": c.now(), "currency": currency, "fee_source": map[string]any{"charge": charge, "type": "charge"}, "livemode": false, "originating_transaction": origin,
			"refunded": false, "refunds": listing([]any{}, "/v1/application_fees/"+id+"/refunds"),
		})
		c.emit("application_fee.created", fee.Value(), nil)
	})
	return id
}

// sendOn moves money to a connected account, where it arrives as a payment.
func (c *call) sendOn(to string, amount int64, currency string, cut int64, more map[string]any) *world.Record {
	id, payment := c.NewID("tr_1", 23), c.NewID("py_1", 23)
	value := map[string]any{
		"id": id, "object": "transfer", "amount": amount, "amount_reversed": int64(0),
		"balance_transaction": c.book(movement{kind: "transfer", category: "transfer", amount: -amount, currency: currency, source: id, about: more["description"], atOnce: true}),
		"created":             c.now(), "currency": currency, "description": nil, "destination": to, "destination_payment": payment,
		"livemode": false, "metadata": map[string]any{}, "reversals": listing([]any{}, "/v1/transfers/"+id+"/reversals"), "reversed": false,
		"source_transaction": nil, "source_type": "card", "transfer_group": nil,
	}
	assign(value, more, "description", "metadata", "source_transaction", "source_type", "transfer_group")
	record := c.create(transfers, value)
	c.emit("transfer.created", record.Value(), nil)
	c.as(to, func() {
		arrived := c.newCharge(map[string]any{"amount": amount, "currency": currency, "metadata": map[string]any{}}, world.Loose("", map[string]any{}))
		arrived["id"], arrived["source_transfer"], arrived["payment_intent"], arrived["payment_method"] = payment, id, nil, nil
		arrived["paid"], arrived["captured"], arrived["status"], arrived["amount_captured"] = true, true, succeeded, amount
		arrived["billing_details"] = map[string]any{"address": address(map[string]any{}), "email": nil, "name": nil, "phone": nil, "tax_id": nil}
		arrived["payment_method_details"] = map[string]any{"stripe_account": map[string]any{}, "type": "stripe_account"}
		arrived["balance_transaction"] = c.book(movement{kind: "payment", category: "charge", amount: amount, cut: cut, currency: currency, source: payment, about: nil})
		c.emit("payment.created", c.create(charges, arrived).Value(), nil)
	})
	return record
}

// reverse takes a transfer back, or a part of it.
func (c *call) reverse(transfer *world.Record, amount, cutBack int64, refund any, tags map[string]any) *world.Record {
	v := transfer.Value()
	id, currency, to := c.NewID("trr_1", 23), cast.Text(v["currency"]), cast.Text(v["destination"])
	back := c.NewID("pyr_1", 23)
	made := map[string]any{
		"id": id, "object": "transfer_reversal", "amount": amount, "created": c.now(), "currency": currency, "destination_payment_refund": back, "metadata": tags, "source_refund": refund, "transfer": transfer.ID,
		"balance_transaction": c.book(movement{kind: "transfer_refund", category: "transfer_reversal", amount: amount, currency: currency, source: id, about: nil, atOnce: true}),
	}
	record := c.create(transferReversals, made)
	value := changed(transfer)
	value["amount_reversed"] = whole(v["amount_reversed"]) + amount
	value["reversed"] = value["amount_reversed"] == whole(v["amount"])
	value["reversals"] = listing(append([]any{made}, cast.List(cast.Object(v["reversals"])[kit.ItemsKey])...), "/v1/transfers/"+transfer.ID+"/reversals")
	c.emit("transfer.reversed", c.update(transfers, value).Value(), nil)
	c.as(to, func() {
		payment, ok := c.find(charges, cast.Text(v["destination_payment"]))
		if !ok {
			return
		}
		refund := c.newRefund(payment, amount, map[string]any{})
		refund["id"], refund["source_transfer_reversal"], refund["destination_details"] = back, id, map[string]any{"type": "stripe_account"}
		refund["balance_transaction"] = c.book(movement{kind: "payment_refund", category: "refund", amount: -amount, cut: -cutBack, currency: currency, source: back, about: nil})
		c.create(refunds, refund)
		c.giveBack(payment, amount)
	})
	return record
}

// giveFeeBack gives a platform's fee back, or a part of it.
func (c *call) giveFeeBack(fee *world.Record, amount int64, tags map[string]any) (made *world.Record) {
	c.as("", func() {
		v := fee.Value()
		id := c.NewID("fr_1", 23)
		value := map[string]any{
			"id": id, "object": "fee_refund", "amount": amount, "created": c.now(), "currency": v["currency"], "fee": fee.ID, "metadata": tags,
			"balance_transaction": c.book(movement{kind: "application_fee_refund", category: "platform_earning_refund", amount: -amount, currency: cast.Text(v["currency"]), source: id, about: nil, atOnce: true}),
		}
		made = c.create(feeRefunds, value)
		now := changed(fee)
		now["amount_refunded"] = whole(v["amount_refunded"]) + amount
		now["refunded"] = now["amount_refunded"] == whole(v["amount"])
		now["refunds"] = listing(append([]any{value}, cast.List(cast.Object(v["refunds"])[kit.ItemsKey])...), "/v1/application_fees/"+fee.ID+"/refunds")
		c.emit("application_fee.refunded", c.update(applicationFees, now).Value(), nil)
	})
	return made
}

// unshared is what a refund asks back of others.
func (c *call) unshared(charge *world.Record) *refusal {
	v := charge.Value()
	switch {
	case c.flag("reverse_transfer") && v["transfer"] == nil:
		return invalid("reverse_transfer", "", "Cannot reverse transfer on charge %s because it does not have an associated transfer.", charge.ID)
	case c.flag("refund_application_fee") && v["application_fee"] == nil:
		return invalid("refund_application_fee", "", "Cannot refund application fee on charge %s because it has no application fee.", charge.ID)
	}
	return nil
}

// unshare takes back from others their part of what is refunded. It gives the fee
// that goes back to the charge's own account.
func (c *call) unshare(charge *world.Record, refund map[string]any) (cutBack int64) {
	v, amount := charge.Value(), whole(refund["amount"])
	part := func(of, done int64) int64 {
		if total := whole(v["amount"]); total > 0 {
			return min(of-done, of*amount/total)
		}
		return 0
	}
	if c.flag("refund_application_fee") {
		c.as("", func() {
			if fee, ok := c.find(applicationFees, cast.Text(v["application_fee"])); ok {
				cutBack = part(whole(fee.Value()["amount"]), whole(fee.Value()["amount_refunded"]))
			}
		})
	}
	if transfer, ok := c.find(transfers, cast.Text(v["transfer"])); ok && c.flag("reverse_transfer") {
		if back := part(whole(transfer.Value()["amount"]), whole(transfer.Value()["amount_reversed"])); back > 0 {
			refund["transfer_reversal"] = c.reverse(transfer, back, cutBack, refund["id"], map[string]any{}).ID
		}
	}
	if cutBack > 0 {
		var fee *world.Record
		c.as("", func() { fee, _ = c.find(applicationFees, cast.Text(v["application_fee"])) })
		c.giveFeeBack(fee, cutBack, map[string]any{})
	}
	return cutBack
}

// backAmount is how much of a fee or a transfer a call asks back.
func (c *call) backAmount(total, gone int64, what, currency string) (int64, *refusal) {
	amount, sent := c.Input.Body["amount"].(int64)
	switch {
	case gone >= total:
		return 0, invalid("", "", "%s has already been fully refunded or reversed.", what)
	case !sent:
		return total - gone, nil
	case amount <= 0:
		return 0, unsaved(notPositive("amount"))
	case amount > total-gone:
		return 0, invalid("amount", "", "%s", fmt.Sprintf("Amount (%s) is greater than what is left of %s (%s)", money(amount, currency), what, money(total-gone, currency)))
	}
	return amount, nil
}

func createReversal(c *call, transfer *world.Record) (answer, *refusal) {
	v := transfer.Value()
	amount, refused := c.backAmount(whole(v["amount"]), whole(v["amount_reversed"]), transfer.ID, cast.Text(v["currency"]))
	if refused != nil {
		return answer{}, refused
	}
	tags, refused := c.metadata(nil)
	if refused != nil {
		return answer{}, refused
	}
	cutBack := int64(0)
	return answer{record: c.reverse(transfer, amount, cutBack, nil, tags), collection: transferReversals}, nil
}

func createFeeRefund(c *call, fee *world.Record) (answer, *refusal) {
	v := fee.Value()
	amount, refused := c.backAmount(whole(v["amount"]), whole(v["amount_refunded"]), fee.ID, cast.Text(v["currency"]))
	if refused != nil {
		return answer{}, refused
	}
	tags, refused := c.metadata(nil)
	if refused != nil {
		return answer{}, refused
	}
	return answer{record: c.giveFeeBack(fee, amount, tags), collection: feeRefunds}, nil
}

// partOf shows one of a list that stands beside its owner.
func partOf(collection, what, parameter, owner string) func(*call, *world.Record) (answer, *refusal) {
	return func(c *call, of *world.Record) (answer, *refusal) {
		id := c.Input.Path[parameter]
		record, ok := c.find(collection, id)
		if !ok || record.Value()[owner] != of.ID {
			return answer{}, missing(http.StatusNotFound, what, id, "id")
		}
		return answer{record: record, collection: collection}, nil
	}
}

// partsOf lists them.
func partsOf(collection, what, owner string) func(*call, *world.Record) (answer, *refusal) {
	return func(c *call, of *world.Record) (answer, *refusal) {
		return c.page(collection, what, kit.Query{Collection: full(collection), Index: owner, Value: of.ID})
	}
}

// connecting is about connected accounts, and what goes to and fro.
func connecting() map[string]handler {
	theFee := kind{applicationFees, "application fee", "id", "id"}
	theTransferOf := theTransfer.by("id", "id")
	return map[string]handler{
		"GetAccount": ownAccount, "GetAccounts": kind{accounts, "account", "account", "account"}.listed(), "PostAccounts": createAccount,
		"GetAccountsAccount": theConnected(showAccount), "PostAccountsAccount": theConnected(updateAccount), "DeleteAccountsAccount": theConnected(deleteAccount),
		"PostAccountsAccountLoginLinks": theConnected(createLoginLink), "PostAccountLinks": createAccountLink,
		"GetApplicationFees": theFee.listed("charge"), "GetApplicationFeesId": theFee.shown(),
		"PostApplicationFeesIdRefunds": theFee.on(createFeeRefund), "GetApplicationFeesIdRefunds": theFee.on(partsOf(feeRefunds, "fee refund", "fee")),
		"PostTransfersIdReversals": theTransferOf.on(createReversal), "GetTransfersIdReversals": theTransferOf.on(partsOf(transferReversals, "transfer reversal", "transfer")),
		"GetTransfersTransferReversalsId": theTransfer.on(partOf(transferReversals, "transfer reversal", "id", "transfer")),
	}
}
