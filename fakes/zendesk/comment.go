package zendesk

import (
	"html"
	"regexp"
	"strings"
	"sync"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
)

// speak prepares the comment of an edit: a text, or an object. It is public
// unless it says otherwise, as Zendesk has it.
func (e *edit) speak(said any, author int64) *refusal {
	spoken, ok := said.(map[string]any)
	if !ok {
		if s, isText := said.(string); isText && strings.TrimSpace(s) != "" {
			spoken = map[string]any{"body": s}
		} else {
			return nil
		}
	}
	body, markup := cast.Text(spoken["body"]), cast.Text(spoken["html_body"])
	switch {
	case strings.TrimSpace(markup) != "":
		body = bare(markup)
	case strings.TrimSpace(body) != "":
		markup = paragraphs(body)
	case len(labels(spoken["uploads"])) == 0:
		return nil
	}
	if n := id(spoken, "author_id"); n != 0 {
		if _, ok := e.c.find(users, n); !ok {
			return invalid(wrong("author_id"))
		}
		author = n
	}
	public := flag(spoken["public"], true)
	if e.before != nil && e.before.Value()["is_public"] == false && spoken["public"] == nil {
		public = false // what began in private goes on so
	}
	if c := e.c; c.notesOnly(author) {
		public = false
	}
	e.author = author
	e.comment = map[string]any{
		"type": "Comment", "author_id": author, "body": body, "html_body": `<div class="zd-comment" dir="auto">` + markup + `</div>`,
		"plain_body": body, "public": public, "attachments": []any{},
	}
	return e.attach(spoken["uploads"])
}

// notesOnly tells whether an agent's custom role lets them say nothing in public,
// as those of light agents do.
func (c *call) notesOnly(author int64) bool {
	user, _ := c.find(users, author)
	role, ok := c.find(customRoles, id(value(user), "custom_role_id"))
	return ok && cast.Object(role.Value()["configuration"])["ticket_comment_access"] == "none"
}

// attach takes uploads into the comment. An upload serves once.
func (e *edit) attach(v any) *refusal {
	tokens := list(v)
	if one, ok := v.(string); ok {
		tokens = []string{one}
	}
	var files []any
	for _, token := range tokens {
		r, ok := e.c.Tx.Get(full(uploads), token)
		expires, _ := moment(cast.Text(value(r)["expires_at"]))
		if !ok || r.Value()["used"] == true || e.c.Now.After(expires) {
			return invalid(fault{field: "base", description: "Upload: " + token + " is invalid or has expired", code: "InvalidValue"})
		}
		for _, n := range ids(r.Value()["attachment_ids"]) {
			if file, ok := e.c.find(attachments, n); ok {
				files = append(files, file.Value())
			}
		}
		e.uploads = append(e.uploads, r)
	}
	if files != nil {
		e.comment["attachments"] = files
	}
	return nil
}

func value(r *world.Record) map[string]any {
	if r == nil {
		return nil
	}
	return r.Value()
}

// commentEvent writes the comment, and gives the event that tells of it.
func (e *edit) commentEvent(audit int64) []any {
	if e.comment == nil {
		return nil
	}
	c := e.c
	n := c.fresh(comments)
	event := with(e.comment, map[string]any{"id": n, "audit_id": audit})
	at := c.now()
	if c.Identity == fakes.Fixture && e.before == nil {
		at = cast.Text(e.value["created_at"])
	}
	c.fake.store.Create(c.Tx, comments, key(n), with(event, map[string]any{
		"ticket_id": e.value["id"], "via": e.via, "created_at": at,
		"metadata": map[string]any{"system": map[string]any{}, "custom": map[string]any{}},
	}))
	for _, upload := range e.uploads {
		c.fake.store.Update(c.Tx, uploads, upload.ID, with(upload.Value(), map[string]any{"used": true}))
	}
	return []any{event}
}

// showComment gives a comment as lists have it.
func (c *call) showComment(r *world.Record) map[string]any {
	out := with(r.Value(), nil)
	delete(out, "ticket_id")
	files, _ := out["attachments"].([]any)
	shown := make([]any, len(files))
	for i, file := range files {
		shown[i] = c.render(cast.Object(file))
	}
	out["attachments"] = shown
	return out
}

func listComments(c *call, r *world.Record) (answer, *refusal) {
	some := c.those(comments, "ticket_id", r.ID, nil)
	if strings.TrimPrefix(c.query("sort"), "-") == "" && c.query("sort_order") == "desc" || strings.HasPrefix(c.query("sort"), "-") {
		for i, j := 0, len(some)-1; i < j; i, j = i+1, j-1 {
			some[i], some[j] = some[j], some[i]
		}
		delete(c.Input.Query, "sort")
	}
	return c.list(listing{collection: comments, some: some, narrowed: true, show: c.showComment})
}

func countComments(c *call, r *world.Record) (answer, *refusal) {
	return c.count(len(c.those(comments, "ticket_id", r.ID, nil)))
}

func (c *call) commentOf(r *world.Record) (*world.Record, *refusal) {
	comment, refused := c.member(comments, "comment_id")
	if refused == nil && key(id(comment.Value(), "ticket_id")) != r.ID {
		return nil, notFound()
	}
	return comment, refused
}

func makePrivate(c *call, r *world.Record) (answer, *refusal) {
	comment, refused := c.commentOf(r)
	if refused != nil {
		return answer{}, refused
	}
	if comment.Value()["public"] == true {
		c.fake.store.Update(c.Tx, comments, comment.ID, with(comment.Value(), map[string]any{"public": false}))
		e := c.edit(r)
		e.more = []any{map[string]any{"id": c.fresh(audits), "type": "CommentPrivacyChange", "comment_id": comment.Value()["id"], "public": false}}
		e.save()
	}
	return answer{}, nil
}

// redact blots a text out, for good.
func redact(c *call, r *world.Record) (answer, *refusal) {
	comment, refused := c.commentOf(r)
	if refused != nil {
		return answer{}, refused
	}
	what := cast.Text(c.Input.Body["text"])
	if what == "" || !strings.Contains(cast.Text(comment.Value()["body"]), what) {
		return answer{}, invalid(fault{field: "base", description: "Text: was not found in the comment", code: "InvalidValue"})
	}
	blot := strings.Repeat("▇", len([]rune(what)))
	changes := map[string]any{}
	for _, field := range []string{"body", "html_body", "plain_body"} {
		changes[field] = strings.ReplaceAll(cast.Text(comment.Value()[field]), what, blot)
	}
	changed := c.fake.store.Update(c.Tx, comments, comment.ID, with(comment.Value(), changes))
	e := c.edit(r)
	e.more = []any{map[string]any{"id": c.fresh(audits), "type": "CommentRedactionEvent", "comment_id": comment.Value()["id"]}}
	e.save()
	return answer{value: map[string]any{"comment": c.showWith(changed)}}, nil
}

func (c *call) showWith(r *world.Record) map[string]any {
	return with(c.showComment(r), map[string]any{"ticket_id": r.Value()["ticket_id"]})
}

var markupTags = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<[^>]*>`) })

// bare is what is left of a text with markup.
func bare(markup string) string {
	for _, end := range []string{"</p>", "<br>", "<br/>", "<br />", "</div>", "</li>"} {
		markup = strings.ReplaceAll(markup, end, end+"\n")
	}
	return strings.TrimSpace(html.UnescapeString(markupTags().ReplaceAllString(markup, "")))
}

// paragraphs is a plain text with markup.
func paragraphs(body string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(strings.TrimSpace(strings.ReplaceAll(body, "\r\n", "\n")), "\n\n") {
		b.WriteString(`<p dir="auto">` + strings.ReplaceAll(html.EscapeString(part), "\n", "<br>") + "</p>")
	}
	return b.String()
}

// uploadLife is how long an upload waits for its comment.
// Source: developer.zendesk.com/api-reference/ticketing/tickets/ticket-attachments.
const uploadLife = 60 * time.Minute
