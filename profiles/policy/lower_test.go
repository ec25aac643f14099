package policy_test

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"parity/fakes/expression"
	"parity/faults"
	"parity/faults/trail"
	"parity/profiles/policy"
	"parity/specs"
	"parity/specs/class"

	"pgregory.net/rapid"
)

func operations() []*specs.Operation {
	return []*specs.Operation{
		refund(), capture(),
		{Service: "stripe", ID: "GetCharges", Method: "GET", Path: "/v1/charges"},
		{Service: "slack", ID: "Post", Method: "POST", Path: "/api/chat.postMessage"},
	}
}

func somePatterns(t *rapid.T, label string) []faults.Pattern {
	texts := []string{
		"*", "stripe *", "stripe POST *", "stripe.PostRefunds", "* POST /v1/charges/ch_1/capture",
		"stripe POST /v1/charges/{charge}/capture", "slack POST /api/chat.postMessage", "stripe POST /v1/charges/ch_*/capture",
	}
	return patterns(t, rapid.SliceOfN(rapid.SampledFrom(texts), 0, 3).Draw(t, label)...)
}

func someClass(t *rapid.T, label string) class.Class {
	return rapid.SampledFrom(append([]class.Class{""}, class.All()...)).Draw(t, label)
}

func someGrant(t *rapid.T) policy.Grant {
	g := policy.Grant{May: map[string]class.Class{}, Also: somePatterns(t, "also"), Never: somePatterns(t, "never")}
	for _, service := range []string{"stripe", "*"} {
		if c := someClass(t, "may "+service); c != "" {
			g.May[service] = c
		}
	}
	return g
}

func someAuthority(t *rapid.T) *policy.Authority {
	a := &policy.Authority{Capture: rapid.Bool().Draw(t, "capture"), Strangers: someClass(t, "strangers"), Grants: map[string]policy.Grant{}}
	if rapid.Bool().Draw(t, "granted") {
		a.Grants["bot"] = someGrant(t)
	}
	a.Open = len(a.Grants) == 0 && a.Strangers == ""
	when, err := expression.Compile("request.body.amount > 10", expression.Bool, expression.Env{"request"})
	if err != nil {
		t.Fatal(err)
	}
	for range rapid.IntRange(0, 3).Draw(t, "gates") {
		g := &policy.Gate{Calls: somePatterns(t, "call"), Then: rapid.SampledFrom([]policy.Then{policy.Allow, policy.Approve, policy.Capture, policy.Refuse}).Draw(t, "then"), Live: rapid.Bool().Draw(t, "live")}
		if rapid.Bool().Draw(t, "conditional") {
			g.When = when
		}
		a.Gates = append(a.Gates, g)
	}
	return a
}

func someQuestion(t *rapid.T, a *policy.Authority) policy.Question {
	return policy.Question{
		Operation: rapid.SampledFrom(operations()).Draw(t, "operation"),
		Input:     specs.Input{Path: map[string]string{"charge": rapid.SampledFrom([]string{"ch_1", "ch_2", "x"}).Draw(t, "charge")}},
		Class:     rapid.SampledFrom(class.All()).Draw(t, "class"), Identity: rapid.SampledFrom([]string{"", "bot", "other"}).Draw(t, "identity"),
		Stage: rapid.IntRange(0, policy.MostStage).Draw(t, "stage"), Narrowed: someClass(t, "narrowed"),
		Live: rapid.Bool().Draw(t, "leaves"),
	}
}

// someTruth is a condition that holds, does not, or cannot be told.
func someTruth(t *rapid.T) func(*policy.Gate, *expression.Program) (bool, error) {
	truths := [3]int{rapid.IntRange(0, 2).Draw(t, "first"), rapid.IntRange(0, 2).Draw(t, "second"), rapid.IntRange(0, 2).Draw(t, "third")}
	asked := map[*policy.Gate]int{}
	return func(g *policy.Gate, _ *expression.Program) (bool, error) {
		if _, ok := asked[g]; !ok {
			asked[g] = len(asked)
		}
		switch truths[asked[g]] {
		case 0:
			return false, errors.New("it cannot be told")
		case 1:
			return false, nil
		}
		return true, nil
	}
}

func TestLoweringAGrantNeverLetsMoreThrough(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := someAuthority(t)
		q, holds := someQuestion(t, a), someTruth(t)
		was := decided(a, q, holds)
		lower, g := *a, a.Grants["bot"]
		lower.Grants, g.May = maps.Clone(a.Grants), maps.Clone(g.May)
		what := rapid.SampledFrom([]string{"may", "also", "never", "strangers", "narrowed"}).Draw(t, "what")
		down := func(c class.Class) class.Class {
			if c.Rank() <= 1 {
				return ""
			}
			return class.All()[c.Rank()-2]
		}
		switch what {
		case "may":
			for service := range g.May {
				g.May[service] = down(g.May[service])
			}
		case "also":
			if n := len(g.Also); n > 0 {
				g.Also = g.Also[:n-1]
			}
		case "never":
			g.Never = append(slices.Clone(g.Never), somePatterns(t, "more")...)
		case "strangers":
			if lower.Strangers != "" && !lower.Open {
				lower.Strangers = down(lower.Strangers)
			}
		case "narrowed":
			if q.Narrowed == "" {
				q.Narrowed = class.Admin
			} else if c := down(q.Narrowed); c != "" {
				q.Narrowed = c
			}
		}
		if _, granted := a.Grants["bot"]; granted {
			lower.Grants["bot"] = g
		}
		if is := decided(&lower, q, holds); rank(is) > rank(was) {
			t.Fatalf("%s lowered: %s became %s", what, was, is)
		}
	})
}

func TestLoweringAStageNeverLetsMoreThrough(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := someAuthority(t)
		q, holds := someQuestion(t, a), someTruth(t)
		last, at := trail.PolicyAllowed, 0
		for _, stage := range []int{0, 5, 4, 3, 2, 1} { // at 0 no stage is in force
			if stage == 0 && q.Live { // which is none at which a write leaves
				continue
			}
			q.Stage = stage
			is := decided(a, q, holds)
			if rank(is) > rank(last) {
				t.Fatalf("stage %d has it %s, and stage %d %s", at, last, stage, is)
			}
			last, at = is, stage
		}
	})
}

// GatesOf is worked out once for an operation: a gate that it leaves out is never
// asked of any call of it.
func TestAGateThatIsAboutACallIsAmongThoseOfItsOperation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := someAuthority(t)
		q, holds := someQuestion(t, a), someTruth(t)
		ans := a.Decide(q)
		if ans.Decision == trail.PolicyRefused {
			return
		}
		all, some := a.Gate(q, ans, a.Gates, holds), a.Gate(q, ans, a.GatesOf(q.Operation), holds)
		if all.Gate != some.Gate || all.Then != some.Then {
			t.Fatalf("of all gates %s by %v, of the operation's %s by %v", all.Then, all.Gate, some.Then, some.Gate)
		}
	})
}
