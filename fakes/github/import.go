package github

import (
	"encoding/json"
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

// Import puts into the world what the real service answered: accounts,
// repositories, issues, commits, whatever a reply shows anywhere in it. What is
// there already stays.
func (f *Fake) Import(fc *fakes.Call, status int, body []byte) {
	c := f.call(fc)
	a := importer{call: c}
	var value any
	if json.Unmarshal(body, &value) == nil {
		value = world.Normalise(value)
	}
	if status/100 == 2 {
		a.viewerFrom(value)
		a.walk(value)
	}
	if value == nil && status == http.StatusOK && a.id == "repos/get-content" && a.media.param == "raw" {
		value = map[string]any{"path": a.path("path"), "sha": gitSHA(blobKind, body), "content": encode64(body), "size": int64(len(body)), "git_url": ""}
	}
	if shown, _ := value.(map[string]any); status/100 == 2 && shown["key_id"] != nil {
		a.key(shown)
	}
	if a.id == "search/issues-and-pull-requests" && status == http.StatusOK {
		a.searched(value)
	}
	r, ok := a.pathRepo(status)
	if !ok || status/100 != 2 {
		return
	}
	a.inRepo(r, value)
	if list, ok := value.([]any); ok && a.query("page") == "" && len(list) > 1 && len(list) == a.pageOf(0).size {
		if _, known := a.Tx.Get(countsCollection, a.listKey()); !known {
			_, err := a.Tx.Insert(countsCollection, a.listKey(), map[string]any{"id": a.listKey(), "last": int64(len(list))})
			must(err)
		}
	}
}

type importer struct{ *call }

// viewerFrom learns who calls from what the service shows of them.
func (a importer) viewerFrom(value any) {
	login := kit.Text(cast.Object(value), "login")
	if a.id != "users/get-authenticated" || login == "" || a.Identity == "" {
		return
	}
	if _, known := a.Tx.Get(viewersCollection, a.Identity); !known {
		_, err := a.Tx.Insert(viewersCollection, a.Identity, map[string]any{"id": a.Identity, "login": strings.ToLower(login)})
		must(err)
	}
	a.identify()
}

// searched takes in what a search found, each in the repository that it names.
func (a importer) searched(value any) {
	list := listOf(cast.Object(value)["items"])
	for i := range list {
		item, _ := list[len(list)-1-i].(map[string]any)
		_, full, ok := strings.Cut(kit.Text(item, "repository_url"), "/repos/")
		owner, name, named := strings.Cut(full, "/")
		if !ok || !named {
			continue
		}
		if r, known := a.imply(owner, name); known {
			delete(item, "score")
			a.thing(r, item)
		}
	}
}

// toldKey is the record of a public key that a reply told.
const toldKey = "public-key"

// key takes in the public key of secrets; it is one for all.
func (a importer) key(shown map[string]any) {
	if _, known := a.Tx.Get(countsCollection, toldKey); !known {
		_, err := a.Tx.Insert(countsCollection, toldKey, map[string]any{"id": toldKey, "key_id": shown["key_id"], "key": shown["key"]})
		must(err)
	}
}

// walk looks through a reply for accounts and repositories, which tell by
// themselves what they are.
func (a importer) walk(value any) {
	switch x := value.(type) {
	case []any:
		for _, one := range x {
			a.walk(one)
		}
	case map[string]any:
		if kit.Text(x, "login") != "" && x["avatar_url"] != nil {
			a.account(x)
		}
		for _, name := range slices.Sorted(maps.Keys(x)) {
			a.walk(x[name])
		}
		if kit.Text(x, "full_name") != "" && x["owner"] != nil && x["forks_url"] != nil {
			a.repo(x)
		}
	}
}

// insert writes a record unless it is there or does not fit the contract.
func (a importer) insert(collection string, value map[string]any) {
	id := kit.Text(value, "id")
	if _, there := a.get(collection, id); there || id == "" {
		return
	}
	for name, field := range value {
		if field == nil && name != "raw" {
			continue
		}
	}
	value, _ = world.Normalise(value).(map[string]any)
	if len(a.Contract.CheckRecord(collection, value)) == 0 {
		_, err := a.Tx.Insert(full(collection), id, value)
		must(err)
	}
}

// amend writes what more is told of a record that is there, if that fits the contract.
func (a importer) amend(collection string, value map[string]any) {
	value, _ = world.Normalise(value).(map[string]any)
	if len(a.Contract.CheckRecord(collection, value)) == 0 {
		_, err := a.Tx.Update(full(collection), kit.Text(value, "id"), value)
		must(err)
	}
}

// rest is what a reply shows beyond the fields that the fake keeps by
// themselves or makes anew; addresses are made anew.
func rest(shown map[string]any, but ...string) map[string]any {
	kept := map[string]any{}
	for name, value := range shown {
		text, _ := value.(string)
		if slices.Contains(but, name) || strings.HasPrefix(text, "https://api.github.com/") || name == "url" || strings.HasSuffix(name, "_url") && name != "mirror_url" {
			continue
		}
		if inner, ok := value.(map[string]any); ok && (inner["login"] != nil || inner["full_name"] != nil) {
			continue
		}
		kept[name] = value
	}
	return kept
}

func (a importer) account(shown map[string]any) {
	login := kit.Text(shown, "login")
	id := strings.ToLower(login)
	value := map[string]any{"id": id, "login": login, "uid": shown["id"], "avatar_url": shown["avatar_url"], "type": textOr(shown, "type", kindUser)}
	for _, field := range []string{"node_id", "name", "email", "company", "location", "bio", "site_admin", "created_at", "updated_at", "description"} {
		if told, ok := shown[field]; ok && told != nil {
			value[field] = told
		}
	}
	if blog, ok := shown["blog"].(string); ok {
		value["blog"] = blog
	}
	whole := shown["public_repos"] != nil
	if gravatar := kit.Text(shown, "gravatar_id"); gravatar != "" {
		value["raw"] = map[string]any{"gravatar_id": gravatar}
	}
	if whole {
		value["raw"] = rest(shown, "login", "id", "node_id", "type", "site_admin")
	}
	if old, there := a.get(users, id); there { // a profile tells more than a mention
		if whole && cast.Object(old.Value()["raw"])["public_repos"] == nil {
			value["id"] = old.ID
			value, _ = world.Normalise(value).(map[string]any)
			if len(a.Contract.CheckRecord(users, value)) == 0 {
				_, err := a.Tx.Update(full(users), old.ID, value)
				must(err)
			}
		}
		return
	}
	a.insert(users, value)
}

// repo takes in a repository. One that has something in it gets a commit, since
// there must have been one.
func (a importer) repo(shown map[string]any) {
	owner, name, _ := strings.Cut(kit.Text(shown, "full_name"), "/")
	old, known := a.lookup(owner, name)
	whole := shown["default_branch"] != nil
	if known && (!whole || cast.Object(old.value["raw"]) != nil || !old.implied()) {
		return
	}
	value := map[string]any{
		"id": slug(owner, name), "rid": shown["id"], "owner": owner, "name": name, "slug": slug(owner, name), "default_branch": a.usualBranch(),
	}
	for _, field := range []string{
		"node_id", "private", "description", "fork", "default_branch", "homepage", "language", "topics", "has_issues", "has_projects", "has_wiki",
		"has_downloads", "has_discussions", "archived", "disabled", "is_template", "created_at", "updated_at", "pushed_at", "license", "size", "stargazers_count",
	} {
		if told, ok := shown[field]; ok {
			value[field] = told
		}
	}
	if !whole {
		value["rules"] = map[string]any{"implied": true}
	} else {
		value["rules"] = map[string]any{"open": cast.Int(shown["open_issues_count"])}
		value["raw"] = rest(shown, "id", "node_id", "name", "full_name", "owner", "private", "permissions", "default_branch", "description", "archived", "open_issues", "open_issues_count")
	}
	for _, up := range []string{"parent", "source"} {
		if other := cast.Object(shown[up]); other != nil {
			value[up] = strings.ToLower(kit.Text(other, "full_name"))
		}
	}
	if known {
		a.forget(old)
	}
	a.insert(repositories, value)
	r, ok := a.lookup(owner, name)
	if !ok {
		return
	}
	if held := cast.Object(shown["permissions"]); held != nil && a.viewer != "" {
		a.insert(collaborators, map[string]any{"id": r.key() + "/" + strings.ToLower(a.viewer), "repo": r.key(), "login": a.loginOf(a.viewer), "permission": levelOf(held)})
	}
	if cast.Int(value["size"]) > 0 {
		a.begun(r)
	}
}

// levelOf reads a level of access from the flags that replies show.
func levelOf(flags map[string]any) string {
	for _, one := range [][2]string{{"admin", levelAdmin}, {"maintain", levelMaintain}, {"push", levelWrite}, {"triage", levelTriage}} {
		if flags[one[0]] == true {
			return one[1]
		}
	}
	return levelRead
}

// usualBranch is what GitHub calls the default branch of new repositories.
// Source: github.blog/changelog, 2020-10-01.
func (c *call) usualBranch() string {
	if c.Now.Before(time.Date(2020, 10, 1, 0, 0, 0, 0, time.UTC)) {
		return "master"
	}
	return "main"
}

// begun gives a repository a first commit, where none is known.
func (a importer) begun(r repo) {
	if a.tip(r) != "" {
		return
	}
	by := person{name: r.owner(), email: r.owner() + "@users.noreply.github.com", at: dateOf(map[string]any{"date": r.value["created_at"]}, a.Now), zone: "+0000"}
	tree := a.edit(r, "", []change{{"README.md", &entry{mode: "100644", sha: a.putBlob(r, []byte("# "+r.name()+"\n"))}}})
	a.setRef(r, heads+r.branch(), a.putCommit(r, tree, nil, by, by, "Initial commit"), commitKind)
}

// implied tells whether a repository was never shown by itself, but must have
// been there.
func (r repo) implied() bool { return cast.Object(r.value["rules"])["implied"] == true }

// forget takes away a repository that was only implied, and all that is in it.
func (c *call) forget(r repo) {
	c.emptied(r, labels)
	c.remove(repositories, r.key())
}

// pathRepo is the repository of a call's path; one that is not known yet is
// implied by whatever was answered but that it is not there.
func (a importer) pathRepo(status int) (repo, bool) {
	if r, ok, _ := a.reach(); ok {
		return r, true
	}
	owner, name := a.path("owner"), a.path("repo")
	if owner == "" || name == "" || status == http.StatusNotFound || status/100 == 3 || status == http.StatusUnauthorized {
		return repo{}, false
	}
	return a.imply(owner, name)
}

// imply puts in a repository that must have been there.
func (a importer) imply(owner, name string) (repo, bool) {
	if r, ok := a.lookup(owner, name); ok {
		return r, true
	}
	a.insert(repositories, map[string]any{
		"id": slug(owner, name), "owner": owner, "name": name, "slug": slug(owner, name), "rid": int64(sum(owner+"/"+name) % 900_000_000), "default_branch": a.usualBranch(),
		"created_at": stamp(a.Now.AddDate(-1, 0, 0)), "rules": map[string]any{"implied": true},
	})
	r, ok := a.lookup(owner, name)
	if ok {
		a.begun(r)
	}
	return r, ok
}
