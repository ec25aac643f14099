package zendesk

import (
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// importedTicket makes a ticket of another system: it and its comments keep their
// times, no trigger runs, and nobody is told.
// Source: developer.zendesk.com/api-reference/ticketing/tickets/ticket_import.
func (c *call) importedTicket(said map[string]any) (*world.Record, *refusal) {
	spoken := cast.List(said["comments"])
	if len(spoken) == 0 && said["comment"] == nil {
		spoken = []any{map[string]any{"body": said["description"]}}
	}
	asked := with(said, nil)
	if len(spoken) > 0 {
		asked["comment"] = importedComment(spoken[0])
	}
	at := c.at(said["created_at"])
	r, _, refused := at.openTicket(asked)
	if refused != nil {
		return nil, refused
	}
	for _, one := range spoken[min(1, len(spoken)):] {
		e := c.at(cast.Object(one)["created_at"]).edit(r)
		if e.speak(importedComment(one), e.author) == nil && e.comment != nil {
			r, _ = e.save()
		}
	}
	value := with(r.Value(), map[string]any{"generated_timestamp": c.Now.Unix()})
	for _, field := range []string{"created_at", "updated_at"} {
		if then, ok := moment(cast.Text(said[field])); ok {
			value[field] = stamp(then)
		}
	}
	return c.write(tickets, id(value, "id"), r, value), nil
}

// importedComment reads a comment, whose text imports call value.
func importedComment(v any) map[string]any {
	said := with(cast.Object(v), nil)
	if said["body"] == nil && said["html_body"] == nil {
		said["body"] = said["value"]
	}
	return said
}

// at is the call at a time that a client says, for imports: nothing comes of it
// but the record.
func (c *call) at(v any) *call {
	then := *c.Call
	if when, ok := moment(cast.Text(v)); ok && when.Before(c.Now) {
		then.Now = when
	}
	return &call{Call: &then, fake: c.fake, asker: c.asker, promised: c.promised, quiet: true}
}

func importTicket(c *call) (answer, *refusal) {
	r, refused := c.importedTicket(c.part("ticket"))
	if refused != nil {
		return answer{}, refused
	}
	shown := c.show(r)
	return answer{status: http.StatusCreated, value: map[string]any{"ticket": shown}, header: kit.Headers("Location", cast.Text(shown["url"]))}, nil
}

func importTickets(c *call) (answer, *refusal) {
	items, ok := c.Input.Body[tickets].([]any)
	if !ok || len(items) == 0 {
		return answer{}, titled(http.StatusBadRequest, "Parameter Missing", "Required parameter missing: tickets")
	}
	return c.jobAnswer(todo{kind: "import", collection: tickets, items: items})
}

func listAllAudits(c *call) (answer, *refusal) {
	if n, ok := c.Input.Query["limit"].(int64); ok && n > 0 { // as lists of audits called it before
		c.Input.Query = with(c.Input.Query, map[string]any{"page": with(cast.Object(c.Input.Query["page"]), map[string]any{"size": min(n, mostPerPage)})})
	}
	found, refused := c.byCursorOnly(listing{collection: audits})
	if refused != nil {
		return answer{}, refused
	}
	meta, links := cast.Object(found.value["meta"]), cast.Object(found.value["links"])
	for side, link := range map[string]string{"after": "next", "before": "prev"} {
		found.value[side+"_cursor"], found.value[side+"_url"] = meta[side+"_cursor"], links[link]
	}
	return found, nil
}
