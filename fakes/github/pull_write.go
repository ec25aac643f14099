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

func pullError(field, code string) *refusal { return failed(wrong("PullRequest", field, code)) }

// headIn finds the branch that a pull request is to come from: a branch here,
// or owner:branch of a fork.
func (c *call) headIn(r repo) (from repo, branch, sha string, refused *refusal) {
	from, branch = r, c.text("head")
	if owner, rest, ok := strings.Cut(branch, ":"); ok {
		branch = rest
		if !strings.EqualFold(owner, r.owner()) {
			found := false
			for record := range c.fake.store.Find(c.Tx, repositories, "owner", c.loginOf(owner)) {
				if other := (repo{record.Value()}); other.network() == r.network() && c.sees(other) {
					from, found = other, true
				}
			}
			if !found {
				return r, "", "", pullError("head", codeInvalid)
			}
		}
	}
	branch = strings.TrimPrefix(branch, heads)
	sha, ok := c.ref(from, heads+branch)
	if !ok {
		return r, "", "", pullError("head", codeInvalid)
	}
	return from, branch, sha, nil
}

func createPull(c *call, r repo) (answer, *refusal) {
	base := strings.TrimPrefix(c.text("base"), heads)
	to, ok := c.ref(r, heads+base)
	from, branch, sha, refused := c.headIn(r)
	switch {
	case !ok && refused != nil:
		return answer{}, failed(wrong("PullRequest", "base", codeInvalid), wrong("PullRequest", "head", codeInvalid))
	case !ok:
		return answer{}, pullError("base", codeInvalid)
	case refused != nil:
		return answer{}, refused
	}
	if other := c.openPull(r, from, branch, base); other != nil {
		return answer{}, failed(custom("PullRequest", "A pull request already exists for %s:%s.", from.owner(), branch))
	}
	if len(c.only(r, sha, to)) == 0 {
		return answer{}, failed(custom("PullRequest", "No commits between %s and %s", c.sideName(r, r, base), c.sideName(r, from, branch)))
	}
	if c.mergeBase(r, to, sha) == "" {
		return answer{}, failed(custom("PullRequest", "The %s branch has no history in common with %s", branch, base))
	}
	pull := map[string]any{
		"draft": c.flag("draft"), "head": map[string]any{"repo": from.key(), "ref": branch, "sha": sha, "label": from.owner() + ":" + branch},
		"base": map[string]any{"repo": r.key(), "ref": base, "sha": to}, "merged_at": nil, "merge_commit_sha": nil, "mergeable": nil,
		"maintainer_can_modify": from.key() != r.key() && (!c.has("maintainer_can_modify") || c.flag("maintainer_can_modify")),
	}
	record, refused := c.openIssue(r, pull)
	if refused != nil {
		return answer{}, refused
	}
	c.judgeLater(record.ID)
	n := cast.Int(record.Value()["number"])
	c.notify(r, "pull_request", map[string]any{"action": "opened", "number": n, "pull_request": c.showPullWhole(r, record.Value())})
	c.begins(r, "pull_request", branch, base, sha, kit.Text(record.Value(), "title"))
	return answer{status: http.StatusCreated, value: c.showPullWhole(r, record.Value()), location: c.at(r) + "/pulls/" + decimal(n)}, nil
}

// sideName is a branch as messages about pull requests name it.
func (c *call) sideName(r, of repo, branch string) string {
	if of.key() == r.key() {
		return branch
	}
	return of.owner() + ":" + branch
}

// openIssue writes the issue that a pull request is; or turns one into it.
func (c *call) openIssue(r repo, pull map[string]any) (*world.Record, *refusal) {
	pull["pid"] = c.newID(issues)
	if n, ok := c.Input.Body["issue"].(int64); ok {
		record, found := c.get(issues, issueKey(r.key(), n))
		if !found || record.Value()["pull"] != nil {
			return nil, pullError("issue", codeInvalid)
		}
		value := changed(record)
		value["pull"] = pull
		return c.saveIssue(record, value), nil
	}
	value := map[string]any{
		"repo": r.key(), "title": c.text("title"), "body": c.Input.Body["body"], "user": c.loginOf(c.viewer), "state": stateOpen,
		"created_at": c.now(), "updated_at": c.now(), "pull": pull,
	}
	if strings.TrimSpace(c.text("title")) == "" {
		return nil, pullError("title", codeField)
	}
	if refused := c.checkIssue(r, value); refused != nil {
		return nil, refused
	}
	return c.newIssue(r, value), nil
}

// openPull finds the open pull request between two branches.
func (c *call) openPull(r, from repo, branch, base string) *world.Record {
	for _, record := range c.pullsOf("pull.head.ref", branch) {
		pull := cast.Object(record.Value()["pull"])
		if kit.Text(record.Value(), "repo") != r.key() || issueState(record.Value()) != stateOpen {
			continue
		}
		if kit.Text(pull, "head.ref") == branch && c.pullFrom(r, pull).key() == from.key() && (base == "" || kit.Text(pull, "base.ref") == base) {
			return record
		}
	}
	return nil
}

func updatePull(c *call, r repo, record *world.Record) (answer, *refusal) {
	if refused := c.mayEdit(r, kit.Text(record.Value(), "user")); refused != nil {
		return answer{}, refused
	}
	value := changed(record)
	pull := maps.Clone(cast.Object(value["pull"]))
	for _, field := range []string{"title", "body"} {
		if c.has(field) {
			value[field] = c.Input.Body[field]
		}
	}
	if refused := c.checkIssue(r, value); refused != nil {
		return answer{}, refused
	}
	if base := c.text("base"); base != "" && base != kit.Text(pull, "base.ref") {
		sha, ok := c.ref(r, heads+base)
		if !ok {
			return answer{}, pullError("base", codeInvalid)
		}
		pull["base"], pull["mergeable"] = map[string]any{"repo": r.key(), "ref": base, "sha": sha}, nil
		c.judgeLater(record.ID)
	}
	if c.has("maintainer_can_modify") && c.pullFrom(r, pull).key() != r.key() {
		pull["maintainer_can_modify"] = c.flag("maintainer_can_modify")
	}
	value["pull"] = pull
	if state := c.text("state"); state != "" && state != issueState(value) {
		if refused := c.setPullState(r, record, value, state); refused != nil {
			return answer{}, refused
		}
	}
	saved := c.saveIssue(record, value)
	c.tell(r, record.Value(), saved.Value())
	return answer{value: c.showPullWhole(r, saved.Value())}, nil
}

// setPullState closes a pull request or opens it again, where that is possible.
func (c *call) setPullState(r repo, record *world.Record, value map[string]any, state string) *refusal {
	pull := maps.Clone(cast.Object(value["pull"]))
	if state == stateOpen {
		if pull["merged_at"] != nil {
			return failed(wrong("PullRequest", "state", codeInvalid))
		}
		from, branch := c.pullFrom(r, pull), kit.Text(pull, "head.ref")
		sha, ok := c.ref(from, heads+branch)
		if !ok {
			return failed(map[string]any{"resource": "PullRequest", "code": codeCustom, "field": "state", "message": "state cannot be changed. The " + branch + " branch has been deleted."})
		}
		if other := c.openPull(r, from, branch, kit.Text(pull, "base.ref")); other != nil {
			return failed(map[string]any{"resource": "PullRequest", "code": codeCustom, "field": "state", "message": "state cannot be changed. There is already an open pull request from " + branch + " to " + kit.Text(pull, "base.ref") + "."})
		}
		head := maps.Clone(cast.Object(pull["head"]))
		head["sha"] = sha
		pull["head"], pull["mergeable"] = head, nil
		value["pull"] = pull
		c.judgeLater(record.ID)
	}
	if refused := c.setState(value, state); refused != nil {
		return failed(wrong("PullRequest", "state", codeInvalid))
	}
	return nil
}

// moveHeads follows a branch that moved: pull requests from it have another
// head, those into it are judged again, those from a branch that is gone close.
func (c *call) moveHeads(r repo, branch, old, sha string) {
	met := map[string]bool{}
	for _, record := range slices.Concat(c.pullsOf("pull.head.ref", branch), c.pullsOf("pull.base.ref", branch)) {
		pull := cast.Object(record.Value()["pull"])
		if issueState(record.Value()) != stateOpen || met[record.ID] {
			continue
		}
		met[record.ID] = true
		into, ok := c.byKey(kit.Text(record.Value(), "repo"))
		if !ok || into.network() != r.network() {
			continue
		}
		value, next := changed(record), maps.Clone(pull)
		n := cast.Int(value["number"])
		switch {
		case kit.Text(pull, "head.ref") == branch && c.pullFrom(into, pull).key() == r.key():
			if sha == "" {
				c.closePull(into, record)
				continue
			}
			head := maps.Clone(cast.Object(pull["head"]))
			head["sha"] = sha
			next["head"], next["mergeable"], next["judged"] = head, nil, ""
			if old != "" && !c.isAncestor(r, old, sha) {
				c.eventOf(into, n, "head_ref_force_pushed", sha, nil)
			}
		case kit.Text(pull, "base.ref") == branch && into.key() == r.key() && sha != "":
			next["mergeable"], next["judged"] = nil, ""
			if c.isAncestor(r, kit.Text(pull, "head.sha"), sha) { // it came in another way: GitHub takes it for merged
				c.markMerged(into, record, sha)
				continue
			}
		default:
			continue
		}
		value["pull"] = next
		c.update(issues, value)
		c.judgeLater(record.ID)
		if next["head"] != nil && kit.Text(next, "head.sha") != kit.Text(pull, "head.sha") {
			c.notify(into, "pull_request", map[string]any{"action": "synchronize", "number": n, "before": old, "after": sha, "pull_request": c.showPull(into, value)})
			c.begins(into, "pull_request", branch, kit.Text(next, "base.ref"), sha, kit.Text(value, "title"))
		}
	}
}

// pullsOf lists pull requests of all repositories that have a branch on one of
// their sides.
func (c *call) pullsOf(side, branch string) []*world.Record {
	return slices.Collect(c.fake.store.Find(c.Tx, issues, side, branch))
}

func (c *call) closePull(r repo, record *world.Record) {
	value := changed(record)
	value["state"], value["closed_at"], value["closed_by"] = stateClosed, c.now(), c.loginOf(c.viewer)
	saved := c.saveIssue(record, value)
	c.tell(r, record.Value(), saved.Value())
	c.event(r, cast.Int(value["number"]), "head_ref_deleted", nil)
}
