package notion_test

import (
	"strings"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/faketest"
)

func TestOthersEditRecords(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	title := func(text string) map[string]any {
		return map[string]any{"title": []any{map[string]any{"text": map[string]any{"content": text}}}}
	}
	id := r.Must(200, r.JSON("POST", "/v1/pages", map[string]any{"parent": map[string]any{"page_id": rootPage}, "properties": title("Plan")})).Text("id")
	page := "/v1/pages/" + id
	block := "/v1/blocks/" + r.Must(200, r.JSON("PATCH", "/v1/blocks/"+id+"/children", map[string]any{"children": []any{map[string]any{"paragraph": map[string]any{"rich_text": []any{}}}}})).Text("results.0.id")
	r.Edits(faketest.Edit{
		Read: block, Writes: []string{"PATCH " + block, "DELETE " + block}, Nowhere: "/v1/blocks/" + strings.Repeat("0", 32),
		Set: map[string]any{"paragraph": map[string]any{"color": "red"}}, At: "paragraph.color", Shows: "red", Bad: map[string]any{"created_time": int64(5)}, Gone: 200,
	})
	before := r.Must(200, r.Send("GET", page, ""))
	r.Now = r.Now.Add(time.Minute)
	if err := r.Change(page, map[string]any{"is_locked": true}); err != nil {
		t.Fatal(err)
	}
	after := r.Must(200, r.Send("GET", page, ""))
	if after.Text("last_edited_time") == before.Text("last_edited_time") || after.Text("last_edited_by.id") == before.Text("last_edited_by.id") {
		t.Errorf("nothing tells of the edit: %s", after.Raw)
	}
	r.Edits(faketest.Edit{
		Read: page, Writes: []string{"PATCH " + page, "GET /v1/blocks/" + id, "GET /v1/pages/" + strings.ReplaceAll(id, "-", ""), "PATCH /v1/blocks/" + id + "/children"},
		Set: map[string]any{"is_locked": false}, At: "is_locked", Shows: "false", Gone: 200,
	})
	if got := r.Must(200, r.Send("GET", page, "")); got.Text("in_trash") != "true" {
		t.Errorf("the page is not in the trash: %s", got.Raw)
	}
}

func TestTroubleIsWordedAsNotionDoes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Words("GET", "/v1/users", []faketest.Worded{
		{Trouble: fakes.Problem{Kind: fakes.Forbidden}, Status: 403, Says: `"code":"restricted_resource","message":"Insufficient permissions for this endpoint."`},
		{Trouble: fakes.Problem{Kind: fakes.Forbidden, Message: "Ask for a test key."}, Status: 403, Says: `"code":"restricted_resource","message":"Ask for a test key."`},
		{Trouble: fakes.Problem{Kind: fakes.Revoked}, Status: 401, Says: `API token is invalid.`},
		{Trouble: fakes.Problem{Kind: fakes.SessionExpired}, Status: 401, Says: "API token is invalid."},
		{Trouble: fakes.Problem{Kind: fakes.CursorExpired, Query: "start_cursor=abc"}, Status: 400, Says: "The start_cursor provided is invalid: abc"},
		{Trouble: fakes.Problem{Kind: fakes.KeyInFlight}, Status: 409, Says: "conflict_error"},
		{Trouble: fakes.Problem{Kind: fakes.Locked}, Status: 409, Says: "conflict_error"},
		{Trouble: fakes.Problem{Kind: fakes.OverQuota, RetryAfter: time.Hour}, Status: 429, Says: "rate_limited", Header: []string{"Retry-After", "3600"}},
		{Trouble: fakes.Problem{Kind: fakes.Retired}, Status: 400, Says: "invalid_request_url"},
	})
}
