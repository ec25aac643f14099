package zendesk

import (
	"net/http"
	"slices"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func ticketHandlers() map[string]handler {
	return map[string]handler{
		"ListTickets":       listTickets,
		"CreateTicket":      createTicket,
		"ShowTicket":        onTicket(showTicket),
		"UpdateTicket":      onTicket(updateTicket),
		"DeleteTicket":      onTicket(deleteTicket),
		"TicketsShowMany":   func(c *call) (answer, *refusal) { return c.several(tickets, living) },
		"CountTickets":      func(c *call) (answer, *refusal) { return c.count(len(c.livingTickets())) },
		"ListTicketsRecent": listRecent,
		"ListTicketProblems": func(c *call) (answer, *refusal) {
			return c.ticketsOf(c.every(tickets, func(r *world.Record) bool { return living(r) && r.Value()["type"] == "problem" }))
		},
		"ListTicketComments":                  onTicket(listComments),
		"CountTicketComments":                 onTicket(countComments),
		"MakeTicketCommentPrivate":            onTicket(makePrivate),
		"RedactStringInComment":               onTicket(redact),
		"RedactTicketCommentInAgentWorkspace": redactMarked,
		"ListResourceTags":                    onTicket(listTicketTags),
		"SetTagsTicket":                       changeTags(func(_, said []string) []string { return said }, http.StatusCreated),
		"PutTagsTicket":                       changeTags(func(had, said []string) []string { return append(had, said...) }, http.StatusOK),
		"DeleteTagsTicket":                    changeTags(without, http.StatusOK),
		"ListAuditsForTicket":                 onTicket(listAudits),
		"ShowTicketAudit":                     onTicket(showAudit),
		"MergeTicketsIntoTargetTicket":        onTicket(mergeTickets),
		"TicketRelatedInformation":            onTicket(relatedToTicket),
		"MarkTicketAsSpamAndSuspendRequester": onTicket(markAsSpam),
		"ListTicketIncidents":                 onTicket(listIncidents),
		"ListTicketCollaborators":             listPeople("collaborator_ids"),
		"ListTicketFollowers":                 listPeople("follower_ids"),
		"ListTicketEmailCCs":                  listPeople("email_cc_ids"),
		"ListUserTicketsRequested":            listTicketsOf(users, "user_id", "requester_id"),
		"ListUserTicketsAssigned":             listTicketsOf(users, "user_id", "assignee_id"),
		"ListUserTicketsCcd":                  listTicketsWith("collaborator_ids"),
		"ListUserTicketsFollowed":             listTicketsWith("follower_ids"),
		"ListOrganizationTickets":             listTicketsOf(organizations, "organization_id", "organization_id"),
		"ListDeletedTickets":                  listDeleted,
		"DeleteTicketPermanently":             deleteForGood,
		"RestoreDeletedTicket":                restoreTicket,
		"BulkRestoreDeletedTickets":           restoreTickets,
	}
}

// living tells whether a ticket is not deleted: those that are stay for 30 days,
// and can be restored.
func living(r *world.Record) bool { return r.Value()["status"] != "deleted" }

func (c *call) livingTickets() []*world.Record { return c.every(tickets, living) }

// ticket finds the ticket that the path names.
func (c *call) ticket() (*world.Record, *refusal) {
	r, refused := c.member(tickets, "ticket_id")
	if refused == nil && !living(r) {
		return nil, notFound()
	}
	return r, refused
}

func listTickets(c *call) (answer, *refusal) {
	if external := c.query("external_id"); external != "" {
		return c.ticketsOf(c.those(tickets, "external_id", external, living))
	}
	deleted, _ := c.Tx.Row(full(tickets), "status", "deleted")
	return c.list(listing{collection: tickets, keep: living, left: deleted.Len()})
}

func (c *call) ticketsOf(some []*world.Record) (answer, *refusal) {
	return c.list(listing{collection: tickets, some: some, narrowed: true})
}

// listRecent shows what the agent has worked on last: nobody keeps what was
// looked at, so it is what was changed.
func listRecent(c *call) (answer, *refusal) {
	some := c.livingTickets()
	slices.SortStableFunc(some, func(a, b *world.Record) int {
		return compare("updated_at", b.Value()["updated_at"], a.Value()["updated_at"])
	})
	return c.ticketsOf(some[:min(5, len(some))])
}

func showTicket(c *call, r *world.Record) (answer, *refusal) {
	return c.one("ticket", r)
}

func createTicket(c *call) (answer, *refusal) {
	said := c.part("ticket")
	if c.later() {
		next := c.ticketID()
		job := c.job(todo{kind: "create", collection: tickets, items: []any{said}, into: next})
		return answer{status: http.StatusAccepted, value: map[string]any{"ticket": map[string]any{"id": next}, "job_status": job}}, nil
	}
	r, audit, refused := c.openTicket(said)
	if refused != nil {
		return answer{}, refused
	}
	shown := c.show(r)
	return answer{status: http.StatusCreated, value: map[string]any{"ticket": shown, "audit": audit}, header: kit.Headers("Location", cast.Text(shown["url"]))}, nil
}

func updateTicket(c *call, r *world.Record) (answer, *refusal) {
	said := c.part("ticket")
	if c.later() {
		job := c.job(todo{kind: "update", collection: tickets, items: []any{with(said, map[string]any{"id": r.Value()["id"]})}})
		return answer{status: http.StatusAccepted, value: map[string]any{"job_status": job}}, nil
	}
	changed, audit, refused := c.changeTicket(r, said)
	if refused != nil {
		return answer{}, refused
	}
	value := map[string]any{"ticket": c.show(changed), "audit": audit}
	c.sideload(value, "ticket")
	return answer{value: value}, nil
}

func deleteTicket(c *call, r *world.Record) (answer, *refusal) {
	c.bin(r)
	return answer{status: http.StatusNoContent}, nil
}

func listTicketsOf(owners, parameter, field string) handler {
	return on(owners, parameter, func(c *call, owner *world.Record) (answer, *refusal) {
		return c.ticketsOf(c.those(tickets, field, owner.ID, living))
	})
}

// listTicketsWith lists those where a user is among others, newest first, as
// recorded.
func listTicketsWith(field string) handler {
	return on(users, "user_id", func(c *call, user *world.Record) (answer, *refusal) {
		n := id(user.Value(), "id")
		some := c.every(tickets, func(r *world.Record) bool { return living(r) && slices.Contains(ids(r.Value()[field]), n) })
		slices.Reverse(some)
		return c.ticketsOf(some)
	})
}

func listPeople(field string) handler {
	return onTicket(func(c *call, r *world.Record) (answer, *refusal) {
		some := []*world.Record{}
		for _, n := range ids(r.Value()[field]) {
			if user, ok := c.find(users, n); ok {
				some = append(some, user)
			}
		}
		return c.list(listing{collection: users, some: some, narrowed: true})
	})
}

func listIncidents(c *call, r *world.Record) (answer, *refusal) {
	return c.ticketsOf(c.those(tickets, "problem_id", r.ID, living))
}

func relatedToTicket(c *call, r *world.Record) (answer, *refusal) {
	followups := ids(r.Value()["followup_ids"])
	var sources []any
	via, _ := r.Value()["via"].(map[string]any)
	if source, ok := via["source"].(map[string]any); ok && source["rel"] == "follow_up" {
		if from, ok := source["from"].(map[string]any); ok {
			sources = append(sources, cast.Plain(from["ticket_id"]))
		}
	}
	if sources == nil {
		sources = []any{}
	}
	return answer{value: map[string]any{
		"topic_id": nil, "jira_issue_ids": []any{}, "followup_source_ids": sources, "from_archive": false,
		"incidents": int64(len(c.those(tickets, "problem_id", r.ID, living))), "twitter": nil, "url": c.rebase(cast.Text(r.Value()["url"])),
		"followup_ids": cast.Anys(followups),
	}}, nil
}

func markAsSpam(c *call, r *world.Record) (answer, *refusal) {
	if refused := c.spam(r); refused != nil {
		return answer{}, refused
	}
	return answer{value: map[string]any{}}, nil
}

// spam deletes a ticket, and suspends who asked.
func (c *call) spam(r *world.Record) *refusal {
	requester, ok := c.find(users, id(r.Value(), "requester_id"))
	if ok && cast.Text(requester.Value()["role"]) != "end-user" {
		return invalid(fault{field: "base", description: "Requester: agents cannot be suspended as spammers"})
	}
	c.bin(r)
	if ok {
		c.write(users, id(requester.Value(), "id"), requester, with(requester.Value(), map[string]any{"suspended": true, "updated_at": c.now()}))
	}
	return nil
}
