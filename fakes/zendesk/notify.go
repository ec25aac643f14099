package zendesk

import (
	"fmt"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// notification tells somebody of a ticket as an action of a rule wants it: users
// and groups by mail, webhooks by a request. It gives the event that says so; nil
// for other actions, and where nobody is told.
func (e *edit) notification(field string, v any, via map[string]any) map[string]any {
	said := list(v)
	if len(said) == 0 {
		return nil
	}
	switch field {
	case "notification_user", "notification_group":
		to := e.addressed(field, said[0])
		if len(to) == 0 || len(said) < 3 {
			return nil
		}
		return e.mail(to, said[1], said[2], via)
	case "notification_webhook":
		return e.callWebhook(said[0], v, via)
	}
	return nil
}

// addressed gives the users whom a notification means, but for those who are
// suspended or have no address.
func (e *edit) addressed(field, who string) (to []*world.Record) {
	add := func(n int64) {
		user, ok := e.c.find(users, n)
		if !ok || cast.Text(user.Value()["email"]) == "" || user.Value()["suspended"] == true {
			return
		}
		if !slices.ContainsFunc(to, func(other *world.Record) bool { return other.ID == user.ID }) {
			to = append(to, user)
		}
	}
	if field == "notification_group" {
		n := id(e.value, "group_id")
		if who != "group_id" && who != "assignee" {
			n, _ = whole(who)
		}
		for r := range e.c.Tx.Find(full(memberships), "group_id", key(n), 0) {
			add(id(r.Value(), "user_id"))
		}
		slices.Reverse(to)
		return to
	}
	switch who {
	case "requester_and_ccs":
		return e.requesterAndCopies(add, &to)
	case "requester_id", "assignee_id":
		add(id(e.value, who))
	case "current_user":
		add(e.c.callerID())
	case "all_agents":
		for _, role := range []string{"admin", "agent"} {
			for r := range e.c.Tx.Find(full(users), "role", role, 0) {
				add(id(r.Value(), "id"))
			}
		}
	default:
		n, _ := whole(who)
		add(n)
	}
	return to
}

// requesterAndCopies gives those who are told of what is said in public, but for
// the one who said it; of a new ticket that one is told too.
func (e *edit) requesterAndCopies(add func(int64), to *[]*world.Record) []*world.Record {
	if e.comment != nil && e.comment["public"] != true {
		return nil
	}
	for _, n := range append([]int64{id(e.value, "requester_id")}, ids(e.value["email_cc_ids"])...) {
		if e.before == nil || e.comment == nil || n != id(e.comment, "author_id") {
			add(n)
		}
	}
	return *to
}

// mail sends a notification. Where one of those who get it is no agent, notes are
// left out.
func (e *edit) mail(to []*world.Record, subject, body string, via map[string]any) map[string]any {
	var addresses []string
	var recipients []int64
	outside := false
	for _, user := range to {
		outside = outside || user.Value()["role"] == "end-user"
		addresses, recipients = append(addresses, cast.Text(user.Value()["email"])), append(recipients, id(user.Value(), "id"))
	}
	text := filling{e: e, public: outside}
	subject, body = strings.TrimSpace(text.in(subject)), text.in(body)
	event := map[string]any{"id": e.c.fresh(audits), "type": "Notification", "via": via, "subject": subject, "body": body, "recipients": cast.Anys(recipients)}
	author := any(e.author)
	if e.comment != nil {
		author = e.comment["author_id"]
	}
	err := kit.Send(e.c.Tx, fakes.Sent{
		Service: name, Kind: "mail", ID: fmt.Sprintf("ticket-%d-%d", id(e.value, "id"), id(event, "id")), To: addresses, At: e.c.Now, Summary: subject,
		Content: map[string]any{"ticket_id": e.value["id"], "subject": subject, "body": body, "html_body": paragraphs(body), "author_id": author},
	})
	kit.Must(name, err)
	return event
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
