package zendesk

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
)

// openTicket makes a ticket of what a client says of it.
func (c *call) openTicket(said map[string]any) (*world.Record, map[string]any, *refusal) {
	e := &edit{c: c, author: c.callerID(), via: apiVia(), value: blankTicket(c)}
	source := c.followed(e, said)
	spoken := said["comment"]
	if spoken == nil && cast.Text(said["description"]) != "" {
		spoken = said["description"]
	}
	if refused := e.speak(spoken, e.author); refused != nil {
		return nil, nil, refused
	}
	if e.comment == nil {
		return nil, nil, invalid(c.noDescription())
	}
	if refused := e.people(said, true); refused != nil {
		return nil, nil, refused
	}
	if refused := e.take(said); refused != nil {
		return nil, nil, refused
	}
	if e.value["requester_id"] == nil {
		e.value["requester_id"] = e.author
	}
	e.inherit()
	n := c.ticketID()
	e.value["id"], e.value["url"], e.value["encoded_id"] = n, c.address(api+tickets, n), c.encoded()
	e.value["description"], e.value["is_public"] = e.comment["plain_body"], e.comment["public"]
	c.backdate(e.value, said)
	if source != nil {
		c.write(tickets, id(source.Value(), "id"), source, with(source.Value(), map[string]any{"followup_ids": append(slices.Clone(cast.Anys(ids(source.Value()["followup_ids"]))), n)}))
	}
	r, audit := e.save()
	return c.replay(r, said["comments"]), audit, nil
}

// replay adds what was said in a ticket of a fixture later on, each at its time:
// comments: [{body: …, public: false, author_id: 7, created: 2019-05-02}].
func (c *call) replay(r *world.Record, v any) *world.Record {
	items, _ := v.([]any)
	if c.Identity != fakes.Fixture {
		return r
	}
	for _, item := range items {
		comment, _ := item.(map[string]any)
		then := *c.Call
		if at, ok := moment(cast.Text(comment["created"])); ok {
			then.Now = at
		}
		later := &call{Call: &then, fake: c.fake, asker: c.asker}
		e := later.edit(r)
		if refused := e.speak(comment, e.author); refused != nil || e.comment == nil {
			continue
		}
		if refused := e.take(map[string]any{}); refused == nil {
			r, _ = e.save()
		}
	}
	return r
}

// backdate lets a fixture say when a ticket was made.
func (c *call) backdate(value, said map[string]any) {
	if c.Identity != fakes.Fixture {
		return
	}
	for _, field := range []string{"created_at", "updated_at"} {
		if at, ok := moment(cast.Text(said[field])); ok {
			value[field] = stamp(at)
		}
	}
}

func blankTicket(c *call) map[string]any {
	value := map[string]any{
		"external_id": nil, "via": apiVia(), "created_at": c.now(), "updated_at": c.now(), "generated_timestamp": c.Now.Unix(),
		"type": nil, "subject": nil, "raw_subject": nil, "description": "", "priority": nil, "status": "", "recipient": nil,
		"requester_id": nil, "submitter_id": nil, "assignee_id": nil, "organization_id": nil, "group_id": nil, "collaborator_ids": []any{},
		"follower_ids": []any{}, "email_cc_ids": []any{}, "forum_topic_id": nil, "problem_id": nil, "has_incidents": false, "is_public": true,
		"due_at": nil, "tags": []any{}, "custom_fields": c.noCustomFields(), "satisfaction_rating": map[string]any{"score": "unoffered"}, "sharing_agreement_ids": []any{},
		"custom_status_id": nil, "fields": c.noCustomFields(), "followup_ids": []any{}, "ticket_form_id": nil, "brand_id": nil, "satisfaction_probability": nil,
		"allow_channelback": false, "allow_attachments": true, "from_messaging_channel": false,
	}
	for form := range c.Tx.Oldest(full(ticketForms), 0) {
		if form.Value()["default"] == true {
			value["ticket_form_id"] = form.Value()["id"]
			break
		}
	}
	for brand := range c.Tx.Oldest(full(brands), 0) {
		if brand.Value()["default"] == true {
			value["brand_id"] = brand.Value()["id"]
			break
		}
	}
	return value
}

// noCustomFields lists the account's own ticket fields, each without a value.
func (c *call) noCustomFields() []any {
	out := []any{}
	for r := range c.Tx.Oldest(full(ticketFields), 0) {
		if r.Value()["removable"] == true && r.Value()["active"] == true {
			var empty any
			if r.Value()["type"] == "checkbox" {
				empty = false
			}
			out = append(out, map[string]any{"id": r.Value()["id"], "value": empty})
		}
	}
	return out
}

// noDescription is recorded: it names the system field.
func (c *call) noDescription() fault {
	f := fault{field: "base", description: "Description: cannot be blank", code: "BlankValue", more: map[string]any{"ticket_field_type": "FieldDescription"}}
	for r := range c.Tx.Oldest(full(ticketFields), 0) {
		if r.Value()["type"] == "description" {
			f.more["ticket_field_id"] = r.Value()["id"]
			break
		}
	}
	return f
}

// followed makes a ticket the follow-up of a closed one. It has no effect with
// others.
// Source: developer.zendesk.com/documentation/ticketing/managing-tickets/creating-and-updating-tickets.
func (c *call) followed(e *edit, said map[string]any) *world.Record {
	source, ok := c.find(tickets, id(said, "via_followup_source_id"))
	if !ok || source.Value()["status"] != "closed" {
		return nil
	}
	e.value["via"] = map[string]any{"channel": "api", "source": map[string]any{
		"from": map[string]any{"ticket_id": source.Value()["id"], "subject": source.Value()["subject"], "channel": "web"}, "to": map[string]any{}, "rel": "follow_up",
	}}
	for _, field := range []string{"tags", "requester_id", "organization_id", "custom_fields", "fields", "subject", "raw_subject", "type", "priority"} {
		e.value[field] = source.Value()[field]
	}
	return source
}

// changeTicket changes a ticket by what a client says of it.
func (c *call) changeTicket(r *world.Record, said map[string]any) (*world.Record, map[string]any, *refusal) {
	if r.Value()["status"] == "closed" {
		return nil, nil, closed()
	}
	if refused := stale(r, said); refused != nil {
		return nil, nil, refused
	}
	e := c.edit(r)
	if refused := e.people(said, false); refused != nil {
		return nil, nil, refused
	}
	if refused := e.speak(said["comment"], e.author); refused != nil {
		return nil, nil, refused
	}
	if refused := e.take(said); refused != nil {
		return nil, nil, refused
	}
	if e.comment != nil && e.comment["public"] == true {
		e.value["is_public"] = true
	}
	changed, audit := e.save()
	return changed, audit, nil
}

// stale refuses a safe update of a ticket that has changed since.
func stale(r *world.Record, said map[string]any) *refusal {
	if !flag(said["safe_update"], false) {
		return nil
	}
	seen, ok := moment(cast.Text(said["updated_stamp"]))
	if now, known := moment(cast.Text(r.Value()["updated_at"])); ok && known && !now.After(seen) {
		return nil
	}
	return named(http.StatusConflict, "UpdateConflict", "Safe Update prevented the update due to outdated ticket data. Please fetch the latest ticket data and try again.")
}

// people sets who a ticket is from, and checks who it is given to.
func (e *edit) people(said map[string]any, fresh bool) *refusal {
	if asked, ok := said["requester"].(map[string]any); ok {
		n, refused := e.c.someone(asked)
		if refused != nil {
			return refused
		}
		e.value["requester_id"] = n
	}
	for _, field := range []string{"requester_id", "submitter_id"} {
		v, sent := said[field]
		if !sent || v == nil {
			continue
		}
		n, ok := whole(v)
		if _, known := e.c.find(users, n); !ok || !known {
			return invalid(wrong(field))
		}
		if field == "requester_id" || fresh {
			e.value[field] = n
		}
	}
	if fresh && e.value["submitter_id"] == nil {
		e.value["submitter_id"] = e.author
	}
	return nil
}

// someone finds or makes the requester that a body describes.
func (c *call) someone(asked map[string]any) (int64, *refusal) {
	if n := id(asked, "id"); n > 0 {
		return n, nil
	}
	email := strings.ToLower(strings.TrimSpace(cast.Text(asked["email"])))
	if user := c.byEmail(email); user != nil {
		return id(user, "id"), nil
	}
	if email == "" && cast.Text(asked["name"]) == "" {
		return 0, invalid(fault{field: "requester", description: "Requester: Email: cannot be blank", code: "BlankValue"})
	}
	if cast.Text(asked["name"]) == "" {
		return 0, invalid(fault{field: "requester", description: "Requester: Name: is too short (minimum one character)", code: "BlankValue"})
	}
	user, refused := c.newUser(map[string]any{"name": asked["name"], "email": email, "locale_id": asked["locale_id"]})
	if refused != nil {
		return 0, invalid(fault{field: "requester", description: "Requester: Email: " + email + " is not properly formatted", code: "InvalidFormat"})
	}
	return id(user.Value(), "id"), nil
}

// inherit gives a new ticket the organization of its requester.
func (e *edit) inherit() {
	if e.value["organization_id"] != nil {
		return
	}
	if user, ok := e.c.find(users, id(e.value, "requester_id")); ok {
		e.value["organization_id"] = user.Value()["organization_id"]
	}
}
