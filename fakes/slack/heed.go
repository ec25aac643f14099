package slack

import (
	"maps"
	"net/url"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs/body"
)

// Heeds tells of what somebody did: the app's answer to that counts.
func (f *Fake) Heeds(d fakes.Delivery) bool {
	return strings.HasPrefix(d.ID, "interaction/") || strings.HasPrefix(d.ID, "command/")
}

// heed does what the app answers within its three seconds: a dialog that was
// submitted closes, unless the answer says otherwise; a command is answered in
// its channel.
// Source: docs.slack.dev/surfaces/modals, "Preparing for view submissions", and
// docs.slack.dev/interactivity/implementing-slash-commands.
func (c *call) heed(d fakes.Delivery, a fakes.Answer) {
	if !a.Taken() {
		return // whoever acted is shown a warning
	}
	text := strings.TrimSpace(string(a.Body))
	decoded, wrong := body.DecodeJSON([]byte(text))
	object, isObject := decoded.(map[string]any)
	if wrong != nil || !isObject {
		object = nil
	}
	said := cast.Object(world.Normalise(object))
	if strings.HasPrefix(d.ID, "command/") {
		c.answerCommand(d, text, said)
		return
	}
	view := strings.Split(strings.TrimPrefix(d.ID, "interaction/"), "/")[0]
	if record, ok := c.get(views, view); ok && view != "" {
		c.answerSubmission(record, said)
	}
}

// answerCommand shows what the app answered a command at once.
func (c *call) answerCommand(d fakes.Delivery, text string, said map[string]any) {
	where := formOf(d.Body).Get("response_url")
	if d.OnSocket() {
		where = kit.Text(envelopeOf(d.Body), "payload.response_url")
	}
	at := strings.Index(where, "/commands/")
	record, ok := c.get(responses, strings.TrimPrefix(where[max(at, 0):], "/"))
	if text == "" || at < 0 || !ok {
		return
	}
	if len(said) == 0 {
		said = map[string]any{"text": text}
	}
	c.args, c.who = said, who{kind: botToken, user: kit.Text(c.app(), "user_id")}
	if refused := c.answerAt(record.Value()); refused != nil {
		return // Slack shows whoever typed it that the command failed
	}
}

func formOf(body []byte) url.Values {
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil // it was made here
	}
	return form
}

// answerSubmission closes, keeps, changes or covers a dialog that was submitted.
func (c *call) answerSubmission(record *world.Record, said map[string]any) {
	given := cast.Object(said["view"])
	fits := len(wrongView(given, "modal")) == 0
	switch said["response_action"] {
	case "errors":
		value := maps.Clone(record.Value())
		value["errors"] = said["errors"]
		c.update(views, record.ID, value)
		return
	case "update":
		if fits {
			value := c.made(record.ID, given)
			value["root_view_id"], value["previous_view_id"] = record.Value()["root_view_id"], record.Value()["previous_view_id"]
			c.update(views, record.ID, value)
		}
		return
	case "push":
		if fits {
			value := c.made(c.viewID(), given)
			value["root_view_id"], value["previous_view_id"] = record.Value()["root_view_id"], record.ID
			c.create(views, asText(value["id"]), value)
		}
		return
	case "clear":
		for other := range c.Tx.Oldest(c.fake.Full(views), 0) {
			if other.Value()["root_view_id"] == record.Value()["root_view_id"] {
				c.remove(views, other.ID)
			}
		}
		return
	}
	c.remove(views, record.ID)
}
