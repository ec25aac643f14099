package zendesk

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func userHandlers() map[string]handler {
	return map[string]handler{
		"ListUsers":             listUsers,
		"CreateUser":            createUser,
		"ShowUser":              on(users, "user_id", showUser),
		"UpdateUser":            on(users, "user_id", updateUser),
		"DeleteUser":            on(users, "user_id", deleteUser),
		"ShowCurrentUser":       showMe,
		"SearchUsers":           searchUsers,
		"AutocompleteUsers":     searchUsers,
		"CreateOrUpdateUser":    createOrUpdateUser,
		"ShowManyUsers":         func(c *call) (answer, *refusal) { return c.severalUsers() },
		"CountUsers":            countUsers,
		"CreateManyUsers":       createMany(users),
		"UpdateManyUsers":       updateMany(users),
		"DestroyManyUsers":      destroyMany(users),
		"ShowUserRelated":       on(users, "user_id", relatedToUser),
		"ListUserTags":          on(users, "user_id", listUserTags),
		"ListGroupUsers":        listGroupUsers,
		"ListOrganizationUsers": on(organizations, "organization_id", listOrganizationUsers),
		"ListUserGroups":        listUserGroups,
		"ListUserOrganizations": on(users, "user_id", listUserOrganizations),
	}
}

func (c *call) usersOf(some []*world.Record) (answer, *refusal) {
	return c.list(listing{collection: users, some: some, narrowed: true})
}

func active(r *world.Record) bool { return r.Value()["active"] != false }

func listUsers(c *call) (answer, *refusal) {
	if external := c.query("external_id"); external != "" {
		return c.usersOf(c.those(users, "external_id", external, active))
	}
	roles := c.roles()
	return c.usersOf(c.every(users, func(r *world.Record) bool { return active(r) && hasRole(r, roles) }))
}

// roles reads which roles a list is asked for: role=agent, or role[] for several.
func (c *call) roles() []string {
	if many, ok := c.Input.Query["role"].([]any); ok {
		return list(many)
	}
	return slices.DeleteFunc(strings.Split(c.query("role"), ","), func(s string) bool { return s == "" })
}

func hasRole(r *world.Record, roles []string) bool {
	return len(roles) == 0 || slices.Contains(roles, cast.Text(r.Value()["role"]))
}

func (c *call) severalUsers() (answer, *refusal) { return c.several(users, nil) }

func countUsers(c *call) (answer, *refusal) {
	roles := c.roles()
	return c.count(len(c.every(users, func(r *world.Record) bool { return active(r) && hasRole(r, roles) })))
}

func showUser(c *call, r *world.Record) (answer, *refusal) {
	return c.one("user", r)
}

func showMe(c *call) (answer, *refusal) {
	out := c.render(c.caller())
	out["authenticity_token"] = c.NewID("", 64)
	value := map[string]any{"user": out}
	c.sideload(value, "user")
	return answer{value: value}, nil
}

func createUser(c *call) (answer, *refusal) {
	r, refused := c.newUser(c.part("user"))
	if refused != nil {
		return answer{}, refused
	}
	return c.created("user", r)
}

// sameUser finds the user whom a body describes, by external id or by address.
func (c *call) sameUser(said map[string]any) map[string]any {
	if external := cast.Plain(said["external_id"]); external != "" {
		for r := range c.Tx.Find(full(users), "external_id", external, 0) {
			return r.Value()
		}
	}
	return c.byEmail(cast.Text(said["email"]))
}

func createOrUpdateUser(c *call) (answer, *refusal) {
	said := c.part("user")
	found := c.sameUser(said)
	if found == nil {
		return createUser(c)
	}
	r, _ := c.find(users, id(found, "id"))
	changed, refused := c.changeUser(r, said)
	if refused != nil {
		return answer{}, refused
	}
	return c.one("user", changed)
}

func updateUser(c *call, r *world.Record) (answer, *refusal) {
	changed, refused := c.changeUser(r, c.part("user"))
	if refused != nil {
		return answer{}, refused
	}
	return c.one("user", changed)
}

var email = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[^@\s"<>()]+@[^@\s"<>()]+\.[^@\s"<>().]+$`) })

// byEmail finds the user whose address it is.
func (c *call) byEmail(address string) map[string]any {
	address = strings.ToLower(strings.TrimSpace(address))
	if address == "" {
		return nil
	}
	for r := range c.Tx.Find(full(users), "email", address, 0) {
		if active(r) {
			return r.Value()
		}
	}
	for r := range c.Tx.Find(full(identities), "value", address, 0) {
		if user, ok := c.find(users, id(r.Value(), "user_id")); ok && active(user) {
			return user.Value()
		}
	}
	return nil
}

func blankUser(c *call) map[string]any {
	return map[string]any{
		"name": "", "email": nil, "created_at": c.now(), "updated_at": c.now(), "time_zone": "Eastern Time (US & Canada)", "iana_time_zone": "America/New_York",
		"phone": nil, "shared_phone_number": nil, "photo": nil, "locale_id": int64(1), "locale": "en-US", "organization_id": nil, "role": "end-user",
		"verified": false, "external_id": nil, "tags": []any{}, "alias": nil, "active": true, "shared": false, "shared_agent": false, "last_login_at": nil,
		"two_factor_auth_enabled": false, "signature": nil, "details": nil, "notes": nil, "role_type": nil, "custom_role_id": nil, "moderator": false,
		"ticket_restriction": "requested", "only_private_comments": false, "restricted_agent": true, "suspended": false, "chat_only": false,
		"default_group_id": nil, "report_csv": false, "user_fields": map[string]any{}, "permanently_deleted": false,
	}
}

// newUser makes a user of what a client says of one.
func (c *call) newUser(said map[string]any) (*world.Record, *refusal) {
	value := blankUser(c)
	if refused := c.sayUser(value, said, 0); refused != nil {
		return nil, refused
	}
	n := c.fresh(users)
	value["id"], value["url"] = n, c.address(api+users, n)
	c.backdate(value, said)
	r := c.write(users, n, nil, value)
	c.identify(r, cast.Text(value["email"]))
	c.announce("user", "created", r.Value())
	return r, nil
}

// identify gives a user the address as an identity.
func (c *call) identify(r *world.Record, address string) {
	if address == "" {
		return
	}
	c.addIdentity(r, "email", address, r.Value()["verified"] == true, r.Value()["email"] == address)
}

// moveTo makes an address the first of a user, who keeps the others.
func (c *call) moveTo(user *world.Record, address string) {
	for _, one := range c.those(identities, "user_id", user.ID, nil) {
		switch {
		case one.Value()["value"] == address:
			c.primary(user, one)
			return
		case one.Value()["type"] == "email" && one.Value()["primary"] == true:
			c.fake.store.Update(c.Tx, identities, one.ID, with(one.Value(), map[string]any{"primary": false, "updated_at": c.now()}))
		}
	}
	c.identify(user, address)
}

func (c *call) changeUser(r *world.Record, said map[string]any) (*world.Record, *refusal) {
	value := with(r.Value(), map[string]any{"updated_at": c.now()})
	if refused := c.sayUser(value, said, id(value, "id")); refused != nil {
		return nil, refused
	}
	if kit.Same(with(value, map[string]any{"updated_at": r.Value()["updated_at"]}), r.Value()) {
		return r, nil
	}
	changed := c.write(users, id(value, "id"), r, value)
	if address := cast.Text(value["email"]); address != "" && address != cast.Text(r.Value()["email"]) {
		c.moveTo(changed, address)
	}
	if r.Value()["role"] != value["role"] {
		c.announce("user", "role_changed", value)
	}
	return changed, nil
}

// sayUser takes what a client says of a user, and checks it.
func (c *call) sayUser(value, said map[string]any, self int64) *refusal {
	for _, field := range []string{
		"name", "phone", "alias", "details", "notes", "signature", "time_zone", "locale", "verified", "suspended", "moderator", "only_private_comments",
		"organization_id", "default_group_id", "custom_role_id", "ticket_restriction", "external_id", "photo", "shared_phone_number", "locale_id",
	} {
		v, sent := said[field]
		if !sent || v == nil && value[field] != nil && field != "organization_id" && field != "external_id" && field != "phone" && field != "notes" && field != "details" {
			continue
		}
		switch {
		case field == "external_id" && v != nil:
			v = cast.Plain(v)
		case strings.HasSuffix(field, "_id") && v != nil:
			if n, ok := whole(v); ok {
				v = n
			}
		}
		value[field] = v
	}
	if v, sent := said["tags"]; sent {
		value["tags"] = cast.Anys(labels(v))
	}
	if extra, ok := said["user_fields"].(map[string]any); ok {
		value["user_fields"] = with(cast.Object(value["user_fields"]), extra)
	}
	var faults []fault
	faults = append(faults, c.sayRole(value, said)...)
	faults = append(faults, c.sayEmail(value, said, self)...)
	if n := id(value, "custom_role_id"); n != 0 {
		if _, ok := c.find(customRoles, n); !ok && c.Identity != fakes.Fixture {
			faults = append(faults, wrong("custom_role_id"))
		}
	}
	if strings.TrimSpace(cast.Text(value["name"])) == "" {
		faults = append(faults, fault{field: "name", description: "Name: is too short (minimum one character)", code: "BlankValue"})
	}
	if _, ok := c.find(organizations, id(value, "organization_id")); !ok && value["organization_id"] != nil {
		faults = append(faults, wrong("organization_id"))
	}
	if len(faults) > 0 {
		return invalid(faults...)
	}
	return c.fit("user", users, value)
}

func (c *call) sayRole(value, said map[string]any) []fault {
	role, sent := said["role"].(string)
	if !sent || role == "" {
		return nil
	}
	if !slices.Contains([]string{"end-user", "agent", "admin"}, role) {
		return []fault{wrong("role")}
	}
	value["role"] = role
	if role != "end-user" {
		value["restricted_agent"], value["ticket_restriction"] = false, nil
		value["role_type"] = map[string]any{"admin": int64(4), "agent": nil}[role]
		if value["default_group_id"] == nil {
			for group := range c.Tx.Oldest(full(groups), 0) {
				value["default_group_id"] = group.Value()["id"]
				break
			}
		}
	}
	return nil
}

// sayEmail checks that an address is one, and nobody else's. The text is recorded.
func (c *call) sayEmail(value, said map[string]any, self int64) []fault {
	address, sent := said["email"].(string)
	if !sent || address == "" {
		return nil
	}
	address = strings.ToLower(strings.TrimSpace(address))
	if !email().MatchString(address) {
		return []fault{{field: "email", description: "Email:  " + kit.Clip(address) + " is not properly formatted", code: "InvalidFormat"}}
	}
	if other := c.byEmail(address); other != nil && id(other, "id") != self && c.Identity != fakes.Fixture {
		return []fault{{field: "email", description: "Email: " + address + " is already being used by another user", code: "DuplicateValue"}}
	}
	value["email"] = address
	return nil
}

func deleteUser(c *call, r *world.Record) (answer, *refusal) {
	if refused := c.retire(r); refused != nil {
		return answer{}, refused
	}
	after, _ := c.find(users, id(r.Value(), "id"))
	value := map[string]any{"user": c.show(after)}
	return answer{status: http.StatusOK, value: value}, nil
}

// retire deletes a user: the record stays, inactive.
func (c *call) retire(r *world.Record) *refusal {
	if r.Value()["active"] == false {
		return notFound()
	}
	for _, ticket := range c.those(tickets, "requester_id", r.ID, living) {
		if ticket.Value()["status"] != "closed" && ticket.Value()["status"] != "solved" {
			return invalid(fault{field: "base", description: "User: is the requester of " + "tickets that are not closed", code: "TicketsNotClosed"})
		}
	}
	c.write(users, id(r.Value(), "id"), r, with(r.Value(), map[string]any{"active": false, "email": nil, "updated_at": c.now(), "organization_id": nil}))
	for _, one := range c.those(identities, "user_id", r.ID, nil) {
		c.fake.store.Delete(c.Tx, identities, one.ID)
	}
	c.announce("user", "deleted", r.Value())
	return nil
}
