package slack

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Bounds of reactions to one message.
// Source: docs.slack.dev/reference/methods/reactions.add.
const (
	mostEmoji   = 23 // of one user
	mostReacted = 50 // different ones in all
)

var emojiName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9_+'\-]+(::skin-tone-[2-6])?$`) })

// reacting finds the message that is reacted to, and the emoji.
func (c *call) reacting() (channel, message *world.Record, emoji string, refused *refusal) {
	emoji = strings.Trim(c.text("name"), ":")
	if skin := strings.Index(c.text("name"), "::"); skin > 0 {
		emoji = strings.TrimPrefix(c.text("name"), ":")
	}
	channel, message, refused = c.item()
	if refused != nil {
		return nil, nil, "", refused
	}
	if !emojiName().MatchString(emoji) {
		return nil, nil, "", refuse("invalid_name")
	}
	return channel, message, emoji, nil
}

// onReaction answers a call that adds or takes away a reaction.
func onReaction(act func(c *call, channel, message *world.Record, emoji string) (answer, *refusal)) handler {
	return func(c *call) (answer, *refusal) {
		channel, message, emoji, refused := c.reacting()
		if refused != nil {
			return answer{}, refused
		}
		return act(c, channel, message, emoji)
	}
}

// item finds the message that channel and timestamp name.
func (c *call) item() (channel, message *world.Record, refused *refusal) {
	if !c.given("channel") || !c.given("timestamp") {
		if c.given("file") || c.given("file_comment") {
			return nil, nil, refuse(fileNotFound)
		}
		if c.given("channel") && !c.given("timestamp") || !c.given("channel") {
			return nil, nil, refuse("no_item_specified")
		}
	}
	if !isStamp(c.text("timestamp")) {
		return nil, nil, refuse("bad_timestamp")
	}
	channel, refused = c.channel("channel")
	if refused != nil {
		return nil, nil, refused
	}
	if channel.Value()["is_archived"] == true && c.method.name != "reactions.get" {
		return nil, nil, refuse(isArchived)
	}
	message, ok := c.message(channel, c.text("timestamp"))
	if !ok || kit.Text(message.Value(), "message.subtype") == tombstone {
		return nil, nil, refuse(messageNotFound)
	}
	return channel, message, nil
}

func addReaction(c *call, channel, record *world.Record, emoji string) (answer, *refusal) {
	message, _ := record.Value()["message"].(map[string]any)
	list, _ := message["reactions"].([]any)
	mine, at := 0, -1
	for i, item := range list {
		reaction, _ := item.(map[string]any)
		reacted := slices.Contains(cast.Texts(reaction["users"]), c.who.user)
		if reaction["name"] == emoji {
			if reacted {
				return answer{}, refuse("already_reacted")
			}
			at = i
		}
		if reacted {
			mine++
		}
	}
	switch {
	case mine >= mostEmoji:
		return answer{}, refuse("too_many_reactions")
	case at < 0 && len(list) >= mostReacted:
		return answer{}, refuse("too_many_emoji")
	}
	list = slices.Clone(list)
	if at < 0 {
		list = append(list, map[string]any{"name": emoji, "users": []any{c.who.user}, "count": int64(1)})
	} else {
		reaction := maps.Clone(cast.Object(list[at]))
		reaction["users"], reaction["count"] = append(slices.Clone(cast.List(reaction["users"])), c.who.user), cast.Int(reaction["count"])+1
		list[at] = reaction
	}
	c.react(record, message, list)
	c.reacted("reaction_added", channel, message, emoji)
	return done()
}

func (c *call) react(record *world.Record, message map[string]any, list []any) {
	message = maps.Clone(message)
	if len(list) == 0 {
		delete(message, "reactions")
	} else {
		message["reactions"] = list
	}
	c.revalue(record, message)
}

func (c *call) reacted(kind string, channel *world.Record, message map[string]any, emoji string) {
	c.emitIn(channel, kind, map[string]any{
		"user": c.who.user, "reaction": emoji, "item": map[string]any{"type": "message", "channel": channel.ID, "ts": message["ts"]},
		"item_user": message["user"], "event_ts": stamp(c.Now.UnixMicro()),
	})
}

func removeReaction(c *call, channel, record *world.Record, emoji string) (answer, *refusal) {
	message, _ := record.Value()["message"].(map[string]any)
	list, _ := message["reactions"].([]any)
	for i, item := range list {
		old, _ := item.(map[string]any)
		people := cast.Texts(old["users"])
		if old["name"] != emoji || !slices.Contains(people, c.who.user) {
			continue
		}
		list = slices.Clone(list)
		count, _ := old["count"].(int64)
		if len(people) == 1 && count <= 1 {
			list = slices.Delete(list, i, i+1)
		} else {
			reaction := maps.Clone(old)
			reaction["users"] = cast.Anys(slices.DeleteFunc(people, func(user string) bool { return user == c.who.user }))
			reaction["count"] = count - 1
			list[i] = reaction
		}
		c.react(record, message, list)
		c.reacted("reaction_removed", channel, message, emoji)
		return done()
	}
	return answer{}, refuse("no_reaction")
}

func getReactions(c *call) (answer, *refusal) {
	if id := c.text("file"); id != "" {
		file, ok := c.get(files, id)
		if !ok {
			return answer{}, refuse(fileNotFound)
		}
		return said(map[string]any{"type": "file", "file": file.Value()})
	}
	channel, record, refused := c.item()
	if refused != nil {
		return answer{}, refused
	}
	message := maps.Clone(cast.Object(record.Value()["message"]))
	message["permalink"] = c.permalink(record)
	return said(map[string]any{"type": "message", "channel": channel.ID, "message": message})
}

// listReactions lists what a user reacted to, newest message first.
func listReactions(c *call) (answer, *refusal) {
	user := c.text("user")
	if user == "" {
		user = c.who.user
	} else if _, ok := c.get(users, user); !ok {
		return answer{}, refuse(userNotFound)
	}
	limit, refused := c.limitOf(100, 1000)
	if refused != nil {
		return answer{}, refused
	}
	below := uint64(0)
	if cursor := c.text("cursor"); cursor != "" {
		id, ok := at(cursor, "message:")
		first, known := c.get(messages, id)
		if !ok || !known {
			return answer{}, refuse(invalidCursor)
		}
		below = first.Order + 1
	}
	list, next := []any{}, ""
	for record := range c.Tx.Newest(c.fake.Full(messages), below) {
		channel, ok := c.get(channels, kit.Text(record.Value(), "channel"))
		if !ok || !c.sees(channel) || !reactedBy(record, user) {
			continue
		}
		if len(list) == limit {
			next = cursorOf("message:" + record.ID)
			break
		}
		list = append(list, map[string]any{"type": "message", "channel": channel.ID, "message": record.Value()["message"]})
	}
	return said(map[string]any{"items": list, "response_metadata": map[string]any{"next_cursor": next}})
}

func reactedBy(record *world.Record, user string) bool {
	for _, item := range cast.List(cast.Object(record.Value()["message"])["reactions"]) {
		if slices.Contains(cast.Texts(cast.Object(item)["users"]), user) {
			return true
		}
	}
	return false
}
