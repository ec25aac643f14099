package verdict

import (
	"strings"
	"testing"

	"parity/faults/trail"
)

// An acceptance that has expired takes the proof out of what passed on the
// operations that it covers, whatever that rests on; what failed has failed.
func TestAcceptanceExpires(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		covers      string
		standing    trail.Standing
		good, blind trail.Result
	}{
		{"expired", refunds, trail.Expired, trail.NotEvaluated, trail.Failed},
		{"expired, of what was not called", "POST /v1/payouts", trail.Expired, trail.Passed, trail.Failed},
		{"about to expire", refunds, trail.Expiring, trail.Passed, trail.Failed},
		{"in force", refunds, trail.InForce, trail.Passed, trail.Failed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for key, want := range map[string]trail.Result{"k1": c.good, "k2": c.blind} {
				tape := newTape()
				tape.in.Differences = []DifferenceInfo{{
					Name: "no-settlement", Weakens: []string{"settlement"}, Covers: func(_, o string) bool { return o == c.covers },
					Accepted: &trail.Acceptance{By: "billing-qa", Until: "2026-03-01", Standing: c.standing},
				}}
				tape.lose("k1").put()
				s := tape.call(refunds, "r.1").key(key)
				if key == "k1" {
					s.x.Replayed = true
				} else {
					s = s.refund("re_00000002")
				}
				s.put()
				for _, subject := range []string{loseRule, always} {
					v := tape.verdict(t, subject)
					if v.Result != want {
						t.Errorf("%s, sent again with %s: %s, want %s: %s", subject, key, v.Result, want, v.Why)
					}
					if want == trail.NotEvaluated && !strings.Contains(v.Why, "no-settlement was accepted until 2026-03-01, and nobody has looked at it since") {
						t.Errorf("%s: %s", subject, v.Why)
					}
				}
			}
		})
	}
}
