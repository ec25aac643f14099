package github

import (
	"maps"
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// event writes down what happened to an issue.
func (c *call) event(r repo, n int64, kind string, more map[string]any) {
	c.eventOf(r, n, kind, "", more)
}

func (c *call) eventOf(r repo, n int64, kind, commit string, more map[string]any) {
	value := map[string]any{
		"id": decimal(c.newID(issueEvents)), "repo": r.key(), "number": n, "event": kind, "actor": c.loginOf(c.viewer), "commit_id": nil, "created_at": c.now(), "more": more,
	}
	if commit != "" {
		value["commit_id"] = commit
	}
	if more == nil {
		delete(value, "more")
	}
	c.create(issueEvents, value)
}

func (c *call) showEvent(r repo, value map[string]any) map[string]any {
	id := number(value, "id")
	shown := map[string]any{
		"id": id, "node_id": nodeID("EV", id), "url": c.at(r) + "/issues/events/" + decimal(id), "actor": c.user(kit.Text(value, "actor")),
		"event": value["event"], "commit_id": value["commit_id"], "commit_url": nil, "created_at": textOr(value, "created_at", c.now()),
		"performed_via_github_app": nil,
	}
	if sha := kit.Text(value, "commit_id"); sha != "" {
		shown["commit_url"] = c.at(r) + "/commits/" + sha
	}
	for field, told := range cast.Object(value["more"]) {
		switch login, _ := told.(string); field {
		case "assignee", "assigner", "review_requester", "requested_reviewer":
			shown[field] = c.user(login)
		case "label":
			label := c.showLabel(r, login)
			shown[field] = map[string]any{"name": label["name"], "color": label["color"]}
		default:
			shown[field] = told
		}
	}
	return overlaid(shown, value)
}

func listEvents(c *call, r repo, record *world.Record) (answer, *refusal) {
	all := c.numbered(issueEvents, r, cast.Int(record.Value()["number"]))
	return listed(c, all, func(record *world.Record) any { return c.showEvent(r, record.Value()) }), nil
}

func (c *call) showEventWithIssue(r repo, value map[string]any) map[string]any {
	shown := c.showEvent(r, value)
	if issue, ok := c.get(issues, issueKey(r.key(), cast.Int(value["number"]))); ok {
		shown["issue"] = c.showIssue(r, issue.Value())
	}
	return shown
}

func listRepoEvents(c *call, r repo) (answer, *refusal) {
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, issueEvents, "repo", r.key()) {
		all = append(all, record)
	}
	return listed(c, all, func(record *world.Record) any { return c.showEventWithIssue(r, record.Value()) }), nil
}

func getEvent(c *call, r repo) (answer, *refusal) {
	record, ok := c.get(issueEvents, c.path("event_id"))
	if !ok || kit.Text(record.Value(), "repo") != r.key() {
		return answer{}, notFound()
	}
	return answer{value: c.showEventWithIssue(r, record.Value())}, nil
}

// timeline lists events and comments of an issue, in the order in which they
// came.
func timeline(c *call, r repo, record *world.Record) (answer, *refusal) {
	n := cast.Int(record.Value()["number"])
	type item struct {
		at    string
		shown map[string]any
	}
	var all []item
	for _, one := range c.numbered(issueEvents, r, n) {
		all = append(all, item{kit.Text(one.Value(), "created_at"), c.showEvent(r, one.Value())})
	}
	for _, one := range c.commentsOn(r, n) {
		shown := maps.Clone(c.showComment(r, one.Value()))
		shown["event"], shown["actor"] = "commented", shown["user"]
		all = append(all, item{kit.Text(one.Value(), "created_at"), shown})
	}
	for _, one := range c.numbered(reviews, r, n) {
		shown := c.showReview(r, one.Value())
		shown["event"] = "reviewed"
		all = append(all, item{kit.Text(one.Value(), "submitted_at"), shown})
	}
	sorted(all, false, func(i item) string { return i.at })
	return listed(c, all, func(i item) any { return i.shown }), nil
}

var lockReasons = map[string]bool{"off-topic": true, "too heated": true, "resolved": true, "spam": true}

func lockIssue(c *call, r repo, record *world.Record) (answer, *refusal) {
	value := changed(record)
	value["locked"], value["active_lock_reason"] = true, nil
	if reason := c.text("lock_reason"); reason != "" {
		if !lockReasons[reason] {
			return answer{}, failed(wrongValue("Issue", "lock_reason", codeInvalid, reason))
		}
		value["active_lock_reason"] = reason
	}
	c.saveIssue(record, value)
	if record.Value()["locked"] != true {
		c.event(r, cast.Int(value["number"]), "locked", map[string]any{"lock_reason": value["active_lock_reason"]})
		c.notify(r, "issues", map[string]any{"action": "locked", "issue": c.showIssue(r, value)})
	}
	return answer{status: http.StatusNoContent}, nil
}

func unlockIssue(c *call, r repo, record *world.Record) (answer, *refusal) {
	value := changed(record)
	value["locked"], value["active_lock_reason"] = false, nil
	c.saveIssue(record, value)
	if record.Value()["locked"] == true {
		c.event(r, cast.Int(value["number"]), "unlocked", map[string]any{"lock_reason": nil})
		c.notify(r, "issues", map[string]any{"action": "unlocked", "issue": c.showIssue(r, value)})
	}
	return answer{status: http.StatusNoContent}, nil
}

// assign changes the assignees of an issue by what a request names. Who cannot
// be given issues is passed over.
func assign(next func(own, given []string) []string, status int) handler {
	return onTriaged(func(c *call, r repo, record *world.Record) (answer, *refusal) {
		given := cast.Texts(c.Input.Body["assignees"])
		if one := c.text("assignees"); one != "" {
			given = []string{one}
		}
		var fit []string
		for _, login := range given {
			if c.assignable(r, login) {
				fit = append(fit, c.loginOf(login))
			}
		}
		logins := next(cast.Texts(record.Value()["assignees"]), fit)
		value := changed(record)
		value["assignees"] = cast.Anys(logins[:min(len(logins), 10)])
		saved := c.saveIssue(record, value)
		c.tell(r, record.Value(), saved.Value())
		return answer{status: status, value: c.showIssue(r, saved.Value())}, nil
	})
}

func without(own, given []string) []string {
	kept := []string{}
	for _, one := range own {
		if !holds(given, one) {
			kept = append(kept, one)
		}
	}
	return kept
}

func listAssignees(c *call, r repo) (answer, *refusal) {
	return listed(c, c.trusted(r), func(login string) any { return c.brief(login) }), nil
}

// trusted lists who has more than reading access to a repository.
func (c *call) trusted(r repo) []string {
	var all []string
	if !c.isOrg(r.owner()) {
		all = append(all, c.loginOf(r.owner()))
	}
	for record := range c.fake.store.Find(c.Tx, members, "org", strings.ToLower(r.owner())) {
		all = append(all, c.loginOf(kit.Text(record.Value(), "login")))
	}
	for _, record := range c.byRepo(collaborators, r) {
		all = append(all, c.loginOf(kit.Text(record.Value(), "login")))
	}
	return unique(all)
}

func checkAssignee(c *call, r repo) (answer, *refusal) {
	if !c.assignable(r, c.path("assignee")) {
		return answer{}, notFound()
	}
	return answer{status: http.StatusNoContent}, nil
}
