package github

import (
	"maps"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// inRepo takes in what a reply shows of things in a repository.
func (a importer) inRepo(r repo, value any) {
	r = a.branched(r, value)
	if list, ok := value.([]any); ok {
		for i := range list { // what comes first in a list was made first, but for those that are newest first
			if newestFirst[a.id] {
				i = len(list) - 1 - i
			}
			if shown, ok := list[i].(map[string]any); ok {
				a.thing(r, shown)
			}
		}
		if a.id == "repos/list-commits" && a.query("sha") == "" && len(list) > 0 {
			a.tipped(r, kit.Text(cast.Object(list[0]), "sha"))
		}
		return
	}
	shown, ok := value.(map[string]any)
	if !ok {
		return
	}
	for _, inner := range []string{"check_suites", "check_runs", "statuses", "items", "secrets"} {
		if list, ok := shown[inner].([]any); ok {
			a.inRepo(r, list)
		}
	}
	a.thing(r, shown)
}

// branched learns the name of the default branch from the addresses of
// contents, for a repository that was never shown by itself.
func (a importer) branched(r repo, value any) repo {
	shown, _ := value.(map[string]any)
	if list, ok := value.([]any); ok && len(list) > 0 {
		shown, _ = list[0].(map[string]any)
	}
	_, ref, told := strings.Cut(kit.Text(shown, "url"), "?ref=")
	if !told || !r.implied() || ref == r.branch() || a.query("ref") != "" || isSHA(ref) || a.Operation.Method != "GET" {
		return r
	}
	next := maps.Clone(r.value)
	next["default_branch"] = ref
	if tip := a.tip(r); tip != "" {
		a.setRef(r, heads+ref, tip, commitKind)
		a.remove(refs, refKey(r, heads+r.branch()))
	}
	return repo{a.update(repositories, next).Value()}
}

// newestFirst are the lists that begin with what was made last.
var newestFirst = map[string]bool{
	"issues/list-for-repo": true, "pulls/list": true, "repos/list-releases": true, "repos/list-commits": true, "issues/list-events-for-repo": true,
	"search/issues-and-pull-requests": true, "repos/list-commit-statuses-for-ref": true, "checks/list-for-ref": true,
}

// thing takes in one thing, by what it looks like.
func (a importer) thing(r repo, shown map[string]any) {
	has := func(fields ...string) bool {
		for _, field := range fields {
			if _, ok := shown[field]; !ok {
				return false
			}
		}
		return true
	}
	switch {
	case has("number", "head", "base", "diff_url"):
		a.pull(r, shown)
	case has("number", "title", "labels_url", "state", "comments_url"):
		a.issue(r, shown)
	case has("number", "title", "open_issues", "closed_issues"):
		a.insert(milestones, a.kept(r, milestones, shown, "number", issueKey(r.key(), cast.Int(shown["number"])), "mid"))
	case has("sha", "commit", "parents"):
		a.commit(r, shown)
	case has("ref", "object"):
		a.reference(r, kit.Text(shown, "ref"), kit.Text(shown, "object.sha"), kit.Text(shown, "object.type"))
	case has("name", "commit", "protected"), has("name", "commit", "_links"):
		if commit := cast.Object(shown["commit"]); commit["commit"] != nil {
			a.commit(r, commit)
		}
		a.reference(r, heads+kit.Text(shown, "name"), kit.Text(shown, "commit.sha"), commitKind)
	case has("name", "color", "url"):
		a.insert(labels, map[string]any{
			"id": labelKey(r.key(), kit.Text(shown, "name")), "repo": r.key(), "name": shown["name"], "lid": shown["id"], "color": shown["color"],
			"default": shown["default"] == true, "description": shown["description"], "raw": rest(shown, "id", "name", "color", "default", "description"),
		})
	case has("issue_url", "body", "user"):
		a.insert(issueComments, a.kept(r, issueComments, shown, "", decimal(cast.Int(shown["id"])), ""))
	case has("event", "actor", "created_at"):
		a.happened(r, shown)
	case has("head_sha", "latest_check_runs_count"), has("head_sha", "check_runs_url"):
		a.suite(r, shown)
	case has("tag_name", "upload_url"):
		a.release(r, shown)
	case has("path", "sha", "git_url"):
		a.file(r, shown)
	case has("permission", "user"):
		login := kit.Text(shown, "user.login")
		a.insert(collaborators, map[string]any{"id": r.key() + "/" + strings.ToLower(login), "repo": r.key(), "login": login, "permission": textOr(shown, "role_name", kit.Text(shown, "permission"))})
	case has("login", "permissions"):
		login := kit.Text(shown, "login")
		a.insert(collaborators, map[string]any{"id": r.key() + "/" + strings.ToLower(login), "repo": r.key(), "login": login, "permission": levelOf(cast.Object(shown["permissions"]))})
	default:
		a.smaller(r, shown, has)
	}
}

// smaller takes in what belongs to a commit or a pull request, or is looked at
// less often.
func (a importer) smaller(r repo, shown map[string]any, has func(...string) bool) {
	switch {
	case has("state", "context", "target_url", "url"):
		a.fields(r, statuses, shown, map[string]any{"sha": lastOf(kit.Text(shown, "url")), "creator": cast.Object(shown["creator"])["login"]}, "state", "description", "target_url", "context", "created_at", "updated_at")
	case has("head_sha", "check_suite", "output"):
		a.stub(r, kit.Text(shown, "head_sha"))
		a.fields(r, checkRuns, shown, map[string]any{"suite": cast.Object(shown["check_suite"])["id"]}, "head_sha", "name", "status", "conclusion", "external_id", "details_url", "started_at", "completed_at", "output")
	case has("pull_request_review_id", "diff_hunk"):
		a.fields(r, reviewComments, shown, map[string]any{"number": numberOf(kit.Text(shown, "pull_request_url")), "user": cast.Object(shown["user"])["login"], "review": shown["pull_request_review_id"]},
			"body", "path", "commit_id", "original_commit_id", "line", "start_line", "side", "start_side", "position", "diff_hunk", "created_at", "updated_at", "subject_type")
	case has("pull_request_url", "state", "commit_id"):
		a.fields(r, reviews, shown, map[string]any{"number": numberOf(kit.Text(shown, "pull_request_url")), "user": cast.Object(shown["user"])["login"]}, "state", "body", "commit_id", "submitted_at")
	case has("commit_id", "body", "html_url"):
		a.stub(r, kit.Text(shown, "commit_id"))
		a.fields(r, commitComments, shown, map[string]any{"sha": shown["commit_id"], "user": cast.Object(shown["user"])["login"]}, "body", "path", "line", "position", "created_at", "updated_at")
	case has("sha", "ref", "environment", "statuses_url"):
		a.stub(r, kit.Text(shown, "sha"))
		a.fields(r, deployments, shown, map[string]any{"creator": cast.Object(shown["creator"])["login"]}, "sha", "ref", "task", "environment", "description", "payload", "created_at", "updated_at")
	case has("events", "config", "ping_url"):
		config := cast.Object(shown["config"])
		a.fields(r, hooks, shown, map[string]any{"url": config["url"], "content_type": textOr(config, "content_type", "form")}, "name", "active", "events", "created_at", "updated_at")
	case has("key", "title", "read_only"):
		a.fields(r, deployKeys, shown, nil, "key", "title", "read_only", "created_at")
	}
}

// fields takes in a record of fields that are kept under the same name, and of
// some more.
func (a importer) fields(r repo, collection string, shown, more map[string]any, names ...string) {
	value := map[string]any{"id": decimal(cast.Int(shown["id"])), "repo": r.key()}
	for _, field := range names {
		if told, ok := shown[field]; ok {
			value[field] = told
		}
	}
	for field, told := range more {
		if told != nil {
			value[field] = told
		}
	}
	a.insert(collection, value)
}

// lastOf is the last segment of an address.
func lastOf(address string) string { return address[strings.LastIndexByte(address, '/')+1:] }

// numberOf is the number at the end of an address.
func numberOf(address string) int64 {
	n, err := strconv.ParseInt(lastOf(address), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// kept makes a record of what is shown: fields that are kept under the same
// name, accounts by their login, and the rest raw.
func (a importer) kept(r repo, collection string, shown map[string]any, _ string, id, own string) map[string]any {
	value := map[string]any{"id": id, "repo": r.key()}
	if own != "" {
		value[own] = shown["id"]
	}
	for _, field := range keptFields[collection] {
		told, ok := shown[field]
		if !ok {
			continue
		}
		if inner, isMap := told.(map[string]any); isMap && inner["login"] != nil {
			told = inner["login"]
		}
		value[field] = told
	}
	if at := kit.Text(shown, "issue_url"); at != "" {
		value["number"] = number(map[string]any{"id": at[strings.LastIndexByte(at, '/')+1:]}, "")
	}
	value["raw"] = rest(shown, append([]string{"id", "number", "user", "reactions", "comments", "repository"}, keptFields[collection]...)...)
	return value
}

// keptFields are the fields of what is shown that records have under the same
// name.
var keptFields = map[string][]string{
	milestones:    {"number", "title", "state", "description", "creator", "due_on", "created_at", "updated_at", "closed_at"},
	issueComments: {"body", "user", "created_at", "updated_at", "author_association"},
	issues: {
		"number", "title", "node_id", "body", "user", "state", "state_reason", "locked", "active_lock_reason", "created_at", "updated_at", "closed_at",
		"closed_by", "author_association", "comments",
	},
}

func (a importer) issue(r repo, shown map[string]any) {
	value := a.kept(r, issues, shown, "", issueKey(r.key(), cast.Int(shown["number"])), "iid")
	a.sorted(r, shown, value)
	if _, isPull := shown["pull_request"].(map[string]any); isPull {
		tip := a.tip(r)
		value["pull"] = map[string]any{
			"head": map[string]any{"repo": nil, "ref": unknownRef, "sha": tip, "label": unknownRef}, "base": map[string]any{"repo": r.key(), "ref": r.branch(), "sha": tip},
			"merged_at": cast.Object(shown["pull_request"])["merged_at"],
		}
	}
	if old, there := a.get(issues, kit.Text(value, "id")); there { // a list of pull requests does not tell all of it
		if pull := cast.Object(old.Value()["pull"]); pull != nil && old.Value()["iid"] == pull["pid"] && shown["pull_request"] != nil {
			next := maps.Clone(old.Value())
			next["iid"], next["raw"] = value["iid"], value["raw"]
			for _, field := range []string{"node_id", "state_reason", "comments", "closed_by"} {
				if _, told := shown[field]; told {
					next[field] = value[field]
				}
			}
			a.amend(issues, next)
		}
		return
	}
	a.insert(issues, value)
}

// sorted takes in labels, assignees and the milestone of an issue.
func (a importer) sorted(r repo, shown, value map[string]any) {
	names, logins := []any{}, []any{}
	for _, one := range listOf(shown["labels"]) {
		if label, ok := one.(map[string]any); ok {
			a.thing(r, label)
			names = append(names, label["name"])
		}
	}
	for _, one := range listOf(shown["assignees"]) {
		if user, ok := one.(map[string]any); ok {
			logins = append(logins, user["login"])
			a.trust(r, kit.Text(user, "login"))
		}
	}
	value["labels"], value["assignees"] = names, logins
	if milestone := cast.Object(shown["milestone"]); milestone != nil {
		a.thing(r, milestone)
		value["milestone"] = milestone["number"]
	}
	raw := cast.Object(value["raw"])
	for _, field := range []string{"labels", "assignee", "assignees", "milestone", "pull_request", "head", "base", "_links", "merged_by"} {
		delete(raw, field)
	}
}

// trust makes an account a collaborator: who was given an issue must have been
// one.
func (a importer) trust(r repo, login string) {
	if !a.assignable(r, login) {
		a.insert(collaborators, map[string]any{"id": r.key() + "/" + strings.ToLower(login), "repo": r.key(), "login": login, "permission": levelWrite})
	}
}

func (a importer) pull(r repo, shown map[string]any) {
	value := a.kept(r, issues, shown, "", issueKey(r.key(), cast.Int(shown["number"])), "iid")
	a.sorted(r, shown, value)
	raw := cast.Object(value["raw"])
	side := func(name string) map[string]any {
		at := cast.Object(shown[name])
		key := r.key()
		if other, ok := a.lookupFull(kit.Text(at, "repo.full_name")); ok {
			key = other.key()
		}
		from, _ := a.byKey(key)
		if issueState(value) == stateOpen {
			a.reference(from, heads+kit.Text(at, "ref"), kit.Text(at, "sha"), commitKind)
		} else {
			a.stub(from, kit.Text(at, "sha"))
		}
		return map[string]any{"repo": key, "ref": at["ref"], "sha": at["sha"], "label": kit.Text(at, "label")}
	}
	base := side("base")
	pull := map[string]any{
		"pid": shown["id"], "draft": shown["draft"] == true, "head": side("head"), "base": base, "merged_at": shown["merged_at"],
		"merged_by": cast.Object(shown["merged_by"])["login"], "merge_commit_sha": shown["merge_commit_sha"], "maintainer_can_modify": shown["maintainer_can_modify"] == true,
		"raw": map[string]any{},
	}
	if mergeable, ok := shown["mergeable"].(bool); ok {
		pull["mergeable"] = mergeable
	}
	for _, field := range []string{"commits", "additions", "deletions", "changed_files", "review_comments"} {
		if told, ok := shown[field]; ok {
			cast.Object(pull["raw"])[field] = told
		}
	}
	for field := range raw {
		if !strings.HasPrefix(field, "body") {
			delete(raw, field)
		}
	}
	if asked := cast.Objects(shown["requested_reviewers"]); len(asked) > 0 {
		logins := make([]any, len(asked))
		for i, user := range asked {
			logins[i] = user["login"]
			a.trust(r, kit.Text(user, "login"))
		}
		pull["requested_reviewers"] = logins
	}
	value["pull"] = pull
	if old, there := a.get(issues, kit.Text(value, "id")); there { // known as an issue, which does not say what is to be merged
		if kit.Text(old.Value(), "pull.head.ref") == unknownRef {
			next := maps.Clone(old.Value())
			next["pull"] = pull
			a.amend(issues, next)
		}
		return
	}
	a.insert(issues, value)
}

// unknownRef is the branch of a pull request that was only seen as an issue.
const unknownRef = "unknown"

func (a importer) lookupFull(name string) (repo, bool) {
	owner, rest, ok := strings.Cut(name, "/")
	if !ok {
		return repo{}, false
	}
	return a.lookup(owner, rest)
}

func (a importer) happened(r repo, shown map[string]any) {
	at := a.pathNumber("issue_number")
	if issue := cast.Object(shown["issue"]); issue != nil {
		at = cast.Int(issue["number"])
	}
	a.insert(issueEvents, map[string]any{
		"id": decimal(cast.Int(shown["id"])), "repo": r.key(), "number": at, "event": shown["event"], "actor": cast.Object(shown["actor"])["login"],
		"commit_id": shown["commit_id"], "created_at": shown["created_at"], "raw": rest(shown, "id", "actor", "event", "commit_id", "created_at", "issue"),
	})
}

func (a importer) suite(r repo, shown map[string]any) {
	raw := rest(shown, "id", "repository", "pull_requests", "app", "head_commit")
	for _, field := range []string{"pull_requests", "app", "head_commit"} {
		raw[field] = shown[field]
	}
	a.stub(r, kit.Text(shown, "head_sha"))
	a.insert(checkSuites, map[string]any{
		"id": decimal(cast.Int(shown["id"])), "repo": r.key(), "head_sha": shown["head_sha"], "head_branch": shown["head_branch"], "raw": raw,
	})
}

func (a importer) release(r repo, shown map[string]any) {
	value := map[string]any{"id": decimal(cast.Int(shown["id"])), "repo": r.key(), "author": cast.Object(shown["author"])["login"], "raw": map[string]any{}}
	for _, field := range []string{"tag_name", "target_commitish", "name", "body", "draft", "prerelease", "created_at", "published_at"} {
		value[field] = shown[field]
	}
	a.insert(releases, value)
	a.begun(r)
	if tag := tags + kit.Text(shown, "tag_name"); shown["draft"] != true {
		if _, ok := a.ref(r, tag); !ok && a.tip(r) != "" {
			a.setRef(r, tag, a.tip(r), commitKind)
		}
	}
}
