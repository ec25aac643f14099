package policy_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/expression"
	"parity/faults"
	"parity/faults/trail"
	"parity/profiles/policy"
	"parity/specs"
	"parity/specs/class"
)

// rank is the order of decisions: the lower lets less through.
func rank(d trail.Decision) int {
	return slices.Index([]trail.Decision{trail.PolicyRefused, trail.PolicyCaptured, trail.PolicyHeld, trail.PolicyAllowed}, d)
}

// decided is what comes of a call once stage, grant and gates have been asked.
func decided(a *policy.Authority, q policy.Question, holds func(*policy.Gate, *expression.Program) (bool, error)) trail.Decision {
	ans := a.Decide(q)
	if ans.Decision == trail.PolicyRefused {
		return ans.Decision
	}
	return map[policy.Then]trail.Decision{
		policy.Allow: trail.PolicyAllowed, policy.Approve: trail.PolicyHeld, policy.Capture: trail.PolicyCaptured, policy.Refuse: trail.PolicyRefused,
	}[a.Gate(q, ans, a.GatesOf(q.Operation), holds).Then]
}

func always(*policy.Gate, *expression.Program) (bool, error) { return true, nil }

func patterns(t interface {
	Helper()
	Fatal(...any)
}, texts ...string,
) []faults.Pattern {
	t.Helper()
	var all []faults.Pattern
	for _, text := range texts {
		p, err := faults.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

func refund() *specs.Operation {
	return &specs.Operation{Service: "stripe", ID: "PostRefunds", Method: "POST", Path: "/v1/refunds"}
}

func capture() *specs.Operation {
	return &specs.Operation{Service: "stripe", ID: "CaptureCharge", Method: "POST", Path: "/v1/charges/{charge}/capture"}
}

func TestAStageLetsThroughWhatItsTableSays(t *testing.T) {
	t.Parallel()
	table := map[class.Class]string{ // by stage: refused, captured, held, allowed; g: allowed by a gate
		class.Read:         "a a a a a",
		class.Draft:        "r a a a a",
		class.Reversible:   "r c h g a",
		class.Irreversible: "r c h h g",
		class.Admin:        "r r r r h",
	}
	words := map[string]trail.Decision{"r": trail.PolicyRefused, "c": trail.PolicyCaptured, "h": trail.PolicyHeld, "g": trail.PolicyHeld, "a": trail.PolicyAllowed}
	gate := []*policy.Gate{{Name: "freely", Calls: patterns(t, "*"), Then: policy.Allow}}
	for c, row := range table {
		for i, word := range strings.Fields(row) {
			for _, captures := range []bool{false, true} {
				want := words[word]
				if word == "c" && !captures {
					want = trail.PolicyRefused
				}
				q := policy.Question{Operation: refund(), Class: c, Stage: i + 1}
				a := &policy.Authority{Open: true, Capture: captures}
				if got := decided(a, q, always); got != want {
					t.Errorf("%s at stage %d, captures %v: %s; want %s", c, i+1, captures, got, want)
				}
				if word == "g" {
					want = trail.PolicyAllowed
				}
				a.Gates = gate
				if got := decided(a, q, always); got != want {
					t.Errorf("%s at stage %d, captures %v, with a gate that allows: %s; want %s", c, i+1, captures, got, want)
				}
			}
		}
	}
}

func TestWhatAStageRefusesSaysSo(t *testing.T) {
	t.Parallel()
	a := &policy.Authority{Grants: map[string]policy.Grant{"bot": {}}}
	got := a.Decide(policy.Question{Operation: refund(), Class: class.Irreversible, Identity: "bot", Stage: 1})
	want := policy.Answer{Decision: trail.PolicyRefused, Code: policy.CodeOverStage, By: "stage 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the stage comes before the grant:\n%s", diff)
	}
	if got := a.Decide(policy.Question{Operation: refund(), Class: "weird", Identity: "bot", Stage: 5}); got.Decision != trail.PolicyRefused {
		t.Errorf("a class that is none is %s at stage 5", got.Decision)
	}
}

func TestGrants(t *testing.T) {
	t.Parallel()
	bot := policy.Grant{
		May:   map[string]class.Class{"stripe": class.Reversible, "*": class.Read},
		Also:  patterns(t, "stripe POST /v1/refunds", "stripe POST /v1/charges/ch_1/capture"),
		Never: patterns(t, "stripe DELETE *", "slack.*", "stripe POST /v1/charges/ch_2/capture"),
	}
	granted := &policy.Authority{Grants: map[string]policy.Grant{"bot": bot}, Strangers: class.Read}
	deleting := &specs.Operation{Service: "stripe", Method: "DELETE", Path: "/v1/coupons/{coupon}"}
	listing := &specs.Operation{Service: "slack", ID: "list", Method: "GET", Path: "/api/list"}
	issues := &specs.Operation{Service: "github", Method: "POST", Path: "/issues"}
	charge := func(id string) specs.Input { return specs.Input{Path: map[string]string{"charge": id}} }
	for name, c := range map[string]struct {
		of   *policy.Authority
		q    policy.Question
		most class.Class
		by   string // "": allowed
	}{
		"within the rung":                {granted, policy.Question{Operation: capture(), Class: class.Reversible, Identity: "bot"}, class.Reversible, ""},
		"above the rung":                 {granted, policy.Question{Operation: capture(), Class: class.Irreversible, Identity: "bot"}, class.Reversible, "bot may reversible"},
		"also, above the rung":           {granted, policy.Question{Operation: refund(), Class: class.Irreversible, Identity: "bot"}, class.Reversible, ""},
		"also, of one record":            {granted, policy.Question{Operation: capture(), Input: charge("ch_1"), Class: class.Irreversible, Identity: "bot"}, class.Reversible, ""},
		"also, of another record":        {granted, policy.Question{Operation: capture(), Input: charge("ch_3"), Class: class.Irreversible, Identity: "bot"}, class.Reversible, "bot may reversible"},
		"never, within the rung":         {granted, policy.Question{Operation: deleting, Class: class.Reversible, Identity: "bot"}, class.Reversible, "never stripe DELETE *"},
		"never, a read":                  {granted, policy.Question{Operation: listing, Class: class.Read, Identity: "bot"}, class.Read, "never slack.*"},
		"never, of one record":           {granted, policy.Question{Operation: capture(), Input: charge("ch_2"), Class: class.Reversible, Identity: "bot"}, class.Reversible, "never stripe POST /v1/charges/ch_2/capture"},
		"another service, by *":          {granted, policy.Question{Operation: issues, Class: class.Draft, Identity: "bot"}, class.Read, "bot may read"},
		"a stranger reads":               {granted, policy.Question{Operation: deleting, Class: class.Read}, class.Read, ""},
		"a stranger writes":              {granted, policy.Question{Operation: refund(), Class: class.Draft}, class.Read, "strangers"},
		"an identity without a grant":    {granted, policy.Question{Operation: refund(), Class: class.Read, Identity: "other"}, "", "other has no grant for stripe"},
		"narrowed, within":               {granted, policy.Question{Operation: capture(), Class: class.Draft, Identity: "bot", Narrowed: class.Draft}, class.Draft, ""},
		"narrowed, beyond":               {granted, policy.Question{Operation: capture(), Class: class.Reversible, Identity: "bot", Narrowed: class.Draft}, class.Draft, "bot may draft"},
		"narrowed, also is gone":         {granted, policy.Question{Operation: refund(), Class: class.Irreversible, Identity: "bot", Narrowed: class.Draft}, class.Draft, "bot may draft"},
		"narrowed to more is no more":    {granted, policy.Question{Operation: capture(), Class: class.Irreversible, Identity: "bot", Narrowed: class.Admin}, class.Reversible, "bot may reversible"},
		"nobody has a grant":             {&policy.Authority{Open: true}, policy.Question{Operation: refund(), Class: class.Admin, Identity: "bot"}, class.Admin, ""},
		"nobody has a grant, a stranger": {&policy.Authority{Open: true}, policy.Question{Operation: refund(), Class: class.Admin}, class.Admin, ""},
		"only exceptions":                {&policy.Authority{Grants: map[string]policy.Grant{"bot": {Also: bot.Also}}}, policy.Question{Operation: refund(), Class: class.Irreversible, Identity: "bot"}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := policy.Answer{Decision: trail.PolicyAllowed, Grant: c.most, MayAllow: true}
			if c.by != "" {
				want.Decision, want.Code, want.By = trail.PolicyRefused, policy.CodeNotGranted, c.by
			}
			if diff := cmp.Diff(want, c.of.Decide(c.q)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A profile that said what strangers may, and gave nobody a grant, took every
// right from those it has names for.
func TestALimitOnStrangersTakesNothingFromIdentities(t *testing.T) {
	t.Parallel()
	a := &policy.Authority{Strangers: class.Read}
	if got := a.Decide(policy.Question{Operation: refund(), Class: class.Irreversible, Identity: "bot"}); got.Decision != trail.PolicyAllowed || got.Grant != class.Admin {
		t.Errorf("the identity: %+v", got)
	}
	if got := a.Decide(policy.Question{Operation: refund(), Class: class.Irreversible}); got.Decision != trail.PolicyRefused || got.By != "strangers" {
		t.Errorf("a stranger: %+v", got)
	}
}

func program(t *testing.T, text string) *expression.Program {
	t.Helper()
	p, err := expression.Compile(text, expression.Bool, expression.Env{"request", "result"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestGates(t *testing.T) {
	t.Parallel()
	when := program(t, `request.body.amount > 10`)
	gate := func(name string, then policy.Then, when *expression.Program) *policy.Gate {
		return &policy.Gate{Name: name, Calls: patterns(t, "stripe POST /v1/refunds"), Then: then, When: when}
	}
	unknown := errors.New("there is no amount")
	for name, c := range map[string]struct {
		gates []*policy.Gate
		class class.Class // irreversible where it is not said
		stage int
		holds any // bool, or error
		then  policy.Then
		by    string
		why   string
	}{
		"none at all":                             {nil, "", 0, true, policy.Allow, "stage 0", ""},
		"the first decides":                       {[]*policy.Gate{gate("a", policy.Approve, nil), gate("b", policy.Refuse, nil)}, "", 0, true, policy.Approve, "a", ""},
		"in file order, the other way":            {[]*policy.Gate{gate("b", policy.Refuse, nil), gate("a", policy.Approve, nil)}, "", 0, true, policy.Refuse, "b", ""},
		"one that holds":                          {[]*policy.Gate{gate("a", policy.Refuse, when), gate("b", policy.Approve, nil)}, "", 0, true, policy.Refuse, "a", ""},
		"one that does not hold":                  {[]*policy.Gate{gate("a", policy.Refuse, when), gate("b", policy.Approve, nil)}, "", 0, false, policy.Approve, "b", ""},
		"an allow that cannot be told":            {[]*policy.Gate{gate("a", policy.Allow, when), gate("b", policy.Refuse, nil)}, "", 0, unknown, policy.Refuse, "b", ""},
		"an allow that cannot be told, alone":     {[]*policy.Gate{gate("a", policy.Allow, when)}, "", 4, unknown, policy.Approve, "stage 4", ""},
		"a refusal that cannot be told":           {[]*policy.Gate{gate("a", policy.Refuse, when)}, "", 5, unknown, policy.Refuse, "a", unknown.Error()},
		"a draft that cannot be told":             {[]*policy.Gate{gate("a", policy.Capture, when)}, "", 5, unknown, policy.Approve, "a", unknown.Error()},
		"a refusal of a read that cannot be told": {[]*policy.Gate{gate("a", policy.Refuse, when)}, class.Read, 5, unknown, policy.Refuse, "a", unknown.Error()},
		"a refusal of a read":                     {[]*policy.Gate{gate("a", policy.Refuse, nil)}, class.Read, 5, true, policy.Refuse, "a", ""},
		"no approval of a read":                   {[]*policy.Gate{gate("a", policy.Approve, nil)}, class.Read, 3, true, policy.Allow, "stage 3", ""},
		"no draft of a read":                      {[]*policy.Gate{gate("a", policy.Capture, nil)}, class.Read, 3, true, policy.Allow, "stage 3", ""},
		"allow where the stage asks":              {[]*policy.Gate{gate("a", policy.Allow, nil)}, "", 3, true, policy.Approve, "a", ""},
		"allow where the stage lets a gate":       {[]*policy.Gate{gate("a", policy.Allow, nil)}, "", 5, true, policy.Allow, "a", ""},
		"allow of what is captured":               {[]*policy.Gate{gate("a", policy.Allow, nil)}, "", 2, true, policy.Capture, "a", ""},
		"approve of what is captured":             {[]*policy.Gate{gate("a", policy.Approve, nil)}, "", 2, true, policy.Capture, "a", ""},
		"refuse of what is captured":              {[]*policy.Gate{gate("a", policy.Refuse, nil)}, "", 2, true, policy.Refuse, "a", ""},
		"a draft at any stage":                    {[]*policy.Gate{gate("a", policy.Capture, nil)}, class.Reversible, 5, true, policy.Capture, "a", ""},
		"more than the stage asks":                {[]*policy.Gate{gate("a", policy.Approve, nil)}, class.Draft, 5, true, policy.Approve, "a", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := &policy.Authority{Open: true, Capture: true, Gates: c.gates}
			q := policy.Question{Operation: refund(), Class: c.class, Stage: c.stage}
			if c.class == "" {
				q.Class = class.Irreversible
			}
			got := a.Gate(q, a.Decide(q), a.GatesOf(q.Operation), func(*policy.Gate, *expression.Program) (bool, error) {
				if err, ok := c.holds.(error); ok {
					return false, err
				}
				return c.holds == true, nil
			})
			if got.Then != c.then || got.Name() != c.by || got.Why != c.why {
				t.Errorf("%s by %s (%s); want %s by %s (%s)", got.Then, got.Name(), got.Why, c.then, c.by, c.why)
			}
		})
	}
}

// A gate that named one record of every service was never asked.
func TestAGateOfOneRecordOfAnyServiceIsAsked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"* POST /v1/charges/ch_1/capture":          true,
		"stripe POST /v1/charges/ch_1/capture":     true,
		"stripe POST /v1/charges/{charge}/capture": true,
		"stripe.CaptureCharge":                     true,
		"*":                                        true,
		"stripe POST /v1/refunds":                  false,
		"github POST /v1/charges/ch_1/capture":     false,
	} {
		a := &policy.Authority{Open: true, Gates: []*policy.Gate{{Name: "g", Calls: patterns(t, text), Then: policy.Refuse}}}
		if got := len(a.GatesOf(capture())) > 0; got != want {
			t.Errorf("%s may be about it: %v", text, got)
		}
		q := policy.Question{Operation: capture(), Input: specs.Input{Path: map[string]string{"charge": "ch_1"}}, Class: class.Irreversible}
		if got := decided(a, q, always) == trail.PolicyRefused; got != want {
			t.Errorf("%s refuses it: %v", text, got)
		}
	}
}

func TestAClassThatCannotBeToldIsTheHighest(t *testing.T) {
	t.Parallel()
	draft, when := program(t, `request.body.state == "draft"`), program(t, `request.body.amount > 10`)
	cases := func(list ...policy.Case) *policy.Classing { return &policy.Classing{Cases: list} }
	truths := func(all map[*expression.Program]any) func(*expression.Program) (bool, error) {
		return func(p *expression.Program) (bool, error) {
			if err, ok := all[p].(error); ok {
				return false, err
			}
			return all[p] == true, nil
		}
	}
	cannot := errors.New("cannot")
	for name, c := range map[string]struct {
		said  *policy.Classing
		holds map[*expression.Program]any
		want  class.Class
	}{
		"always":                          {cases(policy.Case{Class: class.Read}), nil, class.Read},
		"the first that holds":            {cases(policy.Case{Class: class.Draft, When: draft}, policy.Case{Class: class.Admin, When: when}), map[*expression.Program]any{draft: true, when: true}, class.Draft},
		"what holds otherwise":            {cases(policy.Case{Class: class.Draft, When: draft}, policy.Case{Class: class.Admin}), map[*expression.Program]any{draft: false}, class.Admin},
		"none holds":                      {cases(policy.Case{Class: class.Draft, When: draft}), map[*expression.Program]any{draft: false}, class.Irreversible},
		"cannot be told":                  {cases(policy.Case{Class: class.Draft, When: draft}), map[*expression.Program]any{draft: cannot}, class.Irreversible},
		"cannot be told, with all said":   {cases(policy.Case{Class: class.Draft, When: draft}, policy.Case{Class: class.Reversible}), map[*expression.Program]any{draft: cannot}, class.Reversible},
		"cannot be told, behind another":  {cases(policy.Case{Class: class.Admin, When: draft}, policy.Case{Class: class.Read, When: when}), map[*expression.Program]any{draft: false, when: cannot}, class.Admin},
		"what documents ask for, no case": {&policy.Classing{GraphQL: &class.Table{}}, nil, class.Irreversible},
	} {
		if got := c.said.Of(class.Irreversible, truths(maps.Clone(c.holds))); got != c.want {
			t.Errorf("%s: %s; want %s", name, got, c.want)
		}
	}
}
