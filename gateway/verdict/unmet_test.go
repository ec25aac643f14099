package verdict

import (
	"strings"
	"testing"

	"parity/faults/trail"
)

// shortList is a page that left out most of a list, and says that there is more.
func (t *tape) shortList() {
	t.list("limit=5").replies(`{"data":[{"id":"cus_00000001"},{"id":"cus_00000002"}]}`).strike(it, "partial-page").did("left out 3 of 5 items; the next page begins with them", "").put()
}

// What the fault kept from the agent made no difference to its work: with a twin
// that was handled, though the agent had not read on, or failed, though it had not
// gone by the value that was wrong.
func TestATwinThatCameOutTheSameDoesNotShowThatItWasMet(t *testing.T) {
	t.Parallel()
	balance := func(t *tape) {
		t.read().replies(`{"id":"cus_00000001","balance":1}`).strike(it, "wrong-value").did("said balance 1, where it is 0", "1").put()
	}
	refund := func(t *tape, id string, amount string) {
		t.call(refunds, "r.1").body(`{"customer":"cus_00000001","amount":` + amount + `}`).refund(id).put()
	}
	both := func(t *tape) {
		t.write("w.1").body(`{"name":"b","of":"cus_00000001"}`).put()
		t.write("w.2").path("/v1/customers/cus_00000002").body(`{"name":"b","of":"cus_00000002"}`).put()
	}
	for _, c := range []struct {
		name, fault string
		run, calm   func(*tape)
		want        trail.Reaction
		settle      string
	}{
		{"a short list", "partial-page", func(t *tape) { t.shortList(); both(t) }, func(t *tape) { t.list("limit=5").put(); both(t) }, trail.Unjudged, trail.SettleNeeded},
		{"a short list, without a twin", "partial-page", func(t *tape) { t.shortList(); both(t) }, nil, trail.Mishandled, ""},
		{"a value that was not used", "wrong-value", func(t *tape) { balance(t); refund(t, "re_00000001", "500") }, func(t *tape) { t.read().put(); refund(t, "re_00000001", "500") }, trail.Unjudged, trail.SettleField},
		{"a value that was not used, without a twin", "wrong-value", func(t *tape) { balance(t); refund(t, "re_00000001", "500") }, nil, trail.Unjudged, trail.SettleTwin},
		{"a value that decided", "wrong-value", func(t *tape) { balance(t); refund(t, "re_00000001", "500") }, func(t *tape) { t.read().put(); refund(t, "re_00000001", "700") }, trail.Mishandled, ""},
		{"one of a list that was looked for", "partial-page", func(t *tape) {
			t.shortList()
			t.write("w.1").body(`{"name":"b"}`).put()
		}, func(t *tape) { t.list("limit=5").put(); t.write("w.1").body(`{"name":"b"}`).put() }, trail.Handled, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			tape.rule(it, c.fault, false)
			c.run(tape)
			if c.calm != nil {
				tape.beside(c.calm)
			}
			v := tape.verdict(t, it)
			if v.Reaction != c.want || v.Settle != c.settle {
				t.Errorf("%s, settled by %q, want %s and %q: %q %s", v.Reaction, v.Settle, c.want, c.settle, v.Lines, v.Why)
			}
			if strings.Contains(v.Headline, "could not read") {
				t.Errorf("a wrong value could be read: %s", v.Headline)
			}
		})
	}
}

// The tool was called once more, with no cursor, and the fault let it have all:
// that was to have read on.
func TestTheSamePageAskedForOnceMoreIsNotReadOn(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.rule(it, "partial-page", false)
	ask := func() *shot {
		s := tape.call("POST /api/conversations.list", "c.1").body(`{"limit":200}`)
		s.x.Service, s.x.Effect = "slack", "read"
		return s
	}
	ask().replies(`{"channels":[{"id":"C11111111"}]}`).strike(it, "partial-page").did("left out 2 of 3 items; the next page begins with them", "").put()
	ask().replies(`{"channels":[{"id":"C11111111"},{"id":"C22222222"},{"id":"C33333333"}]}`).put()
	tape.tells("C22222222 has the summary").put()
	v := tape.verdict(t, it)
	if v.Reaction != trail.Unjudged || v.Settle != trail.SettleEachTime {
		t.Errorf("%s, settled by %q: %q", v.Reaction, v.Settle, v.Lines)
	}
}
