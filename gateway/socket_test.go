package gateway_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"parity/fakes/cast"
	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
)

const listening = `
profile: listening
seed: 7
services: {slack: {}}
clock: {mode: stepped}
`

// phone is a client of Slack's Socket Mode.
type phone struct {
	t *testing.T
	*websocket.Conn
}

// dial opens a websocket of Slack by one way to the gateway.
func dial(t *testing.T, c *http.Client, base, prefix string) phone {
	t.Helper()
	opened := must(t, c, http.MethodPost, base+"/api/apps.connections.open", "", "Authorization", "Bearer xapp-1-A0PARITY01-1-x")
	address := cast.Text(opened["url"])
	if !strings.HasPrefix(address, prefix+"/link/?ticket=") {
		t.Fatalf("%v, want an address below %s", opened, prefix)
	}
	conn, _, err := websocket.Dial(t.Context(), address, &websocket.DialOptions{HTTPClient: &http.Client{Transport: c.Transport}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	if _, _, err := websocket.Dial(t.Context(), address, &websocket.DialOptions{HTTPClient: &http.Client{Transport: c.Transport}}); err == nil {
		t.Error("an address was good for two")
	}
	return phone{t, conn}
}

func (p phone) hears() map[string]any {
	p.t.Helper()
	ctx, stop := context.WithTimeout(p.t.Context(), 20*time.Second)
	defer stop()
	_, message, err := p.Read(ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	var said map[string]any
	if err := json.Unmarshal(message, &said); err != nil {
		p.t.Fatal(err)
	}
	return said
}

func (p phone) acks(envelope map[string]any, payload string) {
	p.t.Helper()
	if err := p.Write(p.t.Context(), websocket.MessageText, []byte(`{"envelope_id":"`+cast.Text(envelope["envelope_id"])+`","payload":`+payload+`}`)); err != nil {
		p.t.Fatal(err)
	}
}

// An app could not be told of anything by a websocket, through the proxy or by a
// base URL.
func TestAFakeSendsOnTheWebsocketsThatClientsOpen(t *testing.T) {
	t.Parallel()
	h := open(t, listening, func(s *gateway.Settings) { s.Token = controlToken })
	c, direct := h.proxied(false), h.direct(false, false)
	post := func(text string) {
		t.Helper()
		must(t, c, http.MethodPost, "https://slack.com/api/chat.postMessage", "channel=C0GENERAL01&text="+text, "Authorization", "Bearer xoxp-1-r")
	}
	must(t, c, http.MethodPost, "https://slack.com/api/apps.connections.open", "", "Authorization", "Bearer xapp-1-A0PARITY01-1-x")
	post("early") // nobody is there yet: it waits
	one := dial(t, c, "https://slack.com", "wss://wss-primary.slack.com")
	if hello := one.hears(); hello["type"] != "hello" || hello["num_connections"] != 1.0 {
		t.Fatalf("%v", hello)
	}
	text := func(envelope map[string]any) any {
		return cast.Object(cast.Object(envelope["payload"])["event"])["text"]
	}
	early := one.hears()
	if one.acks(early, "{}"); text(early) != "early" {
		t.Errorf("%v", early)
	}
	base := "http://" + h.Addr() + "/run/" + h.Run.ID + "/slack"
	two := dial(t, direct, base, "ws"+strings.TrimPrefix(base, "http"))
	if hello := two.hears(); hello["num_connections"] != 2.0 {
		t.Errorf("%v", hello)
	}
	post("late")
	late := two.hears() // the other one's turn
	if two.acks(late, "{}"); text(late) != "late" {
		t.Errorf("%v", late)
	}
	k, err := client.New(client.Options{URL: "http://" + h.Control(), Token: controlToken})
	if err != nil {
		t.Fatal(err)
	}
	_ = two.CloseNow()
	if _, err := k.MoveClock(t.Context(), h.Run.ID, client.Move{Advance: "6h"}); err != nil {
		t.Fatal(err)
	}
	for _, reason := range []string{"warning", "refresh_requested"} {
		if said := one.hears(); said["type"] != "disconnect" || said["reason"] != reason {
			t.Errorf("%v, want %s", said, reason)
		}
	}
	if _, _, err := one.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
		t.Errorf("after the last message: %v", err)
	}
	told := map[int]int{}
	events, _ := h.events()
	for _, e := range events {
		if e.Kind == trail.Delivered && e.Delivery.Method == "SEND" {
			told[e.Delivery.Status]++
		}
	}
	if told[200] < 4 || told[0] != 2 { // two of the connection that its client closed
		t.Errorf("deliveries by status: %v", told)
	}
	h.repeats()
}
