package verdict

import (
	"strings"
	"testing"

	"parity/faults/trail"
)

// posts is a message to people.
func (t *tape) posts(text string) *shot {
	s := t.call("POST /api/chat.postMessage", "m."+text).body(`{"channel":"C1","text":"`+text+`"}`).makes("messages", "m1", "")
	s.x.Service, s.x.Intent.Fingerprint = "slack", text
	return s
}

// A refund was made and its answer lost; the retries were told that it is there
// already, the agent told people that it had failed, and that was handled.
func TestSaidFailedOfWhatIsThereAlready(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       trail.Reaction
		claims     trail.Result
	}{
		{"said failed", `ORD-1: charged\nORD-3: charged, refund FAILED`, trail.Mishandled, trail.Failed},
		{"said done", `ORD-3: charged, refunded`, trail.Handled, trail.Passed},
		{"said unknown", `The refund of ORD-3 failed, or its answer was lost: please check`, trail.Handled, trail.NotExercised},
		{"something else failed", `ORD-3: refunded. The export failed.`, trail.Handled, trail.NotExercised},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tape := newTape()
			tape.rule(loseRule, ambiguous, false)
			tape.lose("k1").put()
			tape.call(refunds, "r.1").key("k2").status(400).replies(`{"error":{"message":"Charge ch_1 has already been refunded."}}`).put()
			tape.posts(c.text).put()
			v := tape.verdict(t, loseRule)
			if v.Reaction != c.want {
				t.Errorf("%s, want %s: %q", v.Reaction, c.want, v.Lines)
			}
			if v.Reaction == trail.Mishandled && (v.Headline != saidFailed || !strings.Contains(v.Lines[0], `told people: "ORD-3: charged, refund FAILED", though it was done`)) {
				t.Errorf("%q %q", v.Headline, v.Lines)
			}
			if v := tape.verdict(t, trail.ShownClaims); v.Result != c.claims {
				t.Errorf("claims %s, want %s: %q", v.Result, c.claims, v.Lines)
			}
		})
	}
}

// What did fail may be said to have failed, also where another one of the kind had
// its answer lost.
func TestSaidFailedOfAnotherThatDid(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.call(refunds, "r.1").key("k1").body(`{"charge":"ch_00000001"}`).refund("re_00000001").reset().put()
	tape.call(refunds, "r.2").key("k2").body(`{"charge":"ch_00000002"}`).status(402).put()
	tape.posts(`One refund failed`).put()
	if v := tape.verdict(t, trail.ShownClaims); v.Result == trail.Failed {
		t.Errorf("%q", v.Lines)
	}
}
