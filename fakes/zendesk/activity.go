package zendesk

import (
	"fmt"
	"slices"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
)

const activities = "activities"

func activityHandlers() map[string]handler {
	return map[string]handler{
		"ListActivities": listActivities,
		"ShowActivity": func(c *call) (answer, *refusal) {
			r, refused := c.member(activities, "activity_id")
			if refused != nil {
				return answer{}, refused
			}
			return answer{value: map[string]any{"activity": c.activity(r)}}, nil
		},
		"CountActivities": func(c *call) (answer, *refusal) { return c.count(len(c.myActivities())) },
	}
}

// tellAgents keeps what an agent would want to know of: a ticket that is given to
// them, and what others say and raise in their tickets.
func (e *edit) tellAgents() {
	n := id(e.value, "assignee_id")
	if n == 0 || n == e.author || e.c.quiet || e.c.Identity == fakes.Fixture {
		return
	}
	was := value(e.before)
	author, _ := e.c.find(users, e.author)
	who := orDefault(cast.Text(value(author)["name"]), "System")
	number := id(e.value, "id")
	about := map[string]any{"ticket": map[string]any{"id": number, "subject": e.value["subject"]}}
	if id(was, "assignee_id") != n {
		e.activity(n, "tickets.assignment", fmt.Sprintf("%s assigned ticket #%d to you.", who, number), about)
	}
	if e.comment != nil && e.before != nil {
		e.activity(n, "tickets.comment", fmt.Sprintf("%s commented on ticket #%d.", who, number), map[string]any{"comment": map[string]any{"value": e.comment["plain_body"], "public": e.comment["public"]}})
	}
	if now := cast.Text(e.value["priority"]); was["priority"] != nil && slices.Index(priorities, now) > slices.Index(priorities, cast.Text(was["priority"])) {
		e.activity(n, "tickets.priority_increase", fmt.Sprintf("%s changed the priority of ticket #%d to %s.", who, number, now), about)
	}
}

func (e *edit) activity(whose int64, verb, title string, object map[string]any) {
	c := e.c
	n := c.fresh(activities)
	c.fake.store.Create(c.Tx, activities, key(n), map[string]any{
		"url": c.address(api+activities, n), "id": n, "title": title, "verb": verb, "user_id": whose, "actor_id": e.author, "updated_at": c.now(), "created_at": c.now(),
		"object": object, "target": map[string]any{"ticket": map[string]any{"id": e.value["id"], "subject": e.value["subject"]}},
	})
}

// activity is a record as lists have it, with the users in it.
func (c *call) activity(r *world.Record) map[string]any {
	out := c.show(r)
	for _, who := range []string{"user", "actor"} {
		out[who] = map[string]any{}
		if user, ok := c.find(users, id(out, who+"_id")); ok {
			out[who] = c.show(user)
		}
	}
	return out
}

// myActivities are those of the last 30 days that concern the caller.
func (c *call) myActivities() []*world.Record {
	from := c.Now.AddDate(0, 0, -30)
	if at, ok := moment(c.query("since")); ok {
		from = at
	}
	some := c.those(activities, "user_id", key(c.callerID()), func(r *world.Record) bool {
		at, ok := moment(cast.Text(r.Value()["created_at"]))
		return ok && !at.Before(from)
	})
	slices.Reverse(some)
	return some
}

func listActivities(c *call) (answer, *refusal) {
	shown, refused := c.list(listing{collection: activities, some: c.myActivities(), narrowed: true, show: c.activity})
	if refused != nil {
		return answer{}, refused
	}
	items, _ := shown.value[activities].([]any)
	shown.value["users"], shown.value["actors"] = c.pointed(users, items, []string{"user_id"}), c.pointed(users, items, []string{"actor_id"})
	return shown, nil
}
