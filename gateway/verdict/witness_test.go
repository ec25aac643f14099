package verdict

import (
	"strings"
	"testing"

	"parity/faults/trail"
)

// beside makes a run's twin of what another tape plays.
func (t *tape) beside(play func(*tape)) {
	calm := newTape()
	play(calm)
	t.in.Calm = []Calm{{Run: "calm", Events: calm.in.Events, Settlements: calm.in.Settlements, Ending: &Ending{}}}
	t.in.Ending = &Ending{}
}

// tells is a message to people.
func (t *tape) tells(text string) *shot {
	s := t.call("POST /api/chat.postMessage", "m."+text).path("/api/chat.postMessage").body(`{"channel":"C1","text":"`+text+`"}`).makes("messages", "msg_"+text[:3], "")
	s.x.Service = "slack"
	return s
}

// What nothing on the wire showed was once called handled, though the agent did
// another thing than without the fault.
func TestATwinDecidesWhatTheWireDoesNotShow(t *testing.T) {
	t.Parallel()
	struck := func(t *tape) { t.struckRead("schema-drift", "renamed email") }
	for _, c := range []struct {
		name string
		calm func(*tape)
		run  func(*tape)
		want trail.Reaction
		line string
	}{
		{"the same was done", func(t *tape) { t.read().put(); t.change(1) }, func(t *tape) { struck(t); t.change(1) }, trail.Handled, "as without the fault"},
		{
			"another value", func(t *tape) { t.read().put(); t.write("w.1").body(`{"name":"Ada"}`).put() },
			func(t *tape) { struck(t); t.write("w.1").body(`{"name":"b"}`).put() }, trail.Mishandled, `name "b", without the fault "Ada"`,
		},
		{
			"one too many", func(t *tape) { t.read().put(); t.pay("k1", 1).put() },
			func(t *tape) { struck(t); t.pay("k1", 1).put(); s := t.pay("k2", 2); s.x.Intent.ID = "r.2"; s.put() }, trail.Mishandled, "which the twin does not have",
		},
		{
			"less, and people told the same", func(t *tape) { t.read().put(); t.pay("k1", 1).put(); t.tells("refunded in full").put() },
			func(t *tape) { struck(t); t.tells("refunded in full").put() }, trail.Mishandled, "the twin refunded",
		},
		{"less, and nobody told", func(t *tape) { t.read().put(); t.pay("k1", 1).put() }, func(t *tape) { struck(t) }, trail.Unjudged, ""},
		{
			"less, and people told of it", func(t *tape) { t.read().put(); t.pay("k1", 1).put() },
			func(t *tape) { struck(t); t.tells("could not read the customer, nothing was refunded").put() }, trail.Handled, "told people",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			played := newTape()
			played.rule(it, "schema-drift", false)
			c.run(played)
			played.beside(c.calm)
			v := played.verdict(t, it)
			if v.Reaction != c.want || !strings.Contains(strings.Join(v.Lines, "\n"), c.line) {
				t.Errorf("%s, want %s with %q: %v %s", v.Reaction, c.want, c.line, v.Lines, v.Why)
			}
			if c.want == trail.Unjudged && v.Settle != trail.SettleOutcome {
				t.Errorf("settled by %q", v.Settle)
			}
		})
	}
}

// An agent that does otherwise each time was once held against its twin.
func TestATwinOfAnAgentThatIsNotRepeatableShowsNothing(t *testing.T) {
	t.Parallel()
	played := newTape()
	played.rule(it, "schema-drift", false)
	played.write("w.0").body(`{"name":"one"}`).put()
	played.struckRead("schema-drift", "renamed email")
	played.beside(func(t *tape) { t.write("w.0").body(`{"name":"another"}`).put() })
	v := played.verdict(t, it)
	if v.Reaction != trail.Unjudged || !strings.Contains(v.Why, "not repeatable") {
		t.Errorf("%s: %s", v.Reaction, v.Why)
	}
}

// Three workers once charged one order, and it was said that each charge was had
// once.
func TestOneOrderChargedByTwoWorkersIsOneOrderTwice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		second string
		want   trail.Result
	}{
		{"one order", `,"metadata":{"order_id":"7781"}`, trail.Failed},
		{"another order", `,"metadata":{"order_id":"7782"}`, trail.Passed},
		{"another month of it", `,"metadata":{"order_id":"7781","period":"April"}`, trail.Passed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			tape.order(1, `,"metadata":{"order_id":"7781"}`).put()
			tape.order(2, c.second).put()
			if v := tape.verdict(t, always); v.Result != c.want {
				t.Errorf("%s, want %s: %v", v.Result, c.want, v.Lines)
			}
		})
	}
}

// An agent that went on with the administrator's token was once handled, since it
// had never used that before.
func TestACredentialThatIsUsedForTheFirstTimeIsAnotherOne(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.rule(it, "session-expired", false)
	tape.read().status(401).strike(it, "session-expired").put()
	tape.who = "stripe-admin"
	tape.read().put()
	if v := tape.verdict(t, it); v.Reaction != trail.Mishandled || !strings.Contains(v.Lines[0], "another principal's credential") {
		t.Errorf("%s: %v", v.Reaction, v.Lines)
	}
}

// A client that makes its own id and is told that it exists was once blamed for
// sending again without a key.
func TestAnIdOfTheClientsOwnIsAKey(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.rule(it, "ambiguous-success", false)
	event := func() *shot {
		return tape.call("POST /v1/events", "e.1").path("/v1/events").body(`{"id":"order17visit","summary":"Visit"}`)
	}
	event().makes("events", "order17visit", "").strike(it, "ambiguous-success").reset().put()
	event().status(409).replies(`{"error":"The requested identifier already exists."}`).put()
	if v := tape.verdict(t, it); v.Reaction != trail.Handled {
		t.Errorf("%s: %v %s", v.Reaction, v.Lines, v.Why)
	}
}

// What differs in two long texts was cut off in both, so that they looked the same.
func TestWhatDiffersInALongTextIsShown(t *testing.T) {
	t.Parallel()
	const begin = "We have booked a call for you on Monday the 30th of November, in the morning at "
	played := newTape()
	played.rule(it, "schema-drift", false)
	played.struckRead("schema-drift", "renamed slot")
	played.write("w.1").body(`{"note":"` + begin + `11:00."}`).put()
	played.beside(func(t *tape) {
		t.read().put()
		t.write("w.1").body(`{"note":"` + begin + `09:30."}`).put()
	})
	v := played.verdict(t, it)
	if line := strings.Join(v.Lines, ""); !strings.Contains(line, `in the morning at 11:00."`) || !strings.Contains(line, `in the morning at 09:30."`) {
		t.Error(line)
	}
}
