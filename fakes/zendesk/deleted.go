package zendesk

import (
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// binLife is how long a deleted ticket can be restored.
// Source: support.zendesk.com, "Viewing, restoring, and permanently deleting tickets".
const binLife = 30 * 24 * time.Hour

// bin deletes a ticket so that it can be restored.
func (c *call) bin(r *world.Record) {
	c.setStatus(r, "deleted")
	c.schedule(timerScrub, r.ID, binLife)
}

// setStatus changes a ticket's status and tells so in an audit.
func (c *call) setStatus(r *world.Record, status string) *world.Record {
	e := c.edit(r)
	e.value["status"] = status
	changed, _ := e.save()
	return changed
}

func listDeleted(c *call) (answer, *refusal) {
	some := c.every(tickets, func(r *world.Record) bool { return !living(r) })
	return c.list(listing{collection: tickets, some: some, narrowed: true, under: "deleted_tickets", show: func(r *world.Record) map[string]any {
		actor, previous := c.binned(r)
		return map[string]any{
			"id": r.Value()["id"], "subject": r.Value()["subject"], "description": r.Value()["description"], "actor": actor,
			"deleted_at": r.Value()["updated_at"], "previous_state": previous,
		}
	}})
}

// binned tells who deleted a ticket, and what it was before.
func (c *call) binned(r *world.Record) (actor map[string]any, previous string) {
	for audit := range c.Tx.Find(full(audits), "ticket_id", r.ID, 0) {
		for _, one := range cast.List(audit.Value()["events"]) {
			event, _ := one.(map[string]any)
			if event["field_name"] == "status" && event["value"] == "deleted" {
				actor = map[string]any{"id": audit.Value()["author_id"], "name": ""}
				if user, ok := c.find(users, id(audit.Value(), "author_id")); ok {
					actor["name"] = user.Value()["name"]
				}
				return actor, cast.Plain(event["previous_value"])
			}
		}
	}
	return map[string]any{"id": int64(-1), "name": "System"}, "open"
}

func (c *call) deleted(n int64) (*world.Record, bool) {
	r, ok := c.find(tickets, n)
	return r, ok && !living(r)
}

func restoreTicket(c *call) (answer, *refusal) {
	n, _ := whole(c.Input.Path["ticket_id"])
	r, ok := c.deleted(n)
	if !ok {
		return answer{}, notFound()
	}
	c.restore(r)
	return answer{value: map[string]any{}}, nil // recorded
}

func restoreTickets(c *call) (answer, *refusal) {
	for _, n := range ids(c.query("ids")) {
		if r, ok := c.deleted(n); ok {
			c.restore(r)
		}
	}
	return answer{value: map[string]any{}}, nil
}

func (c *call) restore(r *world.Record) {
	_, previous := c.binned(r)
	c.setStatus(r, previous)
	c.cancel(timerScrub, r.ID)
}

func deleteForGood(c *call) (answer, *refusal) {
	n, _ := whole(c.Input.Path["ticket_id"])
	if _, ok := c.deleted(n); !ok {
		return answer{}, notFound()
	}
	return answer{value: map[string]any{"job_status": c.job(todo{kind: "scrub", collection: tickets, items: []any{n}, alone: true})}}, nil
}

// scrub takes a deleted ticket away, with all that was said in it.
func (c *call) scrub(r *world.Record) {
	for _, many := range []string{comments, audits, ticketMetrics, metricEvents} {
		for _, one := range c.those(many, "ticket_id", r.ID, nil) {
			c.fake.store.Delete(c.Tx, many, one.ID)
		}
	}
	if _, ok := c.Tx.Get(full(clocks), r.ID); ok {
		kit.Must(name, c.Tx.Delete(full(clocks), r.ID))
	}
	c.cancel(timerScrub, r.ID)
	c.drop(tickets, r)
}

func (c *call) cancel(what, subject string) {
	kit.Must(name, kit.Cancel(c.Tx, name, what, subject))
}
