package zendesk

import (
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/world"
)

func listAudits(c *call, r *world.Record) (answer, *refusal) {
	return c.list(listing{collection: audits, some: c.those(audits, "ticket_id", r.ID, nil), narrowed: true})
}

func showAudit(c *call, r *world.Record) (answer, *refusal) {
	audit, refused := c.member(audits, "audit_id")
	if refused != nil || key(id(audit.Value(), "ticket_id")) != r.ID {
		return answer{}, notFound()
	}
	return c.one("audit", audit)
}

func listTicketTags(c *call, r *world.Record) (answer, *refusal) {
	return answer{value: map[string]any{"tags": r.Value()["tags"]}}, nil
}

// changeTags sets, adds or removes tags: into works out what they become.
func changeTags(into func(had, said []string) []string, status int) handler {
	return onTicket(func(c *call, r *world.Record) (answer, *refusal) {
		if r.Value()["status"] == "closed" && c.Operation.Method != http.MethodPut { // tags can be added still
			return answer{}, closed()
		}
		if refused := stale(r, c.Input.Body); refused != nil {
			return answer{}, refused
		}
		changed := c.retag(r, into(list(r.Value()["tags"]), labels(c.Input.Body["tags"])))
		return answer{status: status, value: map[string]any{"tags": changed.Value()["tags"]}}, nil
	})
}

func (c *call) retag(r *world.Record, tags []string) *world.Record {
	e := c.edit(r)
	e.value["tags"] = cast.Anys(labels(cast.Anys(tags)))
	changed, _ := e.save()
	return changed
}
