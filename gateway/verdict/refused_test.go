package verdict

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/faults/trail"
)

func TestRefused(t *testing.T) {
	t.Parallel()
	limited := func(t *tape) *shot {
		return t.call("GET /v1/charges", "g.1").strike("busy", "rate-limit").wait(2 * time.Second)
	}
	for _, c := range []struct {
		name     string
		play     func(*tape)
		reaction trail.Reaction
		lines    []string
	}{
		{"waited", func(t *tape) {
			limited(t).put()
			t.call("GET /v1/charges", "g.1").missed("busy", "rate-limit", "").after(2100 * time.Millisecond).put()
		}, trail.Handled, []string{"#1 answered 429, wait 2s   nobody came back early"}},
		{"a little early, within what clocks allow", func(t *tape) {
			limited(t).put()
			t.call("GET /v1/charges", "g.1").missed("busy", "rate-limit", "").after(1950 * time.Millisecond).put()
		}, trail.Handled, []string{"#1 answered 429, wait 2s   nobody came back early"}},
		{"came back early", func(t *tape) {
			limited(t).put()
			t.call("GET /v1/charges", "g.1").missed("busy", "rate-limit", "").after(310 * time.Millisecond).put()
		}, trail.Mishandled, []string{"#1 answered 429, wait 2s   #2 came after 300ms"}},
		{"another call of the same bucket came early", func(t *tape) {
			limited(t).put()
			t.call("GET /v1/refunds", "g.2").missed("busy", "rate-limit", "").after(time.Second).put()
		}, trail.Mishandled, []string{"#1 answered 429, wait 2s   #2 came after 990ms"}},
		{"another bucket", func(t *tape) {
			limited(t).put()
			t.call("GET /v1/refunds", "g.2").put()
		}, trail.Unjudged, []string{"#1 answered 429, wait 2s   nobody came back early"}},
		{"on its way before the refusal was known", func(t *tape) {
			limited(t).took(300 * time.Millisecond).put()
			t.call("GET /v1/refunds", "g.2").missed("busy", "rate-limit", "").after(200 * time.Millisecond).put()
		}, trail.Unjudged, []string{"#1 answered 429, wait 2s   nobody came back early"}},
		{"on the run's clock where nothing else is known", func(t *tape) {
			limited(t).unsettled()
			t.call("GET /v1/charges", "g.1").missed("busy", "rate-limit", "").unsettled()
		}, trail.Mishandled, []string{"#1 answered 429, wait 2s   #2 came after 1s"}},
		{"refused again and again", func(t *tape) {
			for range 3 {
				limited(t).put()
			}
		}, trail.Mishandled, []string{
			"#1 answered 429, wait 2s   #2 came after 990ms, answered 429",
			"#2 answered 429, wait 2s   #3 came after 990ms, answered 429",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			c.play(tape)
			v := tape.verdict(t, "busy")
			if v.Reaction != c.reaction {
				t.Errorf("%s, want %s", v.Reaction, c.reaction)
			}
			if diff := cmp.Diff(c.lines, v.Lines); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDateIsInWholeSeconds(t *testing.T) {
	t.Parallel()
	tape := newTape()
	s := tape.call("GET /v1/charges", "g.1").strike("busy", "rate-limit").wait(2 * time.Second)
	s.x.ReplyHeader = []trail.Field{{Name: "Retry-After", Value: "Mon, 02 Mar 2026 13:00:03 GMT"}}
	s.put()
	tape.call("GET /v1/charges", "g.1").missed("busy", "rate-limit", "").after(1200 * time.Millisecond).put()
	if v := tape.verdict(t, "busy"); v.Reaction != trail.Handled {
		t.Errorf("%s: %v", v.Reaction, v.Lines)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		tries    int
		gap      time.Duration
		reaction trail.Reaction
	}{
		{"not sent again", 0, time.Second, trail.Unjudged},
		{"sent again twice", 2, time.Second, trail.Unjudged},
		{"in a tight loop", 4, 15 * time.Millisecond, trail.Mishandled},
		{"for ever", 12, time.Second, trail.Mishandled},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			s := tape.call(refunds, "r.1").strike("down", "error").status(503)
			s.x.Fidelity = trail.Injected
			s.put()
			for range c.tries {
				tape.call(refunds, "r.1").status(503).after(c.gap).put()
			}
			if v := tape.verdict(t, "down"); v.Reaction != c.reaction {
				t.Errorf("%s, want %s: %v", v.Reaction, c.reaction, v.Lines)
			}
		})
	}
}
