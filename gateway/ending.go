package gateway

import (
	"parity/gateway/verdict"
	"parity/profiles"
)

// ending is how the agent's process ended, with its last lines where a profile
// asks for them; nil: nobody knows. Of an agent that Parity ended, the exit code
// says only that.
func (k *Kept) ending(p *profiles.Profile) *verdict.Ending {
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

// KeepOutcome keeps how the agent was started and how it ended with the run.
func (s *Server) KeepOutcome(run string, o Outcome) {
	said, err := o.said()
	if p, ok := s.Gateway.slot(run); ok && err == nil {
		err = p.live.Load().writer.SetMeta(said)
	}
	if err != nil {
		s.settings.Log.Warn("what the agent ended with is not kept", "error", err)
	}
}
