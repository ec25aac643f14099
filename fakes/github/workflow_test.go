package github_test

import (
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

const ciWorkflow = `name: CI
on:
  push:
    branches: [main, 'fix/**']
  pull_request:
  workflow_dispatch:
    inputs:
      level: {required: true}
      dry: {default: false}
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - {name: Unit tests, run: npm test}
`

func wait(t *testing.T, r *faketest.Rig, d time.Duration) {
	t.Helper()
	if err := r.Advance(d); err != nil {
		t.Fatal(err)
	}
}

// TestAWorkflowRunsByTheClock pushes, waits, mends and runs again, as one does
// whose checks fail.
func TestAWorkflowRunsByTheClock(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	r.Fill(`
github.workflows: [{id: octocat/web/.github/workflows/ci.yml, repo: octocat/web, path: .github/workflows/ci.yml, takes: 2m, fails_while: {path: src.js, says: TODO}, log: "1 test failed\n"}]
`)
	web(r)
	const at = "/repos/octocat/web"
	r.Must(201, r.JSON("POST", at+"/hooks", map[string]any{"events": []any{"workflow_run", "workflow_job"}, "config": map[string]any{"url": "https://x.example", "content_type": "json"}}))
	blob, _ := put(r, "src.js", "main", "// TODO\n", "")
	_, sha := put(r, ".github/workflows/ci.yml", "main", ciWorkflow, "")
	one := r.Must(200, r.JSON("GET", at+"/actions/runs", nil))
	faketest.Want(t, one, map[string]any{
		"total_count": 1, "workflow_runs.0.status": "queued", "workflow_runs.0.event": "push", "workflow_runs.0.head_sha": sha, "workflow_runs.0.name": "CI",
		"workflow_runs.0.run_number": 1, "workflow_runs.0.run_attempt": 1, "workflow_runs.0.display_title": "Write .github/workflows/ci.yml",
	})
	run := at + "/actions/runs/" + one.Text("workflow_runs.0.id")
	r.Must(404, r.JSON("GET", run+"/logs", nil))
	wait(t, r, 6*time.Second)
	faketest.Want(t, r.Must(200, r.JSON("GET", run, nil)), map[string]any{"status": "in_progress", "conclusion": nil})
	faketest.Want(t, r.Must(200, r.JSON("GET", at+"/commits/main/check-runs", nil)), map[string]any{
		"check_runs.0.name": "test", "check_runs.0.status": "in_progress", "check_runs.0.app.slug": "github-actions",
	})
	r.Must(403, unjudged(r, "POST", run+"/rerun", map[string]any{}))
	wait(t, r, 2*time.Minute)
	faketest.Want(t, r.Must(200, r.JSON("GET", run, nil)), map[string]any{"status": "completed", "conclusion": "failure"})
	faketest.Want(t, r.Must(200, r.JSON("GET", at+"/commits/main/check-suites", nil)), map[string]any{"check_suites.0.conclusion": "failure"})
	jobs := r.Must(200, r.JSON("GET", run+"/jobs", nil))
	faketest.Want(t, jobs, map[string]any{"total_count": 1, "jobs.0.conclusion": "failure", "jobs.0.steps.2.name": "Unit tests", "jobs.0.steps.2.conclusion": "failure"})
	link := r.Must(302, unjudged(r, "GET", at+"/actions/jobs/"+jobs.Text("jobs.0.id")+"/logs", nil)).Header.Get("Location")
	if text := r.Must(200, r.JSON("GET", strings.TrimPrefix(link, r.Base), nil)).Raw; !strings.Contains(text, "1 test failed\n") || !strings.Contains(text, "##[error]Process completed with exit code 1.") {
		t.Error(text)
	}
	r.Must(409, unjudged(r, "POST", run+"/cancel", nil))

	r.Must(201, unjudged(r, "POST", run+"/rerun-failed-jobs", nil))
	faketest.Want(t, r.Must(200, r.JSON("GET", run, nil)), map[string]any{"status": "queued", "run_attempt": 2})
	r.Must(202, unjudged(r, "POST", run+"/cancel", nil))
	faketest.Want(t, r.Must(200, r.JSON("GET", run, nil)), map[string]any{"status": "completed", "conclusion": "cancelled"})

	put(r, "src.js", "main", "// done\n", blob)
	wait(t, r, 3*time.Minute)
	faketest.Want(t, r.Must(200, r.JSON("GET", at+"/actions/workflows/ci.yml/runs?branch=main&status=success", nil)), map[string]any{"total_count": 1, "workflow_runs.0.run_number": 2})
	told := ""
	for record := range r.World.Begin().Oldest("github.hook_deliveries", 0) {
		if record.Value()["event"] == "workflow_run" {
			told += record.Value()["action"].(string) + " "
		}
	}
	if want := "requested in_progress completed requested completed requested in_progress completed "; told != want {
		t.Errorf("told of %s, want %s", told, want)
	}
}

func TestWorkflowsAreBegunByWhatTheySay(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	tip := web(r)
	const at = "/repos/octocat/web"
	begun := func() int {
		n := 0
		for range r.World.Begin().Oldest("github.workflow_runs", 0) {
			n++
		}
		return n
	}
	_, sha := put(r, ".github/workflows/ci.yml", "main", ciWorkflow, "")
	for _, c := range []struct {
		what string
		do   func()
		want int
	}{
		{"a branch that is not named", func() { branch(r, "other", tip); put(r, "a.txt", "other", "a", "") }, 0},
		{"one that fits a pattern", func() { branch(r, "fix/a/b", sha) }, 1},
		{"a message that skips", func() {
			r.Must(201, r.JSON("PUT", at+"/contents/b.txt", map[string]any{"message": "b [skip ci]", "content": "", "branch": "main"}))
		}, 0},
		{"a pull request", func() {
			branch(r, "side", sha)
			put(r, "c.txt", "side", "c", "")
			r.Must(201, r.JSON("POST", at+"/pulls", map[string]any{"title": "C", "head": "side", "base": "main"}))
		}, 1},
		{"a new head of it", func() { put(r, "d.txt", "side", "d", "") }, 1},
		{"a dispatch", func() {
			r.Must(204, r.JSON("POST", at+"/actions/workflows/ci.yml/dispatches", map[string]any{"ref": "main", "inputs": map[string]any{"level": "1"}}))
		}, 1},
		{"a dispatch that lacks an input", func() {
			faketest.Want(t, r.Must(422, unjudged(r, "POST", at+"/actions/workflows/ci.yml/dispatches", map[string]any{"ref": "main"})), map[string]any{"message": "Required input 'level' not provided"})
		}, 0},
		{"an event that nobody waits for", func() {
			r.Must(204, r.JSON("POST", at+"/dispatches", map[string]any{"event_type": "deploy"}))
		}, 0},
		{"a workflow that is off", func() {
			r.Must(204, r.JSON("PUT", at+"/actions/workflows/ci.yml/disable", nil))
			put(r, "e.txt", "main", "e", "")
		}, 0},
	} {
		before := begun()
		c.do()
		if got := begun() - before; got != c.want {
			t.Errorf("%s: %d runs, want %d", c.what, got, c.want)
		}
	}
	faketest.Want(t, r.Must(200, r.JSON("GET", at+"/actions/workflows", nil)), map[string]any{"total_count": 1, "workflows.0.state": "disabled_manually"})
}

func TestGistsKeysAndMarkdown(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	made := r.Must(201, r.JSON("POST", "/gists", map[string]any{"description": "Notes", "public": true, "files": map[string]any{"a.md": map[string]any{"content": "# A"}, "b.go": map[string]any{"content": "package b"}}}))
	at := "/gists/" + made.Text("id")
	faketest.Want(t, r.Must(200, r.JSON("PATCH", at, map[string]any{"files": map[string]any{"b.go": nil, "a.md": map[string]any{"filename": "c.md"}}})), map[string]any{"owner.login": "octocat"})
	got := r.Must(200, r.JSON("GET", at, nil))
	shown, _ := got.Body.(map[string]any)
	files, _ := shown["files"].(map[string]any)
	if file, ok := files["c.md"].(map[string]any); len(files) != 1 || !ok || file["content"] != "# A" {
		t.Errorf("%v", files)
	}
	r.Must(404, unjudged(r, "GET", at+"/star", nil))
	r.Must(204, r.JSON("PUT", at+"/star", nil))
	r.Must(204, r.JSON("GET", at+"/star", nil))
	comment := r.Must(201, r.JSON("POST", at+"/comments", map[string]any{"body": "Good"}))
	faketest.Want(t, r.Must(200, r.JSON("GET", at+"/comments/"+comment.Text("id"), nil)), map[string]any{"body": "Good", "author_association": "OWNER"})
	faketest.Want(t, r.Must(200, r.JSON("GET", "/gists", nil)), map[string]any{"0.comments": 1, "0.public": true})
	r.Must(422, unjudged(r, "POST", at+"/forks", nil))
	r.Must(204, r.JSON("DELETE", at, nil))
	r.Must(404, r.JSON("GET", at, nil))

	key := r.Must(201, r.JSON("POST", "/user/keys", map[string]any{"title": "Mine", "key": "ssh-ed25519 AAAA"}))
	r.Must(422, unjudged(r, "POST", "/user/keys", map[string]any{"key": "ssh-ed25519 AAAA"}))
	r.Must(204, r.JSON("DELETE", "/user/keys/"+key.Text("id"), nil))
	for _, c := range []struct{ body, want string }{
		{`{"text": "**a** ~~b~~"}`, "<p><strong>a</strong> <del>b</del></p>\n"},
		{`{"text": "see #1", "mode": "gfm", "context": "acme/web"}`, "<p>see <a href=\"https://github.com/acme/web/issues/1\">#1</a></p>\n"},
	} {
		if html := r.Must(200, unjudgedBody(r, "/markdown", c.body)).Raw; html != c.want {
			t.Errorf("%s: %q", c.body, html)
		}
	}
}

// unjudgedBody posts a body whose reply is no JSON.
func unjudgedBody(r *faketest.Rig, target, body string) faketest.Got {
	r.T.Helper()
	judge := r.Vendor
	r.Vendor = nil
	defer func() { r.Vendor = judge }()
	return r.Send("POST", target, body, "Content-Type", "application/json")
}

func TestAForkIsBroughtUpToItsUpstream(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	web(r)
	r.Must(201, r.JSON("POST", "/orgs/acme/repos", map[string]any{"name": "x"}))
	r.Must(202, r.JSON("POST", "/repos/octocat/web/forks", map[string]any{"organization": "acme"}))
	sync := func() faketest.Got {
		return r.Must(200, r.JSON("POST", "/repos/acme/web/merge-upstream", map[string]any{"branch": "main"}))
	}
	faketest.Want(t, sync(), map[string]any{"merge_type": "none", "base_branch": "octocat:main"})
	_, sha := put(r, "a.txt", "main", "a", "")
	faketest.Want(t, sync(), map[string]any{"merge_type": "fast-forward"})
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/acme/web/commits/main", nil)), map[string]any{"sha": sha})
}
