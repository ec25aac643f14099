package slack_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func seconds(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }

func TestHistoryIsReadInPagesNewestFirst(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var all []string
	for i := range 7 {
		all = append(all, r.post(general, "message "+strconv.Itoa(i)))
		r.Wait(time.Second)
	}
	slices.Reverse(all)
	var read []string
	cursor := ""
	for range 10 {
		g := r.ok("conversations.history", "channel", general, "limit", "3", "cursor", cursor)
		read = append(read, g.Texts("messages", "ts")...)
		cursor = g.Text("response_metadata.next_cursor")
		if g.At("has_more") != (cursor != "") {
			t.Error("has_more and the cursor disagree")
		}
		if cursor == "" {
			break
		}
	}
	if !slices.Equal(all, read) {
		t.Errorf("read %v, want %v", read, all)
	}
	r.refused("invalid_cursor", "conversations.history", "channel", general, "cursor", "bm9uc2Vuc2U=")
	r.refused("invalid_limit", "conversations.history", "channel", general, "limit", "many")
	r.refused("invalid_ts_oldest", "conversations.history", "channel", general, "oldest", "yesterday")
	g := r.ok("conversations.history", "channel", general, "oldest", all[4], "latest", all[1])
	if got := g.Texts("messages", "ts"); !slices.Equal(got, all[2:4]) {
		t.Errorf("between: %v", got)
	}
	g = r.ok("conversations.history", "channel", general, "oldest", all[4], "latest", all[1], "inclusive", "true")
	if got := g.Texts("messages", "ts"); !slices.Equal(got, all[1:5]) {
		t.Errorf("between and at: %v", got)
	}
	g = r.ok("conversations.history", "channel", general, "latest", all[3], "inclusive", "1", "limit", "1")
	if got := g.Texts("messages", "ts"); !slices.Equal(got, all[3:4]) {
		t.Errorf("one message by its ts: %v", got)
	}
}

func TestThreads(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	parent := r.post(general, "who is on call?")
	r.refused("invalid_arguments", "conversations.replies", "channel", general)
	first := r.ok("chat.postMessage", "channel", general, "text", "me", "thread_ts", parent)
	faketest.Want(t, first, map[string]any{"message.thread_ts": parent, "message.parent_user_id": bot})
	var second string
	r.by(asUser, func(r rig) {
		second = r.post(general, "no, me", "thread_ts", first.Text("ts")) // to the reply: it goes to its thread
	})
	loud := r.post(general, "settled", "thread_ts", parent, "reply_broadcast", "true")
	history := r.ok("conversations.history", "channel", general)
	faketest.Want(t, history, map[string]any{
		"messages.0.ts": loud, "messages.0.subtype": "thread_broadcast", "messages.0.root.ts": parent,
		"messages.1.ts": parent, "messages.1.reply_count": 3, "messages.1.reply_users_count": 2,
		"messages.1.latest_reply": loud, "messages.1.reply_users": []string{bot, owner}, "messages.1.thread_ts": parent,
	})
	if history.Len("messages") != 2 {
		t.Error("replies are in the history")
	}
	thread := r.ok("conversations.replies", "channel", general, "ts", parent)
	if got := thread.Texts("messages", "ts"); !slices.Equal(got, []string{parent, first.Text("ts"), second, loud}) {
		t.Errorf("thread: %v", got)
	}
	page := r.ok("conversations.replies", "channel", general, "ts", parent, "limit", "2")
	if page.Len("messages") != 2 || page.At("has_more") != true {
		t.Error(page.Raw)
	}
	page = r.ok("conversations.replies", "channel", general, "ts", parent, "limit", "2", "cursor", page.Text("response_metadata.next_cursor"))
	if page.Text("messages.1.ts") != second {
		t.Error(page.Raw)
	}
	r.refused("thread_not_found", "conversations.replies", "channel", general, "ts", "1700000000.000100")
}

// A ts that went through a number names no message. Slack takes the reply, and
// nobody ever sees it.
func TestReplyToNothingIsTaken(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.post(general, "parent")
	g := r.ok("chat.postMessage", "channel", general, "text", "lost", "thread_ts", "1772366400.0009")
	faketest.Want(t, g, map[string]any{"message.thread_ts": "1772366400.0009", "message.parent_user_id": nil})
	if got := r.ok("conversations.history", "channel", general).Texts("messages", "text"); !slices.Equal(got, []string{"parent"}) {
		t.Errorf("%v", got)
	}
	r.refused("message_not_found", "chat.update", "channel", general, "ts", "1772366400.0009", "text", "x")
	if got := r.refused("invalid_thread_ts", "chat.postMessage", "channel", general, "text", "x", "thread_ts", "0").Text("response_metadata.messages.0"); got != "[ERROR] 0 is not a valid thread_ts" {
		t.Error(got)
	}
}

func TestDeletedParentLeavesATombstone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	parent := r.post(general, "oops")
	reply := r.post(general, "what?", "thread_ts", parent)
	r.ok("chat.delete", "channel", general, "ts", parent)
	thread := r.ok("conversations.replies", "channel", general, "ts", parent)
	faketest.Want(t, thread, map[string]any{
		"messages.0.subtype": "tombstone", "messages.0.text": "This message was deleted.", "messages.0.user": "USLACKBOT",
		"messages.0.reply_count": 1, "messages.1.ts": reply,
	})
	r.refused("message_not_found", "chat.update", "channel", general, "ts", parent, "text", "back")
	r.ok("chat.delete", "channel", general, "ts", reply)
	r.refused("thread_not_found", "conversations.replies", "channel", general, "ts", parent)
}

func TestReactionsAndPins(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ts := r.post(general, "shipped")
	r.ok("reactions.add", "channel", general, "timestamp", ts, "name", ":tada:")
	r.refused("already_reacted", "reactions.add", "channel", general, "timestamp", ts, "name", "tada")
	r.refused("invalid_name", "reactions.add", "channel", general, "timestamp", ts, "name", "No Such!")
	r.refused("no_item_specified", "reactions.add", "name", "tada")
	r.refused("bad_timestamp", "reactions.add", "channel", general, "timestamp", "x", "name", "tada")
	r.refused("message_not_found", "reactions.add", "channel", general, "timestamp", "1700000000.000100", "name", "tada")
	r.by(asUser, func(r rig) { r.ok("reactions.add", "channel", general, "timestamp", ts, "name", "tada") })
	g := r.ok("reactions.get", "channel", general, "timestamp", ts)
	faketest.Want(t, g, map[string]any{"type": "message", "message.reactions.0": map[string]any{"name": "tada", "users": []string{bot, owner}, "count": 2}})
	if r.ok("reactions.list").Len("items") != 1 {
		t.Error("reactions.list")
	}
	r.ok("reactions.remove", "channel", general, "timestamp", ts, "name", "tada")
	r.refused("no_reaction", "reactions.remove", "channel", general, "timestamp", ts, "name", "tada")
	r.ok("pins.add", "channel", general, "timestamp", ts)
	r.refused("already_pinned", "pins.add", "channel", general, "timestamp", ts)
	faketest.Want(t, r.ok("pins.list", "channel", general), map[string]any{"items.0.message.ts": ts, "items.0.created_by": bot})
	if g := r.ok("conversations.history", "channel", general); g.Text("pin_count") != "1" {
		t.Error(g.Raw)
	}
	r.ok("pins.remove", "channel", general, "timestamp", ts)
	r.refused("not_pinned", "pins.remove", "channel", general, "timestamp", ts)
}

func TestBookmarks(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	g := r.ok("bookmarks.add", "channel_id", general, "title", "Runbook", "type", "link", "link", "https://wiki.example/run")
	id := g.Text("bookmark.id")
	r.refused("invalid_link", "bookmarks.add", "channel_id", general, "title", "Runbook", "type", "link", "link", "wiki")
	r.ok("bookmarks.edit", "channel_id", general, "bookmark_id", id, "title", "Runbook 2")
	faketest.Want(t, r.ok("bookmarks.list", "channel_id", general), map[string]any{"bookmarks.0.title": "Runbook 2"})
	r.ok("bookmarks.remove", "channel_id", general, "bookmark_id", id)
	r.refused("not_found", "bookmarks.remove", "channel_id", general, "bookmark_id", id)
}
