package zendesk

import (
	"time"

	"parity/fakes/cast"
)

// slas tells how a ticket stands to its targets, as include=slas shows it. What is
// left is said in the largest unit that there is one of.
func (c *call) slas(ticket string) map[string]any {
	all, shown := c.clocksOf(ticket), []any{}
	for _, one := range slaMetrics {
		k := all[one.metric]
		if k.target == 0 || k.stage == "" {
			continue
		}
		m := map[string]any{"breach_at": nil, "stage": k.stage, "metric": one.metric}
		left := time.Duration(k.target*60-k.spent) * time.Second
		if due, runs := k.due(); runs {
			m["breach_at"], left = stamp(due), due.Sub(c.Now)
		}
		if k.stage != "achieved" {
			unit, n := "minutes", left/time.Minute
			switch size := left.Abs(); {
			case size >= 24*time.Hour:
				unit, n = "days", left/(24*time.Hour)
			case size >= time.Hour:
				unit, n = "hours", left/time.Hour
			}
			m[unit] = int64(n)
		}
		shown = append(shown, m)
	}
	return map[string]any{"policy_metrics": shown}
}

// metricEventsOf gives a ticket's metric events by metric, as include=metric_events
// shows them.
func (c *call) metricEventsOf(ticket string) map[string]any {
	out := map[string]any{}
	for _, r := range c.those(metricEvents, "ticket_id", ticket, nil) {
		metric := cast.Text(r.Value()["metric"])
		out[metric] = append(cast.List(out[metric]), r.Value())
	}
	return out
}

// metricSet is what is measured of a ticket, as include=metric_sets shows it.
func (c *call) metricSet(ticket string) map[string]any {
	n, _ := whole(ticket)
	if m := c.metrics(n); m != nil {
		return c.render(m)
	}
	return map[string]any{}
}

// dates are the times of a ticket that include=dates shows.
func (c *call) dates(ticket string) map[string]any {
	out, m := map[string]any{}, c.metricSet(ticket)
	for _, field := range []string{"assignee_updated_at", "requester_updated_at", "status_updated_at", "initially_assigned_at", "assigned_at", "solved_at", "latest_comment_added_at"} {
		out[field] = m[field]
	}
	return out
}

func slaDefinitions(c *call) (answer, *refusal) {
	field := func(title, value, group string) any {
		return map[string]any{"title": title, "value": value, "group": group, "target": nil, "operators": []any{map[string]any{"value": "is", "title": "Is"}, map[string]any{"value": "is_not", "title": "Is not"}}, "values": map[string]any{"type": "list", "list": []any{}}}
	}
	all := []any{field("Status", "status", "ticket"), field("Type", "ticket_type_id", "ticket"), field("Priority", "priority", "ticket"), field("Group", "group_id", "ticket"), field("Organization", "organization_id", "requester"), field("Tags", "current_tags", "ticket")}
	return answer{value: map[string]any{"definitions": map[string]any{"all": all, "any": all}}}, nil
}
