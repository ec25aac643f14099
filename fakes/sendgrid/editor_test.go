package sendgrid_test

import (
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/faketest"
)

func TestOthersEditRecords(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	list := "/v3/marketing/lists/" + r.Must(201, r.JSON("POST", "/v3/marketing/lists", m{"name": "News"})).Text("id")
	template := "/v3/templates/" + r.Must(201, r.JSON("POST", "/v3/templates", m{"name": "Hello", "generation": "dynamic"})).Text("id")
	version := template + "/versions/" + r.Must(201, r.JSON("POST", template+"/versions", m{"name": "One", "subject": "Hi"})).Text("id")
	group := "/v3/asm/groups/" + r.Must(201, r.JSON("POST", "/v3/asm/groups", m{"name": "Offers", "description": "Offers."})).Text("id")
	r.Edits(faketest.Edit{Read: list, Writes: []string{"PATCH " + list, "DELETE " + list}, Nowhere: "/v3/marketing/lists/none", Set: m{"name": "Old news"}, At: "name", Shows: "Old news", Bad: m{"name": int64(1)}, Gone: 404})
	r.Edits(faketest.Edit{Read: version, Writes: []string{"PATCH " + version, "POST " + version + "/activate"}, Set: m{"subject": "Ho"}, At: "subject", Shows: "Ho", Gone: 404})
	r.Edits(faketest.Edit{Read: template, Writes: []string{"PATCH " + template, "DELETE " + template}, Set: m{"name": "Bye"}, At: "name", Shows: "Bye", Gone: 404})
	r.Edits(faketest.Edit{Read: group, Writes: []string{"PATCH " + group}, Set: m{"description": "None."}, At: "description", Shows: "None.", Gone: 404})
	if c, id := r.Subject("POST", template+"/versions"); c != "" {
		t.Errorf("a new version is %s %s", c, id)
	}
}

func TestTroubleIsWordedAsSendGridDoes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Words("POST", "/v3/mail/send", []faketest.Worded{
		{Trouble: fakes.Problem{Kind: fakes.Forbidden}, Status: 403, Says: `"message":"access forbidden"`},
		{Trouble: fakes.Problem{Kind: fakes.Forbidden, Message: "Ask for a test key."}, Status: 403, Says: `"message":"Ask for a test key."`},
		{Trouble: fakes.Problem{Kind: fakes.Revoked}, Status: 401, Says: `expired, or revoked`},
		{Trouble: fakes.Problem{Kind: fakes.SessionExpired}, Status: 401, Says: "expired, or revoked"},
		{Trouble: fakes.Problem{Kind: fakes.OverQuota, RetryAfter: time.Hour}, Status: 401, Says: "Maximum credits exceeded", Header: []string{"Retry-After", "3600"}},
		{Trouble: fakes.Problem{Kind: fakes.KeyReused}, Status: 409, Says: "conflict"},
		{Trouble: fakes.Problem{Kind: fakes.Locked}, Status: 409, Says: "conflict"},
		{Trouble: fakes.Problem{Kind: fakes.Retired}, Status: 410, Says: "gone"},
	})
	r.Words("GET", "/v3/marketing/lists", []faketest.Worded{
		{Trouble: fakes.Problem{Kind: fakes.CursorExpired}, Status: 400, Says: "page_token"},
	})
}
