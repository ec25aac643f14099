package stripe_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes"
)

const payment = "amount=2000&currency=usd&confirm=true&payment_method=pm_card_visa" + never

func TestAKeyedCallIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, form string
		status     int
	}{
		{"a success", payment, 200},
		{"a decline", strings.Replace(payment, "visa", "chargeDeclined", 1), 402},
		{"a state that does not allow it", strings.Replace(payment, "&payment_method=pm_card_visa", "", 1), 400},
		{"an amount too small", strings.Replace(payment, "2000", "3", 1), 400},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			first := r.must(test.status, r.keyed("k1", "/v1/payment_intents", test.form))
			before := r.world.Hash()
			again := r.must(test.status, r.keyed("k1", "/v1/payment_intents", test.form))
			if string(first.raw) != string(again.raw) {
				t.Errorf("bodies differ:\n%s\n%s", first.raw, again.raw)
			}
			if r.world.Hash() != before {
				t.Error("the replay changed the world")
			}
			if first.reply.Replayed || !again.reply.Replayed {
				t.Error("Replayed is wrong")
			}
			heads := [][3]string{
				{"Idempotency-Key", "k1", "k1"},
				{"Idempotent-Replayed", "", "true"},
				{"Original-Request", first.header.Get("Request-Id"), first.header.Get("Request-Id")},
				{"Stripe-Should-Retry", first.header.Get("Stripe-Should-Retry"), first.header.Get("Stripe-Should-Retry")},
			}
			for _, h := range heads {
				if a, b := first.header.Get(h[0]), again.header.Get(h[0]); a != h[1] || b != h[2] {
					t.Errorf("%s is %q, then %q", h[0], a, b)
				}
			}
			if first.header.Get("Request-Id") == again.header.Get("Request-Id") {
				t.Error("both have one Request-Id")
			}
		})
	}
}

func TestMisusedKeys(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := r.must(200, r.keyed("k1", "/v1/payment_intents", payment))
	other := r.must(400, r.keyed("k1", "/v1/payment_intents", payment+"&description=Tea"))
	want(t, other, map[string]any{
		"error.type":    "idempotency_error",
		"error.message": "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than 'k1' if you meant to execute a different request.",
	})
	elsewhere := r.must(400, r.keyed("k1", "/v1/customers", ""))
	want(t, elsewhere, map[string]any{
		"error.type":    "idempotency_error",
		"error.message": "Keys for idempotent requests can only be used for the same endpoint they were first used for ('/v1/customers' vs '/v1/payment_intents'). Try using a key other than 'k1' if you meant to execute a different request.",
	})
	// The order of parameters is not what they are.
	parts := strings.Split(payment, "&")
	turned := strings.Join(append(parts[1:], parts[0]), "&")
	if again := r.must(200, r.keyed("k1", "/v1/payment_intents", turned)); again.id() != first.id() {
		t.Error("parameters in another order made another intent")
	}
	r.must(400, r.keyed(strings.Repeat("k", 256), "/v1/customers", ""))
	r.must(200, r.keyed(strings.Repeat("k", 255), "/v1/customers", ""))
}

func TestWhatIsNotStored(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, form := range []string{
		"amount=2000", "amount=abc&currency=usd", "amount=0&currency=usd", "amount=1000&currency=zzz",
		"amount=1000&currency=usd&expand[]=nonsense", "amount=1000&currency=usd&nonsense=1",
	} {
		r.must(400, r.keyed("k1", "/v1/payment_intents", form))
	}
	r.must(200, r.keyed("k1", "/v1/payment_intents", "amount=2000&currency=usd"))
}

// TestKeysAreForgotten after 24 hours of the run's clock, to the instant: keys
// used within a second are not forgotten before their time.
func TestKeysAreForgotten(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name      string
		first     time.Duration // after a whole second
		later     time.Duration
		forgotten bool
	}{
		{"23:59:59", 0, 24*time.Hour - time.Second, false},
		{"23:59:59, used late in its second", 900 * time.Millisecond, 24*time.Hour - time.Second, false},
		{"23:59:59.5, used late in its second", 900 * time.Millisecond, 24*time.Hour - 500*time.Millisecond, false},
		{"24:00:00", 0, 24 * time.Hour, true},
		{"24:00:01", 0, 24*time.Hour + time.Second, true},
		{"24:00:01, used late in its second", 900 * time.Millisecond, 24*time.Hour + time.Second, true},
		{"the clock was set back", 0, -time.Hour, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.now = r.now.Add(test.first)
			first := r.must(200, r.keyed("k1", "/v1/customers", "name=A"))
			r.now = r.now.Add(test.later)
			again := r.must(200, r.keyed("k1", "/v1/customers", "name=A"))
			if forgotten := again.id() != first.id(); forgotten != test.forgotten || again.reply.Replayed == test.forgotten {
				t.Errorf("forgotten is %t", forgotten)
			}
			if n := r.world.Len("stripe.idempotency"); n != 1 {
				t.Errorf("%d keys are kept", n)
			}
		})
	}
}

func TestAKeyInFlight(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	keyed := r.service.Fake.(fakes.Keyed)
	header := http.Header{"Idempotency-Key": {"k1"}}
	call, trouble := r.call("POST", "/v1/payment_intents", payment, header)
	if trouble != nil {
		t.Fatal(trouble)
	}
	keyed.Reserve(call)
	if len(call.Tx.Changes()) == 0 {
		t.Fatal("nothing was reserved")
	}
	r.world = call.Tx.Commit()

	busy := r.must(409, r.keyed("k1", "/v1/payment_intents", payment))
	want(t, busy, map[string]any{"error.code": "idempotency_key_in_use"})
	if retry := busy.header.Get("Stripe-Should-Retry"); retry != "true" {
		t.Errorf("Stripe-Should-Retry is %q", retry)
	}
	second, _ := r.call("POST", "/v1/payment_intents", payment, header)
	keyed.Reserve(second)
	if n := len(second.Tx.Changes()); n != 0 {
		t.Errorf("a second reservation made %d changes", n)
	}

	undone, _ := r.call("POST", "/v1/payment_intents", payment, header)
	keyed.Release(undone)
	if n := undone.Tx.Commit().Len("stripe.idempotency"); n != 0 {
		t.Errorf("%d keys after the release", n)
	}

	r.held = true
	own := r.must(200, r.keyed("k1", "/v1/payment_intents", payment))
	r.held = false
	again := r.must(200, r.keyed("k1", "/v1/payment_intents", payment))
	if own.id() != again.id() || !again.reply.Replayed {
		t.Error("the reserved call was not stored")
	}
}

func TestOnlyPOSTTakesKeys(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.must(200, r.post("/v1/customers", "")).id()
	header := http.Header{"Idempotency-Key": {"k1"}}
	r.must(200, r.send("GET", "/v1/customers/"+id, "", header))
	gone := r.must(200, r.send("DELETE", "/v1/customers/"+id, "", header))
	if gone.header.Get("Idempotency-Key") != "k1" { // as recorded
		t.Error("the key is not said back")
	}
	if gone.header.Get("Original-Request") != "" || r.world.Len("stripe.idempotency") != 0 {
		t.Error("a key was taken")
	}
}

// TestSameCallsSameWorld: nothing but the call, its instant and Mint decides.
func TestSameCallsSameWorld(t *testing.T) {
	t.Parallel()
	play := func() (string, []string) {
		r := newRig(t)
		var bodies []string
		for _, form := range []string{payment, strings.Replace(payment, "visa", "chargeDeclined", 1), "amount=500&currency=eur"} {
			bodies = append(bodies, string(r.keyed(form, "/v1/payment_intents", form).raw))
		}
		return r.world.Hash(), bodies
	}
	hash, bodies := play()
	hash2, bodies2 := play()
	if diff := cmp.Diff(bodies, bodies2); diff != "" || hash != hash2 {
		t.Errorf("%s %s %s", hash, hash2, diff)
	}
}
