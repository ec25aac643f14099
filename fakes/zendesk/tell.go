package zendesk

import (
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// announce tells webhooks what happened to the ticket.
func (e *edit) announce() {
	c := e.c
	if e.before == nil {
		c.announceTicket("created", e.value, map[string]any{})
	}
	if e.comment != nil {
		author, _ := c.find(users, id(e.comment, "author_id"))
		c.announceTicket("comment_added", e.value, map[string]any{"comment": map[string]any{
			"id": cast.Plain(e.comment["id"]), "body": e.comment["body"], "is_public": e.comment["public"],
			"author": map[string]any{"id": cast.Plain(e.comment["author_id"]), "name": value(author)["name"], "is_staff": e.agent(id(e.comment, "author_id"))},
		}})
	}
	if e.before == nil {
		return
	}
	for _, one := range []struct{ field, event string }{
		{"status", "status_changed"},
		{"priority", "priority_changed"},
		{"type", "type_changed"},
		{"subject", "subject_changed"},
		{"assignee_id", "agent_assignment_changed"},
		{"group_id", "group_assignment_changed"},
		{"requester_id", "requester_changed"},
		{"organization_id", "organization_changed"},
		{"external_id", "external_id_changed"},
		{"problem_id", "problem_link_changed"},
		{"brand_id", "brand_changed"},
		{"ticket_form_id", "form_changed"},
	} {
		was, is := e.before.Value()[one.field], e.value[one.field]
		if kit.Same(was, is) {
			continue
		}
		c.announceTicket(one.event, e.value, map[string]any{"previous": shout(one.field, was), "current": shout(one.field, is)})
	}
	had, has := list(e.before.Value()["tags"]), list(e.value["tags"])
	added, gone := without(has, had), without(had, has)
	if len(added)+len(gone) > 0 {
		c.announceTicket("tags_changed", e.value, map[string]any{"tags_added": cast.Anys(added), "tags_removed": cast.Anys(gone)})
	}
	if e.value["status"] == "deleted" {
		c.announceTicket("soft_deleted", e.value, map[string]any{})
	}
}
