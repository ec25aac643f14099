package slack_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/slack"
)

// said is one exchange of a conversation that was made up for a test.
func said(method, form, reply string) map[string]any {
	return map[string]any{
		"request": map[string]any{
			"method": "POST", "url": "https://slack.com/api/" + method, "headers": map[string]string{"content-type": "application/x-www-form-urlencoded"}, "body": form,
		},
		"response": map[string]any{
			"status": 200, "headers": map[string]string{"date": "Sat, 19 Jul 2025 11:03:01 GMT", "content-type": "application/json; charset=utf-8"}, "body": reply,
		},
	}
}

// A conversation that posts, answers, changes, reacts and deletes goes as it
// went, in a world that is set up from nothing but itself.
func TestConversationsThatWrite(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PARITY_SHARED", dir)
	const (
		profile = `"bot_profile": {"id": "B0AAAAAAA1", "app_id": "A0AAAAAAA1", "name": "Their App", "deleted": false, "updated": 1663960005, "team_id": "T0AAAAAAA1"}`
		author  = `"user": "U0AAAAAAA1", "bot_id": "B0AAAAAAA1", "app_id": "A0AAAAAAA1", "team": "T0AAAAAAA1", ` + profile
		first   = `"1752922981.702899"`
		second  = `"1752922982.111119"`
	)
	conversation := map[string]any{"service": "slack", "grade": "A", "exchanges": []any{
		said("chat.postMessage", "channel=C0AAAAAAA1&text=one", `{"ok": true, "channel": "C0AAAAAAA1", "ts": `+first+`, "message": {"type": "message", "ts": `+first+`, "text": "one", `+author+`}}`),
		said("chat.postMessage", "channel=C0AAAAAAA1&text=two&thread_ts=1752922981.702899", `{"ok": true, "channel": "C0AAAAAAA1", "ts": `+second+`, "message": {"type": "message", "ts": `+second+`, "text": "two", "thread_ts": `+first+`, "parent_user_id": "U0AAAAAAA1", `+author+`}}`),
		said("conversations.replies", "channel=C0AAAAAAA1&ts=1752922981.702899", `{"ok": true, "has_more": false, "messages": [{"ts": `+first+`, "text": "one", "thread_ts": `+first+`, "reply_count": 1, "reply_users_count": 1, "reply_users": ["U0AAAAAAA1"], "latest_reply": `+second+`, "is_locked": false}, {"ts": `+second+`, "text": "two", "thread_ts": `+first+`}]}`),
		said("chat.update", "channel=C0AAAAAAA1&ts=1752922981.702899&text=uno", `{"ok": true, "channel": "C0AAAAAAA1", "ts": `+first+`, "text": "uno", "message": {"type": "message", "text": "uno", "edited": {"user": "B0AAAAAAA1", "ts": "1752922983.000000"}}}`),
		said("reactions.add", "channel=C0AAAAAAA1&timestamp=1752900000.000100&name=tada", `{"ok": true}`),
		said("conversations.setTopic", "channel=C0BBBBBBB1&topic=new", `{"ok": true, "channel": {"id": "C0BBBBBBB1", "name": "topics", "is_member": true, "is_private": false, "topic": {"value": "new", "creator": "U0AAAAAAA1", "last_set": 1752922981}}}`),
		said("chat.delete", "channel=C0AAAAAAA1&ts=1752922982.111119", `{"ok": true, "channel": "C0AAAAAAA1", "ts": `+second+`}`),
		said("chat.postMessage", "channel=C0CCCCCCC1&text=x", `{"ok": false, "error": "channel_not_found"}`),
		said("chat.postMessage", "channel=C0DDDDDDD1&text=x", `{"ok": false, "error": "is_archived"}`),
		said("conversations.history", "channel=C0EEEEEEE1", `{"ok": false, "error": "not_in_channel"}`),
		said("conversations.join", "channel=C0EEEEEEE1", `{"ok": true, "channel": {"id": "C0EEEEEEE1", "is_member": true}}`),
		said("conversations.list", "limit=10", `{"ok": true, "channels": [{"id": "C0FFFFFFF1", "name": "f1", "is_channel": true, "is_member": false, "num_members": 3}], "response_metadata": {"next_cursor": "dGVhbTpDMEZGRkZGRkYy"}}`),
		said("conversations.list", "limit=10&cursor=dGVhbTpDMEZGRkZGRkYy", `{"ok": true, "channels": [{"id": "C0FFFFFFF2", "name": "f2", "is_channel": true, "is_member": true, "num_members": 1}], "response_metadata": {"next_cursor": ""}}`),
	}}
	data, err := json.Marshal(conversation)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "recordings", "slack"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "recordings", "slack", "writes.json"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	service, err := slack.New()
	if err != nil {
		t.Fatal(err)
	}
	faketest.Recorded(t, service, "slack", func(r *faketest.Rig) { r.Header.Set("Authorization", asBot) }, nil)
}
