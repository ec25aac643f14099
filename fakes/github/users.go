package github

import (
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Kinds of accounts.
const (
	kindUser = "User"
	kindOrg  = "Organization"
)

// begin puts into a new world who calls with a token that nobody declared, and
// a repository of theirs.
func (f *Fake) begin(tx *world.Tx) error {
	const since = "2011-01-25T18:44:36Z"
	for _, one := range []struct {
		collection string
		value      map[string]any
	}{
		{users, map[string]any{"id": viewerDefault, "login": viewerDefault, "uid": int64(583231), "type": kindUser, "created_at": since, "updated_at": since}},
		{repositories, map[string]any{
			"id": "octocat/hello-world", "owner": viewerDefault, "name": "hello-world", "slug": "octocat/hello-world", "rid": int64(1296269),
			"description": "A first repository, to begin with", "default_branch": "main",
			"created_at": "2011-01-26T19:01:12Z", "updated_at": "2011-01-26T19:14:43Z", "pushed_at": "2011-01-26T19:06:43Z",
		}},
		{seeds, map[string]any{
			"id": "octocat/hello-world@1", "repo": "octocat/hello-world", "branch": "main", "message": "Initial commit", "author": viewerDefault,
			"date": "2011-01-26T19:06:43Z", "files": map[string]any{"README.md": "# hello-world\nA first repository, to begin with\n"},
		}},
	} {
		id, _ := one.value["id"].(string)
		if _, err := tx.Insert(full(one.collection), id, one.value); err != nil {
			return err
		}
	}
	return nil
}

// account gives what is kept of an account.
func (c *call) account(login string) (map[string]any, bool) {
	if record, ok := c.get(users, strings.ToLower(login)); ok {
		return record.Value(), true
	}
	if record, ok := c.get(users, login); ok {
		return record.Value(), true
	}
	return map[string]any{"id": strings.ToLower(login), "login": login}, false
}

// loginOf is the login as its owner spells it.
func (c *call) loginOf(login string) string {
	value, _ := c.account(login)
	if spelt := kit.Text(value, "login"); spelt != "" {
		return spelt
	}
	return kit.Text(value, "id")
}

func (c *call) userID(login string) int64 {
	value, _ := c.account(login)
	return number(value, "uid")
}

func kindOf(value map[string]any) string {
	if kind := kit.Text(value, "type"); kind != "" {
		return kind
	}
	return kindUser
}

// isOrg tells whether a login is that of an organisation.
func (c *call) isOrg(login string) bool {
	value, _ := c.account(login)
	return kindOf(value) == kindOrg
}

// user shows an account in short; nil where there is no login.
func (c *call) user(login string) any {
	if login == "" {
		return nil
	}
	return c.brief(login)
}

// brief shows an account in short.
func (c *call) brief(login string) map[string]any {
	value, _ := c.account(login)
	spelt := c.loginOf(login)
	uid := number(value, "uid")
	kind := kindOf(value)
	at := c.Base + "/users/" + spelt
	prefix := "U"
	if kind == kindOrg {
		prefix = "O"
	}
	avatar := kit.Text(value, "avatar_url")
	if avatar == "" {
		avatar = "https://avatars.githubusercontent.com/u/" + decimal(uid) + "?u=" + gitSHA("avatar", []byte(spelt)) + "&v=4"
	}
	return map[string]any{
		"login": spelt, "id": uid, "node_id": nodeOf(value, prefix, uid), "avatar_url": avatar, "gravatar_id": kit.Text(value, "raw.gravatar_id"),
		"url": at, "html_url": c.web + "/" + spelt,
		"followers_url": at + "/followers", "following_url": at + "/following{/other_user}", "gists_url": at + "/gists{/gist_id}",
		"starred_url": at + "/starred{/owner}{/repo}", "subscriptions_url": at + "/subscriptions", "organizations_url": at + "/orgs",
		"repos_url": at + "/repos", "events_url": at + "/events{/privacy}", "received_events_url": at + "/received_events",
		"type": kind, "site_admin": value["site_admin"] == true, "user_view_type": "public",
	}
}

// owned counts the repositories of an account.
func (c *call) owned(login string) (open, hidden int64) {
	for record := range c.fake.store.Find(c.Tx, repositories, "owner", c.loginOf(login)) {
		if record.Value()["private"] == true {
			hidden++
		} else {
			open++
		}
	}
	return open, hidden
}

// profile shows an account in full; what only its owner may see, too.
func (c *call) profile(login string, own bool) map[string]any {
	value, _ := c.account(login)
	shown := c.brief(login)
	open, hidden := c.owned(login)
	for _, field := range []string{"name", "company", "location", "email", "bio"} {
		shown[field] = value[field]
	}
	shown["hireable"], shown["twitter_username"] = nil, nil
	shown["blog"] = kit.Text(value, "blog")
	shown["public_repos"], shown["public_gists"], shown["followers"], shown["following"] = open, int64(0), int64(0), int64(0)
	shown["created_at"], shown["updated_at"] = textOr(value, "created_at", c.now()), textOr(value, "updated_at", c.now())
	if own {
		shown["user_view_type"] = "private"
		shown["notification_email"] = value["email"]
		for field, n := range map[string]int64{"private_gists": 0, "total_private_repos": hidden, "owned_private_repos": hidden, "disk_usage": 0, "collaborators": 0} {
			shown[field] = n
		}
		shown["two_factor_authentication"] = true
		shown["plan"] = map[string]any{"name": "free", "space": int64(976562499), "collaborators": int64(0), "private_repos": int64(10000)}
	}
	return overlaid(shown, value)
}

// overlaid lays what a real reply told over what is shown.
func overlaid(shown, value map[string]any) map[string]any {
	for field, told := range cast.Object(value["raw"]) {
		shown[field] = told
	}
	return shown
}

// textOr gives a text of a record, and another where it has none.
func textOr(value map[string]any, field, otherwise string) string {
	if at := kit.Text(value, field); at != "" {
		return at
	}
	return otherwise
}

func getViewer(c *call) (answer, *refusal) {
	shown := c.profile(c.viewer, true)
	return answer{value: shown, changed: kit.Text(shown, "updated_at")}, nil
}

func getUser(c *call) (answer, *refusal) {
	login := c.path("username")
	if _, known := c.account(login); !known {
		return answer{}, notFound()
	}
	shown := c.profile(login, strings.EqualFold(login, c.viewer))
	return answer{value: shown, changed: kit.Text(shown, "updated_at")}, nil
}

// ensureAccount makes an account that a call takes for granted.
func (c *call) ensureAccount(login, kind string) {
	if _, known := c.account(login); known {
		return
	}
	c.create(users, map[string]any{
		"id": strings.ToLower(login), "login": login, "uid": c.newUID(), "type": kind, "created_at": c.now(), "updated_at": c.now(),
	})
}

func (c *call) newUID() int64 { return 1_000_000 + int64(sum(c.NewID("", 10))%200_000_000) }

// root answers with where to go from here.
func root(c *call) (answer, *refusal) {
	shown := map[string]any{}
	shown["current_user_authorizations_html_url"] = c.web + "/settings/connections/applications{/client_id}"
	for field, path := range map[string]string{
		"authorizations_url": "/authorizations", "commit_search_url": "/search/commits?q={query}{&page,per_page,sort,order}", "emojis_url": "/emojis",
		"events_url": "/events", "feeds_url": "/feeds", "gists_url": "/gists{/gist_id}", "hub_url": "/hub", "keys_url": "/user/keys",
		"label_search_url": "/search/labels?q={query}&repository_id={repository_id}{&page,per_page}", "organization_teams_url": "/orgs/{org}/teams",
		"public_gists_url": "/gists/public", "starred_url": "/user/starred{/owner}{/repo}", "starred_gists_url": "/gists/starred",
		"topic_search_url": "/search/topics?q={query}{&page,per_page}", "current_user_url": "/user", "emails_url": "/user/emails", "followers_url": "/user/followers", "following_url": "/user/following{/target}",
		"issues_url": "/issues", "notifications_url": "/notifications", "organization_url": "/orgs/{org}",
		"repository_url": "/repos/{owner}/{repo}", "user_url": "/users/{user}", "rate_limit_url": "/rate_limit",
		"current_user_repositories_url": "/user/repos{?type,page,per_page,sort}", "organization_repositories_url": "/orgs/{org}/repos{?type,page,per_page,sort}",
		"user_repositories_url": "/users/{user}/repos{?type,page,per_page,sort}", "user_organizations_url": "/user/orgs",
		"code_search_url":       "/search/code?q={query}{&page,per_page,sort,order}",
		"issue_search_url":      "/search/issues?q={query}{&page,per_page,sort,order}",
		"repository_search_url": "/search/repositories?q={query}{&page,per_page,sort,order}",
		"user_search_url":       "/search/users?q={query}{&page,per_page,sort,order}",
	} {
		shown[field] = c.Base + path
	}
	return answer{value: shown}, nil
}

func zen(*call) (answer, *refusal) {
	return answer{raw: []byte("Rehearse before you perform."), kind: "text/plain;charset=utf-8"}, nil
}

// graphQL says that only the REST API is played, in GraphQL's own way.
func graphQL(c *call) (answer, *refusal) {
	if _, asked := c.Input.Body["query"].(string); !asked {
		r := refusing(http.StatusBadRequest, "A query attribute must be specified and must be a string.")
		r.docs = "https://docs.github.com/graphql"
		return answer{}, r
	}
	return answer{value: map[string]any{"data": nil, "errors": []any{map[string]any{
		"type":    "NOT_IMPLEMENTED",
		"message": "Parity plays GitHub's REST API only: this rehearsal does not answer GraphQL. Use the REST operation of the same purpose.",
	}}}}, nil
}
