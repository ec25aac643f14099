package zendesk

import (
	"fmt"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// The standard triggers that send mail.
// Source: support.zendesk.com, "About the standard ticket triggers"; an audit in
// github.com/nukosuke/go-zendesk, fixture/POST/ticket.json.
const (
	receivedTrigger = "Notify requester and CCs of received request"
	updatedTrigger  = "Notify requester and CCs of comment update"
)

// notify sends the mail that a public comment causes: it goes out to the
// requester and to those who get copies, but for the one who wrote it.
func (e *edit) notify() []any {
	if e.comment == nil || e.comment["public"] != true || e.silent || e.c.Identity == fakes.Fixture {
		return nil
	}
	title, subject := updatedTrigger, "[Request updated] Re: "+cast.Text(e.value["subject"])
	if e.before == nil {
		title, subject = receivedTrigger, "[Request received] "+cast.Text(e.value["subject"])
	}
	var to []string
	var recipients []int64
	for _, n := range append([]int64{id(e.value, "requester_id")}, ids(e.value["email_cc_ids"])...) {
		user, ok := e.c.find(users, n)
		if !ok || cast.Text(user.Value()["email"]) == "" || user.Value()["suspended"] == true || slices.Contains(recipients, n) {
			continue
		}
		if n == id(e.comment, "author_id") && e.before != nil {
			continue
		}
		to, recipients = append(to, cast.Text(user.Value()["email"])), append(recipients, n)
	}
	if len(to) == 0 {
		return nil
	}
	event := map[string]any{
		"id": e.c.fresh(audits), "type": "Notification", "via": ruleVia(title, "trigger"), "subject": subject,
		"body": cast.Text(e.comment["plain_body"]), "recipients": cast.Anys(recipients),
	}
	err := kit.Send(e.c.Tx, fakes.Sent{
		Service: name, Kind: "mail", ID: fmt.Sprintf("ticket-%d-%d", id(e.value, "id"), id(event, "id")), To: to, At: e.c.Now,
		Summary: strings.TrimSpace(subject),
		Content: map[string]any{"ticket_id": e.value["id"], "subject": subject, "body": e.comment["plain_body"], "html_body": e.comment["html_body"], "author_id": e.comment["author_id"]},
	})
	kit.Must(name, err)
	return []any{event}
}

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

// shout is a value as events have it: ids are text, choices in capitals.
func shout(field string, v any) any {
	switch {
	case v == nil:
		return nil
	case ranked(field) != nil:
		return strings.ToUpper(cast.Plain(v))
	}
	return cast.Plain(v)
}
