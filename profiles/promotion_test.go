package profiles_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/profiles"
)

func TestStepsOfPromotion(t *testing.T) {
	t.Parallel()
	p := parse(t, `profile: billing
services: {stripe: {}}
faults:
  lose-the-refund: {call: stripe POST /v1/refunds, inject: ambiguous-success, trigger: {nth: 1}}
promotion:
  draft: {runs: 3}
  writes:
    after: draft
    runs: 20
    seeds: 10
    faults: [ambiguous-success, rate-limit]
    verdicts: [lose-the-refund, "always: one effect per intent"]
    differences: any
    within: 720h
`)
	want := []profiles.Step{
		{Name: "draft", Runs: 3, Seeds: 1},
		{
			Name: "writes", After: "draft", Runs: 20, Seeds: 10, Faults: []string{"ambiguous-success", "rate-limit"},
			Verdicts: []string{"lose-the-refund", "always: one effect per intent"}, Unaccepted: true, Within: 720 * time.Hour,
		},
	}
	if diff := cmp.Diff(want, p.Steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if again := parse(t, string(p.Content)); cmp.Diff(p.Steps, again.Steps) != "" {
		t.Error("the resolved profile has other steps")
	}
}
