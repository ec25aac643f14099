package series

import (
	"os"
	"strings"
	"testing"
	"time"

	"parity/cmd/internal/rehearsal"
	"parity/gateway/kept"
	"parity/gateway/sweep"
)

// An agent that had done its work, and whose process then lingered until it was
// ended, was told to be cut short, as if more of it could have come.
func TestAProcessThatLingersIsNotCutShort(t *testing.T) {
	t.Parallel()
	const cell = "stripe POST /v1/payment_intents × ambiguous-success"
	armed, err := CellRules([]string{cell})
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct {
		name, agent string
		want        sweep.Outcome
		says        string
	}{
		{"lingers", `SERIES_TEST_AGENT=careful "` + os.Args[0] + `"; exec sleep 60`, sweep.Handled, "its last call was over after "},
		{"goes on", `while :; do curl -s -m 1 https://api.stripe.com/v1/customers -H "Authorization: Bearer sk_test_1" >/dev/null; sleep 0.2; done`, sweep.CutShort, "it went on for too long"},
	} {
		t.Run(of.name, func(t *testing.T) {
			t.Parallel()
			s := opened(t, t.TempDir(), of.agent, func(o *Options) { o.Profile = "stripe" })
			done := do(t, t.Context(), s, Job{Name: cell, Only: []string{kept.NoRules}, Arm: armed, Limit: 6 * time.Second, Flags: []string{rehearsal.TwinFlag, "--cell", cell}})
			d := &done[0]
			found := (&sweeping{series: s}).found(d)
			if d.Cut != TooLong || found.Outcome != of.want || !strings.Contains(found.Why, of.says) {
				t.Errorf("cut %q, last call over at %v of %v: %+v; %v", d.Cut, d.Last, d.Took, found, d.Err)
			}
		})
	}
}
