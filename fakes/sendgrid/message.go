package sendgrid

import (
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// activityFields are what email activity can be searched by, and where that is.
// Source: twilio.com/docs/sendgrid/for-developers/sending-email/getting-started-email-activity-api.
var activityFields = map[string]string{
	"from_email": "from_email", "to_email": "to_email", "subject": "subject", "status": "status", "msg_id": "id",
	"template_id": "template_id", "asm_group_id": "asm_group_id", "api_key_id": "api_key_id", "categories": "categories",
	"last_event_time": "last_event_time", "opens": "opens_count", "clicks": "clicks_count", "unique_args": "unique_args",
	"events": "events", "reason": "reason", "originating_ip": "originating_ip", "outbound_ip": "outbound_ip", "teammate": "teammate",
}

// listMessages searches what was sent, newest first. What happened lately is
// not there yet.
func listMessages(c *call) (answer, *refusal) {
	limit := 10
	switch n := c.Input.Query["limit"].(type) {
	case int64:
		limit = int(n)
	case float64:
		limit = int(math.Floor(n))
	}
	holds := func(func(string) any) bool { return true }
	if text := strings.TrimSpace(c.query("query")); text != "" {
		read, err := readQuery(text, func(field string) bool { _, known := activityFields[strings.ToLower(field)]; return known })
		if err != nil {
			r := invalid("", err.Error())
			r.unplaced = true
			return answer{}, r
		}
		holds = read
	}
	page := []any{}
	c.all(messages, func(r *world.Record) bool {
		if shown := activity.See(c.Tx, r.ID, r.Value(), c.Now); shown != nil && holds(fieldOf(shown)) {
			page = append(page, shownMessage(shown))
		}
		return len(page) < limit
	})
	return ok(map[string]any{"messages": page}), nil
}

func shownMessage(value map[string]any) map[string]any {
	out := shape(value, "from_email", "subject", "to_email", "status", "last_event_time")
	out["msg_id"] = value["id"]
	for _, count := range []string{"opens_count", "clicks_count"} {
		out[count] = cast.Int(value[count])
	}
	return out
}

// fieldOf gives the fields of a mail by the names that queries use.
func fieldOf(value map[string]any) func(string) any {
	return func(field string) any {
		name, key, deeper := strings.Cut(field, ".")
		switch name = strings.ToLower(name); name {
		case "unique_args":
			var args map[string]any
			if deeper && json.Unmarshal([]byte(cast.Text(value["unique_args"])), &args) == nil {
				return args[key]
			}
			return nil
		case "reason":
			for _, event := range cast.List(value["events"]) {
				if why := cast.Object(event)["reason"]; why != nil {
					return why
				}
			}
			return nil
		case "events":
			var names []any
			for _, event := range cast.List(value["events"]) {
				names = append(names, cast.Object(event)["event_name"])
			}
			return names
		case "originating_ip":
			return originIP
		case "outbound_ip":
			return outboundIP
		}
		return value[activityFields[name]]
	}
}

// getMessage reads one mail, by its whole id.
func getMessage(c *call) (answer, *refusal) {
	record, known := c.get(messages, c.Input.Path["msg_id"])
	if known {
		if value := activity.See(c.Tx, record.ID, record.Value(), c.Now); value != nil {
			return ok(messageDetails(value)), nil
		}
	}
	return answer{}, refuse(http.StatusNotFound, "message_id", "not found")
}

func messageDetails(value map[string]any) map[string]any {
	out := shape(value, "from_email", "subject", "to_email", "status")
	out["msg_id"] = value["id"]
	out["teammate"], out["originating_ip"], out["outbound_ip"], out["outbound_ip_type"] = "", originIP, outboundIP, "shared"
	for _, field := range []string{"template_id", "api_key_id", "unique_args"} {
		out[field] = cast.Text(value[field])
	}
	if out["unique_args"] == "" {
		out["unique_args"] = "{}"
	}
	out["asm_group_id"] = cast.Int(value["asm_group_id"])
	events := []any{}
	for _, one := range cast.List(value["events"]) {
		event := map[string]any{"url": "", "bounce_type": "", "http_user_agent": "", "mx_server": ""}
		maps.Copy(event, cast.Object(one))
		events = append(events, event)
	}
	out["events"] = events
	if out["categories"] = value["categories"]; out["categories"] == nil {
		out["categories"] = []any{}
	}
	return out
}
