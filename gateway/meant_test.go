package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/gateway/kept"
)

// A profile says what makes another order of a payment. Rules count by it, the
// judge goes by it, and the run can be decided again.
func TestIntentsAsAProfileHasThem(t *testing.T) {
	t.Parallel()
	const payments = "https://api.stripe.com/v1/payment_intents"
	const turned = "payment_method_types[0]=card&payment_method=pm_card_visa&confirm=true&currency=usd&amount=4900"
	for name, c := range map[string]struct {
		intents string
		again   string // what is sent, with a key of its own, after the reply was lost
		result  trail.Result
		attempt int
	}{
		"guessed":                         {"", turned + "&description=again&metadata[order_id]=17", trail.Failed, 1},
		"by its order":                    {"by: [amount, metadata.order_id]", turned + "&description=again&metadata[run]=b&metadata[order_id]=17", trail.Failed, 2},
		"by its order, for another":       {"by: [amount, metadata.order_id]", payment + "&description=first&metadata[order_id]=18", trail.Passed, 1},
		"ignoring words":                  {"ignoring: [description, metadata.run]", turned + "&metadata[run]=b&description=again&metadata[order_id]=17", trail.Failed, 2},
		"by its words, which name orders": {"by: description", payment + "&description=second&metadata[order_id]=17", trail.Passed, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			intents := ""
			if c.intents != "" {
				intents = "intents: {stripe POST /v1/payment_intents: {" + c.intents + "}}\n"
			}
			h := open(t, "profile: meant\nservices: {stripe: {}}\n"+intents+`faults:
  lose: {call: stripe POST /v1/payment_intents, inject: ambiguous-success, with: {reply: reset}, trigger: {nth: 1}}
  slow: {call: stripe POST /v1/payment_intents, inject: latency, with: {fixed: 1ms}, trigger: {nth: 2}}
`)
			client := h.proxied(false)
			client.CloseIdleConnections()
			if status, _, _, err := call(t, client, http.MethodPost, payments, payment+"&description=first&metadata[order_id]=17", "Idempotency-Key", "k1"); err == nil {
				t.Fatalf("the reply was not lost: %d", status)
			}
			if status, _, reply, err := call(t, client, http.MethodPost, payments, c.again, "Idempotency-Key", "k2"); err != nil || status != 200 {
				t.Fatal(status, reply, err)
			}
			h.close()
			kept, err := kept.Read(h.root, h.Run.ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range kept.Report().Verdicts {
				if v.Subject == "always: one effect per intent" && v.Result != c.result {
					t.Errorf("%s: %v %s; want %s", v.Result, v.Lines, v.Why, c.result)
				}
			}
			last := kept.Events[len(kept.Events)-1].Exchange
			if last.Intent.Attempt != c.attempt {
				t.Errorf("attempt %d of %s, want %d", last.Intent.Attempt, last.Intent.ID, c.attempt)
			}
			for _, s := range last.Strikes {
				if s.Rule == "slow" && s.Fired != (c.attempt == 1) {
					t.Errorf("the rule for the second intent fired: %v (%s)", s.Fired, s.Why)
				}
			}
			var said strings.Builder
			if code, err := replayRun(t.Context(), &said, h.root, h.Run.ID, ""); code != 0 || err != nil {
				t.Errorf("decided again: %d %v\n%s", code, err, said.String())
			}
		})
	}
}
