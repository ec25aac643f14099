package slack

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Subject names the record that a call is about, by its arguments: of a message
// that a list is narrowed to, as Slack has no other way to read one, it is the
// message.
func (f *Fake) Subject(fc *fakes.Call) (collection, id string) {
	c := f.call(fc)
	collection, id = c.subject()
	if record, ok := c.get(collection, id); !ok || record.Value()["mode"] == tombstone || kit.Text(record.Value(), "message.subtype") == tombstone {
		return "", ""
	}
	return f.Full(collection), id
}

// subject gives a collection and an id; what is there is looked at later.
func (c *call) subject() (collection, id string) {
	channel, family := c.text("channel"), ""
	if family, _, _ = strings.Cut(c.method.name, "."); channel == "" {
		channel = c.text("channel_id")
	}
	switch c.method.name {
	case "chat.update", "chat.delete", "conversations.replies":
		return messages, channel + "/" + c.text("ts")
	case "chat.getPermalink":
		return messages, channel + "/" + c.text("message_ts")
	case "reactions.add", "reactions.remove", "reactions.get", "pins.add", "pins.remove":
		return messages, channel + "/" + c.text("timestamp")
	case "conversations.history":
		for _, bound := range []string{"latest", "oldest"} {
			if at := channel + "/" + c.text(bound); c.text(bound) != "" && c.text("limit") == "1" {
				return messages, at
			}
		}
		return "", ""
	case "conversations.members", "chat.postMessage", "chat.postEphemeral", "chat.meMessage", "chat.scheduleMessage", "files.completeUploadExternal":
		return "", ""
	case "chat.deleteScheduledMessage":
		return scheduled, c.text("scheduled_message_id")
	case "users.info", "users.getPresence", "users.profile.get", "users.profile.set":
		if user := c.text("user"); user != "" {
			return users, user
		}
		c.identify()
		return users, c.who.user
	case "bookmarks.edit", "bookmarks.remove":
		return bookmarks, c.text("bookmark_id")
	case "views.update":
		return views, c.text("view_id")
	}
	switch {
	case family == "conversations" && channel != "":
		return channels, channel
	case family == "files":
		return files, c.text("file")
	}
	return "", ""
}

// Edit changes a record. Of a message it is what it says: who has written it
// has edited it then, whoever that is.
func (f *Fake) Edit(fc *fakes.Call, collection, id string, set map[string]any) error {
	short, record, err := f.Held(fc.Tx, collection, id)
	if err != nil {
		return err
	}
	c := f.call(fc)
	if short != messages {
		return f.Store.Edit(fc.Tx, collection, id, set, func(value map[string]any) {
			switch {
			case short == channels:
				value["updated"] = c.Now.UnixMilli()
			case short == views:
				value["hash"] = c.hash()
			case record.Value()["updated"] != nil:
				value["updated"] = c.now()
			}
		})
	}
	was, _ := record.Value()["message"].(map[string]any)
	message := kit.Edited(was, set)
	editor := asText(was["user"])
	if editor == "" {
		editor = asText(was["bot_id"])
	}
	edited := kit.After(fc, time.UnixMicro(micros(kit.Text(was, "edited.ts"))), time.Second)
	message["edited"] = map[string]any{"user": editor, "ts": stamp(edited.Now.Unix() * 1e6)}
	if _, blocks := set["blocks"]; !blocks && set["text"] != nil {
		delete(message, "blocks") // they said what the text said
	}
	value := maps.Clone(record.Value())
	value["message"] = message
	if err := f.Fits(short, id, value); err != nil {
		return err
	}
	c.rewrite(record, message)
	if channel, ok := c.get(channels, asText(record.Value()["channel"])); ok {
		c.announce(channel, message, was)
	}
	return nil
}

// Remove deletes a record; a message that has replies and a file leave a
// tombstone.
func (f *Fake) Remove(fc *fakes.Call, collection, id string) error {
	short, record, err := f.Held(fc.Tx, collection, id)
	if err != nil {
		return err
	}
	c := f.call(fc)
	c.identify()
	switch short {
	case messages:
		if channel, ok := c.get(channels, asText(record.Value()["channel"])); ok {
			c.erase(channel, record)
			return nil
		}
	case files:
		c.shred(record)
		return nil
	case channels:
		var crew []*world.Record
		for member := range f.Find(c.Tx, members, "channel", id) {
			crew = append(crew, member)
		}
		for _, member := range crew {
			c.remove(members, member.ID)
		}
	case workspaces:
		return fmt.Errorf("slack %s %s: there is one of it", short, id)
	}
	c.remove(short, id)
	return nil
}

// Copy makes another record like one there is: a message the newest of its
// channel, outside all threads; others under a name of their own.
func (f *Fake) Copy(fc *fakes.Call, collection, id string) (string, error) {
	short, record, err := f.Held(fc.Tx, collection, id)
	if err != nil {
		return "", err
	}
	c := f.call(fc)
	if short == messages {
		return c.repeat(record)
	}
	if short == workspaces || short == members || short == pins || id == "" || strings.Trim(id[:1], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return "", fmt.Errorf("slack %s %s: what is found by its name cannot be there twice", short, id)
	}
	prefix := id[:1]
	if strings.HasPrefix(id, "Bk") {
		prefix = "Bk"
	}
	return f.Store.Copy(fc.Tx, collection, id, func(value map[string]any) string {
		fresh := prefix + upper(c.NewID("", 10))
		value["id"] = fresh
		if called, ok := value["name"].(string); ok && (short == channels || short == users) {
			value["name"] = called + "-" + strings.ToLower(c.NewID("", 4))
			if value["name_normalized"] != nil {
				value["name_normalized"] = value["name"]
			}
		}
		if _, made := value["created"].(int64); made {
			value["created"] = c.now()
		}
		return fresh
	})
}

// repeat writes a message a second time.
func (c *call) repeat(record *world.Record) (string, error) {
	channel := asText(record.Value()["channel"])
	message := maps.Clone(cast.Object(record.Value()["message"]))
	for _, field := range []string{"thread_ts", "reply_count", "reply_users_count", "reply_users", "latest_reply", "reactions", "edited", "client_msg_id", "parent_user_id"} {
		delete(message, field)
	}
	ts := c.nextStamp(channel)
	message["ts"] = ts
	value := map[string]any{"id": channel + "/" + ts, "channel": channel, "ts": ts, "timeline": channel, "message": message}
	if owner, ok := record.Value()["owner"]; ok {
		value["owner"] = owner
	}
	made := c.create(messages, channel+"/"+ts, value)
	c.fake.index.Note(c.Tx, made.ID, nil, c.Now)
	return made.ID, nil
}
