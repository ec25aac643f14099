package slack

import (
	"maps"
	"net/url"
	"strings"
	"unicode/utf8"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// longestUpdate is how long a text may be that replaces another.
// Source: docs.slack.dev/reference/methods/chat.update, msg_too_long; it is a
// tenth of what a new message may say.
const longestUpdate = 4000

// message finds a message by its channel and ts, which is a text: one that went
// through a number, and lost its noughts, names nothing.
func (c *call) message(channel *world.Record, ts string) (*world.Record, bool) {
	return c.get(messages, channel.ID+"/"+ts)
}

// onOwn answers a call that changes a message of the caller's.
func onOwn(code string, act func(c *call, channel, message *world.Record) (answer, *refusal)) handler {
	return kit.WithTwo(func(c *call) (channel, message *world.Record, refused *refusal) { return c.own(code) }, act)
}

// own is a message that the caller may change.
func (c *call) own(code string) (channel, message *world.Record, refused *refusal) {
	for _, argument := range []string{"channel", "ts"} {
		if _, sent := c.args[argument]; !sent {
			return nil, nil, &refusal{code: invalidArguments, messages: []string{"[ERROR] missing required field: " + argument}}
		}
	}
	channel, refused = c.channel("channel")
	if refused != nil {
		return nil, nil, refused
	}
	message, ok := c.message(channel, c.text("ts"))
	switch {
	case !ok || kit.Text(message.Value(), "message.subtype") == tombstone:
		return nil, nil, refuse(messageNotFound)
	case channel.Value()["is_archived"] == true:
		return nil, nil, refuse(isArchived)
	case kit.Text(message.Value(), "owner") != c.who.user:
		return nil, nil, refuse(code)
	}
	return channel, message, nil
}

func updateMessage(c *call, channel, old *world.Record) (answer, *refusal) {
	if utf8.RuneCountInString(c.text("text")) > longestUpdate {
		return answer{}, refuse("msg_too_long")
	}
	content, refused := c.updated(old)
	if refused != nil {
		return answer{}, refused
	}
	was, _ := old.Value()["message"].(map[string]any)
	value := maps.Clone(was)
	delete(value, "attachments")
	delete(value, "blocks")
	maps.Copy(value, content)
	editor := c.who.user
	if bot := kit.Text(was, "bot_id"); bot != "" {
		editor = bot
	}
	value["edited"] = map[string]any{"user": editor, "ts": stamp(c.now() * 1e6)}
	c.rewrite(old, value)
	c.announce(channel, value, was)
	shown := maps.Clone(value)
	delete(shown, "ts") // the answer to an update has it beside the message
	return said(map[string]any{"channel": channel.ID, "ts": was["ts"], "text": value["text"], "message": shown})
}

// updated is what a message says after an update: attachments and blocks that
// are not sent again stay when only they are left out.
func (c *call) updated(old *world.Record) (map[string]any, *refusal) {
	if c.given("text") || c.given("blocks") || c.given("attachments") || c.given("markdown_text") {
		return c.content()
	}
	if _, sent := c.args["metadata"]; sent {
		was, _ := old.Value()["message"].(map[string]any)
		metadata, ok := c.json("metadata")
		if !ok {
			return nil, refuse("invalid_metadata_format")
		}
		return map[string]any{"text": was["text"], "blocks": was["blocks"], "metadata": metadata}, nil
	}
	return nil, refuse("no_text")
}

// rewrite changes what a message says.
func (c *call) rewrite(old *world.Record, message map[string]any) *world.Record {
	c.fake.index.Note(c.Tx, old.ID, old.Value(), c.Now)
	value := maps.Clone(old.Value())
	value["message"] = message
	return c.update(messages, old.ID, value)
}

func deleteMessage(c *call, channel, old *world.Record) (answer, *refusal) {
	return said(map[string]any{"channel": channel.ID, "ts": c.erase(channel, old)})
}

// erase takes a message away, and gives its ts. Of one that has replies a
// tombstone stays.
func (c *call) erase(channel, old *world.Record) string {
	was, _ := old.Value()["message"].(map[string]any)
	ts := asText(was["ts"])
	if n, _ := was["reply_count"].(int64); n > 0 && asText(was["thread_ts"]) == ts {
		grave := map[string]any{
			"type": "message", "subtype": tombstone, "text": "This message was deleted.", "user": slackbot, "hidden": true,
			"ts": ts, "is_locked": false, "subscribed": false,
		}
		for _, field := range []string{"thread_ts", "reply_count", "reply_users_count", "reply_users", "latest_reply"} {
			grave[field] = was[field]
		}
		value := maps.Clone(c.rewrite(old, grave).Value())
		delete(value, "owner")
		c.update(messages, old.ID, value)
	} else {
		c.fake.index.Note(c.Tx, old.ID, old.Value(), c.Now)
		c.remove(messages, old.ID)
		c.unreplied(channel, was)
	}
	for _, pin := range []string{channel.ID + "/" + ts} {
		if _, pinned := c.get(pins, pin); pinned {
			c.remove(pins, pin)
		}
	}
	c.deleted(channel, was)
	return ts
}

func getPermalink(c *call, channel *world.Record) (answer, *refusal) {
	message, ok := c.message(channel, c.text("message_ts"))
	if !ok {
		return answer{}, refuse(messageNotFound)
	}
	return said(map[string]any{"channel": channel.ID, "permalink": c.permalink(message)})
}

// permalink is a message's address; that of a message in a thread names the
// thread.
func (c *call) permalink(message *world.Record) string {
	channel := kit.Text(message.Value(), "channel")
	link := c.site() + "archives/" + channel + "/p" + strings.Replace(tsOf(message), ".", "", 1)
	if thread := kit.Text(message.Value(), "message.thread_ts"); thread != "" {
		link += "?thread_ts=" + url.QueryEscape(thread) + "&cid=" + channel
	}
	return link
}
