package zendesk

import (
	"strings"

	"parity/fakes/cast"
)

// asks puts the actions of a rule that change fields into the words of an update.
// Source: developer.zendesk.com/documentation/ticketing/reference-guides/actions-reference.
func (c *call) asks(actions []any, ticket map[string]any) map[string]any {
	out := map[string]any{}
	more := func(field string, v any) { out[field] = append(cast.List(out[field]), v) }
	for _, one := range actions {
		action, _ := one.(map[string]any)
		field, v := cast.Text(action["field"]), action["value"]
		if modern, said := byName(field, cast.Plain(v)); modern != field {
			field, v = modern, said
		}
		switch field {
		case "set_tags":
			out["tags"] = cast.Anys(labels(v))
		case "current_tags":
			for _, tag := range labels(v) {
				more("additional_tags", tag)
			}
		case "remove_tags":
			for _, tag := range labels(v) {
				more("remove_tags", tag)
			}
		case "status", "priority", "type", "subject":
			out[field] = v
		case "group_id", "assignee_id", "brand_id", "ticket_form_id", "custom_status_id":
			if n, ok := c.whom(field, v, ticket); ok {
				out[field] = n
			}
		case "cc":
			if n, ok := c.whom(field, v, ticket); ok {
				more("email_ccs", map[string]any{"user_id": n})
			}
		case "follower":
			if n, ok := c.whom(field, v, ticket); ok {
				more("followers", map[string]any{"user_id": n})
			}
		}
		for _, prefix := range []string{"custom_fields_", "ticket_fields_"} {
			if n, ok := whole(strings.TrimPrefix(field, prefix)); ok && strings.HasPrefix(field, prefix) {
				more("custom_fields", map[string]any{"id": n, "value": v})
			}
		}
	}
	return out
}

// whom resolves the record that an action names; "" is none. Whoever is no agent
// takes no ticket as the current user.
func (c *call) whom(field string, v any, ticket map[string]any) (any, bool) {
	switch said := cast.Plain(v); said {
	case "":
		return nil, true
	case "current_user":
		user := c.caller()
		return user["id"], id(user, "id") > 0 && (field != "assignee_id" || cast.Text(user["role"]) != "end-user")
	case "current_groups":
		return c.caller()["default_group_id"], true
	case "requester_id", "assignee_id":
		return ticket[said], ticket[said] != nil
	default:
		n, ok := whole(said)
		return n, ok
	}
}

func offersRating(actions []any) bool {
	for _, one := range actions {
		action, _ := one.(map[string]any)
		if action["field"] == "satisfaction_score" {
			return true
		}
	}
	return false
}

// ruleComment says in a ticket what a rule has it say: a note, unless the rule
// wants it public.
func (e *edit) ruleComment(actions []any, via map[string]any, audit int64) []any {
	spoken := map[string]any{"public": false}
	for _, one := range actions {
		action, _ := one.(map[string]any)
		parts := list(action["value"])
		text := cast.Plain(action["value"])
		if len(parts) > 0 {
			text = parts[len(parts)-1]
		}
		switch action["field"] {
		case "comment_value":
			spoken["body"] = filling{e: e}.in(text)
		case "comment_value_html":
			spoken["html_body"] = filling{e: e}.in(text)
		case "comment_mode_is_public":
			spoken["public"] = flag(action["value"], true)
		}
	}
	said := &edit{c: e.c, before: e.before, value: e.value, via: via}
	if refused := said.speak(spoken, e.author); refused != nil || said.comment == nil {
		return nil
	}
	events := said.commentEvent(audit)
	for _, one := range events {
		one.(map[string]any)["via"] = via
	}
	return events
}
