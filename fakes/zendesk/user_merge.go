package zendesk

import (
	"fmt"
	"net/http"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func userWriteHandlers() map[string]handler {
	return map[string]handler{
		"MergeUsers":            on(users, "user_id", mergeUsers),
		"SetUserPassword":       on(users, "user_id", setPassword),
		"ChangeUserPassword":    on(users, "user_id", setPassword),
		"ListDeletedUsers":      listDeletedUsers,
		"CountDeletedUsers":     func(c *call) (answer, *refusal) { return c.count(len(c.every(users, gone))) },
		"ShowDeletedUser":       on(users, "deleted_user_id", showDeletedUser),
		"PermanentlyDeleteUser": on(users, "deleted_user_id", forgetUser),
	}
}

// requestVerification mails the user of an address.
func requestVerification(c *call, r *world.Record) (answer, *refusal) {
	kit.Must(name, kit.Send(c.Tx, fakes.Sent{
		Service: name, Kind: "mail", ID: fmt.Sprintf("verify-%s-%d", r.ID, c.Now.UnixNano()), To: []string{cast.Text(r.Value()["value"])}, At: c.Now,
		Summary: "Please verify your email address", Content: map[string]any{"identity_id": r.Value()["id"], "user_id": r.Value()["user_id"]},
	}))
	return answer{}, nil
}

// mergeUsers moves what belongs to one end user to another, and retires the first.
// Source: developer.zendesk.com/api-reference/ticketing/users/users/#merge-end-users.
func mergeUsers(c *call, loser *world.Record) (answer, *refusal) {
	said := c.part("user")
	n := id(said, "id")
	if other := c.byEmail(cast.Text(said["email"])); n == 0 && other != nil {
		n = id(other, "id")
	}
	winner, ok := c.find(users, n)
	switch {
	case !ok || !active(winner) || !active(loser):
		return answer{}, notFound()
	case winner.ID == loser.ID || winner.Value()["role"] != "end-user" || loser.Value()["role"] != "end-user":
		return answer{}, invalid(fault{field: "base", description: "User: only end users can be merged, and each into another", code: "InvalidValue"})
	}
	for _, ticket := range c.those(tickets, "requester_id", loser.ID, living) {
		if ticket.Value()["status"] != "closed" {
			e := c.edit(ticket)
			e.value["requester_id"] = n
			e.save()
		}
	}
	for _, one := range c.those(identities, "user_id", loser.ID, nil) {
		c.fake.store.Update(c.Tx, identities, one.ID, with(one.Value(), map[string]any{"user_id": n, "primary": false, "updated_at": c.now()}))
		if one.Value()["type"] == "email" {
			c.known(cast.Text(one.Value()["value"]), n)
		}
	}
	c.write(users, id(loser.Value(), "id"), loser, with(loser.Value(), map[string]any{"active": false, "email": nil, "updated_at": c.now()}))
	c.announce("user", "merged", winner.Value())
	changed := c.write(users, n, winner, with(winner.Value(), map[string]any{"updated_at": c.now(), "tags": cast.Anys(labels(cast.Anys(append(list(winner.Value()["tags"]), list(loser.Value()["tags"])...))))}))
	return c.one("user", changed)
}

// setPassword takes a password, and keeps none.
func setPassword(c *call, r *world.Record) (answer, *refusal) {
	switch said := c.Input.Body["password"].(type) {
	case string:
		if said == "" {
			return answer{}, invalid(blank("password"))
		}
	case nil:
		return answer{}, titled(http.StatusBadRequest, "Parameter Missing", "Required parameter missing: password")
	default: // recorded
		return answer{}, titled(http.StatusBadRequest, "Invalid attribute", "You passed an invalid value for the password attribute. must be a string")
	}
	return answer{}, nil
}

func gone(r *world.Record) bool {
	return !active(r) && r.Value()["permanently_deleted"] != true
}

// deletedUser is a user of whom only this is left.
func (c *call) deletedUser(r *world.Record) map[string]any {
	out := map[string]any{}
	for _, field := range []string{"id", "url", "name", "email", "created_at", "updated_at", "time_zone", "phone", "shared_phone_number", "photo", "locale_id", "locale", "organization_id", "role", "active"} {
		out[field] = c.show(r)[field]
	}
	return out
}

func listDeletedUsers(c *call) (answer, *refusal) {
	return c.list(listing{collection: users, under: "deleted_users", some: c.every(users, gone), narrowed: true, show: c.deletedUser})
}

func showDeletedUser(c *call, r *world.Record) (answer, *refusal) {
	if !gone(r) {
		return answer{}, notFound()
	}
	return answer{value: map[string]any{"deleted_user": c.deletedUser(r)}}, nil
}

// forgetUser takes a name off a deleted user, for good.
func forgetUser(c *call, r *world.Record) (answer, *refusal) {
	if !gone(r) {
		return answer{}, notFound()
	}
	shown := with(c.deletedUser(r), map[string]any{"name": "Permanently Deleted User"})
	c.write(users, id(r.Value(), "id"), r, with(r.Value(), map[string]any{"name": "Permanently Deleted User", "permanently_deleted": true, "phone": nil, "external_id": nil, "updated_at": c.now()}))
	return answer{value: map[string]any{"deleted_user": shown}}, nil
}
