package zendesk

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// requestHandlers answer for tickets as those see them who ask.
func requestHandlers() map[string]handler {
	return map[string]handler{
		"ListRequests":             requestsOf("", mine),
		"ListOpenRequests":         requestsOf("new,open,pending,hold", mine),
		"ListSolvedRequests":       requestsOf("solved,closed", mine),
		"ListCcdRequests":          requestsOf("", copied),
		"SearchRequests":           requestsOf("", mineOrCopied),
		"ListUserRequests":         on(users, "user_id", requestsFrom("requester_id")),
		"ListOrganizationRequests": on(organizations, "organization_id", requestsFrom("organization_id")),
		"ShowCommentForRequest":    kit.With((*call).request, showRequestComment),
		"CreateRequest":            createRequest,
		"ShowRequest":              kit.With((*call).request, showRequest),
		"UpdateRequest":            kit.With((*call).request, updateRequest),
		"ListCommentsForRequest":   kit.With((*call).request, listRequestComments),
	}
}

// asRequest is a ticket as its requester sees it: nobody sees a hold, or a new
// ticket, from outside.
func (c *call) asRequest(r *world.Record) map[string]any {
	v := r.Value()
	out := map[string]any{"can_be_solved_by_me": v["assignee_id"] != nil && v["status"] != "solved" && v["status"] != "closed", "solved": v["status"] == "solved" || v["status"] == "closed", "followup_source_id": nil}
	for _, field := range []string{
		"id", "status", "priority", "type", "subject", "description", "organization_id", "via", "custom_fields", "requester_id", "collaborator_ids", "email_cc_ids", "is_public",
		"due_at", "created_at", "updated_at", "recipient", "assignee_id", "ticket_form_id", "custom_status_id", "fields", "group_id",
	} {
		out[field] = v[field]
	}
	if out["status"] == "new" || out["status"] == "hold" {
		out["status"] = "open"
	}
	out["url"] = c.Base + api + "requests/" + r.ID + ".json"
	return out
}

// request finds the ticket that the path names, if the caller may see it so.
func (c *call) request() (*world.Record, *refusal) {
	r, refused := c.member(tickets, "request_id")
	if refused != nil || !living(r) || c.endUser() && !c.concerns(r) {
		return nil, notFound()
	}
	return r, nil
}

// concerns tells whether a ticket is the caller's, or copied to them.
func (c *call) concerns(r *world.Record) bool {
	return id(r.Value(), "requester_id") == c.callerID() || slices.Contains(ids(r.Value()["collaborator_ids"]), c.callerID())
}

func mine(c *call) []*world.Record {
	return c.those(tickets, "requester_id", key(c.callerID()), living)
}

func copied(c *call) []*world.Record {
	n := c.callerID()
	return c.every(tickets, func(r *world.Record) bool {
		return living(r) && id(r.Value(), "requester_id") != n && slices.Contains(ids(r.Value()["collaborator_ids"]), n)
	})
}

func mineOrCopied(c *call) []*world.Record { return append(mine(c), copied(c)...) }

// requestsOf lists requests of some statuses, those that the call asks for among
// them, and with the words that it looks for.
func requestsOf(status string, of func(*call) []*world.Record) handler {
	return func(c *call) (answer, *refusal) { return c.requests(of(c), status) }
}

func requestsFrom(field string) func(*call, *world.Record) (answer, *refusal) {
	return func(c *call, owner *world.Record) (answer, *refusal) {
		return c.requests(c.those(tickets, field, owner.ID, living), "")
	}
}

func (c *call) requests(some []*world.Record, status string) (answer, *refusal) {
	asked, words := c.query("status"), strings.ToLower(c.query("query"))
	some = slices.DeleteFunc(some, func(r *world.Record) bool {
		v := r.Value()
		is := cast.Text(v["status"])
		return v["is_public"] != true || status != "" && !slices.Contains(labels(status), is) || asked != "" && !slices.Contains(labels(asked), is) ||
			words != "" && !strings.Contains(strings.ToLower(cast.Text(v["subject"])+" "+cast.Text(v["description"])), words)
	})
	return c.list(listing{collection: tickets, some: some, narrowed: true, under: "requests", show: c.asRequest})
}

func showRequestComment(c *call, r *world.Record) (answer, *refusal) {
	comment, refused := c.commentOf(r)
	if refused != nil || comment.Value()["public"] != true {
		return answer{}, notFound()
	}
	return answer{value: map[string]any{"comment": c.showComment(comment)}}, nil
}

func createRequest(c *call) (answer, *refusal) {
	said := c.part("request")
	asked := map[string]any{}
	for _, field := range []string{"subject", "comment", "priority", "type", "custom_fields", "requester", "due_at", "ticket_form_id", "recipient", "email_ccs", "collaborators", "via_followup_source_id"} {
		if v, sent := said[field]; sent {
			asked[field] = v
		}
	}
	if comment, ok := asked["comment"].(map[string]any); ok {
		asked["comment"] = with(comment, map[string]any{"public": true})
	}
	r, _, refused := c.openTicket(asked)
	if refused != nil {
		return answer{}, refused
	}
	shown := c.asRequest(r)
	return answer{status: http.StatusCreated, value: map[string]any{"request": shown}, header: kit.Headers("Location", cast.Text(shown["url"]))}, nil
}

func showRequest(c *call, r *world.Record) (answer, *refusal) {
	return answer{value: map[string]any{"request": c.asRequest(r)}}, nil
}

// updateRequest lets who asked say something, or call it solved.
func updateRequest(c *call, r *world.Record) (answer, *refusal) {
	said, asked := c.part("request"), map[string]any{}
	if comment, ok := said["comment"].(map[string]any); ok {
		asked["comment"] = with(comment, map[string]any{"public": true})
	}
	if flag(said["solved"], false) {
		asked["status"] = "solved"
	}
	for _, field := range []string{"collaborators", "email_ccs"} {
		if v, sent := said[field]; sent {
			asked[field] = v
		}
	}
	changed, _, refused := c.changeTicket(r, asked)
	if refused != nil {
		return answer{}, refused
	}
	return answer{value: map[string]any{"request": c.asRequest(changed)}}, nil
}

func listRequestComments(c *call, r *world.Record) (answer, *refusal) {
	some := c.those(comments, "ticket_id", r.ID, func(r *world.Record) bool { return r.Value()["public"] == true })
	return c.list(listing{collection: comments, some: some, narrowed: true, show: c.showComment})
}
