package github

import (
	"maps"
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// States of reviews.
const (
	reviewApproved  = "APPROVED"
	reviewChanges   = "CHANGES_REQUESTED"
	reviewCommented = "COMMENTED"
	reviewDismissed = "DISMISSED"
	reviewPending   = "PENDING"
)

var reviewEvents = map[string]string{"APPROVE": reviewApproved, "REQUEST_CHANGES": reviewChanges, "COMMENT": reviewCommented, "": reviewPending, "PENDING": reviewPending}

func (c *call) showReview(r repo, value map[string]any) map[string]any {
	id, n := number(value, "id"), decimal(cast.Int(value["number"]))
	html := c.page(r) + "/pull/" + n + "#pullrequestreview-" + decimal(id)
	pull := c.at(r) + "/pulls/" + n
	shown := map[string]any{
		"id": id, "node_id": nodeID("PRR", r.rid(), id), "user": c.user(kit.Text(value, "user")), "body": kit.Text(value, "body"), "state": value["state"],
		"html_url": html, "pull_request_url": pull, "author_association": c.association(r, kit.Text(value, "user")),
		"_links": map[string]any{"html": href(html), "pull_request": href(pull)}, "commit_id": value["commit_id"],
	}
	if at := kit.Text(value, "submitted_at"); at != "" {
		shown["submitted_at"] = at
	}
	return overlaid(shown, value)
}

// approved tells whether somebody who may has approved a pull request as it
// stands, and nobody asks for changes.
func (c *call) approved(r repo, n int64) bool {
	last := map[string]string{}
	for _, record := range c.numbered(reviews, r, n) {
		if state := kit.Text(record.Value(), "state"); state != reviewCommented && state != reviewPending {
			last[kit.Text(record.Value(), "user")] = state
		}
	}
	yes := false
	for _, state := range last {
		if state == reviewChanges {
			return false
		}
		yes = yes || state == reviewApproved
	}
	return yes
}

// pulled finds the repository and the pull request of a call.
func (c *call) pulled() (repo, *world.Record, *refusal) {
	r, refused := c.repository()
	if refused != nil {
		return repo{}, nil, refused
	}
	record, refused := c.pullAt(r)
	return r, record, refused
}

func listReviews(c *call, r repo, record *world.Record) (answer, *refusal) {
	var all []*world.Record
	for _, one := range c.numbered(reviews, r, cast.Int(record.Value()["number"])) {
		if kit.Text(one.Value(), "state") != reviewPending || strings.EqualFold(kit.Text(one.Value(), "user"), c.viewer) {
			all = append(all, one)
		}
	}
	return listed(c, all, func(one *world.Record) any { return c.showReview(r, one.Value()) }), nil
}

// reviewRefusal tells what stands against a review.
func (c *call) reviewRefusal(pull map[string]any, author, event, body string) *refusal {
	state, known := reviewEvents[event]
	own := strings.EqualFold(author, c.viewer)
	switch {
	case !known:
		return unprocessable("Unprocessable Entity")
	case own && state == reviewApproved:
		return reviewError("Review Can not approve your own pull request")
	case own && state == reviewChanges:
		return reviewError("Review Can not request changes on your own pull request")
	case (state == reviewCommented || state == reviewChanges) && strings.TrimSpace(body) == "" && len(listOf(c.Input.Body["comments"])) == 0:
		return reviewError("Review Body can't be blank")
	case pull["merged_at"] != nil && state != reviewCommented && state != reviewPending:
		return reviewError("Review Can not approve a merged pull request")
	}
	return nil
}

// reviewError is a 422 whose errors are plain texts, as those of reviews are.
func reviewError(text string) *refusal {
	r := unprocessable("Unprocessable Entity")
	r.errors = []any{text}
	return r
}

func createReview(c *call, r repo, record *world.Record) (answer, *refusal) {
	if refused := c.mayComment(r); refused != nil {
		return answer{}, refused
	}
	pull := cast.Object(record.Value()["pull"])
	event := strings.ToUpper(c.text("event"))
	if refused := c.reviewRefusal(pull, kit.Text(record.Value(), "user"), event, c.text("body")); refused != nil {
		return answer{}, refused
	}
	n := cast.Int(record.Value()["number"])
	for _, one := range c.numbered(reviews, r, n) {
		if kit.Text(one.Value(), "state") == reviewPending && strings.EqualFold(kit.Text(one.Value(), "user"), c.viewer) {
			return answer{}, reviewError("User can only have one pending review per pull request")
		}
	}
	drafts, refused := c.reviewDrafts(r, pull)
	if refused != nil {
		return answer{}, refused
	}
	id := c.newID(reviews)
	value := map[string]any{
		"id": decimal(id), "repo": r.key(), "number": n, "user": c.loginOf(c.viewer), "state": reviewEvents[event], "body": c.text("body"),
		"commit_id": textOr(c.Input.Body, "commit_id", kit.Text(pull, "head.sha")), "submitted_at": nil,
	}
	if value["state"] != reviewPending {
		value["submitted_at"] = c.now()
	}
	review := c.create(reviews, value)
	for _, draft := range drafts {
		draft["review"] = id
		c.newReviewComment(r, n, draft)
	}
	c.reviewed(r, record, review.Value())
	return answer{value: c.showReview(r, review.Value())}, nil
}

// reviewed follows up on a review that was submitted: its author is asked for
// no other.
func (c *call) reviewed(r repo, record *world.Record, review map[string]any) {
	if review["state"] == reviewPending {
		return
	}
	value := changed(record)
	pull := maps.Clone(cast.Object(value["pull"]))
	pull["requested_reviewers"] = cast.Anys(without(cast.Texts(pull["requested_reviewers"]), []string{c.viewer}))
	value["pull"] = pull
	saved := c.saveIssue(record, value)
	c.mail(r, saved.Value(), "review", kit.Text(review, "id"), kit.Text(review, "body"))
	shown := c.showReview(r, review)
	shown["state"] = strings.ToLower(kit.Text(review, "state"))
	c.notify(r, "pull_request_review", map[string]any{"action": "submitted", "review": shown, "pull_request": c.showPull(r, saved.Value())})
}

// reviewDrafts reads the comments that come with a review.
func (c *call) reviewDrafts(r repo, pull map[string]any) ([]map[string]any, *refusal) {
	var all []map[string]any
	for _, one := range listOf(c.Input.Body["comments"]) {
		draft, refused := c.reviewDraft(r, pull, cast.Object(one))
		if refused != nil {
			return nil, refused
		}
		all = append(all, draft)
	}
	return all, nil
}

func (c *call) reviewAt(r repo, n int64) (*world.Record, *refusal) {
	record, ok := c.get(reviews, c.path("review_id"))
	if !ok || kit.Text(record.Value(), "repo") != r.key() || cast.Int(record.Value()["number"]) != n {
		return nil, notFound()
	}
	return record, nil
}

// onReview answers a call about one review of a pull request.
func onReview(act func(c *call, r repo, pull, review *world.Record) (answer, *refusal)) handler {
	return onPull(func(c *call, r repo, record *world.Record) (answer, *refusal) {
		review, refused := c.reviewAt(r, cast.Int(record.Value()["number"]))
		if refused != nil {
			return answer{}, refused
		}
		if c.Operation.Method != http.MethodGet {
			if refused := c.mayComment(r); refused != nil {
				return answer{}, refused
			}
		}
		return act(c, r, record, review)
	})
}

func getReview(c *call, r repo, _, review *world.Record) (answer, *refusal) {
	return answer{value: c.showReview(r, review.Value())}, nil
}

func updateReview(c *call, r repo, _, review *world.Record) (answer, *refusal) {
	value := changed(review)
	value["body"] = c.text("body")
	return answer{value: c.showReview(r, c.update(reviews, value).Value())}, nil
}

func deleteReview(c *call, r repo, _, review *world.Record) (answer, *refusal) {
	if kit.Text(review.Value(), "state") != reviewPending {
		return answer{}, reviewError("Can not delete a non-pending pull request review")
	}
	shown := c.showReview(r, review.Value())
	c.remove(reviews, review.ID)
	return answer{value: shown}, nil
}

func submitReview(c *call, r repo, record, review *world.Record) (answer, *refusal) {
	if kit.Text(review.Value(), "state") != reviewPending {
		return answer{}, reviewError("Can not submit a review that is not pending")
	}
	event, body := strings.ToUpper(c.text("event")), textOr(c.Input.Body, "body", kit.Text(review.Value(), "body"))
	if refused := c.reviewRefusal(cast.Object(record.Value()["pull"]), kit.Text(record.Value(), "user"), event, body); refused != nil {
		return answer{}, refused
	}
	value := changed(review)
	value["state"], value["body"], value["submitted_at"] = reviewEvents[event], body, c.now()
	saved := c.update(reviews, value)
	c.reviewed(r, record, saved.Value())
	return answer{value: c.showReview(r, saved.Value())}, nil
}

func dismissReview(c *call, r repo, record, review *world.Record) (answer, *refusal) {
	if !c.may(r, levelWrite) {
		return answer{}, refusing(http.StatusForbidden, noScopes)
	}
	switch kit.Text(review.Value(), "state") {
	case reviewApproved, reviewChanges:
	default:
		return answer{}, reviewError("Can not dismiss a commented pull request review")
	}
	value := changed(review)
	value["state"], value["message"] = reviewDismissed, c.text("message")
	saved := c.update(reviews, value)
	n := cast.Int(record.Value()["number"])
	c.event(r, n, "review_dismissed", map[string]any{"dismissed_review": map[string]any{
		"state": strings.ToLower(kit.Text(review.Value(), "state")), "review_id": number(value, "id"), "dismissal_message": c.text("message"),
	}})
	c.notify(r, "pull_request_review", map[string]any{"action": "dismissed", "review": c.showReview(r, saved.Value()), "pull_request": c.showPull(r, record.Value())})
	return answer{value: c.showReview(r, saved.Value())}, nil
}

func listReviewers(c *call, _ repo, record *world.Record) (answer, *refusal) {
	return answer{value: map[string]any{"users": c.people(cast.Texts(cast.Object(record.Value()["pull"])["requested_reviewers"])), "teams": []any{}}}, nil
}

// askReviewers changes who is asked for a review.
func askReviewers(next func(own, given []string) []string, status int, event string) handler {
	return onPull(func(c *call, r repo, record *world.Record) (answer, *refusal) {
		if refused := c.mayEdit(r, kit.Text(record.Value(), "user")); refused != nil {
			return answer{}, refused
		}
		given := cast.Texts(c.Input.Body["reviewers"])
		for _, login := range given {
			switch {
			case strings.EqualFold(login, kit.Text(record.Value(), "user")):
				return answer{}, unprocessable("Review cannot be requested from pull request author.")
			case status == http.StatusCreated && !c.assignable(r, login):
				return answer{}, unprocessable("Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the %s repository.", r.full())
			}
		}
		value := changed(record)
		pull := maps.Clone(cast.Object(value["pull"]))
		was := cast.Texts(pull["requested_reviewers"])
		is := next(was, given)
		pull["requested_reviewers"] = cast.Anys(is)
		value["pull"] = pull
		saved := c.saveIssue(record, value)
		n := cast.Int(value["number"])
		for _, login := range given {
			if holds(was, login) != holds(is, login) {
				c.event(r, n, event, map[string]any{"requested_reviewer": login, "review_requester": c.loginOf(c.viewer)})
				c.notify(r, "pull_request", map[string]any{"action": event, "number": n, "requested_reviewer": c.brief(login), "pull_request": c.showPull(r, saved.Value())})
			}
		}
		return answer{status: status, value: c.showPull(r, saved.Value())}, nil
	})
}
