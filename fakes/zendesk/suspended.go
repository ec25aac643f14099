package zendesk

import (
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// suspendedTickets are mails that became no tickets. A fixture has them: nothing
// here comes in by mail.
const suspendedTickets = "suspended_tickets"

func suspendedHandlers() map[string]handler {
	return map[string]handler{
		"ListSuspendedTickets": listAll(suspendedTickets),
		"ShowSuspendedTicket":  showPlain(suspendedTickets, "suspended_ticket_id"),
		"DeleteSuspendedTicket": on(suspendedTickets, "suspended_ticket_id", func(c *call, r *world.Record) (answer, *refusal) {
			c.fake.store.Delete(c.Tx, suspendedTickets, r.ID)
			return answer{status: http.StatusNoContent}, nil
		}),
		"RecoverSuspendedTicket": on(suspendedTickets, "suspended_ticket_id", func(c *call, r *world.Record) (answer, *refusal) {
			return c.recoverAll([]*world.Record{r}, "ticket")
		}),
		"RecoverSuspendedTickets": func(c *call) (answer, *refusal) { return c.recoverAll(c.suspended(), "tickets") },
		"DeleteSuspendedTickets": func(c *call) (answer, *refusal) {
			for _, r := range c.suspended() {
				c.fake.store.Delete(c.Tx, suspendedTickets, r.ID)
			}
			return answer{status: http.StatusNoContent}, nil
		},
	}
}

func (c *call) suspended() (some []*world.Record) {
	for _, n := range ids(c.query("ids")) {
		if r, ok := c.find(suspendedTickets, n); ok {
			some = append(some, r)
		}
	}
	return some
}

// recoverAll makes tickets of what was suspended, from those who wrote it.
func (c *call) recoverAll(some []*world.Record, under string) (answer, *refusal) {
	made := []any{}
	for _, r := range some {
		author, _ := r.Value()["author"].(map[string]any)
		asked := map[string]any{"subject": r.Value()["subject"], "comment": map[string]any{"body": orDefault(cast.Text(r.Value()["content"]), "(no content)")}}
		if n := id(author, "id"); n != 0 {
			asked["requester_id"] = n
		} else if cast.Text(author["email"]) != "" {
			asked["requester"] = map[string]any{"name": orDefault(cast.Text(author["name"]), cast.Text(author["email"])), "email": author["email"]}
		}
		ticket, _, refused := c.openTicket(asked)
		if refused != nil {
			return answer{}, refused
		}
		c.fake.store.Delete(c.Tx, suspendedTickets, r.ID)
		made = append(made, c.show(ticket))
	}
	return answer{value: map[string]any{under: made}}, nil
}
