package stripe

import (
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A maker makes what an expansion adds to a record: it is not there unless it
// is asked for.
type maker struct {
	collection string // of the items, where it is a list of records
	make       func(r world.Reader, record map[string]any) (map[string]any, error)
}

// made names what is made, by collection and field.
func made() map[string]maker {
	return map[string]maker{
		charges + ".refunds":                  {refunds, refundsOf},
		customers + ".tax":                    {"", taxOf},
		customers + ".invoice_credit_balance": {"", func(world.Reader, map[string]any) (map[string]any, error) { return map[string]any{}, nil }},
		customers + ".sources":                {paymentMethods, emptyList("/v1/customers/", "/sources")},
		customers + ".tax_ids":                {"", emptyList("/v1/customers/", "/tax_ids")},
		customers + ".subscriptions":          {subscriptions, subscriptionsOf},
		invoices + ".payments":                {invoicePayments, paymentsOf},
		invoices + ".confirmation_secret":     {"", secretOf},
		paymentLinks + ".line_items":          {"", nothingMore("line_items")},
		checkoutSessions + ".line_items":      {"", nothingMore("line_items")},
	}
}

func nothingMore(field string) func(world.Reader, map[string]any) (map[string]any, error) {
	return func(_ world.Reader, record map[string]any) (map[string]any, error) {
		return cast.Object(record[field]), nil
	}
}

func emptyList(before, after string) func(world.Reader, map[string]any) (map[string]any, error) {
	return func(_ world.Reader, record map[string]any) (map[string]any, error) {
		return listing([]any{}, before+cast.Text(record["id"])+after), nil
	}
}

// taxOf is what Stripe knows of where a customer is: nothing, without an
// address.
func taxOf(_ world.Reader, customer map[string]any) (map[string]any, error) {
	return map[string]any{"automatic_tax": "unrecognized_location", "ip_address": nil, "location": nil, "provider": "stripe"}, nil
}

// refundsOf lists the newest refunds of a charge, as Stripe embeds them.
func refundsOf(r world.Reader, charge map[string]any) (map[string]any, error) {
	id := cast.Text(charge["id"])
	return embedded(r, kit.Query{Collection: full(refunds), Index: "charge", Value: id}, "/v1/charges/"+id+"/refunds")
}

func subscriptionsOf(r world.Reader, customer map[string]any) (map[string]any, error) {
	id := cast.Text(customer["id"])
	alive := func(r *world.Record) bool { return r.Value()["status"] != canceled }
	return embedded(r, kit.Query{Collection: full(subscriptions), Index: "customer", Value: id, Keep: alive}, "/v1/customers/"+id+"/subscriptions")
}

func paymentsOf(r world.Reader, invoice map[string]any) (map[string]any, error) {
	found, err := embedded(r, kit.Query{Collection: full(invoicePayments), Index: "invoice", Value: cast.Text(invoice["id"])}, "/v1/invoices/payments")
	delete(found, "total_count")
	return found, err
}

// embedded is a list of the newest ten, as it stands in a record.
func embedded(r world.Reader, q kit.Query, url string) (map[string]any, error) {
	q.Limit = defaultLimit
	page, err := kit.List(r, q)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"object": "list", kit.ItemsKey: kit.Values(page.Records), "has_more": page.More, "total_count": int64(len(page.Records)), "url": url,
	}, nil
}

// secretOf is what a page needs to pay an open invoice with.
func secretOf(r world.Reader, invoice map[string]any) (map[string]any, error) {
	for payment := range r.Find(full(invoicePayments), "invoice", cast.Text(invoice["id"]), 0) {
		if intent, ok := r.Get(full(paymentIntents), kit.Text(payment.Value(), "payment.payment_intent")); ok && payment.Value()["is_default"] == true {
			return map[string]any{"client_secret": intent.Value()["client_secret"], "type": "payment_intent"}, nil
		}
	}
	return nil, nil
}
