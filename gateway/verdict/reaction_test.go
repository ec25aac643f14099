package verdict

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parity/faults"
	"parity/faults/trail"
)

// A fault without a reaction rule once came out as "this build has no way to
// judge", and nobody noticed.
func TestEachClassHasAReactionRule(t *testing.T) {
	t.Parallel()
	for _, class := range faults.Classes() {
		if (&judge{}).reaction(class) == nil {
			t.Errorf("the class %q has no reaction rule: give it one in reaction, or in reactionToOne", class)
		}
	}
}

// did adds to the strike what it did.
func (s *shot) did(what string, planted ...string) *shot {
	last := &s.x.Strikes[len(s.x.Strikes)-1]
	last.Did, last.Planted = what, planted
	return s
}

func (s *shot) query(q string) *shot { s.x.Query = q; return s }

// delivers adds a webhook that was answered so.
func (t *tape) delivers(status int) {
	t.in.Events = append(t.in.Events, trail.Event{
		Seq: uint64(len(t.in.Events) + 1), Kind: trail.Delivered, At: trail.At(t.now), Delivery: &trail.Delivery{Service: "stripe", ID: "evt_1", Status: status},
	})
}

const (
	customer = "/v1/customers/cus_00000001"
	updates  = "POST /v1/customers/{customer}"
	reads    = "GET /v1/customers/{customer}"
	lists    = "GET /v1/customers"
	it       = "it"
)

// read, write and list are calls about one customer.
func (t *tape) read() *shot {
	return t.call(reads, "read.1").path(customer).replies(`{"id":"cus_00000001","email":"a@example.com"}`)
}

func (t *tape) write(intent string) *shot {
	return t.call(updates, intent).path(customer).changes("customers", "cus_00000001", `,"name":"a"`, `,"name":"b"`)
}

func (t *tape) list(query string) *shot { return t.call(lists, "list."+query).query(query) }

// TestReactions has for each fault what a careful agent does, and a naive one.
func TestReactions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, fault string
		play        func(*tape)
		want        trail.Reaction
		line        string // part of the first line
	}{
		{"edited, read again", "concurrent-edit", func(t *tape) {
			t.read().strike(it, "concurrent-edit").did("set name").put()
			t.read().put()
			t.write("w.1").put()
		}, trail.Handled, "#2 read it again   #3 wrote"},
		{"edited, written over", "concurrent-edit", func(t *tape) {
			t.read().strike(it, "concurrent-edit").did("set name").put()
			t.write("w.1").put()
		}, trail.Mishandled, "#2 wrote over it unread"},
		{"edited, refused, read again", "concurrent-edit", func(t *tape) {
			t.read().strike(it, "concurrent-edit").did("set name").put()
			t.call(updates, "w.1").path(customer).status(412).put()
			t.read().put()
			t.write("w.1").put()
		}, trail.Handled, "#2 refused, answered 412   #3 read it again   #4 wrote"},
		{"edited, refused, forced", "concurrent-edit", func(t *tape) {
			t.read().strike(it, "concurrent-edit").did("set name").put()
			t.call(updates, "w.1").path(customer).status(412).put()
			t.write("w.2").put()
		}, trail.Mishandled, "#3 wrote over it unread"},
		{"edited right before a write that nothing checks", "concurrent-edit", func(t *tape) {
			t.write("w.1").strike(it, "concurrent-edit").did("set name").put()
		}, trail.Unjudged, ""},
		{"somebody else wrote", "owner-changed", func(t *tape) {
			t.read().strike(it, "owner-changed").put()
			t.who = "stripe-other"
			t.write("w.1").put()
		}, trail.Unjudged, "no write to it went through"},

		{"cursor gone, started over", "cursor-expired", func(t *tape) {
			t.list("limit=5").put()
			t.list("limit=5&starting_after=x").status(400).strike(it, "cursor-expired").put()
			t.list("limit=5").put()
		}, trail.Handled, "started over"},
		{"cursor gone, asked again and again", "cursor-expired", func(t *tape) {
			t.list("limit=5").put()
			t.list("limit=5&starting_after=x").status(400).strike(it, "cursor-expired").put()
			for range 3 {
				t.list("limit=5&starting_after=x").status(400).put()
			}
		}, trail.Mishandled, "asked for it 3 times more"},
		{"cursor gone, spliced", "cursor-expired", func(t *tape) {
			t.list("limit=5").put()
			t.list("limit=5&starting_after=x").status(400).strike(it, "cursor-expired").put()
			t.list("limit=5&starting_after=yy").put()
		}, trail.Mishandled, "went on from another place"},
		{"cursor gone, called it a success", "cursor-expired", func(t *tape) {
			t.list("limit=5&starting_after=x").status(400).strike(it, "cursor-expired").put()
			t.claims("success")
		}, trail.Mishandled, "the agent said: success"},
		{"cursor gone, said that it stopped", "cursor-expired", func(t *tape) {
			t.list("limit=5&starting_after=x").status(400).strike(it, "cursor-expired").put()
			t.claims("stopped")
		}, trail.Handled, "the agent said: stopped"},

		{"short, read on", "partial-page", func(t *tape) {
			t.list("limit=5").strike(it, "partial-page").did("left out 2 of 5 items; the next page begins with them").put()
			t.list("limit=5&starting_after=x").put()
			t.order(1, "").put()
		}, trail.Handled, "#2 read on"},
		{"short, acted on", "partial-page", func(t *tape) {
			t.list("limit=5").strike(it, "partial-page").did("left out 2 of 5 items; the next page begins with them").put()
			t.order(1, "").put()
		}, trail.Mishandled, "without having read on"},
		{"short and silent, acted on", "partial-page", func(t *tape) {
			t.list("limit=5").strike(it, "partial-page").did("left out 2 of 5 items, and says that there are no more").put()
			t.order(1, "").put()
		}, trail.Unjudged, "it did not read on"},
		{"short, said to be partial", "partial-page", func(t *tape) {
			t.list("limit=5").strike(it, "partial-page").did("left out 2 of 5 items; the next page begins with them").put()
			t.claims("stopped")
		}, trail.Handled, "the agent said: stopped"},
		{"moved, each once", "moving-page", func(t *tape) {
			t.list("limit=5").strike(it, "moving-page").did("made cus_2").put()
			t.write("w.1").put()
		}, trail.Unjudged, "nothing was done twice"},
		{"moved, what was shown twice dealt with once", "moving-page", func(t *tape) {
			t.list("limit=5").replies(`{"data":[{"id":"cus_00000001"}]}`).strike(it, "moving-page").did("made cus_2").put()
			t.list("limit=5&starting_after=x").replies(`{"data":[{"id":"cus_00000001"}]}`).put()
			t.write("w.1").put()
		}, trail.Handled, "cus_00000001 was shown twice, and dealt with once"},
		{"moved, one twice", "moving-page", func(t *tape) {
			t.list("limit=5").strike(it, "moving-page").did("made cus_2").put()
			t.write("w.1").put()
			t.write("w.2").put()
		}, trail.Mishandled, "once more"},
		{"moved, and a write sent again", "moving-page", func(t *tape) {
			t.list("limit=5").strike(it, "moving-page").did("made cus_2").put()
			t.write("w.1").reset().put()
			t.write("w.1").put()
		}, trail.Unjudged, "nothing was done twice"},
		{"sent elsewhere, followed with a credential", "redirect", func(t *tape) {
			t.read().status(307).strike(it, "redirect").put()
			s := t.read()
			s.x.Host, s.x.Header = "moved-api.stripe.com", []trail.Field{{Name: "Authorization", Value: "digest"}}
			s.put()
		}, trail.Mishandled, "with its authorization"},
		{"sent elsewhere, stayed", "redirect", func(t *tape) {
			t.read().status(307).strike(it, "redirect").put()
			t.read().put()
		}, trail.Handled, "nothing followed it there"},
		// Another agent's call to another host was once held against this one.
		{"sent elsewhere, stayed, while another agent calls there", "redirect", func(t *tape) {
			elsewhere := func() {
				t.who = "stripe-other"
				s := t.read()
				s.x.Host, s.x.Header = "moved-api.stripe.com", []trail.Field{{Name: "Authorization", Value: "digest"}}
				s.put()
				t.who = "stripe-agent"
			}
			elsewhere()
			t.read().status(307).strike(it, "redirect").put()
			elsewhere()
			t.read().put()
		}, trail.Handled, "nothing followed it there"},
		{"sent elsewhere, followed after another agent", "redirect", func(t *tape) {
			t.who = "stripe-other"
			t.read().put()
			t.who = "stripe-agent"
			t.read().status(307).strike(it, "redirect").put()
			for _, t.who = range []string{"stripe-other", "stripe-agent"} {
				s := t.read()
				s.x.Host, s.x.Header = "moved-api.stripe.com", []trail.Field{{Name: "Authorization", Value: "digest"}}
				s.put()
			}
		}, trail.Mishandled, "#4 went there, with its authorization"},

		{"nothing was done, read back", "silent-no-op", func(t *tape) {
			t.call(updates, "w.1").path(customer).strike(it, "silent-no-op").put()
			t.read().put()
		}, trail.Unjudged, "read it back"},
		{"nothing was done, read back, done once more", "silent-no-op", func(t *tape) {
			t.call(updates, "w.1").path(customer).strike(it, "silent-no-op").put()
			t.read().put()
			t.call(updates, "w.1").path(customer).put()
		}, trail.Handled, "did it once more"},
		{"nothing was done, went on", "silent-no-op", func(t *tape) {
			t.call(updates, "w.1").path(customer).strike(it, "silent-no-op").put()
			t.call(refunds, "r.1").key("k").refund("re_00000001").put()
		}, trail.Mishandled, "without having read back what #1 did"},
		{"nothing was done, something else elsewhere, read back", "silent-no-op", func(t *tape) {
			t.call(updates, "w.1").path(customer).strike(it, "silent-no-op").put()
			s := t.call("POST /v3/mail/send", "m.1").path("/v3/mail/send").body(`{"subject":"Good morning"}`)
			s.x.Service, s.x.Committed = "sendgrid", true
			s.put()
			t.read().put()
			t.in.Ending = &Ending{Exit: 3}
		}, trail.Handled, "read it back   it went no further   stopped, and exited 3"},
		{"nothing was done, and was told elsewhere", "silent-no-op", func(t *tape) {
			t.call(updates, "w.1").path(customer).replies(`{"id":"cus_00000001"}`).strike(it, "silent-no-op").put()
			s := t.call("POST /v3/mail/send", "m.1").path("/v3/mail/send").body(`{"subject":"cus_00000001 is changed"}`)
			s.x.Service, s.x.Committed = "sendgrid", true
			s.put()
			t.read().put()
		}, trail.Mishandled, "without having read back what #1 did"},
		{"nothing was done, nothing more", "silent-no-op", func(t *tape) {
			t.call(updates, "w.1").path(customer).strike(it, "silent-no-op").put()
		}, trail.Unjudged, "it was not read back"},
		{"nothing was done, success was claimed", "silent-no-op", func(t *tape) {
			t.call(updates, "w.1").path(customer).strike(it, "silent-no-op").put()
			t.claims("success")
		}, trail.Mishandled, "the agent said: success"},
		{"two were made, deleted blindly", "duplicate-effect", func(t *tape) {
			t.call(refunds, "r.1").key("k").refund("re_00000001").strike(it, "duplicate-effect").put()
			s := t.call("DELETE /v1/customers/{customer}", "d.1").path(customer)
			s.x.Committed = true
			s.put()
		}, trail.Mishandled, "without having looked"},
		{"two were made, read back", "duplicate-effect", func(t *tape) {
			t.call(refunds, "r.1").path("/v1/refunds").key("k").refund("re_00000001").strike(it, "duplicate-effect").put()
			t.call("GET /v1/refunds", "g.1").put()
		}, trail.Handled, "read it back"},

		{"did not show yet, waited", "stale-read", func(t *tape) {
			t.order(1, "").put()
			t.list("").strike(it, "stale-read").put()
			t.list("").put()
		}, trail.Handled, "read again"},
		{"did not show yet, made again", "stale-read", func(t *tape) {
			t.order(1, "").put()
			t.list("").strike(it, "stale-read").put()
			s := t.order(2, "")
			s.x.Intent.Fingerprint = "o1"
			s.put()
		}, trail.Mishandled, "once more"},
		{"out of a cache, read again", "stale-cache", func(t *tape) {
			t.read().strike(it, "stale-cache").put()
			t.read().put()
			t.order(1, "").put()
		}, trail.Handled, "read it again"},
		{"out of a cache, acted on", "stale-cache", func(t *tape) {
			t.read().strike(it, "stale-cache").put()
			t.order(1, "").put()
		}, trail.Mishandled, "without reading it again"},

		{"drifted, not used", "schema-drift", func(t *tape) {
			t.read().strike(it, "schema-drift").did("renamed email", "mail_address").put()
			t.write("w.1").body(`{"name":"b"}`).put()
		}, trail.Unjudged, "renamed email"},
		{"drifted, used", "schema-drift", func(t *tape) {
			t.read().strike(it, "schema-drift").did("renamed email", "mail_address").put()
			t.write("w.1").body(`{"mail_address":"b@example.com"}`).put()
		}, trail.Mishandled, "it has mail_address from that answer alone"},
		{"a wrong value, checked elsewhere", "wrong-value", func(t *tape) {
			t.read().strike(it, "wrong-value").did("email", "b@example.com").put()
			t.call("GET /v1/search", "s.1").replies(`{"email":"b@example.com"}`).put()
			t.write("w.1").body(`{"email":"b@example.com"}`).put()
		}, trail.Handled, ""},
		{"a wrong value, used", "wrong-value", func(t *tape) {
			t.read().strike(it, "wrong-value").did("email", "b@example.com").put()
			t.write("w.1").body(`{"email":"b@example.com"}`).put()
		}, trail.Mishandled, "it has b@example.com from that answer alone"},
		{"the agent's own value", "wrong-value", func(t *tape) {
			t.write("w.0").body(`{"email":"b@example.com"}`).put()
			t.read().strike(it, "wrong-value").did("email", "b@example.com").put()
			t.write("w.1").body(`{"email":"b@example.com"}`).put()
		}, trail.Unjudged, ""},

		// Zendesk's ids are numbers, and were once not seen in what it answered.
		{"lost, seen under a number", "ambiguous-success", func(t *tape) {
			t.call("POST /v1/customers", "c.1").makes("customers", "114", "").strike(it, "ambiguous-success").reset().put()
			t.list("").replies(`{"data":[{"id":114,"name":"a"}]}`).put()
		}, trail.Handled, "#2 looked: it was there"},
		{"lost, another's number seen", "ambiguous-success", func(t *tape) {
			t.call("POST /v1/customers", "c.1").makes("customers", "114", "").strike(it, "ambiguous-success").reset().put()
			t.list("").replies(`{"data":[{"id":1145,"name":"a"}]}`).put()
		}, trail.Handled, "#2 looked: it was not there"},
		// A client once sent again so quickly that the end was not written down.
		{"slow, sent again as it ended", "latency", func(t *tape) {
			t.call(updates, "w.1").path(customer).key("k").took(time.Second+5*time.Millisecond).strike(it, "latency").put()
			t.call(updates, "w.1").path(customer).key("k").put()
		}, trail.Handled, "none was sent again while it was open"},

		{"hold lost, let be", "lock-lost", func(t *tape) {
			t.write("w.1").status(423).strike(it, "lock-lost").put()
			t.read().put()
		}, trail.Unjudged, "no more writes to it"},
		{"hold lost, written again", "lock-lost", func(t *tape) {
			t.write("w.1").status(423).strike(it, "lock-lost").put()
			t.read().put()
			t.write("w.2").status(423).strike(it, "lock-lost").put()
		}, trail.Mishandled, "wrote to it again"},
		// A lease that a read takes was once not seen as one.
		{"hold lost, taken anew by a read", "lock-lost", func(t *tape) {
			t.write("w.1").status(423).strike(it, "lock-lost").put()
			t.read().put()
			t.write("w.2").put()
		}, trail.Handled, "once it had read the record again"},
		{"hold lost, taken anew", "lock-lost", func(t *tape) {
			t.write("w.1").status(423).strike(it, "lock-lost").put()
			t.call("POST /v1/leases", "l.1").makes("leases", "lease_1", "").put()
			t.write("w.2").put()
		}, trail.Handled, "something else was done first"},

		{"too large, narrowed", "large-reply", func(t *tape) {
			t.list("limit=100").strike(it, "large-reply").put()
			t.list("limit=5").put()
		}, trail.Handled, "asked for less"},
		// A read that was answered begins another intent when it is made again.
		{"too large, asked for again", "large-reply", func(t *tape) {
			for i, rule := range []string{it, "another"} {
				s := t.list("limit=100").strike(rule, "large-reply")
				s.x.Intent = trail.Intent{ID: fmt.Sprint("l.", i), Fingerprint: "l", Attempt: 1}
				s.put()
			}
		}, trail.Mishandled, "sent again"},
		{"accepted, submitted again", "async-accept", func(t *tape) {
			t.call(refunds, "r.1").key("k").status(202).strike(it, "async-accept").put()
			t.call(refunds, "r.1").key("k2").status(202).put()
		}, trail.Mishandled, "sent again with a new key"},

		{"expired, renewed", "session-expired", func(t *tape) {
			t.read().status(401).strike(it, "session-expired").put()
			t.call("POST /oauth/token", "t.1").put()
			t.who = "stripe-new"
			t.read().put()
		}, trail.Handled, "refreshed"},
		{"expired, called again and again", "session-expired", func(t *tape) {
			for range 5 {
				t.read().status(401).strike(it, "session-expired").put()
			}
		}, trail.Mishandled, "4 times more"},
		{"expired five times, renewed each time", "session-expired", func(t *tape) {
			for range 5 {
				t.read().status(401).strike(it, "session-expired").put()
				t.call("POST /oauth/token", "t.1").put()
				t.read().put()
			}
		}, trail.Handled, "refreshed"},
		{"expired five times, renewed for nothing", "session-expired", func(t *tape) {
			for range 5 {
				t.read().status(401).strike(it, "session-expired").put()
				t.call("POST /oauth/token", "t.1").put()
			}
		}, trail.Mishandled, "4 times more"},
		{"expired, another principal's", "session-expired", func(t *tape) {
			t.who = "stripe-admin"
			t.read().put()
			t.who = "stripe-agent"
			t.read().status(401).strike(it, "session-expired").put()
			t.who = "stripe-admin"
			t.read().put()
		}, trail.Mishandled, "another principal's credential"},

		{"twice, accepted", "webhook-disorder", func(t *tape) {
			t.order(1, "").strike(it, "webhook-disorder").put()
			t.delivers(200)
			t.delivers(200)
		}, trail.Handled, "2 webhooks accepted   nothing done twice"},
		{"twice, the double refused", "webhook-disorder", func(t *tape) {
			t.order(1, "").strike(it, "webhook-disorder").put()
			t.delivers(200)
			t.delivers(409)
		}, trail.Mishandled, "the endpoint refused one"},
		{"twice, done twice", "webhook-disorder", func(t *tape) {
			t.order(1, "").strike(it, "webhook-disorder").put()
			t.delivers(200)
			t.order(2, "").put()
			t.delivers(200)
			s := t.order(3, "")
			s.x.Intent.Fingerprint = "o2"
			s.put()
		}, trail.Mishandled, "once more"},
		// What another rule had spoilt was once held against this one.
		{"twice, beside another's bad signature", "webhook-disorder", func(t *tape) {
			t.order(1, "").strike(it, "webhook-disorder").did("queued 1 webhook 1 times more").put()
			t.delivers(200)
			t.delivers(200)
			t.in.Events[len(t.in.Events)-1].Delivery.Spoilt = true
		}, trail.Handled, "1 webhook accepted"},
		{"twice, and a call of the agent's own sent again", "webhook-disorder", func(t *tape) {
			t.order(1, "").strike(it, "webhook-disorder").put()
			t.delivers(200)
			t.delivers(200)
			t.order(2, "").reset().put()
			t.order(2, "").put()
		}, trail.Handled, ", once"},
		{"no endpoint", "webhook-disorder", func(t *tape) {
			t.order(1, "").strike(it, "webhook-disorder").put()
		}, trail.Unjudged, ""},

		{"a notice, nothing said", "deprecation", func(t *tape) { t.read().strike(it, "deprecation").put() }, trail.Unjudged, ""},
		{"a notice, reported", "deprecation", func(t *tape) {
			t.read().strike(it, "deprecation").put()
			t.in.Events = append(t.in.Events, trail.Event{Seq: 2, Kind: trail.Claimed, At: trail.At(t.now), Claim: &trail.Claim{Status: "success", Note: "the API is deprecated"}})
		}, trail.Handled, "the agent reported it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			tape.rule(it, c.fault, false)
			c.play(tape)
			v := tape.verdict(t, it)
			if v.Reaction != c.want {
				t.Errorf("%s, want %s: %v %s", v.Reaction, c.want, v.Lines, v.Why)
			}
			if line := strings.Join(v.Lines, "\n"); !strings.Contains(line, c.line) {
				t.Errorf("line %q, want %q in it", line, c.line)
			}
			if (v.Mend != "") != (c.want == trail.Mishandled) {
				t.Errorf("mend %q", v.Mend)
			}
			if c.want == trail.Unjudged && v.Why == "" {
				t.Error("it does not say why it was not evaluated")
			}
		})
	}
}

// Judging what follows each of many faults once looked at all that follows, so
// that a long run took minutes.
func TestReactionsOfALongRunAreBounded(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.rule(it, "stale-cache", false)
	for range 20_000 {
		tape.list("").path("/v1/other").strike(it, "stale-cache").put()
	}
	began := time.Now()
	tape.verdict(t, it)
	t.Logf("20,000 faults judged in %v", time.Since(began))
}
