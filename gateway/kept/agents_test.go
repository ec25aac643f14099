package kept

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/faults/trail"
	"parity/gateway/verdict"
	"parity/profiles"
)

// Of two agents in one run what one had looked up counted as looked up by the
// other, and no profile could say that they are two.
func TestAgentsAreToldApartByTheirIdentities(t *testing.T) {
	t.Parallel()
	events := func(identities ...string) (all []trail.Event) {
		for _, identity := range identities {
			all = append(all, trail.Event{Identity: identity})
		}
		return all
	}
	for _, c := range []struct {
		name       string
		identities []profiles.Identity
		in         verdict.Input
		want       map[string]string
	}{
		{"no identities", nil, verdict.Input{Events: events("stripe-q1w2e3r4")}, nil},
		{"no agents", []profiles.Identity{{Name: "clerk"}}, verdict.Input{Events: events("stripe-clerk")}, nil},
		{
			"two agents",
			[]profiles.Identity{{Name: "clerk", Agent: "desk"}, {Name: "crier", Agent: "news"}, {Name: "boss"}},
			verdict.Input{Events: events("", "stripe-clerk", "stripe-clerk", "slack-bot-crier", "stripe-boss", "stripe-q1w2e3r4")},
			map[string]string{"stripe-clerk": "desk", "slack-bot-crier": "news"},
		},
		{
			"in the twin alone",
			[]profiles.Identity{{Name: "clerk", Agent: "desk"}},
			verdict.Input{Events: events("stripe-q1w2e3r4"), Calm: []verdict.Calm{{Events: events("stripe-clerk")}}},
			map[string]string{"stripe-clerk": "desk"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, agents(&profiles.Profile{Identities: c.identities}, c.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
