package stripe_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// A stage is a world with something of everything in it, and what in it may be
// named: ids by path parameter, values by parameter, forms that make a call
// complete by operation.
type stage struct {
	*rig
	paths map[string][]string
	known map[string][]string
	bases map[string][]string
}

// newStage prepares customers, methods, intents and charges in each state, and
// refunds of each kind.
func newStage(t testing.TB) *stage {
	r := newRig(t)
	r.connect("acct_1")
	made := func(path, form string) string { t.Helper(); return r.must(200, r.post(path, form)).id() }
	customer, bare, gone := made("/v1/customers", "email=a@b.co&name=Jo"), made("/v1/customers", ""), made("/v1/customers", "")
	attached := made("/v1/payment_methods/pm_card_visa/attach", "customer="+customer)
	second := made("/v1/payment_methods/pm_card_mastercard/attach", "customer="+customer)
	loose := made("/v1/payment_methods", "type=card&card[token]=tok_visa")
	spent := made("/v1/payment_methods/pm_card_visa/attach", "customer="+gone)
	const money = "amount=1000&currency=usd&payment_method_types[]=card"
	orphans := []string{
		made("/v1/payment_intents", money+"&setup_future_usage=off_session&customer="+gone),
		made("/v1/payment_intents", money+"&confirm=true&customer="+gone+"&payment_method="+spent),
	}
	r.must(200, r.send("DELETE", "/v1/customers/"+gone, "", nil))
	r.must(200, r.post("/v1/customers/"+customer, "invoice_settings[default_payment_method]="+attached))

	own := money + "&customer=" + customer + "&payment_method=" + attached
	intents := []string{
		made("/v1/payment_intents", money), made("/v1/payment_intents", own),
		made("/v1/payment_intents", own+"&confirm=true"), made("/v1/payment_intents", own+"&confirm=true&capture_method=manual"),
		made("/v1/payment_intents", money+"&confirm=true&payment_method=pm_card_authenticationRequired"),
		made("/v1/payment_intents", money+"&confirm=true&payment_method=pm_card_createDispute"),
		made("/v1/payment_intents", own+"&transfer_data[destination]=acct_1"),
	}
	declined, captured := made("/v1/payment_intents", money), made("/v1/payment_intents", own+"&confirm=true&capture_method=manual")
	r.must(402, r.post("/v1/payment_intents/"+declined+"/confirm", "payment_method=pm_card_chargeDeclined"))
	r.must(200, r.post("/v1/payment_intents/"+captured+"/capture", "amount_to_capture=600"))
	retried := made("/v1/payment_intents", money+"&capture_method=manual")
	r.must(402, r.post("/v1/payment_intents/"+retried+"/confirm", "payment_method=pm_card_chargeDeclined"))
	r.must(200, r.post("/v1/payment_intents/"+retried+"/confirm", "payment_method=pm_card_visa"))
	canceled := made("/v1/payment_intents", own+"&confirm=true&capture_method=manual")
	r.must(200, r.post("/v1/payment_intents/"+canceled+"/cancel", ""))
	intents = append(append(intents, declined, captured, retried, canceled), orphans...)

	pending := made("/v1/payment_intents", money+"&confirm=true&payment_method=pm_card_pendingRefund")
	failing := made("/v1/payment_intents", money+"&confirm=true&payment_method=pm_card_refundFail")
	refunds := []string{
		made("/v1/refunds", "amount=100&payment_intent="+captured),
		made("/v1/refunds", "amount=100&payment_intent="+pending), made("/v1/refunds", "payment_intent="+failing),
		made("/v1/refunds", "amount=100&payment_intent="+pending),
	}
	r.set("stripe.refunds", refunds[3], map[string]any{"status": "requires_action"}) // as for bank transfers
	shop := r.stock(customer, captured)
	clocks := []string{made("/v1/test_helpers/test_clocks", "frozen_time=1772366400&name=one"), made("/v1/test_helpers/test_clocks", "frozen_time=1772366400")}
	var charges []string
	for record := range r.world.Oldest("stripe.charges", 0) {
		charges = append(charges, record.ID)
	}
	var events []string
	for record := range r.world.Oldest("stripe.events", 0) {
		events = append(events, record.ID)
	}
	methods := []string{attached, loose, "pm_card_visa", spent, second, "pm_card_chargeDeclined", "pm_card_authenticationRequired", "pm_none"}
	s := &stage{rig: r, paths: map[string][]string{
		"customer": {customer, bare, gone, "cus_none"}, "payment_method": methods, "intent": append(intents, "pi_none"),
		"charge": append(charges, "ch_none"), "refund": append(refunds, "re_none"), "id": {events[0], "evt_none"}, "test_clock": append(clocks, "clock_none"),
	}}
	for name, ids := range shop {
		s.paths[name] = append(s.paths[name], ids...)
	}
	s.known = map[string][]string{
		"customer": {customer, bare, gone}, "payment_method": methods, "default_payment_method": {attached, loose},
		"charge": charges, "payment_intent": intents, "starting_after": slices.Concat(intents[:1], charges[:1], refunds[:1], events[:1], []string{attached, customer}),
		"currency": {"usd", "JPY"}, "email": {"b@c.co"}, "receipt_email": {"b@c.co"}, "token": {"tok_visa"}, "source": {"tok_visa"},
		"type": {"card", "charge.*", "charge.succeeded"}, "types": {"charge.succeeded", "refund.created"}, "destination": {"acct_1"}, "on_behalf_of": {"acct_1"},
		"exp_month": {"12", "13"}, "exp_year": {"2030", "1999"}, "amount": {"1000", "100", "0", "-1", "600"}, "amount_to_capture": {"1000", "1", "1001"},
		"amount_to_confirm": {"1000", "1"}, "payment_method_types": {"card", "link"}, "return_url": {"https://a.example/back"}, "created": {"1772366400", "1"},
		"limit": {"1", "2", "100"}, "test_clock": clocks, "frozen_time": {"1772366400", "1772452800", "9999999999"},
	}
	s.known["ending_before"] = s.known["starting_after"]
	for name, ids := range shop {
		if s.known[name] == nil {
			s.known[name] = ids
		}
	}
	s.known["invoice"], s.known["subscription"] = shop["invoice"], shop["subscription"]
	confirmed := "&confirm=true&payment_method=pm_card_visa&return_url=https://a.example"
	data := "&payment_method_data[type]=card&payment_method_data[card][token]=tok_visa"
	s.bases = map[string][]string{
		"PostPaymentIntents": {
			money, "amount=1000&currency=usd", own, own + "&confirm=true", money + "&capture_method=manual" + confirmed,
			money + confirmed + "&transfer_data[destination]=acct_1", money + data, money + data + "&confirm=true",
		},
		"PostPaymentIntentsIntent":              {"", data[1:]},
		"PostPaymentIntentsIntentConfirm":       {"", "payment_method=pm_card_visa", data[1:]},
		"PostPaymentMethods":                    {"type=card&card[token]=tok_visa"},
		"PostPaymentMethodsPaymentMethodAttach": {"customer=" + customer},
		"PostRefunds":                           {"", "charge=" + charges[0], "payment_intent=" + captured},
		"PostCustomers":                         {"", "payment_method=pm_card_visa"},
	}
	return s
}

// set changes fields of a record, where no call leads there.
func (r *rig) set(collection, id string, fields map[string]any) {
	r.t.Helper()
	tx := r.world.Begin()
	old, ok := tx.Get(collection, id)
	if !ok {
		r.t.Fatalf("no %s in %s", id, collection)
	}
	value := maps.Clone(old.Value())
	maps.Copy(value, fields)
	if _, err := tx.Update(collection, id, value); err != nil {
		r.t.Fatal(err)
	}
	r.world = tx.Commit()
}

// fork is a rig that goes its own way from here.
func (r *rig) fork() *rig { other := *r; return &other }

// targets gives the paths that an operation's template can mean in the stage.
func (s *stage) targets(template string) []string {
	found := []string{template}
	for name, ids := range s.paths {
		if !strings.Contains(template, "{"+name+"}") {
			continue
		}
		var filled []string
		for _, path := range found {
			for _, id := range ids {
				filled = append(filled, strings.Replace(path, "{"+name+"}", id, 1))
			}
		}
		found = filled
	}
	slices.Sort(found)
	return found
}

// basesOf gives the forms that complete a call of an operation.
func (s *stage) basesOf(operation string) []string {
	if bases := s.bases[operation]; bases != nil {
		return bases
	}
	return []string{""}
}
