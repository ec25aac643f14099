package github

import (
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// reviewDraft reads a comment on a line of a pull request's changes.
func (c *call) reviewDraft(r repo, pull, given map[string]any) (map[string]any, *refusal) {
	path, body := kit.Text(given, "path"), kit.Text(given, "body")
	if path == "" || strings.TrimSpace(body) == "" {
		return nil, schemaRefusal(lacking(missingOf(given, "path", "body")))
	}
	var at *file
	for _, f := range c.pullFiles(r, pull) {
		if f.path == path {
			at = &f
		}
	}
	if at == nil {
		return nil, commentError("path", "path could not be resolved")
	}
	draft := map[string]any{
		"path": path, "body": body, "line": nil, "start_line": nil, "side": textOr(given, "side", "RIGHT"), "start_side": nil, "position": nil,
		"subject_type": textOr(given, "subject_type", "line"), "diff_hunk": at.patch.text,
	}
	line, byLine := given["line"].(int64)
	position, byPosition := given["position"].(int64)
	switch {
	case draft["subject_type"] == "file":
		return draft, nil
	case byLine:
		where := positionOf(at.patch.text, line, draft["side"] == "LEFT")
		if where == 0 {
			return nil, commentError("line", "line must be part of the diff")
		}
		draft["line"], draft["position"] = line, where
		draft["diff_hunk"] = hunkUntil(at.patch.text, where)
		if start, ok := given["start_line"].(int64); ok {
			draft["start_line"], draft["start_side"] = start, textOr(given, "start_side", "RIGHT")
		}
	case byPosition:
		if position < 1 || position >= int64(len(strings.Split(at.patch.text, "\n"))) {
			return nil, commentError("position", "position is invalid")
		}
		draft["position"], draft["diff_hunk"] = position, hunkUntil(at.patch.text, position)
		draft["line"] = lineAt(at.patch.text, position)
	default:
		return nil, commentError("line", "line must be part of the diff")
	}
	return draft, nil
}

func missingOf(given map[string]any, fields ...string) []string {
	var missing []string
	for _, field := range fields {
		if kit.Text(given, field) == "" {
			missing = append(missing, field)
		}
	}
	return missing
}

func commentError(field, text string) *refusal {
	return failed(map[string]any{"resource": "PullRequestReviewComment", "code": codeCustom, "field": "pull_request_review_thread." + field, "message": "pull_request_review_thread." + text})
}

// walkPatch tells of each line of a patch its position, which counts from below
// the first @@, and its numbers in both texts.
func walkPatch(text string, call func(position, left, right int64, sign byte)) {
	var position, left, right int64
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			position++
		}
		switch {
		case strings.HasPrefix(line, "@@"):
			left, right = starts(line)
		case line == "" || line[0] == ' ':
			call(position, left, right, ' ')
			left, right = left+1, right+1
		case line[0] == '-':
			call(position, left, 0, '-')
			left++
		case line[0] == '+':
			call(position, 0, right, '+')
			right++
		}
	}
}

// starts reads the first lines that a hunk's head names.
func starts(head string) (left, right int64) {
	for field := range strings.FieldsSeq(head) {
		from, _, _ := strings.Cut(strings.TrimLeft(field, "-+"), ",")
		n := int64(0)
		for _, r := range from {
			if r < '0' || r > '9' {
				break
			}
			n = n*10 + int64(r-'0')
		}
		switch field[0] {
		case '-':
			left = n
		case '+':
			right = n
		}
	}
	return left, right
}

func positionOf(text string, line int64, old bool) (found int64) {
	walkPatch(text, func(position, left, right int64, _ byte) {
		if old && left == line || !old && right == line {
			found = position
		}
	})
	return found
}

func lineAt(text string, at int64) (line any) {
	walkPatch(text, func(position, left, right int64, _ byte) {
		if position == at {
			if line = right; right == 0 {
				line = left
			}
		}
	})
	return line
}

// hunkUntil is what a comment shows of the changes above it.
func hunkUntil(text string, position int64) string {
	all := strings.Split(text, "\n")
	if int(position)+1 > len(all) {
		return text
	}
	return strings.Join(all[:position+1], "\n")
}

// newReviewComment writes a comment on a pull request's changes.
func (c *call) newReviewComment(r repo, n int64, value map[string]any) *world.Record {
	issue, _ := c.get(issues, issueKey(r.key(), n))
	head := kit.Text(cast.Object(cast.Object(issue.Value()["pull"])["head"]), "sha")
	value["id"], value["repo"], value["number"], value["user"] = decimal(c.newID(reviewComments)), r.key(), n, c.loginOf(c.viewer)
	value["commit_id"] = textOr(value, "commit_id", head)
	value["original_commit_id"], value["created_at"], value["updated_at"] = value["commit_id"], c.now(), c.now()
	record := c.create(reviewComments, value)
	c.mail(r, issue.Value(), "review-comment", record.ID, kit.Text(value, "body"))
	c.notify(r, "pull_request_review_comment", map[string]any{"action": "created", "comment": c.showReviewComment(r, record.Value()), "pull_request": c.showPull(r, issue.Value())})
	return record
}

func (c *call) showReviewComment(r repo, value map[string]any) map[string]any {
	id, n := number(value, "id"), decimal(cast.Int(value["number"]))
	at, pull := c.at(r)+"/pulls/comments/"+decimal(id), c.at(r)+"/pulls/"+n
	html := c.page(r) + "/pull/" + n + "#discussion_r" + decimal(id)
	created := textOr(value, "created_at", c.now())
	shown := map[string]any{
		"url": at, "pull_request_review_id": value["review"], "id": id, "node_id": nodeID("PRRC", r.rid(), id), "diff_hunk": kit.Text(value, "diff_hunk"),
		"path": kit.Text(value, "path"), "commit_id": kit.Text(value, "commit_id"), "original_commit_id": kit.Text(value, "original_commit_id"),
		"user": c.user(kit.Text(value, "user")), "body": value["body"], "created_at": created, "updated_at": textOr(value, "updated_at", created),
		"html_url": html, "pull_request_url": pull, "author_association": c.association(r, kit.Text(value, "user")),
		"_links":     map[string]any{"self": href(at), "html": href(html), "pull_request": href(pull)},
		"start_line": value["start_line"], "original_start_line": value["start_line"], "start_side": value["start_side"], "line": value["line"],
		"original_line": value["line"], "side": textOr(value, "side", "RIGHT"), "position": value["position"], "original_position": value["position"],
		"reactions": c.reactionsOf("review-comment/"+kit.Text(value, "id"), at), "subject_type": textOr(value, "subject_type", "line"),
	}
	if to, ok := value["in_reply_to"].(int64); ok {
		shown["in_reply_to_id"] = to
	}
	return overlaid(shown, value)
}

func (c *call) showReviewComments(r repo, all []*world.Record) answer {
	return listed(c, c.since(all), func(record *world.Record) any { return c.showReviewComment(r, record.Value()) })
}

func listReviewComments(c *call, r repo, record *world.Record) (answer, *refusal) {
	return c.showReviewComments(r, c.numbered(reviewComments, r, cast.Int(record.Value()["number"]))), nil
}

func listRepoReviewComments(c *call, r repo) (answer, *refusal) {
	return c.showReviewComments(r, c.byRepo(reviewComments, r)), nil
}

func listCommentsOfReview(c *call, r repo, pull, review *world.Record) (answer, *refusal) {
	var all []*world.Record
	for _, record := range c.numbered(reviewComments, r, cast.Int(pull.Value()["number"])) {
		if cast.Int(record.Value()["review"]) == number(review.Value(), "id") {
			all = append(all, record)
		}
	}
	return c.showReviewComments(r, all), nil
}

func createReviewComment(c *call, r repo, record *world.Record) (answer, *refusal) {
	if refused := c.mayComment(r); refused != nil {
		return answer{}, refused
	}
	if to, ok := c.Input.Body["in_reply_to"].(int64); ok {
		return c.reply(r, record, decimal(to))
	}
	if missing := missingOf(c.Input.Body, "commit_id", "path"); len(missing) > 0 {
		return answer{}, schemaRefusal(lacking(missing))
	}
	draft, refused := c.reviewDraft(r, cast.Object(record.Value()["pull"]), c.Input.Body)
	if refused != nil {
		return answer{}, refused
	}
	draft["commit_id"] = c.text("commit_id")
	review := c.silentReview(r, cast.Int(record.Value()["number"]), c.text("commit_id"))
	draft["review"] = number(review.Value(), "id")
	shown := c.showReviewComment(r, c.newReviewComment(r, cast.Int(record.Value()["number"]), draft).Value())
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

// silentReview is the review that a single comment makes.
func (c *call) silentReview(r repo, n int64, commit string) *world.Record {
	return c.create(reviews, map[string]any{
		"id": decimal(c.newID(reviews)), "repo": r.key(), "number": n, "user": c.loginOf(c.viewer), "state": reviewCommented, "body": "",
		"commit_id": commit, "submitted_at": c.now(),
	})
}

// reply answers a comment, at the line where that stands.
func (c *call) reply(r repo, pull *world.Record, to string) (answer, *refusal) {
	first, ok := c.get(reviewComments, to)
	if !ok || kit.Text(first.Value(), "repo") != r.key() || cast.Int(first.Value()["number"]) != cast.Int(pull.Value()["number"]) {
		return answer{}, notFound()
	}
	if strings.TrimSpace(c.text("body")) == "" {
		return answer{}, commentBody("")
	}
	value := changed(first)
	for _, field := range []string{"raw", "created_at", "updated_at", "reactions"} {
		delete(value, field)
	}
	value["body"], value["in_reply_to"] = c.text("body"), number(first.Value(), "id")
	if of, ok := first.Value()["in_reply_to"].(int64); ok {
		value["in_reply_to"] = of
	}
	value["review"] = number(c.silentReview(r, cast.Int(pull.Value()["number"]), kit.Text(first.Value(), "commit_id")).Value(), "id")
	shown := c.showReviewComment(r, c.newReviewComment(r, cast.Int(pull.Value()["number"]), value).Value())
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

func createReply(c *call, r repo, record *world.Record) (answer, *refusal) {
	if refused := c.mayComment(r); refused != nil {
		return answer{}, refused
	}
	return c.reply(r, record, c.path("comment_id"))
}

func getReviewComment(c *call, r repo, record *world.Record) (answer, *refusal) {
	return answer{value: c.showReviewComment(r, record.Value())}, nil
}

func updateReviewComment(c *call, r repo, record *world.Record) (answer, *refusal) {
	if refused := commentBody(c.text("body")); refused != nil {
		return answer{}, refused
	}
	value := changed(record)
	value["body"], value["updated_at"] = c.text("body"), c.now()
	return answer{value: c.showReviewComment(r, c.update(reviewComments, value).Value())}, nil
}

func deleteReviewComment(c *call, r repo, record *world.Record) (answer, *refusal) {
	c.remove(reviewComments, record.ID)
	return answer{status: http.StatusNoContent}, nil
}
