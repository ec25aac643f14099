package stripe_test

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/world"
)

// audit looks at all there is and fails at what cannot be.
func (w *walk) audit() {
	for _, charge := range w.records("charges") {
		w.auditCharge(charge)
	}
	for _, intent := range w.records("payment_intents") {
		w.auditIntent(intent)
	}
	for _, refund := range w.records("refunds") {
		w.moves(refund, map[string]string{"pending": "succeeded", "succeeded": "failed"})
	}
	w.auditTimers()
	for _, method := range w.records("payment_methods") {
		w.auditMethod(method)
	}
	for _, customer := range w.records("customers") {
		settings, _ := customer.Value()["invoice_settings"].(map[string]any)
		if id, ok := settings["default_payment_method"].(string); ok {
			method, there := w.world.Get("stripe.payment_methods", id)
			w.holds(there && method.Value()["customer"] == customer.ID, customer, "has a default method that is not its own")
		}
	}
	lists := []string{"customers", "payment_methods", "payment_intents", "charges", "refunds", "events"}
	w.auditList(lists[w.steps%len(lists)])
}

// auditMethod: a method is one customer's for good, or nobody's after that, and
// pays once where it is nobody's.
func (w *walk) auditMethod(method *world.Record) {
	const none = "none"
	owner, owned := method.Value()["customer"].(string)
	customer, ok := w.world.Get("stripe.customers", owner)
	w.holds(!owned || ok && customer.Value()["deleted"] != true, method, "belongs to a customer that is not there")
	before := w.owners[method.ID]
	w.holds(before == "" || before == owner || !owned, method, "went over from "+before)
	switch {
	case owned:
		w.owners[method.ID] = owner
	case before != "":
		w.owners[method.ID] = none // it had one
	}
	paid := 0
	for _, charge := range w.records("charges") {
		if charge.Value()["payment_method"] == method.ID && charge.Value()["customer"] == nil && charge.Value()["status"] == "succeeded" {
			paid++
		}
	}
	w.holds(paid <= 1, method, "paid twice without a customer")
	w.holds(paid == 0 || !owned, method, "was given to a customer after it paid without one")
}

func (w *walk) holds(true bool, record *world.Record, complaint string) {
	if !true {
		w.t.Fatalf("%s %s:\n%s", record.ID, complaint, record.JSON())
	}
}

func number(record *world.Record, field string) int64 {
	n, _ := record.Value()[field].(int64)
	return n
}

// auditTimers: there is one for each hold, and no other. It is due when the
// charge says.
func (w *walk) auditTimers() {
	holds := 0
	for _, intent := range w.records("payment_intents") {
		if intent.Value()["status"] != "requires_capture" {
			continue
		}
		holds++
		timer, set := w.world.Get(fakes.TimersCollection, "stripe/hold-expires/"+intent.ID)
		w.holds(set, intent, "has a hold that does not expire")
		charge, _ := w.world.Get("stripe.charges", intent.Value()["latest_charge"].(string))
		before := got{body: charge.Value()}.at("payment_method_details.card.capture_before").(int64)
		w.holds(number(timer, "due") == before*int64(time.Second), timer, "is not due when its charge says")
		w.holds(w.now.Unix() < before, intent, "has outlived its hold")
	}
	n := 0
	for timer := range w.world.Oldest(fakes.TimersCollection, 0) {
		if timer.Value()["kind"] == "hold-expires" {
			n++
		}
	}
	if n != holds {
		w.t.Fatalf("%d timers for %d holds", n, holds)
	}
}

// auditCharge holds the money of a charge against its refunds. What a capture
// or a cancellation releases counts as refunded, without a refund of its own;
// what expires has one.
func (w *walk) auditCharge(charge *world.Record) {
	if charge.Value()["source_transfer"] != nil {
		return // what another account was sent
	}
	amount, captured, refunded := number(charge, "amount"), number(charge, "amount_captured"), number(charge, "amount_refunded")
	var back, expired int64
	for refund := range w.world.Find("stripe.refunds", "charge", charge.ID, 0) {
		if refund.Value()["reason"] == "expired_uncaptured_charge" {
			expired += number(refund, "amount")
			continue
		}
		if status := refund.Value()["status"]; status != "failed" && status != "canceled" {
			back += number(refund, "amount")
		}
	}
	intent, ok := w.world.Get("stripe.payment_intents", charge.Value()["payment_intent"].(string))
	w.holds(ok, charge, "has no intent")
	var released int64
	switch {
	case charge.Value()["captured"] == true:
		released = amount - captured
	case intent.Value()["status"] == "canceled" && charge.Value()["status"] == "succeeded":
		released = amount
	}
	w.holds((expired > 0) == (charge.Value()["status"] == "succeeded" && intent.Value()["cancellation_reason"] == "automatic"), charge, "did not expire with its intent")
	w.holds(expired == 0 || expired == released, charge, "expired by another amount than it released")
	w.holds(captured <= amount, charge, "captured more than it is")
	w.holds(back <= captured, charge, "gave back more than it captured")
	w.holds(refunded == back+released, charge, "does not count its refunds and what it released")
	w.holds(charge.Value()["refunded"] == (refunded == amount), charge, "is wrong about being refunded")
	w.moves(charge, map[string]string{})
}

func (w *walk) auditIntent(intent *world.Record) {
	status, amount := intent.Value()["status"], number(intent, "amount")
	latest, tried := intent.Value()["latest_charge"].(string)
	charge, there := w.world.Get("stripe.charges", latest)
	w.holds(!tried || there && charge.Value()["payment_intent"] == intent.ID, intent, "has a latest_charge that is not its own")
	w.holds((status == "requires_capture") == (number(intent, "amount_capturable") > 0), intent, "is wrong about what can be captured")
	w.holds((status == "succeeded") == (number(intent, "amount_received") > 0), intent, "is wrong about what it received")
	w.holds((status == "canceled") == (intent.Value()["canceled_at"] != nil), intent, "is wrong about being canceled")
	w.holds((status == "requires_action") == (intent.Value()["next_action"] != nil), intent, "is wrong about its next action")
	switch status {
	case "succeeded":
		w.holds(there && charge.Value()["captured"] == true && number(charge, "amount_captured") == number(intent, "amount_received"), intent, "received what its charge did not capture")
	case "requires_capture":
		w.holds(there && charge.Value()["captured"] == false && number(charge, "amount") == amount, intent, "has no hold")
	case "requires_payment_method":
		w.holds(intent.Value()["payment_method"] == nil, intent, "has the method that it requires")
	case "requires_confirmation":
		w.holds(intent.Value()["payment_method"] != nil, intent, "has nothing to confirm with")
	}
	const unconfirmed = "requires_payment_method requires_confirmation requires_action"
	w.moves(intent, map[string]string{
		"requires_payment_method": unconfirmed + " requires_capture succeeded canceled",
		"requires_confirmation":   unconfirmed + " requires_capture succeeded canceled",
		"requires_action":         unconfirmed + " requires_capture succeeded canceled",
		"requires_capture":        "succeeded canceled",
	})
}

// moves holds a status against the one that was seen last.
func (w *walk) moves(record *world.Record, allowed map[string]string) {
	status, _ := record.Value()["status"].(string)
	before, seen := w.said[record.ID]
	w.holds(!seen || before == status || slices.Contains(strings.Fields(allowed[before]), status), record, "went from "+before+" to "+status)
	w.said[record.ID] = status
}

// auditList holds the pages of a list against the world: all records, newest
// first, none twice.
func (w *walk) auditList(collection string) {
	var want, have []string
	for _, record := range w.records(collection) {
		_, others := w.world.Get("stripe.owners", record.ID)
		if !others && record.Value()["deleted"] != true && (collection != "customers" || record.Value()["test_clock"] == nil) {
			want = append(want, record.ID)
		}
	}
	query, newest := "?limit=7", int64(0)
	for more := true; more; {
		reply, _ := w.play(http.MethodGet, "/v1/"+collection+query, "", "")
		if reply.Status != http.StatusOK {
			w.t.Fatalf("%s%s: %s", collection, query, reply.Body)
		}
		items, _ := reply.Result["data"].([]any)
		for _, item := range items {
			record := item.(map[string]any)
			created := record["created"].(int64)
			if newest != 0 && created > newest {
				w.t.Fatalf("%s: %v is newer than the one before it", collection, record["id"])
			}
			newest = created
			have = append(have, record["id"].(string))
		}
		more = reply.Result["has_more"] == true
		if len(have) > 0 {
			query = "?limit=7&starting_after=" + have[len(have)-1]
		}
	}
	if !slices.Equal(want, have) {
		w.t.Fatalf("%s: the pages show %v, the world has %v", collection, have, want)
	}
}
