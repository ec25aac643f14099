package github

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// mostBody is how long the body of an issue or a comment may be.
const mostBody = 65536 // characters

// titleIn reads the title of a request, which may be a number.
func titleIn(value any) string {
	text, _ := value.(string)
	if n, ok := value.(int64); ok {
		text = decimal(n)
	}
	return text
}

func createIssue(c *call, r repo) (answer, *refusal) {
	if refused := c.issuesOn(r, nil); refused != nil {
		return answer{}, refused
	}
	if refused := c.mayComment(r); refused != nil {
		return answer{}, refused
	}
	value := map[string]any{
		"repo": r.key(), "title": titleIn(c.Input.Body["title"]), "body": c.Input.Body["body"], "user": c.loginOf(c.viewer), "state": stateOpen,
		"created_at": c.now(), "updated_at": c.now(),
	}
	if refused := c.checkIssue(r, value); refused != nil {
		return answer{}, refused
	}
	if c.may(r, levelTriage) { // others are not heard, and not refused
		if refused := c.sort(r, value); refused != nil {
			return answer{}, refused
		}
	}
	record := c.newIssue(r, value)
	shown := c.showIssueWhole(r, record.Value())
	c.notify(r, "issues", map[string]any{"action": "opened", "issue": c.showIssue(r, record.Value())})
	return answer{status: http.StatusCreated, value: shown, location: c.at(r) + "/issues/" + decimal(cast.Int(record.Value()["number"]))}, nil
}

// mayComment refuses who may not write to issues: reading a repository is
// enough, but the token needs its scope.
func (c *call) mayComment(r repo) *refusal {
	if r.archived() {
		return refusing(http.StatusForbidden, "Repository was archived so is read-only.")
	}
	if !c.scoped(r) {
		return refusing(http.StatusForbidden, noScopes)
	}
	return nil
}

// checkIssue holds what an issue says against what GitHub takes.
func (c *call) checkIssue(_ repo, value map[string]any) *refusal {
	title, body := kit.Text(value, "title"), kit.Text(value, "body")
	switch {
	case strings.TrimSpace(title) == "":
		return failed(wrong("Issue", "title", codeField))
	case len([]rune(title)) > 256:
		return failed(map[string]any{"resource": "Issue", "code": codeCustom, "field": "title", "message": "title is too long (maximum is 256 characters)"})
	case len([]rune(body)) > mostBody:
		return failed(map[string]any{"resource": "Issue", "code": codeCustom, "field": "body", "message": "body is too long (maximum is 65536 characters)"})
	}
	return nil
}

// newIssue writes a new issue or pull request under the next number.
func (c *call) newIssue(r repo, value map[string]any) *world.Record {
	n := c.next("issues", r.key(), func() int64 {
		var most int64
		for record := range c.fake.store.Find(c.Tx, issues, "repo", r.key()) {
			most = max(most, cast.Int(record.Value()["number"]))
		}
		return most
	})
	value["id"], value["number"], value["iid"] = issueKey(r.key(), n), n, c.newID(issues)
	record := c.create(issues, value)
	c.fake.index.Note(c.Tx, record.ID, nil, c.Now)
	for _, login := range cast.Texts(value["assignees"]) {
		c.event(r, n, "assigned", map[string]any{"assignee": login, "assigner": c.loginOf(c.viewer)})
	}
	for _, label := range cast.Texts(value["labels"]) {
		c.event(r, n, "labeled", map[string]any{"label": label})
	}
	return record
}

// saveIssue writes a changed issue.
func (c *call) saveIssue(record *world.Record, value map[string]any) *world.Record {
	value["updated_at"] = c.now()
	c.fake.index.Note(c.Tx, record.ID, record.Value(), c.Now)
	return c.update(issues, value)
}

// sort reads labels, assignees and the milestone of a request.
func (c *call) sort(r repo, value map[string]any) *refusal {
	if c.has("assignee") && c.has("assignees") && len(cast.Texts(c.Input.Body["assignees"])) > 0 {
		return unprocessable("You cannot pass both `assignee` and `assignees`. Only one may be provided.")
	}
	if given, ok := c.Input.Body["milestone"]; ok {
		n, refused := c.milestoneIn(r, given)
		if refused != nil {
			return refused
		}
		value["milestone"] = n
	}
	if c.has("assignee") || c.has("assignees") {
		logins := cast.Texts(c.Input.Body["assignees"])
		if one := c.text("assignee"); one != "" {
			logins = []string{one}
		}
		for i, login := range logins {
			if !c.assignable(r, login) {
				return failed(wrongValue("Issue", "assignees", codeInvalid, login))
			}
			logins[i] = c.loginOf(login)
		}
		value["assignees"] = cast.Anys(unique(logins))
	}
	if given, ok := c.Input.Body["labels"].([]any); ok {
		names, refused := c.labelNames(given)
		if refused != nil {
			return refused
		}
		value["labels"] = cast.Anys(c.ensureLabels(r, names))
	}
	return nil
}

func unique(all []string) []string {
	var kept []string
	for _, one := range all {
		if !holds(kept, one) {
			kept = append(kept, one)
		}
	}
	return kept
}

// assignable tells whether an account may be given issues of a repository.
func (c *call) assignable(r repo, login string) bool {
	if strings.EqualFold(login, r.owner()) && !c.isOrg(login) || strings.EqualFold(login, c.viewer) {
		return true
	}
	if _, ok := c.get(collaborators, r.key()+"/"+strings.ToLower(login)); ok {
		return true
	}
	return c.role(r.owner(), login) != ""
}

func updateIssue(c *call, r repo, record *world.Record) (answer, *refusal) {
	if refused := c.mayEdit(r, kit.Text(record.Value(), "user")); refused != nil {
		return answer{}, refused
	}
	value, refused := c.changedIssue(r, record)
	if refused != nil {
		return answer{}, refused
	}
	saved := c.saveIssue(record, value)
	c.tell(r, record.Value(), saved.Value())
	return answer{value: c.showIssueWhole(r, saved.Value())}, nil
}

// mayEdit refuses who is neither the author nor trusted with the repository.
func (c *call) mayEdit(r repo, author string) *refusal {
	if refused := c.mayComment(r); refused != nil {
		return refused
	}
	if strings.EqualFold(author, c.viewer) || c.may(r, levelTriage) {
		return nil
	}
	return refusing(http.StatusForbidden, "Must have admin rights to Repository.")
}

func (c *call) changedIssue(r repo, record *world.Record) (map[string]any, *refusal) {
	value := changed(record)
	if c.has("title") {
		value["title"] = titleIn(c.Input.Body["title"])
	}
	if c.has("body") {
		value["body"] = c.Input.Body["body"]
	}
	if refused := c.checkIssue(r, value); refused != nil {
		return nil, refused
	}
	if refused := c.sort(r, value); refused != nil {
		return nil, refused
	}
	if c.has("state") {
		if refused := c.setState(value, c.text("state")); refused != nil {
			return nil, refused
		}
	}
	return value, nil
}

// setState opens or closes an issue or a pull request.
func (c *call) setState(value map[string]any, state string) *refusal {
	if state != stateOpen && state != stateClosed {
		return failed(wrongValue("Issue", "state", codeInvalid, state))
	}
	reason := c.text("state_reason")
	if reason != "" && !slices.Contains([]string{"completed", "not_planned", "reopened", "duplicate"}, reason) {
		return failed(wrongValue("Issue", "state_reason", codeInvalid, reason))
	}
	was := issueState(value)
	value["state"] = state
	switch {
	case state == stateClosed && was != stateClosed:
		value["closed_at"], value["closed_by"] = c.now(), c.loginOf(c.viewer)
	case state == stateOpen:
		value["closed_at"], value["closed_by"] = nil, nil
	}
	switch {
	case value["pull"] != nil:
		value["state_reason"] = nil
	case state == stateClosed && reason != "":
		value["state_reason"] = reason
	case state == stateClosed && was != stateClosed:
		value["state_reason"] = "completed"
	case state == stateOpen && was == stateClosed:
		value["state_reason"] = "reopened"
	}
	return nil
}

// tell writes down what has changed in an issue, as events and as news.
func (c *call) tell(r repo, old, value map[string]any) {
	n := cast.Int(value["number"])
	news := func(action string, more map[string]any) {
		event, body := "issues", map[string]any{"action": action}
		if value["pull"] != nil {
			event, body["number"], body["pull_request"] = "pull_request", n, c.showPull(r, value)
		} else {
			body["issue"] = c.showIssue(r, value)
		}
		maps.Copy(body, more)
		c.notify(r, event, body)
	}
	if was, is := issueState(old), issueState(value); was != is {
		kind := map[string]string{stateClosed: "closed", stateOpen: "reopened"}[is]
		more := map[string]any{}
		if is == stateClosed && value["pull"] == nil {
			more["state_reason"] = value["state_reason"]
		}
		c.event(r, n, kind, more)
		news(kind, nil)
	}
	if was, is := kit.Text(old, "title"), kit.Text(value, "title"); was != is {
		c.event(r, n, "renamed", map[string]any{"rename": map[string]any{"from": was, "to": is}})
		news("edited", map[string]any{"changes": map[string]any{"title": map[string]any{"from": was}}})
	} else if kit.Text(old, "body") != kit.Text(value, "body") {
		news("edited", map[string]any{"changes": map[string]any{"body": map[string]any{"from": kit.Text(old, "body")}}})
	}
	c.tellLists(r, old, value, news)
}

// tellLists writes down what labels, assignees and milestone have come and gone.
func (c *call) tellLists(r repo, old, value map[string]any, news func(string, map[string]any)) {
	n := cast.Int(value["number"])
	for _, one := range []struct{ field, gained, lost, name string }{
		{"labels", "labeled", "unlabeled", "label"}, {"assignees", "assigned", "unassigned", "assignee"},
	} {
		was, is := cast.Texts(old[one.field]), cast.Texts(value[one.field])
		for _, event := range []struct {
			name     string
			all, not []string
		}{{one.gained, is, was}, {one.lost, was, is}} {
			for _, item := range event.all {
				if holds(event.not, item) {
					continue
				}
				more := map[string]any{one.name: item}
				if one.name == "assignee" {
					more["assigner"] = c.loginOf(c.viewer)
				}
				c.event(r, n, event.name, more)
				shown := any(c.brief(item))
				if one.name == "label" {
					shown = c.showLabel(r, item)
				}
				news(event.name, map[string]any{one.name: shown})
			}
		}
	}
	was, _ := old["milestone"].(int64)
	is, _ := value["milestone"].(int64)
	if was == is {
		return
	}
	if was != 0 {
		c.event(r, n, "demilestoned", map[string]any{"milestone": map[string]any{"title": c.milestoneTitle(r, was)}})
		news("demilestoned", nil)
	}
	if is != 0 {
		c.event(r, n, "milestoned", map[string]any{"milestone": map[string]any{"title": c.milestoneTitle(r, is)}})
		news("milestoned", nil)
	}
}
