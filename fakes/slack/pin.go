package slack

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func (c *call) pinCount(channel string) int64 {
	n := int64(0)
	for range c.fake.Find(c.Tx, pins, "channel", channel) {
		n++
	}
	return n
}

func addPin(c *call) (answer, *refusal) {
	if !c.given("channel") {
		return answer{}, refuse(channelNotFound)
	}
	channel, record, refused := c.item()
	if refused != nil {
		return answer{}, refused
	}
	if c.Identity != fakes.Fixture && !c.isMember(channel.ID, c.who.user) {
		return answer{}, refuse(notInChannel)
	}
	if _, pinned := c.get(pins, record.ID); pinned {
		return answer{}, refuse("already_pinned")
	}
	if subtype := kit.Text(record.Value(), "message.subtype"); strings.HasPrefix(subtype, "channel_") {
		return answer{}, refuse("not_pinnable")
	}
	c.create(pins, record.ID, map[string]any{"id": record.ID, "channel": channel.ID, "ts": tsOf(record), "created": c.now(), "created_by": c.who.user})
	message := maps.Clone(cast.Object(record.Value()["message"]))
	message["pinned_to"] = []any{channel.ID}
	c.revalue(record, message)
	c.emitIn(channel, "pin_added", c.pinEvent(channel.ID, message))
	return done()
}

func (c *call) pinEvent(channel string, message map[string]any) map[string]any {
	return map[string]any{
		"user": c.who.user, "channel_id": channel, "event_ts": stamp(c.Now.UnixMicro()),
		"item": map[string]any{"type": "message", "channel": channel, "message": message, "created": c.now(), "created_by": c.who.user},
	}
}

func removePin(c *call) (answer, *refusal) {
	if !c.given("channel") {
		return answer{}, refuse(channelNotFound)
	}
	channel, record, refused := c.item()
	if refused != nil {
		return answer{}, refused
	}
	if _, pinned := c.get(pins, record.ID); !pinned {
		return answer{}, refuse("not_pinned")
	}
	c.remove(pins, record.ID)
	message := maps.Clone(cast.Object(record.Value()["message"]))
	delete(message, "pinned_to")
	c.revalue(record, message)
	c.emitIn(channel, "pin_removed", c.pinEvent(channel.ID, message))
	return done()
}

// listPins lists what is pinned, newest pin first.
func listPins(c *call, channel *world.Record) (answer, *refusal) {
	list := []any{}
	for pin := range c.fake.Find(c.Tx, pins, "channel", channel.ID) {
		record, ok := c.get(messages, pin.ID)
		if !ok {
			continue
		}
		message := maps.Clone(cast.Object(record.Value()["message"]))
		message["permalink"], message["pinned_to"] = c.permalink(record), []any{channel.ID}
		list = append(list, map[string]any{
			"type": "message", "channel": channel.ID, "created": pin.Value()["created"], "created_by": pin.Value()["created_by"], "message": message,
		})
	}
	return said(map[string]any{"items": list})
}

// addBookmark adds a link to the head of a channel.
func addBookmark(c *call, channel *world.Record) (answer, *refusal) {
	switch {
	case c.text("type") != "link":
		return answer{}, refuse("invalid_bookmark_type")
	case !strings.Contains(c.text("link"), "://"):
		return answer{}, refuse("invalid_link")
	}
	rank := 0
	for range c.fake.Find(c.Tx, bookmarks, "channel_id", channel.ID) {
		rank++
	}
	if rank >= 100 { // docs.slack.dev/reference/methods/bookmarks.add, too_many_bookmarks
		return answer{}, refuse("too_many_bookmarks")
	}
	id := "Bk" + strings.ToUpper(c.NewID("", 9))
	value := map[string]any{
		"id": id, "channel_id": channel.ID, "title": c.text("title"), "link": c.text("link"), "emoji": c.text("emoji"), "icon_url": nil,
		"type": "link", "entity_id": nil, "date_created": c.now(), "date_updated": int64(0), "rank": strconv.FormatInt(int64(rank), 36),
		"last_updated_by_user_id": c.who.user, "last_updated_by_team_id": c.teamID(), "shortcut_id": nil, "app_id": nil, "app_action_id": nil,
		"image_url": nil, "parent_id": nil,
	}
	return said(map[string]any{"bookmark": c.create(bookmarks, id, value).Value()})
}

func editBookmark(c *call, channel *world.Record) (answer, *refusal) {
	record, ok := c.get(bookmarks, c.text("bookmark_id"))
	if !ok || record.Value()["channel_id"] != channel.ID {
		return answer{}, refuse("not_found")
	}
	value := maps.Clone(record.Value())
	for _, field := range []string{"title", "link", "emoji"} {
		if _, sent := c.args[field]; sent {
			value[field] = c.text(field)
		}
	}
	value["date_updated"], value["last_updated_by_user_id"] = c.now(), c.who.user
	return said(map[string]any{"bookmark": c.update(bookmarks, record.ID, value).Value()})
}

func listBookmarks(c *call, channel *world.Record) (answer, *refusal) {
	list := []any{}
	for record := range c.fake.Find(c.Tx, bookmarks, "channel_id", channel.ID) {
		list = append(list, record.Value())
	}
	slices.Reverse(list)
	return said(map[string]any{"bookmarks": list})
}

func removeBookmark(c *call, channel *world.Record) (answer, *refusal) {
	record, ok := c.get(bookmarks, c.text("bookmark_id"))
	if !ok || record.Value()["channel_id"] != channel.ID {
		return answer{}, refuse("not_found")
	}
	c.remove(bookmarks, record.ID)
	return done()
}
