package slack

import (
	"maps"
	"strings"

	"parity/fakes/kit"
)

// keep inserts a record that is not there, if it is what the contract allows;
// of one that is there, fields that it lacks are filled in.
func (c *call) keep(collection string, value map[string]any, also func(map[string]any)) {
	id := asText(value["id"])
	if id == "" {
		return
	}
	value = maps.Clone(value)
	if also != nil {
		also(value)
	}
	c.mark(collection, id)
	if old, known := c.get(collection, id); known {
		full := maps.Clone(value)
		maps.Copy(full, old.Value())
		value = full
		if len(c.Contract.CheckRecord(collection, value)) == 0 {
			c.update(collection, id, value)
		}
		return
	}
	if len(c.Contract.CheckRecord(collection, value)) == 0 {
		c.create(collection, id, value)
	}
}

// keepChannel keeps a channel, and that the caller is in it: whoever sees a
// private one is.
func (c *call) keepChannel(value map[string]any) {
	id := asText(value["id"])
	if id == "" {
		return
	}
	in := value["is_member"] == true
	if _, told := value["is_member"]; !told {
		in = familyOf(value) != "channels"
	}
	last := asText(value["last_read"])
	c.keep(channels, value, func(kept map[string]any) {
		delete(kept, "last_read")
		if kept["is_mpim"] != true {
			delete(kept, "is_member")
		}
		for _, counted := range []string{"latest", "unread_count", "unread_count_display"} {
			delete(kept, counted)
		}
		if user := asText(kept["user"]); user != "" {
			kept["parties"] = partiesOf(c.who.user, user)
		}
	})
	if in {
		c.keepMember(id, c.who.user)
		if mark, ok := c.member(id, c.who.user); ok && last != "" && mark.Value()["last_read"] == nil {
			kept := maps.Clone(mark.Value())
			kept["last_read"] = last
			c.update(members, mark.ID, kept)
		}
	}
}

func partiesOf(a, b string) string {
	if a > b {
		a, b = b, a
	}
	return a + "," + b
}

func (c *call) keepMember(channel, user string) {
	if channel == "" || user == "" || c.isMember(channel, user) {
		return
	}
	id := channel + "/" + user
	c.create(members, id, map[string]any{"id": id, "channel": channel, "user": user})
}

// keepMembers keeps who is in a channel, in the order in which a list has them.
func (c *call) keepMembers(channel string, listed []string) {
	for _, user := range listed {
		mark, in := c.member(channel, user)
		if !in || c.given("cursor") {
			c.keepMember(channel, user)
			continue
		}
		c.remove(members, mark.ID)
		c.create(members, mark.ID, mark.Value())
	}
}

func (c *call) keepMessage(channel string, message map[string]any) {
	ts := asText(message["ts"])
	if channel == "" || !isStamp(ts) || !strings.Contains(ts, ".") {
		return
	}
	id := channel + "/" + ts
	if _, known := c.get(messages, id); known {
		return
	}
	value := map[string]any{"id": id, "channel": channel, "ts": ts, "message": message}
	if thread := asText(message["thread_ts"]); thread == "" || thread == ts || message["subtype"] == "thread_broadcast" {
		value["timeline"] = channel
	}
	if thread := asText(message["thread_ts"]); thread != "" && thread != ts {
		value["thread"] = channel + "/" + thread
	}
	if owner := asText(message["user"]); owner != "" {
		value["owner"] = owner
	}
	if len(c.Contract.CheckRecord(messages, value)) > 0 {
		return
	}
	c.create(messages, id, value)
	c.tip(channel, micros(ts))
}

// mark tells records that the real service has listed from those that it has
// only shown, or that a call took for granted: where it has listed what there
// is, others stay out of lists.
func (c *call) mark(collection, id string) {
	guess := "guessed/" + collection + "/" + id
	_, guessed := c.Tx.Get(pagesCollection, guess)
	_, known := c.get(collection, id)
	switch listing := c.method.name == "users.list" || c.method.name == "conversations.list" || c.method.name == "users.conversations"; {
	case listing && guessed:
		kit.Must(name, c.Tx.Delete(pagesCollection, guess)) // it was there a moment ago
	case !listing && !known:
		c.put(pagesCollection, guess, map[string]any{"id": id})
	}
}
