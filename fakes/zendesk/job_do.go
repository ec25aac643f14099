package zendesk

import (
	"slices"

	"parity/fakes/cast"
	"parity/fakes/world"
)

func sortedTexts(lines []string) []string {
	slices.Sort(lines)
	return lines
}

func (c *call) createOne(collection string, said map[string]any) (int64, *refusal) {
	var r *world.Record
	var refused *refusal
	switch collection {
	case tickets:
		r, _, refused = c.openTicket(said)
	case users:
		r, refused = c.newUser(said)
	case memberships, belongings:
		r, refused = c.join(c.fake.kinds[collection], said)
	default:
		r, refused = c.createOf(c.fake.kinds[collection], said)
	}
	if refused != nil {
		return 0, refused
	}
	return id(r.Value(), "id"), nil
}

// upsert changes the user whose external id or address it is, or makes one.
func (c *call) upsert(said map[string]any) (int64, string, *refusal) {
	if found := c.sameUser(said); found != nil {
		r, _ := c.find(users, id(found, "id"))
		_, refused := c.changeUser(r, said)
		return id(found, "id"), "update", refused
	}
	made, refused := c.createOne(users, said)
	return made, "create", refused
}

func (c *call) updateOne(collection string, r *world.Record, said map[string]any) (refused *refusal) {
	switch collection {
	case tickets:
		_, _, refused = c.changeTicket(r, said)
	case users:
		_, refused = c.changeUser(r, said)
	default:
		_, refused = c.updateOf(c.fake.kinds[collection], r, said)
	}
	return refused
}

func (c *call) deleteOne(collection string, r *world.Record) *refusal {
	switch collection {
	case tickets:
		c.bin(r)
	case users:
		return c.retire(r)
	case memberships, belongings:
		c.leave(collection, r)
	default:
		c.drop(collection, r)
		c.release(collection, r)
	}
	return nil
}

// mergeTickets closes other tickets in favour of this one, later.
// Source: developer.zendesk.com/api-reference/ticketing/tickets/tickets/#merge-tickets-into-target-ticket.
func mergeTickets(c *call, target *world.Record) (answer, *refusal) {
	if target.Value()["status"] == "closed" {
		return answer{}, closed()
	}
	sources := ids(c.Input.Body["ids"])
	if len(sources) == 0 {
		return answer{}, titled(400, "Parameter Missing", "Required parameter missing: ids")
	}
	for _, n := range sources {
		r, ok := c.find(tickets, n)
		if !ok || !living(r) {
			return answer{}, notFound()
		}
		if s := r.Value()["status"]; s == "closed" || n == id(target.Value(), "id") {
			return answer{}, named(422, "SourceInvalid", "Source tickets are not valid for merging")
		}
	}
	return c.jobAnswer(todo{kind: "merge", collection: tickets, items: cast.Anys(sources), into: id(target.Value(), "id"), words: map[string]any{
		"target_comment": c.Input.Body["target_comment"], "source_comment": c.Input.Body["source_comment"],
		"target_public": flag(c.Input.Body["target_comment_is_public"], false), "source_public": flag(c.Input.Body["source_comment_is_public"], false),
	}})
}

func (c *call) merge(work map[string]any, items []any) []any {
	words, _ := work["words"].(map[string]any)
	target, ok := c.find(tickets, id(work, "into"))
	results := []any{}
	if !ok || !living(target) || target.Value()["status"] == "closed" {
		return []any{map[string]any{"index": int64(0), "action": "merge", "id": work["into"], "success": false, "status": "Failed", "error": "TicketMergeFailed"}}
	}
	for i, n := range ids(items) {
		r, ok := c.find(tickets, n)
		if !ok || !living(r) || r.Value()["status"] == "closed" {
			results = append(results, map[string]any{"index": int64(i), "action": "merge", "id": n, "success": false, "status": "Failed", "error": "TicketMergeFailed"})
			continue
		}
		c.mergeOne(r, target, words)
		results = append(results, map[string]any{"index": int64(i), "action": "merge", "id": n, "success": true, "status": "Merged"})
	}
	target, _ = c.find(tickets, id(work, "into"))
	e := c.edit(target)
	said := orDefault(cast.Plain(words["target_comment"]), "Requests were merged into this request.")
	_ = e.speak(map[string]any{"body": said, "public": words["target_public"]}, c.callerID())
	e.copies(map[string]any{"collaborator_ids": cast.Anys(append(ids(target.Value()["collaborator_ids"]), c.requesters(items, target)...))})
	e.save()
	return results
}

// requesters are who asked in the tickets that were merged: they get copies.
func (c *call) requesters(items []any, target *world.Record) []int64 {
	var out []int64
	for _, n := range ids(items) {
		if r, ok := c.find(tickets, n); ok && id(r.Value(), "requester_id") != id(target.Value(), "requester_id") {
			out = append(out, id(r.Value(), "requester_id"))
		}
	}
	return out
}

// mergeOne closes a source ticket, with a tag that says why.
func (c *call) mergeOne(r, target *world.Record, words map[string]any) {
	e := c.edit(r)
	said := orDefault(cast.Plain(words["source_comment"]), "This request was closed and merged into request #"+key(id(target.Value(), "id")))
	_ = e.speak(map[string]any{"body": said, "public": words["source_public"]}, c.callerID())
	e.value["tags"] = cast.Anys(labels(cast.Anys(append(list(e.value["tags"]), "closed_by_merge"))))
	e.value["status"] = "closed"
	e.save()
}
