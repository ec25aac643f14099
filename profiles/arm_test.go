package profiles_test

import (
	"errors"
	"strings"
	"testing"

	"parity/profiles"
)

type object = map[string]any

const armedUnder = "profile: quiet\nservices: {stripe: {}, hubspot: {}}\nfaults:\n  slow: {call: \"*\", inject: latency, with: {fixed: 1s}}\n"

// What is said of a rule that comes without a file is what is said of one in a
// profile.
func TestArmSaysWhatLintSays(t *testing.T) {
	t.Parallel()
	p := parse(t, armedUnder)
	refunds := "stripe POST /v1/refunds"
	for name, c := range map[string]struct {
		parts object
		want  string
	}{
		"unknown fault":     {object{"call": refunds, "inject": "ambigous-success"}, "there is no fault \"ambigous-success\"; did you mean ambiguous-success"},
		"bad parameter":     {object{"call": refunds, "inject": "ambiguous-success", "with": object{"replie": "reset"}}, "ambiguous-success has no parameter \"replie\"; did you mean reply"},
		"bad word":          {object{"call": refunds, "inject": "ambiguous-success", "with": object{"reply": "rest"}}, "rest is not one of"},
		"unit left out":     {object{"call": refunds, "inject": "latency", "with": object{"fixed": int64(3)}}, "3 is not a duration"},
		"unknown call":      {object{"call": "stripe POST /v1/refundz", "inject": "timeout"}, "matches no operation; did you mean stripe POST /v1/refunds"},
		"unbound service":   {object{"call": "slack *", "inject": "timeout"}, "this profile does not bind slack"},
		"unknown service":   {object{"call": "stripes *", "inject": "timeout"}, "there is no service \"stripes\"; did you mean stripe"},
		"empty list":        {object{"call": []any{}, "inject": "timeout"}, "call is an empty list"},
		"no call":           {object{"inject": "timeout"}, "rule injected-1 has no call"},
		"condition":         {object{"call": refunds, "inject": "timeout", "when": "resutl.amount > 1"}, "when: unknown name resutl; did you mean result"},
		"condition's type":  {object{"call": refunds, "inject": "timeout", "when": "result.amount + 1"}, "has to give true or false"},
		"never":             {object{"call": refunds, "inject": "timeout", "trigger": object{"nth": int64(3), "first": int64(2)}}, "a trigger that can never fire"},
		"none":              {object{"call": refunds, "inject": "timeout", "trigger": object{"max": int64(0)}}, "trigger.max: 0 is below 1"},
		"no sign":           {object{"call": refunds, "inject": "timeout", "trigger": object{"chance": int64(30)}}, "30 has no unit"},
		"unknown key":       {object{"call": refunds, "inject": "timeout", "wenn": "true"}, "there is no key \"wenn\""},
		"null":              {object{"call": refunds, "inject": "timeout", "when": nil}, "when has no value"},
		"a map for a value": {object{"call": refunds, "inject": object{"a": "b"}}, "inject wants one of"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := p.Arm("injected-1", c.parts)
			var problems profiles.Problems
			if !errors.As(err, &problems) || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "injected-1: ") {
				t.Errorf("%v; want injected-1: …%s…", err, c.want)
			}
		})
	}
	if _, err := p.Arm("Injected 1", object{"call": refunds, "inject": "timeout"}); err == nil || !strings.Contains(err.Error(), "is not a name") {
		t.Errorf("a name with a blank: %v", err)
	}
}

func TestArmedRuleReadsBack(t *testing.T) {
	t.Parallel()
	a, err := parse(t, armedUnder).Arm("injected-1", object{
		"call": []any{"stripe POST /v1/refunds", "hubspot *"}, "inject": "error", "with": object{"status": int64(503), "code": "404", "html": false},
		"when": `(request.body?.amount ?? 0) > 10_000 and (request.body?.reason ?? "") == "yes"`, "trigger": object{"nth": int64(2), "per": "request.body.charge", "window": object{"to": "25m"}},
		"because": "yes",
	})
	if err != nil || len(a.Warnings) > 0 {
		t.Fatal(err, a)
	}
	if a.Rule.Required || a.Fault != "error" || len(a.Calls) != 2 {
		t.Errorf("%+v", a)
	}
	one, err := profiles.Rearm(a.Name, a.Text, "17")
	if err != nil {
		t.Fatalf("%v\n%s", err, a.Text)
	}
	again, err := profiles.Rearm(a.Name, a.Text, "18")
	if err != nil || one.Required || one.Because != "yes" || one.Trigger.Nth != 2 || one.Trigger.To == 0 || one.When.String() != a.Rule.When.String() {
		t.Errorf("%+v %v\n%s", one, err, a.Text)
	}
	if one.Hash == again.Hash {
		t.Error("two that were armed one after the other count together")
	}
	p := parse(t, armedUnder+"  injected-1:\n    "+strings.ReplaceAll(strings.TrimSpace(a.Text), "\n", "\n    ")+"\n")
	if len(p.Rules) != 2 || p.Rules[1].Required {
		t.Errorf("in a profile: %+v", p.Rules)
	}
}

func TestArmWarnsOfWhatDoesNothing(t *testing.T) {
	t.Parallel()
	a, err := parse(t, armedUnder).Arm("lose", object{"call": "stripe GET /v1/charges", "inject": "ambiguous-success"})
	if err != nil || len(a.Warnings) != 1 || !strings.Contains(a.Warnings.Error(), "these calls change nothing") {
		t.Errorf("%v %+v", err, a)
	}
}
