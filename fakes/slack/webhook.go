package slack

import (
	"net/http"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs/body"
)

// incomingWebhook posts by an address alone. It answers in plain text.
// Source: docs.slack.dev/messaging/sending-messages-using-incoming-webhooks,
// "Handling errors".
func incomingWebhook(c *call) (answer, *refusal) {
	payload, ok := c.payload()
	if !ok {
		return plainly(http.StatusBadRequest, "invalid_payload")
	}
	hook, target, code := c.hook(payload)
	switch code {
	case "":
	case "no_service", "no_team", channelNotFound:
		return plainly(http.StatusNotFound, code)
	default:
		return plainly(http.StatusForbidden, code)
	}
	c.args = payload
	c.who = who{kind: botToken, user: kit.Text(c.app(), "user_id")}
	channel, refused := c.addressed(target)
	switch {
	case refused != nil:
		return plainly(http.StatusNotFound, channelNotFound)
	case channel.Value()["is_archived"] == true:
		return plainly(http.StatusGone, "channel_is_archived")
	}
	content, refused := c.content()
	if refused != nil {
		return plainly(http.StatusBadRequest, refused.code)
	}
	parent, refused := c.threadOf(channel, c.text("thread_ts"))
	if refused != nil {
		return plainly(http.StatusBadRequest, refused.code)
	}
	value := c.authored(content)
	if name := kit.Text(hook, "name"); value["subtype"] == nil {
		delete(value, "user")
		value["subtype"] = "bot_message"
		if name != "" {
			value["username"] = name
		}
	}
	c.warnings = nil
	c.write(post{channel: channel, thread: parent, value: value}, c.flag("reply_broadcast", false))
	return answer{plain: true, status: http.StatusOK, text: []byte("ok"), kind: "text/html"}, nil
}

// payload is what the body says: JSON, or JSON in the field payload of a form.
func (c *call) payload() (map[string]any, bool) {
	if text, ok := c.Input.Body["payload"].(string); ok {
		value, wrong := body.DecodeJSON([]byte(text))
		object, isObject := value.(map[string]any)
		object, _ = world.Normalise(object).(map[string]any)
		return object, wrong == nil && isObject
	}
	if c.Input.Body != nil && !isForm(c.Header) {
		return c.Input.Body, true
	}
	text, _ := c.Input.Value.(string) // called text, or a form
	for name := range c.Input.Body {
		text = name
	}
	value, wrong := body.DecodeJSON([]byte(text))
	object, isObject := value.(map[string]any)
	object, _ = world.Normalise(object).(map[string]any)
	return object, wrong == nil && isObject
}

// hook finds the webhook that the address names, and its channel. One that
// nobody declared posts to the first channel.
func (c *call) hook(payload map[string]any) (hook map[string]any, target, code string) {
	team, secret := c.Input.Path["team"], c.Input.Path["secret"]
	id := team + "/" + c.Input.Path["bot"] + "/" + secret
	if record, ok := c.get(hooks, id); ok {
		if record.Value()["disabled"] == true {
			return nil, "", "no_service"
		}
		return record.Value(), kit.Text(record.Value(), "channel"), ""
	}
	switch {
	case !strings.HasPrefix(team, "T") || !strings.HasPrefix(c.Input.Path["bot"], "B"):
		return nil, "", "no_team"
	case c.Tx.Len(c.fake.Full(hooks)) > 0:
		return nil, "", "no_service" // the world says which there are
	}
	if target = asText(payload["channel"]); target != "" {
		return nil, target, ""
	}
	for channel := range c.Tx.Oldest(c.fake.Full(channels), 0) {
		if channel.Value()["is_general"] == true {
			return nil, channel.ID, ""
		}
	}
	return nil, "", channelNotFound
}
