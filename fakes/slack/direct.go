package slack

import (
	"maps"
	"slices"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// mostParties is how many others one direct message may have.
// Source: docs.slack.dev/reference/methods/conversations.open.
const mostParties = 8

// openDirect finds or makes a direct message: with one user, or with several.
func openDirect(c *call) (answer, *refusal) {
	if c.given("channel") {
		channel, refused := c.channel("channel")
		if refused == nil && !isDirect(channel) {
			refused = refuse(wrongKind)
		}
		if refused != nil {
			return answer{}, refused
		}
		return c.opened(channel, false)
	}
	others := slices.Compact(slices.Sorted(slices.Values(c.names("users"))))
	if len(others) == 0 {
		return answer{}, refuse("users_list_not_supplied")
	}
	if len(others) > 1 {
		others = slices.DeleteFunc(others, func(user string) bool { return user == c.who.user })
	}
	for _, user := range others {
		record, ok := c.get(users, user)
		switch {
		case !ok:
			return answer{}, refuse(userNotFound)
		case record.Value()["deleted"] == true:
			return answer{}, refuse("user_disabled")
		case record.Value()["is_bot"] == true && c.who.kind == botToken && user != c.who.user:
			return answer{}, refuse("cannot_dm_bot")
		}
	}
	switch {
	case len(others) > mostParties:
		return answer{}, refuse("too_many_users")
	case len(others) == 0:
		return answer{}, refuse("not_enough_users")
	}
	family := "im"
	if len(others) > 1 {
		family = "mpim"
	}
	if refused := c.scopeFor(family, "write"); refused != nil {
		return answer{}, refused
	}
	channel, made := c.direct(others)
	if channel == nil { // prevent_creation
		return answer{}, refuse(channelNotFound)
	}
	return c.opened(channel, made)
}

func (c *call) opened(channel *world.Record, made bool) (answer, *refusal) {
	mark, in := c.member(channel.ID, c.who.user)
	open := in && mark.Value()["closed"] != true
	if in && !open {
		value := maps.Clone(mark.Value())
		delete(value, "closed")
		c.update(members, mark.ID, value)
	}
	shown := map[string]any{"id": channel.ID}
	if c.flag("return_im", false) || channel.Value()["is_mpim"] == true {
		shown = c.read(channel)
	}
	fields := map[string]any{"channel": shown}
	if open && !made {
		fields["no_op"], fields["already_open"] = true, true
	}
	return said(fields)
}

// direct finds the direct message of the caller with others, or makes it.
func (c *call) direct(others []string) (channel *world.Record, made bool) {
	parties := append([]string{c.who.user}, others...)
	slices.Sort(parties)
	parties = slices.Compact(parties)
	key := strings.Join(parties, ",")
	for record := range c.fake.Find(c.Tx, channels, "parties", key) {
		return record, false
	}
	if c.flag("prevent_creation", false) {
		return nil, false
	}
	value := c.directRecord(parties, others, key)
	channel = c.create(channels, asText(value["id"]), value)
	for _, user := range parties {
		id := channel.ID + "/" + user
		c.create(members, id, map[string]any{"id": id, "channel": channel.ID, "user": user})
	}
	return channel, true
}

func (c *call) directRecord(parties, others []string, key string) map[string]any {
	if len(others) == 1 {
		return map[string]any{
			"id": strings.ToUpper(c.NewID("D", 10)), "created": c.now(), "is_archived": false, "is_im": true, "is_org_shared": false,
			"context_team_id": c.teamID(), "updated": c.Now.UnixMilli(), "is_user_deleted": false, "priority": int64(0),
			"properties": map[string]any{}, "parties": key,
		}
	}
	names := make([]string, len(parties))
	called := make([]string, len(parties))
	for i, user := range parties {
		names[i] = c.nameOf(user)
		called[i] = "@" + names[i]
	}
	value := channelRecord(c.teamID(), strings.ToUpper(c.NewID("C", 10)), "mpdm-"+strings.Join(names, "--")+"-1", c.who.user, c.now(), true)
	value["is_channel"], value["is_group"], value["is_mpim"], value["parties"] = false, true, true, key
	value["purpose"] = topic("Group messaging with: "+strings.Join(called, " "), c.who.user, c.now())
	return value
}

func closeDirect(c *call, channel *world.Record) (answer, *refusal) {
	switch {
	case !isDirect(channel):
		return answer{}, refuse(wrongKind)
	}
	mark, in := c.member(channel.ID, c.who.user)
	if !in || mark.Value()["closed"] == true {
		return said(map[string]any{"no_op": true, "already_closed": true})
	}
	value := maps.Clone(mark.Value())
	value["closed"] = true
	c.update(members, mark.ID, value)
	return done()
}

// addressed is the channel that a message is for: by its id, by its name, or the
// direct message with a user.
// Source: docs.slack.dev/reference/methods/chat.postMessage, "channels".
func (c *call) addressed(target string) (*world.Record, *refusal) {
	if channel, ok := c.get(channels, target); ok && c.sees(channel) {
		return channel, nil
	}
	if user, ok := c.get(users, target); ok {
		switch {
		case user.Value()["deleted"] == true:
			return nil, refuse("user_disabled")
		case user.Value()["is_bot"] == true && c.who.kind == botToken:
			return nil, refuse("cannot_dm_bot")
		}
		channel, _ := c.direct([]string{target})
		return channel, nil
	}
	for channel := range c.fake.Find(c.Tx, channels, "name", strings.TrimPrefix(target, "#")) {
		if kit.Text(channel.Value(), "name") != "" && c.sees(channel) {
			return channel, nil
		}
	}
	return nil, refuse(channelNotFound)
}
