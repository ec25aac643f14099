package slack_test

import (
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/faketest"
)

func TestOthersEditRecords(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Send("GET", "/api/conversations.join?channel="+general, "")
	ts := r.Must(200, r.Send("GET", "/api/chat.postMessage?channel="+general+"&text=Hello", "")).Text("ts")
	at := "channel=" + general + "&ts=" + ts
	r.Edits(faketest.Edit{
		Read:    "/api/conversations.replies?" + at,
		Writes:  []string{"GET /api/chat.update?" + at + "&text=x", "GET /api/chat.delete?" + at, "GET /api/reactions.get?channel=" + general + "&timestamp=" + ts, "GET /api/conversations.history?channel=" + general + "&latest=" + ts + "&limit=1&inclusive=true"},
		Nowhere: "/api/conversations.replies?channel=" + general + "&ts=1.000001",
		Set:     map[string]any{"text": "Goodbye"}, At: "messages.0.text", Shows: "Goodbye", Bad: map[string]any{"text": int64(1)}, Gone: 200,
	})
	if got := r.Send("GET", "/api/conversations.replies?"+at, ""); got.Text("error") != "thread_not_found" {
		t.Errorf("the message is still there: %s", got.Raw)
	}
	r.Edits(faketest.Edit{
		Read: "/api/conversations.info?channel=" + general, Writes: []string{"GET /api/conversations.setTopic?topic=x&channel=" + general}, Nowhere: "/api/conversations.info?channel=C0NOBODY",
		Set: map[string]any{"topic": map[string]any{"value": "News"}}, At: "channel.topic.value", Shows: "News", Gone: 200,
	})
	r.Edits(faketest.Edit{
		Read: "/api/users.info?user=" + ahmed, Set: map[string]any{"real_name": "A."}, At: "user.real_name", Shows: "A.", Gone: 200,
	})
	if c, id := r.Subject("GET", "/api/chat.postMessage?text=x&channel="+general); c != "" {
		t.Errorf("a new message is %s %s", c, id)
	}
}

func TestTroubleIsWordedAsSlackDoes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Words("POST", "/api/conversations.list", []faketest.Worded{
		{Trouble: fakes.Problem{Kind: fakes.Forbidden}, Status: 200, Says: `"error":"missing_scope","needed":"channels:read"`},
		{Trouble: fakes.Problem{Kind: fakes.Forbidden, Message: "Ask for a test key."}, Status: 200, Says: `"messages":["[ERROR] Ask for a test key."]`},
		{Trouble: fakes.Problem{Kind: fakes.Revoked}, Status: 200, Says: `"error":"token_revoked"`},
		{Trouble: fakes.Problem{Kind: fakes.SessionExpired}, Status: 200, Says: `"error":"token_expired"`},
		{Trouble: fakes.Problem{Kind: fakes.CursorExpired}, Status: 200, Says: `"error":"invalid_cursor"`},
		{Trouble: fakes.Problem{Kind: fakes.OverQuota, RetryAfter: time.Hour}, Status: 429, Says: "ratelimited", Header: []string{"Retry-After", "3600"}},
		{Trouble: fakes.Problem{Kind: fakes.Locked}, Status: 200, Says: "access_denied"},
		{Trouble: fakes.Problem{Kind: fakes.KeyReused}, Status: 200, Says: `"ok":false`},
		{Trouble: fakes.Problem{Kind: fakes.Retired}, Status: 200, Says: "method_deprecated"},
	})
}
