package zendesk

import (
	"slices"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// timed tells whether a condition looks at the hours since, or until, something.
func timed(field string) bool {
	switch field {
	case "NEW", "OPEN", "PENDING", "HOLD", "SOLVED", "CLOSED", "assigned_at", "requester_updated_at", "assignee_updated_at", "created_at", "updated_at",
		"due_date", "until_due_date", "sla_next_breach_at", "until_sla_next_breach_at":
		return true
	}
	return false
}

// since gives the instant that a timed condition counts from; ahead tells that
// it counts the hours until then.
func (c *call) since(field string, ticket map[string]any) (at time.Time, ahead, ok bool) {
	read := func(v any) time.Time {
		at, ok = moment(cast.Text(v))
		return at
	}
	switch field {
	case "created_at", "updated_at":
		at = read(ticket[field])
	case "due_date", "until_due_date":
		at, ahead = read(ticket["due_at"]), field == "until_due_date"
	case "sla_next_breach_at":
		at, ok = c.lastBreach(id(ticket, "id"))
	case "until_sla_next_breach_at":
		at, ok = c.nextBreach(id(ticket, "id"))
		ahead = true
	case "assigned_at", "requester_updated_at", "assignee_updated_at":
		at = read(c.metrics(id(ticket, "id"))[field])
	default:
		known := c.metrics(id(ticket, "id"))["status_updated_at"]
		if known == nil {
			known = ticket["updated_at"]
		}
		at = read(known)
		ok = ok && strings.EqualFold(cast.Text(ticket["status"]), field)
	}
	return at, ahead, ok
}

// aged compares the hours since something happened. An hour that has begun
// counts as is, and more than an hour is greater than one.
func (c *call) aged(field, operator, want string, ticket map[string]any) bool {
	at, ahead, ok := c.since(field, ticket)
	hours, number := whole(want)
	if !ok || !number {
		return operator == "not_present"
	}
	passed := c.Now.Sub(at)
	if ahead {
		passed = -passed
	}
	whole, limit := int64(passed/time.Hour), time.Duration(hours)*time.Hour
	if passed < 0 {
		return strings.HasPrefix(operator, "less_than") && ahead
	}
	switch strings.TrimSuffix(operator, "_business_hours") {
	case "less_than":
		return passed < limit
	case "greater_than":
		return passed > limit
	case "is_not":
		return whole != hours
	}
	return whole == hours
}

// turns gives the instants at which conditions may begin or cease to hold for a
// ticket that nobody changes, soonest first.
func (c *call) turns(conditions, ticket map[string]any) (at []time.Time) {
	for _, side := range []string{"all", "any"} {
		for _, one := range cast.List(conditions[side]) {
			condition, _ := one.(map[string]any)
			field := cast.Text(condition["field"])
			hours, number := whole(condition["value"])
			if !timed(field) || !number {
				continue
			}
			from, ahead, ok := c.since(field, ticket)
			if !ok {
				continue
			}
			limit := time.Duration(min(hours, 100_000)) * time.Hour
			if ahead {
				limit = -limit
			}
			for _, edge := range []time.Duration{0, limit - time.Hour, limit, limit + time.Hour} {
				at = append(at, from.Add(edge))
			}
		}
	}
	slices.SortFunc(at, time.Time.Compare)
	return at
}

// onTheHour gives the first whole hour that is not before an instant.
func onTheHour(at time.Time) time.Time {
	hour := at.Truncate(time.Hour)
	if hour.Before(at) {
		hour = hour.Add(time.Hour)
	}
	return hour
}

// inOrder gives the active rules of a collection as they are carried out: by
// position, and then as they were made.
func (c *call) inOrder(collection string) []*world.Record {
	all := c.every(collection, func(r *world.Record) bool { return r.Value()["active"] != false })
	slices.SortStableFunc(all, func(a, b *world.Record) int {
		if n := c.byPlace(a, b); n != 0 && collection == triggers {
			return n
		}
		return compare("position", a.Value()["position"], b.Value()["position"])
	})
	return all
}
