package verdict

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/builtin"
	"parity/fakes/world"
	"parity/faults/trail"
	"parity/profiles"
)

// ships is read only, and takes longer to make than a test.
var ships = sync.OnceValues(builtin.Catalogue)

// expects reads what a profile expects, each on a line of its own.
func expects(tb testing.TB, lines ...string) []profiles.Expectation {
	tb.Helper()
	catalogue, err := ships()
	if err != nil {
		tb.Fatal(err)
	}
	text := "profile: p\nservices: {stripe: {}, sendgrid: {}}\nexpect:\n  it:\n    " + strings.Join(lines, "\n    ") + "\n"
	p, err := profiles.Parse("p.yaml", []byte(text), profiles.Options{Catalogue: catalogue, Dir: tb.TempDir()})
	if err != nil {
		tb.Fatal(err)
	}
	return p.Expectations
}

func (s *shot) charge(id, fields string) *shot { return s.makes("charges", id, fields) }

func (s *shot) as(fields string) *shot {
	s.x.ReplyBody = []byte(fields)
	return s
}

// edit is somebody else changing the world.
func (t *tape) edit(s *shot) {
	t.event(trail.Event{Kind: trail.WorldEdited, Delta: s.e.Delta})
}

func chargeOf(t *tape, id, order string) *shot {
	return t.call(charges, "c."+id).charge(id, `,"amount":500,"status":"succeeded","metadata":{"order_id":"`+order+`"}`)
}

func looked(t *tape, id string) *shot {
	return t.call("GET /v1/charges/{charge}", "g."+id).path("/v1/charges/" + id).as(`{"id":"` + id + `"}`)
}

func refundOf(t *tape, id string) *shot {
	return t.call(refunds, "r."+id).body(`{"charge":"`+id+`"}`).makes("refunds", "re_"+id, `,"amount":500,"status":"succeeded"`).
		changed(id, `,"amount_refunded":0,"refunded":false`, `,"amount_refunded":500,"refunded":true`)
}

func (s *shot) changed(id, before, after string) *shot {
	return s.changes("charges", id, before, after)
}

func TestExpectations(t *testing.T) {
	t.Parallel()
	perOrder := []string{"at_most: 1", "new: stripe.charges", "per: metadata.order_id"}
	looks := []string{"each: stripe POST /v1/refunds", "needs: stripe GET /v1/charges/{charge}", "where: earlier.path.charge == later.body.charge", "within: 10m"}
	only := []string{"only_changes: [stripe.refunds, stripe.charges.amount_refunded]"}
	total := []string{"finally: sum(world.stripe.refunds, .amount) <= 900"}
	fresh := []string{"each: stripe POST /v1/refunds", "max_age: 30s"}
	for _, c := range []struct {
		name   string
		expect []string
		play   func(*tape)
		result trail.Result
		says   string // in a line, or in why
	}{
		{"two orders", perOrder, func(t *tape) { chargeOf(t, "a", "1").put(); chargeOf(t, "b", "2").put() }, trail.Passed, "2 new records in stripe.charges, apart for 2 values of metadata.order_id"},
		{"one order twice", perOrder, func(t *tape) { chargeOf(t, "a", "1").put(); chargeOf(t, "b", "1").put() }, trail.Failed, `#1 charged   #2 charged: 2 new records in stripe.charges for metadata.order_id "1", and at most 1 expected`},
		{"a replay is no second one", perOrder, func(t *tape) {
			chargeOf(t, "a", "1").put()
			s := chargeOf(t, "a", "1")
			s.x.Replayed = true
			s.put()
		}, trail.Passed, "1 new record"},
		{"what was declined is none", perOrder, func(t *tape) {
			t.call(charges, "c").charge("a", `,"status":"failed","metadata":{"order_id":"1"}`).status(402).put()
			chargeOf(t, "b", "1").put()
		}, trail.Passed, "1 new record"},
		{"what others make is not the agent's", perOrder, func(t *tape) { chargeOf(t, "a", "1").put(); t.edit(chargeOf(t, "b", "1")) }, trail.Passed, "1 new record"},
		{"a fault that does it twice", perOrder, func(t *tape) {
			chargeOf(t, "a", "1").charge("b", `,"metadata":{"order_id":"1"}`).strike("twice", "duplicate-effect").put()
		}, trail.Passed, "1 new record"},
		{"once more after it was undone", perOrder, func(t *tape) { chargeOf(t, "a", "1").put(); t.reset(); chargeOf(t, "b", "1").put() }, trail.Passed, ""},
		{"once more after a rollback to later", perOrder, func(t *tape) { chargeOf(t, "a", "1").put(); t.rollBack(1); chargeOf(t, "b", "1").put() }, trail.Failed, ""},
		{"once more in a fork that was reset", perOrder, func(t *tape) {
			chargeOf(t, "a", "1").put()
			t.in.Forks = []uint64{1}
			t.reset()
			chargeOf(t, "b", "1").put()
		}, trail.Failed, ""},
		{"none", perOrder, func(t *tape) { looked(t, "a").put() }, trail.NotExercised, "there were no new records in stripe.charges"},
		{"no such label", perOrder, func(t *tape) { t.call(charges, "c").charge("a", "").put() }, trail.NotEvaluated, "p.yaml:7:10: metadata: there is no such field"},
		{"nothing refused, without policy", []string{`holds: all(calls, .decision == "" and .approval == "" and .class == "" and .route == "")`}, func(t *tape) { looked(t, "a").put() }, trail.Passed, ""},
		{"what was refused", []string{`holds: none(calls, .decision == "refused" and .class == "irreversible")`}, func(t *tape) { t.payout("p.1").put() }, trail.Failed, ""},
		{"what was used", []string{`holds: any(calls, .approval == "used" and .committed)`}, func(t *tape) { t.held("apr_1", "pending").put(); t.approved("apr_1").put() }, trail.Passed, ""},
		{"what was held was not made", []string{"at_most: 0", "call: stripe POST /v1/refunds"}, func(t *tape) { t.held("apr_1", "pending").put(); looked(t, "a").put() }, trail.Passed, ""},
		{"a retry is no second call", []string{"exactly: 1", "call: stripe POST /v1/refunds"}, func(t *tape) {
			t.call(refunds, "r.1").refund("re_1").reset().put()
			t.call(refunds, "r.1").put()
		}, trail.Passed, "1 call of stripe POST /v1/refunds"},
		{"fewer than exactly", []string{"exactly: 2", "call: stripe POST /v1/refunds"}, func(t *tape) { refundOf(t, "a").put() }, trail.Failed, "1 call of stripe POST /v1/refunds, and at least 2 expected"},
		{"more than exactly", []string{"exactly: 0", "call: stripe POST /v1/refunds"}, func(t *tape) { refundOf(t, "a").put() }, trail.Failed, "and none expected"},
		{"not yet", []string{"at_least: 1", "new: stripe.refunds"}, func(t *tape) { looked(t, "a").put(); t.in.Ended = false }, trail.NotEvaluated, "the run is still going: there may be more"},
		{"never at all", []string{"at_least: 1", "new: stripe.refunds"}, func(t *tape) { looked(t, "a").put() }, trail.Failed, "no new records in stripe.refunds, and at least 1 expected"},
		{"of calls, apart", []string{"at_most: 1", "call: stripe POST /v1/refunds", "per: request.body.charge"}, func(t *tape) { refundOf(t, "a").put(); refundOf(t, "b").put() }, trail.Passed, ""},
		{"only where", []string{"at_most: 0", "call: stripe POST /v1/refunds", "when: request.body.charge == \"b\""}, func(t *tape) { refundOf(t, "a").put() }, trail.Passed, ""},
		{"where nobody can tell", []string{"at_most: 0", "call: stripe POST /v1/refunds", "when: request.body.metadata.order == \"b\""}, func(t *tape) { refundOf(t, "a").put() }, trail.NotEvaluated, "p.yaml:7:24: request.body.metadata: there is no such field"},

		{"never", []string{"never: stripe POST /v1/refunds"}, func(t *tape) { looked(t, "a").put() }, trail.Passed, "none of 1 call was one"},
		{"never, and did", []string{"never: stripe POST /v1/refunds"}, func(t *tape) { refundOf(t, "a").put() }, trail.Failed, "#1 refunded: stripe POST /v1/refunds was not to be called"},
		{"never new, and did", []string{"never: [stripe DELETE *, new stripe.refunds]"}, func(t *tape) { refundOf(t, "a").put() }, trail.Failed, "a new record that was not to be"},
		{"never, in an idle run", []string{"never: stripe POST /v1/refunds"}, func(*tape) {}, trail.NotExercised, "nothing was called"},
		{"no call to", []string{"no_call_to: sendgrid"}, func(t *tape) { looked(t, "a").put() }, trail.Passed, "none of 1 call went there"},
		{"a call to", []string{"no_call_to: [sendgrid, \"*.stripe.com\"]"}, func(t *tape) { looked(t, "a").put() }, trail.Failed, "#1 GET /v1/charges/a was sent to stripe"},
		{"a tunnel to", []string{"no_call_to: example.com"}, func(t *tape) {
			t.in.Events = append(t.in.Events, trail.Event{Seq: 1, Kind: trail.Tunnelled, Tunnel: &trail.Tunnel{Host: "example.com:443"}})
		}, trail.Failed, "#1 a connection to example.com:443, unread"},

		{"looked", looks, func(t *tape) { looked(t, "a").put(); refundOf(t, "a").put() }, trail.Passed, "1 call of stripe POST /v1/refunds, each after what it needs"},
		{"looked at another", looks, func(t *tape) { looked(t, "b").put(); refundOf(t, "a").put() }, trail.Failed, "#2 refunded: no stripe GET /v1/charges/{charge} before it that fits"},
		{"looked too long ago", looks, func(t *tape) { looked(t, "a").put(); refundOf(t, "a").after(11 * time.Minute).put() }, trail.Failed, "11m0s later, and within 10m0s expected"},
		{"looked in vain", looks, func(t *tape) { looked(t, "a").status(404).put(); refundOf(t, "a").put() }, trail.Failed, ""},
		{"looked before it was undone", looks, func(t *tape) { looked(t, "a").put(); t.reset(); refundOf(t, "a").put() }, trail.Failed, ""},
		{"no refund", looks, func(t *tape) { looked(t, "a").put() }, trail.NotExercised, "there were no calls of stripe POST /v1/refunds"},
		{"nothing to compare by", looks, func(t *tape) {
			looked(t, "a").put()
			t.call(refunds, "r").body(`{"payment_intent":"pi"}`).put()
		}, trail.NotEvaluated, "p.yaml:7:46: later.body.charge: there is no such field"},

		{"read just before", fresh, func(t *tape) { looked(t, "a").put(); refundOf(t, "a").put() }, trail.Passed, "each on what was read no more than 30s before"},
		{"read long before", fresh, func(t *tape) { looked(t, "a").put(); refundOf(t, "a").after(4 * time.Minute).put() }, trail.Failed, "#1 showed a   #2 refunded: 4m0s later, and at most 30s expected"},
		{"never read", fresh, func(t *tape) { refundOf(t, "a").put() }, trail.Failed, "a was never read"},
		{"names nothing", fresh, func(t *tape) { t.call(refunds, "r").body(`{"amount":5}`).put() }, trail.NotExercised, "named a record"},

		{"only that", only, func(t *tape) { refundOf(t, "a").put() }, trail.Passed, "1 call changed that alone"},
		{"and something else", only, func(t *tape) {
			t.call("POST /v1/charges/{charge}", "u").body(`{"description":"x"}`).changed("a", `,"description":null`, `,"description":"x"`).put()
		}, trail.Failed, `changed stripe.charges a: description (nothing → "x")`},
		{"named beside what may change", only, func(t *tape) {
			t.call("POST /v1/charges/{charge}", "u").body(`{"note":"x","amount_refunded":5}`).
				changed("a", `,"amount_refunded":0,"note":"","updated":1`, `,"amount_refunded":5,"note":"x","updated":2`).put()
		}, trail.Failed, `changed stripe.charges a: note ("" → "x")`},
		{"a time that the service keeps", only, func(t *tape) {
			t.call("POST /v1/charges/{charge}", "u").changed("a", `,"updated_at":1,"etag":"x"`, `,"updated_at":2,"etag":"y"`).put()
		}, trail.Passed, "1 call changed nothing"},
		{"a time that the agent sets", only, func(t *tape) {
			t.call("POST /v1/charges/{charge}", "u").body(`{"updated_at":2}`).changed("a", `,"updated_at":1`, `,"updated_at":2`).put()
		}, trail.Failed, "updated_at (1 → 2)"},
		{"made another", only, func(t *tape) { chargeOf(t, "a", "1").put() }, trail.Failed, "made stripe.charges a"},
		{"others did", only, func(t *tape) { looked(t, "a").put(); t.edit(chargeOf(t, "a", "1")) }, trail.Passed, "1 call changed nothing"},
		{"the log of events", only, func(t *tape) { refundOf(t, "a").makesLog().put() }, trail.Passed, ""},
		{"a ledger", only, func(t *tape) {
			t.in.Ledgers = map[string]bool{"stripe.balance_transactions": true}
			refundOf(t, "a").makes("balance_transactions", "txn", "").put()
		}, trail.Passed, ""},

		{"within the total", total, func(t *tape) { refundOf(t, "a").put() }, trail.Passed, ""},
		{"above the total", total, func(t *tape) { refundOf(t, "a").put(); refundOf(t, "b").put() }, trail.Failed, "does not hold: sum(world.stripe.refunds, .amount) is 1000"},
		{"undone again", total, func(t *tape) { refundOf(t, "a").put(); t.reset(); refundOf(t, "b").put() }, trail.Passed, ""},
		{"nothing touched", total, func(t *tape) { looked(t, "a").put() }, trail.NotExercised, "no call changed what it is about"},
		{"not at its end", total, func(t *tape) { refundOf(t, "a").put(); t.in.Ended = false }, trail.NotEvaluated, "still going"},
		{"a field that is not there", []string{"finally: sum(world.stripe.refunds, .metadata.order) <= 900"}, func(t *tape) { refundOf(t, "a").put() }, trail.NotEvaluated, "p.yaml:5:41: #.metadata: there is no such field"},
		{"only if", []string{"finally: len(world.stripe.refunds) > 1", "when: len(world.stripe.payouts) > 0"}, func(t *tape) { refundOf(t, "b").put() }, trail.NotExercised, "its when does not hold"},
		{"eventually", []string{`eventually: any(world.stripe.charges, .amount_refunded == 500)`}, func(t *tape) {
			refundOf(t, "a").put()
			t.call("POST /v1/charges/{charge}", "u").changed("a", `,"amount_refunded":500`, `,"amount_refunded":0`).put()
		}, trail.Passed, "#1 it held"},
		{"never so", []string{`eventually: len(world.stripe.refunds) > 1`}, func(t *tape) { refundOf(t, "a").put() }, trail.Failed, "after no event"},
		{"not so yet", []string{`eventually: len(world.stripe.refunds) > 1`}, func(t *tape) { refundOf(t, "a").put(); t.in.Ended = false }, trail.NotEvaluated, "it may yet hold"},
		{"of all calls", []string{`holds: none(calls, .status == 429)`}, func(t *tape) { looked(t, "a").put() }, trail.Passed, ""},
		{"of all calls, not", []string{`holds: all(calls, .operation != "POST /v1/refunds" or .body.charge == "b")`}, func(t *tape) { refundOf(t, "a").put() }, trail.Failed, "does not hold"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			c.play(tape)
			tape.in.Expectations = expects(t, c.expect...)
			v := tape.verdict(t, "it")
			if v.Result != c.result || !strings.Contains(strings.Join(append(v.Lines, v.Why), "\n"), c.says) {
				t.Errorf("%s %q, %s; want %s, %s", v.Result, v.Lines, v.Why, c.result, c.says)
			}
			if v.Kind != "expectation" || v.At == nil || v.At.Line != 4 || v.Grades != "order" && v.Grades != "state" {
				t.Errorf("%+v", v)
			}
			if v.Result == trail.NotEvaluated && v.Why == "" || v.Result == trail.Failed && len(v.Lines) == 0 {
				t.Errorf("it does not say why: %+v", v)
			}
		})
	}
}

func TestExpectationsBeginWithTheWorldOfTheRun(t *testing.T) {
	t.Parallel()
	begin := func() (*world.World, error) {
		w, err := world.New(world.Collection{Name: "stripe.refunds"})
		if err != nil {
			return nil, err
		}
		tx := w.Begin()
		_, err = tx.Insert("stripe.refunds", "re_0", map[string]any{"id": "re_0", "amount": int64(600)})
		return tx.Commit(), err
	}
	tape := newTape()
	refundOf(tape, "a").put()
	tape.in.World = begin
	tape.in.Expectations = expects(t, "finally: sum(world.stripe.refunds, .amount) <= 900")
	if v := tape.verdict(t, "it"); v.Result != trail.Failed || !strings.Contains(v.Lines[0], "is 1100") {
		t.Errorf("%+v", v)
	}
}

func TestAnExpectationRestsOnWhatItSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		weakens string
		expect  string
		result  trail.Result
	}{
		{effects, "at_most: 1\n    new: stripe.refunds", trail.NotEvaluated},
		{content, "at_most: 1\n    new: stripe.refunds", trail.Passed},
		{effects, "at_most: 1\n    call: stripe POST /v1/refunds", trail.Passed},
		{effects, "only_changes: [stripe.refunds]", trail.NotEvaluated},
		{effects, "finally: len(world.stripe.refunds) == 1", trail.NotEvaluated},
	} {
		tape := newTape()
		refundOf(tape, "a").put()
		tape.in.Differences = []DifferenceInfo{{Name: "odd", Weakens: []string{c.weakens}, Covers: func(_, o string) bool { return o == refunds }}}
		tape.in.Expectations = expects(t, c.expect)
		if v := tape.verdict(t, "it"); v.Result != c.result || (v.Result == trail.NotEvaluated) != (len(v.Weakened) == 1) {
			t.Errorf("%s under %s: %+v", c.expect, c.weakens, v)
		}
	}
}

// How long a call may take is expected of the service, and so it rests on how
// quick that is in production.
func TestLatencyIsExpectedAndRestsOnTiming(t *testing.T) {
	t.Parallel()
	inTime := []string{"each: stripe POST /v1/refunds", "elapsed: 2s"}
	for name, c := range map[string]struct {
		expect  []string
		with    func(*shot)
		weakens string
		result  trail.Result
		says    string
	}{
		"quick":                {inTime, func(s *shot) { s.put() }, content, trail.Passed, "each within 2s: the longest took 10ms"},
		"as quick as it says":  {inTime, func(s *shot) { s.took(2 * time.Second).put() }, content, trail.Passed, ""},
		"slow":                 {inTime, func(s *shot) { s.took(2100 * time.Millisecond).put() }, content, trail.Failed, "took 2.1s, and at most 2s expected"},
		"quick, as no service": {inTime, func(s *shot) { s.put() }, timing, trail.NotEvaluated, "odd weakens timing"},
		"slow, as no service":  {inTime, func(s *shot) { s.took(time.Minute).put() }, timing, trail.NotEvaluated, "it looked as if it failed"},
		"left early":           {inTime, func(s *shot) { s.took(time.Second).gone().put() }, content, trail.NotEvaluated, "the client left after 1s"},
		"left late":            {inTime, func(s *shot) { s.took(time.Minute).gone().put() }, content, trail.Failed, ""},
		"not settled":          {inTime, func(s *shot) { s.unsettled() }, content, trail.NotEvaluated, "when its wire ended is not known"},
		"none":                 {inTime, func(*shot) {}, content, trail.NotExercised, ""},
		"by a condition":       {[]string{"holds: all(calls, .elapsed < 2)"}, func(s *shot) { s.put() }, content, trail.Passed, ""},
		"weakly by one":        {[]string{"holds: all(calls, .elapsed < 2)"}, func(s *shot) { s.put() }, timing, trail.NotEvaluated, "odd weakens timing"},
		"by another":           {[]string{"holds: all(calls, .status < 300)"}, func(s *shot) { s.put() }, timing, trail.Passed, ""},
		"at some time":         {[]string{"eventually: any(calls, .elapsed < 2)"}, func(s *shot) { s.put() }, timing, trail.NotEvaluated, ""},
	} {
		tape := newTape()
		looked(tape, "a").put()
		c.with(refundOf(tape, "a"))
		tape.in.Differences = []DifferenceInfo{{Name: "odd", Weakens: []string{c.weakens}, Covers: func(_, o string) bool { return o == refunds }}}
		tape.in.Expectations = expects(t, c.expect...)
		v := tape.verdict(t, "it")
		if v.Result != c.result || !strings.Contains(v.Why+strings.Join(v.Lines, "\n"), c.says) {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

func BenchmarkExpectations(b *testing.B) {
	tape := newTape()
	for i := range 25_000 {
		id := fmt.Sprint("ch_", i)
		chargeOf(tape, id, id).put()
		looked(tape, id).put()
		refundOf(tape, id).put()
		looked(tape, id).put()
	}
	for name, lines := range map[string][]string{
		"counts":       {"at_most: 1", "new: stripe.charges", "per: metadata.order_id"},
		"each":         {"each: stripe POST /v1/refunds", "needs: stripe GET /v1/charges/{charge}", "where: earlier.path.charge == later.body.charge"},
		"pairs":        {"each: stripe POST /v1/refunds", "needs: stripe GET /v1/charges/{charge}", "where: earlier.path.charge != later.body.charge and 1 > 2"},
		"max_age":      {"each: stripe POST /v1/refunds", "max_age: 30s"},
		"only_changes": {"only_changes: [stripe.refunds, stripe.charges]"},
		"finally":      {"finally: sum(world.stripe.refunds, .amount) > 0"},
		"eventually":   {"eventually: len(world.stripe.refunds) > 1_000_000"},
		"holds":        {"holds: none(calls, .status == 429 and .body.charge == 'x')"},
	} {
		b.Run(name, func(b *testing.B) {
			tape.in.Expectations = expects(b, lines...)
			for b.Loop() {
				j := &judge{in: tape.in, ledger: newLedger(tape.in), cover: map[string][]int{}}
				j.expectations()
			}
		})
	}
}

// What lint holds conditions against is what they are given.
func TestACallHasWhatLintKnowsOfCalls(t *testing.T) {
	t.Parallel()
	tape := newTape()
	looked(tape, "a").put()
	j := &judge{in: tape.in, ledger: newLedger(tape.in)}
	said := j.speak(j.calls[0], func(string) bool { return true })
	if diff := cmp.Diff(slices.Sorted(slices.Values(profiles.CallFields())), slices.Sorted(maps.Keys(said))); diff != "" {
		t.Error(diff)
	}
}
