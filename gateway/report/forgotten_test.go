package report

import (
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/profiles/policy"
)

// What passed because nothing names it is told apart from what was let pass, in
// each form that a person reads.
func TestForgottenHostsAreListedApart(t *testing.T) {
	t.Parallel()
	r := &Report{}
	r.Outside = []trail.HostCount{{Host: "api.anthropic.com", Calls: 3, By: "model-apis"}, {Host: "api.weather.gov", Calls: 2, By: policy.Forgotten}}
	var terminal strings.Builder
	if err := Terminal(&terminal, *r, Options{}); err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := Markdown(&page, *r); err != nil {
		t.Fatal(err)
	}
	for form, text := range map[string]string{"terminal": terminal.String(), "markdown": page.String()} {
		text = strings.Join(strings.Fields(text), " ")
		if !strings.Contains(text, "api.weather.gov") || !strings.Contains(text, "was not contained") || strings.Contains(text, "api.anthropic.com (3") {
			t.Errorf("%s: %s", form, text)
		}
	}
	if strings.Contains(terminal.String(), "Outside this rehearsal: api.weather.gov") || !strings.Contains(terminal.String(), "Outside this rehearsal: api.anthropic.com") {
		t.Errorf("%s", terminal.String())
	}
	r.Outside = r.Outside[:1]
	if text := r.forgotten(); text != "" {
		t.Error(text)
	}
}
