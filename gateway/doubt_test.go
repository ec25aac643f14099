package gateway_test

import (
	"net/http"
	"testing"

	"parity/faults/trail"
	"parity/gateway/client"
	"parity/gateway/kept"
)

// What is said of one effect per intent where an agent, after a lost reply,
// makes the same once more in ways that a key or a field does not show.
func TestWhatIsDoneOnceMoreAfterALostReply(t *testing.T) {
	t.Parallel()
	const api = "https://api.stripe.com/v1/"
	lost := func(t *testing.T, c *http.Client, path, body string) {
		c.CloseIdleConnections() // on a connection that was used before, net/http sends what has a key again by itself
		if status, _, _, err := call(t, c, "POST", api+path, body, "Idempotency-Key", "lost"); err == nil {
			t.Fatalf("the reply was not lost: %d", status)
		}
	}
	for name, c := range map[string]struct {
		operation string
		act       func(t *testing.T, c *http.Client)
		result    trail.Result
	}{
		"in other words": {"stripe.PostPaymentIntents", func(t *testing.T, c *http.Client) {
			lost(t, c, "payment_intents", payment+"&description=Order+17")
			must(t, c, "POST", api+"payment_intents", payment+"&description=Order+17,+again")
		}, trail.NotEvaluated},
		"for another order": {"stripe.PostPaymentIntents", func(t *testing.T, c *http.Client) {
			lost(t, c, "payment_intents", payment+"&metadata[order_id]=17")
			must(t, c, "POST", api+"payment_intents", payment+"&metadata[order_id]=18")
		}, trail.Passed},
		"having seen the first": {"stripe.PostPaymentIntents", func(t *testing.T, c *http.Client) {
			lost(t, c, "payment_intents", payment)
			must(t, c, "GET", api+"charges", "")
			must(t, c, "POST", api+"payment_intents", payment)
		}, trail.NotEvaluated},
		"for another reason": {"stripe.PostRefunds", func(t *testing.T, c *http.Client) {
			charge := must(t, c, "POST", api+"payment_intents", payment)["latest_charge"].(string)
			lost(t, c, "refunds", "amount=100&reason=duplicate&charge="+charge)
			must(t, c, "POST", api+"refunds", "amount=100&reason=requested_by_customer&charge="+charge)
		}, trail.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, "profile: doubted\nfaults:\n  it: {call: "+c.operation+", inject: ambiguous-success, with: {reply: reset}, trigger: {nth: 1}}\nservices: {stripe: {}}\n")
			c.act(t, h.proxied(false))
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
		})
	}
}

// A reset starts the count of intents anew: the same order made again after it
// was once a double effect. What the agent says of the lost one is judged.
func TestAnOrderMadeAgainAfterAReset(t *testing.T) {
	t.Parallel()
	h := open(t, lossy("reset"), shared)
	k, run := h.control(), h.make(client.NewRun{Names: []string{"told"}})[0]
	for range 2 {
		if err := second(k.Reset(t.Context(), "told")); err != nil {
			t.Fatal(err)
		}
		if status, _, _, err := call(t, h.single(), "POST", base(run)+"/v1/payment_intents", payment); err == nil {
			t.Fatalf("the reply was not lost: %d", status)
		}
		if err := k.Claim(t.Context(), "told", client.Outcome{Status: "stopped"}); err != nil {
			t.Fatal(err)
		}
	}
	h.close()
	kept, err := kept.Read(h.root, "told")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range kept.Report().Verdicts {
		if v.Result != trail.Passed && (v.Kind != "always" || v.Subject == "always: one effect per intent" || v.Result == trail.Failed) {
			t.Errorf("%s: %s, %v %s", v.Subject, v.Result, v.Lines, v.Why)
		}
	}
}
