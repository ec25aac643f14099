package verdict

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/faults/trail"
)

// A read-back that came in slowly, and whole, was taken for one whose answer a fault
// had altered: the agent was excused for not having seen there what never was
// there.
func TestASlowBodyHidesNothing(t *testing.T) {
	t.Parallel()
	judged := func(slow string) trail.Verdict {
		tape := newTape()
		tape.call(refunds, "r.1").refund("re_00000001").reset().put()
		look := tape.call("GET /v1/refunds", "l.1").replies(`{"data":[]}`)
		if slow != "" {
			look.strike("dripped", slow).phase("reply")
		}
		look.put()
		tape.call(refunds, "r.1").refund("re_00000002").put()
		return tape.verdict(t, trail.OneEffect)
	}
	plain := judged("")
	for _, fault := range []string{"latency", "slow-body"} {
		if d := cmp.Diff(plain, judged(fault)); d != "" {
			t.Errorf("%s: the verdict is another one than without it:\n%s", fault, d)
		}
	}
}

func (s *shot) phase(name string) *shot {
	s.x.Strikes[len(s.x.Strikes)-1].Phase = name
	return s
}
