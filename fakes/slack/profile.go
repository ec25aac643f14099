package slack

import (
	"maps"
	"strings"
	"unicode/utf8"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func getProfile(c *call) (answer, *refusal) {
	id := c.text("user")
	if id == "" {
		id = c.who.user
	}
	user, ok := c.get(users, id)
	if !ok {
		return answer{}, refuse(userNotFound)
	}
	return said(map[string]any{"profile": c.shown(user)["profile"]})
}

// setProfile changes one field, or several. Custom fields are kept as given.
func setProfile(c *call, changes map[string]any) (answer, *refusal) {
	user, refused := c.profileOwner()
	if refused != nil {
		return answer{}, refused
	}
	value := maps.Clone(c.shown(user))
	profile := maps.Clone(cast.Object(value["profile"]))
	maps.Copy(profile, changes)
	for _, field := range []string{"real_name", "display_name"} {
		if changes[field] != nil {
			profile[field+"_normalized"] = profile[field]
		}
	}
	if changes["first_name"] != nil || changes["last_name"] != nil {
		real := strings.TrimSpace(kit.Text(profile, "first_name") + " " + kit.Text(profile, "last_name"))
		profile["real_name"], profile["real_name_normalized"] = real, real
	}
	value["profile"], value["real_name"], value["updated"] = profile, profile["real_name"], c.now()
	c.update(users, user.ID, value)
	c.emit("user_change", map[string]any{"user": value, "cache_ts": c.now()})
	return said(map[string]any{"username": value["name"], "profile": profile})
}

// profileOwner is whose profile is meant: another's, for owners and admins.
func (c *call) profileOwner() (*world.Record, *refusal) {
	id := c.text("user")
	if id == "" {
		id = c.who.user
	}
	user, ok := c.get(users, id)
	if !ok {
		return nil, refuse(userNotFound)
	}
	if id != c.who.user {
		if me, known := c.get(users, c.who.user); !known || me.Value()["is_admin"] != true {
			return nil, refuse("not_admin")
		}
		if user.Value()["is_admin"] == true {
			return nil, refuse("cannot_update_admin_user")
		}
	}
	return user, nil
}

func (c *call) profileChanges() (map[string]any, *refusal) {
	if field := c.text("name"); field != "" && !c.given("profile") {
		return map[string]any{field: c.text("value")}, nil
	}
	given, ok := c.json("profile")
	changes, isObject := given.(map[string]any)
	if !ok || !isObject {
		return nil, refuse("invalid_profile")
	}
	changes = maps.Clone(changes)
	for field, value := range changes {
		switch field {
		case "status_expiration":
			n, whole := value.(int64)
			if !whole || n < 0 {
				return nil, refuse("invalid_profile")
			}
		case "fields":
			if _, isObject := value.(map[string]any); !isObject {
				return nil, refuse("invalid_profile")
			}
		default:
			changes[field] = asText(value)
		}
	}
	if utf8.RuneCountInString(kit.Text(changes, "status_text")) > 100 {
		return nil, refuse("too_long")
	}
	for _, reserved := range []string{"everyone", "channel", "here", "slackbot"} {
		if strings.EqualFold(kit.Text(changes, "display_name"), reserved) {
			return nil, refuse("reserved_name")
		}
	}
	return changes, nil
}
