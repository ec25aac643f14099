package profiles_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/profiles"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	const before = `profile: a
services: {stripe: {}}
faults:
  one: {call: stripe POST /v1/refunds, inject: error, with: {status: 503}, trigger: {nth: 1}}
  two: {call: stripe POST /v1/refunds, inject: timeout, trigger: {nth: 2}}
  gone: {call: "stripe *", inject: latency, with: {fixed: 1s}}
`
	const after = `# another layout
profile: b
summary: It reads otherwise.
seed: 7
faults:
  two: {call: [stripe POST /v1/refunds], inject: timeout, trigger: {nth: 2}}
  one: {call: stripe POST /v1/refunds, inject: error, with: {status: 500}, trigger: {nth: 3}, because: So it was.}
  new: {call: "stripe *", inject: latency, with: {fixed: 2s}}
services: {stripe: {}, slack: {}}
`
	a, b := parse(t, before), parse(t, after)
	got, err := profiles.Diff(a, b)
	if err != nil {
		t.Fatal(err)
	}
	want := []profiles.Change{
		{"services.slack", "", "{}"},
		{"faults.one.with.status", "503", "500"},
		{"faults.one.trigger.nth", "1", "3"},
		{"faults.one.because", "", "So it was."},
		{"faults.gone", "{call: [stripe *], inject: latency, with: {fixed: 1s}}", ""},
		{"faults.new", "", "{call: [stripe *], inject: latency, with: {fixed: 2s}}"},
		{"seed", "", "7"},
		{"faults, in order (of two that decide, the first wins)", "one, two", "two, one"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	none := parse(t, "profile: c\nservices: {stripe: {}}\n")
	if got, err := profiles.Diff(none, a); err != nil || len(got) != 3 || got[2].Path != "faults.gone" {
		t.Errorf("each rule is told apart: %v %v", got, err)
	}
	if same, err := profiles.Diff(a, parse(t, "# a comment\nsummary: Otherwise.\n"+before)); err != nil || len(same) > 0 {
		t.Errorf("%v %v", same, err)
	}
}
