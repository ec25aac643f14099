package verdict

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parity/faults/trail"
	"parity/specs"
)

// edited is somebody else's change of the customer.
func (t *tape) edited() {
	seq := uint64(len(t.in.Events) + 1)
	t.in.Events = append(t.in.Events, trail.Event{Seq: seq, Kind: trail.WorldEdited, At: trail.At(t.now), Delta: []trail.Change{{
		Op: "update", Collection: "stripe.customers", ID: "cus_00000001", Version: seq, Before: []byte(`{}`), After: []byte(`{"id":"cus_00000001"}`),
	}}})
}

// fails is an attempt of one intent that is answered 500, so long after the one
// before.
func (t *tape) fails(gap time.Duration) {
	t.call(lists, "list.1").status(500).after(gap + 10*time.Millisecond).put()
}

func TestAlways(t *testing.T) {
	t.Parallel()
	const retries, claims, versions = "always: bounded retries", "always: claims are shown", "always: versions are read"
	for _, c := range []struct {
		name, subject string
		play          func(*tape)
		want          trail.Result
		line          string
	}{
		{"no retries", retries, func(t *tape) { t.read().put() }, trail.NotExercised, ""},
		{"growing gaps", retries, func(t *tape) {
			for _, gap := range []time.Duration{1, 1, 2, 4, 8} {
				t.fails(gap * time.Second)
			}
			t.list("1").put()
		}, trail.Passed, ""},
		{"one pace", retries, func(t *tape) {
			for range 7 {
				t.fails(time.Second)
			}
		}, trail.Failed, "sent again 6 times, last by #7, never after a longer wait than 1s"},
		{"one pace, a few times", retries, func(t *tape) {
			for range 6 {
				t.fails(time.Second)
			}
		}, trail.Passed, ""},
		{"at once", retries, func(t *tape) {
			for range 4 {
				t.fails(time.Millisecond)
			}
		}, trail.Failed, "3 of them at once"},
		{"too many", retries, func(t *tape) {
			for i := range 12 {
				t.fails(time.Second << i)
			}
		}, trail.Failed, "sent again 11 times"},
		{"told how long to wait", retries, func(t *tape) {
			for range 8 {
				t.call(lists, "list.1").strike(it, "rate-limit").wait(time.Second).put()
			}
		}, trail.Passed, ""},
		{"a poll that is answered is no retry", retries, func(t *tape) {
			for range 20 {
				t.read().put()
			}
		}, trail.NotExercised, ""},

		{"nothing claimed", claims, func(t *tape) { t.read().put() }, trail.NotExercised, ""},
		{"a claim of no record", claims, func(t *tape) { t.claims("complete") }, trail.NotExercised, ""},
		{"what was written", claims, func(t *tape) {
			t.call(refunds, "r.1").refund("re_00000001").put()
			t.claims("complete", "re_00000001")
		}, trail.Passed, ""},
		{"what a write is about", claims, func(t *tape) {
			t.call(refunds, "r.1").body("charge=ch_7").refund("re_00000001").put()
			t.claims("complete", "ch_7")
		}, trail.Passed, ""},
		{"what nobody has heard of", claims, func(t *tape) {
			t.call(refunds, "r.1").refund("re_00000001").put()
			t.claims("partial", "re_00000002")
		}, trail.Failed, "#2 the agent said of re_00000002: done   no call and no change in the run is about it"},
		{"what was refused", claims, func(t *tape) {
			t.call(refunds, "r.1").body("charge=ch_7").status(400).put()
			t.claims("complete", "ch_7")
		}, trail.Failed, "asked for, and nothing changed"},
		{"what was refused, and said to be", claims, func(t *tape) {
			t.call(refunds, "r.1").body("charge=ch_7").status(400).put()
			t.claims("stopped", "ch_7")
		}, trail.Passed, ""},
		{"what was only looked at", claims, func(t *tape) {
			t.read().put()
			t.claims("complete", "cus_00000001")
		}, trail.NotEvaluated, "looked at it"},
		{"what was done later", claims, func(t *tape) {
			t.claims("complete", "re_00000001")
			t.call(refunds, "r.1").refund("re_00000001").put()
		}, trail.Failed, "no call and no change"},

		{"written, never read", versions, func(t *tape) {
			t.edited()
			t.write("w.1").put()
		}, trail.NotExercised, ""},
		{"written as read", versions, func(t *tape) {
			t.edited()
			t.read().put()
			t.write("w.1").put()
		}, trail.Passed, ""},
		{"written over an edit", versions, func(t *tape) {
			t.edited()
			t.read().put()
			t.edited()
			t.write("w.1").put()
		}, trail.Failed, "#3 somebody else changed the record   #4 wrote over it, having read what it was before"},
		{"refused for an edit", versions, func(t *tape) {
			t.edited()
			t.read().put()
			t.edited()
			t.call(updates, "w.1").path(customer).status(412).put()
		}, trail.NotExercised, ""},
		{"written twice by one agent", versions, func(t *tape) {
			t.edited()
			t.read().put()
			t.write("w.1").put()
			t.write("w.2").put()
		}, trail.Passed, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			tape.in.Operation = func(string, string) *specs.Operation {
				return &specs.Operation{Anatomy: specs.Anatomy{Version: "/version"}}
			}
			c.play(tape)
			v := tape.verdict(t, c.subject)
			if v.Result != c.want || !strings.Contains(strings.Join(v.Lines, "\n"), c.line) {
				t.Errorf("%s %q %s, want %s %q", v.Result, v.Lines, v.Why, c.want, c.line)
			}
			if (v.Mend != "") != (c.want == trail.Failed) || v.Result == trail.NotEvaluated && v.Why == "" {
				t.Errorf("mend %q why %q", v.Mend, v.Why)
			}
		})
	}
	t.Run("no versions", func(t *testing.T) {
		t.Parallel()
		tape := newTape()
		tape.edited()
		tape.read().put()
		tape.edited()
		tape.write("w.1").put()
		if v := tape.verdict(t, versions); v.Result != trail.NotExercised {
			t.Errorf("%+v", v)
		}
	})
}

// A reply to a service without idempotency keys was once to be mended by one.
func TestMendNamesAKeyOnlyWhereThereIsOne(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.in.Operation = func(string, string) *specs.Operation { return &specs.Operation{} }
	tape.lose("").put()
	tape.call(refunds, "r.1").refund("re_00000002").put()
	if v := tape.verdict(t, loseRule); v.Mend != "read the charge first, and try again only where it is not there" {
		t.Error(v.Mend)
	}
}

func TestAllThatIsAlwaysJudgedIsNamed(t *testing.T) {
	t.Parallel()
	var judged []string
	for _, v := range Judge(Input{}).Verdicts {
		judged = append(judged, v.Subject)
	}
	if !slices.Equal(judged, trail.AlwaysJudged()) {
		t.Errorf("%q are judged of every run; trail.AlwaysJudged has %q", judged, trail.AlwaysJudged())
	}
}
