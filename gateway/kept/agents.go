package kept

import (
	"strings"

	"parity/faults/trail"
	"parity/gateway/verdict"
	"parity/profiles"
)

// agents tells who calls under identities, by these as events have them: there a
// name that the profile gives has the service before it. nil: a run has one agent.
func agents(p *profiles.Profile, in verdict.Input) map[string]string {
	named := map[string]string{} // by what the identity ends with, of which lint lets no two be alike
	for _, i := range p.Identities {
		if i.Agent != "" {
			named["-"+i.Name] = i.Agent
		}
	}
	if len(named) == 0 {
		return nil
	}
	found, seen := map[string]string{}, map[string]bool{}
	note := func(events []trail.Event) {
		for i := range events {
			identity := events[i].Identity
			if seen[identity] {
				continue
			}
			seen[identity] = true
			for end, agent := range named {
				if strings.HasSuffix(identity, end) {
					found[identity] = agent
				}
			}
		}
	}
	note(in.Events)
	for i := range in.Calm {
		note(in.Calm[i].Events)
	}
	return found
}
