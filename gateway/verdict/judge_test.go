package verdict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parity/faults/trail"
)

const always = "always: one effect per intent"

func TestOneEffect(t *testing.T) {
	t.Parallel()
	yen := `,"amount":500,"currency":"jpy"`
	for _, c := range []struct {
		name   string
		play   func(*tape)
		result trail.Result
		lines  []string
	}{
		{"nothing written", func(t *tape) { t.call("GET /v1/charges", "g.1").put() }, trail.NotExercised, nil},
		{"once each", func(t *tape) {
			t.call(refunds, "r.1").refund("re_1").put()
			t.call(refunds, "r.2").refund("re_2").put()
		}, trail.Passed, []string{"2 intents changed something, each once"}},
		{"twice, with no fault at all", func(t *tape) {
			t.call(refunds, "r.1").makes("charges", "ch_1", yen).gone().put()
			t.call(refunds, "r.1").makes("charges", "ch_2", yen).put()
		}, trail.Failed, []string{"#1 charged, client gone before the answer   #2 sent again without a key: 2 charges, 1000 JPY"}},
		{"replayed", func(t *tape) {
			t.call(refunds, "r.1").key("k").refund("re_1").reset().put()
			s := t.call(refunds, "r.1").key("k").refund("re_1")
			s.x.Replayed = true
			s.put()
		}, trail.Passed, []string{"1 intent changed something, each once"}},
		{"declined, then charged", func(t *tape) {
			t.call(refunds, "r.1").makes("charges", "ch_1", yen+`,"status":"failed"`).status(402).put()
			t.call(refunds, "r.1").makes("charges", "ch_2", yen).put()
		}, trail.Passed, []string{"1 intent changed something, each once"}},
		{"the same change twice is one", func(t *tape) {
			for range 2 {
				t.call("POST /v1/charges/{charge}", "u.1").changes("charges", "ch_1", `,"amount":5`, `,"amount":5`).
					makesLog().put()
			}
		}, trail.Passed, []string{"1 intent changed something, each once"}},
		{"money changed twice", func(t *tape) {
			t.call("POST /v1/charges/{charge}/capture", "u.1").changes("charges", "ch_1", `,"amount_captured":0,"currency":"usd"`, `,"amount_captured":500,"currency":"usd"`).put()
			t.call("POST /v1/charges/{charge}/capture", "u.1").changes("charges", "ch_1", `,"amount_captured":500,"currency":"usd"`, `,"amount_captured":1000,"currency":"usd"`).put()
		}, trail.Failed, []string{"#1 captured   #2 sent again without a key: 2 changes of a charge, 10.00 USD"}},
		{"a promise has moved nothing yet", func(t *tape) {
			for i := range 2 {
				t.call("POST /v1/payment_intents", "p.1").
					makes("payment_intents", fmt.Sprint("pi_", i), `,"amount":900,"currency":"usd","status":"requires_confirmation"`).put()
			}
		}, trail.Failed, []string{"#1 created a payment intent   #2 sent again without a key: 2 payment intents"}},
		{"a charge says more than the intent it belongs to", func(t *tape) {
			for i := range 2 {
				t.call("POST /v1/payment_intents", "p.1").
					makes("payment_intents", fmt.Sprint("pi_", i), `,"amount":900,"currency":"usd","status":"succeeded"`).
					makes("charges", fmt.Sprint("ch_", i), `,"amount":900,"currency":"usd"`).put()
			}
		}, trail.Failed, []string{"#1 charged   #2 sent again without a key: 2 charges, 18.00 USD"}},
		{"the tally stands where the second was made", func(t *tape) {
			t.call(refunds, "r.1").key("a").refund("re_1").reset().put()
			t.call(refunds, "r.1").key("b").refund("re_2").reset().put()
			t.call(refunds, "r.1").key("b").put()
		}, trail.Failed, []string{"#1 refunded, reply lost   #2 sent again with a new key, reply lost: 2 refunds, 240.00 USD   #3 sent again with the same key"}},
		{"the tally of what is left out of a long story", func(t *tape) {
			for i := range 8 {
				s := t.call(refunds, "r.1").key(fmt.Sprint("k", i)).status(503)
				if i == 0 || i == 5 {
					s.status(200).refund(fmt.Sprint("re_", i)).reset()
				}
				s.put()
			}
		}, trail.Failed, []string{"#1 refunded, reply lost   #2 sent again with a new key, answered 503   #3 sent again with a new key, answered 503   " +
			"#4 sent again with a new key, answered 503   and 3 more: 2 refunds, 240.00 USD   #8 sent again with a new key, answered 503"}},
		{"an equal order after a look at the first", func(t *tape) {
			t.call(refunds, "r.1").key("a").refund("re_1").reset().put()
			t.call("GET /v1/refunds", "g.1").replies(`{"data":[{"id":"re_1"}]}`).put()
			t.call(refunds, "r.1").key("b").refund("re_2").put()
		}, trail.NotEvaluated, []string{"#1 refunded, reply lost   #3 sent again with a new key: 2 refunds, 240.00 USD"}},
		{"looked, and then twice", func(t *tape) {
			t.call(refunds, "r.1").key("a").refund("re_1").reset().put()
			t.call("GET /v1/refunds", "g.1").replies(`{"data":[{"id":"re_1"}]}`).put()
			t.call(refunds, "r.1").key("b").refund("re_2").reset().put()
			t.call(refunds, "r.1").key("c").refund("re_3").put()
		}, trail.Failed, []string{"#1 refunded, reply lost   #3 sent again with a new key, reply lost: 2 refunds, 240.00 USD   #4 sent again with a new key: 3 refunds, 360.00 USD"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			judged(t, c.play, c.result, c.lines)
		})
	}
}

// judged plays a tape, and wants its verdict to have that result and lines.
func judged(t *testing.T, play func(*tape), result trail.Result, lines []string) trail.Verdict {
	t.Helper()
	tape := newTape()
	play(tape)
	v := tape.verdict(t, always)
	if v.Result != result {
		t.Errorf("%s, want %s", v.Result, result)
	}
	if diff := cmp.Diff(lines, v.Lines); diff != "" {
		t.Error(diff)
	}
	return v
}

// makesLog adds an entry of the service's own log.
func (s *shot) makesLog() *shot { return s.makes("events", "evt_1", `,"type":"x","data":{}`) }

func TestRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		required bool
		play     func(*tape)
		result   trail.Result
		valid    bool
		why      string
	}{
		{"never met", true, func(*tape) {}, trail.InvalidRun, false, "no call was one that it is about"},
		{"met, not hit", true, func(t *tape) {
			t.call(refunds, "r.1").missed("r", ambiguous, "intent 1, and it hits number 2").put()
		}, trail.InvalidRun, false, "it was about 1 call, and never fired: intent 1, and it hits number 2"},
		{"its condition could not be evaluated", true, func(t *tape) {
			for range 4 {
				s := t.call(refunds, "r.1").missed("r", ambiguous, "when: result has no field amount")
				s.x.Strikes[0].Unknown = true
				s.put()
			}
		}, trail.InvalidRun, false, "it was about 4 calls, and never fired: its condition could not be evaluated 4 times (when: result has no field amount)"},
		{"not required", false, func(t *tape) {
			t.call(refunds, "r.1").missed("r", ambiguous, "when: not so").put()
			t.call(refunds, "r.2").missed("r", ambiguous, "when: not so").put()
		}, trail.NotExercised, true, "it was about 2 calls, and never fired: its condition did not hold (2 times)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			tape.rule("r", ambiguous, c.required)
			c.play(tape)
			v := tape.verdict(t, "r")
			if v.Result != c.result || v.Why != c.why {
				t.Errorf("%s because %q\nwant %s because %q", v.Result, v.Why, c.result, c.why)
			}
			if valid := Judge(tape.in).Valid; valid != c.valid {
				t.Errorf("valid is %v", valid)
			}
		})
	}
}

func TestRequiredOfALiveRun(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.in.Ended = false
	tape.rule("r", ambiguous, true)
	if j := Judge(tape.in); !j.Valid || j.Verdicts[0].Result != trail.NotExercised {
		t.Errorf("%+v", j)
	}
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	covers := func(operation string) func(string, string) bool {
		return func(service, o string) bool { return service == "stripe" && o == operation }
	}
	for _, c := range []struct {
		name       string
		difference DifferenceInfo
		rule       trail.Result
		always     trail.Result
	}{
		{"weakens what it rests on", DifferenceInfo{Name: "no-dedup", Weakens: []string{effects}, Covers: covers(refunds)}, trail.NotEvaluated, trail.NotEvaluated},
		{"weakens something else", DifferenceInfo{Name: "no-settlement", Weakens: []string{"settlement"}, Covers: covers(refunds)}, trail.Failed, trail.Failed},
		{"covers something else", DifferenceInfo{Name: "no-dedup", Weakens: []string{effects}, Covers: covers("POST /v1/payouts")}, trail.Failed, trail.Failed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			tape.in.Differences = []DifferenceInfo{c.difference}
			tape.lose("k1").put()
			tape.call(refunds, "r.1").key("k2").refund("re_00000002").put()
			v, a := tape.verdict(t, loseRule), tape.verdict(t, always)
			if v.Result != c.rule || a.Result != c.always {
				t.Errorf("rule %s, always %s; want %s, %s", v.Result, a.Result, c.rule, c.always)
			}
			if v.Result == trail.NotEvaluated && !cmp.Equal(v.Weakened, []string{"no-dedup"}) {
				t.Errorf("weakened by %v", v.Weakened)
			}
		})
	}
}

// A read-back proves nothing where reads here are fresher than they are in production.
func TestLookRestsOnFreshness(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.in.Differences = []DifferenceInfo{{Name: "no-lag", Weakens: []string{freshness}, Covers: func(_, o string) bool { return o == "GET /v1/refunds" }}}
	tape.lose("k1").put()
	tape.call("GET /v1/refunds", "g.1").replies(`{"data":[{"id":"re_00000001"}]}`).put()
	v := tape.verdict(t, loseRule)
	if v.Result != trail.NotEvaluated || v.Why != "it looked handled, but that proves nothing: no-lag weakens freshness" {
		t.Errorf("%s: %s", v.Result, v.Why)
	}
}

// A fake may keep a record under another id than the service shows: a read-back that
// shows the service's own was said to have found nothing, and to be a blind
// retry's excuse.
func TestLookFindsWhatTheServiceNamesOtherwise(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		path, answer, list string
		shows              bool
	}{
		"a number on top":        {"/repos/a/b/issues", `{"id":38192,"number":1,"user":{"id":7}}`, `[{"id":38192,"number":1}]`, true},
		"a part that it is in":   {"/api/v2/tickets.json", `{"ticket":{"id":35},"audit":{"id":9}}`, `{"tickets":[{"id":35}]}`, true},
		"a message's timestamp":  {"/api/chat.postMessage", `{"ok":true,"ts":"1795896459.0001"}`, `{"messages":[{"ts":"1795896459.0001"}]}`, true},
		"somebody else's id":     {"/repos/a/b/issues", `{"id":38192,"user":{"id":7}}`, `[{"id":38000,"user":{"id":7}}]`, false},
		"the number of a parent": {"/api/v2/tickets", `{"ticket":{"id":35},"audit":{"id":9}}`, `{"tickets":[{"id":9}]}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			s := tape.call("POST "+c.path, "r.1").path(c.path).makes("things", "b#1", "").strike(loseRule, ambiguous).reset()
			s.x.ReplyBody = []byte(c.answer)
			s.put()
			tape.call("GET "+c.path, "g.1").path(c.path).replies(c.list).put()
			want := "looked: it was there"
			if !c.shows {
				want = "looked: it was not there"
			}
			if v := tape.verdict(t, loseRule); !strings.Contains(strings.Join(v.Lines, " "), want) {
				t.Errorf("it is told as %q", v.Lines)
			}
		})
	}
}

// What a service keeps besides is not what a call did.
func TestWhatACallMadeIsWhatItsPathNames(t *testing.T) {
	t.Parallel()
	tape := newTape()
	s := tape.call("POST /repos/{owner}/{repo}/issues", "r.1").path("/repos/a/b/issues").makes("refs", "a/b:main", "").makes("issues", "a/b#1", "").strike(loseRule, ambiguous).reset()
	s.x.ReplyBody = []byte(`{"id":38192}`)
	s.put()
	if v := tape.verdict(t, loseRule); !strings.Contains(strings.Join(v.Lines, " "), "created an issue") {
		t.Errorf("it is told as %q", v.Lines)
	}
}

func TestScope(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.in.Services = []string{"stripe", "hubspot"}
	tape.in.Differences = []DifferenceInfo{
		{Name: "no-settlement", Production: "later", Here: "at once", So: "so", Weakens: []string{"settlement"}, Covers: func(_, o string) bool { return o == refunds }},
		{Name: "no-payouts", Weakens: []string{"settlement"}, Covers: func(_, o string) bool { return o == "POST /v1/payouts" }},
	}
	tape.lose("k1").put()
	tape.call(refunds, "r.1").key("k1").put()
	s := tape.call("GET /v1/charges", "g.1")
	s.x.Fidelity = trail.Example
	s.put()
	s = tape.call("", "")
	s.x.Service, s.x.Outcome, s.x.Host = "", trail.Denied, "api.example.com"
	s.put()
	s = tape.call("GET /v1/charges", "")
	s.x.Outcome, s.x.Fidelity, s.x.Note = trail.Panicked, trail.None, "panic in act"
	s.put()
	for range 2 {
		s = tape.call("", "")
		s.x.Method, s.x.Path, s.x.Outcome, s.x.Fidelity = "POST", "/v1/tax_rates", trail.Unknown, trail.None
		s.put()
	}
	s = tape.call("GET /v1/charges", "g.2")
	s.x.Altered = true // which is what a fault did, and no defect
	s.x.Breaches = []trail.Violation{{In: "body", Pointer: "/amount", Message: "is missing"}, {In: "body", Pointer: "/id"}}
	s.put()
	tape.in.Events = append(tape.in.Events, trail.Event{Seq: 8, Kind: trail.Tunnelled, Tunnel: &trail.Tunnel{Host: "api.anthropic.com", By: "model-apis"}})
	want := trail.Scope{
		Exchanges: 7,
		Faults:    []trail.RuleCount{{Rule: loseRule, Fault: ambiguous, Matched: 1, Fired: 1}},
		Operations: []trail.Touched{
			{Operation: "stripe GET /v1/charges", Effect: "read", Exchanges: 3, Fidelity: []trail.Fidelity{trail.Example, trail.Modelled}},
			{Operation: "stripe POST /v1/refunds", Effect: "irreversible", Exchanges: 2, Committed: 1, First: 1, Fidelity: []trail.Fidelity{trail.Modelled}},
		},
		NeverCalled: []string{"hubspot"},
		Untouched:   []string{"no-payouts"},
		Differences: []trail.Difference{{Name: "no-settlement", Production: "later", Here: "at once", So: "so", Weakens: []string{"settlement"}, Exchanges: 2}},
		Outside:     []trail.HostCount{{Host: "api.anthropic.com", Calls: 1, By: "model-apis"}},
		Denied:      []trail.HostCount{{Host: "api.example.com", Calls: 1}},
		Contained:   &trail.Contained{Why: trail.NotAskedFor},
		NotPlayed:   []trail.NotPlayed{{Call: "stripe POST /v1/tax_rates", Calls: 2, First: 6}},
		Defects: []trail.Defect{
			{Seq: 5, Note: "panic in act"},
			{Seq: 8, Note: "the reply to GET /v1/charges breaks the contract: body/amount is missing, and 1 more"},
		},
	}
	if diff := cmp.Diff(want, Judge(tape.in).Scope); diff != "" {
		t.Error(diff)
	}
}

// What other identities do, and when, changes no verdict.
func TestOtherTrafficChangesNoVerdict(t *testing.T) {
	t.Parallel()
	mine := newTape()
	mine.rule(loseRule, ambiguous, true)
	mine.lose("k1").put()
	mine.call("GET /v1/customers", "g.1").put()
	mine.call(refunds, "r.1").key("k2").refund("re_00000002").put()
	mine.call("GET /v1/charges", "g.2").strike("busy", "rate-limit").wait(5e9).put()
	mine.call("GET /v1/charges", "g.2").missed("busy", "rate-limit", "").after(6e9).put()

	others := newTape()
	others.who = "stripe-other"
	others.call("GET /v1/refunds", "o.1").replies(`{"data":[{"id":"re_00000001"}]}`).put()
	others.call(refunds, "o.2").refund("re_00000009").put()
	others.call("GET /v1/charges", "o.3").missed("busy", "rate-limit", "").put()
	others.call("GET /v1/refunds", "o.4").replies(`{"data":[]}`).put()

	rapid.Check(t, func(r *rapid.T) {
		merged := newTape()
		merged.in.Rules = mine.in.Rules
		was := map[uint64]uint64{}
		left, right := mine.in.Events, others.in.Events
		for len(left)+len(right) > 0 {
			from, tape := &left, mine
			if len(left) == 0 || len(right) > 0 && rapid.Bool().Draw(r, "other") {
				from, tape = &right, others
			}
			e := (*from)[0]
			*from = (*from)[1:]
			settlement := tape.in.Settlements[e.Seq]
			old := e.Seq
			e.Seq = uint64(len(merged.in.Events) + 1)
			settlement.Of = e.Seq
			merged.in.Settlements[e.Seq] = settlement
			merged.in.Events = append(merged.in.Events, e)
			if tape == mine {
				was[e.Seq] = old
			}
		}
		for _, rule := range []string{loseRule, "busy"} {
			want, got := mine.verdict(t, rule), merged.verdict(t, rule)
			for i, seq := range got.Evidence {
				got.Evidence[i] = was[seq]
			}
			want.Lines, got.Lines = nil, nil // they name numbers
			if diff := cmp.Diff(want, got); diff != "" {
				r.Fatal(diff)
			}
		}
	})
}
