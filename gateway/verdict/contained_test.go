package verdict

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/faults/trail"
)

// A run is contained where every way out was tried in vain before its agent's first
// call, and nobody lets out what nobody knows.
func TestContained(t *testing.T) {
	t.Parallel()
	call := trail.Event{Kind: trail.Exchanged, Exchange: &trail.Exchange{Way: "connect", Method: "GET", Outcome: trail.Answered}}
	attempt := trail.Event{Kind: trail.Exchanged, Exchange: &trail.Exchange{Way: "address", Method: "TCP", Host: "10.1.2.3", Path: ":5432", Outcome: trail.Denied}}
	tried := trail.Event{Kind: trail.Probed, Containment: &trail.Containment{Level: trail.ContainedWhole, Probes: 15}}
	out := []trail.Escape{{Probe: "udp", Said: "something answered"}}
	leaky := trail.Event{Kind: trail.Probed, Containment: &trail.Containment{Level: trail.ContainedNetwork, Probes: 15, Out: out}}
	for name, c := range map[string]struct {
		events []trail.Event
		lets   bool
		forks  []uint64
		want   trail.Contained
	}{
		"nobody tried":             {[]trail.Event{call}, false, nil, trail.Contained{Why: trail.NotAskedFor}},
		"tried first":              {[]trail.Event{tried, call, attempt, attempt}, false, nil, trail.Contained{Yes: true, Level: "whole", Probes: 15, Attempts: []string{"tcp 10.1.2.3:5432"}}},
		"tried late":               {[]trail.Event{call, tried}, false, nil, trail.Contained{Level: "whole", Probes: 15, Why: trail.TriedLate}},
		"one got out":              {[]trail.Event{leaky, call}, false, nil, trail.Contained{Level: "network", Probes: 15, Out: out, Why: trail.GotOut}},
		"hosts are let out":        {[]trail.Event{tried, call}, true, nil, trail.Contained{Level: "whole", Probes: 15, Why: trail.LetOut}},
		"the trunk was, of a fork": {[]trail.Event{tried, call, call}, false, []uint64{2}, trail.Contained{Why: trail.NotAskedFor}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := Input{LetsOut: c.lets, Forks: c.forks, Ended: true}
			for i, e := range c.events {
				e.Seq = uint64(i + 1)
				in.Events = append(in.Events, e)
			}
			if diff := cmp.Diff(&c.want, Judge(in).Scope.Contained); diff != "" {
				t.Error(diff)
			}
		})
	}
}
