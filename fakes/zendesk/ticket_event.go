package zendesk

import (
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// viaTitles are how events of exports say how a change came about.
var viaTitles = map[string]string{"web": "Web form", "api": "Web service", "email": "Mail", "rule": "Rule"}

// ticketEvent is an audit as exports of events have it: each of its events is a
// child, and a changed field stands under its own name.
// Source: developer.zendesk.com/api-reference/ticketing/ticket-management/incremental_exports/#incremental-ticket-event-export.
func (c *call) ticketEvent(audit *world.Record) map[string]any {
	v := audit.Value()
	via := viaTitle(v["via"])
	children := []any{}
	for _, one := range cast.List(v["events"]) {
		event, _ := one.(map[string]any)
		kind := cast.Text(event["type"])
		child := map[string]any{"id": event["id"], "via": via, "via_reference_id": nil, "event_type": kind}
		if own, ok := event["via"].(map[string]any); ok {
			child["via"], child["via_reference_id"] = viaTitle(own), cast.Object(cast.Object(own["source"])["from"])["id"]
		}
		switch kind {
		case "Create", "Change":
			field := cast.Text(event["field_name"])
			if n, ok := whole(field); ok {
				child["custom_ticket_fields"] = map[string]any{key(n): event["value"]}
			} else {
				child[field] = event["value"]
			}
			if kind == "Change" {
				child["previous_value"] = event["previous_value"]
			}
		case "Comment":
			child["comment_present"], child["comment_public"] = true, event["public"]
			if strings.Contains(c.query("include"), "comment_events") {
				for _, field := range []string{"type", "author_id", "body", "html_body", "plain_body", "public", "attachments", "audit_id"} {
					child[field] = event[field]
				}
			}
		case "Notification":
			child["subject"], child["recipients"] = event["subject"], event["recipients"]
		}
		children = append(children, child)
	}
	return map[string]any{
		"id": v["id"], "ticket_id": v["ticket_id"], "timestamp": made(audit), "created_at": v["created_at"], "updater_id": v["author_id"], "via": via,
		"system": cast.Object(cast.Object(v["metadata"])["system"]), "metadata": map[string]any{}, "event_type": "Audit", "child_events": children,
	}
}

func viaTitle(via any) string {
	channel := cast.Text(cast.Object(via)["channel"])
	return orDefault(viaTitles[channel], channel)
}
