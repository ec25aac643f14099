package verdict

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/world"
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

// A branch that had been pushed was taken for missing by whoever listed the
// references: no reply has the id under which it is kept.
func TestABranchIsShownByItsName(t *testing.T) {
	t.Parallel()
	const id, old, sha = "acme/shop:refs/heads/tax", "17e9b913a1e3b2ef16051b4ee4d234b382252f49", "e815005ad7092c32fa7dca0e5295d565309985d9"
	made := touched{Change: trail.Change{Op: world.Create, ID: id}, value: map[string]any{"ref": "refs/heads/tax", "sha": sha}}
	moved := made
	moved.Op, moved.before = world.Update, map[string]any{"ref": "refs/heads/tax", "sha": old}
	for _, c := range []struct {
		name, body string
		t          touched
		want       bool
	}{
		{"to git", "003d" + sha + " refs/heads/tax\n0000", made, true},
		{"by the API", `[{"ref":"refs/heads/tax"}]`, made, true},
		{"a longer name", `[{"ref":"refs/heads/tax-2"}]`, made, false},
		{"another", `[{"ref":"refs/heads/main"}]`, made, false},
		{"moved", `{"ref":"refs/heads/tax","object":{"sha":"` + sha + `"}}`, moved, true},
		{"not moved", `{"ref":"refs/heads/tax","object":{"sha":"` + old + `"}}`, moved, false},
		{"an id without a name in it", `{"ref":"tax"}`, touched{Change: trail.Change{Op: world.Create, ID: "cus_1"}}, false},
	} {
		if got := showsName([]byte(c.body), c.t); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}
