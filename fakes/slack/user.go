package slack

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// person is what a user's record is made of.
type person struct {
	id, name, real, color, email, bot string
	owner, admin                      bool
}

func (p person) record(team string) map[string]any {
	isBot := p.bot != ""
	return map[string]any{
		"id": p.id, "team_id": team, "name": p.name, "deleted": false, "color": p.color, "real_name": p.real,
		"tz": "America/Los_Angeles", "tz_label": "Pacific Standard Time", "tz_offset": int64(-28800), "profile": p.profile(team),
		"is_admin": p.admin || p.owner, "is_owner": p.owner, "is_primary_owner": p.owner, "is_restricted": false,
		"is_ultra_restricted": false, "is_bot": isBot, "is_app_user": false, "updated": founded,
		"is_email_confirmed": !isBot && p.id != slackbot, "who_can_share_contact_card": "EVERYONE",
	}
}

func (p person) profile(team string) map[string]any {
	first, last, _ := strings.Cut(p.real, " ")
	sum := sha256.Sum256([]byte(p.id))
	hash := hex.EncodeToString(sum[:6])
	profile := map[string]any{
		"title": "", "phone": "", "skype": "", "real_name": p.real, "real_name_normalized": p.real,
		"display_name": p.name, "display_name_normalized": p.name, "fields": nil, "status_text": "", "status_emoji": "",
		"status_emoji_display_info": []any{}, "status_expiration": int64(0), "avatar_hash": "g" + hash[1:], "first_name": first,
		"last_name": last, "status_text_canonical": "", "team": team,
	}
	for _, size := range []string{"24", "32", "48", "72", "192", "512"} {
		profile["image_"+size] = "https://secure.gravatar.com/avatar/" + hash + ".jpg?s=" + size
	}
	switch {
	case p.bot != "":
		profile["api_app_id"], profile["bot_id"], profile["always_active"] = firstApp, p.bot, true
		profile["display_name"], profile["display_name_normalized"] = "", ""
	case p.id == slackbot:
		profile["always_active"] = true
	case p.email == "":
		profile["email"] = p.name + "@parity.example"
	default:
		profile["email"] = p.email
	}
	return profile
}

// shown is a user as methods show it: one that a fixture tells in a few words
// is filled up; what was taken over from the real service stays as it is.
func (c *call) shown(record *world.Record) map[string]any {
	value := record.Value()
	if value["profile"] == nil || kit.Text(value, "profile.team") == "" {
		p := person{
			id: record.ID, name: kit.Text(value, "name"), real: kit.Text(value, "real_name"), color: "9f69e7",
			email: kit.Text(value, "profile.email"),
		}
		if p.real == "" {
			p.real = p.name
		}
		if value["is_bot"] == true {
			p.bot = c.botOf(record.ID)
		}
		full := p.record(c.teamID())
		profile, _ := full["profile"].(map[string]any)
		given, _ := value["profile"].(map[string]any)
		if value["profile"] != nil && given["email"] == nil {
			delete(profile, "email") // somebody left it out
		}
		maps.Copy(profile, given)
		maps.Copy(full, value)
		full["profile"] = profile
		value = full
	}
	if c.token.Scopes != nil && !c.token.Has("users:read.email") && kit.Text(value, "profile.email") != "" {
		value = maps.Clone(value)
		profile, _ := value["profile"].(map[string]any)
		profile = maps.Clone(profile)
		delete(profile, "email")
		value["profile"] = profile
	}
	if c.flag("include_locale", false) && value["locale"] == nil {
		value = maps.Clone(value)
		value["locale"] = "en-US"
	}
	return value
}

func listUsers(c *call) (answer, *refusal) {
	page, refused := c.page(paging{collection: users, cursor: "user:", most: 1000, absent: 1000})
	if refused != nil {
		return answer{}, refused
	}
	list := make([]any, len(page.records))
	for i, record := range page.records {
		list[i] = c.shown(record)
	}
	fields := map[string]any{"members": list, "cache_ts": c.now(), "response_metadata": page.metadata()}
	if page.next != "" {
		fields["offset"] = page.next
	}
	return said(fields)
}

func userInfo(c *call) (answer, *refusal) {
	user, ok := c.get(users, c.text("user"))
	if !ok {
		return answer{}, refuse(userNotFound)
	}
	return said(map[string]any{"user": c.shown(user)})
}

func lookupByEmail(c *call) (answer, *refusal) {
	wanted := strings.TrimSpace(c.text("email"))
	if wanted == "" {
		return answer{}, refuse("users_not_found")
	}
	for record := range c.fake.Find(c.Tx, users, "profile.email", strings.ToLower(wanted)) { // as nearly all are written
		if record.Value()["deleted"] != true && kit.Text(c.shown(record), "profile.email") != "" {
			return said(map[string]any{"user": c.shown(record)})
		}
	}
	for record := range c.Tx.Oldest(c.fake.Full(users), 0) {
		if record.Value()["deleted"] != true && strings.EqualFold(kit.Text(c.shown(record), "profile.email"), wanted) {
			return said(map[string]any{"user": c.shown(record)})
		}
	}
	return answer{}, refuse("users_not_found")
}

func botInfo(c *call) (answer, *refusal) {
	id := c.text("bot")
	if id == "" {
		return done()
	}
	bot, ok := c.get(bots, id)
	if !ok {
		return answer{}, refuse("bot_not_found")
	}
	return said(map[string]any{"bot": bot.Value()})
}

func userIdentity(c *call) (answer, *refusal) {
	user, ok := c.get(users, c.who.user)
	if !ok {
		return answer{}, refuse(userNotFound)
	}
	value := c.shown(user)
	return said(map[string]any{
		"user": map[string]any{"id": user.ID, "name": value["real_name"], "email": kit.Text(value, "profile.email")},
		"team": map[string]any{"id": c.teamID()},
	})
}

// getPresence tells of oneself more than of others. Nobody connects to a
// rehearsal: whoever has not said to be away counts as active.
func getPresence(c *call) (answer, *refusal) {
	id := c.text("user")
	if id == "" {
		id = c.who.user
	}
	if _, ok := c.get(users, id); !ok {
		return answer{}, refuse(userNotFound)
	}
	record, away := c.Tx.Get(presenceCollection, id)
	presence := "active"
	if away && record.Value()["presence"] == "away" {
		presence = "away"
	}
	fields := map[string]any{"presence": presence}
	if id == c.who.user {
		fields["online"], fields["auto_away"], fields["manual_away"] = presence == "active", false, presence == "away"
		fields["connection_count"], fields["last_activity"] = int64(0), c.now()
	}
	return said(fields)
}

func setPresence(c *call) (answer, *refusal) {
	presence := c.text("presence")
	if presence != "auto" && presence != "away" {
		return answer{}, refuse("invalid_presence")
	}
	c.put(presenceCollection, c.who.user, map[string]any{"id": c.who.user, "presence": presence})
	return done()
}
