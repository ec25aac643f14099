package zendesk

import (
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// What conditions and actions may name, beside custom fields, by who has them.
// Sources: developer.zendesk.com/documentation/ticketing/reference-guides/conditions-reference
// and .../actions-reference.
var (
	sharedConditions = []string{
		"group_id", "assignee_id", "requester_id", "organization_id", "current_tags", "via_id", "recipient", "type", "ticket_type_id", "status", "status_id", "priority", "priority_id", "description_includes_word",
		"subject_includes_word", "locale_id", "satisfaction_score", "satisfaction_reason_code", "satisfaction_probability", "brand_id", "ticket_form_id", "custom_status_id", "ticket_is_public",
		"requester_role", "exact_created_at", "subject", "external_id", "via_type",
	}
	triggerConditions = []string{
		"update_type", "comment_is_public", "comment_includes_word", "current_via_id", "role", "reopens", "replies", "agent_stations", "group_stations", "in_business_hours", "within_schedule",
		"on_a_holiday", "attachment", "cc", "requester_twitter_followers_count", "requester_twitter_statuses_count", "requester_twitter_verified", "sent_to", "received_from",
	}
	customPrefixes  = []string{"custom_fields_", "ticket_fields_", "requester.custom_fields.", "user.custom_fields.", "organization.custom_fields.", "lookup:"}
	knownOperators  = []string{"", "is", "is_not", "less_than", "less_than_equal", "greater_than", "greater_than_equal", "includes", "not_includes", "includes_string", "not_includes_string", "includes_all", "changed", "not_changed", "value", "value_previous", "not_value", "not_value_previous", "changed_to", "changed_from", "not_changed_to", "not_changed_from", "present", "not_present", "within_previous_n_days", "within_next_n_days", "less_than_business_hours", "greater_than_business_hours", "is_business_hours"}
	sharedActions   = []string{"status", "status_id", "priority_id", "ticket_type_id", "type", "priority", "group_id", "assignee_id", "set_tags", "current_tags", "remove_tags", "custom_status_id", "brand_id", "ticket_form_id", "follower", "subject", "comment_value", "comment_value_html", "comment_mode_is_public"}
	tellingActions  = []string{"notification_user", "notification_group", "notification_target", "notification_webhook", "notification_sms_user", "notification_sms_group", "notification_zis", "notification_messaging_csat", "satisfaction_score", "locale_id", "cc", "tweet_requester", "share_ticket", "deflection", "set_schedule", "add_skills", "set_skills", "remove_skills", "side_conversation", "side_conversation_ticket", "side_conversation_slack"}
	automationNeeds = []string{"status", "type", "group_id", "assignee_id", "requester_id", "custom_status_id"}
)

// sayConditions takes the conditions of a rule: bare lists, or under their name.
func sayConditions(value, said map[string]any, under string) {
	held, _ := value[under].(map[string]any)
	if whole, ok := said[under].(map[string]any); ok {
		held = with(map[string]any{"all": []any{}, "any": []any{}}, whole)
	}
	for _, side := range []string{"all", "any"} {
		if v, sent := said[side].([]any); sent {
			held = with(held, map[string]any{side: v})
		}
		if _, ok := held[side].([]any); !ok {
			held = with(held, map[string]any{side: []any{}})
		}
	}
	value[under] = held
}

// checkRule refuses a rule that could never be carried out.
func (c *call) checkRule(k kind, value map[string]any) []fault {
	if c.Identity == fakes.Fixture {
		return nil
	}
	switch k.collection {
	case triggers, automations:
		conditions, _ := value["conditions"].(map[string]any)
		faults := append(checkConditions(conditions, k.collection), checkActions(value["actions"])...)
		if k.collection == automations && len(faults) == 0 {
			faults = checkAutomation(conditions, value["actions"])
		}
		return faults
	case slaPolicies:
		return checkPolicy(value)
	}
	return nil
}

func bad(what, said, why string) fault {
	return fault{field: "base", description: what + ": " + kit.Clip(said) + " " + why, code: "InvalidValue"}
}

func checkConditions(conditions map[string]any, collection string) (faults []fault) {
	n := 0
	for _, side := range []string{"all", "any"} {
		for _, one := range cast.List(conditions[side]) {
			n++
			condition, ok := one.(map[string]any)
			field, operator := cast.Text(condition["field"]), cast.Text(condition["operator"])
			known := slices.Contains(sharedConditions, field) || custom(field)
			switch collection {
			case triggers:
				known = known || slices.Contains(triggerConditions, field) || strings.HasSuffix(field, "sla_next_breach_at")
			case automations:
				known = known || timed(field)
			}
			switch {
			case !ok || !known:
				faults = append(faults, bad("Conditions", field, "is not a valid field"))
			case !slices.Contains(knownOperators, operator):
				faults = append(faults, bad("Conditions", operator, "is not a valid operator for "+field))
			case ranked(field) != nil && operator != "changed" && operator != "not_changed" && !slices.Contains(append([]string{""}, ranked(field)...), cast.Plain(condition["value"])):
				faults = append(faults, bad("Conditions", cast.Plain(condition["value"]), "is not a valid value for "+field))
			}
		}
	}
	if n == 0 {
		faults = append(faults, fault{field: "base", description: "Conditions: you must select at least one condition", code: "BlankValue"})
	}
	return faults
}

func custom(field string) bool {
	return slices.ContainsFunc(customPrefixes, func(prefix string) bool { return strings.HasPrefix(field, prefix) })
}

func checkActions(v any) (faults []fault) {
	actions := cast.List(v)
	for _, one := range actions {
		action, ok := one.(map[string]any)
		field := cast.Text(action["field"])
		said := cast.Plain(action["value"])
		switch {
		case !ok || !slices.Contains(sharedActions, field) && !slices.Contains(tellingActions, field) && !custom(field):
			faults = append(faults, bad("Actions", field, "is not a valid field"))
		case ranked(field) != nil && said != "" && !slices.Contains(ranked(field), said):
			faults = append(faults, bad("Actions", said, "is not a valid value for "+field))
		case (field == "notification_user" || field == "notification_group") && len(list(action["value"])) < 3:
			faults = append(faults, bad("Actions", field, "wants a recipient, a subject and a body"))
		}
	}
	if len(actions) == 0 {
		faults = append(faults, fault{field: "base", description: "Actions: you must select at least one action", code: "BlankValue"})
	}
	return faults
}

// checkAutomation wants a condition that says what kind of ticket is meant, and
// that the automation ends by itself: by a condition that is true only once, or
// by an action after which one of them does not hold.
func checkAutomation(conditions map[string]any, actions any) []fault {
	meant, once := false, false
	for _, side := range []string{"all", "any"} {
		for _, one := range cast.List(conditions[side]) {
			condition, _ := one.(map[string]any)
			field := cast.Text(condition["field"])
			meant = meant || side == "all" && slices.Contains(automationNeeds, field)
			once = once || timed(field) && condition["operator"] == "is"
			for _, other := range cast.List(actions) {
				action, _ := other.(map[string]any)
				changes := cast.Text(action["field"])
				once = once || changes == field || strings.HasSuffix(changes, "_tags") && field == "current_tags" ||
					changes == "status" && timed(field) && slices.Contains(statuses, strings.ToLower(field)) || changes == "custom_status_id" && field == "status"
			}
		}
	}
	switch {
	case !meant:
		return []fault{{field: "base", description: "Conditions: at least one of status, type, group, assignee or requester must be in all", code: "InvalidValue"}}
	case !once:
		return []fault{{field: "base", description: "Automation must have a condition that is true only once, or an action that nullifies one of its conditions", code: "InvalidValue"}}
	}
	return nil
}

func checkPolicy(value map[string]any) (faults []fault) {
	filter, _ := value["filter"].(map[string]any)
	if len(cast.List(filter["all"]))+len(cast.List(filter["any"])) > 0 {
		faults = checkConditions(filter, slaPolicies)
	}
	for _, one := range cast.List(value["policy_metrics"]) {
		m, _ := one.(map[string]any)
		target, ok := whole(m["target"])
		if seconds, sent := whole(m["target_in_seconds"]); sent {
			target, ok = seconds/60, true
		}
		known := slices.ContainsFunc(slaMetrics, func(s struct{ metric, event string }) bool { return s.metric == m["metric"] })
		switch {
		case !known:
			faults = append(faults, bad("Policy metrics", cast.Plain(m["metric"]), "is not a valid metric"))
		case !slices.Contains(priorities, cast.Text(m["priority"])):
			faults = append(faults, bad("Policy metrics", cast.Plain(m["priority"]), "is not a valid priority"))
		case !ok || target <= 0:
			faults = append(faults, bad("Policy metrics", cast.Plain(m["target"]), "is not a valid target"))
		}
	}
	return faults
}
