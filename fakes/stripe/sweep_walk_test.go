package stripe_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A walk is a client that does anything to anything, and an auditor who looks
// at all there is after each step.
type walk struct {
	*rig
	t      *rapid.T
	steps  int
	said   map[string]string // a record's id: its status when last seen
	owners map[string]string // a method's id: its customer when last seen, or none
}

// TestWalk takes random walks through the states of everything.
func TestWalk(t *testing.T) {
	t.Parallel()
	start := newStage(t)
	rapid.Check(t, func(t *rapid.T) {
		w := &walk{rig: start.fork(), t: t, said: map[string]string{}, owners: map[string]string{}}
		w.audit()
		for range rapid.IntRange(5, 15).Draw(t, "steps") {
			w.step()
			w.audit()
		}
	})
}

// step does one thing: at times twice under one key, at times a while later, or
// after days in which holds expire.
func (w *walk) step() {
	w.steps++
	w.wait(time.Duration(rapid.IntRange(0, 2).Draw(w.t, "seconds")) * time.Second)
	if rapid.IntRange(0, 9).Draw(w.t, "long") == 0 {
		w.wait(time.Duration(rapid.IntRange(1, 8).Draw(w.t, "days")) * 24 * time.Hour)
	}
	actions := w.actions()
	names := []string{"customer", "method", "intent", "intent", "pay", "pay", "confirm", "confirm", "capture", "captureCharge", "cancel", "refund", "refund", "attach", "detach", "update", "default", "delete"}
	method, path, form := actions[rapid.SampledFrom(names).Draw(w.t, "action")]()
	if method != http.MethodPost || rapid.Bool().Draw(w.t, "unkeyed") {
		w.play(method, path, form, "")
		return
	}
	key := fmt.Sprintf("key-%d", w.steps)
	first, _ := w.play(method, path, form, key)
	again, changed := w.play(method, path, form, key)
	if again.Replayed {
		if changed || again.Status != first.Status || !bytes.Equal(again.Body, first.Body) {
			w.t.Fatalf("%s %s: the replay is another answer, or changes something:\n%s\n%s", path, form, first.Body, again.Body)
		}
	} else if first.Status < 400 || first.Status == 402 && strings.HasSuffix(path, "/confirm") {
		w.t.Fatalf("%s %s: an answer %d was not kept for its key", path, form, first.Status)
	}
	if other, changed := w.play(method, path, over(form, []pair{{"metadata[other]", "1"}}), key); again.Replayed && other.Status < 400 || again.Replayed && changed {
		w.t.Fatalf("%s: a key that was used is good for other parameters: %s", path, other.Body)
	}
}

// play makes one call and holds the answer against the contract; changed tells
// whether it did anything that can be seen.
func (w *walk) play(method, path, form, key string) (reply fakes.Reply, changed bool) {
	header := http.Header{}
	if key != "" {
		header.Set("Idempotency-Key", key)
	}
	call, trouble := w.call(method, path, form, header)
	if trouble != nil {
		return fakes.Reply{Status: 400, Body: []byte("refused by the contract")}, false
	}
	reply = w.service.Fake.Answer(call)
	if wrong := kit.Breaches(w.service, call.Tx.Changes()); len(wrong) > 0 {
		w.t.Fatalf("%s %s breaks the contract: %s%s %s", path, form, wrong[0].In, wrong[0].Pointer, wrong[0].Message)
	}
	for _, change := range call.Tx.Changes() {
		changed = changed || change.Collection != "stripe.idempotency"
	}
	w.world = call.Tx.Commit()
	if wrong := call.Operation.CheckReply(reply.Status, "application/json", reply.Body); len(wrong) > 0 {
		w.t.Fatalf("%s %s: the answer breaks the contract at %s: %s", path, form, wrong[0].Pointer, wrong[0].Message)
	}
	if reply.Status >= 400 && changed && (reply.Status != 402 || !strings.HasPrefix(path, "/v1/payment_intents")) {
		w.t.Fatalf("%s %s is refused and changes the world: %s", path, form, reply.Body)
	}
	if parts := strings.Split(path, "/"); len(parts) == 5 && reply.Status == http.StatusOK && reply.Result["id"] != parts[3] {
		w.t.Fatalf("%s %s answers with another record: %s", path, form, reply.Body)
	}
	return reply, changed
}

// actions give what to send, drawn from what there is.
func (w *walk) actions() map[string]func() (method, path, form string) {
	post := func(path string, fields ...string) func() (string, string, string) {
		return func() (string, string, string) {
			var drawn []string
			for _, field := range fields {
				if one := w.field(field); one != "" {
					drawn = append(drawn, one)
				}
			}
			return http.MethodPost, w.path(path), strings.Join(drawn, "&")
		}
	}
	return map[string]func() (string, string, string){
		"customer":      post("/v1/customers", "?payment_method", "?default"),
		"method":        post("/v1/payment_methods", "type=card", "token"),
		"intent":        post("/v1/payment_intents", "currency=usd", "amount", "?customer", "?payment_method", "?capture_method", "payment_method_types[0]=card"),
		"pay":           post("/v1/payment_intents", "currency=usd", "amount", "?customer", "payment_method", "?capture_method", "payment_method_types[0]=card", "confirm=true", "?setup_future_usage", "?off_session"),
		"confirm":       post("/v1/payment_intents/payment_intents/confirm", "?payment_method", "?capture_method", "?setup_future_usage", "?off_session"),
		"capture":       post("/v1/payment_intents/payment_intents/capture", "?amount_to_capture"),
		"captureCharge": post("/v1/charges/charges/capture", "?amount"),
		"cancel":        post("/v1/payment_intents/payment_intents/cancel"),
		"refund":        post("/v1/refunds", "?charge", "?payment_intent", "?amount"),
		"attach":        post("/v1/payment_methods/payment_methods/attach", "customer"),
		"detach":        post("/v1/payment_methods/payment_methods/detach"),
		"update":        post("/v1/payment_intents/payment_intents", "?amount", "?customer", "?payment_method", "?unset"),
		"default":       post("/v1/customers/customers", "default"),
		"delete":        func() (string, string, string) { return http.MethodDelete, w.path("/v1/customers/customers"), "" },
	}
}

// path puts an id where a path has the name of a collection after that name.
func (w *walk) path(template string) string {
	parts := strings.Split(template, "/")
	for i := 3; i < len(parts); i++ {
		if parts[i] == parts[i-1] {
			parts[i] = w.id(parts[i])
		}
	}
	return strings.Join(parts, "/")
}

// id draws one of a collection's records, the newest first.
func (w *walk) id(collection string) string {
	ids := []string{}
	for record := range w.world.Newest("stripe."+collection, 0) {
		ids = append(ids, record.ID)
	}
	if len(ids) == 0 {
		return "none"
	}
	return rapid.SampledFrom(ids).Draw(w.t, collection)
}

// field draws a parameter; one with a question mark may be left out.
func (w *walk) field(name string) string {
	if plain, optional := strings.CutPrefix(name, "?"); optional {
		if !rapid.Bool().Draw(w.t, "with "+plain) {
			return ""
		}
		name = plain
	}
	draw := func(values ...string) string { return rapid.SampledFrom(values).Draw(w.t, name) }
	switch name {
	case "amount", "amount_to_capture":
		return name + "=" + draw("1000", "100", "50", "1", "999", "1001", "0")
	case "customer", "charge", "payment_intent":
		return name + "=" + w.id(name+"s")
	case "payment_method":
		return name + "=" + draw("pm_card_visa", w.id("payment_methods"), w.id("payment_methods"), "pm_card_chargeDeclined", "pm_card_chargeCustomerFail", "pm_card_authenticationRequired", "pm_card_pendingRefund", "pm_card_refundFail", "pm_card_createDispute")
	case "default":
		return "invoice_settings[default_payment_method]=" + draw(w.id("payment_methods"), "pm_card_visa", "")
	case "token":
		return "card[token]=" + draw("tok_visa", "tok_chargeCustomerFail")
	case "capture_method":
		return name + "=" + draw("manual", "automatic")
	case "setup_future_usage", "off_session":
		return name + "=" + draw(map[string]string{"setup_future_usage": "off_session", "off_session": "true"}[name])
	case "unset":
		return "payment_method="
	}
	return name
}

// records lists a collection's records, newest first.
func (w *walk) records(collection string) []*world.Record {
	var found []*world.Record
	for record := range w.world.Newest("stripe."+collection, 0) {
		found = append(found, record)
	}
	return found
}
