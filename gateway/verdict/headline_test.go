package verdict

import (
	"testing"

	"parity/faults/trail"
)

// A rule and what is always judged told one double charge twice, under names of
// rules and in lines that differed.
func TestOneCauseHasOneHeadline(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.rule(loseRule, ambiguous, true)
	tape.lose("k1").put()
	tape.call(refunds, "r.1").key("k2").refund("re_00000002").put()
	tape.call(refunds, "r.1").key("k3").refund("re_00000003").put()
	const want = "refunded 3 times: 360.00 USD"
	for _, subject := range []string{loseRule, trail.OneEffect} {
		if v := tape.verdict(t, subject); v.Result != trail.Failed || v.Headline != want {
			t.Errorf("%s is %s and headed %q, want %q", subject, v.Result, v.Headline, want)
		}
	}
}

// What failed was headed by a rule's name, or by nothing.
func TestWhateverFailsSaysWhatHappened(t *testing.T) {
	t.Parallel()
	for _, run := range trajectories() {
		for _, v := range Judge(run.in).Verdicts {
			if (v.Result == trail.Failed) != (v.Headline != "") {
				t.Errorf("%s (%s): %s is %s and headed %q: %q", run.what, run.fault, v.Subject, v.Result, v.Headline, v.Lines)
			}
		}
	}
}
