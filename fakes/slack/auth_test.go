package slack_test

import (
	"net/url"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/faketest"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, test := range []struct{ header, body, query, code string }{
		{"", "", "", "not_authed"},
		{"Bearer", "", "", "not_authed"},
		{"Basic eG94Yi0xOng=", "", "", "not_authed"},
		{"Bearer wrong", "", "", "invalid_auth"},
		{"", "token=wrong", "", "invalid_auth"},
		{"", "", "token=wrong", "invalid_auth"},
		{"Bearer xapp-1-A1-1-x", "", "", "not_allowed_token_type"},
		{"Bearer xoxb-1", "", "", ""},
		{"Bearer xoxp-1", "", "", ""},
		{"bearer xoxp-1", "", "", "not_authed"},
		{"", "token=xoxb-1", "", ""},
		{"", "", "token=xoxb-1", ""},
	} {
		g := r.Form("POST", "/api/auth.test?"+test.query, test.body, "Authorization", test.header)
		if g.Text("error") != test.code || g.Status != 200 {
			t.Errorf("%+v: %d %s", test, g.Status, g.Raw)
		}
	}
}

func TestDeclaredTokens(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(`
slack.tokens:
  - {id: xoxb-narrow, scopes: ["channels:read", "chat:write"]}
  - {id: xoxb-gone, revoked: true}
  - {id: xoxb-old, expires: 2026-01-01T00:00:00Z}
  - {id: xoxp-mei, subject: U0PERSON003}
`)
	r.by("Bearer xoxb-narrow", func(r rig) {
		g := r.refused("missing_scope", "users.list")
		faketest.Want(t, g, map[string]any{"needed": "users:read", "provided": "channels:read,chat:write"})
		if g.Header.Get("X-Oauth-Scopes") != "channels:read,chat:write" || g.Header.Get("X-Accepted-Oauth-Scopes") != "users:read" {
			t.Errorf("%v", g.Header)
		}
		faketest.Want(t, r.refused("missing_scope", "conversations.list", "types", "private_channel"), map[string]any{"needed": "groups:read"})
		faketest.Want(t, r.refused("missing_scope", "conversations.create", "name", "x"), map[string]any{"needed": "channels:manage"})
		r.ok("conversations.list")
		r.ok("chat.postMessage", "channel", general, "text", "hi")
		var id string
		r.by(asUser, func(r rig) { id = r.channel("elsewhere") })
		r.refused("not_in_channel", "chat.postMessage", "channel", id, "text", "hi") // chat:write.public is not among them
	})
	r.by("Bearer xoxb-gone", func(r rig) { r.refused("token_revoked", "auth.test") })
	r.by("Bearer xoxb-old", func(r rig) { r.refused("token_expired", "auth.test") })
	r.by("Bearer xoxp-mei", func(r rig) {
		faketest.Want(t, r.ok("auth.test"), map[string]any{"user_id": mei, "user": "mei"})
		faketest.Want(t, r.ok("auth.revoke", "test", "1"), map[string]any{"revoked": false})
		faketest.Want(t, r.ok("auth.revoke"), map[string]any{"revoked": true})
		r.refused("token_revoked", "auth.test")
	})
	r.ok("auth.revoke")
	r.refused("token_revoked", "auth.test")
}

func TestBotsMayNotSearch(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.refused("not_allowed_token_type", "search.messages", "query", "x")
}

func TestWaysToSayTheSame(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	form := "--x\r\nContent-Disposition: form-data; name=\"channel\"\r\n\r\n" + general + "\r\n--x\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nhi\r\n--x--\r\n"
	for name, g := range map[string]faketest.Got{
		"query by GET":  r.Send("GET", "/api/chat.postMessage?channel="+general+"&text=hi", ""),
		"query by POST": r.Send("POST", "/api/chat.postMessage?channel="+general+"&text=hi", ""),
		"form":          r.Form("POST", "/api/chat.postMessage", "channel="+general+"&text=hi"),
		"multipart":     r.Send("POST", "/api/chat.postMessage", form, "Content-Type", "multipart/form-data; boundary=x"),
		"JSON":          r.Send("POST", "/api/chat.postMessage", `{"channel":"`+general+`","text":"hi","nonsense":[1]}`, "Content-Type", "application/json; charset=utf-8"),
	} {
		if g.At("ok") != true || g.Text("message.text") != "hi" || g.At("warning") != nil {
			t.Errorf("%s: %s", name, g.Raw)
		}
	}
	blocks := `[{"type":"divider"}]`
	a := r.Form("POST", "/api/chat.postMessage", "channel="+general+"&text=x&blocks="+url.QueryEscape(blocks))
	b := r.JSON("POST", "/api/chat.postMessage", map[string]any{"channel": general, "text": "x", "blocks": []any{map[string]any{"type": "divider"}}})
	if a.Text("message.blocks.0.type") != "divider" || b.Text("message.blocks.0.type") != "divider" || b.Text("warning") != "missing_charset" {
		t.Errorf("%s %s", a.Raw, b.Raw)
	}
}

func TestBodiesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, test := range []struct{ kind, body, code string }{
		{"application/json", `{"channel":`, "invalid_json"},
		{"application/json", `["a"]`, "json_not_object"},
		{"application/x-www-form-urlencoded", "text=%zz", "invalid_form_data"},
		{"application/x-www-form-urlencoded", "a[b]=c", "invalid_array_arg"},
		{"application/xml", "<a/>", "invalid_post_type"},
		{"", "channel=x", "missing_post_type"},
	} {
		if g := r.Send("POST", "/api/auth.test", test.body, "Content-Type", test.kind); g.Text("error") != test.code || g.Status != 200 {
			t.Errorf("%+v: %d %s", test, g.Status, g.Raw)
		}
	}
}

func TestUnknownAndRetiredMethods(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	g := r.Must(200, r.Form("POST", "/api/chat.postMessages", "channel=x"))
	faketest.Want(t, g, map[string]any{"ok": false, "error": "unknown_method", "req_method": "chat.postMessages"})
	g = r.Must(200, r.Form("POST", "/api/channels.history", "channel=x"))
	faketest.Want(t, g, map[string]any{"ok": false, "error": "method_deprecated"})
}

func TestRateLimits(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for range 20 {
		r.ok("pins.list", "channel", general)
	}
	g := r.try("pins.list", "channel", general)
	if g.Status != 429 || g.Text("error") != "ratelimited" || g.Header.Get("Retry-After") != "60" {
		t.Errorf("%d %s %v", g.Status, g.Raw, g.Header)
	}
	r.ok("team.info")
	r.by("Bearer xoxb-2-another", func(r rig) { r.ok("pins.list", "channel", general) })
	r.Wait(time.Minute)
	r.ok("pins.list", "channel", general)
	for range 60 {
		r.post(general, "spam")
	}
	if g := r.try("chat.postMessage", "channel", general, "text", "spam"); g.Status != 429 {
		t.Errorf("%d %s", g.Status, g.Raw)
	}
	r.channel("other")
	r.post("#other", "spam")
}

func TestDialect(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	words, _ := r.Service.Fake.(fakes.Dialect)
	for _, test := range []struct {
		trouble fakes.Problem
		status  int
		body    string
		retry   string
	}{
		{fakes.Problem{Kind: fakes.RateLimited, RetryAfter: 1500 * time.Millisecond}, 429, `{"error":"ratelimited","ok":false}`, "2"},
		{fakes.Problem{Kind: fakes.RateLimited}, 429, `{"error":"ratelimited","ok":false}`, ""},
		{fakes.Problem{Kind: fakes.Broken}, 500, `{"error":"internal_error","ok":false}`, ""},
		{fakes.Problem{Kind: fakes.Broken, Status: 503}, 503, `{"error":"service_unavailable","ok":false}`, ""},
		{fakes.Problem{Kind: fakes.Broken, Status: 401}, 200, `{"error":"invalid_auth","ok":false}`, ""},
		{fakes.Problem{Kind: fakes.Broken, Status: 409}, 200, `{"error":"fatal_error","ok":false}`, ""},
		{fakes.Problem{Kind: fakes.Unauthorised, Code: "token_expired"}, 200, `{"error":"token_expired","ok":false}`, ""},
		{fakes.Problem{Kind: fakes.TooLarge}, 413, `{"error":"request_too_large","ok":false}`, ""},
		{fakes.Problem{Kind: fakes.BadRequest}, 200, `{"error":"invalid_arguments","ok":false}`, ""},
	} {
		reply := words.Render(test.trouble)
		if reply.Status != test.status || string(reply.Body) != test.body || reply.Header.Get("Retry-After") != test.retry {
			t.Errorf("%+v: %d %s %v", test.trouble, reply.Status, reply.Body, reply.Header)
		}
	}
}
