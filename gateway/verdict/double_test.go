package verdict

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parity/faults/trail"
)

const charges = "POST /v1/payment_intents"

// order is a charge of 20.00 that is an intent of its own.
func (t *tape) order(n int, fields string) *shot {
	s := t.call(charges, fmt.Sprint("o", n, ".1")).key(fmt.Sprint("k", n)).body(`{"amount":2000,"currency":"usd","customer":"cus_1"` + fields + `}`)
	s.x.Intent.Fingerprint = fmt.Sprint("o", n)
	return s.makes("charges", fmt.Sprint("ch_0000000", n), `,"amount":2000,"currency":"usd"`)
}

// A charge that was lost and made once more in other words was once said to be
// one effect per intent.
func TestTheSameOrderInOtherWordsIsNotCalledHarmless(t *testing.T) {
	t.Parallel()
	const why = "#1 and #2 differ in description only, and nothing had shown what became of the first: " +
		"that may be one order made twice, or two, and the wire does not show which"
	line := func(words string) []string {
		return []string{"#1 charged, reply lost   #2 once more, with another " + words + ": 2 charges, 40.00 USD"}
	}
	for _, c := range []struct {
		name   string
		play   func(*tape)
		result trail.Result
		lines  []string
	}{
		{"another description", func(t *tape) {
			t.order(1, `,"description":"Order 17"`).reset().put()
			t.order(2, `,"description":"Order 17 (second try)"`).put()
		}, trail.NotEvaluated, line("description")},
		{"a description where there was none", func(t *tape) {
			t.order(1, ``).reset().put()
			t.order(2, `,"description":"again"`).put()
		}, trail.NotEvaluated, line("description")},
		{"another name for the try", func(t *tape) {
			t.order(1, `,"correlation_id":"a"`).reset().put()
			t.order(2, `,"correlation_id":"b"`).put()
		}, trail.NotEvaluated, line("correlation_id")},
		{"another note in the metadata", func(t *tape) {
			t.order(1, `,"metadata":{"order_id":"17","note":"a"}`).reset().put()
			t.order(2, `,"metadata":{"order_id":"17","note":"b"}`).put()
		}, trail.Failed, []string{"#1 charged 20.00 USD of cus_1   #2 charged 20.00 USD of cus_1, once more: 2 charges, 40.00 USD   both for order_id 17"}},
		{"answered by an error that was none", func(t *tape) {
			s := t.order(1, `,"description":"a"`)
			s.x.FakeStatus, s.x.Fidelity = 200, trail.Injected
			s.status(502).put()
			t.order(2, `,"description":"b"`).put()
		}, trail.NotEvaluated, []string{"#1 charged, answered 502   #2 once more, with another description: 2 charges, 40.00 USD"}},
		{"two honest orders", func(t *tape) {
			t.order(1, `,"description":"Order 17"`).put()
			t.order(2, `,"description":"Order 18"`).put()
		}, trail.Passed, []string{"2 intents changed something, each once"}},
		{"another order id", func(t *tape) {
			t.order(1, `,"metadata":{"order_id":"17","note":"a"}`).reset().put()
			t.order(2, `,"metadata":{"order_id":"18","note":"b"}`).put()
		}, trail.Passed, []string{"2 intents changed something, each once"}},
		{"another customer", func(t *tape) {
			t.order(1, `,"description":"a"`).reset().put()
			t.order(2, `,"description":"b","transfer_group":"ORDER18"`).put()
		}, trail.Passed, []string{"2 intents changed something, each once"}},
		{"a look had shown the first", func(t *tape) {
			t.order(1, `,"description":"a"`).reset().put()
			t.call("GET /v1/charges", "g.1").replies(`{"data":[{"id":"ch_00000001"}]}`).put()
			t.order(2, `,"description":"b"`).put()
		}, trail.Passed, []string{"2 intents changed something, each once"}},
		{"the first was sent again by itself", func(t *tape) {
			t.order(1, `,"description":"a"`).reset().put()
			t.order(2, `,"description":"b"`).put()
			s := t.order(1, `,"description":"a"`)
			s.x.Replayed = true
			s.put()
		}, trail.Passed, []string{"2 intents changed something, each once"}},
		{"the first had no effect", func(t *tape) {
			s := t.order(1, `,"description":"a"`).reset()
			s.x.Committed, s.e.Delta = false, nil
			s.put()
			t.order(2, `,"description":"b"`).put()
		}, trail.Passed, []string{"1 intent changed something, each once"}},
		{"somebody else", func(t *tape) {
			t.order(1, `,"description":"a"`).reset().put()
			t.who = "stripe-other"
			t.order(2, `,"description":"b"`).put()
		}, trail.Passed, []string{"2 intents changed something, each once"}},
		{"a double effect elsewhere says more", func(t *tape) {
			t.order(1, `,"description":"a"`).reset().put()
			t.order(2, `,"description":"b"`).put()
			t.call(refunds, "r.1").key("a").refund("re_1").reset().put()
			t.call(refunds, "r.1").key("b").refund("re_2").put()
		}, trail.Failed, []string{"#3 refunded, reply lost   #4 sent again with a new key: 2 refunds, 240.00 USD"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := judged(t, c.play, c.result, c.lines)
			if c.name == "another description" && (v.Why != why || !cmp.Equal(v.Evidence, []uint64{1, 2})) {
				t.Errorf("why %q, evidence %v", v.Why, v.Evidence)
			}
		})
	}
}

// Whatever honest orders are called, as long as each has a name of its own and is
// answered before the next is made, none is a double effect nor doubted.
func TestHonestOrdersAreNeverDoubted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		tape := newTape()
		for i := range rapid.IntRange(1, 9).Draw(r, "orders") {
			words := rapid.SampledFrom([]string{``, `,"description":"a"`, `,"description":"b"`}).Draw(r, "words") + fmt.Sprintf(`,"metadata":{"order_id":"order %d"}`, i)
			lost := rapid.Bool().Draw(r, "lost")
			s := tape.order(i+1, words)
			if lost {
				s.reset()
			}
			s.put()
			if lost { // and sent again, with its key
				again := tape.order(i+1, words)
				again.x.Replayed = true
				again.put()
			}
		}
		for _, v := range Judge(tape.in).Verdicts {
			if v.Subject == always && v.Result != trail.Passed {
				r.Fatalf("%s: %v", v.Result, v.Lines)
			}
		}
	})
}

func TestNamesOfOrders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name            string
		identifies, try bool
	}{
		{"order_id", true, false},
		{"orderId", true, false},
		{"invoiceNo", true, false},
		{"order", true, false},
		{"sku", true, false},
		{"note", false, false},
		{"idea", false, false},
		{"colour", false, false},
		{"customerID", true, false},
		{"request_id", true, true},
		{"traceId", true, true},
		{"attempt", false, true},
		{"retry-count", false, true},
		{"", false, false},
	} {
		if identifies(c.name) != c.identifies || ofTheTry(c.name) != c.try {
			t.Errorf("%q identifies an order: %v; the try: %v", c.name, identifies(c.name), ofTheTry(c.name))
		}
	}
}
