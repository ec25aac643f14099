package slack

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// retries are how long after a failed attempt the next one is made.
// Source: docs.slack.dev/apis/events-api, "Retries": nearly at once, then after
// a minute, then after five.
var retries = []time.Duration{time.Second, time.Minute, 5 * time.Minute}

// Headers of deliveries.
const (
	retryReason = "X-Slack-Retry-Reason"
	challenge   = "challenge/" // begins the id of a delivery that asks for the challenge
)

// announce tells of a message in a channel: that it is new, or with was, that
// it changed.
func (c *call) announce(channel *world.Record, message, was map[string]any) {
	event := maps.Clone(message)
	event["channel"], event["channel_type"], event["event_ts"] = channel.ID, typeName(channel), message["ts"]
	if was != nil {
		now := stamp(c.Now.UnixMicro())
		event = map[string]any{
			"type": "message", "subtype": "message_changed", "hidden": true, "message": message, "previous_message": was, "channel": channel.ID,
			"channel_type": typeName(channel), "ts": now, "event_ts": now,
		}
	}
	c.emitIn(channel, "message", event)
	if was != nil || message["subtype"] != nil {
		return
	}
	if bot := kit.Text(c.app(), "user_id"); bot != "" && strings.Contains(asText(message["text"]), "<@"+bot+">") && message["user"] != bot {
		mention := maps.Clone(event)
		delete(mention, "channel_type")
		mention["type"] = "app_mention"
		c.emitIn(channel, "app_mention", mention)
	}
}

// deleted tells of a message that is gone.
func (c *call) deleted(channel *world.Record, was map[string]any) {
	now := stamp(c.Now.UnixMicro())
	c.emitIn(channel, "message", map[string]any{
		"type": "message", "subtype": "message_deleted", "hidden": true, "deleted_ts": was["ts"], "previous_message": was,
		"channel": channel.ID, "channel_type": typeName(channel), "ts": now, "event_ts": now,
	})
}

// typeName is the kind of a channel as events of messages name it.
func typeName(channel *world.Record) string {
	return map[string]string{"channels": "channel", "groups": "group", "im": "im", "mpim": "mpim"}[familyOf(channel.Value())]
}

// emitIn sends an event of a channel, if the app's bot is in it.
func (c *call) emitIn(channel *world.Record, kind string, event map[string]any) {
	if c.isMember(channel.ID, kit.Text(c.app(), "user_id")) {
		names := []string{kind}
		if kind == "message" {
			names = append(names, "message."+map[string]string{"channel": "channels", "group": "groups", "im": "im", "mpim": "mpim"}[typeName(channel)])
		}
		c.send(names, event, kind)
	}
}

func (c *call) emit(kind string, event map[string]any) { c.send([]string{kind}, event, kind) }

// send queues an event for each endpoint that wants one of its names. What a
// fixture puts there happened before anybody listened.
func (c *call) send(names []string, event map[string]any, kind string) {
	if c.Identity == fakes.Fixture {
		return
	}
	for _, endpoint := range c.listening() {
		wanted := cast.Texts(endpoint.Value()["events"])
		wanted = slices.DeleteFunc(wanted, func(name string) bool { return name == interactive || name == slashCommand })
		if len(wanted) == 0 && endpoint.Value()["events"] != nil {
			continue // it takes no events
		}
		if len(wanted) > 0 && !slices.ContainsFunc(names, func(n string) bool { return slices.Contains(wanted, n) }) {
			continue
		}
		c.deliver(endpoint, event, kind)
	}
}

func (c *call) deliver(endpoint *world.Record, event map[string]any, kind string) {
	app := c.app()
	due := c.Now
	if endpoint.Value()["verified"] != true && !onSocket(endpoint) {
		if _, asked := kit.Waiting(c.Tx, name, challenge+endpoint.ID); !asked {
			c.queue(fakes.Delivery{ID: challenge + endpoint.ID, Due: due}, endpoint, map[string]any{
				"token": "parity-verification-token", "challenge": c.NewID("", 48), "type": "url_verification",
			})
		}
		due = due.Add(time.Second)
	}
	event = maps.Clone(event)
	event["type"] = kind
	if event["event_ts"] == nil {
		event["event_ts"] = stamp(c.Now.UnixMicro())
	}
	id := "Ev" + upper(c.NewID("", 9))
	c.queue(fakes.Delivery{ID: id + "/" + endpoint.ID, Due: due, Event: id}, endpoint, map[string]any{
		"token": "parity-verification-token", "team_id": c.teamID(), "context_team_id": c.teamID(), "context_enterprise_id": nil,
		"api_app_id": app["app_id"], "event": event, "type": "event_callback", "event_id": id, "event_time": c.now(),
		"authorizations": []any{map[string]any{
			"enterprise_id": nil, "team_id": c.teamID(), "user_id": app["user_id"], "is_bot": true, "is_enterprise_install": false,
		}},
		"is_ext_shared_channel": false, "event_context": "4-" + id,
	})
}

// listening are the endpoints that the app is told by. In Socket Mode that is its
// web socket alone.
// Source: docs.slack.dev/apis/events-api/comparing-http-socket-mode.
func (c *call) listening() []*world.Record {
	var all []*world.Record
	for endpoint := range c.Tx.Oldest(c.fake.Full(endpoints), 0) {
		if endpoint.Value()["disabled"] == true {
			continue
		}
		if onSocket(endpoint) {
			return []*world.Record{endpoint}
		}
		all = append(all, endpoint)
	}
	return all
}

func (c *call) queue(d fakes.Delivery, endpoint *world.Record, body map[string]any) {
	if onSocket(endpoint) {
		d.Method, body = socketMethod, c.eventEnvelope(body)
	}
	d.Service, d.URL, d.Attempt, d.Body = name, kit.Text(endpoint.Value(), "url"), 1, world.Encode(body)
	kit.Must(name, kit.Deliver(c.Tx, d))
}

func upper(text string) string { return strings.ToUpper(text) }

// endpointOf is the endpoint that a delivery is for.
func (c *call) endpointOf(d fakes.Delivery) (*world.Record, bool) {
	_, id, _ := strings.Cut(d.ID, "/")
	if f := c.fake; f.Heeds(d) {
		id = d.ID[strings.LastIndex(d.ID, "/")+1:]
	}
	return c.get(endpoints, id)
}

// Sign makes the headers of one attempt: the signature is over the time and the
// body.
// Source: docs.slack.dev/authentication/verifying-requests-from-slack.
func (f *Fake) Sign(fc *fakes.Call, d fakes.Delivery) http.Header {
	if d.OnSocket() {
		return http.Header{} // it is trusted since it was opened with a ticket
	}
	c := f.call(fc)
	secret := ""
	if endpoint, ok := c.endpointOf(d); ok {
		secret = kit.Text(endpoint.Value(), "secret")
	}
	at := strconv.FormatInt(fc.Now.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte("v0:" + at + ":"))
	mac.Write(d.Body)
	h := kit.Headers(
		"Content-Type", "application/json",
		"User-Agent", "Slackbot 1.0 (+https://api.slack.com/robots)",
		"X-Slack-Request-Timestamp", at,
		"X-Slack-Signature", "v0="+hex.EncodeToString(mac.Sum(nil)),
	)
	if d.Attempt > 1 {
		h.Set("X-Slack-Retry-Num", strconv.Itoa(d.Attempt-1))
		h.Set(retryReason, d.Header[retryReason])
	}
	return h
}

// Delivered tries again what was not taken, three times at most. An endpoint
// that does not answer the challenge gets no events.
func (f *Fake) Delivered(fc *fakes.Call, d fakes.Delivery, a fakes.Answer) {
	c := f.call(fc)
	endpoint, ok := c.endpointOf(d)
	if !ok {
		return
	}
	if strings.HasPrefix(d.ID, challenge) {
		value := maps.Clone(endpoint.Value())
		if value["verified"] = a.Taken(); !a.Taken() {
			value["disabled"] = true
		}
		c.update(endpoints, endpoint.ID, value)
		return
	}
	if f.Heeds(d) { // which is sent once
		c.heed(d, a)
		return
	}
	if a.Taken() || d.Attempt > len(retries) || endpoint.Value()["disabled"] == true {
		return
	}
	again := d
	if d.OnSocket() {
		again.Body = c.envelopeAgain(d)
	} else {
		again.Header = map[string]string{retryReason: reasonOf(a)}
	}
	again.Due, again.Attempt = fc.Now.Add(retries[d.Attempt-1]), d.Attempt+1
	kit.Must(name, kit.Deliver(fc.Tx, again))
}

func reasonOf(a fakes.Answer) string {
	switch {
	case a.Status/100 == 3:
		return "too_many_redirects"
	case a.Status != 0:
		return "http_error"
	case strings.Contains(a.Error, "no answer within"), strings.Contains(a.Error, "time"), strings.Contains(a.Error, "deadline"):
		return "http_timeout"
	case strings.Contains(a.Error, "certificate"), strings.Contains(a.Error, "tls"):
		return "ssl_error"
	}
	return "connection_failed"
}
