package zendesk

import (
	"time"

	"parity/fakes"
	"parity/fakes/kit"
)

// What happens later.
const (
	timerClose  = "close-solved"
	timerScrub  = "scrub-deleted"
	timerWork   = "start-job"
	timerFinish = "finish-job"
)

// closeAfter is when the standard automation closes a solved ticket.
// Source: support.zendesk.com, "About the standard automations".
const closeAfter = 96 * time.Hour

func (c *call) schedule(what, subject string, after time.Duration) {
	kit.Must(name, kit.Schedule(c.Tx, fakes.Timer{Service: name, Kind: what, Subject: subject, Due: c.Now.Add(after)}))
}

// Fire does what is due.
func (f *Fake) Fire(fc *fakes.Call, t fakes.Timer) {
	c := &call{Call: fc, fake: f, asker: map[string]any{"id": int64(-1), "role": "admin", "name": "System", "email": ""}}
	switch t.Kind {
	case timerClose:
		r, ok := c.Tx.Get(full(tickets), t.Subject)
		if ok && r.Value()["status"] == "solved" {
			e := c.edit(r)
			e.via = ruleVia("Close ticket 4 days after status is set to solved", "automation")
			e.value["status"] = "closed"
			e.save()
		}
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

// ruleVia says that a rule of the account did something.
func ruleVia(title, rel string) map[string]any {
	return map[string]any{"channel": "rule", "source": map[string]any{
		"from": map[string]any{"deleted": false, "title": title, "id": ruleID(title), "revision_id": int64(1)}, "to": map[string]any{}, "rel": rel,
	}}
}

// ruleID is the id of a standard rule, which nobody can change here.
func ruleID(title string) int64 {
	n := int64(0)
	for _, b := range []byte(title) {
		n = (n*31 + int64(b)) % 900_000_000
	}
	return 10_000_000_000 + n
}
