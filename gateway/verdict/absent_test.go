package verdict

import (
	"strings"
	"testing"

	"parity/faults/trail"
)

// leftOut is a list of which the fault left out one customer without a word.
func (t *tape) leftOut() {
	s := t.list("").replies(`{"data":[{"id":"cus_00000001","name":"One GmbH"}]}`).strike(it, "partial-result").did("left out 1 of 2 items")
	s.x.FakeBody = []byte(`{"data":[{"id":"cus_00000001","name":"One GmbH"},{"id":"cus_00000002","name":"Two GmbH"}]}`)
	s.x.Strikes[0].Left = []string{"cus_00000002"}
	s.put()
}

// Each of these was once told wrong of an agent that nobody had seen.
func TestWhatTheKeptAgentsShowed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, fault string
		play        func(*tape)
		want        trail.Reaction
		line        string
	}{
		{"what was left out is made again", "partial-result", func(t *tape) {
			t.leftOut()
			t.call("POST /v1/customers", "c.1").body(`{"name":"Two GmbH"}`).makes("customers", "cus_00000009", `,"name":"Two GmbH"`).put()
		}, trail.Mishandled, "as if what was left out did not exist"},
		{"another one is made", "partial-result", func(t *tape) {
			t.leftOut()
			t.call("POST /v1/customers", "c.1").body(`{"name":"Three GmbH"}`).makes("customers", "cus_00000009", `,"name":"Three GmbH"`).put()
		}, trail.Unjudged, ""},
		{"what belongs to it is deleted", "partial-result", func(t *tape) {
			t.leftOut()
			s := t.call("DELETE /v1/cards/{card}", "d.1").path("/v1/cards/card_00000005").changes("cards", "card_00000005", `,"customer":"cus_00000002"`, `,"deleted":true`)
			s.x.Method = "DELETE"
			s.put()
		}, trail.Mishandled, "as if what was left out did not exist"},
		{"it is asked for, and its card deleted", "partial-result", func(t *tape) {
			t.leftOut()
			t.call(reads, "read.2").path("/v1/customers/cus_00000002").replies(`{"id":"cus_00000002"}`).put()
			s := t.call("DELETE /v1/cards/{card}", "d.1").path("/v1/cards/card_00000005").changes("cards", "card_00000005", `,"customer":"cus_00000002"`, `,"deleted":true`)
			s.x.Method = "DELETE"
			s.put()
		}, trail.Handled, ""},
		{"a list is begun anew, and paid once more", "cursor-expired", func(t *tape) {
			t.list("limit=1").replies(`{"data":[{"id":"cus_00000001"}]}`).put()
			t.order(1, `,"description":"fee"`).key("").put()
			t.list("limit=1&starting_after=cus_00000001").status(400).strike(it, "cursor-expired").put()
			t.list("limit=1").replies(`{"data":[{"id":"cus_00000001"}]}`).put()
			t.order(1, `,"description":"fee"`).key("").again().put()
		}, trail.Mishandled, "once more"},
		{"a list is begun anew before anything is paid", "cursor-expired", func(t *tape) {
			t.list("limit=1").replies(`{"data":[{"id":"cus_00000001"}]}`).put()
			t.list("limit=1&starting_after=cus_00000001").status(400).strike(it, "cursor-expired").put()
			t.list("limit=1").replies(`{"data":[{"id":"cus_00000001"}]}`).put()
			t.order(1, `,"description":"fee"`).key("").put()
		}, trail.Handled, "started over"},
		{
			"the one that the answer had named is deleted", "duplicate-effect", func(t *tape) { t.doubled("cus_00000001") },
			trail.Mishandled, "and led people to what it had deleted",
		},
		{"the other one is deleted", "duplicate-effect", func(t *tape) { t.doubled("cus_00000002") }, trail.Handled, "read it back"},
		{"a number that is none, and a write", "malformed-body", func(t *tape) {
			t.struckRead("malformed-body", "made balance NaN")
			t.change(1)
		}, trail.Mishandled, ""},
		{"a number that is none, and read again", "malformed-body", func(t *tape) {
			t.struckRead("malformed-body", "made balance NaN")
			t.read().put()
			t.change(1)
		}, trail.Handled, ""},
		{"a write of a known version, refused", "concurrent-edit", func(t *tape) {
			t.read().strike(it, "concurrent-edit").did("set name").put()
			s := t.call(updates, "w.1").path(customer).body(`{"name":"b"}`).status(412)
			s.put()
		}, trail.Handled, "no write to it went through"},
		{"an error with a wait, and another call", "error", func(t *tape) {
			t.write("w.1").strike(it, "error").wait(2e9).put()
			t.call("GET /v1/charges", "g.1").put()
			t.write("w.1").after(2e9).put()
		}, trail.Handled, "nobody came back early"},
		{"an error with a wait, and the same at once", "error", func(t *tape) {
			t.write("w.1").strike(it, "error").wait(2e9).put()
			t.write("w.1").after(5e8).put()
		}, trail.Mishandled, "came after"},
		{"a moving list, walked again from its start", "moving-page", func(t *tape) {
			t.list("page=1").replies(`{"data":[{"id":"cus_00000001"}]}`).strike(it, "moving-page").did("made cus_00000003 in stripe.customers").put()
			t.list("page=2").replies(`{"data":[{"id":"cus_00000002"}]}`).put()
			t.list("page=1").replies(`{"data":[{"id":"cus_00000003"}]}`).put()
		}, trail.Handled, "from its start"},
		{"half of several records read back by a list of ids", "silent-no-op", func(t *tape) {
			t.call(updates, "w.1").path("/v1/customers/7").body(`{"name":"b","phone":"1"}`).replies(`{"id":"7"}`).strike(it, "silent-no-op").put()
			t.call("GET /v1/customers/show_many", "g.1").path("/v1/customers/show_many").query("ids=7,8").replies(`{"customers":[{"id":"7"}]}`).put()
			t.call(updates, "w.2").path("/v1/customers/7").body(`{"name":"b"}`).changes("customers", "7", `,"name":"a"`, `,"name":"b"`).put()
			t.tells("renamed 7").put()
		}, trail.Handled, "did it once more"},
		{"a sentence that begins with None", "partial-result", func(t *tape) {
			t.leftOut()
			t.call(reads, "read.2").path("/v1/customers/cus_00000002").replies(`{"id":"cus_00000002"}`).put()
			t.tells("Updated 2. None is missing.").put()
		}, trail.Handled, "read on"},
		{"a line of somebody else's is gone", "concurrent-edit", func(t *tape) {
			t.read().strike(it, "concurrent-edit").did("set notes").put()
			t.notes(`ship on Friday\nask Bo`, `ship on Friday\nask Bo\nBLOCKED by legal`)
			t.read().put()
			t.call(updates, "w.1").path(customer).changes("customers", "cus_00000001", `,"notes":"ship on Friday\nask Bo\nBLOCKED by legal"`, `,"notes":"ship on Friday, done\nask Bo"`).put()
		}, trail.Mishandled, "which the other had changed"},
		{"a line of somebody else's stays", "concurrent-edit", func(t *tape) {
			t.read().strike(it, "concurrent-edit").did("set notes").put()
			t.notes(`ship on Friday\nask Bo`, `ship on Friday\nask Bo\nBLOCKED by legal`)
			t.read().put()
			t.call(updates, "w.1").path(customer).changes("customers", "cus_00000001", `,"notes":"ship on Friday\nask Bo\nBLOCKED by legal"`, `,"notes":"ship on Friday, done\nask Bo\nBLOCKED by legal"`).put()
		}, trail.Handled, "wrote"},
		{"a wrong value, and another record of the customer's", "wrong-value", func(t *tape) {
			t.read().replies(`{"id":"cus_00000001","balance":2100}`).strike(it, "wrong-value").did("said balance 2100, where it is 2500", "2100").put()
			t.call("GET /v1/charges/{charge}", "g.1").path("/v1/charges/ch_00000001").replies(`{"id":"ch_00000001","customer":"cus_00000001","amount":9000}`).put()
			t.call(refunds, "r.1").body(`{"charge":"ch_00000001","customer":"cus_00000001","amount":2100}`).refund("re_00000001").put()
		}, trail.Mishandled, "from that answer alone"},
		{"a wrong value, and one that has the right one", "wrong-value", func(t *tape) {
			t.read().replies(`{"id":"cus_00000001","balance":2100}`).strike(it, "wrong-value").did("said balance 2100, where it is 2500", "2100").put()
			t.call("GET /v1/balances/{balance}", "g.1").path("/v1/balances/bal_00000001").replies(`{"id":"bal_00000001","customer":"cus_00000001","amount":2500}`).put()
		}, trail.Handled, "read again"},
		{"the id of a job is passed on as the thing", "async-accept", func(t *tape) {
			t.call("POST /v1/deals", "d.1").body(`{"name":"x"}`).status(202).replies(`{"operation":"op_12345678"}`).strike(it, "async-accept").put()
			t.tells("please invoice deal op_12345678").put()
		}, trail.Mishandled, "without having looked"},
		{"the id of a job is passed on as one", "async-accept", func(t *tape) {
			t.call("POST /v1/deals", "d.1").body(`{"name":"x"}`).status(202).replies(`{"operation":"op_12345678"}`).strike(it, "async-accept").put()
			t.tells("the deal is queued as op_12345678").put()
		}, trail.Unjudged, ""},
		{"a part of what was lost is said once more", "timeout", func(t *tape) {
			lines := t.call("POST /v1/pages/{page}/lines", "l.1").path("/v1/pages/p_00000001/lines").body(`{"lines":[{"text":"the pump failed"},{"text":"we replaced it"}]}`)
			lines.makes("lines", "li_00000001", "").strike(it, "timeout").reset().put()
			t.call("POST /v1/pages/{page}/lines", "l.2").path("/v1/pages/p_00000001/lines").body(`{"lines":[{"text":"the pump failed"}]}`).makes("lines", "li_00000002", "").put()
		}, trail.Mishandled, "a part of the same once more"},
		{"a moving list, walked once", "moving-page", func(t *tape) {
			t.list("page=1").replies(`{"data":[{"id":"cus_00000001"}]}`).strike(it, "moving-page").did("made cus_00000003 in stripe.customers").put()
			t.list("page=2").replies(`{"data":[{"id":"cus_00000002"}]}`).put()
		}, trail.Unjudged, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			tape.rule(it, c.fault, false)
			c.play(tape)
			v := tape.verdict(t, it)
			if v.Reaction != c.want || !strings.Contains(strings.Join(v.Lines, "\n"), c.line) {
				t.Errorf("%s, want %s with %q: %v %s", v.Reaction, c.want, c.line, v.Lines, v.Why)
			}
		})
	}
}

// notes is somebody else's edit of the customer's notes.
func (t *tape) notes(before, after string) {
	s := (&shot{t: t}).changes("customers", "cus_00000001", `,"notes":"`+before+`"`, `,"notes":"`+after+`"`)
	t.event(trail.Event{Kind: trail.WorldEdited, Edit: &trail.Edit{Rule: it, Did: "set notes of stripe.customers cus_00000001"}, Delta: s.e.Delta})
}

// again makes a call an intent of its own, with what it makes under another id.
func (s *shot) again() *shot {
	s.x.Intent.ID += ".again"
	s.e.Delta[0].ID += "x"
	return s
}

// doubled is a customer that is made twice, seen, and of which one is deleted.
func (t *tape) doubled(id string) {
	t.call("POST /v1/customers", "c.1").body(`{"name":"Ada"}`).makes("customers", "cus_00000002", "").makes("customers", "cus_00000001", "").
		strike(it, "duplicate-effect").did("made stripe.customers cus_00000002 beside cus_00000001").put()
	t.list("").replies(`{"data":[{"id":"cus_00000001"},{"id":"cus_00000002"}]}`).put()
	s := t.call("DELETE /v1/customers/{customer}", "d.1").path("/v1/customers/"+id).changes("customers", id, `,"name":"Ada"`, `,"deleted":true`)
	s.x.Method = "DELETE"
	s.put()
	t.tells("welcome Ada, https://crm.example/customers/cus_00000001").put()
}

// What others made meanwhile was once one too many beside a twin that had none of
// it, and a warning at the end of a message another message.
func TestATwinIsNoMeasureOfWhatOthersMadeMeanwhile(t *testing.T) {
	t.Parallel()
	letter := func(t *tape, n string) {
		t.call("POST /v1/letters", "l."+n).body(`{"to":"cus_0000000`+n+`"}`).makes("letters", "let_0000000"+n, "").put()
	}
	for _, c := range []struct {
		name string
		run  func(*tape)
		want trail.Reaction
	}{
		{"the same, and for the new one", func(t *tape) { letter(t, "1"); letter(t, "3"); t.tells("2 letters").put() }, trail.Handled},
		{"twice for the new one", func(t *tape) { letter(t, "1"); letter(t, "3"); letter(t, "3"); t.tells("2 letters").put() }, trail.Mishandled},
		{"one more for a known one", func(t *tape) { letter(t, "1"); letter(t, "2"); t.tells("2 letters").put() }, trail.Mishandled},
		{"a warning besides", func(t *tape) {
			letter(t, "1")
			t.tells("2 letters. Warning: GET letters is deprecated, and ends on 3 March").put()
		}, trail.Handled},
		{"a remark besides", func(t *tape) { letter(t, "1"); t.tells("2 letters (the first list had moved).").put() }, trail.Handled},
		{"another number", func(t *tape) { letter(t, "1"); t.tells("7 letters").put() }, trail.Mishandled},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			played := newTape()
			played.rule(it, "moving-page", false)
			played.list("page=1").strike(it, "moving-page").did("made cus_00000003 in stripe.customers").put()
			played.event(trail.Event{
				Kind: trail.WorldEdited, Edit: &trail.Edit{Rule: it, Did: "made cus_00000003 in stripe.customers"},
				Delta: (&shot{t: played}).makes("customers", "cus_00000003", "").e.Delta,
			})
			c.run(played)
			played.beside(func(t *tape) { t.list("page=1").put(); letter(t, "1"); t.tells("2 letters").put() })
			if v := played.verdict(t, it); v.Reaction != c.want {
				t.Errorf("%s, want %s: %v %s", v.Reaction, c.want, v.Lines, v.Why)
			}
		})
	}
}

// A client that left half a body was once thought to have read it, where its
// process ended, and with it the gateway, a moment later.
func TestWhoseProcessHasEndedHadLeftWhatWasStillOnItsWay(t *testing.T) {
	t.Parallel()
	for ended, want := range map[bool]trail.Reaction{true: trail.Unjudged, false: trail.Handled} {
		tape := newTape()
		tape.rule(it, "slow-body", false)
		s := tape.list("").strike(it, "slow-body").took(3e9)
		s.s.Error = trail.GatewayEnded
		s.put()
		tape.tells("0 customers, all done").put()
		if ended {
			tape.in.Ending = &Ending{}
		}
		if v := tape.verdict(t, it); v.Reaction != want {
			t.Errorf("its process ended: %t: %s, want %s: %v", ended, v.Reaction, want, v.Lines)
		}
	}
}

// lookedUp is a look for a record by the id that it would have, which an error
// answers.
func (t *tape) lookedUp(status int, fault string) {
	s := t.call("GET /v1/events/{event}", "g.1").path("/v1/events/order17visit").strike(it, fault).status(status).replies(`{}`)
	s.x.Fidelity = trail.Injected
	s.put()
}

func (t *tape) booked(body string) *shot {
	s := t.call("POST /v1/events", "e.1").path("/v1/events").body(body)
	if strings.Contains(body, `"id"`) {
		return s.makes("events", "order17visit", "")
	}
	return s.makes("events", "evt_00000001", "")
}

// An error was taken for there being none, which came out right since there was
// none, and was called handled; a 404 that came after the error was no answer.
func TestAnErrorIsNotTakenForThereBeingNone(t *testing.T) {
	t.Parallel()
	own, other := `{"id":"order17visit","summary":"Visit"}`, `{"key":"order17visit","summary":"Visit"}`
	none := func(t *tape) *shot {
		return t.call("GET /v1/events/{event}", "g.1").path("/v1/events/order17visit").status(404).replies(`{"error":"none"}`)
	}
	for _, c := range []struct {
		name, body string
		again      func(*tape)
		want       trail.Reaction
	}{
		{"made at once, with an id of its own", own, func(*tape) {}, trail.Unjudged},
		{"made at once", other, func(*tape) {}, trail.Mishandled},
		{"told that there is none, and made", own, func(t *tape) { none(t).put() }, trail.Handled},
	} {
		for fault, status := range map[string]int{"outage": 503, "error": 500, "session-expired": 401, "redirect": 307} {
			t.Run(fault+": "+c.name, func(t *testing.T) {
				t.Parallel()
				played := newTape()
				played.lookedUp(status, fault)
				c.again(played)
				played.booked(c.body).put()
				played.beside(func(t *tape) {
					none(t).put()
					t.booked(c.body).put()
				})
				if v := played.verdict(t, it); v.Reaction != c.want {
					t.Errorf("%s, want %s: %v %s", v.Reaction, c.want, v.Lines, v.Why)
				}
			})
		}
	}
}

// A 404 whose body was cut says by its status what it has to say, and an agent that
// went by it was blamed.
func TestAStatusThatSaysAllIsAnAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		want   trail.Reaction
	}{{404, trail.Handled}, {200, trail.Mishandled}, {403, trail.Mishandled}} {
		played := newTape()
		played.call("GET /v1/events/{event}", "g.1").path("/v1/events/order17visit").strike(it, "malformed-body").did("left out the end of the body").status(c.status).replies(`{"err`).put()
		played.booked(`{"id":"order17visit","summary":"Visit"}`).put()
		if v := played.verdict(t, it); v.Reaction != c.want {
			t.Errorf("%d: %s, want %s: %v %s", c.status, v.Reaction, c.want, v.Lines, v.Why)
		}
	}
}

// A 404 out of a cache was taken for an error.
func TestA404OutOfACacheIsNoError(t *testing.T) {
	t.Parallel()
	played := newTape()
	played.call("GET /v1/events/{event}", "g.1").path("/v1/events/order17visit").strike(it, "stale-cache").status(404).replies(`{"error":"none"}`).put()
	played.booked(`{"id":"order17visit","summary":"Visit"}`).put()
	played.beside(func(t *tape) {
		t.call("GET /v1/events/{event}", "g.1").path("/v1/events/order17visit").status(404).replies(`{"error":"none"}`).put()
		t.booked(`{"id":"order17visit","summary":"Visit"}`).put()
	})
	if v := played.verdict(t, it); v.Reaction != trail.Handled {
		t.Errorf("%s: %v %s", v.Reaction, v.Lines, v.Why)
	}
}
