package verdict

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/faults/trail"
)

// What was answered too poorly to show a property proves nothing that rests on
// it, either way; what it does show stands.
func TestFidelityWeakens(t *testing.T) {
	t.Parallel()
	const refunding = "stripe POST /v1/refunds"
	for _, c := range []struct {
		fidelity    trail.Fidelity
		blind, look trail.Result
		weakened    string // of the look
		rests       []string
	}{
		{trail.Modelled, trail.Failed, trail.Passed, "", []string{effects, freshness}},
		{trail.Generic, trail.Failed, trail.Passed, "", []string{effects}},
		{trail.Recorded, trail.NotEvaluated, trail.NotEvaluated, refunding + " (only a recording)", []string{effects, freshness}},
		{trail.Example, trail.NotEvaluated, trail.NotEvaluated, refunding + " (only an example)", []string{effects, freshness}},
	} {
		t.Run(string(c.fidelity), func(t *testing.T) {
			t.Parallel()
			answered := func(*testing.T) *tape {
				tape := newTape()
				tape.in.Fidelity = func(string, string) trail.Fidelity { return c.fidelity }
				s := tape.lose("k1")
				s.x.Fidelity = trail.Injected // the fault answered: how the service would have, only the contract tells
				s.put()
				return tape
			}
			blind := answered(t)
			s := blind.call(refunds, "r.1").key("k2").refund("re_00000002")
			s.x.Fidelity = c.fidelity
			s.put()
			for _, subject := range []string{loseRule, always} {
				v := blind.verdict(t, subject)
				if v.Result != c.blind || !cmp.Equal(v.Scope.Properties, []string{effects}) {
					t.Errorf("sent again blindly, %s: %s, resting on %v: %s", subject, v.Result, v.Scope.Properties, v.Why)
				}
				if c.blind == trail.NotEvaluated && !strings.Contains(v.Why, c.weakened+" does not show effects") {
					t.Errorf("why not: %s", v.Why)
				}
			}
			look := answered(t)
			s = look.call("GET /v1/refunds", "g.1").replies(`{"data":[{"id":"re_00000001"}]}`)
			s.x.Fidelity = c.fidelity
			s.put()
			v := look.verdict(t, loseRule)
			if v.Result != c.look || !strings.HasPrefix(strings.Join(v.Weakened, ", "), c.weakened) || !cmp.Equal(v.Scope.Properties, c.rests) {
				t.Errorf("looked: %s, resting on %v, weakened by %q: %s", v.Result, v.Scope.Properties, v.Weakened, v.Why)
			}
		})
	}
}
