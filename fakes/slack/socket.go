package slack

import (
	"maps"
	"net/http"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs/body"
)

// Socket Mode: an app that has no address of its own is told by a web socket
// that it opens.
// Source: docs.slack.dev/apis/events-api/using-socket-mode, and the envelopes
// that the tests of github.com/slackapi/node-slack-sdk have.
const (
	socketEndpoint = "socket" // the endpoint of an app for which no fixture says one
	socketMethod   = "SEND"   // of deliveries, as the record has it
	socketHost     = "applink-1"
	socketAck      = 3 * time.Second

	// How long a connection lasts, and before its end the app is warned.
	socketLife  = 18060 * time.Second
	socketShort = 360 * time.Second // with debug_reconnects=true
	socketWarns = 10 * time.Second
)

// The timers of a connection, by its ticket; a message disconnect has their
// names for a reason.
const (
	socketWarning = "warning"
	socketRefresh = "refresh_requested"
)

// onSocket tells whether an endpoint is the app's web socket.
func onSocket(endpoint *world.Record) bool {
	return fakes.Delivery{URL: kit.Text(endpoint.Value(), "url")}.OnSocket()
}

// socketBase is where web sockets are opened: Slack's own host, or below the base
// URL that the client used.
func (c *call) socketBase() string {
	base := c.filesBase()
	if strings.HasSuffix(base, ".slack.com") {
		return "wss://wss-primary.slack.com/link/"
	}
	return "ws" + strings.TrimPrefix(base, "http") + "/link/"
}

// openConnection gives the address of a web socket, good for one. From then on
// the app is told by web sockets alone.
func openConnection(c *call) (answer, *refusal) {
	ticket := c.uuid()
	c.create(sockets, ticket, map[string]any{"id": ticket, "used": false})
	base := c.socketBase()
	if on := c.listening(); len(on) == 0 || !onSocket(on[0]) {
		value := map[string]any{"id": socketEndpoint, "url": base, "secret": "", "verified": true}
		if _, there := c.get(endpoints, socketEndpoint); there {
			c.remove(endpoints, socketEndpoint)
		}
		c.create(endpoints, socketEndpoint, value)
	}
	return said(map[string]any{"url": base + "?ticket=" + ticket + "&app_id=" + kit.Text(c.app(), "app_id")})
}

// openSocket opens a web socket for whoever has its address.
func openSocket(c *call) (answer, *refusal) {
	ticket := asText(c.args["ticket"])
	record, ok := c.get(sockets, ticket)
	if !ok || record.Value()["used"] == true {
		return plainly(http.StatusForbidden, "invalid ticket")
	}
	value := maps.Clone(record.Value())
	value["used"] = true
	c.update(sockets, ticket, value)
	life := socketLife
	if c.flag("debug_reconnects", false) {
		life = socketShort
	}
	for _, t := range []fakes.Timer{{Kind: socketWarning, Due: c.Now.Add(life - socketWarns)}, {Kind: socketRefresh, Due: c.Now.Add(life)}} {
		t.Service, t.Subject = name, ticket
		kit.Must(name, kit.Schedule(c.Tx, t))
	}
	hello := map[string]any{
		"type": "hello", "num_connections": int64(1),
		"debug_info":      map[string]any{"host": socketHost, "build_number": int64(10), "approximate_connection_time": int64(life / time.Second)},
		"connection_info": map[string]any{"app_id": c.app()["app_id"]},
	}
	return answer{plain: true, status: http.StatusOK, text: world.Encode(hello), kind: "application/json; charset=utf-8", socket: ticket}, nil
}

// disconnect tells a connection that it ends soon, or now.
func (c *call) disconnect(reason, ticket string) {
	kit.Must(name, kit.Deliver(c.Tx, fakes.Delivery{
		Service: name, ID: "disconnect/" + reason + "/" + ticket, Method: socketMethod, URL: "wss://wss-primary.slack.com/link/", Attempt: 1, Due: c.Now,
		Body: disconnected(reason),
	}))
}

func disconnected(reason string) []byte {
	return world.Encode(map[string]any{"type": "disconnect", "reason": reason, "debug_info": map[string]any{"host": socketHost}})
}

// Greet says how many connections there are; one too many is told to go.
// Source: of the latter, github.com/slackapi/node-slack-sdk/issues/1654.
func (f *Fake) Greet(hello []byte, open int) []byte {
	if open > fakes.MostSockets {
		return disconnected("too_many_websockets")
	}
	value := envelopeOf(hello)
	value["num_connections"] = int64(open)
	return world.Encode(value)
}

// Frame tells how a message goes out: an envelope to any connection, that it ends
// to the one that does.
func (f *Fake) Frame(d fakes.Delivery) fakes.Frame {
	if rest, ok := strings.CutPrefix(d.ID, "disconnect/"); ok {
		reason, ticket, _ := strings.Cut(rest, "/")
		return fakes.Frame{To: ticket, Last: reason == socketRefresh}
	}
	return fakes.Frame{ID: kit.Text(envelopeOf(d.Body), "envelope_id"), Within: socketAck}
}

// Acked reads which envelope a client takes. An empty payload answers nothing.
func (f *Fake) Acked(message []byte) (id string, answer []byte) {
	value := envelopeOf(message)
	switch payload := value["payload"].(type) {
	case string:
		answer = []byte(payload)
	case map[string]any:
		if len(payload) > 0 {
			answer = world.Encode(payload)
		}
	}
	return kit.Text(value, "envelope_id"), answer
}

// envelopeOf reads a message; nothing of one that is no object.
func envelopeOf(message []byte) map[string]any {
	value, _ := body.DecodeJSON(message)
	object, _ := value.(map[string]any)
	object, _ = world.Normalise(object).(map[string]any)
	if object == nil {
		object = map[string]any{}
	}
	return object
}

func (c *call) uuid() string {
	id := requestID(c.NewID("", 32))
	return strings.Join([]string{id[:8], id[8:12], id[12:16], id[16:20], id[20:]}, "-")
}

func (c *call) envelope(kind string, payload map[string]any, answered bool) map[string]any {
	return map[string]any{"envelope_id": c.uuid(), "type": kind, "payload": payload, "accepts_response_payload": answered}
}

func (c *call) eventEnvelope(event map[string]any) map[string]any {
	envelope := c.envelope("events_api", event, false)
	envelope["retry_attempt"], envelope["retry_reason"] = int64(0), ""
	return envelope
}

// envelopeAgain is an envelope that was not acknowledged, as it is sent again.
func (c *call) envelopeAgain(d fakes.Delivery) []byte {
	envelope := envelopeOf(d.Body)
	envelope["envelope_id"], envelope["retry_attempt"], envelope["retry_reason"] = c.uuid(), int64(d.Attempt), "timeout"
	return world.Encode(envelope)
}

// formEnvelope is the envelope of what an endpoint gets as a form: a command, or
// an interaction in its field payload.
func (c *call) formEnvelope(text string) []byte {
	form := formOf([]byte(text))
	if payload := form.Get("payload"); payload != "" {
		value := envelopeOf([]byte(payload))
		return world.Encode(c.envelope(interactive, value, cast.Text(value["type"]) == "view_submission"))
	}
	value := map[string]any{}
	for field := range form {
		value[field] = form.Get(field)
	}
	return world.Encode(c.envelope(slashCommand, value, true))
}
