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

// Ways to merge.
const (
	byMerge  = "merge"
	bySquash = "squash"
	byRebase = "rebase"
)

func notMergeable(format string, args ...any) *refusal {
	return refusing(http.StatusMethodNotAllowed, format, args...)
}

func mergePull(c *call, r repo, record *world.Record) (answer, *refusal) {
	pull := cast.Object(record.Value()["pull"])
	method := textOr(c.Input.Body, "merge_method", byMerge)
	head, base := kit.Text(pull, "head.sha"), c.baseTip(r, pull)
	if refused := c.mergeRefusal(r, record, method, head, base); refused != nil {
		return answer{}, refused
	}
	sha, refused := c.mergeBy(r, record, method, head, base)
	if refused != nil {
		return answer{}, refused
	}
	branch := kit.Text(pull, "base.ref")
	c.markMerged(r, record, sha) // before the branch moves, so that it is not judged again
	c.setRef(r, heads+branch, sha, commitKind)
	c.pushed(r, branch, base, sha)
	if from := c.pullFrom(r, pull); r.setting("delete_branch_on_merge") == true && from.key() == r.key() {
		if ref := heads + kit.Text(pull, "head.ref"); ref != heads+r.branch() {
			if _, there := c.ref(r, ref); there {
				c.remove(refs, refKey(r, ref))
			}
		}
	}
	return answer{value: map[string]any{"sha": sha, "merged": true, "message": "Pull Request successfully merged"}}, nil
}

// mergeRefusal tells what stands against a merge.
func (c *call) mergeRefusal(r repo, record *world.Record, method, head, base string) *refusal {
	pull := cast.Object(record.Value()["pull"])
	if !slices.Contains([]string{byMerge, bySquash, byRebase}, method) {
		return failed(wrongValue("PullRequest", "merge_method", codeInvalid, method))
	}
	allowed := map[string]string{byMerge: "allow_merge_commit", bySquash: "allow_squash_merge", byRebase: "allow_rebase_merge"}[method]
	switch {
	case issueState(record.Value()) != stateOpen, base == "":
		return notMergeable("Pull Request is not mergeable")
	case c.text("sha") != "" && c.text("sha") != head:
		return refusing(http.StatusConflict, "Head branch was modified. Review and try the merge again.")
	case pull["draft"] == true:
		return notMergeable("Pull Request is still a draft")
	case r.setting(allowed) != true:
		return notMergeable(map[string]string{
			byMerge: "Merge commits are not allowed on this repository.", bySquash: "Squash merges are not allowed on this repository.",
			byRebase: "Rebase merges are not allowed on this repository.",
		}[method])
	}
	if why := c.barred(r, cast.Int(record.Value()["number"]), pull); why != "" {
		return notMergeable("%s", why)
	}
	return nil
}

// mergeBy makes the commit, or the commits, of a merge, and gives the last.
func (c *call) mergeBy(r repo, record *world.Record, method, head, base string) (string, *refusal) {
	pull := cast.Object(record.Value()["pull"])
	m := c.merge(r, base, head)
	if len(m.conflicts) > 0 {
		return "", notMergeable("Pull Request is not mergeable")
	}
	n := decimal(cast.Int(record.Value()["number"]))
	subject, _ := record.Value()["title"].(string)
	author := c.self()
	switch method {
	case bySquash:
		all := c.pullCommits(r, pull)
		message := subject + " (#" + n + ")"
		if len(all) == 1 {
			first, _, _ := strings.Cut(kit.Text(all[0].value, "message"), "\n")
			message = first + " (#" + n + ")"
		}
		message = c.mergeMessage(message, bullets(all))
		return c.putCommit(r, m.tree, []string{base}, author, c.webFlow(), message), nil
	case byRebase:
		return c.rebased(r, pull, base)
	}
	from := c.pullFrom(r, pull)
	message := c.mergeMessage("Merge pull request #"+n+" from "+from.owner()+"/"+kit.Text(pull, "head.ref"), subject)
	return c.putCommit(r, m.tree, []string{base, head}, author, c.webFlow(), message), nil
}

func (c *call) mergeMessage(subject, text string) string {
	subject = textOr(c.Input.Body, "commit_title", subject)
	text = textOr(c.Input.Body, "commit_message", text)
	if text == "" {
		return subject
	}
	return subject + "\n\n" + text
}

func bullets(all []object) string {
	if len(all) < 2 {
		return ""
	}
	var out []string
	for _, o := range all {
		out = append(out, "* "+kit.Text(o.value, "message"))
	}
	return strings.Join(out, "\n\n")
}

// rebased makes each commit of a pull request anew on top of its base.
func (c *call) rebased(r repo, pull map[string]any, base string) (string, *refusal) {
	tip := base
	for _, o := range c.pullCommits(r, pull) {
		if len(o.parents()) > 1 {
			continue
		}
		was := ""
		if len(o.parents()) == 1 {
			was = o.parents()[0]
		}
		m := c.pick(r, tip, was, o.sha)
		if len(m.conflicts) > 0 {
			return "", notMergeable("This branch can't be rebased")
		}
		author := cast.Object(o.value["author"])
		by := person{name: kit.Text(author, "name"), email: kit.Text(author, "email"), at: dateOf(author, c.Now), zone: "+0000"}
		tip = c.putCommit(r, m.tree, []string{tip}, by, c.webFlow(), kit.Text(o.value, "message"))
	}
	return tip, nil
}

// markMerged writes down that a pull request was merged.
func (c *call) markMerged(r repo, record *world.Record, sha string) {
	value := changed(record)
	pull := maps.Clone(cast.Object(value["pull"]))
	pull["merged_at"], pull["merged_by"], pull["merge_commit_sha"], pull["mergeable"] = c.now(), c.loginOf(c.viewer), sha, nil
	base := maps.Clone(cast.Object(pull["base"]))
	if tip := c.baseTip(r, pull); tip != "" && tip != sha {
		base["sha"] = tip
	}
	pull["base"] = base
	value["pull"], value["state"], value["closed_at"], value["closed_by"] = pull, stateClosed, c.now(), c.loginOf(c.viewer)
	n := cast.Int(value["number"])
	c.saveIssue(record, value)
	c.eventOf(r, n, "merged", sha, nil)
	c.event(r, n, "closed", nil)
	c.notify(r, "pull_request", map[string]any{"action": "closed", "number": n, "pull_request": c.showPullWhole(r, value)})
	c.closeFixed(r, record.Value())
}

// closing are the words before the number of an issue that a merge closes.
// Source: docs.github.com/issues/tracking-your-work-with-issues/linking-a-pull-request-to-an-issue.
var closing = []string{"close", "closes", "closed", "fix", "fixes", "fixed", "resolve", "resolves", "resolved"}

// closeFixed closes the issues that a merged pull request says it fixes, if it
// went into the default branch.
func (c *call) closeFixed(r repo, value map[string]any) {
	if kit.Text(cast.Object(cast.Object(value["pull"])["base"]), "ref") != r.branch() {
		return
	}
	words := strings.Fields(strings.ReplaceAll(kit.Text(value, "body"), ":", " "))
	for i := 0; i+1 < len(words); i++ {
		n, ok := strings.CutPrefix(strings.Trim(words[i+1], ".,;)"), "#")
		if !ok || !holds(closing, words[i]) {
			continue
		}
		issue, found := c.get(issues, r.key()+"#"+n)
		if !found || issue.Value()["pull"] != nil || issueState(issue.Value()) != stateOpen {
			continue
		}
		closed := changed(issue)
		closed["state"], closed["state_reason"], closed["closed_at"], closed["closed_by"] = stateClosed, "completed", c.now(), c.loginOf(c.viewer)
		saved := c.saveIssue(issue, closed)
		c.tell(r, issue.Value(), saved.Value())
	}
}

// updateBranch merges the base of a pull request into its head.
func updateBranch(c *call, r repo, record *world.Record) (answer, *refusal) {
	pull := cast.Object(record.Value()["pull"])
	from := c.pullFrom(r, pull)
	if !c.may(from, levelWrite) && !(pull["maintainer_can_modify"] == true && c.may(r, levelWrite)) {
		return answer{}, refusing(http.StatusForbidden, noScopes)
	}
	head, base := kit.Text(pull, "head.sha"), c.baseTip(r, pull)
	branch := kit.Text(pull, "head.ref")
	switch want := c.text("expected_head_sha"); {
	case want != "" && want != head:
		return answer{}, unprocessable("expected head sha didn’t match current head ref.")
	case issueState(record.Value()) != stateOpen:
		return answer{}, unprocessable("Pull request is closed.")
	case c.isAncestor(r, base, head):
		return answer{}, unprocessable("There are no new commits on the base branch.")
	}
	m := c.merge(r, head, base)
	if len(m.conflicts) > 0 {
		return answer{}, unprocessable("merge conflict between base and head")
	}
	message := "Merge branch '" + kit.Text(pull, "base.ref") + "' into " + branch
	sha := c.putCommit(r, m.tree, []string{head, base}, c.self(), c.webFlow(), message)
	c.setRef(from, heads+branch, sha, commitKind)
	c.pushed(from, branch, head, sha)
	return answer{status: http.StatusAccepted, value: map[string]any{
		"message": "Updating pull request branch.", "url": c.at(r) + "/pulls/" + decimal(cast.Int(record.Value()["number"])),
	}}, nil
}
