package zendesk_test

import (
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/faketest"
)

func TestOthersEditRecords(t *testing.T) {
	t.Parallel()
	r := rig(t)
	n, u := ticket(r, nil), user(r, "Ada", "ada@example.com", "agent")
	org := r.Must(201, r.JSON("POST", "/api/v2/organizations", object{"organization": object{"name": "Acme"}})).Text("organization.id")
	group := r.Must(201, r.JSON("POST", "/api/v2/groups", object{"group": object{"name": "Second line"}})).Text("group.id")
	r.Edits(faketest.Edit{
		Read: "/api/v2/users/" + u, Writes: []string{"PUT /api/v2/users/" + u, "DELETE /api/v2/users/" + u + ".json"}, Nowhere: "/api/v2/users/1",
		Set: object{"name": "Ada L."}, At: "user.name", Shows: "Ada L.", Bad: object{"role": int64(4)}, Gone: 200,
	})
	r.Edits(faketest.Edit{
		Read: "/api/v2/organizations/" + org, Writes: []string{"PUT /api/v2/organizations/" + org}, Nowhere: "/api/v2/organizations/1",
		Set: object{"notes": "new"}, At: "organization.notes", Shows: "new", Bad: object{"tags": "x"}, Gone: 404,
	})
	r.Edits(faketest.Edit{
		Read: "/api/v2/groups/" + group, Set: object{"name": "Third line"}, At: "group.name", Shows: "Third line", Gone: 404,
	})
	r.Edits(faketest.Edit{
		Read: "/api/v2/tickets/" + n + ".json", Writes: []string{"PUT /api/v2/tickets/" + n, "DELETE /api/v2/tickets/" + n, "GET /api/v2/requests/" + n}, Nowhere: "/api/v2/tickets/999",
		Set: object{"priority": "urgent"}, At: "ticket.priority", Shows: "urgent", Bad: object{"priority": "now"}, Gone: 404,
	})
	if c, id := r.Subject("GET", "/api/v2/tickets/"+n); c != "" {
		t.Errorf("a deleted ticket is %s %s", c, id)
	}
	if c, id := r.Subject("POST", "/api/v2/tickets"); c != "" {
		t.Errorf("a new ticket is %s %s", c, id)
	}
}

func TestSafeUpdateIsRefusedAfterSomebodyElsesEditInTheSameSecond(t *testing.T) {
	t.Parallel()
	r := rig(t)
	n := ticket(r, nil)
	stamp := get(r, "/api/v2/tickets/"+n).Text("ticket.updated_at")
	if err := r.Change("/api/v2/tickets/"+n, object{"subject": "Printer on fire"}); err != nil {
		t.Fatal(err)
	}
	faketest.Want(t, r.Must(409, put(r, n, object{"status": "pending", "safe_update": true, "updated_stamp": stamp})), object{"error": "UpdateConflict"})
	audits := get(r, "/api/v2/tickets/"+n+"/audits")
	if last := audits.Len("audits") - 1; audits.Text("audits."+string(rune('0'+last))+".author_id") != "-1" {
		t.Errorf("the audits do not tell of the edit: %s", audits.Raw)
	}
	again := get(r, "/api/v2/tickets/"+n).Text("ticket.updated_at")
	r.Must(200, put(r, n, object{"status": "pending", "safe_update": true, "updated_stamp": again}))
}

func TestTroubleIsWordedAsZendeskDoes(t *testing.T) {
	t.Parallel()
	r := rig(t)
	r.Words("POST", "/api/v2/tickets", []faketest.Worded{
		{Trouble: fakes.Problem{Kind: fakes.Forbidden}, Status: 403, Says: `"title":"Forbidden"`},
		{Trouble: fakes.Problem{Kind: fakes.Forbidden, Message: "Ask for a test key."}, Status: 403, Says: `"message":"Ask for a test key.","title":"Forbidden"`},
		{Trouble: fakes.Problem{Kind: fakes.Revoked}, Status: 401, Says: `Couldn't authenticate you`},
		{Trouble: fakes.Problem{Kind: fakes.SessionExpired}, Status: 401, Says: "Couldn't authenticate you"},
		{Trouble: fakes.Problem{Kind: fakes.KeyInFlight}, Status: 409, Says: "IdempotentRequestError"},
		{Trouble: fakes.Problem{Kind: fakes.KeyReused}, Status: 400, Says: "do not match"},
		{Trouble: fakes.Problem{Kind: fakes.Locked}, Status: 409, Says: "DatabaseConflict"},
		{Trouble: fakes.Problem{Kind: fakes.OverQuota, RetryAfter: time.Hour}, Status: 429, Says: "APIRateLimitExceeded", Header: []string{"Retry-After", "3600", "X-Rate-Limit-Remaining", "0"}},
		{Trouble: fakes.Problem{Kind: fakes.Retired}, Status: 410, Says: "InvalidEndpoint"},
	})
	r.Header.Set("Authorization", "Bearer abcdef0123456789")
	r.Words("GET", "/api/v2/tickets", []faketest.Worded{
		{Trouble: fakes.Problem{Kind: fakes.Revoked}, Status: 401, Says: `invalid_token`, Header: []string{"Www-Authenticate", `Bearer realm="Zendesk", error="invalid_token"`}},
		{Trouble: fakes.Problem{Kind: fakes.SessionExpired}, Status: 401, Says: "invalid_token", Header: []string{"Www-Authenticate", `Bearer realm="Zendesk", error="invalid_token"`}},
		{Trouble: fakes.Problem{Kind: fakes.CursorExpired}, Status: 400, Says: "InvalidCursor"},
	})
}
