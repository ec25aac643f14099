package zendesk

import (
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// membershipHandlers answer for who belongs where.
func membershipHandlers() map[string]handler {
	h := map[string]handler{
		"SetUserOrganizationDefault":      on(users, "user_id", inOrganization(makeDefault(belongings))),
		"UnassignUserOrganization":        on(users, "user_id", inOrganization(endMembership(belongings))),
		"ListOrganizationMembershipsOf":   listThose(organizations, "organization_id", belongings, "organization_id"),
		"ListAssignableGroupMemberships":  listAll(memberships),
		"ListUserGroupMemberships":        listThose(users, "user_id", memberships, "user_id"),
		"ListGroupMembers":                listThose(groups, "group_id", memberships, "group_id"),
		"ListUserOrganizationMemberships": listThose(users, "user_id", belongings, "user_id"),
	}
	for _, one := range []struct{ collection, single, parameter string }{
		{memberships, "GroupMembership", "group_membership_id"}, {belongings, "OrganizationMembership", "organization_membership_id"},
	} {
		h["Create"+one.single+"sMany"] = createMany(one.collection)
		h["Delete"+one.single+"sMany"] = destroyMany(one.collection)
		h["Create"+one.single] = createMembership(one.collection)
		h["CreateUser"+one.single] = createMembership(one.collection)
		h["ShowUser"+one.single] = ofUserOnly(one.collection, one.parameter, func(c *call, r *world.Record) (answer, *refusal) {
			return c.one(c.fake.kinds[one.collection].one, r)
		})
		h["Delete"+one.single] = on(one.collection, one.parameter, endMembership(one.collection))
		h["DeleteUser"+one.single] = ofUserOnly(one.collection, one.parameter, endMembership(one.collection))
		h["Make"+one.single+"Default"] = ofUserOnly(one.collection, one.parameter, makeDefault(one.collection))
	}
	return h
}

// ofUserOnly answers about a membership that is of the user in the path.
func ofUserOnly(collection, parameter string, act func(*call, *world.Record) (answer, *refusal)) handler {
	return on(collection, parameter, func(c *call, r *world.Record) (answer, *refusal) {
		if key(id(r.Value(), "user_id")) != c.Input.Path["user_id"] {
			return answer{}, notFound()
		}
		return act(c, r)
	})
}

// inOrganization answers about the membership of a user in the organization that
// the path names.
func inOrganization(act func(*call, *world.Record) (answer, *refusal)) func(*call, *world.Record) (answer, *refusal) {
	return func(c *call, user *world.Record) (answer, *refusal) {
		n, _ := whole(c.Input.Path["organization_id"])
		for _, r := range c.those(belongings, "user_id", user.ID, nil) {
			if id(r.Value(), "organization_id") == n {
				return act(c, r)
			}
		}
		return answer{}, notFound()
	}
}

func createMembership(collection string) handler {
	return func(c *call) (answer, *refusal) {
		k := c.fake.kinds[collection]
		said := with(c.part(k.one), nil)
		if n, ok := whole(c.Input.Path["user_id"]); ok {
			said["user_id"] = n
		}
		r, refused := c.join(k, said)
		if refused != nil {
			return answer{}, refused
		}
		return c.created(k.one, r)
	}
}

// home names what a membership is in, and how users point to their first one.
func home(collection string) (field, first string) {
	if collection == memberships {
		return "group_id", "default_group_id"
	}
	return "organization_id", "organization_id"
}

// join makes a user a member, once. The first membership is the default one.
func (c *call) join(k kind, said map[string]any) (*world.Record, *refusal) {
	field, first := home(k.collection)
	user, ok := c.find(users, id(said, "user_id"))
	if !ok || !active(user) {
		return nil, invalid(wrong("user_id"))
	}
	have := c.those(k.collection, "user_id", user.ID, nil)
	for _, r := range have {
		if id(r.Value(), field) == id(said, field) {
			return nil, invalid(fault{field: "user_id", description: "User has already been taken", code: "DuplicateValue"})
		}
	}
	said = with(said, map[string]any{"default": len(have) == 0 || flag(said["default"], false)})
	if of, ok := c.find(organizations, id(said, field)); ok && k.collection == belongings {
		said["organization_name"] = of.Value()["name"]
	}
	r, refused := c.createOf(k, said)
	if refused != nil {
		return nil, refused
	}
	if r.Value()["default"] == true {
		c.first(k.collection, r)
	} else if user.Value()[first] == nil {
		c.write(users, id(user.Value(), "id"), user, with(user.Value(), map[string]any{first: r.Value()[field]}))
	}
	return r, nil
}

// first makes a membership the default of its user.
func (c *call) first(collection string, r *world.Record) {
	field, first := home(collection)
	user, ok := c.find(users, id(r.Value(), "user_id"))
	if !ok {
		return
	}
	for _, one := range c.those(collection, "user_id", user.ID, nil) {
		if is := one.ID == r.ID; (one.Value()["default"] == true) != is {
			c.fake.store.Update(c.Tx, collection, one.ID, with(one.Value(), map[string]any{"default": is, "updated_at": c.now()}))
		}
	}
	if id(user.Value(), first) != id(r.Value(), field) {
		c.write(users, id(user.Value(), "id"), user, with(user.Value(), map[string]any{first: r.Value()[field], "updated_at": c.now()}))
	}
}

func makeDefault(collection string) func(*call, *world.Record) (answer, *refusal) {
	return func(c *call, r *world.Record) (answer, *refusal) {
		c.first(collection, r)
		return c.list(listing{collection: collection, some: c.those(collection, "user_id", key(id(r.Value(), "user_id")), nil), narrowed: true})
	}
}

// endMembership takes a user out: where that was the first, the oldest other is.
func endMembership(collection string) func(*call, *world.Record) (answer, *refusal) {
	return func(c *call, r *world.Record) (answer, *refusal) {
		c.leave(collection, r)
		return answer{status: http.StatusNoContent}, nil
	}
}

func (c *call) leave(collection string, r *world.Record) {
	field, first := home(collection)
	c.drop(collection, r)
	user, ok := c.find(users, id(r.Value(), "user_id"))
	if !ok || id(user.Value(), first) != id(r.Value(), field) {
		return
	}
	if left := c.those(collection, "user_id", user.ID, nil); len(left) > 0 {
		c.first(collection, left[0])
		return
	}
	c.write(users, id(user.Value(), "id"), user, with(user.Value(), map[string]any{first: nil, "updated_at": c.now()}))
}

// tagsOf sets, adds or removes the tags of a user or an organization.
func tagsOf(collection, parameter string, into func(had, said []string) []string) handler {
	return on(collection, parameter, func(c *call, r *world.Record) (answer, *refusal) {
		tags := cast.Anys(labels(cast.Anys(into(list(r.Value()["tags"]), labels(c.Input.Body["tags"])))))
		r = c.write(collection, id(r.Value(), "id"), r, with(r.Value(), map[string]any{"tags": tags, "updated_at": c.now()}))
		return answer{value: map[string]any{"tags": r.Value()["tags"]}}, nil
	})
}

func tagHandlers() map[string]handler {
	h := map[string]handler{"ListOrganizationTags": on(organizations, "organization_id", listUserTags), "ListTags": listTags, "CountTags": countTags, "AutocompleteTags": completeTags}
	for _, one := range []struct{ collection, parameter, word string }{{users, "user_id", "User"}, {organizations, "organization_id", "Organization"}} {
		h["Set"+one.word+"Tags"] = tagsOf(one.collection, one.parameter, func(_, said []string) []string { return said })
		h["Put"+one.word+"Tags"] = tagsOf(one.collection, one.parameter, func(had, said []string) []string { return append(had, said...) })
		h["Delete"+one.word+"Tags"] = tagsOf(one.collection, one.parameter, without)
	}
	return h
}
