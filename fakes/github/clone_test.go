package github_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parity/fakes/faketest"
)

// A checkout is a folder in which git runs, against a rig.
type checkout struct {
	t      *testing.T
	folder string
	server string
}

// overHTTP serves a rig as the gateway does, as far as git asks for.
func overHTTP(t *testing.T, r *faketest.Rig) *checkout {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	var turn sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		turn.Lock()
		defer turn.Unlock()
		body := io.Reader(req.Body)
		if req.Header.Get("Content-Encoding") == "gzip" {
			inflated, err := gzip.NewReader(body)
			if err != nil {
				t.Error(err)
				return
			}
			body = inflated
		}
		data, err := io.ReadAll(body)
		if err != nil {
			t.Error(err)
		}
		g := r.Send(req.Method, req.URL.RequestURI(), string(data), "Authorization", req.Header.Get("Authorization"), "Accept", "*/*", "Content-Type", req.Header.Get("Content-Type"))
		for name, values := range g.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(g.Status)
		if _, err := io.WriteString(w, g.Raw); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	r.Base = server.URL
	return &checkout{t, t.TempDir(), server.URL}
}

// try runs git, and gives all that it says.
func (c *checkout) try(args ...string) (string, error) {
	c.t.Helper()
	command := exec.CommandContext(c.t.Context(), "git", args...) // #nosec G204 -- of this test
	command.Dir = c.folder
	command.Env = append(os.Environ(), "HOME="+c.t.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "NO_PROXY=127.0.0.1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@x.example", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@x.example",
		"GIT_AUTHOR_DATE=2026-01-02T03:04:05+0100", "GIT_COMMITTER_DATE=2026-01-02T03:04:05+0100")
	out, err := command.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// git runs git, which has to succeed.
func (c *checkout) git(args ...string) string {
	c.t.Helper()
	out, err := c.try(args...)
	if err != nil {
		c.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// refused runs git, which has to fail, and say so.
func (c *checkout) refused(words string, args ...string) {
	c.t.Helper()
	if out, err := c.try(args...); err == nil || !strings.Contains(strings.ReplaceAll(out, "        \n", "\n"), words) {
		c.t.Errorf("git %s: %v, want %q:\n%s", strings.Join(args, " "), err, words, out)
	}
}

func (c *checkout) at(user, repo string) string {
	return strings.Replace(c.server, "//", "//"+user+"@", 1) + "/octocat/" + repo + ".git"
}

// clone goes on in a clone.
func (c *checkout) clone(options ...string) *checkout {
	c.t.Helper()
	folder := filepath.Join(c.t.TempDir(), "clone")
	c.git(append(append([]string{"clone", "-q"}, options...), c.at("x-access-token:ghp_rehearsal", "web"), folder)...)
	return &checkout{c.t, folder, c.server}
}

func (c *checkout) write(path, text string) {
	c.t.Helper()
	at := filepath.Join(c.folder, path)
	if err := os.MkdirAll(filepath.Dir(at), 0o750); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// commit commits all that was written, and gives the commit's name.
func (c *checkout) commit(message string) string {
	c.t.Helper()
	c.git("add", "-A")
	c.git("commit", "-qm", message)
	return c.git("rev-parse", "HEAD")
}

// manyLines is a file of which git sends a delta when a line changes.
func manyLines(changed string) string {
	var out strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&out, "%d %x\n", i, i*i*7919)
	}
	return out.String() + changed
}

// TestGitClonesAndPushes goes through a change as an agent makes it: what git has
// pushed the API shows, and git fetches what the API has written.
func TestGitClonesAndPushes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	tip := web(r)
	mine := overHTTP(t, r).clone()
	if at := mine.git("rev-parse", "HEAD"); at != tip {
		t.Errorf("the clone is at %s, the API at %s", at, tip)
	}
	mine.git("checkout", "-q", "-b", "tax")
	mine.write("src/table.txt", manyLines("end\n"))
	mine.write("bytes.bin", "\xff\x00\xfe")
	first := mine.commit("Add the table")
	if said := mine.git("push", "origin", "tax"); !strings.Contains(said, "Create a pull request for 'tax' on GitHub by visiting:") {
		t.Errorf("%s", said)
	}
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web/commits/tax", nil)), map[string]any{
		"sha": first, "commit.message": "Add the table", "commit.author.date": "2026-01-02T02:04:05Z", "files.0.filename": "bytes.bin",
	})
	r.Must(201, r.JSON("POST", "/repos/octocat/web/pulls", map[string]any{"title": "Tax", "head": "tax", "base": "main"}))

	mine.write("src/table.txt", manyLines("another end\n")) // comes as a delta over what is there
	second := mine.commit("Change the table")
	mine.git("push", "origin", "tax")
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web/pulls/1", nil)), map[string]any{"head.sha": second, "commits": 2})

	_, third := put(r, "README.md", "tax", "# new\n", r.Must(200, r.JSON("GET", "/repos/octocat/web/contents/README.md", nil)).Text("sha"))
	mine.refused("(fetch first)", "push", "origin", first+":tax")
	mine.git("pull", "-q", "--ff-only", "origin", "tax")
	if at := mine.git("rev-parse", "HEAD"); at != third {
		t.Errorf("pulled %s, want %s", at, third)
	}
	mine.git("fetch", "-q", "origin", "pull/1/head")
	if at := mine.git("rev-parse", "FETCH_HEAD"); at != third {
		t.Errorf("the pull request is at %s, want %s", at, third)
	}
	if said := mine.git("fsck", "--full", "--strict"); said != "" {
		t.Error(said)
	}
}

// TestGitMovesReferences forces, deletes, tags, and clones a part.
func TestGitMovesReferences(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	web(r)
	start := overHTTP(t, r)
	mine := start.clone()
	for i := range 3 {
		mine.write("n.txt", fmt.Sprint(i))
		mine.commit(fmt.Sprint("Write ", i))
	}
	mine.git("tag", "-a", "v1", "-m", "One")
	mine.git("push", "-q", "origin", "main", "main:other", "v1")
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web/git/tags/"+mine.git("rev-parse", "v1"), nil)), map[string]any{"tag": "v1", "message": "One"})

	shallow := start.clone("--depth", "1", "--branch", "other")
	if n := shallow.git("rev-list", "--count", "HEAD"); n != "1" {
		t.Errorf("%s commits in a clone of one", n)
	}
	shallow.git("fetch", "-q", "--depth", "2")
	if n := shallow.git("rev-list", "--count", "HEAD"); n != "2" {
		t.Errorf("%s commits in a clone of two", n)
	}
	shallow.git("fetch", "-q", "--unshallow", "--tags")
	if n := shallow.git("rev-list", "--count", "v1"); n != "4" {
		t.Errorf("%s commits in all", n)
	}
	if said := shallow.git("fsck"); said != "" {
		t.Error(said)
	}

	mine.git("commit", "-q", "--amend", "-m", "Write it otherwise")
	mine.git("push", "-q", "--force", "origin", "main:other")
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web/commits/other", nil)), map[string]any{"sha": mine.git("rev-parse", "HEAD")})
	mine.git("push", "-q", "origin", ":other", ":v1")
	if said := mine.git("ls-remote", "origin", "other", "v1"); said != "" {
		t.Error(said)
	}

	r.Must(201, r.JSON("POST", "/user/repos", map[string]any{"name": "empty"}))
	mine.git("push", "-q", mine.at("x:ghp_rehearsal", "empty"), "HEAD:refs/heads/trunk")
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/empty", nil)), map[string]any{"default_branch": "trunk"})
}

// TestPushesAreRefusedAsGitHubDoes compares with what people have shown of theirs.
func TestPushesAreRefusedAsGitHubDoes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(`
github.tokens:
  - {id: ghp_reader, subject: bob, scopes: [repo]}
  - {id: ghp_writer, subject: octocat, scopes: [repo]}
  - {id: ghp_gone, subject: octocat, revoked: true}
github.repositories:
  - {id: octocat/old, owner: octocat, name: old, archived: true}
  - {id: octocat/own, owner: octocat, name: own, private: true}
`)
	web(r)
	mine := overHTTP(t, r).clone()
	const by = "x-access-token:"
	mine.git("branch", "side")
	mine.git("push", "-q", "origin", "side")
	r.Must(200, r.JSON("PUT", "/repos/octocat/web/branches/main/protection", map[string]any{
		"required_status_checks": nil, "enforce_admins": true, "required_pull_request_reviews": map[string]any{}, "restrictions": nil,
	}))
	mine.write(".github/workflows/ci.yml", "on: push\n")
	changed := mine.commit("Add a workflow")
	const declined = "error: GH006: Protected branch update failed for refs/heads/main.\nremote: \nremote: - "
	mine.refused(declined+"Changes must be made through a pull request.", "push", "origin", "main")
	mine.refused("main -> main (protected branch hook declined)", "push", "origin", "main", "main:side")
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web/branches/side", nil)), map[string]any{"commit.sha": changed})
	mine.git("commit", "-q", "--amend", "-m", "Other")
	mine.git("reset", "-q", "--hard", "HEAD~1")
	mine.git("commit", "-q", "--amend", "-m", "Begin anew")
	mine.refused(declined+"Cannot force-push to this branch", "push", "--force", "origin", "main")
	mine.refused("(refusing to delete the current branch: refs/heads/main)", "push", "origin", ":main")
	mine.refused("(deny updating a hidden ref)", "push", "origin", "HEAD:refs/pull/1/head")
	mine.refused("(atomic push failure)", "push", "--atomic", "--force", "origin", "main", "main:third")

	mine.refused("could not read Username", "push", mine.server+"/octocat/web", "HEAD:x")
	mine.refused("Invalid username or token. Password authentication is not supported for Git operations.", "push", mine.at("octocat:secret", "web"), "HEAD:x")
	mine.refused("Authentication failed", "push", mine.at(by+"ghp_gone", "web"), "HEAD:x")
	mine.refused("Permission to octocat/web.git denied to bob.", "push", mine.at(by+"ghp_reader", "web"), "HEAD:x")
	mine.refused("Repository not found.", "ls-remote", mine.at(by+"ghp_reader", "own"))
	mine.refused("This repository was archived so it is read-only.", "push", mine.at(by+"ghp_writer", "old"), "HEAD:x")
	mine.refused("without `workflow` scope)", "push", mine.at(by+"ghp_writer", "web"), changed+":refs/heads/ci")
}

func TestPushIsToldToWebhooks(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	tip := web(r)
	mine := overHTTP(t, r).clone()
	r.Must(201, r.JSON("POST", "/repos/octocat/web/hooks", map[string]any{"events": []any{"push", "create"}, "config": map[string]any{"url": "https://x.example", "content_type": "json"}}))
	mine.write("a.txt", "a\n")
	head := mine.commit("Add a")
	mine.git("push", "-q", "origin", "main:next")
	told := map[string]string{}
	for record := range r.World.Begin().Oldest("github.hook_deliveries", 0) {
		told[record.Value()["event"].(string)] = record.Value()["body"].(string)
	}
	for event, parts := range map[string][]string{
		"create": {`"ref":"next"`, `"ref_type":"branch"`},
		"push":   {`"ref":"refs/heads/next"`, `"after":"` + head + `"`, `"created":true`, `"message":"Add a"`},
	} {
		for _, part := range parts {
			if !strings.Contains(told[event], part) {
				t.Errorf("%s does not tell %s (of %s): %s", event, part, tip, told[event])
			}
		}
	}
}
