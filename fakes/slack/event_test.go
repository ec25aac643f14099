package slack_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/faketest"
)

const endpoint = `
slack.webhook_endpoints:
  - {id: app, url: "https://agent.example/slack/events", secret: 8f742231b10e8888abcd99yyyzzz85a5, verified: true, events: [message.channels, reaction_added, app_mention]}
`

func told(t *testing.T, d fakes.Delivery) faketest.Got {
	t.Helper()
	g := faketest.Got{Raw: string(d.Body)}
	if err := json.Unmarshal(d.Body, &g.Body); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestEventsAreDelivered(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(endpoint)
	var ts string
	r.by(asUser, func(r rig) { ts = r.post(general, "hello <@"+bot+">") })
	d, header := r.Attempt(200)
	faketest.Want(t, told(t, d), map[string]any{
		"type": "event_callback", "team_id": "T0PARITY01", "api_app_id": "A0PARITY01", "event.type": "message", "event.channel": general,
		"event.channel_type": "channel", "event.user": owner, "event.ts": ts, "event.event_ts": ts, "authorizations.0.user_id": bot, "is_ext_shared_channel": false,
	})
	mac := hmac.New(sha256.New, []byte("8f742231b10e8888abcd99yyyzzz85a5"))
	mac.Write([]byte("v0:" + header.Get("X-Slack-Request-Timestamp") + ":"))
	mac.Write(d.Body)
	if want := "v0=" + hex.EncodeToString(mac.Sum(nil)); header.Get("X-Slack-Signature") != want || header.Get("X-Slack-Retry-Num") != "" {
		t.Errorf("%v", header)
	}
	d, _ = r.Attempt(200)
	faketest.Want(t, told(t, d), map[string]any{"event.type": "app_mention", "event.text": "hello <@" + bot + ">"})
	r.ok("reactions.add", "channel", general, "timestamp", ts, "name", "wave")
	d, _ = r.Attempt(200)
	faketest.Want(t, told(t, d), map[string]any{"event.type": "reaction_added", "event.reaction": "wave", "event.item.ts": ts, "event.item_user": owner})
	r.ok("conversations.create", "name", "quiet") // channel_created is not asked for, the bot's own joining is a message
	for _, d := range r.Deliveries() {
		if kind := told(t, d).Text("event.type"); kind != "message" {
			t.Errorf("%s is delivered", kind)
		}
	}
}

func TestEventsOfOtherChannelsAreNone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(endpoint)
	r.by(asUser, func(r rig) { r.post(r.channel("elsewhere"), "hello") })
	if n := len(r.Deliveries()); n != 0 {
		t.Errorf("%d deliveries of a channel that the bot is not in", n)
	}
}

func TestRetries(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(endpoint)
	r.by(asUser, func(r rig) { r.post(general, "hello") })
	began := r.Now
	for i, want := range []struct {
		num, reason string
		after       time.Duration
		answer      int
	}{{"", "", 0, 500}, {"1", "http_error", time.Second, 0}, {"2", "connection_failed", time.Minute + time.Second, 302}, {"3", "too_many_redirects", 6*time.Minute + time.Second, 500}} {
		d, header := r.Attempt(want.answer)
		if header.Get("X-Slack-Retry-Num") != want.num || header.Get("X-Slack-Retry-Reason") != want.reason || r.Now.Sub(began) != want.after || d.Attempt != i+1 {
			t.Errorf("attempt %d after %s: %v", i+1, r.Now.Sub(began), header)
		}
	}
	if len(r.Deliveries()) != 0 {
		t.Error("a fifth attempt")
	}
}

func TestEndpointsAreAskedForTheChallenge(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(strings.Replace(endpoint, "verified: true, ", "", 1))
	r.by(asUser, func(r rig) { r.post(general, "hello") })
	d, _ := r.Attempt(200)
	if g := told(t, d); g.Text("type") != "url_verification" || g.Text("challenge") == "" || g.Text("token") == "" {
		t.Error(g.Raw)
	}
	d, _ = r.Attempt(200)
	if g := told(t, d); g.Text("event.type") != "message" {
		t.Error(g.Raw)
	}
	r.Fill(strings.Replace(endpoint, "verified: true, ", "", 1))
	r.by(asUser, func(r rig) { r.post(general, "hello") })
	r.Attempt(404)
	r.by(asUser, func(r rig) { r.post(general, "again") })
	if n := len(r.Deliveries()); n != 1 {
		t.Errorf("%d deliveries wait: none was to be added", n)
	}
}

func TestIncomingWebhooks(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const target = "/services/T0PARITY01/B0PARITY01/abcdefghijklmnopqrstuvwx"
	for _, test := range []struct {
		kind, body string
		status     int
		text       string
	}{
		{"application/json", `{"text":"built"}`, 200, "ok"},
		{"application/x-www-form-urlencoded", "payload=%7B%22text%22%3A%22built%22%7D", 200, "ok"},
		{"application/json", `{"text":"built","channel":"#nowhere"}`, 404, "channel_not_found"},
		{"application/json", `{}`, 400, "no_text"},
		{"application/json", `{"text":`, 400, "invalid_payload"},
		{"application/json", `{"blocks":"x","text":"y"}`, 400, "invalid_blocks_format"},
		{"text/plain", `{"text":"built"}`, 200, "ok"},
	} {
		if g := r.Send("POST", target, test.body, "Content-Type", test.kind, "Authorization", ""); g.Status != test.status || g.Raw != test.text {
			t.Errorf("%+v: %d %s", test, g.Status, g.Raw)
		}
	}
	faketest.Want(t, r.ok("conversations.history", "channel", general), map[string]any{"messages.0.text": "built", "messages.0.subtype": "bot_message", "messages.0.bot_id": "B0PARITY01"})
	r.Fill(`
slack.webhooks:
  - {id: T0PARITY01/B0PARITY01/abcdefghijklmnopqrstuvwx, channel: C0GENERAL01, name: CI}
  - {id: T0PARITY01/B0PARITY01/gone, channel: C0GENERAL01, disabled: true}
`)
	for secret, status := range map[string]int{"abcdefghijklmnopqrstuvwx": 200, "gone": 404, "unknown": 404} {
		if g := r.JSON("POST", "/services/T0PARITY01/B0PARITY01/"+secret, map[string]any{"text": "x"}); g.Status != status {
			t.Errorf("%s: %d %s", secret, g.Status, g.Raw)
		}
	}
	faketest.Want(t, r.ok("conversations.history", "channel", general), map[string]any{"messages.0.username": "CI"})
}
