package slack_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/faketest"
)

const listens = `
slack.webhook_endpoints:
  - {id: app, url: "https://agent.example/slack", secret: s3cr3t, events: [interactive, slash_commands], verified: true}
slack.commands: [{id: /deploy}]
slack.shortcuts: [{id: file_bug, type: message}, {id: new_task, type: global}]
`

// do has a person act.
func (r rig) do(act, collection, id string, with map[string]any) error {
	r.T.Helper()
	call := r.Later(r.Now)
	attended, _ := r.Service.Fake.(fakes.Attended)
	waits, ok := attended.Waits(call, "slack."+collection, id)
	if !ok || waits.Says == "" || waits.Since.After(r.Now.Add(time.Second)) {
		r.T.Errorf("%s waits: %+v", id, waits)
	}
	_, err := attended.Do(call, fakes.Deed{Act: act, Collection: "slack." + collection, ID: id, With: with})
	if err == nil {
		r.World = call.Tx.Commit()
	}
	return err
}

// told is the payload that the app gets next, and how it answers.
func (r rig) told(status int, answer string) (payload map[string]any, form url.Values) {
	r.T.Helper()
	d, header := r.Answered(status, answer)
	if header.Get("X-Slack-Signature") == "" || d.Header["Content-Type"] != "application/x-www-form-urlencoded" {
		r.T.Errorf("headers %v", header)
	}
	form, err := url.ParseQuery(string(d.Body))
	if err != nil {
		r.T.Fatal(err)
	}
	if text := form.Get("payload"); text != "" {
		if err := json.Unmarshal([]byte(text), &payload); err != nil {
			r.T.Fatal(err)
		}
	}
	return payload, form
}

func (r rig) answerAt(address any, body string) faketest.Got {
	r.T.Helper()
	text, _ := address.(string)
	return r.Send("POST", strings.TrimPrefix(text, "https://hooks.slack.com"), body, "Content-Type", "application/json", "Authorization", "")
}

const approval = `[{"type":"section","text":{"type":"mrkdwn","text":"Ship it?"},"accessory":{"type":"static_select","action_id":"env","options":[{"text":{"type":"plain_text","text":"Staging"},"value":"stg"},{"text":{"type":"plain_text","text":"Production"},"value":"prd"}]}},{"type":"actions","block_id":"b1","elements":[{"type":"button","action_id":"yes","value":"42","text":{"type":"plain_text","text":"Yes"}},{"type":"button","text":{"type":"plain_text","text":"No"}}]}]`

func TestAButtonThatIsPressedReachesTheAppAndIsAnswered(t *testing.T) {
	t.Parallel()
	deaf := newRig(t)
	if err := deaf.do("press", "messages", general+"/"+deaf.post(general, "Ship it?", "blocks", approval), map[string]any{"action_id": "yes"}); err == nil {
		t.Error("nobody is told, since the app has no address")
	}
	r := newRig(t)
	r.Fill(listens)
	quiet := r.post(general, "no buttons")
	ts := r.post(general, "Ship it?", "blocks", approval)
	id := general + "/" + ts
	for _, wrong := range []map[string]any{{}, {"action_id": "nope"}, {"action_id": "yes", "user": "nobody"}, {"action_id": "env", "value": "moon"}} {
		if err := r.do("press", "messages", id, wrong); !errors.Is(err, fakes.ErrAct) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	attended, _ := r.Service.Fake.(fakes.Attended)
	if _, waits := attended.Waits(r.Later(r.Now), "slack.messages", general+"/"+quiet); waits {
		t.Error("a message without buttons waits for nobody")
	}
	if err := r.do("press", "messages", id, map[string]any{"action_id": "yes", "user": "ahmed"}); err != nil {
		t.Fatal(err)
	}
	pressed, _ := r.told(200, "")
	got := faketest.Got{Body: pressed}
	faketest.Want(t, got, map[string]any{
		"type": "block_actions", "user.id": ahmed, "user.username": "ahmed", "api_app_id": "A0PARITY01", "team.domain": "parity-rehearsal", "channel.id": general, "channel.name": "general",
		"container": map[string]any{"type": "message", "message_ts": ts, "channel_id": general, "is_ephemeral": false}, "message.ts": ts,
		"actions.0.action_id": "yes", "actions.0.block_id": "b1", "actions.0.value": "42", "actions.0.type": "button", "actions.0.text.text": "Yes",
	})
	respond := pressed["response_url"]
	if g := r.answerAt(respond, `{"replace_original":true,"text":"Shipped by Ahmed"}`); g.Status != 200 || g.At("ok") != true {
		t.Fatal(g.Raw)
	}
	if g := r.ok("conversations.history", "channel", general, "limit", "1"); g.Text("messages.0.text") != "Shipped by Ahmed" || g.Text("messages.0.ts") != ts {
		t.Error(g.Raw)
	}
	for range 3 {
		r.answerAt(respond, `{"text":"only for you"}`)
	}
	if g := r.answerAt(respond, `{"response_type":"in_channel","replace_original":false,"text":"for all"}`); g.Status != 200 {
		t.Error(g.Raw)
	}
	if g := r.answerAt(respond, `{"text":"once more"}`); g.Status != 404 || g.Text("error") != "used_url" {
		t.Errorf("a sixth answer: %d %s", g.Status, g.Raw)
	}
	if n := r.ok("conversations.history", "channel", general).Len("messages"); n != 3 {
		t.Errorf("%d messages", n)
	}
	again := r.post(general, "Where to?", "blocks", approval)
	if err := r.do("press", "messages", general+"/"+again, map[string]any{"action_id": "env", "value": "Production"}); err != nil {
		t.Fatal(err)
	}
	chose, _ := r.told(200, "")
	faketest.Want(t, faketest.Got{Body: chose}, map[string]any{"actions.0.type": "static_select", "actions.0.selected_option.value": "prd", "user.id": owner})
	r.Wait(31 * time.Minute)
	if g := r.answerAt(chose["response_url"], `{"delete_original":true}`); g.Status != 404 || g.Text("error") != "expired_url" {
		t.Errorf("after half an hour: %d %s", g.Status, g.Raw)
	}
	r.refused("expired_trigger_id", "views.open", "trigger_id", chose["trigger_id"].(string), "view", dialog)
}

const dialog = `{"type":"modal","callback_id":"ask","notify_on_close":true,"title":{"type":"plain_text","text":"Ask"},"submit":{"type":"plain_text","text":"Send"},"blocks":[{"type":"input","block_id":"why","label":{"type":"plain_text","text":"Why"},"element":{"type":"plain_text_input","action_id":"text"}},{"type":"input","block_id":"who","optional":true,"label":{"type":"plain_text","text":"Who"},"element":{"type":"users_select","action_id":"user"}}]}`

func TestADialogIsOpenedSubmittedAndAnswered(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(listens)
	open := func() string {
		if err := r.do("use", "shortcuts", "new_task", nil); err != nil {
			t.Fatal(err)
		}
		payload, _ := r.told(200, "")
		faketest.Want(t, faketest.Got{Body: payload}, map[string]any{"type": "shortcut", "callback_id": "new_task", "channel": nil})
		trigger := payload["trigger_id"].(string)
		id := r.ok("views.open", "trigger_id", trigger, "view", dialog).Text("view.id")
		r.refused("exchanged_trigger_id", "views.open", "trigger_id", trigger, "view", dialog)
		return id
	}
	id := open()
	if err := r.do("submit", "views", id, map[string]any{"values": map[string]any{}}); !errors.Is(err, fakes.ErrAct) {
		t.Errorf("an input has to be filled in: %v", err)
	}
	submit := func(id, answer string) map[string]any {
		if err := r.do("submit", "views", id, map[string]any{"user": "mei", "values": map[string]any{"text": "because", "who": map[string]any{"user": ahmed}}}); err != nil {
			t.Fatal(err)
		}
		payload, _ := r.told(200, answer)
		return payload
	}
	faketest.Want(t, faketest.Got{Body: submit(id, `{"response_action":"errors","errors":{"why":"say more"}}`)}, map[string]any{
		"type": "view_submission", "user.id": mei, "view.id": id, "view.callback_id": "ask", "view.state.values.why.text": map[string]any{"type": "plain_text_input", "value": "because"},
		"view.state.values.who.user.selected_user": ahmed,
	})
	submit(id, `{"response_action":"update","view":`+strings.Replace(dialog, `"ask"`, `"second"`, 1)+`}`)
	if second := (faketest.Got{Body: submit(id, "")}); second.Text("view.callback_id") != "second" {
		t.Error("the answer changed the dialog")
	}
	r.refused("not_found", "views.update", "view_id", id, "view", dialog) // it is closed
	other := open()
	if err := r.do("close", "views", other, nil); err != nil {
		t.Fatal(err)
	}
	closed, _ := r.told(200, "")
	faketest.Want(t, faketest.Got{Body: closed}, map[string]any{"type": "view_closed", "view.id": other, "is_cleared": false})
}

func TestCommandsAndShortcutsOnMessages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(listens)
	if err := r.do("run", "commands", "/deploy", map[string]any{"user": "ahmed", "text": "web to prod"}); err != nil {
		t.Fatal(err)
	}
	_, form := r.told(200, `{"response_type":"in_channel","text":"Deploying"}`)
	for field, want := range map[string]string{"command": "/deploy", "text": "web to prod", "user_name": "ahmed", "channel_name": "general", "channel_id": general, "is_enterprise_install": "false"} {
		if form.Get(field) != want {
			t.Errorf("%s is %q, want %q", field, form.Get(field), want)
		}
	}
	if g := r.ok("conversations.history", "channel", general); g.Text("messages.0.text") != "Deploying" {
		t.Errorf("a command is answered at once: %s", g.Raw)
	}
	if g := r.answerAt(form.Get("response_url"), `{"response_type":"in_channel","text":"Deployed"}`); g.Status != 200 {
		t.Error(g.Raw)
	}
	ts := r.post(general, "it is broken")
	if err := r.do("use", "shortcuts", "file_bug", map[string]any{"channel": "#general", "ts": ts}); err != nil {
		t.Fatal(err)
	}
	used, _ := r.told(200, "")
	faketest.Want(t, faketest.Got{Body: used}, map[string]any{"type": "message_action", "callback_id": "file_bug", "message_ts": ts, "message.text": "it is broken"})
}
