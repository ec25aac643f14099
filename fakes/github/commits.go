package github

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// A file is what happened to one path between two trees.
type file struct {
	path, was       string // was: its path before, where it was renamed
	status          string
	old, now        entry
	patch           patch
	binary, unknown bool
}

// difference lists what changed between two trees, by path. A file that is gone
// and whose very content turned up elsewhere was renamed.
func (c *call) difference(r repo, from, to string) []file {
	was, is := map[string]entry{}, map[string]entry{}
	for _, e := range c.files(r, from) {
		was[e.path] = e
	}
	for _, e := range c.files(r, to) {
		is[e.path] = e
	}
	var all []file
	gone := map[string]string{} // content to path
	for _, at := range sortedKeys(was, is) {
		old, had := was[at]
		now, has := is[at]
		switch {
		case had && has && old == now:
		case had && has:
			all = append(all, file{path: at, status: "modified", old: old, now: now})
		case had:
			gone[old.sha] = at
			all = append(all, file{path: at, status: "removed", old: old, now: old})
		default:
			all = append(all, file{path: at, status: "added", now: now})
		}
	}
	taken := map[string]bool{}
	for i := range all {
		if from, ok := gone[all[i].now.sha]; ok && all[i].status == "added" && !taken[from] {
			all[i].status, all[i].was, all[i].old = "renamed", from, was[from]
			taken[from] = true
		}
	}
	all = slices.DeleteFunc(all, func(f file) bool { return f.status == "removed" && taken[f.path] })
	return c.patched(r, all)
}

// Limits of a diff: of what is shown of one file, and of all together. What is
// over them has no patch.
// Source: docs.github.com/repositories/creating-and-managing-repositories/repository-limits.
const (
	mostLines     = 20_000
	mostPatch     = 500_000
	mostPatches   = 1_000_000
	mostDiffFiles = 300
)

func (c *call) patched(r repo, all []file) []file {
	var shown, size int64
	for i := range all {
		f := &all[i]
		var texts [2]string
		for at, e := range []entry{f.old, f.now} {
			if f.status == "removed" && at == 1 || e.sha == "" {
				continue
			}
			o, ok := c.objectOf(r, e.sha, blobKind)
			f.unknown = f.unknown || !ok
			f.binary = f.binary || ok && kit.Text(o.value, "base64") != ""
			if ok {
				texts[at] = string(o.content())
			}
		}
		if !f.binary && !f.unknown {
			f.patch = patchOf(texts[0], texts[1], c)
		}
		if f.patch.text == "" {
			continue
		}
		shown, size = shown+f.patch.lines(), size+int64(len(f.patch.text))
		if shown > mostLines || size > mostPatches {
			f.patch.text, f.patch.large = "", true
		}
	}
	return all
}

// showFile shows what happened to a path, as of a commit.
func (c *call) showFile(r repo, commit string) func(file) any {
	return func(f file) any {
		at := escapeFile(f.path)
		shown := map[string]any{
			"sha": f.now.sha, "filename": f.path, "status": f.status, "additions": f.patch.additions, "deletions": f.patch.removed,
			"changes":  f.patch.additions + f.patch.removed,
			"blob_url": c.page(r) + "/blob/" + commit + "/" + at, "raw_url": c.page(r) + "/raw/" + commit + "/" + at,
			"contents_url": c.at(r) + "/contents/" + at + "?ref=" + commit,
		}
		if f.patch.text != "" {
			shown["patch"] = f.patch.text
		}
		if f.was != "" {
			shown["previous_filename"] = f.was
		}
		return shown
	}
}

// escapeFile escapes the path of a file in the addresses of a diff, where
// GitHub leaves more as it is: a + everywhere, a # in the names of folders.
func escapeFile(at string) string {
	folder, last := path.Split(at)
	return strings.ReplaceAll((&url.URL{Path: folder}).EscapedPath(), "%23", "#") + strings.ReplaceAll(url.PathEscape(last), "%2B", "+")
}

func totals(all []file) (additions, deletions int64) {
	for _, f := range all {
		additions += f.patch.additions
		deletions += f.patch.removed
	}
	return additions, deletions
}

var unsigned = map[string]any{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil}

// who shows the account of a person of a commit; nil where none is known.
func (c *call) who(p map[string]any) any {
	if login, told := p["login"]; told {
		return c.user(kit.Text(map[string]any{"login": login}, "login"))
	}
	email, name := kit.Text(p, "email"), kit.Text(p, "name")
	if email == "noreply@github.com" {
		return c.brief("web-flow")
	}
	if local, ok := strings.CutSuffix(email, "@users.noreply.github.com"); ok {
		_, login, found := strings.Cut(local, "+")
		if !found {
			login = local
		}
		return c.brief(login)
	}
	self := c.self()
	if c.viewer != "" && (email == self.email || name == c.viewer) {
		return c.brief(c.viewer)
	}
	if _, known := c.account(name); known && name != "" {
		return c.brief(name)
	}
	return nil
}

func plain(p map[string]any) map[string]any {
	return map[string]any{"name": p["name"], "email": p["email"], "date": p["date"]}
}

// showCommit shows a commit as lists of commits do.
func (c *call) showCommit(r repo, o object) map[string]any {
	at := c.at(r) + "/commits/" + o.sha
	parents := []any{}
	for _, parent := range o.parents() {
		parents = append(parents, map[string]any{"sha": parent, "url": c.at(r) + "/commits/" + parent, "html_url": c.page(r) + "/commit/" + parent})
	}
	shown := map[string]any{
		"sha": o.sha, "node_id": nodeIn(r, "C", "06:Commit", o.sha), "url": at, "html_url": c.page(r) + "/commit/" + o.sha, "comments_url": at + "/comments",
		"commit": map[string]any{
			"author": plain(cast.Object(o.value["author"])), "committer": plain(cast.Object(o.value["committer"])), "message": kit.Text(o.value, "message"),
			"tree": map[string]any{"sha": o.tree(), "url": c.at(r) + "/git/trees/" + o.tree()},
			"url":  c.at(r) + "/git/commits/" + o.sha, "comment_count": cast.Int(o.value["comment_count"]), "verification": verification(o),
		},
		"author": c.who(cast.Object(o.value["author"])), "committer": c.who(cast.Object(o.value["committer"])), "parents": parents,
	}
	return shown
}

func verification(o object) map[string]any {
	if told := cast.Object(o.value["verification"]); told != nil {
		return told
	}
	return unsigned
}

// showWhole shows a commit by itself, with what it changed.
func (c *call) showWhole(r repo, o object) map[string]any {
	shown := c.showCommit(r, o)
	all := c.introduced(r, o)
	additions, deletions := totals(all)
	shown["stats"] = map[string]any{"total": additions + deletions, "additions": additions, "deletions": deletions}
	files := []any{}
	for _, f := range all[:min(len(all), mostDiffFiles)] {
		files = append(files, c.showFile(r, o.sha)(f))
	}
	shown["files"] = files
	return shown
}

// introduced lists what a commit changed, seen from its first parent.
func (c *call) introduced(r repo, o object) []file {
	before := ""
	if parents := o.parents(); len(parents) > 0 {
		parent, _ := c.objectOf(r, parents[0], commitKind)
		before = parent.tree()
	}
	return c.difference(r, before, o.tree())
}

// showGit shows a commit as the operations of git's own objects do.
func (c *call) showGit(r repo, o object) map[string]any {
	at := c.at(r) + "/git/commits/"
	parents := []any{}
	for _, parent := range o.parents() {
		parents = append(parents, map[string]any{"sha": parent, "url": at + parent, "html_url": c.page(r) + "/commit/" + parent})
	}
	return map[string]any{
		"sha": o.sha, "node_id": nodeIn(r, "C", "06:Commit", o.sha), "url": at + o.sha, "html_url": c.page(r) + "/commit/" + o.sha,
		"author": plain(cast.Object(o.value["author"])), "committer": plain(cast.Object(o.value["committer"])), "message": kit.Text(o.value, "message"),
		"tree":    map[string]any{"sha": o.tree(), "url": c.at(r) + "/git/trees/" + o.tree()},
		"parents": parents, "verification": verification(o),
	}
}

func noCommit(sha string) *refusal {
	return unprocessable("No commit found for SHA: %s", kit.Clip(sha))
}

// emptyRepository is what git's operations say of a repository without commits.
func emptyRepository() *refusal { return refusing(http.StatusConflict, "Git Repository is empty.") }

func (c *call) notEmpty(r repo) *refusal {
	if c.tip(r) == "" {
		return emptyRepository()
	}
	return nil
}

func listCommits(c *call, r repo) (answer, *refusal) {
	from := textOr(c.Input.Query, "sha", r.branch())
	tip, ok := c.resolve(r, from)
	if !ok {
		return answer{}, notFound()
	}
	since, until := c.query("since"), c.query("until")
	author, committer, at := c.query("author"), c.query("committer"), strings.Trim(c.query("path"), "/")
	var all []object
	for _, o := range c.history(r, tip, 0) {
		switch date := when(o); {
		case since != "" && date < since, until != "" && date > until:
		case author != "" && !c.by(cast.Object(o.value["author"]), author), committer != "" && !c.by(cast.Object(o.value["committer"]), committer):
		case at != "" && !c.touches(r, o, at):
		default:
			all = append(all, o)
		}
	}
	return listed(c, all, func(o object) any { return c.showCommit(r, o) }), nil
}

// by tells whether a person of a commit is who was asked for, by login or by
// email.
func (c *call) by(p map[string]any, who string) bool {
	if strings.EqualFold(kit.Text(p, "email"), who) || strings.EqualFold(kit.Text(p, "name"), who) {
		return true
	}
	shown, _ := c.who(p).(map[string]any)
	return strings.EqualFold(kit.Text(shown, "login"), who)
}

// touches tells whether a commit changed what is at a path.
func (c *call) touches(r repo, o object, at string) bool {
	now, has := c.walk(r, o.tree(), at)
	if len(o.parents()) == 0 {
		return has
	}
	parent, _ := c.objectOf(r, o.parents()[0], commitKind)
	was, had := c.walk(r, parent.tree(), at)
	return has != had || now.sha != was.sha
}
