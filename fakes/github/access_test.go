package github_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

const declared = `
github.users:
  - {id: acme, type: Organization}
  - {id: bob, type: User}
  - {id: eve, type: User}
github.members:
  - {id: acme/bob, org: acme, login: bob, role: admin}
github.repositories:
  - {id: acme/secret, owner: acme, name: secret, private: true}
  - {id: acme/open, owner: acme, name: open}
github.seeds:
  - {id: acme/open@1, repo: acme/open, message: Begin, author: bob, date: "2025-01-02T03:04:05Z", files: {README.md: "# open\n", src/main.go: "package main\n"}}
  - {id: acme/open@2, repo: acme/open, branch: side, message: More, author: bob, date: "2025-01-03T03:04:05Z", files: {more.txt: "more\n"}, remove: [README.md]}
github.tokens:
  - {id: ghp_bob, subject: bob, scopes: [repo]}
  - {id: ghp_bobPublic, subject: bob, scopes: [public_repo]}
  - {id: ghp_eve, subject: eve, scopes: [repo, delete_repo]}
  - {id: ghp_revoked, subject: bob, revoked: true}
  - {id: ghp_old, subject: bob, expires: "2026-01-01T00:00:00Z"}
`

func as(token string) []string { return []string{"Authorization", "Bearer " + token} }

func TestWhoMayWhat(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(declared)
	issue := map[string]any{"title": "x"}
	for name, test := range map[string]struct {
		method, path string
		body         any
		header       []string
		status       int
		message      string
	}{
		"own private":                {"GET", "/repos/acme/secret", nil, as("ghp_bob"), 200, ""},
		"hidden":                     {"GET", "/repos/acme/secret", nil, as("ghp_eve"), 404, "Not Found"},
		"hidden without the scope":   {"GET", "/repos/acme/secret", nil, as("ghp_bobPublic"), 404, "Not Found"},
		"hidden from nobody":         {"GET", "/repos/acme/secret", nil, []string{"Authorization", ""}, 404, "Not Found"},
		"public to nobody":           {"GET", "/repos/acme/open", nil, []string{"Authorization", ""}, 200, ""},
		"nobody is nobody":           {"GET", "/user", nil, []string{"Authorization", ""}, 401, "Requires authentication"},
		"nobody writes":              {"POST", "/repos/acme/open/issues", issue, []string{"Authorization", ""}, 401, "Requires authentication"},
		"anybody opens issues":       {"POST", "/repos/acme/open/issues", issue, as("ghp_eve"), 201, ""},
		"but no labels":              {"POST", "/repos/acme/open/labels", map[string]any{"name": "x"}, as("ghp_eve"), 404, "Not Found"},
		"nor a deletion":             {"DELETE", "/repos/acme/open", nil, as("ghp_eve"), 403, "Must have admin rights to Repository."},
		"deletion wants its scope":   {"DELETE", "/repos/acme/open", nil, as("ghp_bob"), 403, "Must have admin rights to Repository."},
		"revoked":                    {"GET", "/user", nil, as("ghp_revoked"), 401, "Bad credentials"},
		"expired":                    {"GET", "/user", nil, as("ghp_old"), 401, "Bad credentials"},
		"malformed":                  {"GET", "/user", nil, as("sk_live_1"), 401, "Bad credentials"},
		"basic":                      {"GET", "/user", nil, []string{"Authorization", "Basic " + b64("bob:ghp_bob")}, 200, ""},
		"a token that nobody issued": {"GET", "/repos/acme/secret", nil, as("ghp_unheardOf"), 200, ""},
	} {
		g := r.JSON(test.method, test.path, test.body, test.header...)
		if g.Status != test.status || test.message != "" && g.Text("message") != test.message {
			t.Errorf("%s: %d %s", name, g.Status, g.Raw)
		}
	}
	g := r.JSON("GET", "/user", nil, "User-Agent", "")
	if g.Status != 403 || !strings.Contains(g.Raw, "User-Agent header") || g.Header.Get("Content-Type") != "text/html" {
		t.Errorf("without a User-Agent: %d %s", g.Status, g.Raw)
	}
	faketest.Want(t, r.Must(200, r.JSON("GET", "/user", nil, as("ghp_bob")...)), map[string]any{"login": "bob"})
	if g := r.JSON("GET", "/user", nil, as("ghp_bob")...); g.Header.Get("X-Oauth-Scopes") != "repo" {
		t.Errorf("scopes are %q", g.Header.Get("X-Oauth-Scopes"))
	}
}

func TestSeedsBecomeCommits(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(declared)
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/acme/open/commits", nil)), map[string]any{"0.commit.message": "Begin", "0.author.login": "bob", "1": nil})
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/acme/open/compare/main...side", nil)), map[string]any{"status": "ahead", "files.0.status": "removed", "files.1.filename": "more.txt"})
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/acme/open", nil)), map[string]any{"language": "Go", "organization.login": "acme"})
	r.Must(404, r.JSON("GET", "/repos/acme/open/contents/README.md?ref=side", nil))
}

func TestLimits(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	nobody := []string{"Authorization", ""}
	for i := range 60 {
		g := r.Must(200, r.JSON("GET", "/users/octocat", nil, nobody...))
		if i == 0 && (g.Header.Get("X-Ratelimit-Limit") != "60" || g.Header.Get("X-Ratelimit-Remaining") != "59" || g.Header.Get("X-Ratelimit-Used") != "1" || g.Header.Get("X-Ratelimit-Resource") != "core") {
			t.Errorf("limits are %v", g.Header)
		}
	}
	g := r.Must(403, r.JSON("GET", "/users/octocat", nil, nobody...))
	if !strings.HasPrefix(g.Text("message"), "API rate limit exceeded for ") || g.Header.Get("X-Ratelimit-Remaining") != "0" {
		t.Errorf("%s %v", g.Raw, g.Header)
	}
	faketest.Want(t, r.Must(200, r.JSON("GET", "/rate_limit", nil, nobody...)), map[string]any{"rate.remaining": 0, "resources.search.limit": 10})
	r.Must(200, r.JSON("GET", "/users/octocat", nil)) // another caller
	r.Wait(time.Hour)
	r.Must(200, r.JSON("GET", "/users/octocat", nil, nobody...))

	web(r)
	for range 78 {
		r.Must(201, r.JSON("POST", "/repos/octocat/web/issues", map[string]any{"title": "x"}))
	}
	r.Must(201, r.JSON("POST", "/repos/octocat/web/issues", map[string]any{"title": "x"}))
	g = r.Must(403, r.JSON("POST", "/repos/octocat/web/issues", map[string]any{"title": "x"}))
	if !strings.Contains(g.Text("message"), "secondary rate limit") || g.Header.Get("Retry-After") == "" {
		t.Errorf("%s %v", g.Raw, g.Header)
	}
	r.Must(200, r.JSON("GET", "/repos/octocat/web/issues", nil))
	r.Wait(time.Minute)
	r.Must(201, r.JSON("POST", "/repos/octocat/web/issues", map[string]any{"title": "x"}))
}

func TestEntityTags(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	web(r)
	first := r.Must(200, r.JSON("GET", "/repos/octocat/web/issues", nil))
	again := r.Must(304, r.JSON("GET", "/repos/octocat/web/issues", nil, "If-None-Match", first.Header.Get("Etag")))
	if again.Raw != "" || again.Header.Get("X-Ratelimit-Used") != first.Header.Get("X-Ratelimit-Used") {
		t.Errorf("a 304 has a body, or counts: %q %v", again.Raw, again.Header)
	}
	r.Must(201, r.JSON("POST", "/repos/octocat/web/issues", map[string]any{"title": "x"}))
	r.Must(200, r.JSON("GET", "/repos/octocat/web/issues", nil, "If-None-Match", first.Header.Get("Etag")))
}

func TestARenamedRepositoryIsElsewhere(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	web(r)
	id := r.Must(200, r.JSON("PATCH", "/repos/octocat/web", map[string]any{"name": "site"})).Text("id")
	g := r.Must(301, r.JSON("GET", "/repos/octocat/web/issues", nil))
	if want := r.Base + "/repositories/" + id + "/issues"; g.Header.Get("Location") != want || g.Text("url") != want {
		t.Errorf("it leads to %s: %s", g.Header.Get("Location"), g.Raw)
	}
	r.Must(307, r.JSON("POST", "/repos/octocat/web/issues", map[string]any{"title": "x"}))
	r.Must(200, r.JSON("GET", "/repositories/"+id, nil))
	r.Must(201, r.JSON("POST", "/repositories/"+id+"/issues", map[string]any{"title": "x"}))
	r.Must(201, r.JSON("POST", "/user/repos", map[string]any{"name": "web"})) // the old name is free again
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web", nil)), map[string]any{"name": "web", "open_issues": 0})
	faketest.Want(t, r.Must(422, r.JSON("POST", "/user/repos", map[string]any{"name": "WEB"})),
		map[string]any{"message": "Repository creation failed.", "errors.0.message": "name already exists on this account"})
}

func TestStatisticsTakeAWhile(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	web(r)
	r.Must(202, r.JSON("GET", "/repos/octocat/web/stats/contributors", nil))
	r.Wait(5 * time.Second)
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web/stats/contributors", nil)), map[string]any{"0.total": 1, "0.author.login": "octocat"})
}

func TestGraphQLSaysThatItIsNotPlayed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	faketest.Want(t, r.Must(200, r.JSON("POST", "/graphql", map[string]any{"query": "{viewer{login}}"})), map[string]any{"data": nil, "errors.0.type": "NOT_IMPLEMENTED"})
	r.Must(401, r.JSON("POST", "/graphql", map[string]any{"query": "{viewer{login}}"}, "Authorization", ""))
}

func TestWebhooks(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	web(r)
	hook := r.Must(201, r.JSON("POST", "/repos/octocat/web/hooks", map[string]any{
		"events": []any{"issues"}, "config": map[string]any{"url": "https://hooks.example/gh", "content_type": "json", "secret": "s3cret"},
	}))
	faketest.Want(t, hook, map[string]any{"config.secret": "********", "config.content_type": "json", "active": true, "last_response.status": "unused"})
	ping, header := r.Attempt(200)
	if header.Get("X-Github-Event") != "ping" || ping.URL != "https://hooks.example/gh" {
		t.Errorf("%v %+v", header, ping)
	}
	r.Must(201, r.JSON("POST", "/repos/octocat/web/issues", map[string]any{"title": "x"}))
	r.Must(201, r.JSON("PUT", "/repos/octocat/web/contents/a.txt", map[string]any{"message": "no push is asked for", "content": ""}))
	if n := len(r.Deliveries()); n != 1 {
		t.Fatalf("%d deliveries wait", n)
	}
	d, header := r.Attempt(500)
	mac := hmac.New(sha256.New, []byte("s3cret"))
	mac.Write(d.Body)
	if want := "sha256=" + hex.EncodeToString(mac.Sum(nil)); header.Get("X-Hub-Signature-256") != want {
		t.Errorf("signed %s, want %s", header.Get("X-Hub-Signature-256"), want)
	}
	if !strings.Contains(string(d.Body), `"action":"opened"`) || header.Get("X-Github-Event") != "issues" || header.Get("X-Github-Delivery") == "" {
		t.Errorf("%v %s", header, d.Body)
	}
	if n := len(r.Deliveries()); n != 0 { // GitHub does not try again by itself
		t.Errorf("%d deliveries wait", n)
	}
	at := "/repos/octocat/web/hooks/" + hook.Text("id")
	list := r.Must(200, r.JSON("GET", at+"/deliveries", nil))
	faketest.Want(t, list, map[string]any{"0.event": "issues", "0.status_code": 500, "1.event": "ping"})
	r.Must(202, r.JSON("POST", at+"/deliveries/"+list.Text("0.id")+"/attempts", nil))
	if n := len(r.Deliveries()); n != 1 {
		t.Errorf("%d deliveries wait", n)
	}
	r.Must(422, r.JSON("POST", "/repos/octocat/web/hooks", map[string]any{"config": map[string]any{"url": "hooks.example"}}))
	r.Must(204, r.JSON("DELETE", at, nil))
	r.Must(404, r.JSON("GET", at, nil))
}
