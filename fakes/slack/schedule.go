package slack

import (
	"maps"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// The timers of this service.
const postScheduled = "post-scheduled"

// Bounds of scheduled messages.
// Source: docs.slack.dev/reference/methods/chat.scheduleMessage and
// chat.deleteScheduledMessage.
const (
	farthest = 120 * 24 * time.Hour
	tooClose = 60 * time.Second
)

func scheduleMessage(c *call, content map[string]any) (answer, *refusal) {
	at, ok := c.number("post_at", 0)
	switch {
	case !ok || at <= 0:
		return answer{}, refuse("invalid_time")
	case at <= c.now():
		return answer{}, refuse("time_in_past")
	case at > c.Now.Add(farthest).Unix():
		return answer{}, refuse("time_too_far")
	}
	channel, refused := c.writable(c.text("channel"))
	if refused != nil {
		return answer{}, refused
	}
	if _, refused := c.threadOf(channel, c.text("thread_ts")); refused != nil {
		return answer{}, refused
	}
	value := c.authored(content)
	id := "Q" + c.digits(11)
	record := map[string]any{
		"id": id, "channel_id": channel.ID, "post_at": at, "date_created": c.now(), "text": value["text"], "message": value,
		"sender": map[string]any{"user": c.who.user, "broadcast": c.flag("reply_broadcast", false)},
	}
	if thread := c.text("thread_ts"); thread != "" {
		record["thread_ts"] = thread
	}
	c.create(scheduled, id, record)
	kit.Must(name, kit.Schedule(c.Tx, fakes.Timer{Service: name, Kind: postScheduled, Subject: id, Due: time.Unix(at, 0).UTC()}))
	shown := maps.Clone(value)
	shown["type"] = "delayed_message"
	return said(map[string]any{"channel": channel.ID, "scheduled_message_id": id, "post_at": at, "message": shown})
}

// digits draws n decimal digits.
func (c *call) digits(n int) string {
	drawn := c.NewID("", n)
	digits := make([]byte, 0, n)
	for i := range len(drawn) {
		digits = append(digits, '0'+drawn[i]%10)
	}
	if len(digits) > 0 && digits[0] == '0' {
		digits[0] = '1'
	}
	return string(digits)
}

// Fire does what Slack does on its own.
func (f *Fake) Fire(fc *fakes.Call, t fakes.Timer) {
	c := f.call(fc)
	switch t.Kind {
	case postScheduled:
		c.postDue(t.Subject)
	case fileReady:
		c.ready(t.Subject)
	case socketWarning, socketRefresh:
		c.disconnect(t.Kind, t.Subject)
	}
}

// postDue posts a scheduled message. One whose channel is archived by then is
// lost, as are replies to what is gone.
func (c *call) postDue(id string) {
	record, ok := c.get(scheduled, id)
	if !ok {
		return // taken back
	}
	c.remove(scheduled, id)
	channel, ok := c.get(channels, kit.Text(record.Value(), "channel_id"))
	if !ok || channel.Value()["is_archived"] == true {
		return
	}
	c.who.user = kit.Text(record.Value(), "sender.user")
	parent, refused := c.threadOf(channel, kit.Text(record.Value(), "thread_ts"))
	if refused != nil {
		return
	}
	value, _ := record.Value()["message"].(map[string]any)
	sender, _ := record.Value()["sender"].(map[string]any)
	c.write(post{channel: channel, thread: parent, value: maps.Clone(value), owner: c.who.user}, sender["broadcast"] == true)
}

func unscheduleMessage(c *call) (answer, *refusal) {
	channel, refused := c.addressed(c.text("channel"))
	if refused != nil {
		return answer{}, refused
	}
	id := c.text("scheduled_message_id")
	record, ok := c.get(scheduled, id)
	if !ok || kit.Text(record.Value(), "channel_id") != channel.ID || kit.Text(record.Value(), "sender.user") != c.who.user {
		return answer{}, refuse("invalid_scheduled_message_id")
	}
	if time.Unix(cast.Int(record.Value()["post_at"]), 0).Before(c.Now.Add(tooClose)) {
		return answer{}, refuse("invalid_scheduled_message_id")
	}
	c.remove(scheduled, id)
	kit.Must(name, kit.Cancel(c.Tx, name, postScheduled, id))
	return done()
}

func listScheduled(c *call) (answer, *refusal) {
	channel := c.text("channel")
	if channel != "" {
		if _, refused := c.channel("channel"); refused != nil {
			return answer{}, refuse("invalid_channel")
		}
	}
	oldest, ok := c.number("oldest", 0)
	latest, ok2 := c.number("latest", 0)
	if !ok || !ok2 {
		return answer{}, refuse(invalidArguments)
	}
	page, refused := c.page(paging{collection: scheduled, cursor: "scheduled:", most: 100, absent: 100, among: func(r *world.Record) bool {
		at, _ := r.Value()["post_at"].(int64)
		return kit.Text(r.Value(), "sender.user") == c.who.user && (channel == "" || r.Value()["channel_id"] == channel) &&
			(oldest == 0 || at >= oldest) && (latest == 0 || at <= latest)
	}})
	if refused != nil {
		return answer{}, refused
	}
	list := make([]any, len(page.records))
	for i, r := range page.records {
		list[i] = map[string]any{
			"id": r.ID, "channel_id": r.Value()["channel_id"], "post_at": r.Value()["post_at"], "date_created": r.Value()["date_created"], "text": r.Value()["text"],
		}
	}
	return said(map[string]any{"scheduled_messages": list, "response_metadata": page.metadata()})
}
