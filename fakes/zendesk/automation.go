package zendesk

import (
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// mostSwept is how many tickets the automations of an account get through in one
// hour.
// Source: support.zendesk.com, "About automations and how they work".
const mostSwept = 1000

// watch sets when the automations of the account have to look at a ticket: at the
// first whole hour at which the conditions of one of them hold, if nobody changes
// it until then.
func (c *call) watch(ticket map[string]any) {
	n := key(id(ticket, "id"))
	c.cancel(timerAutomate, n)
	if status := ticket["status"]; status == "closed" || status == "deleted" {
		return
	}
	if due, ok := c.nextRun(ticket); ok {
		c.schedule(timerAutomate, n, due.Sub(c.Now))
	}
}

func (c *call) nextRun(ticket map[string]any) (due time.Time, ok bool) {
	for _, rule := range c.inOrder(automations) {
		conditions, _ := rule.Value()["conditions"].(map[string]any)
		next := onTheHour(c.Now.Add(time.Nanosecond))
		for _, turn := range append([]time.Time{next}, c.turns(conditions, ticket)...) {
			hour := onTheHour(turn)
			if hour.Before(next) || ok && !hour.Before(due) {
				continue
			}
			c.Spend(1)
			if c.then(hour).holds(conditions, matter{ticket: ticket}) {
				due, ok = hour, true
				break
			}
		}
	}
	return due, ok
}

// then is the same call at another instant.
func (c *call) then(at time.Time) *call {
	later := *c.Call
	later.Now = at
	return &call{Call: &later, fake: c.fake, asker: systemUser()}
}

// systemUser is who does what no user did.
func systemUser() map[string]any {
	return map[string]any{"id": int64(system), "role": "admin", "name": "System", "email": ""}
}

// automate has the automations look at a ticket, in order.
func (c *call) automate(n string) {
	r, ok := c.Tx.Get(full(tickets), n)
	if !ok || !living(r) {
		return
	}
	for _, rule := range c.inOrder(automations) {
		conditions, _ := rule.Value()["conditions"].(map[string]any)
		if r.Value()["status"] == "closed" || !c.holds(conditions, matter{ticket: r.Value()}) {
			continue
		}
		e := c.edit(r)
		e.via, e.rule, e.author = ruleVia(rule, "automation"), rule, system
		r, _ = e.save()
	}
	c.watch(r.Value())
}

// sweep has the automations look at all tickets, so many an hour: their
// conditions have changed.
func (c *call) sweep() {
	from, known := c.Tx.Get(full(counters), timerSweep)
	var seen []*world.Record
	for r := range c.Tx.Oldest(full(tickets), uint64(id(value(from), "next"))) {
		if seen = append(seen, r); len(seen) == mostSwept {
			break
		}
	}
	for _, r := range seen {
		if status := cast.Text(r.Value()["status"]); status != "closed" && status != "deleted" {
			c.automate(r.ID)
		}
	}
	if len(seen) == mostSwept {
		c.keep(counters, timerSweep, map[string]any{"id": timerSweep, "next": int64(seen[len(seen)-1].Order)})
		c.schedule(timerSweep, "all", time.Hour)
	} else if known {
		kit.Must(name, c.Tx.Delete(full(counters), timerSweep))
	}
}

// rulesChanged has the automations look at all tickets at the next hour.
func (c *call) rulesChanged(collection string) {
	if collection == automations {
		c.schedule(timerSweep, "all", onTheHour(c.Now.Add(time.Nanosecond)).Sub(c.Now))
	}
}
