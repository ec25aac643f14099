package faults

import (
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/specs"
)

// What a fault says of itself holds: where it may strike a real service it asks
// nothing of a fake, and where it says that it answers, nothing is left to send.
func TestWhatStrikesLiveAsksNothingOfAFake(t *testing.T) {
	t.Parallel()
	_, refund, read := stripeOps(t)
	with := map[string]map[string]any{
		"latency": {"fixed": "2s"}, "cascade": {"from": "stripe POST *"}, "schema-drift": {"field": "amount", "change": "remove"}, "wrong-value": {"field": "amount"},
	}
	reaching := 0
	for _, f := range Catalogue() {
		if f.Phase == After || f.Phase == InWorld || f.Phase == Policy || f.Connection {
			if f.Live != LiveNever {
				t.Errorf("%s strikes at phase %s, and says live %s", f.Name, f.Phase, f.Live)
			}
			continue
		}
		for _, op := range []*specs.Operation{read, refund} {
			rule, err := NewRule(Draft{Name: "it", Calls: []Pattern{mustPattern(t, "stripe *")}, Fault: f.Name, With: with[f.Name], Live: true})
			if err != nil {
				if f.Live != LiveNever {
					t.Errorf("%s: %v", f.Name, err)
				}
				continue
			}
			tallies, p := NewTallies(), &Plan{}
			e := &Evaluation{
				Operation: op, Identity: "a", Intent: tallies.Intend("a", op.Name(), op.Name(), "", nil, nil), Base: "https://api.stripe.com", Host: "api.stripe.com",
				Vars: func(func(string) bool) map[string]any { return nil }, Noted: func(string) map[string]any { return nil },
			}
			reads := op == read
			s := rule.ConsiderLive(e, tallies, p, reads)
			switch {
			case !s.Live:
				t.Errorf("%s: a strike is not marked", f.Name)
			case !s.Fired && (p.Skip || len(p.works) > 0 || p.Wire != trail.Wire{} || p.fakes()):
				t.Errorf("%s of %s did not fire, and left a plan", f.Name, op.Name())
			case s.Fired && (p.fakes() || !reads && !p.Skip):
				t.Errorf("%s of %s is out of bounds", f.Name, op.Name())
			case strings.Contains(s.Why, "cannot strike so") && f.Live.Reaches(reads):
				t.Errorf("%s says live %s, and strikes %s otherwise", f.Name, f.Live, op.Name())
			case s.Fired && f.Live.Reaches(reads):
				reaching++
			}
		}
	}
	if reaching < 15 {
		t.Errorf("only %d struck: the test shows nothing", reaching)
	}
}

func mustPattern(t *testing.T, text string) Pattern {
	t.Helper()
	p, err := ParsePattern(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
