package github

import (
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// Parts of the addresses that each repository shows, by the field's name.
var repoAddresses = map[string]string{
	"forks_url": "/forks", "keys_url": "/keys{/key_id}", "collaborators_url": "/collaborators{/collaborator}", "teams_url": "/teams",
	"hooks_url": "/hooks", "issue_events_url": "/issues/events{/number}", "events_url": "/events", "assignees_url": "/assignees{/user}",
	"branches_url": "/branches{/branch}", "tags_url": "/tags", "blobs_url": "/git/blobs{/sha}", "git_tags_url": "/git/tags{/sha}",
	"git_refs_url": "/git/refs{/sha}", "trees_url": "/git/trees{/sha}", "statuses_url": "/statuses/{sha}", "languages_url": "/languages",
	"stargazers_url": "/stargazers", "contributors_url": "/contributors", "subscribers_url": "/subscribers", "subscription_url": "/subscription",
	"commits_url": "/commits{/sha}", "git_commits_url": "/git/commits{/sha}", "comments_url": "/comments{/number}",
	"issue_comment_url": "/issues/comments{/number}", "contents_url": "/contents/{+path}", "compare_url": "/compare/{base}...{head}",
	"merges_url": "/merges", "archive_url": "/{archive_format}{/ref}", "downloads_url": "/downloads", "issues_url": "/issues{/number}",
	"pulls_url": "/pulls{/number}", "milestones_url": "/milestones{/number}", "notifications_url": "/notifications{?since,all,participating}",
	"labels_url": "/labels{/name}", "releases_url": "/releases{/id}", "deployments_url": "/deployments", "url": "",
}

// at is the address of a repository in the API.
func (c *call) at(r repo) string { return c.Base + "/repos/" + r.full() }

// page is the address of a repository for people.
func (c *call) page(r repo) string { return c.web + "/" + r.full() }

// cloneURL is where git finds a repository: beside the API, for a client that has
// a base URL for that.
func (c *call) cloneURL(r repo) string {
	if at := c.host(); at == "" || at == apiHost || at == pagesHost || at == "uploads.github.com" {
		return c.page(r) + ".git"
	}
	return c.Base + "/" + r.full() + ".git"
}

// repoMinimal shows a repository as other records carry it.
func (c *call) repoMinimal(r repo) map[string]any {
	shown := map[string]any{
		"id": r.rid(), "node_id": nodeOf(r.value, "R", r.rid()), "name": r.name(), "full_name": r.full(), "private": r.private(),
		"owner": c.brief(r.owner()), "description": r.value["description"], "fork": r.value["fork"] == true, "html_url": c.page(r),
	}
	at := c.at(r)
	for field, rest := range repoAddresses {
		shown[field] = at + rest
	}
	return shown
}

// repoShort shows a repository as lists do.
func (c *call) repoShort(r repo) map[string]any {
	shown := c.repoMinimal(r)
	created := textOr(r.value, "created_at", c.now())
	for field, value := range map[string]any{
		"created_at": created, "updated_at": textOr(r.value, "updated_at", created), "pushed_at": textOr(r.value, "pushed_at", created),
		"git_url": "git://github.com/" + r.full() + ".git", "ssh_url": "git@github.com:" + r.full() + ".git",
		"clone_url": c.cloneURL(r), "svn_url": c.page(r), "homepage": r.value["homepage"], "size": cast.Int(r.value["size"]),
		"language": r.value["language"], "has_issues": r.on("has_issues"), "has_projects": r.on("has_projects"), "has_downloads": r.on("has_downloads"),
		"has_wiki": r.on("has_wiki"), "has_pages": false, "has_discussions": r.value["has_discussions"] == true, "mirror_url": nil,
		"archived": r.archived(), "disabled": r.value["disabled"] == true, "license": r.value["license"], "allow_forking": true,
		"is_template": r.value["is_template"] == true, "web_commit_signoff_required": false, "topics": listOf(r.value["topics"]),
		"visibility": visibility(r), "default_branch": r.branch(),
	} {
		shown[field] = value
	}
	starred := cast.Int(r.value["stargazers_count"]) + int64(len(c.tied(starKind, "repo", r.key())))
	shown["stargazers_count"], shown["watchers_count"], shown["watchers"] = starred, starred, starred
	open := c.openIssues(r)
	shown["open_issues_count"], shown["open_issues"] = open, open
	forks := c.forkCount(r)
	shown["forks_count"], shown["forks"] = forks, forks
	if c.viewer != "" {
		shown["permissions"] = permissions(c.access(r))
	}
	shown = overlaid(shown, r.value)
	for _, only := range fullOnly {
		delete(shown, only)
	}
	return shown
}

// fullOnly are fields that lists of repositories do not carry.
var fullOnly = []string{"network_count", "subscribers_count", "temp_clone_token", "organization", "parent", "source"}

// repoPart shows a repository as a pull request carries it.
func (c *call) repoPart(r repo) map[string]any {
	shown := c.repoShort(r)
	delete(shown, "permissions")
	delete(shown, "custom_properties")
	for field := range settingsUsual {
		delete(shown, field)
	}
	return shown
}

// settingsUsual are those that nobody has changed yet.
var settingsUsual = map[string]any{
	"allow_squash_merge": true, "allow_merge_commit": true, "allow_rebase_merge": true, "allow_auto_merge": false,
	"delete_branch_on_merge": false, "allow_update_branch": false, "use_squash_pr_title_as_default": false,
	"squash_merge_commit_message": "COMMIT_MESSAGES", "squash_merge_commit_title": "COMMIT_OR_PR_TITLE",
	"merge_commit_message": "PR_TITLE", "merge_commit_title": "MERGE_MESSAGE",
}

// setting gives one of a repository's settings.
func (r repo) setting(field string) any {
	settings, _ := r.value["settings"].(map[string]any)
	if value, set := settings[field]; set {
		return value
	}
	return settingsUsual[field]
}

// repoFull shows a repository by itself.
func (c *call) repoFull(r repo) map[string]any {
	shown := c.repoShort(r)
	if c.may(r, levelWrite) {
		for field := range settingsUsual {
			shown[field] = r.setting(field)
		}
	}
	shown["network_count"], shown["subscribers_count"] = c.forkCount(r), int64(0)
	if c.isOrg(r.owner()) {
		shown["custom_properties"] = map[string]any{}
		shown["organization"] = c.brief(r.owner())
	} else if strings.EqualFold(r.owner(), c.viewer) {
		shown["subscribers_count"] = int64(1)
	}
	for _, up := range []string{"parent", "source"} {
		if other, ok := c.byKey(kit.Text(r.value, up)); ok && c.sees(other) {
			shown[up] = c.repoPart(other)
		}
	}
	return overlaid(shown, r.value)
}

func visibility(r repo) string {
	if r.private() {
		return "private"
	}
	return "public"
}

// listOf gives a list that is kept; an empty one where there is none.
func listOf(value any) []any {
	list, ok := value.([]any)
	if !ok {
		return []any{}
	}
	return list
}

// openIssues counts a repository's open issues and pull requests.
func (c *call) openIssues(r repo) int64 {
	n, told := cast.Object(r.value["rules"])["open"].(int64)
	for record := range c.fake.store.Find(c.Tx, issues, "repo", r.key()) {
		if kit.Text(record.Value(), "state") != stateClosed && !(told && record.Value()["raw"] != nil) {
			n++
		}
	}
	return n
}

func (c *call) forkCount(r repo) int64 {
	var n int64
	for range c.fake.store.Find(c.Tx, repositories, "parent", r.key()) {
		n++
	}
	return n
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
