package github_test

import (
	"regexp"
	"strings"
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/github"
)

// older are operations that GitHub's document does not have: those that it has
// taken out since, doubles of a path, and git's own protocol.
var older = regexp.MustCompile(`^(graphql/|git-http/|results/|projects/|by-id/|repos/get-content-(root|slash)$|git/(list-refs|list-refs-slash|get-refs)$)`)

// TestOperationsAreTheVendors checks that what our contract has is in GitHub's:
// operations by id, method and path.
func TestOperationsAreTheVendors(t *testing.T) {
	t.Parallel()
	vendor := faketest.VendorContract(t, "github.json.gz")
	if vendor == nil {
		t.Skip("GitHub's own contract is not at hand")
	}
	service, err := github.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range service.Contract.Operations {
		if older.MatchString(op.ID) {
			continue
		}
		theirs, ok := vendor.Operation(op.ID)
		if want := strings.ReplaceAll(op.Path, "{+", "{"); !ok || theirs.Method != op.Method || theirs.Path != want {
			t.Errorf("%s is not the vendor's: %+v", op.Name(), theirs)
		}
	}
}

func TestProtectedBranches(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	opened(r)
	const at = "/repos/octocat/web/branches/main/protection"
	faketest.Want(t, r.Must(404, r.JSON("GET", at, nil)), map[string]any{"message": "Branch not protected"})
	rules := map[string]any{
		"required_status_checks": map[string]any{"strict": true, "contexts": []any{"ci"}}, "enforce_admins": true, "required_pull_request_reviews": nil, "restrictions": nil,
	}
	faketest.Want(t, r.Must(200, r.JSON("PUT", at, rules)), map[string]any{"enforce_admins.enabled": true, "required_status_checks.contexts.0": "ci"})
	faketest.Want(t, r.Must(405, r.JSON("PUT", pull+"/merge", map[string]any{})), map[string]any{"message": "Required status check \"ci\" is expected."})
	r.Must(409, unjudged(r, "PUT", "/repos/octocat/web/contents/x.txt", map[string]any{"message": "x", "content": ""}))
	head := r.Must(200, r.JSON("GET", pull, nil)).Text("head.sha")
	r.Must(201, r.JSON("POST", "/repos/octocat/web/statuses/"+head, map[string]any{"state": "success", "context": "ci"}))
	r.Must(200, r.JSON("PUT", pull+"/merge", map[string]any{}))
	r.Must(204, r.JSON("DELETE", at, nil))
}

func TestReleases(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	web(r)
	made := r.Must(201, r.JSON("POST", "/repos/octocat/web/releases", map[string]any{"tag_name": "v1", "name": "One"}))
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web/tags", nil)), map[string]any{"0.name": "v1"})
	faketest.Want(t, r.Must(422, r.JSON("POST", "/repos/octocat/web/releases", map[string]any{"tag_name": "v1"})), map[string]any{"errors.0.code": "already_exists"})
	at := "/repos/octocat/web/releases/" + made.Text("id") + "/assets?name=a.bin"
	asset := r.Must(201, r.Send("POST", at, "\x00\x01bytes", "Content-Type", "application/octet-stream"))
	faketest.Want(t, asset, map[string]any{"size": 7, "state": "uploaded", "content_type": "application/octet-stream"})
	r.Must(422, r.Send("POST", at, "again", "Content-Type", "text/plain"))
	bytes := r.Must(200, unjudged(r, "GET", "/repos/octocat/web/releases/assets/"+asset.Text("id"), nil, "Accept", "application/octet-stream"))
	if bytes.Raw != "\x00\x01bytes" {
		t.Errorf("the asset is %q", bytes.Raw)
	}
	r.Must(204, r.JSON("DELETE", "/repos/octocat/web/releases/"+made.Text("id"), nil))
	r.Must(404, r.JSON("GET", "/repos/octocat/web/releases/latest", nil))
}

func TestWhatElseThereIs(t *testing.T) {
	t.Parallel()
	r := vendorRig(t)
	tip := web(r)
	comment := r.Must(201, r.JSON("POST", "/repos/octocat/web/commits/"+tip+"/comments", map[string]any{"body": "nice"}))
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web/comments/"+comment.Text("id"), nil)), map[string]any{"body": "nice", "commit_id": tip})
	r.Must(204, r.JSON("PUT", "/user/starred/octocat/web", nil))
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web", nil)), map[string]any{"stargazers_count": 1})
	r.Must(200, r.JSON("PUT", "/repos/octocat/web/subscription", map[string]any{"ignored": true}))
	key := r.Must(201, r.JSON("POST", "/repos/octocat/web/keys", map[string]any{"key": "ssh-ed25519 AAAA", "title": "ci"}))
	r.Must(422, r.JSON("POST", "/repos/octocat/web/keys", map[string]any{"key": "nonsense"}))
	r.Must(204, r.JSON("DELETE", "/repos/octocat/web/keys/"+key.Text("id"), nil))
	d := r.Must(201, r.JSON("POST", "/repos/octocat/web/deployments", map[string]any{"ref": "main"}))
	r.Must(201, unjudged(r, "POST", "/repos/octocat/web/deployments/"+d.Text("id")+"/statuses", map[string]any{"state": "success"}))
	faketest.Want(t, r.Must(200, unjudged(r, "GET", "/repos/octocat/web/deployments/"+d.Text("id")+"/statuses", nil)), map[string]any{"0.state": "success"})
	reaction := r.Must(201, r.JSON("POST", "/repos/octocat/web/issues/1/reactions", map[string]any{"content": "heart"}, firstIssue(r)...))
	r.Must(200, r.JSON("POST", "/repos/octocat/web/issues/1/reactions", map[string]any{"content": "heart"}))
	faketest.Want(t, r.Must(200, r.JSON("GET", "/repos/octocat/web/issues/1", nil)), map[string]any{"reactions.heart": 1, "reactions.total_count": 1})
	r.Must(204, r.JSON("DELETE", "/repos/octocat/web/issues/1/reactions/"+reaction.Text("id"), nil))
	r.Must(200, unjudged(r, "GET", "/", nil))
	r.Must(200, r.JSON("GET", "/repos/octocat/web/issues/1/timeline", nil))
	r.Must(200, r.JSON("GET", "/repos/octocat/web/contributors", nil))
	r.Must(200, r.JSON("GET", "/repos/octocat/web/languages", nil))
	r.Must(200, r.JSON("GET", "/repos/octocat/web/readme", nil))
}

func firstIssue(r *faketest.Rig) []string {
	issue(r, map[string]any{"title": "One"})
	return nil
}
