package slack_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/faketest"
)

const asApp = "Bearer xapp-1-A0PARITY01-1-rehearsal"

func (r rig) opens() (path string, g faketest.Got) {
	r.T.Helper()
	r.by(asApp, func(r rig) { g = r.ok("apps.connections.open") })
	path = strings.TrimPrefix(g.Text("url"), "wss://wss-primary.slack.com")
	return path, r.Send("GET", path, "", "Authorization", "")
}

func TestAnAppWithoutAnAddressIsToldByItsSocket(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(listens)
	r.refused("not_allowed_token_type", "apps.connections.open")
	path, hello := r.opens()
	faketest.Want(t, hello, map[string]any{"type": "hello", "connection_info.app_id": "A0PARITY01", "debug_info.approximate_connection_time": 18060})
	if g := r.Send("GET", path, "", "Authorization", ""); g.Status != 403 {
		t.Errorf("a ticket was good twice: %d", g.Status)
	}
	socketed, _ := r.Service.Fake.(fakes.Socketed)
	id := func(d fakes.Delivery) string {
		t.Helper()
		f := socketed.Frame(d)
		if !d.OnSocket() || f.ID == "" || f.Within != 3*time.Second || f.To != "" {
			t.Errorf("%s goes out as %+v", d.ID, f)
		}
		return f.ID
	}
	r.by(asUser, func(r rig) { r.post(general, "hello") })
	d, header := r.Attempt(0)
	first := id(d)
	if len(header) > 0 {
		t.Errorf("a message has headers: %v", header)
	}
	faketest.Want(t, told(t, d), map[string]any{
		"type": "events_api", "accepts_response_payload": false, "retry_attempt": 0, "payload.type": "event_callback", "payload.event.text": "hello",
	})
	d, _ = r.Attempt(200)
	faketest.Want(t, told(t, d), map[string]any{"retry_attempt": 1, "retry_reason": "timeout", "payload.event.text": "hello"})
	if id(d) == first {
		t.Error("what is sent again has the envelope_id of what was not acknowledged")
	}
	if err := r.do("run", "commands", "/deploy", map[string]any{"text": "web"}); err != nil {
		t.Fatal(err)
	}
	envelope, _ := json.Marshal(map[string]any{"envelope_id": "e1", "payload": map[string]any{"text": "on it", "response_type": "in_channel"}})
	acked, answer := socketed.Acked(envelope)
	d, _ = r.Answered(200, string(answer))
	if id(d); acked != "e1" {
		t.Errorf("%s is acknowledged", acked)
	}
	faketest.Want(t, told(t, d), map[string]any{"type": "slash_commands", "accepts_response_payload": true, "payload.command": "/deploy", "payload.text": "web"})
	faketest.Want(t, r.ok("conversations.history", "channel", general), map[string]any{"messages.0.text": "on it"})
	if _, answer := socketed.Acked([]byte(`{"envelope_id":"e2","payload":{}}`)); answer != nil {
		t.Errorf("an empty payload answers %s", answer)
	}
}

func TestAConnectionIsWarnedAndEnds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	path, _ := r.opens()
	ticket, _, _ := strings.Cut(strings.TrimPrefix(path, "/link/?ticket="), "&")
	socketed, _ := r.Service.Fake.(fakes.Socketed)
	r.Wait(18050 * time.Second)
	for _, reason := range []string{"warning", "refresh_requested"} {
		d, _ := r.Attempt(200)
		faketest.Want(t, told(t, d), map[string]any{"type": "disconnect", "reason": reason})
		if f := socketed.Frame(d); f.To != ticket || f.Last != (reason == "refresh_requested") || f.ID != "" {
			t.Errorf("%s goes out as %+v", reason, f)
		}
		r.Wait(10 * time.Second)
	}
	if !strings.Contains(string(socketed.Greet([]byte(`{"type":"hello"}`), 3)), `"num_connections":3`) {
		t.Error("hello does not say how many there are")
	}
	if !strings.Contains(string(socketed.Greet([]byte(`{"type":"hello"}`), 11)), "too_many_websockets") {
		t.Error("an eleventh connection is welcome")
	}
}
