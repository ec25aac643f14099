package github

import (
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// States of issues and pull requests.
const (
	stateOpen   = "open"
	stateClosed = "closed"
)

func issueState(value map[string]any) string { return textOr(value, "state", stateOpen) }

// issueAt finds the issue or pull request that a path names.
func (c *call) issueAt(r repo, parameter string) (*world.Record, *refusal) {
	record, ok := c.get(issues, issueKey(r.key(), c.pathNumber(parameter)))
	if !ok {
		return nil, notFound()
	}
	return record, nil
}

func (c *call) namedIssue(r repo) (*world.Record, *refusal) { return c.issueAt(r, "issue_number") }

// emptyReactions are those of something that nobody has reacted to.
func (c *call) reactionsOf(subject, at string) map[string]any {
	shown := map[string]any{"url": at + "/reactions"}
	for _, one := range reactionKinds {
		shown[one] = int64(0)
	}
	total := int64(0)
	for record := range c.fake.store.Find(c.Tx, reactions, "subject", subject) {
		kind := kit.Text(record.Value(), "content")
		shown[kind] = cast.Int(shown[kind]) + 1
		total++
	}
	shown["total_count"] = total
	return shown
}

var reactionKinds = []string{"+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"}

// people shows a list of accounts.
func (c *call) people(logins []string) []any {
	all := make([]any, len(logins))
	for i, login := range logins {
		all[i] = c.brief(login)
	}
	return all
}

// issueCommon shows what issues and pull requests have in common.
func (c *call) issueCommon(r repo, value map[string]any) map[string]any {
	assignees := cast.Texts(value["assignees"])
	shown := map[string]any{
		"number": cast.Int(value["number"]), "title": value["title"], "user": c.user(kit.Text(value, "user")), "state": issueState(value),
		"locked": value["locked"] == true, "active_lock_reason": value["active_lock_reason"], "body": value["body"],
		"assignee": nil, "assignees": c.people(assignees), "labels": c.showLabels(r, cast.Texts(value["labels"])), "milestone": nil,
		"created_at": textOr(value, "created_at", c.now()), "updated_at": textOr(value, "updated_at", textOr(value, "created_at", c.now())),
		"closed_at": value["closed_at"], "author_association": textOr(value, "author_association", ""),
	}
	if shown["author_association"] == "" {
		shown["author_association"] = c.association(r, kit.Text(value, "user"))
	}
	if len(assignees) > 0 {
		shown["assignee"] = c.brief(assignees[0])
	}
	if n, ok := value["milestone"].(int64); ok {
		if record, ok := c.get(milestones, issueKey(r.key(), n)); ok {
			shown["milestone"] = c.showMilestone(r, record)
		}
	}
	return shown
}

// showIssue shows an issue as lists do; a pull request is one too.
func (c *call) showIssue(r repo, value map[string]any) map[string]any {
	shown := c.issueCommon(r, value)
	n := decimal(cast.Int(value["number"]))
	at, kind := c.at(r)+"/issues/"+n, "/issues/"
	iid := number(value, "iid")
	prefix := "I"
	pull := cast.Object(value["pull"])
	if pull != nil {
		kind, prefix = "/pull/", "PR"
		merged := pull["merged_at"]
		shown["draft"] = pull["draft"] == true
		shown["pull_request"] = map[string]any{
			"url": c.at(r) + "/pulls/" + n, "html_url": c.page(r) + "/pull/" + n, "diff_url": c.page(r) + "/pull/" + n + ".diff",
			"patch_url": c.page(r) + "/pull/" + n + ".patch", "merged_at": merged,
		}
	}
	for field, one := range map[string]any{
		"url": at, "repository_url": c.at(r), "labels_url": at + "/labels{/name}", "comments_url": at + "/comments", "events_url": at + "/events",
		"html_url": c.page(r) + kind + n, "id": iid, "node_id": nodeOf(value, prefix, r.rid(), iid), "comments": c.commentCount(r, value),
		"reactions": c.reactionsOf(kit.Text(value, "id"), at), "timeline_url": at + "/timeline", "performed_via_github_app": nil,
		"state_reason": value["state_reason"],
	} {
		shown[field] = one
	}
	return overlaid(shown, value)
}

// showIssueWhole shows an issue by itself.
func (c *call) showIssueWhole(r repo, value map[string]any) map[string]any {
	shown := c.showIssue(r, value)
	if _, told := shown["closed_by"]; !told || value["closed_by"] != nil {
		shown["closed_by"] = c.user(kit.Text(value, "closed_by"))
	}
	if issueState(value) == stateOpen {
		shown["closed_by"] = nil
	}
	if c.media.param == "full" || c.media.param == "html" || c.media.param == "text" {
		text := kit.Text(value, "body")
		shown["body_text"], shown["body_html"] = text, "<p>"+strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(text)+"</p>"
		overlaid(shown, value)
	}
	return shown
}

// commentCount counts the comments of an issue: those that are kept, and those
// that a recorded reply told of.
func (c *call) commentCount(r repo, value map[string]any) int64 {
	n := cast.Int(value["comments"])
	for record := range c.fake.store.Find(c.Tx, issueComments, "number", decimal(cast.Int(value["number"]))) {
		if kit.Text(record.Value(), "repo") == r.key() && cast.Object(record.Value()["raw"]) == nil {
			n++
		}
	}
	return n
}

func getIssue(c *call, r repo, record *world.Record) (answer, *refusal) {
	return answer{value: c.showIssueWhole(r, record.Value()), changed: kit.Text(record.Value(), "updated_at")}, nil
}

// issuesOn refuses issues where they are turned off; pull requests stay.
func (c *call) issuesOn(r repo, record *world.Record) *refusal {
	if r.on("has_issues") || record != nil && record.Value()["pull"] != nil {
		return nil
	}
	return refusing(410, "Issues are disabled for this repo")
}

// An issueFilter is what a list of issues is narrowed by.
type issueFilter struct {
	state, creator, assignee, mentioned, since, milestone string
	labels                                                []string
}

func (c *call) issueFilter() issueFilter {
	f := issueFilter{
		state: textOr(c.Input.Query, "state", stateOpen), creator: c.query("creator"), assignee: c.query("assignee"),
		mentioned: c.query("mentioned"), since: c.query("since"), milestone: c.query("milestone"),
	}
	for one := range strings.SplitSeq(c.query("labels"), ",") {
		if one = strings.TrimSpace(one); one != "" {
			f.labels = append(f.labels, strings.ToLower(one))
		}
	}
	return f
}

func (f issueFilter) keeps(value map[string]any) bool {
	if f.state != "all" && issueState(value) != f.state {
		return false
	}
	if f.creator != "" && !strings.EqualFold(kit.Text(value, "user"), f.creator) {
		return false
	}
	assignees := cast.Texts(value["assignees"])
	switch {
	case f.assignee == "none" && len(assignees) > 0, f.assignee == "*" && len(assignees) == 0:
		return false
	case f.assignee != "" && f.assignee != "none" && f.assignee != "*" && !holds(assignees, f.assignee):
		return false
	}
	if f.mentioned != "" && !strings.Contains(strings.ToLower(kit.Text(value, "body")), "@"+strings.ToLower(f.mentioned)) {
		return false
	}
	if f.since != "" && textOr(value, "updated_at", kit.Text(value, "created_at")) < f.since {
		return false
	}
	n, has := value["milestone"].(int64)
	switch f.milestone {
	case "", "*":
		if f.milestone == "*" && !has {
			return false
		}
	case "none":
		if has {
			return false
		}
	default:
		if !has || decimal(n) != f.milestone {
			return false
		}
	}
	own := cast.Texts(value["labels"])
	for _, one := range f.labels {
		if !holds(own, one) {
			return false
		}
	}
	return true
}

// holds tells whether a list has a text, whatever its case.
func holds(all []string, want string) bool {
	for _, one := range all {
		if strings.EqualFold(one, want) {
			return true
		}
	}
	return false
}

func listIssues(c *call, r repo) (answer, *refusal) {
	if refused := c.issuesOn(r, nil); refused != nil {
		return answer{}, refused
	}
	f := c.issueFilter()
	switch f.state {
	case stateOpen, stateClosed, "all":
	default:
		return answer{}, failed(wrongValue("Issue", "state", codeInvalid, f.state))
	}
	if f.milestone != "" && f.milestone != "*" && f.milestone != "none" {
		if _, ok := c.get(milestones, r.key()+"#"+f.milestone); !ok {
			return answer{}, failed(wrongValue("Issue", "milestone", codeInvalid, f.milestone))
		}
	}
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, issues, "repo", r.key()) {
		if f.keeps(record.Value()) {
			all = append(all, record)
		}
	}
	c.orderIssues(all)
	return listed(c, all, func(record *world.Record) any { return c.showIssue(r, record.Value()) }), nil
}

// orderIssues sorts a list that is newest first as the call asks for.
func (c *call) orderIssues(all []*world.Record) {
	by := map[string]string{"updated": "updated_at", "comments": "comments"}[c.query("sort")]
	down := c.query("direction") != "asc"
	if by == "" {
		by = "created_at"
	}
	sorted(all, down, func(r *world.Record) string {
		if by == "comments" {
			n := decimal(cast.Int(r.Value()[by]))
			return strings.Repeat("0", max(0, 12-len(n))) + n
		}
		return textOr(r.Value(), by, kit.Text(r.Value(), "created_at"))
	})
	if !down && by == "created_at" { // of one second, the older first
		for i, j := 0, 0; i < len(all); i = j {
			for j = i; j < len(all) && kit.Text(all[j].Value(), by) == kit.Text(all[i].Value(), by); j++ {
			}
			for a, b := i, j-1; a < b; a, b = a+1, b-1 {
				all[a], all[b] = all[b], all[a]
			}
		}
	}
}

// listMyIssues lists issues of all repositories that have to do with the
// caller.
func listMyIssues(c *call) (answer, *refusal) {
	org := ""
	if c.id == "issues/list-for-org" {
		login, refused := c.org()
		if refused != nil {
			return answer{}, refused
		}
		org = login
	}
	f := c.issueFilter()
	var all []*world.Record
	for record := range c.Tx.Newest(full(issues), 0) {
		r, ok := c.byKey(kit.Text(record.Value(), "repo"))
		if !ok || !c.sees(r) || org != "" && !strings.EqualFold(r.owner(), org) || !f.keeps(record.Value()) || !c.concerns(r, record.Value()) {
			continue
		}
		all = append(all, record)
	}
	c.orderIssues(all)
	return listed(c, all, func(record *world.Record) any {
		r, _ := c.byKey(kit.Text(record.Value(), "repo"))
		shown := c.showIssue(r, record.Value())
		shown["repository"] = c.repoShort(r)
		return shown
	}), nil
}

// concerns tells whether an issue has to do with the caller, in the way that is
// asked for.
func (c *call) concerns(r repo, value map[string]any) bool {
	switch c.query("filter") {
	case "", "assigned":
		return holds(cast.Texts(value["assignees"]), c.viewer)
	case "created":
		return strings.EqualFold(kit.Text(value, "user"), c.viewer)
	case "mentioned":
		return strings.Contains(strings.ToLower(kit.Text(value, "body")), "@"+c.viewer)
	}
	return c.belongs(r)
}
