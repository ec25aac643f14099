package github

import (
	"encoding/base64"
	"net/http"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

func createBlob(c *call, r repo) (answer, *refusal) {
	data := []byte(c.text("content"))
	switch c.text("encoding") {
	case "", "utf-8":
	case "base64":
		decoded, err := decode64(c.text("content"))
		if err != nil {
			return answer{}, unprocessable("content is not valid Base64")
		}
		data = decoded
	default:
		return answer{}, unprocessable("encoding must be one of: utf-8, base64")
	}
	sha := c.putBlob(r, data)
	at := c.at(r) + "/git/blobs/" + sha
	return answer{status: http.StatusCreated, value: map[string]any{"sha": sha, "url": at}, location: at}, nil
}

// decode64 takes Base64 with line ends in it, with and without padding.
func decode64(text string) ([]byte, error) {
	text = strings.NewReplacer("\n", "", "\r", "", " ", "").Replace(text)
	if data, err := base64.StdEncoding.DecodeString(text); err == nil {
		return data, nil
	}
	return base64.RawStdEncoding.DecodeString(text)
}

// encode64 writes Base64 in lines of 60 characters, as GitHub does.
func encode64(data []byte) string {
	text := base64.StdEncoding.EncodeToString(data)
	var out strings.Builder
	for len(text) > 60 {
		out.WriteString(text[:60] + "\n")
		text = text[60:]
	}
	if text != "" {
		out.WriteString(text + "\n")
	}
	return out.String()
}

func getBlob(c *call, r repo) (answer, *refusal) {
	sha := c.path("file_sha")
	o, ok := c.objectOf(r, sha, blobKind)
	if !ok {
		return answer{}, notFound()
	}
	if c.media.param == "raw" {
		return answer{raw: o.content(), kind: "application/vnd.github.v3.raw; charset=utf-8"}, nil
	}
	return answer{value: map[string]any{
		"sha": sha, "node_id": nodeID("B", r.rid(), sha), "size": int64(len(o.content())), "url": c.at(r) + "/git/blobs/" + sha,
		"content": encode64(o.content()), "encoding": "base64",
	}}, nil
}

func (c *call) showTree(r repo, sha string, all []entry) map[string]any {
	list := make([]any, 0, len(all))
	for _, e := range all {
		shown := map[string]any{"path": e.path, "mode": e.mode, "type": e.kind(), "sha": e.sha}
		switch e.kind() {
		case blobKind:
			shown["url"] = c.at(r) + "/git/blobs/" + e.sha
			shown["size"] = int64(0)
			if o, ok := c.objectOf(r, e.sha, blobKind); ok {
				shown["size"] = cast.Int(o.value["size"])
			}
		case treeKind:
			shown["url"] = c.at(r) + "/git/trees/" + e.sha
		}
		list = append(list, shown)
	}
	return map[string]any{"sha": sha, "url": c.at(r) + "/git/trees/" + sha, "tree": list, "truncated": false}
}

// mostShown is how many bytes a tree with all that is below it comes to, about.
// Source: docs.github.com/rest/git/trees.
const mostShown = 7 << 20

func getTree(c *call, r repo) (answer, *refusal) {
	sha := c.path("tree_sha")
	if _, ok := c.objectOf(r, sha, treeKind); !ok {
		commit, found := c.resolve(r, sha)
		o, ok := c.objectOf(r, commit, commitKind)
		if !found || !ok {
			return answer{}, notFound()
		}
		sha = o.tree()
	}
	if c.query("recursive") == "" { // whatever it holds, GitHub takes it for a yes
		return answer{value: c.showTree(r, sha, c.entries(r, sha))}, nil
	}
	var all []entry
	whole := c.visit(r, sha, func(e entry) { all = append(all, e) })
	size := 0
	for i := range all {
		if size += len(all[i].path) + 200; size > mostShown { // the rest of an entry is as long
			all, whole = all[:i], false
			break
		}
	}
	shown := c.showTree(r, sha, all)
	shown["truncated"] = !whole
	return answer{value: shown}, nil
}

func createTree(c *call, r repo) (answer, *refusal) {
	from := c.text("base_tree")
	if from != "" {
		if commit, ok := c.objectOf(r, from, commitKind); ok {
			from = commit.tree()
		}
		if _, ok := c.objectOf(r, from, treeKind); !ok {
			return answer{}, unprocessable("base_tree is not a valid tree oid")
		}
	}
	given, _ := c.Input.Body["tree"].([]any)
	if len(given) == 0 && from == "" {
		return answer{}, unprocessable("Invalid tree info")
	}
	var changes []change
	for _, one := range given {
		ch, refused := c.treeLine(r, one)
		if refused != nil {
			return answer{}, refused
		}
		changes = append(changes, ch)
	}
	sha := c.edit(r, from, changes)
	shown := c.showTree(r, sha, c.entries(r, sha))
	return answer{status: http.StatusCreated, value: shown, location: c.at(r) + "/git/trees/" + sha}, nil
}

// treeLine reads one line of a tree that a client makes: content, the name of
// an object, or null for what is to go away.
func (c *call) treeLine(r repo, given any) (change, *refusal) {
	m, ok := given.(map[string]any)
	at, mode := kit.Text(m, "path"), textOr(m, "mode", "100644")
	if !ok || at == "" {
		return change{}, unprocessable("tree.path is missing")
	}
	if strings.HasPrefix(at, "/") || strings.HasSuffix(at, "/") || strings.Contains(at, "//") || at == ".git" || strings.HasPrefix(at, ".git/") {
		return change{}, unprocessable("tree.path cannot be %s", kit.Clip(at))
	}
	switch mode {
	case "100644", "100755", treeMode, "160000", "120000":
	default:
		return change{}, unprocessable("Must supply a valid tree.mode")
	}
	if text, ok := m["content"].(string); ok {
		return change{at, &entry{mode: mode, sha: c.putBlob(r, []byte(text))}}, nil
	}
	sha, named := m["sha"]
	if named && sha == nil {
		return change{at, nil}, nil
	}
	name, _ := sha.(string)
	if name == "" {
		return change{}, unprocessable("Must supply either tree.sha or tree.content")
	}
	if _, known := c.object(r, name); !isSHA(name) || !known && mode != "160000" {
		return change{}, unprocessable("tree.sha %s is not a valid blob", kit.Clip(name))
	}
	return change{at, &entry{mode: mode, sha: name}}, nil
}

func createCommit(c *call, r repo) (answer, *refusal) {
	if c.tip(r) == "" && len(c.references(r, "refs/")) == 0 {
		return answer{}, emptyRepository()
	}
	tree := c.text("tree")
	if _, ok := c.objectOf(r, tree, treeKind); !ok {
		return answer{}, unprocessable("Tree SHA does not exist")
	}
	parents := cast.Texts(c.Input.Body["parents"])
	for _, parent := range parents {
		if _, ok := c.objectOf(r, parent, commitKind); !ok {
			return answer{}, unprocessable("Parent SHA does not exist or is not a commit object")
		}
	}
	author, refused := c.personIn("author", c.self())
	if refused != nil {
		return answer{}, refused
	}
	committer, refused := c.personIn("committer", author)
	if refused != nil {
		return answer{}, refused
	}
	sha := c.putCommit(r, tree, parents, author, committer, c.text("message"))
	o, _ := c.object(r, sha)
	return answer{status: http.StatusCreated, value: c.showGit(r, o), location: c.at(r) + "/git/commits/" + sha}, nil
}

func getGitCommit(c *call, r repo) (answer, *refusal) {
	o, ok := c.objectOf(r, c.path("commit_sha"), commitKind)
	if !ok {
		return answer{}, notFound()
	}
	return answer{value: c.showGit(r, o)}, nil
}

func createTag(c *call, r repo) (answer, *refusal) {
	target, ok := c.object(r, c.text("object"))
	if !ok || target.kind() != c.text("type") {
		return answer{}, unprocessable("Could not verify object")
	}
	tagger, refused := c.personIn("tagger", c.self())
	if refused != nil {
		return answer{}, refused
	}
	data := tagBytes(target.sha, target.kind(), c.text("tag"), tagger, c.text("message"))
	sha := gitSHA(tagKind, data)
	o := c.put(r, sha, exact(sha, data, map[string]any{
		"kind": tagKind, "object": target.sha, "type": target.kind(), "tag": c.text("tag"), "message": c.text("message"), "tagger": tagger.kept(),
	}))
	return answer{status: http.StatusCreated, value: c.showTag(r, o), location: c.at(r) + "/git/tags/" + sha}, nil
}

func (c *call) showTag(r repo, o object) map[string]any {
	kind, target := kit.Text(o.value, "type"), kit.Text(o.value, "object")
	return map[string]any{
		"node_id": nodeID("TA", r.rid(), o.sha), "sha": o.sha, "url": c.at(r) + "/git/tags/" + o.sha, "tagger": plain(cast.Object(o.value["tagger"])),
		"object": map[string]any{"sha": target, "type": kind, "url": c.at(r) + "/git/" + kind + "s/" + target},
		"tag":    kit.Text(o.value, "tag"), "message": kit.Text(o.value, "message"), "verification": verification(o),
	}
}

func getTag(c *call, r repo) (answer, *refusal) {
	o, ok := c.objectOf(r, c.path("tag_sha"), tagKind)
	if !ok {
		return answer{}, notFound()
	}
	return answer{value: c.showTag(r, o)}, nil
}
