package stripe

import (
	"net/http"
	"slices"
	"time"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// A movement is money that comes to the balance or leaves it.
type movement struct {
	kind     string // the type of the balance transaction
	category string // its reporting_category
	amount   int64
	fee      int64
	cut      int64 // of the platform
	currency string
	source   string
	about    any
	atOnce   bool // it can be used at once
}

// settles is how long it takes until what was paid can be used.
// Source: as recorded of an account in the United States in test mode.
const settles = 7 * 24 * time.Hour

// fee is what Stripe keeps of a charge: 2.9 % and 30 cents.
// Source: stripe.com/pricing, and recorded charges.
func fee(amount int64) int64 { return (amount*29+500)/1000 + 30 }

// book writes a movement, and gives its id.
func (c *call) book(m movement) string {
	available := c.now()
	if !m.atOnce {
		available = c.after(settles).UTC().Truncate(24 * time.Hour).Unix()
	}
	details := []any{}
	if m.fee != 0 {
		what := "Stripe processing fees"
		if m.kind == "adjustment" {
			what = "Dispute fee"
		}
		details = append(details, map[string]any{
			"amount": m.fee, "application": nil, "currency": m.currency, "description": what, "type": "stripe_fee",
		})
	}
	if m.cut != 0 {
		details = append(details, map[string]any{"amount": m.cut, "application": c.setting("application", nil), "currency": m.currency, "description": nil, "type": "application_fee"})
		m.fee += m.cut
	}
	status := "pending"
	if m.atOnce {
		status = "available"
	}
	return c.create(balanceTransactions, map[string]any{
		"id": c.NewID("txn_3", 23), "object": "balance_transaction", "amount": m.amount, "available_on": available,
		"balance_type": "payments", "created": c.now(), "currency": m.currency, "description": m.about, "exchange_rate": nil,
		"fee": m.fee, "fee_details": details, "net": m.amount - m.fee, "reporting_category": m.category,
		"source": m.source, "status": status, "type": m.kind,
	}).ID
}

// settledBy tells what a movement's status is at an instant: nothing wakes it,
// it is only looked at.
func settledBy(value map[string]any, now int64) string {
	if whole(value["available_on"]) <= now {
		return "available"
	}
	return "pending"
}

// bookCharge books what was captured of a charge.
func (c *call) bookCharge(charge map[string]any, atOnce bool) string {
	amount := whole(charge["amount_captured"])
	cut := c.share(charge)
	return c.book(movement{
		kind: "charge", category: "charge", amount: amount, fee: fee(amount), cut: cut, currency: cast.Text(charge["currency"]),
		source: cast.Text(charge["id"]), about: charge["description"], atOnce: atOnce,
	})
}

// bookRefund books what was given back. The fee stays with Stripe.
func (c *call) bookRefund(refund, charge map[string]any, cutBack int64) string {
	about := any("REFUND FOR CHARGE")
	if said := cast.Text(charge["description"]); said != "" {
		about = "REFUND FOR CHARGE (" + said + ")"
	}
	return c.book(movement{
		kind: "refund", category: "refund", amount: -whole(refund["amount"]), cut: -cutBack, currency: cast.Text(refund["currency"]),
		source: cast.Text(refund["id"]), about: about,
	})
}

func listBalanceTransactions(c *call) (answer, *refusal) {
	var keep func(*world.Record) bool
	if id := c.query("payout"); id != "" {
		payout, ok := c.find(payouts, id)
		if !ok {
			return answer{}, missing(http.StatusNotFound, "payout", id, "payout")
		}
		keep = func(r *world.Record) bool { return r.Value()["source"] == payout.ID }
	}
	return c.list(balanceTransactions, "balance transaction", keep, "source", "type", "currency")
}

// sums gives what can be used by now and what cannot, by currency.
func (c *call) sums() (available, pending map[string]int64) {
	available, pending = map[string]int64{}, map[string]int64{}
	for r := range c.Tx.Newest(full(balanceTransactions), 0) {
		if !c.mine(r.ID) {
			continue
		}
		sum := pending
		if settledBy(r.Value(), c.now()) == "available" {
			sum = available
		}
		sum[cast.Text(r.Value()["currency"])] += whole(r.Value()["net"])
	}
	return available, pending
}

func getBalance(c *call) (answer, *refusal) {
	available, pending := c.sums()
	currencies := []string{"usd"}
	for _, sum := range []map[string]int64{available, pending} {
		for currency := range sum {
			if !slices.Contains(currencies, currency) {
				currencies = append(currencies, currency)
			}
		}
	}
	slices.Sort(currencies)
	amounts := func(sum map[string]int64) []any {
		var all []any
		for _, currency := range currencies {
			all = append(all, map[string]any{"amount": sum[currency], "currency": currency, "source_types": map[string]any{"card": sum[currency]}})
		}
		return all
	}
	return answer{value: map[string]any{
		"object": "balance", "available": amounts(available), "livemode": false, "pending": amounts(pending),
		"refund_and_dispute_prefunding": map[string]any{"available": zeros(currencies), "pending": zeros(currencies)},
	}}, nil
}

func zeros(currencies []string) []any {
	var all []any
	for _, currency := range currencies {
		all = append(all, map[string]any{"amount": int64(0), "currency": currency})
	}
	return all
}

// affordable refuses to send away more than there is.
func (c *call) affordable(amount int64, currency, message string) *refusal {
	if available, _ := c.sums(); amount > available[currency] {
		return &refusal{status: http.StatusBadRequest, code: "balance_insufficient", message: message}
	}
	return nil
}
