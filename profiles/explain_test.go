package profiles_test

import (
	"strings"
	"testing"

	"parity/faults"
	"parity/profiles"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]profiles.Topic{
		"trigger.per":                {Name: "faults.NAME.trigger.per", Kind: "key", Default: "each identity", Example: "per: result.charge.customer"},
		"faults.my-rule.trigger.per": {Name: "faults.NAME.trigger.per", Kind: "key", Default: "each identity", Example: "per: result.charge.customer"},
		"faults.trigger.tries":       {Name: "faults.NAME.trigger.tries", Kind: "key", Default: "1", Bounds: "from 1 to 1000", Example: "tries: 3"},
		"services.contract":          {Name: "services.NAME.contract", Kind: "key", Example: "contract: contracts/acme-crm.yaml"},
		"clock.mode":                 {Name: "clock.mode", Kind: "key", Default: "live", Example: "mode: stepped"},
		"ambiguous-success.for":      {Name: "ambiguous-success.for", Kind: "parameter", Default: "90s", Bounds: "from 1ms to 1h", Example: "for: 90s"},
		"truncated-body.at":          {Name: "truncated-body.at", Kind: "parameter", Default: "50%", Example: "at: 50%"},
		"expect.looks.enforce":       {Name: "expect.NAME.enforce", Kind: "key", Default: "false", Example: "enforce: true"},
		"policy.egress.tunnel":       {Name: "policy.egress.tunnel", Kind: "key", Example: "tunnel: [pricing.internal:50051]"},
	} {
		got, err := profiles.Explain(asked)
		if err != nil {
			t.Errorf("%s: %v", asked, err)
			continue
		}
		if got.Doc == "" || got.Written == "" {
			t.Errorf("%s: %+v", asked, got)
		}
		if got.Name != want.Name || got.Kind != want.Kind || got.Default != want.Default || got.Bounds != want.Bounds || got.Example != want.Example {
			t.Errorf("%s: %+v\nwant %+v", asked, got, want)
		}
	}
	for asked, want := range map[string]string{
		"trigger.pre":            "did you mean trigger.per",
		"ambigous-success":       "did you mean ambiguous-success",
		"ambiguous-success.repl": "did you mean reply",
		"per":                    "say which: faults.trigger.per, data.per",
		"entirely.else":          "parity explain prints the keys",
		".":                      "there is no key",
	} {
		if _, err := profiles.Explain(asked); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", asked, err, want)
		}
	}
}

// Whatever is shown can be asked for, down to the last key and parameter.
func TestEverythingIsExplained(t *testing.T) {
	t.Parallel()
	var walk func(path string)
	seen := 0
	walk = func(path string) {
		topic, err := profiles.Explain(path)
		if err != nil || topic.Doc == "" && topic.Kind != "key" {
			t.Errorf("%s: %+v, %v", path, topic, err)
			return
		}
		seen++
		if strings.HasSuffix(path, "inject") {
			return
		}
		for _, part := range topic.Parts {
			if part.Doc == "" || part.Written == "" {
				t.Errorf("%s.%s says nothing of itself: %+v", path, part.Name, part)
			}
			walk(strings.TrimPrefix(path+"."+part.Name, "."))
		}
	}
	walk("")
	for _, f := range faults.Catalogue() {
		walk(f.Name)
	}
	if seen < 80 {
		t.Errorf("%d topics", seen)
	}
}

// A report names a difference that keeps a verdict from counting, and parity explain
// did not know it.
func TestExplainADifference(t *testing.T) {
	t.Parallel()
	topic, err := profiles.Explain("github-nobody-else")
	if err != nil {
		t.Fatal(err)
	}
	if topic.Kind != "difference" || !strings.Contains(topic.Notes[0], "GET /repos/{owner}/{repo}/issues") || !strings.Contains(strings.Join(topic.Notes, " "), "notices what others did") {
		t.Errorf("%+v", topic)
	}
}
