package slack

import (
	"maps"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// tombstone is the subtype of what is left of a message that has replies.
const tombstone = "tombstone"

// mostRepliers is how many of those who replied a parent names.
const mostRepliers = 5

// A thread is where a reply goes: its ts, and its parent, nil where no message
// has that ts.
type thread struct {
	ts     string
	parent *world.Record
}

// threadOf finds the thread that a message is for; nil for none. A reply to a
// reply goes to the thread that it is in.
// Source: a thread_ts that names nothing is taken, and its reply is seen nowhere:
// github.com/slackapi/python-slack-sdk/issues/840; the words for one that is no
// ts: github.com/jenkinsci/slack-plugin/issues/584.
func (c *call) threadOf(channel *world.Record, ts string) (*thread, *refusal) {
	if ts == "" {
		return nil, nil
	}
	if !isStamp(ts) || !strings.Contains(ts, ".") {
		return nil, &refusal{code: "invalid_thread_ts", messages: []string{"[ERROR] " + kit.Clip(ts) + " is not a valid thread_ts"}}
	}
	record, ok := c.message(channel, ts)
	if !ok {
		return &thread{ts: ts}, nil
	}
	if above := kit.Text(record.Value(), "message.thread_ts"); above != "" && above != ts {
		record, _ = c.message(channel, above)
		return &thread{ts: above, parent: record}, nil
	}
	switch kit.Text(record.Value(), "message.subtype") {
	case "channel_join", "channel_leave", "channel_topic", "channel_purpose", "channel_name", "channel_archive", "channel_unarchive":
		return nil, refuse("cannot_reply_to_message")
	}
	return &thread{ts: ts, parent: record}, nil
}

// inThread says in a reply which thread it is in.
func (c *call) inThread(p *post, record map[string]any, broadcast bool) {
	record["thread"] = p.channel.ID + "/" + p.thread.ts
	p.value["thread_ts"] = p.thread.ts
	parent := p.thread.parent
	if parent == nil {
		return
	}
	if user := kit.Text(parent.Value(), "message.user"); user != "" {
		p.value["parent_user_id"] = user
	}
	if broadcast {
		p.value["subtype"] = "thread_broadcast"
		p.value["root"] = cast.Object(parent.Value()["message"])
	}
}

// replied counts a reply in its parent.
func (c *call) replied(parent *world.Record, ts, user, bot string) {
	parent, _ = c.get(messages, parent.ID)
	message := maps.Clone(cast.Object(parent.Value()["message"]))
	if user == "" {
		user = bot
	}
	repliers := cast.Texts(message["reply_users"])
	count, _ := message["reply_users_count"].(int64)
	if user != "" && !slices.Contains(repliers, user) {
		count++
		if len(repliers) < mostRepliers {
			repliers = append(repliers, user)
		}
	}
	message["thread_ts"], message["reply_count"], message["reply_users_count"] = message["ts"], cast.Int(message["reply_count"])+1, count
	message["reply_users"], message["latest_reply"] = cast.Anys(repliers), ts
	message["is_locked"], message["subscribed"] = false, message["user"] == c.who.user
	c.revalue(parent, message)
}

// revalue changes what Slack counts in a message; nobody's words change.
func (c *call) revalue(old *world.Record, message map[string]any) *world.Record {
	value := maps.Clone(old.Value())
	value["message"] = message
	return c.update(messages, old.ID, value)
}

// unreplied takes a reply that is gone out of its parent's count. A tombstone
// without replies goes too.
func (c *call) unreplied(channel *world.Record, reply map[string]any) {
	thread := asText(reply["thread_ts"])
	if thread == "" || thread == asText(reply["ts"]) {
		return
	}
	parent, ok := c.message(channel, thread)
	if !ok {
		return
	}
	message := maps.Clone(cast.Object(parent.Value()["message"]))
	var repliers []string
	latest, n := "", int64(0)
	for _, record := range c.repliesTo(parent) {
		user := kit.Text(record.Value(), "message.user")
		if user == "" {
			user = kit.Text(record.Value(), "message.bot_id")
		}
		if !slices.Contains(repliers, user) {
			repliers = append(repliers, user)
		}
		latest, n = tsOf(record), n+1
	}
	if n == 0 {
		if message["subtype"] == tombstone {
			c.remove(messages, parent.ID)
			return
		}
		for _, field := range []string{"thread_ts", "reply_count", "reply_users_count", "reply_users", "latest_reply", "is_locked", "subscribed"} {
			delete(message, field)
		}
		c.revalue(parent, message)
		return
	}
	message["reply_count"], message["reply_users_count"], message["latest_reply"] = n, int64(len(repliers)), latest
	message["reply_users"] = cast.Anys(repliers[:min(len(repliers), mostRepliers)])
	c.revalue(parent, message)
}

// repliesTo lists a parent's replies, oldest first.
func (c *call) repliesTo(parent *world.Record) []*world.Record {
	var all []*world.Record
	for record := range c.fake.Find(c.Tx, messages, "thread", parent.ID) {
		all = append(all, record)
	}
	slices.SortStableFunc(all, func(a, b *world.Record) int { return compareText(tsOf(a), tsOf(b)) })
	return all
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
