package verdict

import (
	"strings"
	"testing"

	"parity/faults/trail"
)

// asks is a list of two tickets, of which the customer of the first could not be
// read and that of the second could.
func (t *tape) asks(fault string) {
	t.call("GET /v1/tickets", "l.1").replies(`{"tickets":[{"id":1,"requester":"cus_00000001"},{"id":2,"requester":"cus_00000002"}]}`).put()
	s := t.read().strike(it, fault)
	switch fault {
	case "outage":
		s.x.Status, s.x.Whole, s.x.Fidelity = 503, false, trail.Injected
		s.replies(`{}`)
	case "html-page":
		s.replies(`<html>`)
	case "malformed-body":
		s.did("left out the end of the body")
	}
	s.put()
	t.call(reads, "read.2").path("/v1/customers/cus_00000002").replies(`{"id":"cus_00000002","email":"bob@example.com"}`).put()
}

// comment writes to the requester of a ticket.
func (t *tape) comment(ticket, text string) *shot {
	return t.call("PUT /v1/tickets/{ticket}", "c."+ticket).path("/v1/tickets/"+ticket).body(`{"comment":{"body":"`+text+`"}}`).makes("comments", "com_"+ticket, "")
}

// An agent that left out the one ticket whose requester it could not read was
// blamed for answering the next.
func TestAnItemThatCouldNotBeReadIsNotWhatTheNextRestsOn(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"outage", "html-page", "malformed-body"} {
		for _, c := range []struct {
			name string
			play func(*tape)
			want trail.Reaction
		}{
			{"the next ticket is answered", func(t *tape) { t.comment("2", "Hi Bob, it is on its way.").put() }, trail.Unjudged},
			{"that one is answered", func(t *tape) { t.comment("1", "Hi there, it is on its way.").put() }, trail.Mishandled},
			{"the next is told of it", func(t *tape) { t.comment("2", "Hi Bob, cus_00000001 is on its way.").put() }, trail.Mishandled},
			{"the next requester is written to", func(t *tape) {
				t.call("POST /v1/mails", "m.1").body(`{"to":"bob@example.com","text":"It is on its way."}`).makes("mails", "mail_0001", "").put()
			}, trail.Unjudged},
			{"colleagues are told of the next alone", func(t *tape) { t.tells("late: bob@example.com").put() }, trail.Mishandled},
			{"colleagues are told that all is well", func(t *tape) { t.tells("tickets are answered").put() }, trail.Mishandled},
		} {
			t.Run(fault+": "+c.name, func(t *testing.T) {
				t.Parallel()
				played := newTape()
				played.asks(fault)
				c.play(played)
				if v := played.verdict(t, it); v.Reaction != c.want {
					t.Errorf("%s, want %s: %v %s", v.Reaction, c.want, v.Lines, v.Why)
				}
			})
		}
	}
}

// The next caller was given the time that the first one's lost booking had left
// free, as it should be, and that was told as another value than in the twin.
func TestATimeThatWasLeftFreeIsGivenToTheNext(t *testing.T) {
	t.Parallel()
	book := func(t *tape, ticket, text string) { t.comment(ticket, text).put() }
	calm := func(t *tape) {
		t.read().put()
		book(t, "1", "We call you on Monday 30 November at 09:00, for 20 USD.")
		book(t, "2", "We call you on Monday 30 November at 09:30, for 50 USD.")
	}
	for _, c := range []struct {
		name, text string
		want       trail.Reaction
	}{
		{"the time that was left free", "We call you on Monday 30 November at 09:00, for 50 USD.", trail.Handled},
		{"a time that nobody had", "We call you on Monday 30 November at 11:00, for 50 USD.", trail.Mishandled},
		{"the other's price as well", "We call you on Monday 30 November at 09:00, for 20 USD.", trail.Mishandled},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			played := newTape()
			s := played.read().strike(it, "outage").status(503)
			s.x.Fidelity = trail.Injected
			s.put()
			book(played, "2", c.text)
			played.beside(calm)
			played.in.Ending = &Ending{Exit: 1}
			if v := played.verdict(t, it); v.Reaction != c.want {
				t.Errorf("%s, want %s: %s %s", v.Reaction, c.want, strings.Join(v.Lines, "\n"), v.Why)
			}
		})
	}
}

// An event for the next ticket was shown against a write to the first, of which
// nothing shows whether anybody saw that it had done nothing; and a line said that
// it was read back, and that it was not.
func TestWhatIsDoneForAnotherItemIsNoWordOnALostWrite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, fault string
		play        func(*tape)
		want        trail.Reaction
		line        string
	}{
		{"an event for the next", "silent-no-op", func(t *tape) {
			s := t.call("POST /v1/events", "e.1").body(`{"summary":"Support call: #3","attendees":[{"email":"bob@example.com"}]}`).makes("events", "evt_00000001", "")
			s.x.Service = "calendar"
			s.put()
		}, trail.Unjudged, "it was not read back"},
		{"the next is told of the same kind of thing", "async-accept", func(t *tape) {
			t.call("POST /v1/tickets/{ticket}/notes", "n.2").path("/v1/tickets/2/notes").body(`{"text":"It is done."}`).makes("notes", "note_0002", "").put()
		}, trail.Unjudged, ""},
		{"people are told", "silent-no-op", func(t *tape) { t.tells("report is sent").put() }, trail.Mishandled, "without having read back what #2 did"},
		{"they are told, and then it looked", "silent-no-op", func(t *tape) {
			t.tells("report is sent").put()
			t.call("GET /v1/tickets/{ticket}", "g.1").path("/v1/tickets/1").replies(`{"id":1}`).put()
		}, trail.Mishandled, "without having read back what #2 did by then   #4 read it back"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			played := newTape()
			played.call("GET /v1/tickets", "l.1").replies(`{"tickets":[{"id":1,"requester":"cus_00000001"},{"id":2,"requester":"cus_00000002"}]}`).put()
			played.call("PUT /v1/tickets/{ticket}", "c.1").path("/v1/tickets/1").body(`{"comment":{"body":"Hi Ada, it is on its way."}}`).replies(`{"id":1}`).strike(it, c.fault).put()
			c.play(played)
			v := played.verdict(t, it)
			if v.Reaction != c.want || !strings.Contains(strings.Join(v.Lines, ""), c.line) {
				t.Errorf("%s, want %s: %v %s", v.Reaction, c.want, v.Lines, v.Why)
			}
		})
	}
}
