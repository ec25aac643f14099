package slack

import (
	"maps"
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// respond answers where somebody pressed a button or typed a command: by the
// address that the interaction gave, five times within half an hour.
// Source: docs.slack.dev/interactivity/handling-user-interaction, "Message
// responses".
func respond(c *call) (answer, *refusal) {
	payload, ok := c.payload()
	if !ok {
		return failed(http.StatusBadRequest, "invalid_payload")
	}
	kind := strings.SplitN(c.Operation.Path, "/", 3)[1]
	id := kind + "/" + c.Input.Path["team"] + "/" + c.Input.Path["number"] + "/" + c.Input.Path["secret"]
	record, ok := c.get(responses, id)
	switch {
	case !ok:
		return failed(http.StatusNotFound, "invalid_url")
	case c.now() >= cast.Int(record.Value()["expires"]):
		return failed(http.StatusNotFound, "expired_url")
	case cast.Int(record.Value()["uses"]) >= responseUses:
		return failed(http.StatusNotFound, "used_url")
	}
	c.args, c.who = payload, who{kind: botToken, user: kit.Text(c.app(), "user_id")}
	if refused := c.answerAt(record.Value()); refused != nil {
		return failed(http.StatusBadRequest, refused.code)
	}
	value := maps.Clone(record.Value())
	value["uses"] = cast.Int(value["uses"]) + 1
	c.update(responses, id, value)
	c.warnings = nil
	return done()
}

// failed is a refusal of these addresses: they have statuses, unlike methods.
func failed(status int, code string) (answer, *refusal) {
	return answer{plain: true, status: status, text: []byte(`{"ok":false,"error":"` + code + `"}`), kind: "application/json; charset=utf-8"}, nil
}

// answerAt says what the app answers: in place of the message where somebody
// acted, or beside it; to that person alone unless it is to be seen by all.
func (c *call) answerAt(where map[string]any) *refusal {
	channel, ok := c.get(channels, kit.Text(where, "channel"))
	if !ok {
		return refuse(channelNotFound)
	}
	acted, there := c.message(channel, kit.Text(where, "ts"))
	if c.flag("delete_original", false) {
		if there {
			c.erase(channel, acted)
		}
		return nil
	}
	content, refused := c.content()
	if refused != nil {
		return refused
	}
	if c.flag("replace_original", false) && there {
		was := cast.Object(acted.Value()["message"])
		value := maps.Clone(was)
		delete(value, "attachments")
		delete(value, "blocks")
		maps.Copy(value, content)
		value["edited"] = map[string]any{"user": kit.Text(was, "bot_id"), "ts": stamp(c.now() * 1e6)}
		c.rewrite(acted, value)
		c.announce(channel, value, was)
		return nil
	}
	if c.text("response_type") == "in_channel" {
		parent, refused := c.threadOf(channel, c.text("thread_ts"))
		if refused != nil {
			return refused
		}
		c.write(post{channel: channel, thread: parent, value: c.authored(content), owner: c.who.user}, false)
		return nil
	}
	value := c.authored(content)
	value["ts"], value["is_ephemeral"] = c.nextStamp(channel.ID), true
	id := channel.ID + "/" + asText(value["ts"])
	c.create(ephemerals, id, map[string]any{"id": id, "channel": channel.ID, "user": where["user"], "message": value})
	c.outbox("ephemeral", channel, value)
	return nil
}
