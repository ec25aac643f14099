package slack

import (
	"maps"
	"slices"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
)

func topic(value, creator string, set int64) map[string]any {
	return map[string]any{"value": value, "creator": creator, "last_set": set}
}

// channelRecord is a new channel as the world keeps it.
func channelRecord(team, id, name, creator string, created int64, private bool) map[string]any {
	return map[string]any{
		"id": id, "name": name, "is_channel": true, "is_group": false, "is_im": false, "is_mpim": false, "is_private": private,
		"created": created, "is_archived": false, "is_general": false, "unlinked": int64(0), "name_normalized": name,
		"is_shared": false, "is_org_shared": false, "is_pending_ext_shared": false, "pending_shared": []any{},
		"context_team_id": team, "updated": created * 1000, "parent_conversation": nil, "creator": creator, "is_ext_shared": false,
		"shared_team_ids": []any{team}, "pending_connected_team_ids": []any{},
		"topic": topic("", "", 0), "purpose": topic("", "", 0), "properties": map[string]any{}, "previous_names": []any{},
	}
}

// The kinds of channels, as scopes call them.
func familyOf(channel map[string]any) string {
	switch {
	case channel["is_im"] == true:
		return "im"
	case channel["is_mpim"] == true:
		return "mpim"
	case channel["is_private"] == true, channel["is_private"] == nil && channel["is_group"] == true:
		return "groups"
	}
	return "channels"
}

func isPublic(channel *world.Record) bool { return familyOf(channel.Value()) == "channels" }

func isDirect(channel *world.Record) bool {
	return channel.Value()["is_im"] == true || channel.Value()["is_mpim"] == true
}

// member gives the record of a user's membership.
func (c *call) member(channel, user string) (*world.Record, bool) {
	return c.get(members, channel+"/"+user)
}

func (c *call) isMember(channel, user string) bool {
	_, ok := c.member(channel, user)
	return ok
}

// sees tells whether the caller may know of a channel: of a public one, and of
// one it is in.
func (c *call) sees(channel *world.Record) bool {
	return isPublic(channel) || c.Identity == "fixture" || c.isMember(channel.ID, c.who.user)
}

// channel finds the channel that an argument names. One that the caller may not
// know of is not there.
func (c *call) channel(argument string) (*world.Record, *refusal) {
	channel, ok := c.get(channels, c.text(argument))
	if !ok || !c.sees(channel) {
		return nil, refuse(channelNotFound)
	}
	return channel, nil
}

// joined is channel for what only members may do.
func (c *call) joined(argument string) (*world.Record, *refusal) {
	channel, refused := c.channel(argument)
	switch {
	case refused != nil:
		return nil, refused
	case c.Identity != "fixture" && !c.isMember(channel.ID, c.who.user):
		return nil, refuse(notInChannel)
	}
	return channel, nil
}

// onChannel answers a call about the channel that an argument names.
func onChannel(argument string, act func(*call, *world.Record) (answer, *refusal)) handler {
	return kit.With(func(c *call) (*world.Record, *refusal) { return c.channel(argument) }, act)
}

// amongMembers is onChannel for what only members may do.
func amongMembers(argument string, act func(*call, *world.Record) (answer, *refusal)) handler {
	return kit.With(func(c *call) (*world.Record, *refusal) { return c.joined(argument) }, act)
}

// seen is a channel as the caller sees it.
func (c *call) seen(channel *world.Record) map[string]any {
	value := maps.Clone(channel.Value())
	delete(value, "parties")
	if value["is_im"] == true {
		value["user"] = c.otherEnd(channel)
		return value
	}
	if value["is_mpim"] != true || value["is_member"] == nil {
		value["is_member"] = c.isMember(channel.ID, c.who.user)
	}
	return value
}

// otherEnd is with whom the caller talks in a direct message.
func (c *call) otherEnd(channel *world.Record) string {
	if user := kit.Text(channel.Value(), "user"); user != "" {
		return user // taken over from the real service
	}
	parties := strings.Split(kit.Text(channel.Value(), "parties"), ",")
	for _, user := range parties {
		if user != c.who.user {
			return user
		}
	}
	return c.who.user // a note to oneself
}

// counted is seen with the number of members, as lists show it.
func (c *call) counted(channel *world.Record) map[string]any {
	value := c.seen(channel)
	if value["is_im"] == true {
		return value
	}
	count := int64(0)
	for range c.fake.Find(c.Tx, members, "channel", channel.ID) {
		count++
	}
	if given, ok := channel.Value()["num_members"].(int64); ok {
		count = max(count, given) // a list that was taken over names none of them
	}
	value["num_members"] = count
	return value
}

// neverRead is the mark of who has read nothing.
const neverRead = "0000000000.000000"

// read is seen with what was read, as conversations.info and answers to writes
// show it.
func (c *call) read(channel *world.Record) map[string]any {
	value := c.seen(channel)
	delete(value, "num_members")
	mark, in := c.member(channel.ID, c.who.user)
	if !in {
		value["last_read"] = neverRead
		return value
	}
	last := kit.Text(mark.Value(), "last_read")
	if last == "" {
		if last = kit.Text(channel.Value(), "last_read"); last == "" {
			last = neverRead
		}
	}
	value["last_read"] = last
	if isDirect(channel) {
		value["is_open"] = mark.Value()["closed"] != true && channel.Value()["is_open"] != false
		value["latest"], value["unread_count"] = c.latest(channel.ID), c.unread(channel.ID, last)
		value["unread_count_display"] = value["unread_count"]
	}
	return value
}

// latest is the newest message of a channel; null where there is none.
func (c *call) latest(channel string) any {
	for record := range c.fake.Find(c.Tx, messages, "timeline", channel) {
		return record.Value()["message"]
	}
	return nil
}

func (c *call) unread(channel, since string) int64 {
	count := int64(0)
	for record := range c.fake.Find(c.Tx, messages, "timeline", channel) {
		if kit.Text(record.Value(), "ts") <= since {
			break
		}
		if kit.Text(record.Value(), "message.user") != c.who.user {
			count++
		}
	}
	return count
}

func channelInfo(c *call) (answer, *refusal) {
	channel, refused := c.channel("channel")
	if refused == nil {
		refused = c.scopeFor(familyOf(channel.Value()), "read")
	}
	if refused != nil {
		return answer{}, refused
	}
	value := c.read(channel)
	if c.flag("include_num_members", false) {
		value["num_members"] = c.counted(channel)["num_members"]
	}
	if c.flag("include_locale", false) {
		value["locale"] = "en-US"
	}
	return said(map[string]any{"channel": value})
}

// kindsAsked reads the argument types, and wants the scope for each.
func (c *call) kindsAsked() ([]string, *refusal) {
	asked := c.names("types")
	if len(asked) == 0 {
		asked = []string{"public_channel"}
	}
	var families []string
	for _, kind := range asked {
		family := map[string]string{"public_channel": "channels", "private_channel": "groups", "mpim": "mpim", "im": "im"}[kind]
		if family == "" {
			return nil, refuse("invalid_types")
		}
		if refused := c.scopeFor(family, "read"); refused != nil {
			return nil, refused
		}
		families = append(families, family)
	}
	return families, nil
}

func listChannels(c *call, families []string) (answer, *refusal) {
	direct := !c.given("types") && c.app()["classic"] == true // as old apps got them without asking
	asked := func(r *world.Record) bool { return direct || slices.Contains(families, familyOf(r.Value())) }
	page, refused := c.page(c.conversations(asked, c.sees))
	if refused != nil {
		return answer{}, refused
	}
	list := make([]any, len(page.records))
	for i, record := range page.records {
		list[i] = c.counted(record)
	}
	return said(map[string]any{"channels": list, "response_metadata": page.metadata()})
}

// conversations are pages of those that the caller may know of, whose filters
// are the arguments types and exclude_archived. Where no types are asked for the
// pages are of public channels from the start.
func (c *call) conversations(asked, known func(*world.Record) bool) paging {
	p := paging{collection: channels, cursor: "team:", most: 1000, absent: 100, among: known}
	if !c.given("types") {
		p.among = func(r *world.Record) bool { return asked(r) && known(r) }
	}
	withArchived := !c.flag("exclude_archived", false)
	p.keep = func(r *world.Record) bool { return asked(r) && (withArchived || r.Value()["is_archived"] != true) }
	return p
}

// userChannels lists the channels that a user is in, as far as the caller may
// know of them.
func userChannels(c *call, families []string) (answer, *refusal) {
	user := c.text("user")
	if user == "" {
		user = c.who.user
	} else if _, ok := c.get(users, user); !ok {
		return answer{}, refuse(userNotFound)
	}
	asked := func(r *world.Record) bool { return slices.Contains(families, familyOf(r.Value())) }
	page, refused := c.page(c.conversations(asked, func(r *world.Record) bool { return c.sees(r) && c.isMember(r.ID, user) }))
	if refused != nil {
		return answer{}, refused
	}
	list := make([]any, len(page.records))
	for i, record := range page.records {
		value := c.seen(record)
		delete(value, "is_member")
		delete(value, "num_members")
		list[i] = value
	}
	return said(map[string]any{"channels": list, "response_metadata": page.metadata()})
}
