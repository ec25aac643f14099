package github

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// judgeTakes is how long it takes until GitHub knows whether a pull request can
// be merged: mergeable is null until then, and again after each push.
const judgeTakes = 2 * time.Second

// judgeTimer fires when a pull request is to be judged.
const judgeTimer = "judge"

// showSide shows the branch of one side of a pull request.
func (c *call) showSide(r repo, side map[string]any) map[string]any {
	from, there := r, true
	if key := kit.Text(side, "repo"); key != "" {
		from, there = c.byKey(key)
	}
	shown := map[string]any{"ref": side["ref"], "sha": side["sha"], "repo": nil, "user": nil, "label": kit.Text(side, "label")}
	if there {
		shown["repo"], shown["user"] = c.repoPart(from), c.brief(from.owner())
		shown["label"] = from.owner() + ":" + kit.Text(side, "ref")
	}
	return shown
}

// showPull shows a pull request as lists do.
func (c *call) showPull(r repo, value map[string]any) map[string]any {
	shown := c.issueCommon(r, value)
	pull := cast.Object(value["pull"])
	n := decimal(cast.Int(value["number"]))
	at, issue := c.at(r)+"/pulls/"+n, c.at(r)+"/issues/"+n
	web := c.page(r) + "/pull/" + n
	head := cast.Object(pull["head"])
	status := c.at(r) + "/statuses/" + kit.Text(head, "sha")
	pid := number(map[string]any{"pid": pull["pid"], "id": value["id"]}, "pid")
	for field, one := range map[string]any{
		"url": at, "id": pid, "node_id": nodeOf(pull, "PR", r.rid(), pid), "html_url": web, "diff_url": web + ".diff", "patch_url": web + ".patch",
		"issue_url": issue, "commits_url": at + "/commits", "review_comments_url": at + "/comments",
		"review_comment_url": c.at(r) + "/pulls/comments{/number}", "comments_url": issue + "/comments", "statuses_url": status,
		"merged_at": pull["merged_at"], "merge_commit_sha": pull["merge_commit_sha"], "draft": pull["draft"] == true,
		"requested_reviewers": c.people(cast.Texts(pull["requested_reviewers"])), "requested_teams": []any{}, "auto_merge": nil,
		"head": c.showSide(r, head), "base": c.showSide(r, cast.Object(pull["base"])),
		"_links": map[string]any{
			"self": href(at), "html": href(web), "issue": href(issue), "comments": href(issue + "/comments"), "review_comments": href(at + "/comments"),
			"review_comment": href(c.at(r) + "/pulls/comments{/number}"), "commits": href(at + "/commits"), "statuses": href(status),
		},
	} {
		shown[field] = one
	}
	shown = overlaid(shown, pull)
	for _, only := range pullOnly {
		delete(shown, only)
	}
	return shown
}

// pullOnly are fields that lists of pull requests do not carry.
var pullOnly = []string{"commits", "additions", "deletions", "changed_files", "review_comments"}

func href(at string) map[string]any { return map[string]any{"href": at} }

// showPullWhole shows a pull request by itself.
func (c *call) showPullWhole(r repo, value map[string]any) map[string]any {
	shown := c.showPull(r, value)
	pull := cast.Object(value["pull"])
	merged := pull["merged_at"] != nil
	mergeable, known := pull["mergeable"].(bool)
	all := c.pullFiles(r, pull)
	additions, deletions := totals(all)
	for field, one := range map[string]any{
		"merged": merged, "mergeable": nil, "rebaseable": nil, "mergeable_state": "unknown", "merged_by": c.user(kit.Text(pull, "merged_by")),
		"comments": c.commentCount(r, value), "review_comments": int64(len(c.numbered(reviewComments, r, cast.Int(value["number"])))),
		"maintainer_can_modify": pull["maintainer_can_modify"] == true, "commits": int64(len(c.pullCommits(r, pull))),
		"additions": additions, "deletions": deletions, "changed_files": int64(len(all)),
	} {
		shown[field] = one
	}
	if known && issueState(value) == stateOpen {
		shown["mergeable"], shown["rebaseable"], shown["mergeable_state"] = mergeable, mergeable, c.mergeState(r, cast.Int(value["number"]), pull, mergeable)
	}
	return overlaid(shown, pull)
}

// mergeState says in a word what stands between a pull request and its merge.
func (c *call) mergeState(r repo, n int64, pull map[string]any, mergeable bool) string {
	switch {
	case !mergeable:
		return "dirty"
	case pull["draft"] == true:
		return "draft"
	case c.barred(r, n, pull) != "":
		return "blocked"
	}
	switch c.combined(r, kit.Text(pull, "head.sha")) {
	case "failure", "pending":
		return "unstable"
	}
	return "clean"
}

// pullFrom is the repository that a pull request's head is in.
func (c *call) pullFrom(r repo, pull map[string]any) repo {
	if other, ok := c.byKey(kit.Text(pull, "head.repo")); ok {
		return other
	}
	return r
}

// pullBase is the commit that a pull request is held against: where its base
// is now, or was when it was merged.
func (c *call) pullBase(r repo, pull map[string]any) string {
	if tip := c.baseTip(r, pull); tip != "" && pull["merged_at"] == nil {
		return tip
	}
	return kit.Text(pull, "base.sha")
}

// pullCommits lists the commits of a pull request, oldest first.
func (c *call) pullCommits(r repo, pull map[string]any) []object {
	all := c.only(r, kit.Text(pull, "head.sha"), c.pullBase(r, pull))
	for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = all[j], all[i]
	}
	return all
}

// pullFiles lists what a pull request changes, since its merge base.
func (c *call) pullFiles(r repo, pull map[string]any) []file {
	head, base := kit.Text(pull, "head.sha"), c.pullBase(r, pull)
	was, _ := c.objectOf(r, c.mergeBase(r, base, head), commitKind)
	is, ok := c.objectOf(r, head, commitKind)
	if !ok {
		return nil
	}
	return c.difference(r, was.tree(), is.tree())
}

// pullAt finds the pull request that a path names.
func (c *call) pullAt(r repo) (*world.Record, *refusal) {
	record, refused := c.issueAt(r, "pull_number")
	if refused != nil || record.Value()["pull"] == nil {
		return nil, notFound()
	}
	return record, nil
}

// tooLargeDiff refuses the diff of a pull request that is over the limits.
// Source: github.com/pascalgn/size-label-action/issues/53, and 57.
func tooLargeDiff(all []file) *refusal {
	message := ""
	switch {
	case len(all) > mostDiffFiles:
		message = fmt.Sprintf("Sorry, the diff exceeded the maximum number of files (%d). Consider using 'List pull requests files' API or locally cloning the repository instead.", mostDiffFiles)
	case slices.ContainsFunc(all, func(f file) bool { return f.patch.large }):
		message = fmt.Sprintf("Sorry, the diff exceeded the maximum number of lines (%d)", mostLines)
	default:
		return nil
	}
	return &refusal{
		status: http.StatusNotAcceptable, message: message, errors: []any{map[string]any{"resource": "PullRequest", "field": "diff", "code": "too_large"}},
		docs: "https://docs.github.com/rest/pulls/pulls#list-pull-requests-files",
	}
}

func getPull(c *call, r repo, record *world.Record) (answer, *refusal) {
	pull := cast.Object(record.Value()["pull"])
	if c.media.param == "diff" || c.media.param == "patch" {
		all := c.pullFiles(r, pull)
		if refused := tooLargeDiff(all); refused != nil {
			return answer{}, refused
		}
		return c.diffAnswer(r, all, c.pullCommits(r, pull)), nil
	}
	c.lookAt(r, record)
	return answer{value: c.showPullWhole(r, record.Value()), changed: kit.Text(record.Value(), "updated_at")}, nil
}

// lookAt has an open pull request judged that nobody has judged yet: one of a
// fixture, which has no timer.
func (c *call) lookAt(r repo, record *world.Record) {
	pull := cast.Object(record.Value()["pull"])
	head, base := kit.Text(pull, "head.sha"), c.baseTip(r, pull)
	if issueState(record.Value()) == stateOpen && kit.Text(pull, "judged") != head+base {
		c.judgeLater(record.ID)
	}
}

func (c *call) judgeLater(key string) {
	if _, set := c.Tx.Get(fakes.TimersCollection, name+"/"+judgeTimer+"/"+key); set {
		return
	}
	must(kit.Schedule(c.Tx, fakes.Timer{Service: name, Kind: judgeTimer, Subject: key, Due: c.Now.Add(judgeTakes)}))
}

func (c *call) baseTip(r repo, pull map[string]any) string {
	sha, _ := c.ref(r, heads+kit.Text(pull, "base.ref"))
	return sha
}

// Fire judges a pull request, ends a check, or lets a run of a workflow go on.
func (f *Fake) Fire(fc *fakes.Call, t fakes.Timer) {
	c := f.call(fc)
	if t.Kind == checkTimer {
		c.endCheck(t.Subject)
		return
	}
	if t.Kind == runStartsTimer || t.Kind == runEndsTimer {
		c.goOn(t)
		return
	}
	record, ok := c.get(issues, t.Subject)
	if t.Kind != judgeTimer || !ok || record.Value()["pull"] == nil || issueState(record.Value()) != stateOpen {
		return
	}
	r, ok := c.byKey(kit.Text(record.Value(), "repo"))
	if !ok {
		return
	}
	value := changed(record)
	pull := maps.Clone(cast.Object(value["pull"]))
	head, base := kit.Text(pull, "head.sha"), c.baseTip(r, pull)
	pull["judged"] = head + base
	pull["mergeable"] = false
	if m := c.merge(r, base, head); len(m.conflicts) == 0 && m.tree != "" {
		by := person{name: "GitHub", email: "noreply@github.com", at: fc.Now, zone: "+0000"}
		pull["mergeable"] = true
		pull["merge_commit_sha"] = c.putCommit(r, m.tree, []string{base, head}, by, by, "Merge "+head+" into "+base)
	}
	value["pull"] = pull
	c.update(issues, value)
}

func listPulls(c *call, r repo) (answer, *refusal) {
	state := textOr(c.Input.Query, "state", stateOpen)
	head, base := c.query("head"), c.query("base")
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, issues, "repo", r.key()) {
		pull := cast.Object(record.Value()["pull"])
		if pull == nil || state != "all" && issueState(record.Value()) != state {
			continue
		}
		if base != "" && kit.Text(pull, "base.ref") != base {
			continue
		}
		if owner, branch, ok := strings.Cut(head, ":"); ok { // without an owner it narrows nothing
			if !strings.EqualFold(owner, c.pullFrom(r, pull).owner()) || kit.Text(pull, "head.ref") != branch {
				continue
			}
		}
		all = append(all, record)
	}
	if c.query("sort") == "updated" || c.query("direction") != "" {
		c.orderIssues(all)
	}
	return listed(c, all, func(record *world.Record) any { return c.showPull(r, record.Value()) }), nil
}

func listPullFiles(c *call, r repo, record *world.Record) (answer, *refusal) {
	pull := cast.Object(record.Value()["pull"])
	return listed(c, c.pullFiles(r, pull), c.showFile(r, kit.Text(pull, "head.sha"))), nil
}

func listPullCommits(c *call, r repo, record *world.Record) (answer, *refusal) {
	return listed(c, c.pullCommits(r, cast.Object(record.Value()["pull"])), func(o object) any { return c.showCommit(r, o) }), nil
}

// listCommitPulls lists pull requests that brought a commit, or would.
func listCommitPulls(c *call, r repo) (answer, *refusal) {
	sha, ok := c.resolve(r, c.path("commit_sha"))
	if !ok {
		return answer{}, noCommit(c.path("commit_sha"))
	}
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, issues, "repo", r.key()) {
		pull := cast.Object(record.Value()["pull"])
		if pull == nil {
			continue
		}
		found := kit.Text(pull, "merge_commit_sha") == sha
		for _, o := range c.pullCommits(r, pull) {
			found = found || o.sha == sha
		}
		if found {
			all = append(all, record)
		}
	}
	return listed(c, all, func(record *world.Record) any { return c.showPull(r, record.Value()) }), nil
}

func checkMerged(c *call, r repo, record *world.Record) (answer, *refusal) {
	if cast.Object(record.Value()["pull"])["merged_at"] == nil {
		return answer{}, notFound()
	}
	return answer{status: http.StatusNoContent}, nil
}
