package zendesk

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func identityHandlers() map[string]handler {
	return map[string]handler{
		"ListUserIdentities":              listIdentities,
		"CreateUserIdentity":              on(users, "user_id", createIdentity),
		"ShowUserIdentity":                kit.With((*call).identity, showIdentity),
		"UpdateUserIdentity":              kit.With((*call).identity, updateIdentity),
		"DeleteUserIdentity":              kit.With((*call).identity, deleteIdentity),
		"MakeUserIdentityPrimary":         kit.With((*call).identity, makePrimary),
		"VerifyUserIdentity":              kit.With((*call).identity, verifyIdentity),
		"RequestUserIdentityVerification": kit.With((*call).identity, requestVerification),
	}
}

var listIdentities = listThose(users, "user_id", identities, "user_id")

// identityTypes are the kinds of addresses that a user has.
// Source: developer.zendesk.com/api-reference/ticketing/users/user_identities.
var identityTypes = []string{"email", "phone_number", "twitter", "facebook", "google", "agent_forwarding", "any_channel", "foreign", "sdk", "messaging"}

func createIdentity(c *call, r *world.Record) (answer, *refusal) {
	said := c.part("identity")
	kind, address := cast.Text(said["type"]), strings.TrimSpace(cast.Plain(said["value"]))
	if !slices.Contains(identityTypes, kind) {
		return answer{}, invalid(wrong("type"))
	}
	if kind == "email" {
		address = strings.ToLower(address)
	}
	if address == "" || kind == "email" && !email().MatchString(address) {
		return answer{}, invalid(fault{field: "value", description: "Value: is invalid", code: "InvalidFormat"})
	}
	for one := range c.Tx.Find(full(identities), "value", address, 0) {
		if one.Value()["type"] == kind {
			return answer{}, invalid(fault{field: "value", description: "Value: " + kit.Clip(address) + " is already being used by another user", code: "DuplicateValue"})
		}
	}
	first := kind == "email" && r.Value()["email"] == nil
	if first {
		r = c.write(users, id(r.Value(), "id"), r, with(r.Value(), map[string]any{"email": address, "updated_at": c.now()}))
	}
	made := c.addIdentity(r, kind, address, flag(said["verified"], false), first)
	if flag(said["primary"], false) {
		made = c.primary(r, made)
	}
	return c.created("identity", made)
}

// addIdentity gives a user an address of a kind.
func (c *call) addIdentity(user *world.Record, kind, address string, verified, primary bool) *world.Record {
	n := c.fresh(identities)
	value := map[string]any{
		"url": c.Base + api + users + "/" + user.ID + "/identities/" + key(n) + ".json", "id": n, "user_id": user.Value()["id"], "type": kind, "value": address,
		"verified": verified, "primary": primary, "created_at": c.now(), "updated_at": c.now(), "undeliverable_count": int64(0), "deliverable_state": "deliverable",
	}
	if kind == "email" {
		c.known(address, id(user.Value(), "id"))
	}
	return c.fake.store.Create(c.Tx, identities, key(n), value)
}

func (c *call) identity() (*world.Record, *refusal) {
	r, refused := c.member(identities, "identity_id")
	if refused == nil && key(id(r.Value(), "user_id")) != c.Input.Path["user_id"] {
		return nil, notFound()
	}
	return r, refused
}

func showIdentity(c *call, r *world.Record) (answer, *refusal) { return c.one("identity", r) }

// updateIdentity changes an address. One that is verified stays so.
func updateIdentity(c *call, r *world.Record) (answer, *refusal) {
	said, changes := c.part("identity"), map[string]any{"updated_at": c.now()}
	if flag(said["verified"], false) {
		changes["verified"] = true
	}
	if v, sent := said["value"].(string); sent && v != r.Value()["value"] {
		if r.Value()["type"] == "email" {
			v = strings.ToLower(strings.TrimSpace(v))
			if other := c.byEmail(v); !email().MatchString(v) || other != nil {
				return answer{}, invalid(fault{field: "value", description: "Value: is invalid", code: "InvalidFormat"})
			}
		}
		changes["value"] = v
	}
	r = c.fake.store.Update(c.Tx, identities, r.ID, with(r.Value(), changes))
	if r.Value()["primary"] == true && changes["value"] != nil && r.Value()["type"] == "email" {
		if user, ok := c.find(users, id(r.Value(), "user_id")); ok {
			c.write(users, id(user.Value(), "id"), user, with(user.Value(), map[string]any{"email": changes["value"], "updated_at": c.now()}))
		}
	}
	return c.one("identity", r)
}

// deleteIdentity takes an address away, but for the first one.
func deleteIdentity(c *call, r *world.Record) (answer, *refusal) {
	if r.Value()["primary"] == true && len(c.those(identities, "user_id", key(id(r.Value(), "user_id")), nil)) > 1 {
		return answer{}, invalid(fault{field: "base", description: "Identity: the primary identity cannot be deleted", code: "InvalidValue"})
	}
	c.fake.store.Delete(c.Tx, identities, r.ID)
	return answer{status: http.StatusNoContent}, nil
}

// primary makes an address the first of its kind; an email becomes the user's.
func (c *call) primary(user, r *world.Record) *world.Record {
	kind := r.Value()["type"]
	for _, one := range c.those(identities, "user_id", user.ID, nil) {
		if first := one.ID == r.ID; one.Value()["type"] == kind && (one.Value()["primary"] == true) != first {
			one = c.fake.store.Update(c.Tx, identities, one.ID, with(one.Value(), map[string]any{"primary": first, "updated_at": c.now()}))
			if first {
				r = one
			}
		}
	}
	if kind == "email" {
		c.write(users, id(user.Value(), "id"), user, with(user.Value(), map[string]any{"email": r.Value()["value"], "verified": r.Value()["verified"], "updated_at": c.now()}))
	}
	return r
}

func makePrimary(c *call, r *world.Record) (answer, *refusal) {
	user, ok := c.find(users, id(r.Value(), "user_id"))
	if !ok {
		return answer{}, notFound()
	}
	c.primary(user, r)
	return listIdentities(c)
}

func verifyIdentity(c *call, r *world.Record) (answer, *refusal) {
	r = c.fake.store.Update(c.Tx, identities, r.ID, with(r.Value(), map[string]any{"verified": true, "updated_at": c.now()}))
	if user, ok := c.find(users, id(r.Value(), "user_id")); ok && r.Value()["primary"] == true && r.Value()["type"] == "email" {
		c.write(users, id(user.Value(), "id"), user, with(user.Value(), map[string]any{"verified": true, "updated_at": c.now()}))
	}
	return c.one("identity", r)
}
