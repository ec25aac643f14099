package github

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// defaultLabels are those that each new repository has.
var defaultLabels = [][3]string{
	{"bug", "d73a4a", "Something isn't working"},
	{"documentation", "0075ca", "Improvements or additions to documentation"},
	{"duplicate", "cfd3d7", "This issue or pull request already exists"},
	{"enhancement", "a2eeef", "New feature or request"},
	{"good first issue", "7057ff", "Good for newcomers"},
	{"help wanted", "008672", "Extra attention is needed"},
	{"invalid", "e4e669", "This doesn't seem right"},
	{"question", "d876e3", "Further information is requested"},
	{"wontfix", "ffffff", "This will not be worked on"},
}

// strange are the characters that GitHub turns into a hyphen in the name of a
// repository.
var strange = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^A-Za-z0-9._-]+`) })

func createViewerRepository(c *call) (answer, *refusal) {
	owner := c.loginOf(c.viewer)
	if c.Identity == fakes.Fixture {
		if given := c.text("owner"); given != "" {
			owner = given
		}
	}
	return c.createRepository(owner)
}

func createOrgRepository(c *call) (answer, *refusal) {
	login := c.path("org")
	value, known := c.account(login)
	if known && kindOf(value) != kindOrg || !known && c.known {
		return answer{}, notFound()
	}
	if c.known && c.role(login, c.viewer) == "" {
		return answer{}, refusing(http.StatusForbidden, "You need admin access to the organization before adding a repository to it.")
	}
	c.ensureAccount(login, kindOrg)
	if !c.known {
		c.join(login, c.viewer, "admin")
	}
	return c.createRepository(c.loginOf(login))
}

func (c *call) createRepository(owner string) (answer, *refusal) {
	private := c.flag("private") || c.text("visibility") == "private"
	if (private && !c.hasScope("repo")) || !c.hasScope("public_repo") {
		return answer{}, refusing(http.StatusForbidden, noScopes)
	}
	name := strange().ReplaceAllString(c.text("name"), "-")
	if name == "" {
		return answer{}, c.repoFailed(wrong("Repository", "name", codeField), custom("Repository", "name is too short (minimum is 1 character)"))
	}
	if len(name) > 100 {
		return answer{}, c.repoFailed(custom("Repository", "name is too long (maximum is 100 characters)"))
	}
	if old, taken := c.lookup(owner, name); taken && old.implied() {
		c.forget(old)
	} else if taken {
		e := custom("Repository", "name already exists on this account")
		e["field"] = "name"
		return answer{}, c.repoFailed(e)
	}
	value := c.newRepository(owner, name, private)
	c.applySettings(value)
	if c.Identity == fakes.Fixture { // an author's own words about what no request can say
		maps.Copy(value, fixed(c.Input.Body))
	}
	r := repo{c.create(repositories, value).Value()}
	for _, label := range defaultLabels {
		if c.Identity == fakes.Fixture {
			break // a fixture says its own
		}
		if _, there := c.get(labels, labelKey(r.key(), label[0])); there {
			continue // it was told before
		}
		c.create(labels, map[string]any{
			"id": labelKey(r.key(), label[0]), "repo": r.key(), "name": label[0], "lid": c.newID(labels), "color": label[1], "description": label[2], "default": true,
		})
	}
	if c.flag("auto_init") {
		files := map[string]string{"README.md": "# " + name + "\n"}
		if text := c.text("description"); text != "" {
			files["README.md"] += text + "\n"
		}
		c.commitFiles(r, r.branch(), "Initial commit", files)
		r, _ = c.byKey(r.key())
	}
	c.noteRepo(r, nil)
	c.notify(r, "repository", map[string]any{"action": "created"})
	return answer{status: http.StatusCreated, value: c.repoFull(r), location: c.at(r)}, nil
}

func (c *call) repoFailed(errors ...any) *refusal {
	r := failed(errors...)
	r.message = "Repository creation failed."
	return r
}

// fixed are the fields of a record that a fixture's author may say.
func fixed(body map[string]any) map[string]any {
	kept := maps.Clone(body)
	for _, field := range []string{"auto_init", "gitignore_template", "license_template", "team_id", "visibility", "created", "full_name"} {
		delete(kept, field)
	}
	for field := range settingsUsual {
		delete(kept, field)
	}
	return kept
}

// newRepository is what is kept of a repository that is made now.
func (c *call) newRepository(owner, name string, private bool) map[string]any {
	key := slug(owner, name)
	for _, taken := c.get(repositories, key); taken; _, taken = c.get(repositories, key) {
		key += "~" // one that was renamed since has it
	}
	if record, moved := c.Tx.Get(movedCollection, slug(owner, name)); moved {
		must(c.Tx.Delete(movedCollection, record.ID)) // a new one takes the old name over
	}
	return map[string]any{
		"id": key, "rid": c.newRID(), "owner": owner, "name": name, "slug": slug(owner, name), "private": private,
		"description": nil, "homepage": nil, "default_branch": c.usualBranch(), "created_at": c.now(), "updated_at": c.now(), "pushed_at": c.now(),
	}
}

func (c *call) newRID() int64 {
	for {
		rid := 1_000_000 + int64(sum(c.NewID("", 8))%900_000_000)
		if _, taken := c.byNumber(rid); !taken {
			return rid
		}
	}
}

// applySettings copies what a request says of a repository to its value.
func (c *call) applySettings(value map[string]any) {
	for _, field := range []string{"description", "homepage", "has_issues", "has_projects", "has_wiki", "has_downloads", "has_discussions", "is_template", "archived"} {
		if c.has(field) {
			value[field] = c.Input.Body[field]
		}
	}
	settings, _ := value["settings"].(map[string]any)
	settings = maps.Clone(settings)
	for field := range settingsUsual {
		if c.has(field) {
			if settings == nil {
				settings = map[string]any{}
			}
			settings[field] = c.Input.Body[field]
		}
	}
	if settings != nil {
		value["settings"] = settings
	}
}

func updateRepository(c *call, r repo) (answer, *refusal) {
	if r.archived() && !(c.has("archived") && !c.flag("archived")) {
		return answer{}, refusing(http.StatusForbidden, "Repository was archived so is read-only.")
	}
	value := maps.Clone(r.value)
	if name := strange().ReplaceAllString(c.text("name"), "-"); c.has("name") && name != r.name() {
		if refused := c.rename(r, value, name); refused != nil {
			return answer{}, refused
		}
	}
	if branch := c.text("default_branch"); branch != "" && branch != r.branch() {
		if _, ok := c.ref(r, "refs/heads/"+branch); !ok {
			e := custom("Repository", "The branch %s was not found. Please push that ref first or create it via the Git Data API.", branch)
			e["field"] = "default_branch"
			return answer{}, failed(e)
		}
		value["default_branch"] = branch
	}
	if c.has("private") {
		value["private"] = c.flag("private")
	} else if c.has("visibility") {
		value["private"] = c.text("visibility") != "public"
	}
	c.applySettings(value)
	value["updated_at"] = c.now()
	changed := repo{c.update(repositories, value).Value()}
	c.noteRepo(changed, r.value)
	c.notify(changed, "repository", map[string]any{"action": "edited"})
	return answer{value: c.repoFull(changed)}, nil
}

// rename gives a repository another name; the old one leads to it.
func (c *call) rename(r repo, value map[string]any, name string) *refusal {
	if name == "" {
		return failed(custom("Repository", "name is too short (minimum is 1 character)"))
	}
	if _, taken := c.lookup(r.owner(), name); taken && !strings.EqualFold(name, r.name()) {
		e := custom("Repository", "name already exists on this account")
		e["field"] = "name"
		return failed(e)
	}
	old := slug(r.owner(), r.name())
	value["name"], value["slug"] = name, slug(r.owner(), name)
	if old == value["slug"] {
		return nil
	}
	if record, ok := c.Tx.Get(movedCollection, slug(r.owner(), name)); ok {
		must(c.Tx.Delete(movedCollection, record.ID))
	}
	if _, ok := c.Tx.Get(movedCollection, old); !ok {
		_, err := c.Tx.Insert(movedCollection, old, map[string]any{"id": old, "repo": r.key()})
		must(err)
	}
	return nil
}

func deleteRepository(c *call, r repo) (answer, *refusal) {
	if !atLeast(c.access(r), levelAdmin) || !c.hasScope("delete_repo") {
		return answer{}, refusing(http.StatusForbidden, "Must have admin rights to Repository.")
	}
	c.notify(r, "repository", map[string]any{"action": "deleted"})
	c.emptied(r)
	c.remove(repositories, r.key())
	return answer{status: http.StatusNoContent}, nil
}

// emptied takes away all that is in a repository.
func (c *call) emptied(r repo, but ...string) {
	for _, series := range []string{"issues", "milestones", "projects"} {
		if record, ok := c.Tx.Get(countsCollection, r.key()+"/"+series); ok {
			must(c.Tx.Delete(countsCollection, record.ID))
		}
	}
	for _, collection := range []string{labels, milestones, issues, issueComments, issueEvents, reviewComments, refs, seeds, releases, hooks, secrets, collaborators, invitations, projects, commitComments, stars, deployKeys, deployments, workflowsKept, workflowRuns, workflowJobs} {
		if slices.Contains(but, collection) {
			continue
		}
		for record := range c.fake.store.Find(c.Tx, collection, "repo", r.key()) {
			c.remove(collection, record.ID)
		}
	}
}

func createFork(c *call, from repo) (answer, *refusal) {
	if !c.hasScope("public_repo") {
		return answer{}, refusing(http.StatusForbidden, noScopes)
	}
	if c.tip(from) == "" {
		return answer{}, refusing(http.StatusForbidden, "The repository exists, but it contains no Git content. Empty repositories cannot be forked.")
	}
	owner := c.loginOf(c.viewer)
	if org := c.text("organization"); org != "" {
		c.ensureAccount(org, kindOrg)
		owner = c.loginOf(org)
	}
	name := textOr(c.Input.Body, "name", from.name())
	if there, ok := c.lookup(owner, name); ok {
		if kit.Text(there.value, "parent") == from.key() || there.key() == from.key() { // asking again gives the same
			return answer{status: http.StatusAccepted, value: c.repoFull(there)}, nil
		}
		name += "-1"
	}
	value := c.newRepository(owner, name, from.private())
	value["fork"], value["parent"], value["source"] = true, from.key(), textOr(from.value, "source", from.key())
	value["network"], value["default_branch"] = from.network(), from.branch()
	value["description"], value["homepage"], value["has_issues"] = from.value["description"], from.value["homepage"], false
	value["created_at"], value["size"], value["language"] = c.now(), from.value["size"], from.value["language"]
	fork := repo{c.create(repositories, value).Value()}
	for record := range c.fake.store.Find(c.Tx, refs, "repo", from.key()) {
		ref := kit.Text(record.Value(), "ref")
		if c.flag("default_branch_only") && ref != "refs/heads/"+from.branch() {
			continue
		}
		c.create(refs, map[string]any{"id": refKey(fork, ref), "repo": fork.key(), "ref": ref, "sha": record.Value()["sha"], "kind": textOr(record.Value(), "kind", "commit")})
	}
	c.noteRepo(fork, nil)
	c.notify(from, "fork", map[string]any{"forkee": c.repoFull(fork)})
	return answer{status: http.StatusAccepted, value: c.repoFull(fork)}, nil
}

func listForks(c *call, r repo) (answer, *refusal) {
	all := c.seen(func(other repo) bool { return kit.Text(other.value, "parent") == r.key() })
	if c.query("sort") == "oldest" {
		sorted(all, false, func(r repo) string { return kit.Text(r.value, "created_at") })
	}
	return listed(c, all, func(r repo) any { return c.repoShort(r) }), nil
}

func getTopics(c *call, r repo) (answer, *refusal) {
	return answer{value: map[string]any{"names": listOf(r.value["topics"])}}, nil
}

var topicName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,49}$`) })

func replaceTopics(c *call, r repo) (answer, *refusal) {
	names := cast.Texts(c.Input.Body["names"])
	for _, one := range names {
		if !topicName().MatchString(one) {
			return answer{}, unprocessable("Topic '%s' is not valid. Topics must start with a lowercase letter or number, consist of 50 characters or less, and can include hyphens.", one)
		}
	}
	value := maps.Clone(r.value)
	value["topics"], value["updated_at"] = cast.Anys(names), c.now()
	c.update(repositories, value)
	return answer{value: map[string]any{"names": cast.Anys(names)}}, nil
}

func listTeams(c *call, _ repo) (answer, *refusal) {
	return answer{value: []any{}}, nil
}
