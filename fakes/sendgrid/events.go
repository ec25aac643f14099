package sendgrid

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Events are gathered and posted together: every 30 seconds or each 768 KB,
// whichever comes first, on each of many servers, so that most arrive within
// seconds.
// Source: twilio.com/docs/sendgrid/for-developers/tracking-events/event.
const (
	postsAfter = 5 * time.Second
	mostPosted = 768 << 10
)

// wanted names the setting of a webhook that asks for a kind of event.
var wanted = map[string]string{
	"processed": "processed", "dropped": "dropped", "delivered": "delivered", "deferred": "deferred", "bounce": "bounce",
	"spamreport": "spam_report", "unsubscribe": "unsubscribe", "group_unsubscribe": "group_unsubscribe",
	"group_resubscribe": "group_resubscribe", "open": "open", "click": "click",
}

// tell queues an event of a mail for each webhook that wants it.
func (c *call) tell(mail map[string]any, event string, more map[string]any) {
	var built map[string]any
	c.all(webhooks, func(endpoint *world.Record) bool {
		v := endpoint.Value()
		if v["enabled"] != true || v[wanted[event]] != true || cast.Text(v["url"]) == "" {
			return true
		}
		if built == nil {
			built = c.event(mail, event, more)
		}
		c.queue(endpoint.ID, built)
		return true
	})
}

// queue adds an event to what an endpoint has yet to be told.
func (c *call) queue(endpoint string, event map[string]any) {
	waits := false
	for range c.Tx.Find(eventsCollection, "endpoint", endpoint, 0) {
		waits = true
		break
	}
	id := endpoint + "/" + c.NewID("", 12)
	c.keep(eventsCollection, id, map[string]any{"id": id, "endpoint": endpoint, "event": event})
	if !waits {
		c.after(postsAfter, postTimer, endpoint)
	}
}

// event is what a webhook is told. Custom arguments stand beside its own
// fields, which they cannot replace.
func (c *call) event(mail map[string]any, kind string, more map[string]any) map[string]any {
	id := cast.Text(mail["id"])
	first, _, _ := strings.Cut(id, ".")
	e := map[string]any{}
	var args map[string]any
	if json.Unmarshal([]byte(cast.Text(mail["unique_args"])), &args) == nil {
		maps.Copy(e, args) // texts, as they were found to be
	}
	maps.Copy(e, map[string]any{
		"email": mail["to_email"], "timestamp": c.Now.Unix(), "event": kind, "sg_event_id": c.NewID("", 22), "sg_message_id": id,
	})
	if kind != "spamreport" {
		e["smtp-id"] = "<" + first + "@geopod-ismtpd-1>"
	}
	switch kind {
	case "delivered", "bounce", "deferred":
		e["ip"] = outboundIP
		e["tls"] = int64(1)
	}
	switch categories := cast.List(mail["categories"]); len(categories) {
	case 0:
	case 1:
		e["category"] = categories[0]
	default:
		e["category"] = categories
	}
	if group, given := mail["asm_group_id"]; given {
		e["asm_group_id"] = group
	}
	if template := cast.Text(mail["template_id"]); template != "" {
		e["sg_template_id"] = template
		if record, known := c.get(templates, template); known {
			e["sg_template_name"] = record.Value()["name"]
		}
	}
	maps.Copy(e, more)
	return e
}

// post sends what has gathered for an endpoint, in as many parts as its size
// asks for.
func (c *call) post(endpoint string) {
	var gathered []*world.Record
	for record := range c.Tx.Find(eventsCollection, "endpoint", endpoint, 0) {
		gathered = append(gathered, record)
	}
	record, known := c.get(webhooks, endpoint)
	var batch []any
	size := 0
	flush := func() {
		if len(batch) > 0 && known && record.Value()["enabled"] == true {
			c.deliver(endpoint, cast.Text(record.Value()["url"]), encode(batch))
		}
		batch, size = nil, 0
	}
	for i := len(gathered) - 1; i >= 0; i-- { // oldest first
		c.drop(eventsCollection, gathered[i].ID)
		event := gathered[i].Value()["event"]
		if size += len(encode(event)); size > mostPosted {
			flush()
		}
		batch = append(batch, event)
	}
	flush()
}

func (c *call) deliver(endpoint, url string, body []byte) {
	if err := kit.Deliver(c.Tx, fakes.Delivery{
		Service: name, ID: endpoint + "/" + c.NewID("", 12), URL: url, Body: body, Attempt: 1, Due: c.Now,
	}); err != nil {
		panic("sendgrid fake: " + err.Error())
	}
}

func encode(v any) []byte { return world.Encode(v) }

// groupMember is the id of one who left a group.
func groupMember(group int64, email string) string {
	return strconv.FormatInt(group, 10) + "/" + strings.ToLower(email)
}
