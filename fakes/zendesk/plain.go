package zendesk

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// plainHandlers answer for records of which there is no more to know than their
// kind.
func plainHandlers() map[string]handler {
	h := map[string]handler{}
	for _, one := range []struct{ collection, single, many, parameter string }{
		{groups, "Group", "Groups", "group_id"},
		{"triggers", "Trigger", "Triggers", "trigger_id"},
		{"automations", "Automation", "Automations", "automation_id"},
		{ticketFields, "Ticketfield", "TicketFields", "ticket_field_id"},
		{ticketForms, "TicketForm", "TicketForms", "ticket_form_id"},
		{"user_fields", "UserField", "UserFields", "user_field_id"},
		{"organization_fields", "OrganizationField", "OrganizationFields", "organization_field_id"},
		{brands, "Brand", "Brands", "brand_id"},
		{views, "View", "Views", "view_id"},
		{macros, "Macro", "Macros", "macro_id"},
		{memberships, "GroupMembership", "GroupMemberships", "group_membership_id"},
		{belongings, "OrganizationMembership", "OrganizationMemberships", "organization_membership_id"},
	} {
		h["List"+one.many] = listAll(one.collection)
		h["Create"+one.single] = createPlain(one.collection)
		h["Show"+one.single] = showPlain(one.collection, one.parameter)
		h["Delete"+one.single] = deletePlain(one.collection, one.parameter)
		if one.collection != memberships && one.collection != belongings {
			h["Update"+one.single] = updatePlain(one.collection, one.parameter)
		}
	}
	h["ListPhoneNumbers"] = listAll(phoneNumbers)
	h["ShowPhoneNumber"] = showPlain(phoneNumbers, "phone_number_id")
	h["UpdatePhoneNumber"] = on(phoneNumbers, "phone_number_id", updatePhoneNumber)
	h["DeletePhoneNumber"] = on(phoneNumbers, "phone_number_id", deletePhoneNumber)
	h["ListActiveTriggers"] = listActive("triggers")
	h["ListActiveAutomations"] = listActive("automations")
	h["ListAssignableGroups"] = listAll(groups)
	h["CountGroups"] = func(c *call) (answer, *refusal) { return c.count(c.Tx.Len(full(groups))) }
	return h
}

func listAll(collection string) handler {
	return func(c *call) (answer, *refusal) {
		if active := c.query("active"); active != "" {
			want := active == "true"
			return c.list(listing{collection: collection, narrowed: true, some: c.every(collection, func(r *world.Record) bool { return r.Value()["active"] == want })})
		}
		return c.list(listing{collection: collection})
	}
}

func listActive(collection string) handler {
	return func(c *call) (answer, *refusal) {
		return c.list(listing{collection: collection, narrowed: true, some: c.every(collection, func(r *world.Record) bool { return r.Value()["active"] == true })})
	}
}

func showPlain(collection, parameter string) handler {
	return on(collection, parameter, func(c *call, r *world.Record) (answer, *refusal) {
		under := c.fake.kinds[collection].one
		if under == "" {
			under = strings.TrimSuffix(collection, "s")
		}
		return c.one(under, r)
	})
}

func createPlain(collection string) handler {
	return func(c *call) (answer, *refusal) {
		k := c.fake.kinds[collection]
		r, refused := c.createOf(k, c.part(k.one))
		if refused != nil {
			return answer{}, refused
		}
		return c.created(k.one, r)
	}
}

// created answers 201, and says where the record is.
func (c *call) created(under string, r *world.Record) (answer, *refusal) {
	shown := c.show(r)
	return answer{status: http.StatusCreated, value: map[string]any{under: shown}, header: kit.Headers("Location", cast.Text(shown["url"]))}, nil
}

func updatePlain(collection, parameter string) handler {
	return func(c *call) (answer, *refusal) {
		k := c.fake.kinds[collection]
		r, refused := c.member(collection, parameter)
		if refused != nil {
			return answer{}, refused
		}
		if r, refused = c.updateOf(k, r, c.part(k.one)); refused != nil {
			return answer{}, refused
		}
		return c.one(k.one, r)
	}
}

func deletePlain(collection, parameter string) handler {
	return on(collection, parameter, func(c *call, r *world.Record) (answer, *refusal) {
		if collection == ticketFields && r.Value()["removable"] == false {
			return answer{}, named(http.StatusUnprocessableEntity, "RecordInvalid", "System fields cannot be deleted")
		}
		c.drop(collection, r)
		c.rulesChanged(collection)
		if collection == groups || collection == organizations {
			c.release(collection, r)
		}
		return answer{status: http.StatusNoContent}, nil
	})
}

// updatePhoneNumber renames a number: its nickname is its name, as recorded.
func updatePhoneNumber(c *call, r *world.Record) (answer, *refusal) {
	if nickname, sent := c.part("phone_number")["nickname"].(string); sent {
		r = c.fake.store.Update(c.Tx, phoneNumbers, r.ID, with(r.Value(), map[string]any{"nickname": nickname, "name": nickname}))
	}
	return c.one("phone_number", r)
}

// deletePhoneNumber answers as Talk does: 200 and a blank page, as recorded.
func deletePhoneNumber(c *call, r *world.Record) (answer, *refusal) {
	c.fake.store.Delete(c.Tx, phoneNumbers, r.ID)
	return answer{kind: "text/html; charset=utf-8", raw: []byte(" ")}, nil
}

// createOf makes a record of a kind of what a client says of it.
func (c *call) createOf(k kind, said map[string]any) (*world.Record, *refusal) {
	value := with(k.blank, map[string]any{"created_at": c.now(), "updated_at": c.now()})
	if refused := c.say(k, value, said, ""); refused != nil {
		return nil, refused
	}
	k.trim(value)
	n := c.fresh(k.collection)
	value["id"], value["url"] = n, c.address(k.path, n)
	if k.collection == recipientAddresses {
		c.checkAddress(value)
	}
	if _, ok := value["html_url"]; ok {
		value["html_url"] = c.peopleFind(k.collection, value)
	}
	r := c.write(k.collection, n, nil, value)
	c.rulesChanged(k.collection)
	c.announce(k.one, "created", r.Value())
	return r, nil
}

// trim takes out of a field what its type does not have: options are of lists to
// choose from, and user and organization fields have a tag only where a box is
// ticked, as recorded.
func (k kind) trim(value map[string]any) {
	if k.collection != ticketFields && k.collection != "user_fields" && k.collection != "organization_fields" {
		return
	}
	switch value["type"] {
	case "tagger", "dropdown", "multiselect":
	default:
		delete(value, "custom_field_options")
	}
	switch value["type"] {
	case "status", "tickettype", "priority":
	default:
		delete(value, "system_field_options")
	}
	if value["type"] != "checkbox" && k.collection != ticketFields {
		delete(value, "tag")
	}
}

// checkAddress says how a new support address is doing: one of the account's own
// works, to any other mail is not yet forwarded nor its domain verified, as recorded.
func (c *call) checkAddress(value map[string]any) {
	if _, host, _ := strings.Cut(c.Base, "://"); strings.HasSuffix(cast.Text(value["email"]), "@"+host) {
		for _, field := range []string{"forwarding_status", "spf_status", "cname_status", "dns_results", "domain_verification_status"} {
			value[field] = "verified"
		}
		return
	}
	value["domain_verification_code"] = strings.ToLower(c.NewID("", 16))
}

func (c *call) updateOf(k kind, r *world.Record, said map[string]any) (*world.Record, *refusal) {
	value := with(r.Value(), map[string]any{"updated_at": c.now()})
	if refused := c.say(k, value, said, r.ID); refused != nil {
		return nil, refused
	}
	k.trim(value)
	if k.collection == topics { // its address tells its name
		value["html_url"] = c.peopleFind(k.collection, value)
	}
	c.rulesChanged(k.collection)
	return c.write(k.collection, id(value, "id"), r, value), nil
}

// say puts what a client says into a record, as far as Zendesk takes it.
func (c *call) say(k kind, value, said map[string]any, self string) *refusal {
	for _, field := range k.takes {
		v, sent := said[field]
		if !sent {
			continue
		}
		switch field {
		case "tags":
			v = cast.Anys(labels(v))
		case "custom_field_options":
			v = c.withIDs(v, k.collection)
		}
		if field == "external_id" && v != nil {
			v = cast.Plain(v)
		}
		if n, ok := whole(v); ok && strings.HasSuffix(field, "_id") && field != "external_id" && field != "category_id" {
			v = n
		}
		value[field] = v
	}
	switch k.collection {
	case views:
		c.sayView(value, said)
	case triggers, automations:
		sayConditions(value, said, "conditions")
	case slaPolicies:
		sayConditions(value, said, "filter")
	case customRoles:
		value["configuration"] = with(cast.Object(value["configuration"]), cast.Object(said["configuration"]))
	case dynamicContent:
		c.sayContent(value, said)
	}
	if c.Identity == "fixture" {
		for _, field := range []string{"created_at", "updated_at"} {
			if at, ok := moment(cast.Text(said[field])); ok {
				value[field] = stamp(at)
			}
		}
	}
	for _, field := range k.raw {
		if raw, ok := said["raw_"+field]; ok && said[field] == nil {
			value[field] = raw
		}
		value["raw_"+field] = value[field]
	}
	return c.sound(k, value, self)
}

// sound checks a record before it is written.
func (c *call) sound(k kind, value map[string]any, self string) *refusal {
	var faults []fault
	if k.names != "" && strings.TrimSpace(cast.Text(value[k.names])) == "" {
		if k.names == "title" {
			faults = append(faults, blank(k.names))
		} else {
			faults = append(faults, fault{field: k.names, description: titleOf(k.names) + ": is too short (minimum one character)", code: "BlankValue"})
		}
	}
	for _, ref := range []struct{ field, collection string }{{"user_id", users}, {"group_id", groups}, {"organization_id", organizations}} {
		if slices.Contains(k.takes, ref.field) && value[ref.field] != nil {
			if _, ok := c.find(ref.collection, id(value, ref.field)); !ok {
				faults = append(faults, wrong(ref.field))
			}
		}
	}
	faults = append(faults, c.checkRule(k, value)...)
	if given := cast.Text(value[k.unique]); len(faults) == 0 && given != "" {
		for r := range c.Tx.Find(full(k.collection), k.unique, given, 0) {
			if r.ID != self {
				faults = append(faults, fault{field: k.unique, description: titleOf(k.unique) + ": has already been taken", code: "DuplicateValue"})
				break
			}
		}
	}
	if len(faults) > 0 {
		return invalid(faults...)
	}
	return c.fit(k.one, k.collection, value)
}

// write writes a record, new where there was none, and tells the search index.
func (c *call) write(collection string, n int64, before *world.Record, value map[string]any) *world.Record {
	if before == nil {
		r := c.fake.store.Create(c.Tx, collection, key(n), value)
		c.note(collection, key(n), nil)
		return r
	}
	r := c.fake.store.Update(c.Tx, collection, key(n), value)
	c.note(collection, key(n), before.Value())
	return r
}

func (c *call) drop(collection string, r *world.Record) {
	c.fake.store.Delete(c.Tx, collection, r.ID)
	c.note(collection, r.ID, r.Value())
}

// note tells the search index of a write to what can be searched.
func (c *call) note(collection, id string, before map[string]any) {
	if c.Identity == "fixture" {
		return
	}
	switch collection {
	case tickets, users, organizations, groups, articles:
		c.fake.index.Note(c.Tx, collection+"/"+id, before, c.Now)
	}
}

// release takes a group or an organization out of what points to it.
func (c *call) release(collection string, gone *world.Record) {
	field, many := "organization_id", belongings
	if collection == groups {
		field, many = "group_id", memberships
	}
	for _, r := range c.those(many, field, gone.ID, nil) {
		c.fake.store.Delete(c.Tx, many, r.ID)
	}
	if collection == organizations {
		for _, r := range c.those(users, field, gone.ID, nil) {
			c.write(users, id(r.Value(), "id"), r, with(r.Value(), map[string]any{field: nil}))
		}
	}
}
