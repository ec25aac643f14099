package zendesk

import (
	"time"

	"parity/fakes"
	"parity/fakes/kit"
)

// What happens later.
const (
	timerAutomate = "automate"
	timerSweep    = "automate-all"
	timerBreach   = "breach-sla"
	timerScrub    = "scrub-deleted"
	timerWork     = "start-job"
	timerFinish   = "finish-job"
)

func (c *call) schedule(what, subject string, after time.Duration) {
	kit.Must(name, kit.Schedule(c.Tx, fakes.Timer{Service: name, Kind: what, Subject: subject, Due: c.Now.Add(after)}))
}

// Fire does what is due.
func (f *Fake) Fire(fc *fakes.Call, t fakes.Timer) {
	c := &call{Call: fc, fake: f, asker: systemUser()}
	switch t.Kind {
	case timerAutomate:
		c.automate(t.Subject)
	case timerSweep:
		c.sweep()
	case timerBreach:
		c.breach(t.Subject)
	case timerScrub:
		if r, ok := c.Tx.Get(full(tickets), t.Subject); ok && !living(r) {
			c.scrub(r)
		}
	case timerWork:
		c.startJob(t.Subject)
	case timerFinish:
		c.finishJob(t.Subject)
	}
}
