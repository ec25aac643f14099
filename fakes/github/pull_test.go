package github_test

import (
	"testing"
	"time"

	"parity/fakes/faketest"
)

// opened makes octocat/web with a pull request from the branch side, and gives
// its head.
func opened(r *faketest.Rig) (start, head string) {
	r.T.Helper()
	web(r)
	_, start = put(r, "n.txt", "main", "1\n2\n3\n", "")
	branch(r, "side", start)
	_, head = put(r, "side.txt", "side", "side\n", "")
	g := r.Must(201, r.JSON("POST", "/repos/octocat/web/pulls", map[string]any{"title": "Side", "head": "side", "base": "main", "body": "Fixes #1"}))
	faketest.Want(r.T, g, map[string]any{"number": 1, "mergeable": nil, "mergeable_state": "unknown", "commits": 1, "additions": 1, "changed_files": 1, "head.sha": head})
	return start, head
}

const pull = "/repos/octocat/web/pulls/1"

func TestMergeableIsKnownLater(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	opened(r)
	faketest.Want(t, r.Must(200, r.JSON("GET", pull, nil)), map[string]any{"mergeable": nil})
	r.Wait(5 * time.Second)
	faketest.Want(t, r.Must(200, r.JSON("GET", pull, nil)), map[string]any{"mergeable": true, "mergeable_state": "clean", "rebaseable": true})
	put(r, "side.txt", "main", "main\n", "") // now both have it
	faketest.Want(t, r.Must(200, r.JSON("GET", pull, nil)), map[string]any{"mergeable": nil, "mergeable_state": "unknown"})
	r.Wait(5 * time.Second)
	faketest.Want(t, r.Must(200, r.JSON("GET", pull, nil)), map[string]any{"mergeable": false, "mergeable_state": "dirty"})
	faketest.Want(t, r.Must(405, r.JSON("PUT", pull+"/merge", map[string]any{})), map[string]any{"message": "Pull Request is not mergeable"})
}

func TestMergeWantsTheHeadThatWasReviewed(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	start, head := opened(r)
	faketest.Want(t, r.Must(409, r.JSON("PUT", pull+"/merge", map[string]any{"sha": start})),
		map[string]any{"message": "Head branch was modified. Review and try the merge again."})
	r.Must(404, r.JSON("GET", pull+"/merge", nil))
	merged := r.Must(200, r.JSON("PUT", pull+"/merge", map[string]any{"sha": head, "commit_title": "Take side"}))
	faketest.Want(t, merged, map[string]any{"merged": true, "message": "Pull Request successfully merged"})
	r.Must(204, r.JSON("GET", pull+"/merge", nil))
	faketest.Want(t, r.Must(200, r.JSON("GET", pull, nil)), map[string]any{"state": "closed", "merged": true, "merged_by.login": "octocat", "merge_commit_sha": merged.Text("sha")})
	tip := r.Must(200, r.JSON("GET", "/repos/octocat/web/commits/main", nil))
	faketest.Want(t, tip, map[string]any{"sha": merged.Text("sha"), "commit.message": "Take side\n\nSide", "parents.1.sha": head})
	r.Must(405, r.JSON("PUT", pull+"/merge", map[string]any{}))
	if g := r.JSON("PATCH", pull, map[string]any{"state": "open"}); g.Status != 422 {
		t.Errorf("a merged pull request opens again: %d %s", g.Status, g.Raw)
	}
}

func TestWaysToMerge(t *testing.T) {
	t.Parallel()
	for method, parents := range map[string]int{"merge": 2, "squash": 1, "rebase": 1} {
		r := vendorRig(t)
		opened(r)
		put(r, "main.txt", "main", "m\n", "")
		sha := r.Must(200, r.JSON("PUT", pull+"/merge", map[string]any{"merge_method": method})).Text("sha")
		g := r.Must(200, r.JSON("GET", "/repos/octocat/web/git/commits/"+sha, nil))
		if list, _ := g.At("parents").([]any); len(list) != parents {
			t.Errorf("%s made a commit with %d parents", method, len(list))
		}
		r.Must(200, r.JSON("GET", "/repos/octocat/web/contents/side.txt", nil))
		r.Must(200, r.JSON("GET", "/repos/octocat/web/contents/main.txt", nil))
	}
	r := vendorRig(t)
	opened(r)
	r.Must(200, r.JSON("PATCH", "/repos/octocat/web", map[string]any{"allow_squash_merge": false}))
	faketest.Want(t, r.Must(405, r.JSON("PUT", pull+"/merge", map[string]any{"merge_method": "squash"})), map[string]any{"message": "Squash merges are not allowed on this repository."})
}

func TestPullsAreRefused(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	opened(r)
	branch(r, "same", r.Must(200, r.JSON("GET", "/repos/octocat/web/git/ref/heads/main", nil)).Text("object.sha"))
	for name, test := range map[string]struct {
		body map[string]any
		want map[string]any
	}{
		"twice":      {map[string]any{"title": "x", "head": "side", "base": "main"}, map[string]any{"errors.0.message": "A pull request already exists for octocat:side."}},
		"no commits": {map[string]any{"title": "x", "head": "same", "base": "main"}, map[string]any{"errors.0.message": "No commits between main and same"}},
		"no head":    {map[string]any{"title": "x", "head": "absent", "base": "main"}, map[string]any{"errors.0.field": "head", "errors.0.code": "invalid"}},
		"no base":    {map[string]any{"title": "x", "head": "side", "base": "absent"}, map[string]any{"errors.0.field": "base", "errors.0.code": "invalid"}},
		"not said":   {map[string]any{"title": "x", "head": "side"}, map[string]any{"message": "Invalid request.\n\n\"base\" wasn't supplied."}},
	} {
		g := r.JSON("POST", "/repos/octocat/web/pulls", test.body)
		if g.Status != 422 {
			t.Errorf("%s: %d %s", name, g.Status, g.Raw)
		}
		faketest.Want(t, g, test.want)
	}
}

func TestAnIssueAndAPullShareOneNumbering(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	opened(r)
	faketest.Want(t, r.Must(201, r.JSON("POST", "/repos/octocat/web/issues", map[string]any{"title": "Two"})), map[string]any{"number": 2, "state_reason": nil})
	list := r.Must(200, r.JSON("GET", "/repos/octocat/web/issues", nil))
	faketest.Want(t, list, map[string]any{"0.number": 2, "1.number": 1, "1.pull_request.html_url": "https://github.com/octocat/web/pull/1", "0.pull_request": nil})
	r.Must(404, r.JSON("GET", "/repos/octocat/web/pulls/2", nil))
	r.Must(200, r.JSON("GET", "/repos/octocat/web/issues/1", nil))
}

func TestAMergeClosesWhatItFixes(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	web(r)
	r.Must(201, r.JSON("POST", "/repos/octocat/web/issues", map[string]any{"title": "Broken"}))
	tip := r.Must(200, r.JSON("GET", "/repos/octocat/web/git/ref/heads/main", nil)).Text("object.sha")
	branch(r, "side", tip)
	put(r, "fix.txt", "side", "fixed\n", "")
	r.Must(201, r.JSON("POST", "/repos/octocat/web/pulls", map[string]any{"title": "Fix", "head": "side", "base": "main", "body": "Fixes #1."}))
	r.Must(200, r.JSON("PUT", "/repos/octocat/web/pulls/2/merge", map[string]any{}))
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web/issues/1", nil)), map[string]any{"state": "closed", "state_reason": "completed"})
}

// asBob is a token of somebody who may write to octocat/web.
const people = `
github.users: [{id: bob, type: User}]
github.tokens: [{id: ghp_bob, subject: bob, scopes: [repo]}]
`

var asBob = []string{"Authorization", "Bearer ghp_bob"}

func TestReviews(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	r.Fill(people)
	opened(r)
	r.Must(201, r.JSON("PUT", "/repos/octocat/web/collaborators/bob", map[string]any{}))
	invitation := r.Must(200, r.JSON("GET", "/user/repository_invitations", nil, asBob...))
	r.Must(204, r.JSON("PATCH", "/user/repository_invitations/"+invitation.Text("0.id"), nil, asBob...))

	faketest.Want(t, r.Must(422, r.JSON("POST", pull+"/reviews", map[string]any{"event": "APPROVE"})), map[string]any{"errors.0": "Review Can not approve your own pull request"})
	r.Must(201, r.JSON("POST", pull+"/requested_reviewers", map[string]any{"reviewers": []any{"bob"}}))
	faketest.Want(t, r.Must(200, r.JSON("GET", pull, nil)), map[string]any{"requested_reviewers.0.login": "bob"})
	r.Must(422, r.JSON("POST", pull+"/requested_reviewers", map[string]any{"reviewers": []any{"octocat"}}))
	review := r.Must(200, r.JSON("POST", pull+"/reviews", map[string]any{
		"event": "REQUEST_CHANGES", "body": "Not yet", "comments": []any{map[string]any{"path": "side.txt", "line": 1, "side": "RIGHT", "body": "why?"}},
	}, asBob...))
	faketest.Want(t, review, map[string]any{"state": "CHANGES_REQUESTED", "user.login": "bob"})
	faketest.Want(t, r.Must(200, r.JSON("GET", pull, nil)), map[string]any{"review_comments": 1})
	comments := r.Must(200, r.JSON("GET", pull+"/comments", nil))
	faketest.Want(t, comments, map[string]any{"0.path": "side.txt", "0.line": 1, "0.position": 1, "0.body": "why?"})
	r.Must(201, r.JSON("POST", pull+"/comments/"+comments.Text("0.id")+"/replies", map[string]any{"body": "because"}))
	r.Must(422, r.JSON("POST", pull+"/comments", map[string]any{"body": "x", "path": "absent.txt", "line": 1, "commit_id": review.Text("commit_id")}))
	r.Must(200, r.JSON("POST", pull+"/reviews", map[string]any{"event": "APPROVE"}, asBob...))
	list := r.Must(200, r.JSON("GET", pull+"/reviews", nil))
	faketest.Want(t, list, map[string]any{"0.state": "CHANGES_REQUESTED", "1.state": "COMMENTED", "2.state": "APPROVED"})
	if sent := r.Outbox(); len(sent) == 0 {
		t.Error("nobody was mailed")
	}
}

func TestUpdateBranch(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	start, head := opened(r)
	faketest.Want(t, r.Must(422, r.JSON("PUT", pull+"/update-branch", map[string]any{})), map[string]any{"message": "There are no new commits on the base branch."})
	put(r, "main.txt", "main", "m\n", "")
	faketest.Want(t, r.Must(422, r.JSON("PUT", pull+"/update-branch", map[string]any{"expected_head_sha": start})), map[string]any{"message": "expected head sha didn’t match current head ref."})
	r.Must(202, r.JSON("PUT", pull+"/update-branch", map[string]any{"expected_head_sha": head}))
	faketest.Want(t, r.Must(200, r.JSON("GET", pull, nil)), map[string]any{"commits": 2, "changed_files": 1})
}

func TestForksOfferPulls(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	r.Fill(people)
	web(r)
	r.Must(202, r.JSON("POST", "/repos/octocat/web/forks", map[string]any{}, asBob...))
	r.Must(201, r.JSON("PUT", "/repos/bob/web/contents/f.txt", map[string]any{"message": "f", "content": b64("f")}, asBob...))
	g := r.Must(201, r.JSON("POST", "/repos/octocat/web/pulls", map[string]any{"title": "From a fork", "head": "bob:main", "base": "main"}, asBob...))
	faketest.Want(t, g, map[string]any{"head.label": "bob:main", "head.repo.full_name": "bob/web", "base.label": "octocat:main", "maintainer_can_modify": true})
	r.Must(404, r.JSON("PUT", pull+"/merge", map[string]any{}, asBob...))
	r.Must(200, r.JSON("PUT", pull+"/merge", map[string]any{}))
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/bob/web", nil)), map[string]any{"fork": true, "parent.full_name": "octocat/web"})
}

func TestChecksAndStatuses(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	_, head := opened(r)
	r.Must(201, r.JSON("POST", "/repos/octocat/web/statuses/"+head, map[string]any{"state": "pending", "context": "ci"}))
	r.Must(201, r.JSON("POST", "/repos/octocat/web/statuses/"+head, map[string]any{"state": "failure", "context": "ci"}))
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web/commits/side/status", nil)), map[string]any{"state": "failure", "total_count": 1})
	r.Must(422, unjudged(r, "POST", "/repos/octocat/web/statuses/"+head, map[string]any{"state": "great"}))
	run := r.Must(201, r.JSON("POST", "/repos/octocat/web/check-runs", map[string]any{"name": "lint", "head_sha": head}))
	faketest.Want(t, run, map[string]any{"status": "queued", "conclusion": nil, "pull_requests.0.number": 1})
	r.Must(200, r.JSON("PATCH", "/repos/octocat/web/check-runs/"+run.Text("id"), map[string]any{"conclusion": "success"}))
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web/commits/side/check-runs", nil)), map[string]any{"total_count": 1, "check_runs.0.conclusion": "success"})
	r.Wait(5 * time.Second)
	faketest.Want(t, r.Must(200, r.JSON("GET", pull, nil)), map[string]any{"mergeable_state": "unstable"})
}
