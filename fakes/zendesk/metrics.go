package zendesk

import (
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
)

// ticketMetrics holds what is counted and timed of each ticket.
// Source: developer.zendesk.com/api-reference/ticketing/tickets/ticket_metrics.
const ticketMetrics = "ticket_metrics"

func metricHandlers() map[string]handler {
	return map[string]handler{
		"ListTicketMetrics": listAll(ticketMetrics),
		"ShowTicketMetric":  showPlain(ticketMetrics, "ticket_metric_id"),
		"ShowTicketMetrics": onTicket(func(c *call, r *world.Record) (answer, *refusal) {
			for _, m := range c.those(ticketMetrics, "ticket_id", r.ID, nil) {
				return answer{value: map[string]any{"ticket_metric": c.show(m)}}, nil
			}
			return answer{}, notFound()
		}),
		"ListSlaPolicies":          listAll(slaPolicies),
		"CreateSlaPolicy":          createPlain(slaPolicies),
		"ShowSlaPolicy":            showPlain(slaPolicies, "sla_policy_id"),
		"UpdateSlaPolicy":          updatePlain(slaPolicies, "sla_policy_id"),
		"DeleteSlaPolicy":          deletePlain(slaPolicies, "sla_policy_id"),
		"ReorderSlaPolicies":       reorder(slaPolicies, "sla_policy_ids"),
		"ListSlaPolicyDefinitions": slaDefinitions,
	}
}

// metrics gives what is known of a ticket's times; nil where nothing is.
func (c *call) metrics(ticket int64) map[string]any {
	for r := range c.Tx.Find(full(ticketMetrics), "ticket_id", key(ticket), 0) {
		return r.Value()
	}
	return nil
}

// at is when a change happens: a fixture says when its tickets were made.
func (e *edit) at() time.Time {
	if made, ok := moment(cast.Text(e.value["created_at"])); ok && e.before == nil && e.c.Identity == fakes.Fixture {
		return made
	}
	return e.c.Now
}

func minutes(n int64) map[string]any { return map[string]any{"calendar": n, "business": n} }

func noMinutes() map[string]any { return map[string]any{"calendar": nil, "business": nil} }

func (c *call) blankMetrics(ticket map[string]any) map[string]any {
	n := c.fresh(ticketMetrics)
	return map[string]any{
		"url": c.address(api+ticketMetrics, n), "id": n, "ticket_id": ticket["id"], "created_at": ticket["created_at"], "updated_at": ticket["updated_at"],
		"group_stations": int64(0), "assignee_stations": int64(0), "reopens": int64(0), "replies": int64(0), "assignee_updated_at": nil, "requester_updated_at": nil,
		"status_updated_at": nil, "initially_assigned_at": nil, "assigned_at": nil, "solved_at": nil, "latest_comment_added_at": nil, "custom_status_updated_at": nil,
		"reply_time_in_minutes": noMinutes(), "reply_time_in_seconds": map[string]any{"calendar": nil}, "first_resolution_time_in_minutes": noMinutes(), "full_resolution_time_in_minutes": noMinutes(),
		"agent_wait_time_in_minutes": minutes(0), "requester_wait_time_in_minutes": minutes(0), "on_hold_time_in_minutes": minutes(0),
	}
}

// measure keeps a ticket's times and counts.
func (e *edit) measure() {
	c, at := e.c, e.at()
	now := stamp(at)
	var old *world.Record
	for r := range c.Tx.Find(full(ticketMetrics), "ticket_id", key(id(e.value, "id")), 0) {
		old = r
		break
	}
	m := with(value(old), nil)
	if old == nil {
		m = c.blankMetrics(e.value)
	}
	was := value(e.before)
	e.measureStatus(m, cast.Text(was["status"]), at)
	count := func(field string) { m[field] = id(m, field) + 1 }
	if n := id(e.value, "assignee_id"); n != 0 && n != id(was, "assignee_id") {
		m["assigned_at"] = now
		if m["initially_assigned_at"] == nil {
			m["initially_assigned_at"] = now
		}
		count("assignee_stations")
	}
	if n := id(e.value, "group_id"); n != 0 && n != id(was, "group_id") {
		count("group_stations")
	}
	if e.comment != nil {
		m["latest_comment_added_at"] = now
		if e.before != nil && e.answered() && e.agent(id(e.comment, "author_id")) {
			count("replies")
			if cast.Object(m["reply_time_in_minutes"])["calendar"] == nil {
				passed := since(m["created_at"], at)
				m["reply_time_in_minutes"], m["reply_time_in_seconds"] = minutes(int64(passed/time.Minute)), map[string]any{"calendar": int64(passed / time.Second)}
			}
		}
	}
	if e.author == id(e.value, "requester_id") {
		m["requester_updated_at"] = now
	}
	if e.author == id(e.value, "assignee_id") {
		m["assignee_updated_at"] = now
	}
	m["updated_at"] = now
	n := key(id(m, "id"))
	if old == nil {
		c.fake.store.Create(c.Tx, ticketMetrics, n, m)
		return
	}
	c.fake.store.Update(c.Tx, ticketMetrics, n, m)
}

// measureStatus keeps how long a ticket was in which status.
func (e *edit) measureStatus(m map[string]any, was string, at time.Time) {
	is := cast.Text(e.value["status"])
	if e.before == nil || value(e.before)["custom_status_id"] != e.value["custom_status_id"] {
		m["custom_status_updated_at"] = stamp(at)
	}
	if is == was {
		return
	}
	spent := int64(since(m["status_updated_at"], at) / time.Minute)
	m["status_updated_at"] = stamp(at)
	add := func(field string) { m[field] = minutes(id(cast.Object(m[field]), "calendar") + spent) }
	switch was {
	case "pending":
		add("agent_wait_time_in_minutes")
	case "hold":
		add("on_hold_time_in_minutes")
		add("requester_wait_time_in_minutes")
	case "new", "open":
		add("requester_wait_time_in_minutes")
	}
	switch {
	case is == "solved":
		passed := minutes(int64(since(m["created_at"], at) / time.Minute))
		m["solved_at"], m["full_resolution_time_in_minutes"] = stamp(at), passed
		if cast.Object(m["first_resolution_time_in_minutes"])["calendar"] == nil {
			m["first_resolution_time_in_minutes"] = passed
		}
	case was == "solved" && is != "closed" && is != "deleted":
		m["reopens"], m["solved_at"] = id(m, "reopens")+1, nil
	}
}

// since is how long ago something was.
func since(v any, at time.Time) time.Duration {
	then, ok := moment(cast.Text(v))
	if !ok {
		return 0
	}
	return max(0, at.Sub(then))
}
