package googlecalendar_test

import (
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/faketest"
)

func TestOthersEditRecords(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	event := evs + "/" + made(r, meeting("Stand-up", "2026-03-02"))
	r.Edits(faketest.Edit{
		Read: event, Writes: []string{"PATCH " + event, "PUT " + event, "DELETE " + event}, Nowhere: evs + "/none5",
		Set: object{"summary": "Sit-down"}, At: "summary", Shows: "Sit-down", Bad: object{"status": "no such status"}, Gone: 200,
	})
	if got := r.Must(200, r.Send("GET", event, "")); got.Text("status") != "cancelled" {
		t.Errorf("the event that was removed is %s", got.Raw)
	}
	if c, id := r.Subject("GET", event); c != "" {
		t.Errorf("a cancelled event is %s %s", c, id)
	}
	calendar := root + "/calendars/" + r.Must(200, r.JSON("POST", root+"/calendars", object{"summary": "Room"})).Text("id")
	r.Edits(faketest.Edit{
		Read: calendar, Writes: []string{"PATCH " + calendar, "DELETE " + calendar}, Nowhere: root + "/calendars/none",
		Set: object{"summary": "Hall"}, At: "summary", Shows: "Hall", Gone: 404, Once: true,
	})
	if c, id := r.Subject("POST", evs); c != "" {
		t.Errorf("a new event is %s %s", c, id)
	}
}

func TestIfMatchIsRefusedAfterSomebodyElsesEdit(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	event := evs + "/" + made(r, meeting("Stand-up", "2026-03-02"))
	read := func() string { return r.Must(200, r.Send("GET", event, "")).Text("etag") }
	first := read()
	if err := r.Change(event, object{"start": at("2026-03-02T09:00:00Z", "UTC")}); err != nil {
		t.Fatal(err)
	}
	r.Must(412, r.JSON("PATCH", event, object{"summary": "Mine"}, "If-Match", first))
	r.Must(200, r.JSON("PATCH", event, object{"summary": "Mine"}, "If-Match", read()))
	if err := r.Change(event, object{"end": at("2026-03-01T09:00:00Z", "UTC")}); err == nil {
		t.Error("an event ends before it starts")
	}
}

func TestTroubleIsWordedAsGoogleDoes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Words("GET", evs, []faketest.Worded{
		{Trouble: fakes.Problem{Kind: fakes.Forbidden}, Status: 403, Says: `"reason": "insufficientPermissions"`, Header: []string{"Retry-After", ""}},
		{Trouble: fakes.Problem{Kind: fakes.Forbidden, Message: "Ask for a test key."}, Status: 403, Says: `"message": "Insufficient Permission"`},
		{Trouble: fakes.Problem{Kind: fakes.Forbidden, Message: "Ask for a test key."}, Status: 403, Says: `"message": "Ask for a test key."`},
		{Trouble: fakes.Problem{Kind: fakes.Revoked}, Status: 401, Says: `Invalid Credentials`},
		{Trouble: fakes.Problem{Kind: fakes.SessionExpired}, Status: 401, Says: "Invalid Credentials", Header: []string{"Www-Authenticate", `Bearer realm="https://accounts.google.com/", error="invalid_token"`}},
		{Trouble: fakes.Problem{Kind: fakes.CursorExpired, Query: "syncToken=CAA%3D"}, Status: 410, Says: "fullSyncRequired"},
		{Trouble: fakes.Problem{Kind: fakes.CursorExpired, Query: "pageToken=x"}, Status: 400, Says: "Invalid page token value."},
		{Trouble: fakes.Problem{Kind: fakes.KeyReused}, Status: 409, Says: "duplicate"},
		{Trouble: fakes.Problem{Kind: fakes.Locked}, Status: 409, Says: "conflict"},
		{Trouble: fakes.Problem{Kind: fakes.OverQuota, RetryAfter: time.Hour}, Status: 403, Says: "dailyLimitExceeded", Header: []string{"Retry-After", "3600"}},
		{Trouble: fakes.Problem{Kind: fakes.Retired}, Status: 410, Says: "no longer available"},
	})
}
