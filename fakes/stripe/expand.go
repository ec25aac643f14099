package stripe

import (
	"net/http"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
)

// deepest is how many levels an expansion may name.
// Source: docs.stripe.com/api/expanding_objects.
const deepest = 4

// totalCount is what a list shows when it is expanded: how many it has in all.
// Source: docs.stripe.com/api/pagination, docs.stripe.com/api/search.
const totalCount = "total_count"

// shape tells how Stripe's objects hang together. References are those of the
// contract; a charge's refunds are a list that is made when asked for.
func shape(contract *specs.Contract) kit.Shape {
	plain := plainFields()
	return kit.Shape{
		Prefix: name + ".",
		Refers: contract.Refers,
		Lists: func(collection, field string) (string, bool) {
			of, ok := made()[collection+"."+field]
			return of.collection, ok
		},
		List: func(r world.Reader, collection string, record map[string]any, field string) (map[string]any, error) {
			return made()[collection+"."+field].make(r, record)
		},
		Plain: func(collection, field string) bool {
			return strings.Contains(plain[collection], " "+field+" ")
		},
	}
}

// plainFields names what Stripe lets one expand and this fake has nothing to
// put in place of: it is accepted, and stays as it is. Source: the
// x-expandableFields of Stripe's published contract, and recorded requests.
func plainFields() map[string]string {
	return map[string]string{
		customers:           " address cash_balance default_source discount invoice_settings shipping test_clock ",
		paymentMethods:      " billing_details card link radar_options sepa_debit us_bank_account ",
		paymentIntents:      " amount_details application automatic_payment_methods hooks invoice last_payment_error managed_payments next_action on_behalf_of payment_details payment_method_configuration_details payment_method_options presentment_details processing review shipping source transfer_data charges ",
		charges:             " application application_fee billing_details failure_balance_transaction fraud_details invoice on_behalf_of outcome payment_method_details presentment_details radar_options review shipping source source_transfer transfer transfer_data ",
		refunds:             " destination_details failure_balance_transaction next_action presentment_details source_transfer_reversal transfer_reversal ",
		events:              " data request ",
		setupIntents:        " application latest_attempt mandate next_action on_behalf_of payment_method_options single_use_mandate ",
		products:            " package_dimensions tax_code ",
		prices:              " currency_options recurring tiers ",
		coupons:             " applies_to currency_options ",
		discounts:           " coupon ",
		promotionCodes:      " coupon restrictions ",
		paymentLinks:        " application on_behalf_of ",
		checkoutSessions:    " customer_details total_details ",
		invoices:            " account_tax_ids application charge customer_tax_ids default_source discount from_invoice issuer latest_revision lines on_behalf_of parent payment_intent rendering shipping_cost subscription test_clock total_pretax_credit_amounts total_taxes total_tax_amounts ",
		invoiceItems:        " parent pricing tax_rates test_clock ",
		subscriptions:       " application default_source default_tax_rates discount items on_behalf_of payment_settings plan schedule test_clock transfer_data ",
		subscriptionItems:   " plan price tax_rates ",
		creditNotes:         " customer_balance_transaction lines refunds ",
		balanceTransactions: " source ",
		payouts:             " destination original_payout reversed_by ",
		transfers:           " destination destination_payment reversals ",
		disputes:            " balance_transactions evidence payment_method_details ",
	}
}

// expansions reads and checks what is to be expanded, before anything is
// written.
func (c *call) expansions() *refusal {
	asked := c.Input.Query["expand"]
	if asked == nil {
		asked = c.Input.Body["expand"]
	}
	paths, _ := asked.([]any)
	if len(paths) == 0 {
		return nil
	}
	of, isList := c.Operation.Anatomy.Collection, c.Operation.Anatomy.Items != ""
	for _, item := range paths {
		path, _ := item.(string)
		if isList && path == totalCount {
			c.counts = true
			continue
		}
		if path == "" {
			continue
		}
		if strings.Count(path, ".") >= deepest {
			return unexpandable("property_expansion_max_depth", "You cannot expand more than 4 levels of a property. Property: "+path)
		}
		inner := path
		if isList {
			below, found := strings.CutPrefix(path, kit.ItemsKey+".")
			if !found && path != kit.ItemsKey {
				first, _, _ := strings.Cut(path, ".")
				return unexpandable("", "This property cannot be expanded ("+first+"). You may want to try expanding '"+kit.ItemsKey+"."+first+"' instead.")
			}
			inner = below
		}
		if wrong := c.fake.shape.Check(of, inner); wrong != "" {
			if isList {
				wrong = kit.ItemsKey + "." + wrong
			}
			return unexpandable("", "This property cannot be expanded ("+wrong+").")
		}
		c.expand = append(c.expand, inner)
	}
	return nil
}

func unexpandable(code, message string) *refusal {
	return &refusal{status: http.StatusBadRequest, code: code, message: message, unsaved: true}
}

// expanded is a record with all that was asked for in place.
func (c *call) expanded(collection string, record map[string]any) map[string]any {
	for _, path := range c.expand {
		record = must(c.fake.shape.Expand(c.Tx, collection, record, path))
	}
	return record
}

func (c *call) expandedItems(collection string, list map[string]any) map[string]any {
	for _, path := range c.expand {
		list = must(c.fake.shape.ExpandItems(c.Tx, collection, list, path))
	}
	return list
}

// must unwraps what only a mistake in this package can make fail.
func must(m map[string]any, err error) map[string]any {
	kit.Must(name, err)
	return m
}
