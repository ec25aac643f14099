package zendesk

import (
	"regexp"
	"strings"
	"sync"

	"parity/fakes/cast"
)

var marked = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<redact>(.*?)</redact>`) })

// redactMarked blots out of a comment what its text, sent back, has marked.
// Source: developer.zendesk.com/api-reference/ticketing/tickets/ticket_comments/#redact-ticket-comment-in-agent-workspace.
func redactMarked(c *call) (answer, *refusal) {
	comment, refused := c.member(comments, "comment_id")
	if refused != nil {
		return answer{}, refused
	}
	ticket, ok := c.find(tickets, id(comment.Value(), "ticket_id"))
	if said := id(c.Input.Body, "ticket_id"); !ok || !living(ticket) || said != 0 && said != id(ticket.Value(), "id") {
		return answer{}, notFound()
	}
	changes := map[string]any{}
	text := cast.Text(c.Input.Body["text"])
	for _, found := range marked().FindAllStringSubmatch(text, -1) {
		what := bare(found[1])
		if what == "" {
			continue
		}
		blot := strings.Repeat("▇", len([]rune(what)))
		for _, field := range []string{"body", "html_body", "plain_body"} {
			was := changes[field]
			if was == nil {
				was = comment.Value()[field]
			}
			changes[field] = strings.ReplaceAll(cast.Text(was), what, blot)
		}
	}
	changed := c.fake.store.Update(c.Tx, comments, comment.ID, with(comment.Value(), changes))
	e := c.edit(ticket)
	e.more = []any{map[string]any{"id": c.fresh(audits), "type": "CommentRedactionEvent", "comment_id": comment.Value()["id"]}}
	e.save()
	return answer{value: map[string]any{"comment": c.showWith(changed)}}, nil
}
