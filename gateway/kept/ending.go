package kept

import (
	"parity/gateway/verdict"
	"parity/profiles"
)

// ending is how the agent's process ended, with its last lines where a profile
// asks for them; nil: nobody knows. Of an agent that Parity ended, the exit code
// says only that.
func (k *Run) ending(p *profiles.Profile) *verdict.Ending {
	a := k.Outcome.Agent
	if a == nil || !a.Started || k.Outcome.Cut != "" {
		return nil
	}
	e := &verdict.Ending{Exit: a.Exit}
	if p != nil && p.Says.Output {
		e.Said = k.Outcome.Said
	}
	return e
}
