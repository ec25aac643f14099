package github

import (
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// gistAt finds the gist that a path names. A secret one is there for who knows it.
func (c *call) gistAt() (*world.Record, *refusal) {
	record, ok := c.get(gists, c.path("gist_id"))
	if !ok {
		return nil, notFound()
	}
	return record, nil
}

// onGist answers a call about a gist.
func onGist(act func(*call, *world.Record) (answer, *refusal)) handler {
	return kit.With((*call).gistAt, act)
}

// onOwnGist answers a call by which an owner changes a gist.
func onOwnGist(act func(*call, *world.Record) (answer, *refusal)) handler {
	return onGist(func(c *call, gist *world.Record) (answer, *refusal) {
		switch {
		case !c.hasScope("gist"), !strings.EqualFold(kit.Text(gist.Value(), "owner"), c.viewer):
			return answer{}, notFound()
		}
		return act(c, gist)
	})
}

// gistFiles are the files of a gist.
func gistFiles(gist *world.Record) map[string]any { return cast.Object(gist.Value()["files"]) }

// showGist shows a gist, as lists do, or with what is in its files.
func (c *call) showGist(gist *world.Record, whole bool) map[string]any {
	value := gist.Value()
	id, owner := gist.ID, kit.Text(value, "owner")
	at, page := c.Base+"/gists/"+id, "https://gist.github.com/"
	files := map[string]any{}
	for name, text := range gistFiles(gist) {
		content := cast.Text(text)
		file := map[string]any{
			"filename": name, "type": "text/plain", "language": languageOf(name), "raw_url": "https://gist.githubusercontent.com/" + owner + "/" + id + "/raw/" + gitSHA(blobKind, []byte(content)) + "/" + escapePath(name),
			"size": int64(len(content)),
		}
		if whole {
			file["truncated"], file["content"], file["encoding"] = false, content, "utf-8"
		}
		files[name] = file
	}
	comments := int64(0)
	for range c.fake.store.Find(c.Tx, gistComments, "gist", id) {
		comments++
	}
	shown := map[string]any{
		"id": id, "node_id": nodeID("G", id), "url": at, "forks_url": at + "/forks", "commits_url": at + "/commits", "comments_url": at + "/comments",
		"git_pull_url": page + id + ".git", "git_push_url": page + id + ".git", "html_url": page + owner + "/" + id, "files": files,
		"public": value["public"] == true, "created_at": textOr(value, "created_at", c.now()), "updated_at": textOr(value, "updated_at", c.now()),
		"description": value["description"], "comments": comments, "comments_enabled": true, "user": nil, "owner": c.brief(owner), "truncated": false,
	}
	if whole {
		shown["forks"], shown["history"] = []any{}, c.gistHistory(gist, at)
		if up, ok := c.get(gists, kit.Text(value, "fork_of")); ok {
			shown["fork_of"] = c.showGist(up, false)
		}
	}
	return shown
}

func languageOf(name string) any {
	if language := languages[path.Ext(name)]; language != "" {
		return language
	}
	return map[string]any{".md": "Markdown", ".txt": "Text", ".json": "JSON", ".yml": "YAML", ".yaml": "YAML"}[path.Ext(name)]
}

// gistHistory lists when a gist was changed, newest first.
func (c *call) gistHistory(gist *world.Record, at string) []any {
	all := []any{}
	for _, one := range slices.Backward(listOf(gist.Value()["history"])) {
		told := cast.Object(one)
		version := kit.Text(told, "version")
		all = append(all, map[string]any{
			"user": c.brief(kit.Text(gist.Value(), "owner")), "version": version, "committed_at": told["at"], "url": at + "/" + version,
			"change_status": map[string]any{"total": told["total"], "additions": told["total"], "deletions": int64(0)},
		})
	}
	return all
}

// revised adds a change to the history of a gist.
func (c *call) revised(value map[string]any) {
	files := cast.Object(value["files"])
	var all strings.Builder
	lines := int64(0)
	for _, name := range sortedKeys(files) {
		all.WriteString(name + "\x00" + cast.Text(files[name]) + "\x00")
		lines += int64(strings.Count(cast.Text(files[name]), "\n") + 1)
	}
	history := slices.Clone(listOf(value["history"]))
	version := gitSHA(commitKind, []byte(kit.Text(value, "id")+decimal(int64(len(history)))+all.String()))
	value["history"] = append(history, map[string]any{"version": version, "at": c.now(), "total": lines})
	value["updated_at"] = c.now()
}

// gistsBy lists gists, the latest changed first.
func (c *call) gistsBy(fits func(*world.Record) bool) (answer, *refusal) {
	var all []*world.Record
	for record := range c.Tx.Newest(full(gists), 0) {
		if fits(record) && textOr(record.Value(), "updated_at", "9") >= c.query("since") {
			all = append(all, record)
		}
	}
	sorted(all, true, func(r *world.Record) string { return kit.Text(r.Value(), "updated_at") })
	return listed(c, all, func(record *world.Record) any { return c.showGist(record, false) }), nil
}

func (c *call) ownsGist(record *world.Record) bool {
	return strings.EqualFold(kit.Text(record.Value(), "owner"), c.viewer)
}

func isPublic(record *world.Record) bool { return record.Value()["public"] == true }

func listMyGists(c *call) (answer, *refusal) {
	if c.viewer == "" {
		return c.gistsBy(isPublic)
	}
	return c.gistsBy(c.ownsGist)
}

func listPublicGists(c *call) (answer, *refusal) { return c.gistsBy(isPublic) }

func listStarredGists(c *call) (answer, *refusal) {
	return c.gistsBy(func(record *world.Record) bool { return holds(cast.Texts(record.Value()["stars"]), c.viewer) })
}

func listUserGists(c *call) (answer, *refusal) {
	return c.gistsBy(func(record *world.Record) bool {
		return strings.EqualFold(kit.Text(record.Value(), "owner"), c.path("username")) && (isPublic(record) || c.ownsGist(record))
	})
}

func createGist(c *call) (answer, *refusal) {
	if !c.hasScope("gist") {
		return answer{}, notFound()
	}
	files := map[string]any{}
	for name, told := range cast.Object(c.Input.Body["files"]) {
		if text := kit.Text(cast.Object(told), "content"); text != "" {
			files[name] = text
		}
	}
	if len(files) == 0 {
		return answer{}, failed(wrong("Gist", "files", codeField))
	}
	public := c.Input.Body["public"]
	value := map[string]any{
		"id": gitSHA(blobKind, []byte(c.NewID("", 24)))[:32], "owner": c.loginOf(c.viewer), "description": c.Input.Body["description"],
		"public": public == true || public == "true", "files": files, "created_at": c.now(),
	}
	c.revised(value)
	shown := c.showGist(c.create(gists, value), true)
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

func getGist(c *call, gist *world.Record) (answer, *refusal) {
	return answer{value: c.showGist(gist, true)}, nil
}

func updateGist(c *call, gist *world.Record) (answer, *refusal) {
	value, files := changed(gist), maps.Clone(gistFiles(gist))
	given := cast.Object(c.Input.Body["files"])
	for _, name := range sortedKeys(given) {
		was, there := files[name]
		told := cast.Object(given[name])
		delete(files, name)
		if told == nil {
			continue // null takes a file away
		}
		text := textOr(told, "content", cast.Text(was))
		if !there && text == "" {
			return answer{}, failed(wrong("Gist", "files", codeField))
		}
		files[textOr(told, "filename", name)] = text
	}
	if len(files) == 0 {
		return answer{}, failed(wrong("Gist", "files", codeField))
	}
	if c.has("description") {
		value["description"] = c.Input.Body["description"]
	}
	value["files"] = files
	c.revised(value)
	return answer{value: c.showGist(c.update(gists, value), true)}, nil
}

func deleteGist(c *call, gist *world.Record) (answer, *refusal) {
	for record := range c.fake.store.Find(c.Tx, gistComments, "gist", gist.ID) {
		c.remove(gistComments, record.ID)
	}
	c.remove(gists, gist.ID)
	return answer{status: http.StatusNoContent}, nil
}

func checkGistStar(c *call, gist *world.Record) (answer, *refusal) {
	if !holds(cast.Texts(gist.Value()["stars"]), c.viewer) {
		return answer{}, &refusal{status: http.StatusNotFound, bare: true}
	}
	return answer{status: http.StatusNoContent}, nil
}

// starGist stars a gist, or no more.
func starGist(on bool) func(*call, *world.Record) (answer, *refusal) {
	return func(c *call, gist *world.Record) (answer, *refusal) {
		stars := without(cast.Texts(gist.Value()["stars"]), []string{c.viewer})
		if on {
			stars = append(stars, c.viewer)
		}
		value := changed(gist)
		value["stars"] = cast.Anys(stars)
		c.update(gists, value)
		return answer{status: http.StatusNoContent}, nil
	}
}

func listGistForks(c *call, gist *world.Record) (answer, *refusal) {
	return listed(c, slices.Collect(c.fake.store.Find(c.Tx, gists, "fork_of", gist.ID)), func(record *world.Record) any { return c.showGist(record, false) }), nil
}

func forkGist(c *call, gist *world.Record) (answer, *refusal) {
	if c.ownsGist(gist) {
		return answer{}, unprocessable("You cannot fork your own gist.")
	}
	value := map[string]any{
		"id": gitSHA(blobKind, []byte(c.NewID("", 24)))[:32], "owner": c.loginOf(c.viewer), "description": gist.Value()["description"], "public": gist.Value()["public"] == true,
		"files": gistFiles(gist), "fork_of": gist.ID, "created_at": c.now(),
	}
	c.revised(value)
	shown := c.showGist(c.create(gists, value), false)
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}
