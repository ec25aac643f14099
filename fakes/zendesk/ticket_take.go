package zendesk

import (
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/specs"
)

// take puts what a client says of a ticket into an edit, and checks it.
func (e *edit) take(said map[string]any) *refusal {
	var faults []fault
	for _, field := range []string{"subject", "type", "priority", "external_id", "recipient"} {
		if v, sent := said[field]; sent {
			if field == "external_id" && v != nil {
				v = cast.Plain(v)
			}
			if field != "subject" {
				v = none(v)
			}
			e.value[field] = v
		}
	}
	if v, sent := said["raw_subject"]; sent && said["subject"] == nil {
		e.value["subject"] = v
	}
	e.value["raw_subject"] = e.value["subject"]
	if v, sent := said["due_at"]; sent {
		e.value["due_at"] = nil
		if at, ok := moment(cast.Plain(v)); ok && e.value["type"] == "task" {
			e.value["due_at"] = stamp(at)
		}
	}
	faults = append(faults, e.assign(said)...)
	faults = append(faults, e.problem(said)...)
	e.tag(said)
	faults = append(faults, e.custom(said)...)
	faults = append(faults, e.copies(said)...)
	asked, f := e.chooseStatus(said)
	if f == nil {
		f = e.status(asked)
	}
	if f != nil {
		faults = append(faults, *f)
	}
	if len(faults) > 0 {
		return invalid(faults...)
	}
	return e.c.fit("ticket", tickets, e.value)
}

// fit refuses a record whose values are of wrong types: those of jobs, and of
// requests, no contract has looked at before.
func (c *call) fit(one, collection string, value map[string]any) *refusal {
	for _, v := range c.Contract.CheckRecord(collection, value) {
		names := specs.PointerNames(v.Pointer)
		switch {
		case len(names) == 0 || v.Rule == specs.RuleRequired: // ids and addresses come later
		case v.Rule == specs.RuleEnum:
			return invalid(wrong(names[0]))
		default:
			return invalidAttribute(kit.Clip(one+"."+strings.Join(names, ".")), must(v.Want), actionOf(c.method(), c.path()))
		}
	}
	return nil
}

// assign gives a ticket to an agent and a group that there are. An agent brings
// a group along.
func (e *edit) assign(said map[string]any) (faults []fault) {
	if email := cast.Text(said["assignee_email"]); email != "" {
		if user := e.c.byEmail(email); user != nil {
			said = with(said, map[string]any{"assignee_id": user["id"]})
		}
	}
	if v, sent := said["group_id"]; sent {
		n, _ := whole(v)
		if _, ok := e.c.find(groups, n); !ok && n != 0 {
			faults = append(faults, wrong("group_id"))
		}
		e.value["group_id"] = none(n)
		if n != 0 && !e.inGroup(id(e.value, "assignee_id"), n) {
			e.value["assignee_id"] = nil
		}
	}
	if v, sent := said["assignee_id"]; sent {
		n, _ := whole(v)
		if n != 0 && !e.agent(n) {
			return append(faults, wrong("assignee_id"))
		}
		e.value["assignee_id"] = none(n)
		if user, ok := e.c.find(users, n); ok && (e.value["group_id"] == nil || !e.inGroup(n, id(e.value, "group_id"))) {
			if home := id(user.Value(), "default_group_id"); home != 0 {
				e.value["group_id"] = home
			}
		}
	}
	for _, ref := range []struct{ field, collection string }{{"organization_id", organizations}, {"brand_id", brands}, {"ticket_form_id", ticketForms}} {
		v, sent := said[ref.field]
		if !sent {
			continue
		}
		n, _ := whole(v)
		if _, ok := e.c.find(ref.collection, n); !ok && n != 0 {
			faults = append(faults, wrong(ref.field))
		}
		e.value[ref.field] = none(n)
	}
	return faults
}

func (e *edit) inGroup(agent, group int64) bool {
	if agent == 0 {
		return true
	}
	belongs := false
	for r := range e.c.Tx.Find(e.c.fake.store.Full(memberships), "user_id", key(agent), 0) {
		if id(r.Value(), "group_id") == group {
			return true
		}
		belongs = true
	}
	return !belongs // of agents whose groups nobody told, all will do
}

// problem links an incident to its problem.
func (e *edit) problem(said map[string]any) []fault {
	v, sent := said["problem_id"]
	if !sent {
		return nil
	}
	n, _ := whole(v)
	if n == 0 {
		e.value["problem_id"] = nil
		return nil
	}
	of, ok := e.c.find(tickets, n)
	if !ok || !living(of) || of.Value()["type"] != "problem" {
		return []fault{{field: "problem", description: "Problem: is not a problem ticket", code: "InvalidValue"}}
	}
	if e.value["type"] == "incident" {
		e.value["problem_id"] = n
		if of.Value()["has_incidents"] != true {
			e.c.write(tickets, n, of, with(of.Value(), map[string]any{"has_incidents": true}))
		}
	}
	return nil
}

// tag sets, adds and removes tags.
func (e *edit) tag(said map[string]any) {
	had := list(e.value["tags"])
	if v, sent := said["tags"]; sent {
		had = labels(v)
	}
	had = append(had, labels(said["additional_tags"])...)
	e.value["tags"] = cast.Anys(labels(cast.Anys(without(had, labels(said["remove_tags"])))))
}

// without gives the first list without what the second has.
func without(had, gone []string) []string {
	return slices.DeleteFunc(slices.Clone(had), func(tag string) bool { return slices.Contains(gone, tag) })
}

// custom sets custom fields. A drop-down's value is a tag of the ticket too.
func (e *edit) custom(said map[string]any) (faults []fault) {
	given := said["custom_fields"]
	if given == nil {
		given = said["fields"]
	}
	values := map[int64]any{}
	switch x := given.(type) {
	case []any:
		values = fieldsByID(x)
	case map[string]any:
		for name, v := range x {
			if n, ok := whole(name); ok {
				values[n] = v
			}
		}
	}
	if len(values) == 0 {
		return nil
	}
	items, _ := e.value["custom_fields"].([]any)
	out, tags, seen := make([]any, 0, len(items)), list(e.value["tags"]), map[int64]bool{}
	for _, one := range items {
		field, _ := one.(map[string]any)
		n := id(field, "id")
		seen[n] = true
		v, sent := values[n]
		if !sent {
			out = append(out, one)
			continue
		}
		var f *fault
		if v, tags, f = e.c.fits(n, v, cast.Plain(field["value"]), tags); f != nil {
			faults = append(faults, *f)
		}
		out = append(out, map[string]any{"id": n, "value": v})
	}
	for _, n := range slices.Sorted(keysOf(values)) {
		if of, known := e.c.find(ticketFields, n); known && !seen[n] && of.Value()["removable"] == true {
			v, with, f := e.c.fits(n, values[n], "", tags)
			if tags = with; f != nil {
				faults = append(faults, *f)
			}
			out = append(out, map[string]any{"id": n, "value": v})
		}
	}
	e.value["custom_fields"], e.value["fields"], e.value["tags"] = out, out, cast.Anys(labels(cast.Anys(tags)))
	return faults
}

// fits holds a value against its custom field, and moves its tag.
func (c *call) fits(n int64, v any, was string, tags []string) (any, []string, *fault) {
	field, ok := c.find(ticketFields, n)
	if !ok {
		return v, tags, nil
	}
	title := cast.Text(field.Value()["title"])
	bad := &fault{field: "base", description: title + ": " + cast.Plain(v) + " is not a valid value", code: "InvalidValue", more: map[string]any{"ticket_field_id": n}}
	switch cast.Text(field.Value()["type"]) {
	case "tagger":
		options, _ := field.Value()["custom_field_options"].([]any)
		known := v == nil || v == "" || len(options) == 0
		for _, one := range options {
			known = known || cast.Object(one)["value"] == v
		}
		if !known {
			return v, tags, bad
		}
		if was != "" {
			tags = without(tags, []string{strings.ToLower(was)})
		}
		if s := cast.Plain(v); s != "" {
			tags = append(tags, s)
		}
		return none(v), tags, nil
	case "checkbox":
		return flag(v, false), tags, nil
	case "integer":
		if _, ok := whole(v); !ok && v != nil && v != "" {
			return v, tags, bad
		}
	case "date":
		if at, ok := moment(cast.Plain(v)); ok {
			return at.Format("2006-01-02"), tags, nil
		} else if v != nil && v != "" {
			return v, tags, bad
		}
	}
	if _, number := v.(int64); number { // fields hold text, as Zendesk's do
		return cast.Plain(v), tags, nil
	}
	return none(v), tags, nil
}

// copies sets who follows a ticket and who gets copies of its mail.
func (e *edit) copies(said map[string]any) (faults []fault) {
	for _, one := range []struct{ ids, people, more string }{
		{"collaborator_ids", "collaborators", "additional_collaborators"}, {"follower_ids", "followers", ""}, {"email_cc_ids", "email_ccs", ""},
	} {
		had := ids(e.value[one.ids])
		if v, sent := said[one.ids]; sent {
			had = ids(v)
		}
		if v, sent := said[one.people]; sent && one.ids == "collaborator_ids" {
			had = e.c.everyone(nil, v)
		} else if sent {
			had = e.c.everyone(had, v)
		}
		had = e.c.everyone(had, said[one.more])
		known := []int64{}
		for _, n := range had {
			if _, ok := e.c.find(users, n); ok && !slices.Contains(known, n) {
				known = append(known, n)
			}
		}
		e.value[one.ids] = cast.Anys(known)
	}
	all := ids(e.value["collaborator_ids"]) // recorded: copies and followers are collaborators
	for _, n := range append(ids(e.value["follower_ids"]), ids(e.value["email_cc_ids"])...) {
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	e.value["collaborator_ids"] = cast.Anys(all)
	return faults
}

// everyone reads people: ids, emails, or what followers and email_ccs hold.
func (c *call) everyone(had []int64, v any) []int64 {
	for _, item := range cast.List(v) {
		var n int64
		gone := false
		switch x := item.(type) {
		case string:
			if user := c.byEmail(x); user != nil {
				n = id(user, "id")
			} else if made, refused := c.newUser(map[string]any{"name": x, "email": x}); refused == nil {
				n = id(made.Value(), "id")
			}
		case map[string]any:
			gone = cast.Text(x["action"]) == "delete"
			if n = id(x, "user_id"); n == 0 {
				email, name := cast.Text(x["user_email"]), cast.Text(x["user_name"])
				if email == "" {
					email, name = cast.Text(x["email"]), cast.Text(x["name"])
				}
				if name == "" {
					name = email
				}
				if found, refused := c.someone(map[string]any{"email": email, "name": name}); refused == nil {
					n = found
				}
			}
		default:
			n, _ = whole(x)
		}
		had = slices.DeleteFunc(had, func(m int64) bool { return m == n })
		if n != 0 && !gone {
			had = append(had, n)
		}
	}
	return had
}
