package github

import (
	"cmp"
	"net/http"
	"path"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// mostContent is the size from which contents are not shown in JSON.
// Source: docs.github.com/rest/repos/contents#get-repository-content.
const mostContent = 1 << 20 // bytes

// showContent shows what is at a path, as of a reference.
func (c *call) showContent(r repo, e entry, ref string, whole bool) map[string]any {
	kind := map[string]string{treeKind: "dir", blobKind: "file", commitKind: "submodule"}[e.kind()]
	if e.mode == "120000" {
		kind = "symlink"
	}
	at := escapePath(e.path)
	self := c.at(r) + "/contents/" + at + "?ref=" + escapePath(ref)
	git := c.at(r) + "/git/" + e.kind() + "s/" + e.sha
	where := "blob"
	if kind == "dir" {
		where = "tree"
	}
	html := c.page(r) + "/" + where + "/" + escapePath(ref) + "/" + at
	shown := map[string]any{
		"name": path.Base(e.path), "path": e.path, "sha": e.sha, "size": int64(0), "url": self, "html_url": html, "git_url": git, "download_url": nil,
		"type": kind, "_links": map[string]any{"self": self, "git": git, "html": html},
	}
	o, ok := c.objectOf(r, e.sha, blobKind)
	if kind == "file" || kind == "symlink" {
		shown["size"] = cast.Int(o.value["size"])
		shown["download_url"] = "https://raw.githubusercontent.com/" + r.full() + "/" + escapePath(ref) + "/" + at
	}
	if whole && ok {
		shown["content"], shown["encoding"] = encode64(o.content()), "base64"
		if len(o.content()) > mostContent {
			shown["content"], shown["encoding"] = "", "none"
		}
	}
	return shown
}

// refAsked is the commit that a read of contents is about, and what it is
// called in addresses.
func (c *call) refAsked(r repo) (sha, ref string, refused *refusal) {
	ref = textOr(c.Input.Query, "ref", r.branch())
	if c.tip(r) == "" && c.query("ref") == "" {
		r := refusing(http.StatusNotFound, "This repository is empty.")
		return "", "", r
	}
	sha, ok := c.resolve(r, ref)
	if !ok {
		return "", "", refusing(http.StatusNotFound, "No commit found for the ref %s", kit.Clip(ref))
	}
	return sha, strings.TrimPrefix(ref, heads), nil
}

func getContent(c *call, r repo) (answer, *refusal) {
	sha, ref, refused := c.refAsked(r)
	if refused != nil {
		return answer{}, refused
	}
	at := strings.Trim(c.path("path"), "/")
	o, _ := c.objectOf(r, sha, commitKind)
	e, ok := c.walk(r, o.tree(), at)
	if !ok {
		return answer{}, notFound()
	}
	e.path = at
	return c.contentOf(r, e, ref), nil
}

func (c *call) contentOf(r repo, e entry, ref string) answer {
	if e.mode == treeMode {
		list := []any{}
		all := slices.Clone(c.entries(r, e.sha))
		slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.path, b.path) })
		for _, inner := range all {
			inner.path = path.Join(e.path, inner.path)
			list = append(list, c.showContent(r, inner, ref, false))
		}
		if c.media.param == "object" {
			return answer{value: map[string]any{
				"name": path.Base("/" + e.path), "path": e.path, "sha": e.sha, "size": int64(0), "type": "dir", "entries": list,
				"url": c.at(r) + "/contents/" + escapePath(e.path) + "?ref=" + ref, "git_url": c.at(r) + "/git/trees/" + e.sha,
				"html_url": c.page(r) + "/tree/" + ref + "/" + escapePath(e.path), "download_url": nil, "_links": map[string]any{
					"self": c.at(r) + "/contents/" + escapePath(e.path) + "?ref=" + ref, "git": c.at(r) + "/git/trees/" + e.sha,
					"html": c.page(r) + "/tree/" + ref + "/" + escapePath(e.path),
				},
			}}
		}
		return answer{value: list}
	}
	o, known := c.objectOf(r, e.sha, blobKind)
	switch {
	case c.media.param == "raw" && known:
		return answer{raw: o.content(), kind: "application/vnd.github.v3.raw; charset=utf-8"}
	case c.media.param == "html" && known:
		return answer{raw: []byte(asHTML(e.path, string(o.content()))), kind: "application/vnd.github.v3.html; charset=utf-8"}
	}
	return answer{value: c.showContent(r, e, ref, true)}
}

// asHTML is a file as HTML: as plain text, since nothing here renders markup.
func asHTML(name, text string) string {
	text = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
	return `<div id="file" class="plain" data-path="` + name + `"><div class="plain"><pre style="white-space: pre-wrap">` + text + "</pre></div></div>"
}

func getReadme(c *call, r repo) (answer, *refusal) {
	if c.tip(r) == "" {
		return answer{}, notFound()
	}
	sha, ref, refused := c.refAsked(r)
	if refused != nil {
		return answer{}, refused
	}
	o, _ := c.objectOf(r, sha, commitKind)
	for _, folder := range []string{".github", "", "docs"} {
		at, ok := c.walk(r, o.tree(), folder)
		if !ok {
			continue
		}
		for _, e := range c.entries(r, at.sha) {
			if name := strings.ToLower(e.path); e.kind() == blobKind && (name == "readme" || strings.HasPrefix(name, "readme.")) {
				e.path = path.Join(folder, e.path)
				return c.contentOf(r, e, ref), nil
			}
		}
	}
	return answer{}, notFound()
}

// writeTo finds the branch that a write to contents goes to, and its tip.
func (c *call) writeTo(r repo) (branch, tip string, refused *refusal) {
	branch = textOr(c.Input.Body, "branch", "")
	if branch == "" {
		branch = c.query("branch")
	}
	branch = strings.TrimPrefix(branch, heads)
	if branch == "" {
		return r.branch(), c.tip(r), nil
	}
	tip, ok := c.ref(r, heads+branch)
	if !ok && (c.tip(r) != "" || branch != r.branch()) {
		return "", "", refusing(http.StatusNotFound, "Branch %s not found", kit.Clip(branch))
	}
	return branch, tip, nil
}

func goodPath(at string) bool {
	for name := range strings.SplitSeq(at, "/") {
		if name == "" || name == "." || name == ".." || name == ".git" {
			return false
		}
	}
	return true
}

func writeFile(c *call, r repo) (answer, *refusal) {
	data, err := decode64(c.text("content"))
	if err != nil {
		return answer{}, unprocessable("content is not valid Base64")
	}
	at := c.path("path")
	if !goodPath(at) {
		return answer{}, unprocessable("path contains a malformed path component")
	}
	branch, tip, refused := c.writeTo(r)
	if refused != nil {
		return answer{}, refused
	}
	if refused := c.protected(r, branch); refused != nil {
		return answer{}, refused
	}
	o, _ := c.objectOf(r, tip, commitKind)
	old, exists := c.walk(r, o.tree(), at)
	sha, status := c.text("sha"), http.StatusCreated
	switch {
	case exists && old.mode == treeMode:
		return answer{}, unprocessable("path is a directory")
	case exists && sha == "":
		return answer{}, schemaRefusal(`"sha" wasn't supplied.`)
	case exists && sha != old.sha, !exists && sha != "":
		return answer{}, refusing(http.StatusConflict, "%s does not match %s", at, kit.Clip(sha))
	case exists:
		status = http.StatusOK
	}
	mode := textOr(map[string]any{"mode": old.mode}, "mode", "100644")
	return c.commitChange(r, branch, tip, at, &entry{mode: mode, sha: c.putBlob(r, data)}, status)
}

// commitChange commits one change of one file, and shows both.
func (c *call) commitChange(r repo, branch, tip, at string, with *entry, status int) (answer, *refusal) {
	author, refused := c.personIn("author", c.self())
	if refused != nil {
		return answer{}, refused
	}
	committer, refused := c.personIn("committer", author)
	if refused != nil {
		return answer{}, refused
	}
	if !c.has("author") && c.has("committer") {
		author = committer
	}
	var parents []string
	o, known := c.objectOf(r, tip, commitKind)
	if known {
		parents = []string{tip}
	}
	tree := c.edit(r, o.tree(), []change{{at, with}})
	sha := c.putCommit(r, tree, parents, author, committer, textOr(c.Input.Body, "message", c.query("message")))
	c.setRef(r, heads+branch, sha, commitKind)
	c.pushed(r, branch, tip, sha)
	commit, _ := c.object(r, sha)
	shown := map[string]any{"content": nil, "commit": c.showGit(r, commit)}
	if with != nil {
		shown["content"] = c.showContent(r, entry{at, with.mode, with.sha}, branch, false)
	}
	return answer{status: status, value: shown}, nil
}

func deleteFile(c *call, r repo) (answer, *refusal) {
	sha := textOr(c.Input.Body, "sha", c.query("sha"))
	var missing []string
	if sha == "" {
		missing = append(missing, "sha")
	}
	if textOr(c.Input.Body, "message", c.query("message")) == "" {
		missing = append(missing, "message")
	}
	branch, tip, refused := c.writeTo(r)
	if refused != nil {
		return answer{}, refused
	}
	at := c.path("path")
	o, _ := c.objectOf(r, tip, commitKind)
	old, exists := c.walk(r, o.tree(), at)
	switch {
	case !exists || old.mode == treeMode:
		return answer{}, notFound()
	case len(missing) > 0:
		return answer{}, schemaRefusal(lacking(missing))
	case old.sha != sha:
		return answer{}, refusing(http.StatusConflict, "%s does not match %s", at, kit.Clip(sha))
	}
	if refused := c.protected(r, branch); refused != nil {
		return answer{}, refused
	}
	return c.commitChange(r, branch, tip, at, nil, http.StatusOK)
}

// protected refuses to write past the rules of a branch.
func (c *call) protected(r repo, branch string) *refusal {
	record, ok := c.get(refs, refKey(r, heads+branch))
	if !ok || record.Value()["protected"] != true {
		return nil
	}
	if why := c.directly(record, ""); why != "" {
		return refusing(http.StatusConflict, "Could not update file: %s", why)
	}
	return nil
}

// archive leads to where archives are downloaded.
func archive(c *call, r repo) (answer, *refusal) {
	format := "legacy.tar.gz"
	if strings.Contains(c.id, "zipball") {
		format = "legacy.zip"
	}
	ref := textOr(map[string]any{"ref": c.path("ref")}, "ref", r.branch())
	if _, ok := c.resolve(r, ref); !ok {
		return answer{}, notFound()
	}
	whole := ref
	if _, ok := c.ref(r, heads+ref); ok {
		whole = heads + ref
	} else if _, ok := c.ref(r, tags+ref); ok {
		whole = tags + ref
	}
	return answer{status: http.StatusFound, kind: "text/html;charset=utf-8", location: "https://codeload.github.com/" + r.full() + "/" + format + "/" + whole}, nil
}
