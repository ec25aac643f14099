package github_test

import (
	"encoding/base64"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/faketest"
)

type object = map[string]any

const hello = "/repos/octocat/hello-world"

func TestOthersEditRecords(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	issue := hello + "/issues/" + r.Must(201, r.JSON("POST", hello+"/issues", object{"title": "It breaks", "labels": []any{"bug"}})).Text("number")
	comment := hello + "/issues/comments/" + r.Must(201, r.JSON("POST", issue+"/comments", object{"body": "So it does"})).Text("id")
	milestone := hello + "/milestones/" + r.Must(201, r.JSON("POST", hello+"/milestones", object{"title": "One"})).Text("number")
	r.Edits(faketest.Edit{
		Read: comment, Writes: []string{"PATCH " + comment, "DELETE " + comment}, Nowhere: hello + "/issues/comments/7",
		Set: object{"body": "Not here"}, At: "body", Shows: "Not here", Gone: 404,
	})
	r.Edits(faketest.Edit{
		Read: milestone, Writes: []string{"PATCH " + milestone}, Nowhere: hello + "/milestones/77", Set: object{"title": "Two"}, At: "title", Shows: "Two", Gone: 404,
	})
	r.Edits(faketest.Edit{
		Read: hello + "/labels/bug", Writes: []string{"PATCH " + hello + "/labels/bug"}, Set: object{"color": "ffffff"}, At: "color", Shows: "ffffff",
		Bad: object{"name": "feature"}, Gone: 404, Once: true,
	})
	r.Edits(faketest.Edit{
		Read: issue, Writes: []string{"PATCH " + issue, "PUT " + issue + "/labels"}, Nowhere: hello + "/issues/999",
		Set: object{"state": "closed"}, At: "state", Shows: "closed", Bad: object{"state": int64(1)}, Gone: 404,
	})
	other := hello + "/issues/2" // the copy
	before := r.Must(200, r.Send("GET", other, "")).Text("updated_at")
	if err := r.Change(other, object{"body": "More"}); err != nil {
		t.Fatal(err)
	}
	if after := r.Must(200, r.Send("GET", other, "")).Text("updated_at"); after <= before {
		t.Errorf("changed at %s, and before that at %s", after, before)
	}
	if c, id := r.Subject("POST", issue+"/comments"); c != "" {
		t.Errorf("a new comment is %s %s", c, id)
	}
	r.Edits(faketest.Edit{Read: hello, Writes: []string{"PATCH " + hello}, Nowhere: "/repos/octocat/none", Set: object{"description": "New"}, At: "description", Shows: "New", Gone: 404, Once: true})
}

func TestAFileWrittenBySomebodyElseRefusesTheOldSHA(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	in64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	at := hello + "/contents/notes.txt"
	sha := r.Must(201, r.JSON("PUT", at, object{"message": "add", "content": in64("one\n")})).Text("content.sha")
	if err := r.Change(at, object{"content": in64("two\n")}); err != nil {
		t.Fatal(err)
	}
	now := r.Must(200, r.Send("GET", at, ""))
	if now.Text("sha") == sha || now.Text("content") != in64("two\n")+"\n" {
		t.Errorf("the file is %s", now.Raw)
	}
	r.Must(409, r.JSON("PUT", at, object{"message": "mine", "content": in64("three\n"), "sha": sha}))
	r.Must(200, r.JSON("PUT", at, object{"message": "mine", "content": in64("three\n"), "sha": now.Text("sha")}))
	if err := r.Change(at, object{"content": "%%"}); err == nil {
		t.Error("what is no Base64 is committed")
	}
}

func TestTroubleIsWordedAsGitHubDoes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	back := r.Now.Add(time.Hour)
	r.Words("GET", hello+"/issues", []faketest.Worded{
		{Trouble: fakes.Problem{Kind: fakes.Forbidden}, Status: 403, Says: `Resource not accessible by personal access token`},
		{Trouble: fakes.Problem{Kind: fakes.Forbidden, Message: "Ask for a test key."}, Status: 403, Says: `"message":"Ask for a test key."`, Header: []string{"Retry-After", "", "X-Ratelimit-Remaining", ""}},
		{Trouble: fakes.Problem{Kind: fakes.Revoked}, Status: 401, Says: `Bad credentials`},
		{Trouble: fakes.Problem{Kind: fakes.SessionExpired}, Status: 401, Says: "Bad credentials"},
		{Trouble: fakes.Problem{Kind: fakes.CursorExpired}, Status: 422, Says: "Validation Failed"},
		{Trouble: fakes.Problem{Kind: fakes.RateLimited, RetryAfter: time.Minute}, Status: 403, Says: "secondary rate limit", Header: []string{"Retry-After", "60", "X-Ratelimit-Remaining", "4999"}},
		{Trouble: fakes.Problem{Kind: fakes.RateLimited}, Status: 403, Says: "secondary rate limit", Header: []string{"Retry-After", "60", "X-Ratelimit-Remaining", "4999"}},
		{Trouble: fakes.Problem{Kind: fakes.OverQuota, RetryAfter: time.Minute}, Status: 403, Says: "API rate limit exceeded", Header: []string{"Retry-After", "60", "X-Ratelimit-Remaining", "0", "X-Ratelimit-Reset", "1772366460"}},
		{Trouble: fakes.Problem{Kind: fakes.OverQuota}, Status: 403, Says: "API rate limit exceeded", Header: []string{"Retry-After", "", "X-Ratelimit-Remaining", "0", "X-Ratelimit-Reset", "1772370000"}},
		{Trouble: fakes.Problem{Kind: fakes.OverQuota, RetryDate: back}, Status: 403, Says: "API rate limit exceeded", Header: []string{"X-Ratelimit-Reset", "1772370000"}},
		{Trouble: fakes.Problem{Kind: fakes.Locked}, Status: 423, Says: "Locked"},
		{Trouble: fakes.Problem{Kind: fakes.KeyReused}, Status: 409, Says: "Conflict"},
		{Trouble: fakes.Problem{Kind: fakes.Retired}, Status: 410, Says: "removed"},
	})
}

// An edit for which nobody says what is set found no text in a file, and never
// came about.
func TestSomebodyElseChangesAWordOfAFile(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	in64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	at := hello + "/contents/notes.txt"
	r.Must(201, r.JSON("PUT", at, object{"message": "add", "content": in64("one\n")}))
	call := r.Asked("GET", at)
	fake := r.Service.Fake.(fakes.Editor)
	collection, id := fake.Subject(call)
	set := r.Service.Fake.(fakes.Reworder).Reworded(call, collection, id)
	if err := r.Change(at, set); err != nil {
		t.Fatal(err)
	}
	if now := r.Must(200, r.Send("GET", at, "")); now.Text("content") != in64("one\n(edited)\n")+"\n" {
		t.Errorf("the file is %s", now.Raw)
	}
}
