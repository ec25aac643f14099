package slack_test

import (
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func TestPostMessage(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	g := r.ok("chat.postMessage", "channel", general, "text", "Deploy <https://ci.example/1|done> & *green* by <@"+ahmed+">, see https://a.example/x?a=1&b=2.")
	faketest.Want(t, g, map[string]any{
		"channel":                  general,
		"message.type":             "message",
		"message.user":             bot,
		"message.bot_id":           "B0PARITY01",
		"message.app_id":           "A0PARITY01",
		"message.bot_profile.name": "Rehearsal Bot",
		"message.text":             "Deploy <https://ci.example/1|done> &amp; *green* by <@" + ahmed + ">, see <https://a.example/x?a=1&amp;b=2>.",
		"message.blocks.0.type":    "rich_text",
		"message.blocks.0.elements.0.elements": []any{
			map[string]any{"type": "text", "text": "Deploy "},
			map[string]any{"type": "link", "url": "https://ci.example/1", "text": "done"},
			map[string]any{"type": "text", "text": " & "},
			map[string]any{"type": "text", "text": "green", "style": map[string]any{"bold": true}},
			map[string]any{"type": "text", "text": " by "},
			map[string]any{"type": "user", "user_id": ahmed},
			map[string]any{"type": "text", "text": ", see "},
			map[string]any{"type": "link", "url": "https://a.example/x?a=1&b=2"},
			map[string]any{"type": "text", "text": "."},
		},
	})
	if g.Text("ts") != g.Text("message.ts") {
		t.Error("two ts")
	}
	if g.Header.Get("X-Oauth-Scopes") == "" || g.Header.Get("X-Accepted-Oauth-Scopes") != "chat:write" || len(g.Header.Get("X-Slack-Req-Id")) != 32 {
		t.Errorf("headers: %v", g.Header)
	}
	sent := r.Outbox()
	if len(sent) != 1 || sent[0].Kind != "message" || sent[0].To[0] != "#general" {
		t.Errorf("outbox: %+v", sent)
	}
}

func TestPostMessageRefusals(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	gone := r.channel("gone")
	r.ok("conversations.archive", "channel", gone)
	var private string
	r.by(asUser, func(r rig) { private = r.channel("secret", "is_private", "true") })
	many := "[" + strings.TrimSuffix(strings.Repeat(`{"text":"x"},`, 101), ",") + "]"
	for _, test := range []struct {
		code      string
		arguments []string
	}{
		{"invalid_arguments", []string{"text", "hi"}},
		{"channel_not_found", []string{"channel", "", "text", "hi"}},
		{"channel_not_found", []string{"channel", "C0NOSUCH001", "text", "hi"}},
		{"channel_not_found", []string{"channel", private, "text", "hi"}},
		{"channel_not_found", []string{"channel", "#nowhere", "text", "hi"}},
		{"is_archived", []string{"channel", gone, "text", "hi"}},
		{"no_text", []string{"channel", general}},
		{"no_text", []string{"channel", general, "text", " "}},
		{"invalid_blocks_format", []string{"channel", general, "blocks", "nope"}},
		{"invalid_blocks", []string{"channel", general, "blocks", `[{"type":"nope"}]`}},
		{"invalid_attachments", []string{"channel", general, "attachments", `{"a":1}`}},
		{"too_many_attachments", []string{"channel", general, "attachments", many}},
		{"invalid_thread_ts", []string{"channel", general, "text", "hi", "thread_ts", "yesterday"}},
	} {
		r.refused(test.code, "chat.postMessage", test.arguments...)
	}
	if len(r.Outbox()) > 0 {
		t.Error("a refused message was sent")
	}
	g := r.refused("invalid_blocks", "chat.postMessage", "channel", general, "blocks", `[{"type":"section","text":{"type":"mrkdwn","text":"`+strings.Repeat("x", 3001)+`"}}]`)
	faketest.Want(t, g, map[string]any{
		"errors.0": "failed to match all allowed schemas [json-pointer:/blocks/0/text]", "errors.1": "must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
		"response_metadata.messages.1": "[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
	})
}

func TestBlocksWithoutTextAreWarnedOf(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	g := r.ok("chat.postMessage", "channel", "general", "blocks", `[{"type":"section","text":{"type":"mrkdwn","text":"a < b"}}]`)
	faketest.Want(t, g, map[string]any{
		"warning": "missing_text_in_message", "response_metadata.warnings.0": "missing_text_in_message",
		"message.blocks.0.text.text": "a &lt; b", "message.blocks.0.text.verbatim": false, "message.text": "",
	})
	if g.Text("message.blocks.0.block_id") == "" {
		t.Error("no block_id")
	}
}

func TestStampsAreUniqueAndInOrder(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	last := ""
	for range 5 { // all at one instant
		ts := r.post(general, "again")
		if ts <= last {
			t.Errorf("%s after %s", ts, last)
		}
		last = ts
	}
}

func TestUpdateAndDeleteAreForOnesOwn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ts := r.post(general, "first")
	r.Wait(time.Minute)
	g := r.ok("chat.update", "channel", general, "ts", ts, "text", "second")
	faketest.Want(t, g, map[string]any{"ts": ts, "text": "second", "message.text": "second", "message.edited.user": "B0PARITY01"})
	r.by(asUser, func(r rig) {
		r.refused("cant_update_message", "chat.update", "channel", general, "ts", ts, "text", "mine now")
		r.refused("cant_delete_message", "chat.delete", "channel", general, "ts", ts)
	})
	r.refused("message_not_found", "chat.update", "channel", general, "ts", "1700000000.000100", "text", "x")
	r.refused("no_text", "chat.update", "channel", general, "ts", ts)
	r.ok("chat.delete", "channel", general, "ts", ts)
	r.refused("message_not_found", "chat.delete", "channel", general, "ts", ts)
	if n := r.ok("conversations.history", "channel", general).Len("messages"); n != 0 {
		t.Errorf("%d messages are left", n)
	}
}

func TestPermalinksAndEphemerals(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ts := r.post(general, "here")
	g := r.ok("chat.getPermalink", "channel", general, "message_ts", ts)
	if want := "https://parity-rehearsal.slack.com/archives/" + general + "/p" + strings.Replace(ts, ".", "", 1); g.Text("permalink") != want {
		t.Errorf("%s, want %s", g.Text("permalink"), want)
	}
	reply := r.post(general, "there", "thread_ts", ts)
	if link := r.ok("chat.getPermalink", "channel", general, "message_ts", reply).Text("permalink"); !strings.HasSuffix(link, "?thread_ts="+ts+"&cid="+general) {
		t.Error(link)
	}
	r.ok("chat.postEphemeral", "channel", general, "user", ahmed, "text", "for your eyes")
	r.refused("user_not_in_channel", "chat.postEphemeral", "channel", general, "user", "U0NOBODY001", "text", "x")
	if n := r.ok("conversations.history", "channel", general).Len("messages"); n != 1 {
		t.Errorf("%d messages: an ephemeral one is in no history", n)
	}
}

func TestUserIsPostedToInADirectMessage(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	g := r.ok("chat.postMessage", "channel", ahmed, "text", "psst")
	if !strings.HasPrefix(g.Text("channel"), "D") {
		t.Errorf("channel %s", g.Text("channel"))
	}
	if again := r.ok("conversations.open", "users", ahmed); again.Text("channel.id") != g.Text("channel") || again.At("already_open") != true {
		t.Errorf("another direct message: %s", again.Raw)
	}
	r.by(asUser, func(r rig) { r.refused("channel_not_found", "conversations.history", "channel", g.Text("channel")) })
}

func TestScheduledMessages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	at := func(d time.Duration) string { return seconds(r.Now.Add(d)) }
	r.refused("time_in_past", "chat.scheduleMessage", "channel", general, "text", "x", "post_at", at(-time.Minute))
	r.refused("time_too_far", "chat.scheduleMessage", "channel", general, "text", "x", "post_at", at(121*24*time.Hour))
	r.refused("time_too_far", "chat.scheduleMessage", "channel", general, "text", "x", "post_at", "9223372036854775807") // once a timer in the year 292277026596
	r.refused("invalid_time", "chat.scheduleMessage", "channel", general, "text", "x", "post_at", "soon")
	g := r.ok("chat.scheduleMessage", "channel", general, "text", "standup", "post_at", at(time.Hour))
	faketest.Want(t, g, map[string]any{"channel": general, "message.type": "delayed_message", "message.text": "standup"})
	other := r.ok("chat.scheduleMessage", "channel", general, "text", "never", "post_at", at(2*time.Hour)).Text("scheduled_message_id")
	list := r.ok("chat.scheduledMessages.list")
	if list.Len("scheduled_messages") != 2 || list.Text("scheduled_messages.0.text") != "standup" {
		t.Error(list.Raw)
	}
	r.ok("chat.deleteScheduledMessage", "channel", general, "scheduled_message_id", other)
	r.refused("invalid_scheduled_message_id", "chat.deleteScheduledMessage", "channel", general, "scheduled_message_id", other)
	if len(r.Outbox()) != 0 {
		t.Error("sent too early")
	}
	r.Wait(3 * time.Hour)
	history := r.ok("conversations.history", "channel", general)
	if history.Len("messages") != 1 || history.Text("messages.0.text") != "standup" {
		t.Error(history.Raw)
	}
	if len(r.Outbox()) != 1 || r.ok("chat.scheduledMessages.list").Len("scheduled_messages") != 0 {
		t.Error("not sent once")
	}
}
