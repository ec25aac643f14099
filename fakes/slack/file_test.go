package slack_test

import (
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

// upload sends a file and gives its id.
func (r rig) upload(filename, content string) string {
	r.T.Helper()
	g := r.ok("files.getUploadURLExternal", "filename", filename, "length", "3")
	target, ok := strings.CutPrefix(g.Text("upload_url"), "https://files.slack.com")
	if !ok {
		r.T.Fatalf("upload_url %s", g.Text("upload_url"))
	}
	if sent := r.Send("POST", target, content, "Content-Type", "application/octet-stream", "Authorization", ""); sent.Status != 200 || !strings.HasPrefix(sent.Raw, "OK - ") {
		r.T.Fatalf("%d %s", sent.Status, sent.Raw)
	}
	return g.Text("file_id")
}

func TestUploads(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	g := r.refused("invalid_arguments", "files.getUploadURLExternal", "filename", "a.csv")
	if g.Text("response_metadata.messages.0") != "[ERROR] missing required field: length" {
		t.Error(g.Raw)
	}
	id := r.upload("Q3 report.csv", "a,b\n1,2\n")
	r.refused("file_not_found", "files.info", "file", id)
	done := r.ok("files.completeUploadExternal", "files", `[{"id":"`+id+`","title":"Q3"}]`, "channel_id", general, "initial_comment", "numbers")
	faketest.Want(t, done, map[string]any{
		"files.0.id": id, "files.0.title": "Q3", "files.0.name": "Q3 report.csv", "files.0.size": 8, "files.0.mimetype": "", "files.0.shares": map[string]any{},
		"files.0.user": bot, "files.0.is_public": false,
	})
	r.refused("file_not_found", "files.completeUploadExternal", "files", `[{"id":"`+id+`"}]`)
	if r.ok("conversations.history", "channel", general).Len("messages") != 0 {
		t.Error("shared at once")
	}
	r.Wait(2 * time.Second)
	info := r.ok("files.info", "file", id)
	faketest.Want(t, info, map[string]any{"file.mimetype": "text/csv", "file.filetype": "csv", "file.channels": []string{general}, "file.is_public": true, "file.preview": "a,b\n1,2\n"})
	history := r.ok("conversations.history", "channel", general)
	faketest.Want(t, history, map[string]any{"messages.0.text": "numbers", "messages.0.files.0.id": id})
	if info.Text("file.shares.public."+general+".0.ts") != history.Text("messages.0.ts") {
		t.Error(info.Raw)
	}
	read := r.Send("GET", strings.TrimPrefix(info.Text("file.url_private"), "https://files.slack.com"), "")
	if read.Status != 200 || read.Raw != "a,b\n1,2\n" || read.Header.Get("Content-Type") != "text/csv" {
		t.Errorf("%d %s", read.Status, read.Raw)
	}
	if read := r.Send("GET", strings.TrimPrefix(info.Text("file.url_private"), "https://files.slack.com"), "", "Authorization", ""); read.Status == 200 {
		t.Error("read without a token")
	}
	faketest.Want(t, r.ok("files.list", "channel", general), map[string]any{"files.0.id": id, "paging.total": 1, "paging.pages": 1})
	r.by(asUser, func(r rig) { r.refused("cant_delete_file", "files.delete", "file", id) })
	r.ok("files.delete", "file", id)
	r.refused("file_deleted", "files.delete", "file", id)
	faketest.Want(t, r.ok("conversations.history", "channel", general), map[string]any{"messages.0.files.0": map[string]any{"id": id, "mode": "tombstone"}})
}

func TestUploadsOfForms(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	g := r.ok("files.getUploadURLExternal", "filename", "a.bin", "length", "4")
	target := strings.TrimPrefix(g.Text("upload_url"), "https://files.slack.com")
	form := "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\nContent-Type: application/octet-stream\r\n\r\n\x00\xff\x01\x02\r\n--x--\r\n"
	if sent := r.Send("PUT", target, form, "Content-Type", "multipart/form-data; boundary=x"); sent.Raw != "OK - 4" {
		t.Error(sent.Raw)
	}
	if sent := r.Send("POST", target, "50 % off; a[b", "Content-Type", "application/x-www-form-urlencoded"); sent.Raw != "OK - 13" {
		t.Error(sent.Raw)
	}
	if sent := r.Send("POST", "/upload/v1/nonsense", "x"); sent.Status != 404 {
		t.Error(sent.Raw)
	}
}

func TestUploadAddressesAreWhereTheClientIs(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Base = "http://127.0.0.1:4317/slack"
	if got := r.ok("files.getUploadURLExternal", "filename", "a", "length", "1").Text("upload_url"); !strings.HasPrefix(got, "http://127.0.0.1:4317/slack/upload/v1/") {
		t.Error(got)
	}
}

func TestFilesAreSharedWhereOneMayPost(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.upload("a.txt", "abc")
	r.refused("channel_not_found", "files.completeUploadExternal", "files", `[{"id":"`+id+`"}]`, "channel_id", "C0NOSUCH001")
	gone := r.channel("gone")
	r.ok("conversations.archive", "channel", gone)
	r.refused("is_archived", "files.completeUploadExternal", "files", `[{"id":"`+id+`"}]`, "channel_id", gone)
	r.refused("invalid_arguments", "files.completeUploadExternal", "files", `nonsense`)
	r.refused("invalid_arguments", "files.completeUploadExternal")
	r.ok("files.completeUploadExternal", "files", `[{"id":"`+id+`"}]`)
	r.Wait(time.Minute)
	if r.ok("files.info", "file", id).At("file.is_public") != false {
		t.Error("shared with nobody, and public")
	}
}

func TestSearchLagsBehind(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ts := r.post(general, "the *quarterly* numbers are in")
	other := r.channel("side")
	r.post(other, "quarterly too")
	find := func(query string) (g faketest.Got) {
		r.by(asUser, func(r rig) { g = r.ok("search.messages", "query", query) })
		return g
	}
	if g := find("quarterly"); g.Text("messages.total") != "0" || g.Len("messages.matches") != 0 {
		t.Error("found at once")
	}
	r.Wait(time.Minute)
	g := find("quarterly")
	faketest.Want(t, g, map[string]any{"query": "quarterly", "messages.total": 2, "messages.paging.pages": 1, "messages.pagination.last": 2, "messages.matches.1.ts": ts})
	if g.Text("messages.matches.1.channel.name") != "general" || g.Text("messages.matches.1.username") != "rehearsal_bot" || g.Text("messages.matches.1.permalink") == "" {
		t.Error(g.Raw)
	}
	for query, total := range map[string]string{
		"quarterly in:#general": "1", "quarterly in:side": "1", "numbers quarterly": "1", "quarterly -numbers": "1", `"are in"`: "1", "from:@rehearsal_bot quarterly": "2",
		"from:me quarterly": "0", "before:2020-01-01 quarterly": "0", "after:2020-01-01 quarterly": "2", "has:link quarterly": "0",
	} {
		if got := find(query).Text("messages.total"); got != total {
			t.Errorf("%s: %s, want %s", query, got, total)
		}
	}
	r.ok("chat.update", "channel", general, "ts", ts, "text", "nothing")
	if find("numbers").Text("messages.total") != "1" {
		t.Error("the change shows at once")
	}
	r.ok("chat.delete", "channel", general, "ts", ts)
	r.Wait(time.Minute)
	if find("nothing").Text("messages.total") != "0" || find("numbers").Text("messages.total") != "0" {
		t.Error("it shows after it is gone")
	}
	r.by(asUser, func(r rig) {
		r.refused("no_query", "search.messages", "query", " ")
		r.refused("invalid_arguments", "search.messages")
	})
}

func TestViews(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	modal := `{"type":"modal","title":{"type":"plain_text","text":"Hello"},"blocks":[{"type":"divider"}],"callback_id":"cb"}`
	g := r.refused("invalid_arguments", "views.open", "trigger_id", "1.2.ab", "view", "{}")
	if g.Text("response_metadata.messages.1") != "[ERROR] missing required field: type [json-pointer:/view]" {
		t.Error(g.Raw)
	}
	r.refused("invalid_trigger_id", "views.open", "trigger_id", "nonsense", "view", modal)
	r.refused("expired_trigger_id", "views.open", "trigger_id", "12345.98765.abcd2358fdea", "view", modal)
	r.Fill("slack.triggers: [{id: 12345.98765.abcd2358fdea}, {id: 12345.98765.abcd2358fdeb}]")
	opened := r.ok("views.open", "trigger_id", "12345.98765.abcd2358fdea", "view", modal)
	faketest.Want(t, opened, map[string]any{"view.type": "modal", "view.callback_id": "cb", "view.title.text": "Hello", "view.previous_view_id": nil, "view.app_id": "A0PARITY01"})
	r.refused("exchanged_trigger_id", "views.open", "trigger_id", "12345.98765.abcd2358fdea", "view", modal)
	pushed := r.ok("views.push", "trigger_id", "12345.98765.abcd2358fdeb", "view", modal)
	if pushed.Text("view.previous_view_id") != opened.Text("view.id") {
		t.Error(pushed.Raw)
	}
	r.refused("hash_conflict", "views.update", "view_id", opened.Text("view.id"), "hash", "1.x", "view", modal)
	r.ok("views.update", "view_id", opened.Text("view.id"), "hash", opened.Text("view.hash"), "view", modal)
	r.refused("not_found", "views.update", "view_id", "V0NOSUCH", "view", modal)
	home := r.ok("views.publish", "user_id", ahmed, "view", `{"type":"home","blocks":[]}`)
	r.refused("hash_conflict", "views.publish", "user_id", ahmed, "hash", "1.x", "view", `{"type":"home","blocks":[]}`)
	if again := r.ok("views.publish", "user_id", ahmed, "view", `{"type":"home","blocks":[]}`); again.Text("view.id") != home.Text("view.id") {
		t.Error("two home tabs")
	}
	r.refused("invalid_arguments", "views.publish", "user_id", "U0NOBODY001", "view", `{"type":"home","blocks":[]}`)
}
