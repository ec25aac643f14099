package kept

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
		of   Outcome
		want *verdict.Ending
	}{
		{"it ended", Outcome{Agent: ended}, &verdict.Ending{Exit: 3}},
		{"nobody has said", Outcome{}, nil},
		{"it was not started", Outcome{Agent: &report.Agent{Exit: 127}}, nil},
		{"Parity ended it", Outcome{Agent: ended, Cut: "it went on for too long"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := &Run{Outcome: c.of, ships: Shelves{Catalogue: ships}}
			in, _ := k.input()
			if diff := cmp.Diff(c.want, in.Ending); diff != "" {
				t.Error(diff)
			}
		})
	}
}
