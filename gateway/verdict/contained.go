package verdict

import (
	"slices"

	"parity/faults/trail"
)

// contained says whether anything can have gone around the gateway, by what came of
// trying before the agent's first call. What the trunk of a fork tried is nothing
// that the fork's agent was in.
func (j *judge) contained() *trail.Contained {
	c := &trail.Contained{Why: trail.NotAskedFor}
	since := slices.Max(append([]uint64{0}, j.in.Forks...))
	called := false // something came before anybody tried
	for i := range j.in.Events {
		e := &j.in.Events[i]
		switch {
		case e.Containment != nil && e.Seq > since:
			is := e.Containment
			c.Yes, c.Level, c.Probes, c.Out, c.Why = len(is.Out) == 0 && !called, is.Level, is.Probes, is.Out, ""
			switch {
			case len(is.Out) > 0:
				c.Why = trail.GotOut
			case called:
				c.Why = trail.TriedLate
			}
		case e.Tunnel != nil:
			called = true
		case e.Exchange != nil:
			called = called || e.Seq > since
			if protocol, to := e.Exchange.Attempt(); protocol != "" && !slices.Contains(c.Attempts, protocol+" "+to) {
				c.Attempts = append(c.Attempts, protocol+" "+to)
			}
		}
	}
	if c.Yes && j.in.LetsOut {
		c.Yes, c.Why = false, trail.LetOut
	}
	return c
}

// around says of a rule that nothing was sent somewhere what may have gone there
// all the same.
func (j *judge) around() string {
	c := j.contained()
	if !c.Yes {
		return "; what goes around the gateway is not seen (not contained)"
	}
	return "; nothing can have gone around the gateway (contained)"
}
