package verdict

import (
	"testing"
	"time"

	"parity/faults/trail"
)

func TestSlow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		play     func(*tape)
		reaction trail.Reaction
	}{
		{"left alone", func(t *tape) {
			t.call(refunds, "r.1").strike("slow", "latency").took(4 * time.Second).put()
		}, trail.Handled},
		{"sent again while open", func(t *tape) {
			t.call(refunds, "r.1").key("k").strike("slow", "latency").took(4 * time.Second).put()
			t.call(refunds, "r.1").key("k").put()
		}, trail.Mishandled},
		{"given up, then the same key", func(t *tape) {
			t.call(refunds, "r.1").key("k").refund("re_00000001").strike("slow", "latency").took(900 * time.Millisecond).gone().put()
			t.call(refunds, "r.1").key("k").put()
		}, trail.Handled},
		{"given up, then a new key", func(t *tape) {
			t.call(refunds, "r.1").key("k").refund("re_00000001").strike("slow", "latency").took(900 * time.Millisecond).gone().put()
			t.call(refunds, "r.1").key("l").put()
		}, trail.Mishandled},
		{"cancelled and sent again at once", func(t *tape) {
			t.call(refunds, "r.1").key("k").refund("re_00000001").strike("slow", "latency").took(1020 * time.Millisecond).gone().put()
			t.call(refunds, "r.1").key("k").put()
		}, trail.Handled},
		{"no settlement", func(t *tape) {
			t.call(refunds, "r.1").strike("slow", "latency").unsettled()
			t.call(refunds, "r.1").put()
		}, trail.Unjudged},
		{"ended in it", func(t *tape) {
			t.call(refunds, "r.1").strike("slow", "latency").unsettled()
		}, trail.CutShort},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			c.play(tape)
			if v := tape.verdict(t, "slow"); v.Reaction != c.reaction {
				t.Errorf("%s, want %s: %+v", v.Reaction, c.reaction, v)
			}
		})
	}
}

func TestBroken(t *testing.T) {
	t.Parallel()
	cut := func(t *tape) {
		s := t.call("GET /v1/customers", "g.1").replies(`{"data":[{"id":"cus_12345678","em`).strike("cut", "truncated-body")
		s.x.Wire, s.x.Whole = trail.Wire{Short: true, Cut: 30, End: trail.Close}, false
		s.put()
	}
	for _, c := range []struct {
		name     string
		play     func(*tape)
		reaction trail.Reaction
	}{
		{"nothing after it", cut, trail.Unjudged},
		{"nothing after it, and it stopped", func(t *tape) { cut(t); t.in.Ending = &Ending{Exit: 1} }, trail.Handled},
		{"written", func(t *tape) {
			cut(t)
			t.call("POST /v1/payment_intents", "p.1").body(`{"customer":"cus_12345678"}`).put()
		}, trail.Mishandled},
		{"read again first", func(t *tape) {
			cut(t)
			t.call("GET /v1/customers", "g.1").replies(`{"data":[{"id":"cus_12345678"}]}`).put()
			t.call("POST /v1/payment_intents", "p.1").body(`{"customer":"cus_12345678"}`).put()
		}, trail.Handled},
		{"known before", func(t *tape) {
			t.call("GET /v1/customers/{customer}", "g.0").path("/v1/customers/cus_12345678").put()
			cut(t)
			t.call("POST /v1/payment_intents", "p.1").body(`{"customer":"cus_12345678"}`).put()
		}, trail.Unjudged},
		{"written in a path", func(t *tape) {
			cut(t)
			t.call("POST /v1/customers/{customer}", "p.1").path("/v1/customers/cus_12345678").put()
		}, trail.Mishandled},
		{"a write repeated blindly", func(t *tape) {
			s := t.call(refunds, "r.1").key("k1").refund("re_00000001").strike("cut", "truncated-body")
			s.x.Wire, s.x.Whole = trail.Wire{Short: true, Cut: 5, End: trail.Close}, false
			s.put()
			t.call(refunds, "r.1").key("k2").refund("re_00000002").put()
		}, trail.Mishandled},
		{"a write left alone", func(t *tape) {
			s := t.call(refunds, "r.1").key("k1").refund("re_00000001").strike("cut", "truncated-body")
			s.x.Wire, s.x.Whole = trail.Wire{Short: true, Cut: 5, End: trail.Close}, false
			s.put()
		}, trail.Unjudged},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			c.play(tape)
			if v := tape.verdict(t, "cut"); v.Reaction != c.reaction {
				t.Errorf("%s, want %s: %+v", v.Reaction, c.reaction, v)
			}
		})
	}
}

// A role that a fault had made "agent" was found in the address of a ticket, which
// the agent writes into each event.
func TestAWordOfTheAgentsOwnIsNotFromABadAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		planted, body string
		want          trail.Reaction
	}{
		{"agent", `{"description":"https://acme.example.com/agent/tickets/1"}`, trail.Unjudged},
		{"agent", `{"description":"An agent will call, an agent, or two."}`, trail.Unjudged},
		{"agent", `{"description":"first line\n/agent/tickets"}`, trail.Unjudged},
		{"agent", `{"role":"agent"}`, trail.Mishandled},
		{"agent", `{"roles": ["owner", "agent"], "note":"first line\nsecond line"}`, trail.Mishandled},
		{"Roberta", `{"text":"Hello Roberta, welcome."}`, trail.Mishandled},
		{"bob@example.com", `{"text":"Write to bob@example.com."}`, trail.Mishandled},
	} {
		played := newTape()
		played.struckRead("wrong-value", "said role "+c.planted+", where it is admin", c.planted)
		played.call("POST /v1/notes", "n.1").body(c.body).makes("notes", "note_0001", "").put()
		if v := played.verdict(t, it); v.Reaction != c.want {
			t.Errorf("%s: %s, want %s: %v %s", c.body, v.Reaction, c.want, v.Lines, v.Why)
		}
	}
}

// A search for something else, and another record of the kind, were taken for the
// same read again, which shows a wrong value of a list.
func TestAnotherRecordDoesNotShowAWrongValueOfAList(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		again func(*tape)
		want  trail.Reaction
	}{
		{"another record", func(t *tape) {
			t.call(reads, "read.2").path("/v1/customers/cus_00000002").replies(`{"id":"cus_00000002","role":"user"}`).put()
		}, trail.Unjudged},
		{"a list of another kind", func(t *tape) {
			t.call("GET /v1/search", "s.1").replies(`{"tickets":[{"id":1,"requester":"cus_00000001"}]}`).put()
		}, trail.Unjudged},
		{"that record", func(t *tape) { t.read().replies(`{"id":"cus_00000001","role":"admin"}`).put() }, trail.Handled},
		{"the list", func(t *tape) { t.list("").replies(`{"data":[{"id":"cus_00000001","role":"admin"}]}`).put() }, trail.Handled},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			played := newTape()
			played.list("").replies(`{"data":[{"id":"cus_00000001","role":"agent"}]}`).strike(it, "wrong-value").did("said role agent, where it is admin", "agent").put()
			c.again(played)
			if v := played.verdict(t, it); v.Reaction != c.want {
				t.Errorf("%s, want %s: %v %s", v.Reaction, c.want, v.Lines, v.Why)
			}
		})
	}
}
