package github

import (
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func (c *call) showComment(r repo, value map[string]any) map[string]any {
	id, n := number(value, "id"), decimal(cast.Int(value["number"]))
	kind := "/issues/"
	if issue, ok := c.get(issues, issueKey(r.key(), cast.Int(value["number"]))); ok && issue.Value()["pull"] != nil {
		kind = "/pull/"
	}
	at := c.at(r) + "/issues/comments/" + decimal(id)
	created := textOr(value, "created_at", c.now())
	return overlaid(map[string]any{
		"url": at, "html_url": c.page(r) + kind + n + "#issuecomment-" + decimal(id), "issue_url": c.at(r) + "/issues/" + n, "id": id,
		"node_id": nodeID("IC", r.rid(), id), "user": c.user(kit.Text(value, "user")), "created_at": created,
		"updated_at": textOr(value, "updated_at", created), "author_association": textOr(value, "author_association", c.association(r, kit.Text(value, "user"))),
		"body": value["body"], "reactions": c.reactionsOf("comment/"+kit.Text(value, "id"), at), "performed_via_github_app": nil,
	}, value)
}

// commentsOn lists the comments of an issue, oldest first.
func (c *call) commentsOn(r repo, n int64) []*world.Record {
	return c.numbered(issueComments, r, n)
}

// numbered lists what of a collection belongs to an issue, oldest first.
func (c *call) numbered(collection string, r repo, n int64) []*world.Record {
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, collection, "number", decimal(n)) {
		if kit.Text(record.Value(), "repo") == r.key() {
			all = append(all, record)
		}
	}
	for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = all[j], all[i]
	}
	return all
}

func listComments(c *call, r repo, record *world.Record) (answer, *refusal) {
	return listed(c, c.since(c.commentsOn(r, cast.Int(record.Value()["number"]))), func(record *world.Record) any { return c.showComment(r, record.Value()) }), nil
}

// since keeps what has changed since an instant that a call names.
func (c *call) since(all []*world.Record) []*world.Record {
	since := c.query("since")
	if since == "" {
		return all
	}
	var kept []*world.Record
	for _, record := range all {
		if textOr(record.Value(), "updated_at", kit.Text(record.Value(), "created_at")) >= since {
			kept = append(kept, record)
		}
	}
	return kept
}

func listRepoComments(c *call, r repo) (answer, *refusal) {
	all := c.since(c.byRepo(issueComments, r))
	field := "created_at"
	if c.query("sort") == "updated" {
		field = "updated_at"
	}
	sorted(all, c.query("direction") == "desc", func(r *world.Record) string { return kit.Text(r.Value(), field) })
	return listed(c, all, func(record *world.Record) any { return c.showComment(r, record.Value()) }), nil
}

func createComment(c *call, r repo, issue *world.Record) (answer, *refusal) {
	if refused := c.mayComment(r); refused != nil {
		return answer{}, refused
	}
	if issue.Value()["locked"] == true && !c.may(r, levelWrite) {
		return answer{}, refusing(http.StatusForbidden, "Unable to create comment because issue is locked.")
	}
	if refused := commentBody(c.text("body")); refused != nil {
		return answer{}, refused
	}
	id := c.newID(issueComments)
	n := cast.Int(issue.Value()["number"])
	record := c.create(issueComments, map[string]any{
		"id": decimal(id), "repo": r.key(), "number": n, "user": c.loginOf(c.viewer), "body": c.text("body"), "created_at": c.now(), "updated_at": c.now(),
	})
	c.saveIssue(issue, changed(issue))
	shown := c.showComment(r, record.Value())
	c.mail(r, issue.Value(), "comment", decimal(id), c.text("body"))
	c.notify(r, "issue_comment", map[string]any{"action": "created", "issue": c.showIssue(r, issue.Value()), "comment": shown})
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

func commentBody(text string) *refusal {
	switch {
	case strings.TrimSpace(text) == "":
		r := failed(map[string]any{"resource": "IssueComment", "code": "unprocessable", "field": "data", "message": "Body cannot be blank"})
		return r
	case len([]rune(text)) > mostBody:
		return failed(map[string]any{"resource": "IssueComment", "code": "unprocessable", "field": "data", "message": "Body is too long (maximum is 65536 characters)"})
	}
	return nil
}

// mail puts into the outbox what GitHub sends by mail to those who take part in
// an issue: it cannot be called back by deleting a comment.
func (c *call) mail(r repo, issue map[string]any, kind, id, text string) {
	to := unique(append(append([]string{kit.Text(issue, "user")}, cast.Texts(issue["assignees"])...), mentions(text)...))
	var others []string
	for _, login := range to {
		if login != "" && !strings.EqualFold(login, c.viewer) {
			others = append(others, login)
		}
	}
	if len(others) == 0 || c.Identity == fakes.Fixture {
		return
	}
	must(kit.Send(c.Tx, fakes.Sent{
		Service: name, Kind: kind, ID: id, To: others, Summary: r.full() + "#" + decimal(cast.Int(issue["number"])) + ": " + kit.Clip(text),
		Content: map[string]any{"repository": r.full(), "number": cast.Int(issue["number"]), "title": issue["title"], "body": text, "by": c.loginOf(c.viewer)}, At: c.Now,
	}))
}

// mentions are the logins that a text names with an @.
func mentions(text string) []string {
	var all []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !kit.Wordlike(string(r), tokenMarks+"@") }) {
		if login, ok := strings.CutPrefix(word, "@"); ok && login != "" {
			all = append(all, strings.Trim(login, "._-"))
		}
	}
	return all
}

func getComment(c *call, r repo, record *world.Record) (answer, *refusal) {
	return answer{value: c.showComment(r, record.Value()), changed: kit.Text(record.Value(), "updated_at")}, nil
}

func updateComment(c *call, r repo, record *world.Record) (answer, *refusal) {
	if refused := commentBody(c.text("body")); refused != nil {
		return answer{}, refused
	}
	value := changed(record)
	value["body"], value["updated_at"] = c.text("body"), c.now()
	shown := c.showComment(r, c.update(issueComments, value).Value())
	c.notify(r, "issue_comment", map[string]any{"action": "edited", "comment": shown, "changes": map[string]any{"body": map[string]any{"from": record.Value()["body"]}}})
	return answer{value: shown}, nil
}

func (c *call) mayEditComment(r repo, record *world.Record) *refusal {
	if refused := c.mayComment(r); refused != nil {
		return refused
	}
	if strings.EqualFold(kit.Text(record.Value(), "user"), c.viewer) || c.may(r, levelWrite) {
		return nil
	}
	return refusing(http.StatusForbidden, "Must have admin rights to Repository.")
}

func deleteComment(c *call, r repo, record *world.Record) (answer, *refusal) {
	c.notify(r, "issue_comment", map[string]any{"action": "deleted", "comment": c.showComment(r, record.Value())})
	c.remove(issueComments, record.ID)
	return answer{status: http.StatusNoContent}, nil
}
