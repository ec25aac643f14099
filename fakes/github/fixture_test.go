package github_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func TestTheMessyFixture(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(filepath.Join("..", "fixture", "library", "github", "github-messy.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	r.Fill(string(content))
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/acme/shop/issues?state=all", nil)), map[string]any{"0.number": 9, "0.pull_request.merged_at": nil, "8.number": 1, "9": nil})
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/acme/shop/pulls/7", nil)), map[string]any{"mergeable": nil, "head.ref": "feature/tax", "commits": 1})
	r.Must(200, r.JSON("GET", "/repos/acme/shop/pulls/8", nil))
	// Checks run while the agent works, and are through when they say.
	for _, at := range []struct {
		wait             time.Duration
		build, slow, old string
	}{{0, "in_progress", "in_progress", "in_progress"}, {39 * time.Second, "in_progress", "in_progress", "in_progress"}, {time.Second, "completed", "in_progress", "in_progress"}, {12 * time.Minute, "completed", "completed", "in_progress"}} {
		r.Wait(at.wait)
		slow := r.Must(200, r.JSON("GET", "/repos/acme/shop/commits/feature%2Ftax/check-runs", nil))
		faketest.Want(t, slow, map[string]any{"total_count": 2, "check_runs.0.status": at.slow, "check_runs.1.status": at.build})
		faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/acme/shop/commits/fix%2Freadme/check-runs", nil)), map[string]any{"check_runs.0.status": at.old})
		if at.slow == "completed" {
			faketest.Want(t, slow, map[string]any{"check_runs.0.conclusion": "failure", "check_runs.1.conclusion": "success"})
		}
	}
	r.Wait(5 * time.Second)
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/acme/shop/pulls/7", nil)), map[string]any{"mergeable": false, "mergeable_state": "dirty"})
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/acme/shop/pulls/8", nil)), map[string]any{"mergeable": true, "changed_files": 1})
	// It says that it is about a lockfile.
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/acme/shop/pulls/9", nil)), map[string]any{"commits": 2, "changed_files": 10, "body": "Just the lockfile."})
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/acme/shop/commits/chore%2Flockfile/check-runs", nil)), map[string]any{"check_runs.0.status": "completed", "check_runs.0.conclusion": "action_required", "check_runs.1.status": "in_progress", "check_runs.2.status": "completed"})
	r.Must(404, r.JSON("GET", "/repos/acme/payroll", nil, as("ghp_leila")...))
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/acme/shop/branches", nil)), map[string]any{"0.name": "chore/lockfile", "1.name": "feature/tax", "4.name": "zoe-tmp-2", "5": nil})
	faketest.Want(t, r.Must(403, r.JSON("POST", "/repos/Acme/shop-new/issues", map[string]any{"title": "x"})), map[string]any{"message": "Repository was archived so is read-only."})
	faketest.Want(t, r.Must(201, r.JSON("POST", "/repos/acme/shop/issues", map[string]any{"title": "Next"})), map[string]any{"number": 10})
}
