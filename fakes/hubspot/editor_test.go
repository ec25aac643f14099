package hubspot_test

import (
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/faketest"
)

func TestOthersEditRecords(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	props := func(p map[string]any) map[string]any { return map[string]any{"properties": p} }
	id := r.Must(201, r.JSON("POST", "/crm/v3/objects/contacts", props(map[string]any{"email": "ada@example.com", "firstname": "Ada"}))).Text("id")
	contact := "/crm/v3/objects/contacts/" + id
	at := func() string { return r.Must(200, r.Send("GET", contact, "")).Text("updatedAt") }
	before := at()
	if err := r.Change(contact, map[string]any{"lastname": "Byron"}); err != nil {
		t.Fatal(err)
	}
	if after := at(); after == before {
		t.Errorf("it was changed at %s before and after", after)
	}
	r.Edits(faketest.Edit{
		Read: contact, Nowhere: "/crm/v3/objects/contacts/1",
		Writes: []string{"PATCH " + contact, "DELETE " + contact, "GET /crm/v3/objects/0-1/" + id, "GET /contacts/v1/contact/vid/" + id + "/profile", "POST /contacts/v1/contact/email/ada@example.com/profile", "GET " + contact + "?properties=email"},
		Set:    props(map[string]any{"firstname": "A."}), At: "properties.firstname", Shows: "A.", Bad: props(map[string]any{"no_such_property": "x"}), Gone: 404,
	})
	deal := "/crm/v3/objects/deals/" + r.Must(201, r.JSON("POST", "/crm/v3/objects/deals", props(map[string]any{"dealname": "Big"}))).Text("id")
	r.Edits(faketest.Edit{Read: deal, Set: map[string]any{"amount": "900"}, At: "properties.dealname", Shows: "Big", Bad: map[string]any{"amount": "much"}, Gone: 404})
	if c, id := r.Subject("POST", "/crm/v3/objects/contacts"); c != "" {
		t.Errorf("a new contact is %s %s", c, id)
	}
}

func TestTroubleIsWordedAsHubSpotDoes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Words("GET", "/crm/v3/objects/contacts", []faketest.Worded{
		{Trouble: fakes.Problem{Kind: fakes.Forbidden}, Status: 403, Says: `"category":"MISSING_SCOPES"`},
		{Trouble: fakes.Problem{Kind: fakes.Forbidden, Message: "Ask for a test key."}, Status: 403, Says: `"message":"Ask for a test key."`},
		{Trouble: fakes.Problem{Kind: fakes.Revoked}, Status: 401, Says: `"category":"INVALID_AUTHENTICATION"`},
		{Trouble: fakes.Problem{Kind: fakes.SessionExpired}, Status: 401, Says: `"category":"EXPIRED_AUTHENTICATION"`},
		{Trouble: fakes.Problem{Kind: fakes.CursorExpired, Query: "after=17"}, Status: 400, Says: "Invalid after parameter: 17"},
		{Trouble: fakes.Problem{Kind: fakes.KeyReused}, Status: 409, Says: "CONFLICT"},
		{Trouble: fakes.Problem{Kind: fakes.Locked}, Status: 423, Says: "locked"},
		{Trouble: fakes.Problem{Kind: fakes.OverQuota, RetryAfter: time.Hour}, Status: 429, Says: `"policyName":"DAILY"`, Header: []string{"Retry-After", "3600"}},
		{Trouble: fakes.Problem{Kind: fakes.Retired}, Status: 410, Says: "sunset"},
	})
}
