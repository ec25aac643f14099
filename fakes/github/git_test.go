package github_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"sync"
	"testing"

	"parity/fakes/faketest"
	"parity/specs"
)

func b64(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// vendorRig is a rig whose replies are held against GitHub's own contract, too.
func vendorRig(t *testing.T) *faketest.Rig {
	t.Helper()
	r := newRig(t)
	vendor.Do(func() { vendorContract = faketest.VendorContract(t, "github.json.gz") })
	r.Vendor = vendorContract
	return r
}

// The vendor's contract is large, and read once.
var (
	vendor         sync.Once
	vendorContract *specs.Contract
)

// web makes a repository octocat/web with a first commit, and gives its tip.
func web(r *faketest.Rig) string {
	r.T.Helper()
	r.Must(201, r.JSON("POST", "/user/repos", map[string]any{"name": "web", "auto_init": true}))
	return r.Must(200, r.JSON("GET", "/repos/octocat/web/git/ref/heads/main", nil)).Text("object.sha")
}

// put writes a file to a branch, and gives its blob and commit.
func put(r *faketest.Rig, path, branch, text, sha string) (blob, commit string) {
	r.T.Helper()
	body := map[string]any{"message": "Write " + path, "content": b64(text), "branch": branch}
	if sha != "" {
		body["sha"] = sha
	}
	g := r.JSON("PUT", "/repos/octocat/web/contents/"+path, body)
	if g.Status/100 != 2 {
		r.T.Fatalf("%d %s", g.Status, g.Raw)
	}
	return g.Text("content.sha"), g.Text("commit.sha")
}

// unjudged sends a request whose reply the vendor's contract does not have:
// other media than JSON, or a shape that fits two of its choices.
func unjudged(r *faketest.Rig, method, target string, value any, header ...string) faketest.Got {
	r.T.Helper()
	judge := r.Vendor
	r.Vendor = nil
	defer func() { r.Vendor = judge }()
	return r.JSON(method, target, value, header...)
}

func branch(r *faketest.Rig, name, sha string) {
	r.T.Helper()
	r.Must(201, r.JSON("POST", "/repos/octocat/web/git/refs", map[string]any{"ref": "refs/heads/" + name, "sha": sha}))
}

// TestObjectsHaveTheNamesThatGitGivesThem compares with what git itself says:
// git hash-object, git mktree, git commit-tree.
func TestObjectsHaveTheNamesThatGitGivesThem(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	web(r)
	blob := r.Must(201, r.JSON("POST", "/repos/octocat/web/git/blobs", map[string]any{"content": "hello\n"})).Text("sha")
	tree := r.Must(201, r.JSON("POST", "/repos/octocat/web/git/trees", map[string]any{"tree": []any{
		map[string]any{"path": "hello.txt", "mode": "100644", "type": "blob", "sha": blob},
		map[string]any{"path": "a/b.txt", "mode": "100644", "type": "blob", "content": "b\n"},
	}})).Text("sha")
	by := map[string]any{"name": "Ada", "email": "ada@example.com", "date": "2026-01-02T03:04:05Z"}
	commit := r.Must(201, r.JSON("POST", "/repos/octocat/web/git/commits", map[string]any{"message": "first\n", "tree": tree, "author": by})).Text("sha")
	for what, pair := range map[string][2]string{
		"blob":   {blob, "ce013625030ba8dba906f756967f9e9ca394464a"},
		"tree":   {tree, "de2ba7636d9817bd5889799e4968f327d12cd70a"},
		"commit": {commit, "bf1adbb483028b99a829403ac3e12f7a226caac5"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s %s, git says %s", what, pair[0], pair[1])
		}
	}
}

// A tree that names another one ten times, and that one another, is six calls and
// a million paths.
func TestATreeWithAMillionPathsIsTruncated(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	web(r)
	sha, mode := r.Must(201, r.JSON("POST", "/repos/octocat/web/git/blobs", map[string]any{"content": "x"})).Text("sha"), "100644"
	for range 6 {
		var lines []any
		for i := range 10 {
			lines = append(lines, map[string]any{"path": fmt.Sprint("n", i), "mode": mode, "type": "blob", "sha": sha})
		}
		sha, mode = r.Must(201, r.JSON("POST", "/repos/octocat/web/git/trees", map[string]any{"tree": lines})).Text("sha"), "040000"
	}
	g := r.Must(200, r.Send("GET", "/repos/octocat/web/git/trees/"+sha+"?recursive=1", ""))
	if n := g.Len("tree"); n < 20_000 || n > 40_000 || g.At("truncated") != true {
		t.Errorf("%d entries, truncated: %v", n, g.At("truncated"))
	}
}

func TestContentsNeedTheShaOfWhatIsThere(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	web(r)
	first, _ := put(r, "docs/a.md", "main", "one\n", "")
	write := func(sha any) faketest.Got {
		body := map[string]any{"message": "again", "content": b64("two\n")}
		if sha != nil {
			body["sha"] = sha
		}
		return unjudged(r, "PUT", "/repos/octocat/web/contents/docs%2Fa.md", body)
	}
	faketest.Want(t, r.Must(422, write(nil)), map[string]any{"message": "Invalid request.\n\n\"sha\" wasn't supplied."})
	r.Must(200, write(first))
	faketest.Want(t, r.Must(409, write(first)), map[string]any{"message": "docs/a.md does not match " + first, "status": "409"})
	faketest.Want(t, r.Must(409, unjudged(r, "DELETE", "/repos/octocat/web/contents/docs/a.md", map[string]any{"message": "x", "sha": first})),
		map[string]any{"message": "docs/a.md does not match " + first})
	raw := r.Must(200, unjudged(r, "GET", "/repos/octocat/web/contents/docs/a.md", nil, "Accept", "application/vnd.github.raw+json"))
	if raw.Raw != "two\n" {
		t.Errorf("raw is %q", raw.Raw)
	}
	now := r.Must(200, r.JSON("GET", "/repos/octocat/web/contents/docs/a.md", nil))
	faketest.Want(t, now, map[string]any{"content": b64("two\n") + "\n", "encoding": "base64", "type": "file", "size": 4})
	gone := r.Must(200, r.JSON("DELETE", "/repos/octocat/web/contents/docs/a.md", map[string]any{"message": "x", "sha": now.Text("sha")}))
	if gone.At("content") != nil {
		t.Errorf("content is %v", gone.At("content"))
	}
	r.Must(404, r.JSON("GET", "/repos/octocat/web/contents/docs", nil)) // a folder goes with its last file
	faketest.Want(t, r.Must(422, r.JSON("PUT", "/repos/octocat/web/contents/x", map[string]any{"message": "x", "content": "%%%"})),
		map[string]any{"message": "content is not valid Base64"})
	r.Must(404, r.JSON("PUT", "/repos/octocat/web/contents/x", map[string]any{"message": "x", "content": "", "branch": "nowhere"}))
}

func TestRefsMoveForwards(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	old := web(r)
	_, ahead := put(r, "b.txt", "main", "b", "")
	branch(r, "side", old)
	_, side := put(r, "c.txt", "side", "c", "")
	const at = "/repos/octocat/web/git/refs"
	for name, test := range map[string]struct {
		method, path string
		body         map[string]any
		status       int
		message      string
	}{
		"taken":       {"POST", at, map[string]any{"ref": "refs/heads/side", "sha": old}, 422, "Reference already exists"},
		"no such":     {"POST", at, map[string]any{"ref": "refs/heads/x", "sha": strings.Repeat("a", 40)}, 422, "Object does not exist"},
		"no slashes":  {"POST", at, map[string]any{"ref": "main", "sha": old}, 422, "Reference name must start with 'refs' and have at least two slashes"},
		"sideways":    {"PATCH", at + "/heads/main", map[string]any{"sha": side}, 422, "Update is not a fast forward"},
		"back":        {"PATCH", at + "/heads/main", map[string]any{"sha": old}, 422, "Update is not a fast forward"},
		"absent":      {"PATCH", at + "/heads/absent", map[string]any{"sha": old}, 422, "Reference does not exist"},
		"delete none": {"DELETE", at + "/heads/absent", nil, 422, "Reference does not exist"},
	} {
		g := r.JSON(test.method, test.path, test.body)
		if g.Status != test.status || g.Text("message") != test.message {
			t.Errorf("%s: %d %s", name, g.Status, g.Raw)
		}
	}
	r.Must(200, r.JSON("PATCH", at+"/heads/main", map[string]any{"sha": side, "force": true}))
	r.Must(200, r.JSON("PATCH", at+"/heads/main", map[string]any{"sha": ahead, "force": true}))
	r.Must(204, r.JSON("DELETE", at+"/heads/side", nil))
	r.Must(404, r.JSON("GET", "/repos/octocat/web/git/ref/heads/side", nil))
}

func TestAnEmptyRepository(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	r.Must(201, r.JSON("POST", "/user/repos", map[string]any{"name": "web"}))
	for _, path := range []string{"/commits", "/git/ref/heads/main", "/git/trees/main"} {
		faketest.Want(t, r.Must(409, r.JSON("GET", "/repos/octocat/web"+path, nil)), map[string]any{"message": "Git Repository is empty."})
	}
	r.Must(409, r.JSON("POST", "/repos/octocat/web/git/blobs", map[string]any{"content": "x"}))
	r.Must(204, r.JSON("GET", "/repos/octocat/web/stats/contributors", nil))
	put(r, "a.txt", "main", "a", "") // a file may be the first commit
	r.Must(200, r.JSON("GET", "/repos/octocat/web/commits", nil))
}

func TestCompareAndDiff(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	base := web(r)
	text := "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	blob, start := put(r, "n.txt", "main", text, "")
	branch(r, "side/way", start)
	put(r, "n.txt", "side/way", strings.Replace(text, "5\n", "five\n", 1), blob)
	put(r, "other.txt", "main", "x\n", "")
	g := r.Must(200, r.JSON("GET", "/repos/octocat/web/compare/main...side%2Fway", nil))
	faketest.Want(t, g, map[string]any{
		"status": "diverged", "ahead_by": 1, "behind_by": 1, "total_commits": 1, "merge_base_commit.sha": start, "files.0.filename": "n.txt",
		"files.0.status": "modified", "files.0.additions": 1, "files.0.deletions": 1,
		"files.0.patch": "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8",
	})
	diff := r.Must(200, unjudged(r, "GET", "/repos/octocat/web/compare/main...side%2Fway", nil, "Accept", "application/vnd.github.diff"))
	if !strings.HasPrefix(diff.Raw, "diff --git a/n.txt b/n.txt\nindex ") || !strings.Contains(diff.Raw, "\n+five\n") {
		t.Errorf("the diff is %s", diff.Raw)
	}
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web/compare/"+base+"..."+base, nil)), map[string]any{"status": "identical"})
	r.Must(404, r.JSON("GET", "/repos/octocat/web/compare/main...nowhere", nil))
	whole := r.Must(200, r.JSON("GET", "/repos/octocat/web/commits/side/way", nil))
	faketest.Want(t, whole, map[string]any{"stats.total": 2, "author.login": "octocat", "commit.message": "Write n.txt"})
	runs := r.Must(200, unjudged(r, "GET", "/repos/octocat/web/commits/side/way/check-runs", nil)) // a name with a slash, not escaped
	faketest.Want(t, runs, map[string]any{"total_count": 0})
	faketest.Want(t, r.Must(422, r.JSON("GET", "/repos/octocat/web/commits/nowhere", nil)), map[string]any{"message": "No commit found for SHA: nowhere"})
}

func TestMergeJoinsBranches(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	web(r)
	blob, start := put(r, "n.txt", "main", "1\n2\n3\n4\n5\n6\n7\n", "")
	branch(r, "top", start)
	branch(r, "bottom", start)
	put(r, "n.txt", "top", "one\n2\n3\n4\n5\n6\n7\n", blob)
	put(r, "n.txt", "bottom", "1\n2\n3\n4\n5\n6\nseven\n", blob)
	merge := func(head string) faketest.Got {
		return r.JSON("POST", "/repos/octocat/web/merges", map[string]any{"base": "main", "head": head})
	}
	r.Must(201, merge("top"))
	r.Must(201, merge("bottom"))
	r.Must(204, merge("bottom"))
	raw := r.Must(200, unjudged(r, "GET", "/repos/octocat/web/contents/n.txt", nil, "Accept", "application/vnd.github.raw"))
	if raw.Raw != "one\n2\n3\n4\n5\n6\nseven\n" {
		t.Errorf("merged to %q", raw.Raw)
	}
	branch(r, "clash", start)
	put(r, "n.txt", "clash", "uno\n2\n3\n4\n5\n6\n7\n", blob)
	faketest.Want(t, r.Must(409, merge("clash")), map[string]any{"message": "Merge conflict"})
	faketest.Want(t, r.Must(404, merge("nowhere")), map[string]any{"message": "Head does not exist"})
}
