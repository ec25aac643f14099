package gateway

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/builtin"
	"parity/gateway/report"
	"parity/gateway/verdict"
)

// Whether an agent's process said that it failed was known to the report, and to
// no verdict.
func TestTheJudgeKnowsHowTheAgentEnded(t *testing.T) {
	t.Parallel()
	ships, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	ended := &report.Agent{Started: true, Exit: 3}
	for _, c := range []struct {
		name string
		of   outcome
		want *verdict.Ending
	}{
		{"it ended", outcome{Agent: ended}, &verdict.Ending{Exit: 3}},
		{"nobody has said", outcome{}, nil},
		{"it was not started", outcome{Agent: &report.Agent{Exit: 127}}, nil},
		{"Parity ended it", outcome{Agent: ended, Cut: TooLong}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := &Kept{Outcome: c.of, ships: shelves{catalogue: ships}}
			in, _ := k.input()
			if diff := cmp.Diff(c.want, in.Ending); diff != "" {
				t.Error(diff)
			}
		})
	}
}
