package zendesk

import (
	"slices"
	"strings"

	"parity/fakes/cast"
)

// meetsTerm holds a record against a term. A property that this kind of record
// does not have is not known: then nothing of the kind is found.
func (c *call) meetsTerm(t term, name, kind string, r map[string]any) (is, known bool) {
	switch name {
	case "created":
		return t.when(cast.Text(r["created_at"]), c.Now), true
	case "updated":
		return t.when(cast.Text(r["updated_at"]), c.Now), true
	case "tags":
		return t.value == "none" && len(list(r["tags"])) == 0 || slices.Contains(list(r["tags"]), strings.ToLower(t.value)), kind != "group"
	case "external_id":
		return t.is(cast.Text(r["external_id"])), kind != "group"
	case "id":
		return cast.Plain(r["id"]) == t.value, true
	case "organization":
		if kind == "organization" {
			return false, false
		}
		return c.called(t, organizations, id(r, "organization_id")), kind != "group"
	}
	switch kind {
	case "ticket":
		return c.ticketTerm(t, name, r)
	case "user":
		return c.userTerm(t, name, r)
	}
	if name == "name" {
		return t.says(cast.Text(r["name"])), true
	}
	return false, false
}

func (c *call) ticketTerm(t term, name string, r map[string]any) (is, known bool) {
	switch name {
	case "status":
		return t.rank(cast.Text(r["status"]), statuses), true
	case "priority":
		return t.rank(cast.Text(r["priority"]), priorities), true
	case "kind":
		return t.is(cast.Text(r["type"])), true
	case "subject", "description":
		return t.says(cast.Text(r[name])), true
	case "comment":
		return t.says(cast.Text(r["description"])) || c.discussed("ticket", r, strings.ToLower(t.value)), true
	case "requester", "assignee", "submitter":
		return c.called(t, users, id(r, name+"_id")), true
	case "commenter":
		return c.commented(t, r), true
	case "group":
		return c.called(t, groups, id(r, "group_id")), true
	case "brand":
		return c.called(t, brands, id(r, "brand_id")), true
	case "form":
		return c.called(t, ticketForms, id(r, "ticket_form_id")), true
	case "cc":
		for _, n := range ids(r["collaborator_ids"]) {
			if c.called(t, users, n) {
				return true, true
			}
		}
		return t.value == "none" && len(ids(r["collaborator_ids"])) == 0, true
	case "via":
		return t.is(cast.Text(cast.Object(r["via"])["channel"])), true
	case "due_date":
		return t.when(cast.Text(r["due_at"]), c.Now), true
	case "solved":
		return slices.Contains([]string{"solved", "closed"}, cast.Text(r["status"])) && t.when(cast.Text(r["updated_at"]), c.Now), true
	case "problem":
		return cast.Plain(r["problem_id"]) == t.value, true
	case "has_attachment":
		return c.attached(r) == (t.value == "true"), true
	case "fieldvalue":
		for _, v := range fieldsByID(r["custom_fields"]) {
			if t.is(cast.Plain(v)) {
				return true, true
			}
		}
		return false, true
	}
	if n, ok := whole(strings.TrimPrefix(name, "custom_field_")); ok && strings.HasPrefix(name, "custom_field_") {
		return t.is(cast.Plain(fieldsByID(r["custom_fields"])[n])), true
	}
	return false, false
}

func (c *call) userTerm(t term, name string, r map[string]any) (is, known bool) {
	switch name {
	case "role":
		return t.is(cast.Text(r["role"])), true
	case "email":
		return t.is(cast.Text(r["email"])) || strings.Contains(cast.Text(r["email"]), "@"+strings.ToLower(t.value)), true
	case "name":
		return t.says(cast.Text(r["name"])), true
	case "phone", "notes", "details":
		return t.says(cast.Text(r[name])), true
	case "is_suspended":
		return (r["suspended"] == true) == (t.value == "true"), true
	case "is_verified":
		return (r["verified"] == true) == (t.value == "true"), true
	case "group":
		return c.called(t, groups, id(r, "default_group_id")), true
	}
	return false, false
}

// called tells whether a term means the record of that id: by its id, its name,
// its address, or as the one who asks.
func (c *call) called(t term, collection string, n int64) bool {
	if t.value == "none" || n == 0 {
		return t.value == "none" && n == 0
	}
	if t.value == key(n) || t.value == "me" && n == c.callerID() {
		return true
	}
	r, ok := c.find(collection, n)
	if !ok {
		return false
	}
	return t.is(cast.Text(r.Value()["email"])) || t.says(cast.Text(r.Value()["name"]))
}

func (c *call) commented(t term, r map[string]any) bool {
	for one := range c.Tx.Find(full(comments), "ticket_id", key(id(r, "id")), 0) {
		if c.called(t, users, id(one.Value(), "author_id")) {
			return true
		}
	}
	return false
}

func (c *call) attached(r map[string]any) bool {
	for one := range c.Tx.Find(full(comments), "ticket_id", key(id(r, "id")), 0) {
		if files, _ := one.Value()["attachments"].([]any); len(files) > 0 {
			return true
		}
	}
	return false
}
