package zendesk

import (
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

const satisfactionRatings = "satisfaction_ratings"

func satisfactionHandlers() map[string]handler {
	return map[string]handler{
		"ListSatisfactionRatings": func(c *call) (answer, *refusal) {
			return c.list(listing{collection: satisfactionRatings, some: c.ratings(), narrowed: true})
		},
		"CountSatisfactionRatings":       func(c *call) (answer, *refusal) { return c.count(len(c.ratings())) },
		"ShowSatisfactionRating":         showPlain(satisfactionRatings, "satisfaction_rating_id"),
		"CreateTicketSatisfactionRating": onTicket(rate),
	}
}

// ratings gives the ratings that a list asks for: a score, such as received or
// good_with_comment, within a time.
func (c *call) ratings() []*world.Record {
	want := c.query("score")
	from, bounded := whole(c.query("start_time"))
	until, ends := whole(c.query("end_time"))
	return c.every(satisfactionRatings, func(r *world.Record) bool {
		at, have := seconds(r, "updated_at"), cast.Text(r.Value()["score"])
		comment := cast.Text(r.Value()["comment"]) != ""
		if bounded && at < from || ends && at >= until {
			return false
		}
		kind, with := strings.CutSuffix(want, "_with_comment")
		if plain, without := strings.CutSuffix(want, "_without_comment"); without {
			return (plain == "received" && (have == "good" || have == "bad") || have == plain) && !comment
		}
		return want == "" || (kind == "received" && (have == "good" || have == "bad") || have == kind) && (!with || comment)
	})
}

// rate takes what the requester thinks of a ticket that is solved.
// Source: developer.zendesk.com/api-reference/ticketing/ticket-management/satisfaction_ratings.
func rate(c *call, ticket *world.Record) (answer, *refusal) {
	said := c.part("satisfaction_rating")
	mark := cast.Text(said["score"])
	switch {
	case c.callerID() != id(ticket.Value(), "requester_id") && c.Identity != fakes.Fixture:
		return answer{}, forbidden()
	case !slices.Contains([]string{"good", "bad"}, mark):
		return answer{}, invalid(wrong("score"))
	case ticket.Value()["status"] != "solved":
		return answer{}, invalid(fault{field: "base", description: "Ticket: must be solved to be rated", code: "InvalidValue"})
	}
	value := map[string]any{
		"assignee_id": ticket.Value()["assignee_id"], "group_id": ticket.Value()["group_id"], "requester_id": ticket.Value()["requester_id"], "ticket_id": ticket.Value()["id"], "score": mark,
		"comment": none(kit.Clip(cast.Text(said["comment"]))), "reason": none(cast.Text(said["reason"])), "reason_code": nil, "reason_id": nil, "created_at": c.now(), "updated_at": c.now(),
	}
	n := c.fresh(satisfactionRatings)
	value["id"], value["url"] = n, c.address(api+satisfactionRatings, n)
	r := c.fake.store.Create(c.Tx, satisfactionRatings, key(n), value)
	e := c.edit(ticket)
	e.value["satisfaction_rating"] = map[string]any{"id": n, "score": mark, "comment": value["comment"], "reason": value["reason"]}
	e.more = []any{map[string]any{"id": c.fresh(audits), "type": "SatisfactionRating", "score": mark, "assignee_id": value["assignee_id"], "body": value["comment"]}}
	e.save()
	return c.one("satisfaction_rating", r)
}
