package github_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/world"
)

// branchOf makes a branch of paths that all have one text.
func branchOf(r *faketest.Rig, base, name string, text string, paths int) string {
	r.T.Helper()
	blob := r.Must(201, r.JSON("POST", "/repos/octocat/web/git/blobs", map[string]any{"content": text})).Text("sha")
	lines := make([]any, paths)
	for i := range lines {
		lines[i] = map[string]any{"path": fmt.Sprintf("f%03d.txt", i), "mode": "100644", "type": "blob", "sha": blob}
	}
	tree := r.Must(201, r.JSON("POST", "/repos/octocat/web/git/trees", map[string]any{"tree": lines})).Text("sha")
	made := map[string]any{"message": name, "tree": tree}
	if base != "" {
		made["parents"] = []any{base}
	}
	sha := r.Must(201, r.JSON("POST", "/repos/octocat/web/git/commits", made)).Text("sha")
	r.Must(201, r.JSON("POST", "/repos/octocat/web/git/refs", map[string]any{"ref": "refs/heads/" + name, "sha": sha}))
	return sha
}

// A comparison of 200,000 lines under 300 paths took gigabytes: what is over
// GitHub's limits has no patch, and a pull request's diff of it is refused.
func TestLargeDiffHasNoPatch(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Must(201, r.JSON("POST", "/user/repos", map[string]any{"name": "web", "auto_init": true}))
	main := r.Must(200, r.Send("GET", "/repos/octocat/web/git/ref/heads/main", "")).Text("object.sha")
	branchOf(r, main, "huge", strings.Repeat("line\n", 50_000), 300)
	g := r.Must(200, r.Send("GET", "/repos/octocat/web/compare/main...huge", ""))
	if n := g.Len("files"); n != 300 {
		t.Errorf("%d files", n)
	}
	faketest.Want(t, g, map[string]any{"files.1.additions": 50_000, "files.1.patch": nil})
	if n := len(world.Encode(g.Body)); n > 1<<20 {
		t.Errorf("the reply has %d bytes", n)
	}
	pull := r.Must(201, r.JSON("POST", "/repos/octocat/web/pulls", map[string]any{"title": "Huge", "head": "huge", "base": "main"})).Text("number")
	diff := unjudged(r, http.MethodGet, "/repos/octocat/web/pulls/"+pull, nil, "Accept", "application/vnd.github.diff")
	faketest.Want(t, r.Must(406, diff), map[string]any{"errors.0.code": "too_large"})
}

// Texts that differ everywhere cost the most to compare.
func TestComparingTextsThatDifferEverywhereEnds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Must(201, r.JSON("POST", "/user/repos", map[string]any{"name": "web", "auto_init": true}))
	text := func(every int) string {
		var b strings.Builder
		for i := range 12_000 {
			fmt.Fprintf(&b, "%d\n", i*every)
		}
		return b.String()
	}
	main := r.Must(200, r.Send("GET", "/repos/octocat/web/git/ref/heads/main", "")).Text("object.sha")
	one := branchOf(r, main, "one", text(1), 100)
	branchOf(r, one, "two", text(2), 100)
	r.Must(504, r.Send("GET", "/repos/octocat/web/compare/one...two", ""))
}
