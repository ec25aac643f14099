package slack

import (
	"maps"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// mostInvited is how many users one call may add.
// Source: docs.slack.dev/reference/methods/conversations.invite.
const mostInvited = 1000

// enter makes a user a member, and tells the channel.
func (c *call) enter(channel *world.Record, user, inviter string) {
	id := channel.ID + "/" + user
	c.create(members, id, map[string]any{"id": id, "channel": channel.ID, "user": user})
	if isDirect(channel) {
		return
	}
	extra := map[string]any{}
	event := map[string]any{"user": user, "channel": channel.ID, "channel_type": letterOf(channel), "team": c.teamID()}
	if inviter != "" {
		extra["inviter"], event["inviter"] = inviter, inviter
	}
	c.noteOf(user, channel, "channel_join", "has joined the channel", extra)
	c.emit("member_joined_channel", event)
}

// leave ends a membership, and tells the channel.
func (c *call) leave(channel *world.Record, user string) {
	c.remove(members, channel.ID+"/"+user)
	c.noteOf(user, channel, "channel_leave", "has left the channel", nil)
	c.emit("member_left_channel", map[string]any{"user": user, "channel": channel.ID, "channel_type": letterOf(channel), "team": c.teamID()})
}

// letterOf is the kind of channel as events of members name it.
func letterOf(channel *world.Record) string {
	if familyOf(channel.Value()) == "groups" {
		return "G"
	}
	return "C"
}

func joinChannel(c *call, channel *world.Record) (answer, *refusal) {
	switch {
	case !isPublic(channel):
		return answer{}, refuse(wrongKind)
	case channel.Value()["is_archived"] == true:
		return answer{}, refuse(isArchived)
	}
	if c.isMember(channel.ID, c.who.user) {
		c.warn("already_in_channel")
	} else {
		c.enter(channel, c.who.user, "")
	}
	return said(map[string]any{"channel": c.read(channel)})
}

func leaveChannel(c *call, channel *world.Record) (answer, *refusal) {
	switch {
	case isDirect(channel):
		return answer{}, refuse(wrongKind)
	case channel.Value()["is_archived"] == true:
		return answer{}, refuse(isArchived)
	case channel.Value()["is_general"] == true:
		return answer{}, refuse("cant_leave_general")
	case !c.isMember(channel.ID, c.who.user):
		return said(map[string]any{"not_in_channel": true})
	}
	c.leave(channel, c.who.user)
	return done()
}

// inviteMembers adds all, or none; with force those that can be added.
func inviteMembers(c *call, channel *world.Record) (answer, *refusal) {
	asked := c.names("users")
	switch {
	case len(asked) == 0:
		return answer{}, refuse("no_user")
	case len(asked) > mostInvited:
		return answer{}, refuse("too_many_users")
	}
	var good []string
	var bad []any
	first := ""
	for _, user := range asked {
		code := c.cannotInvite(channel, user, good)
		if code == "" {
			good = append(good, user)
			continue
		}
		if first == "" {
			first = code
		}
		bad = append(bad, map[string]any{"user": user, "ok": false, "error": code})
	}
	if first != "" && (!c.flag("force", false) || len(good) == 0) {
		r := refuse(first)
		if len(asked) > 1 {
			r.errors = bad
		}
		return answer{}, r
	}
	for _, user := range good {
		c.enter(channel, user, c.who.user)
	}
	fields := map[string]any{"channel": c.read(channel)}
	if len(bad) > 0 {
		fields["errors"] = bad
	}
	return said(fields)
}

func (c *call) cannotInvite(channel *world.Record, user string, before []string) string {
	record, ok := c.get(users, user)
	switch {
	case user == c.who.user && c.Identity != fakes.Fixture:
		return "cant_invite_self"
	case !ok || record.Value()["deleted"] == true:
		return userNotFound
	case user == slackbot:
		return "cant_invite"
	case c.isMember(channel.ID, user), slices.Contains(before, user):
		return "already_in_channel"
	}
	return ""
}

func kickMember(c *call, channel *world.Record) (answer, *refusal) {
	user := c.text("user")
	_, known := c.get(users, user)
	switch {
	case !known:
		return answer{}, refuse(userNotFound)
	case user == c.who.user:
		return answer{}, refuse("cant_kick_self")
	case channel.Value()["is_general"] == true:
		return answer{}, refuse("cant_kick_from_general")
	case !c.isMember(channel.ID, user):
		return answer{}, refuse(notInChannel)
	}
	c.leave(channel, user)
	return said(map[string]any{"errors": map[string]any{}})
}

func listMembers(c *call) (answer, *refusal) {
	channel, refused := c.channel("channel")
	if refused == nil {
		refused = c.scopeFor(familyOf(channel.Value()), "read")
	}
	if refused != nil {
		return answer{}, refused
	}
	limit, refused := c.limitOf(100, 1000)
	if refused != nil {
		return answer{}, refused
	}
	var all []string
	for record := range c.fake.Find(c.Tx, members, "channel", channel.ID) {
		all = append(all, kit.Text(record.Value(), "user"))
	}
	slices.Reverse(all)
	if given := cast.Texts(channel.Value()["members"]); len(given) > 0 { // taken over from the real service
		all = given
	}
	start := 0
	if cursor := c.text("cursor"); cursor != "" {
		user, ok := at(cursor, "{user_id: ")
		if start = slices.Index(all, strings.TrimSuffix(user, "}")); !ok || start < 0 {
			return answer{}, refuse(invalidCursor)
		}
	}
	end := min(start+limit, len(all))
	next := ""
	if end < len(all) {
		next = cursorOf("{user_id: " + all[end] + "}")
	}
	return said(map[string]any{"members": cast.Anys(all[start:end]), "response_metadata": map[string]any{"next_cursor": next}})
}

// markRead moves the mark; it may go back.
func markRead(c *call, channel *world.Record) (answer, *refusal) {
	ts := c.text("ts")
	if !isStamp(ts) {
		return answer{}, refuse("invalid_timestamp")
	}
	mark, _ := c.member(channel.ID, c.who.user)
	value := maps.Clone(mark.Value())
	value["last_read"] = ts
	c.update(members, mark.ID, value)
	return done()
}
