package github

import (
	"net/http"
	"strconv"
	"strings"

	"parity/fakes/kit"
)

// A repo is what is kept of a repository.
type repo struct {
	value map[string]any
}

func (r repo) key() string     { return kit.Text(r.value, "id") }
func (r repo) rid() int64      { return number(r.value, "rid") }
func (r repo) owner() string   { return kit.Text(r.value, "owner") }
func (r repo) name() string    { return kit.Text(r.value, "name") }
func (r repo) full() string    { return r.owner() + "/" + r.name() }
func (r repo) private() bool   { return r.value["private"] == true }
func (r repo) archived() bool  { return r.value["archived"] == true }
func (r repo) network() string { return textOr(r.value, "network", r.key()) }
func (r repo) branch() string  { return textOr(r.value, "default_branch", "main") }

// on tells whether a feature is on; it is unless it was turned off.
func (r repo) on(feature string) bool { return r.value[feature] != false }

func slug(owner, name string) string { return strings.ToLower(owner + "/" + name) }

// lookup finds a repository by its present name, whoever asks.
func (c *call) lookup(owner, name string) (repo, bool) {
	want := slug(owner, name)
	for record := range c.fake.store.Find(c.Tx, repositories, "slug", want) {
		return repo{record.Value()}, true
	}
	for _, key := range []string{owner + "/" + name, want} { // as a fixture has it, without a slug
		if record, ok := c.get(repositories, key); ok && slug(kit.Text(record.Value(), "owner"), kit.Text(record.Value(), "name")) == want {
			return repo{record.Value()}, true
		}
	}
	return repo{}, false
}

// byKey finds a repository by its key, which stays.
func (c *call) byKey(key string) (repo, bool) {
	record, ok := c.get(repositories, key)
	if !ok {
		return repo{}, false
	}
	return repo{record.Value()}, true
}

func (c *call) byNumber(rid int64) (repo, bool) {
	for record := range c.fake.store.Find(c.Tx, repositories, "rid", strconv.FormatInt(rid, 10)) {
		return repo{record.Value()}, true
	}
	for record := range c.Tx.Oldest(full(repositories), 0) {
		if _, kept := record.Value()["rid"]; !kept && (repo{record.Value()}).rid() == rid {
			return repo{record.Value()}, true
		}
	}
	return repo{}, false
}

// reach finds the repository of a call's path, and tells whether it moved.
func (c *call) reach() (found repo, ok, moved bool) {
	if _, numbered := c.Input.Path["repository_id"]; numbered {
		found, ok = c.byNumber(c.pathNumber("repository_id"))
		return found, ok, false
	}
	owner, name := c.path("owner"), c.path("repo")
	if found, ok = c.lookup(owner, name); ok {
		return found, true, false
	}
	if record, was := c.Tx.Get(movedCollection, slug(owner, name)); was {
		found, ok = c.byKey(kit.Text(record.Value(), "repo"))
		return found, ok, true
	}
	return repo{}, false, false
}

// repository finds the repository of a call. What the caller may not see is not
// there; what was renamed is elsewhere; what the token has no scope for is not
// there either, or, for writes, refused.
func (c *call) repository() (repo, *refusal) {
	r, ok, moved := c.reach()
	if !ok || !c.sees(r) {
		return repo{}, notFound()
	}
	if moved {
		return repo{}, c.elsewhere(r)
	}
	c.grow(r)
	r, _ = c.byKey(r.key())
	return r, nil
}

// elsewhere redirects to a repository by its number: 301 for reads, 307 for
// writes, so that clients send them again as they are.
func (c *call) elsewhere(r repo) *refusal {
	status := http.StatusTemporaryRedirect
	if c.Operation.Method == http.MethodGet || c.Operation.Method == http.MethodHead {
		status = http.StatusMovedPermanently
	}
	_, rest, _ := strings.Cut(c.Operation.Path, "/repos/{owner}/{repo}")
	segments := strings.Split(rest, "/")
	for i, segment := range segments {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			segments[i] = escapePath(c.path(strings.Trim(name, "+}")))
		}
	}
	at := c.Base + "/repositories/" + strconv.FormatInt(r.rid(), 10) + strings.Join(segments, "/")
	return &refusal{
		status: status, message: "Moved Permanently", docs: "https://docs.github.com/v3/#http-redirects",
		more: map[string]any{"url": at}, header: kit.Headers("Location", at),
	}
}

// writable finds the repository of a call that writes, for which the caller
// needs a level of access.
func (c *call) writable(level string) (repo, *refusal) {
	r, refused := c.repository()
	if refused != nil {
		return repo{}, refused
	}
	if !c.may(r, level) {
		if c.viewer != "" && c.known && c.token.Scopes != nil && !c.scoped(r) {
			return repo{}, refusing(http.StatusForbidden, noScopes)
		}
		if level == levelAdmin {
			return repo{}, refusing(http.StatusForbidden, "Must have admin rights to Repository.")
		}
		return repo{}, notFound()
	}
	if r.archived() && c.id != "repos/update" && c.id != "repos/delete" {
		return repo{}, refusing(http.StatusForbidden, "Repository was archived so is read-only.")
	}
	return r, nil
}

func getRepository(c *call, r repo) (answer, *refusal) {
	shown := c.repoFull(r)
	if _, told := shown["temp_clone_token"]; !told && c.may(r, levelAdmin) {
		if shown["temp_clone_token"] = ""; r.private() {
			shown["temp_clone_token"] = strings.ToUpper(c.NewID("A", 28))
		}
	}
	return answer{value: shown, changed: kit.Text(r.value, "updated_at")}, nil
}

// seen lists repositories that the caller sees, newest first.
func (c *call) seen(keep func(repo) bool) []repo {
	var all []repo
	for record := range c.Tx.Newest(full(repositories), 0) {
		if r := (repo{record.Value()}); keep(r) && c.sees(r) {
			all = append(all, r)
		}
	}
	return all
}

func listViewerRepositories(c *call) (answer, *refusal) {
	kind, visibility := c.query("type"), c.query("visibility")
	if kind != "" && (visibility != "" || c.query("affiliation") != "") {
		return answer{}, unprocessable("If you specify visibility or affiliation, you cannot specify type.")
	}
	all := c.seen(func(r repo) bool {
		mine := strings.EqualFold(r.owner(), c.viewer)
		switch {
		case visibility == "public" && r.private(), visibility == "private" && !r.private():
			return false
		case kind == "public" && r.private(), kind == "private" && !r.private(), kind == "owner" && !mine, kind == "member" && mine:
			return false
		}
		if affiliation := c.query("affiliation"); affiliation != "" && !(mine && strings.Contains(affiliation, "owner")) && !(!mine && strings.Contains(affiliation, "organization_member")) && !(!mine && strings.Contains(affiliation, "collaborator")) {
			return false
		}
		return mine || c.belongs(r)
	})
	return c.repositories(all, "full_name"), nil
}

func listUserRepositories(c *call) (answer, *refusal) {
	login := c.path("username")
	if _, known := c.account(login); !known {
		return answer{}, notFound()
	}
	all := c.seen(func(r repo) bool { return strings.EqualFold(r.owner(), login) && !r.private() })
	return c.repositories(all, "full_name"), nil
}

func listOrgRepositories(c *call, org string) (answer, *refusal) {
	kind := c.query("type")
	all := c.seen(func(r repo) bool {
		fork := r.value["fork"] == true
		return strings.EqualFold(r.owner(), org) && (kind != "public" || !r.private()) && (kind != "private" || r.private()) &&
			(kind != "forks" || fork) && (kind != "sources" || !fork)
	})
	return c.repositories(all, "created"), nil
}

// repositories answers with a list of repositories in the order that the call
// asks for.
func (c *call) repositories(all []repo, usual string) answer {
	by := c.query("sort")
	if by == "" {
		by = usual
	}
	down := by != "full_name"
	switch c.query("direction") {
	case "asc":
		down = false
	case "desc":
		down = true
	}
	field := map[string]string{"created": "created_at", "updated": "updated_at", "pushed": "pushed_at"}[by]
	sorted(all, down, func(r repo) string {
		if field == "" {
			return strings.ToLower(r.full())
		}
		return kit.Text(r.value, field)
	})
	return listed(c, all, func(r repo) any { return c.repoShort(r) })
}
