package googlecalendar_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func TestAnEventFromInsertToTwiceDeleted(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	g := r.Must(200, r.JSON("POST", evs, with(meeting("Stand-up", "2026-03-02"), object{"description": "", "location": "Room 4", "transparency": "opaque"})))
	id := g.Text("id")
	faketest.Want(t, g, object{
		"kind": "calendar#event", "status": "confirmed", "summary": "Stand-up", "location": "Room 4", "description": nil, "transparency": nil,
		"created": "2026-03-01T12:00:00.000Z", "updated": "2026-03-01T12:00:00.000Z", "sequence": 0, "iCalUID": id + "@google.com", "eventType": "default",
		"creator": object{"email": user, "self": true}, "organizer": object{"email": user, "self": true}, "reminders": object{"useDefault": true},
		"start": at("2026-03-02T10:00:00Z", "UTC"),
	})
	if len(id) != 26 || strings.Trim(id, "0123456789abcdefghijklmnopqrstuv") != "" {
		t.Errorf("the id is %s", id)
	}
	if g.Header.Get("Etag") != g.Text("etag") || !strings.HasPrefix(g.Text("htmlLink"), "https://www.google.com/calendar/event?eid=") {
		t.Errorf("etag %s, header %s, link %s", g.Text("etag"), g.Header.Get("Etag"), g.Text("htmlLink"))
	}
	r.Wait(time.Minute)
	patched := r.Must(200, r.JSON("PATCH", evs+"/"+id, object{"location": nil, "description": "Bring coffee"}))
	faketest.Want(t, patched, object{"location": nil, "description": "Bring coffee", "sequence": 0, "updated": "2026-03-01T12:01:00.000Z", "created": "2026-03-01T12:00:00.000Z"})
	if patched.Text("etag") == g.Text("etag") {
		t.Error("the etag did not change")
	}
	moved := r.Must(200, r.JSON("PATCH", evs+"/"+id, object{"start": object{"dateTime": "2026-03-02T09:00:00Z"}}))
	faketest.Want(t, moved, object{"sequence": 1, "start": at("2026-03-02T09:00:00Z", "UTC"), "summary": "Stand-up"})

	put := r.Must(200, r.JSON("PUT", evs+"/"+id, meeting("Stand-up!", "2026-03-03")))
	faketest.Want(t, put, object{"summary": "Stand-up!", "description": nil, "sequence": 2, "id": id})

	gone := r.Must(204, r.Send("DELETE", evs+"/"+id, ""))
	if gone.Raw != "" || gone.Header.Get("Content-Type") != "text/html" {
		t.Errorf("deleted with %q of %s", gone.Raw, gone.Header.Get("Content-Type"))
	}
	faketest.Want(t, r.Must(200, r.Send("GET", evs+"/"+id, "")), object{"status": "cancelled", "summary": "Stand-up!"})
	refused(t, r.Send("DELETE", evs+"/"+id, ""), 410, "deleted", "Resource has been deleted")
	if n := r.Must(200, r.Send("GET", evs, "")).Len("items"); n != 0 {
		t.Errorf("%d events are listed", n)
	}
	if n := r.Must(200, r.Send("GET", evs+"?showDeleted=true", "")).Len("items"); n != 1 {
		t.Errorf("%d events are listed with showDeleted", n)
	}
	refused(t, r.Send("GET", evs+"/nosuch", ""), 404, "notFound", "Not Found")
	refused(t, r.Send("DELETE", evs+"/nosuch", ""), 404, "notFound", "Not Found")
	back := r.Must(200, r.JSON("PATCH", evs+"/"+id, object{"status": "confirmed"}))
	faketest.Want(t, back, object{"status": "confirmed"})
}

func TestTimesAreHeldAgainstOneAnother(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	good := meeting("x", "2026-03-02")
	for _, test := range []struct {
		fields  object
		why     string
		message string
	}{
		{object{"end": nil}, "required", "Missing end time."},
		{object{"start": nil}, "required", "Missing start time."},
		{object{"start": object{"dateTime": "2026-03-02T10:00:00"}}, "invalid", "Missing time zone definition for start time."},
		{object{"start": object{"dateTime": "2026-03-02T10:00:00Z", "timeZone": "Mars/Olympus"}}, "invalid", "Invalid time zone definition for start time."},
		{object{"start": object{"date": "2026-03-02", "dateTime": "2026-03-02T10:00:00Z"}}, "invalid", "Invalid start time."},
		{object{"start": on("2026-03-02")}, "invalid", "Start and end times must either both be date or both be dateTime."},
		{object{"end": at("2026-03-02T09:00:00Z", "UTC")}, "timeRangeEmpty", "The specified time range is empty."},
		{object{"start": on("2026-03-02"), "end": on("2026-03-01")}, "timeRangeEmpty", "The specified time range is empty."},
		{object{"start": object{"dateTime": "tomorrow"}}, "badRequest", "Bad Request"},
		{object{"recurrence": []any{"RRULE:FREQ=SOMETIMES"}}, "invalid", "Invalid recurrence rule."},
		{object{"recurrence": []any{"FREQ=DAILY"}}, "invalid", "Invalid recurrence rule."},
		{object{"recurrence": []any{"RRULE:FREQ=DAILY;COUNT=3"}, "start": object{"dateTime": "2026-03-02T10:00:00Z"}}, "invalid", "Missing time zone definition for start time."},
		{object{"attendees": []any{object{"displayName": "Ada"}}}, "required", "Missing attendee email."},
		{object{"attendees": []any{object{"email": "ada"}}}, "invalid", "Invalid attendee email."},
		{object{"reminders": object{"useDefault": true, "overrides": []any{object{"method": "popup", "minutes": 5}}}}, "cannotUseDefaultRemindersAndSpecifyOverride", "Cannot specify both default reminders and overrides at the same time."},
		{object{"id": "no way"}, "invalid", "Invalid resource id value."},
		{object{"id": "wxyz1"}, "invalid", "Invalid resource id value."},
	} {
		refused(t, r.JSON("POST", evs, with(good, test.fields)), 400, test.why, test.message)
	}
	if n := r.Must(200, r.Send("GET", evs, "")).Len("items"); n != 0 {
		t.Errorf("what was refused left %d events", n)
	}
}

func TestTimesAreShownInTheCalendarsZone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Must(200, r.JSON("PATCH", root+"/calendars/primary", object{"timeZone": "Europe/London"}))
	g := r.Must(200, r.JSON("POST", evs, object{
		"summary": "Flight", "start": at("2026-07-02T08:00:00", "America/Los_Angeles"), "end": at("2026-07-02T16:30:00-04:00", "America/New_York"),
	}))
	faketest.Want(t, g, object{"start": at("2026-07-02T16:00:00+01:00", "America/Los_Angeles"), "end": at("2026-07-02T21:30:00+01:00", "America/New_York")})
	faketest.Want(t, r.Send("GET", evs+"/"+g.Text("id")+"?timeZone=Asia/Tokyo", ""), object{"start.dateTime": "2026-07-03T00:00:00+09:00"})
	plain := r.Must(200, r.JSON("POST", evs, object{"start": object{"dateTime": "2026-01-02T08:00:00-05:00"}, "end": object{"dateTime": "2026-01-02T09:00:00-05:00"}}))
	faketest.Want(t, plain, object{"start": at("2026-01-02T13:00:00Z", "Europe/London"), "summary": nil})
	whole := r.Must(200, r.JSON("POST", evs, object{"start": on("2026-07-02"), "end": on("2026-07-03")}))
	faketest.Want(t, whole, object{"start": on("2026-07-02"), "reminders": object{"useDefault": false, "overrides": []any{object{"method": "popup", "minutes": 30}}}})
	refused(t, r.Send("GET", evs+"?timeZone=Nowhere/Else", ""), 400, "invalidParameter", "Invalid time zone: Nowhere/Else")
}

func TestEtagsGuardWritesAndSpareReads(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := made(r, meeting("A", "2026-03-02"))
	first := r.Send("GET", evs+"/"+id, "").Text("etag")
	r.Must(304, r.Send("GET", evs+"/"+id, "", "If-None-Match", first))
	second := r.Must(200, r.JSON("PATCH", evs+"/"+id, object{"summary": "B"}, "If-Match", first)).Text("etag")
	for _, method := range []string{"PATCH", "PUT"} {
		refused(t, r.JSON(method, evs+"/"+id, meeting("C", "2026-03-02"), "If-Match", first), 412, "conditionNotMet", "Precondition Failed")
	}
	refused(t, r.Send("DELETE", evs+"/"+id, "", "If-Match", first), 412, "conditionNotMet", "Precondition Failed")
	r.Must(200, r.Send("GET", evs+"/"+id, "", "If-None-Match", first))
	r.Must(204, r.Send("DELETE", evs+"/"+id, "", "If-Match", second))
	list := r.Must(200, r.Send("GET", evs, ""))
	r.Must(304, r.Send("GET", evs, "", "If-None-Match", list.Text("etag")))
	if list.Header.Get("Etag") != "" {
		t.Error("a list has an etag header")
	}
}

func TestClientsChooseIds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	event := with(meeting("Mine", "2026-03-02"), object{"id": "order00042"})
	if id := made(r, event); id != "order00042" {
		t.Errorf("the id is %s", id)
	}
	refused(t, r.JSON("POST", evs, event), 409, "duplicate", "The requested identifier already exists.")
	r.Must(204, r.Send("DELETE", evs+"/order00042", ""))
	refused(t, r.JSON("POST", evs, event), 409, "duplicate", "The requested identifier already exists.")
	other := r.Must(200, r.JSON("POST", root+"/calendars", object{"summary": "Team"})).Text("id")
	r.Must(200, r.JSON("POST", root+"/calendars/"+other+"/events", event))
	faketest.Want(t, r.Send("GET", root+"/calendars/"+other+"/events/order00042", ""), object{"status": "confirmed", "organizer.displayName": "Team"})
	faketest.Want(t, r.Send("GET", evs+"/order00042", ""), object{"status": "cancelled"})
}

func TestListsInEveryWay(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	late := made(r, with(meeting("Review of the budget", "2026-03-20"), object{"location": "Graz", "extendedProperties": object{"private": object{"order": "42"}}}))
	early := made(r, with(meeting("Planning", "2026-03-05"), object{"attendees": []any{object{"email": "ada@example.org"}}}))
	days := made(r, object{"summary": "Fair", "start": on("2026-03-10"), "end": on("2026-03-13"), "iCalUID": "fair@example.org"})
	r.Wait(time.Second)
	r.Must(200, r.JSON("PATCH", evs+"/"+late, object{"summary": "Review of budgets"}))
	for query, want := range map[string][]string{
		"":                                    {late, early, days},
		"singleEvents=true&orderBy=startTime": {early, days, late},
		"orderBy=updated":                     {early, days, late},
		"q=BUDGET+review":                     {late},
		"q=ada@example":                       {early},
		"q=nothing":                           {},
		"timeMin=2026-03-12T00:00:00Z":        {days, late},
		"timeMin=2026-03-13T00:00:00Z":        {late},
		"timeMax=2026-03-05T10:00:00Z":        {},
		"timeMax=2026-03-05T10:00:01Z":        {early},
		"timeMin=2026-03-06T00:00:00%2B01:00&timeMax=2026-03-19T00:00:00Z": {days},
		"privateExtendedProperty=order%3D42":                               {late},
		"privateExtendedProperty=order%3D43":                               {},
		"iCalUID=fair@example.org":                                         {days},
		"updatedMin=2026-03-01T12:00:01Z":                                  {late},
		"eventTypes=focusTime":                                             {},
		"eventTypes=focusTime&eventTypes=default":                          {late, early, days},
	} {
		if got := r.Must(200, r.Send("GET", evs+"?"+query, "")).IDs("items"); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	refused(t, r.Send("GET", evs+"?orderBy=startTime", ""), 400, "badRequest", "The requested ordering is not available for the particular query.")
	refused(t, r.Send("GET", evs+"?timeMin=2026-03-05", ""), 400, "badRequest", "Bad Request")
	refused(t, r.Send("GET", evs+"?timeMin=2026-03-05T00:00:00Z&timeMax=2026-03-05T00:00:00Z", ""), 400, "timeRangeEmpty", "The specified time range is empty.")
	refused(t, r.Send("GET", evs+"?orderBy=size", ""), 400, "invalidParameter", "Invalid string value: 'size'. Allowed values: [starttime, updated]")
	refused(t, r.Send("GET", evs+"?maxResults=many", ""), 400, "invalidParameter", "Invalid integer value: 'many'.")
	refused(t, r.Send("GET", evs+"?pageToken=xyz", ""), 400, "invalid", "Invalid page token value.")
	envelope := r.Send("GET", evs+"?timeMin=2030-01-01T00:00:00Z", "")
	faketest.Want(t, envelope, object{
		"kind": "calendar#events", "summary": user, "description": "", "timeZone": "UTC", "accessRole": "owner", "items": []any{}, "nextSyncToken": nil,
		"defaultReminders": []any{object{"method": "popup", "minutes": 30}},
	})
}

func TestPagesMeetInTheMiddle(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for i := range 21 {
		made(r, meeting(fmt.Sprint("Event ", i), fmt.Sprintf("2026-04-%02d", 30-i)))
	}
	for _, query := range []string{"", "singleEvents=true&orderBy=startTime", "timeMin=2026-03-01T00:00:00Z", "orderBy=updated"} {
		var seen []string
		token, pages := "", 0
		for {
			g := r.Must(200, r.Send("GET", evs+"?maxResults=10&"+query+"&pageToken="+token, ""))
			seen = append(seen, g.Texts("items", "summary")...)
			pages++
			if token = g.Text("nextPageToken"); token == "" {
				if (g.Text("nextSyncToken") != "") != (query == "") {
					t.Errorf("%s: the sync token of the last page is %q", query, g.Text("nextSyncToken"))
				}
				break
			}
			if g.Text("nextSyncToken") != "" {
				t.Errorf("%s: page %d has a sync token", query, pages)
			}
		}
		slices.Sort(seen)
		if len(seen) != 21 || len(slices.Compact(seen)) != 21 || pages != 3 {
			t.Errorf("%s: %d events in %d pages", query, len(seen), pages)
		}
	}
}

// Who deletes what a page shows, and goes on to the next, misses nothing.
func TestPagesSurviveDeletions(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"", "singleEvents=true&orderBy=startTime", "timeMin=2026-03-01T00:00:00Z"} {
		r := newRig(t)
		for i := range 21 {
			made(r, meeting(fmt.Sprint("Event ", i), fmt.Sprintf("2026-04-%02d", i+1)))
		}
		token, seen := "", 0
		for {
			g := r.Must(200, r.Send("GET", evs+"?maxResults=5&"+query+"&pageToken="+token, ""))
			for _, id := range g.IDs("items") {
				seen++
				r.Must(204, r.Send("DELETE", evs+"/"+id, ""))
			}
			if token = g.Text("nextPageToken"); token == "" {
				break
			}
		}
		if seen != 21 {
			t.Errorf("%s: %d events were seen and deleted, of 21", query, seen)
		}
	}
}

func TestSyncShowsWhatChanged(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a, b := made(r, meeting("A", "2026-03-05")), made(r, meeting("B", "2026-03-06"))
	token := r.Must(200, r.Send("GET", evs, "")).Text("nextSyncToken")
	nothing := r.Must(200, r.Send("GET", evs+"?syncToken="+token, ""))
	if nothing.Len("items") != 0 || nothing.Text("nextSyncToken") == "" {
		t.Errorf("nothing changed, and %s", nothing.Raw)
	}
	r.Must(204, r.Send("DELETE", evs+"/"+a, "")) // at the same instant as all before
	r.Must(200, r.JSON("PATCH", evs+"/"+b, object{"summary": "B2"}))
	changed := r.Must(200, r.Send("GET", evs+"?syncToken="+token, ""))
	if got := changed.IDs("items"); !slices.Equal(got, []string{a, b}) {
		t.Fatalf("changed are %v", got)
	}
	if keys := changed.At("items.0").(object); len(keys) != 4 || keys["status"] != "cancelled" {
		t.Errorf("a deleted event shows %v", keys)
	}
	faketest.Want(t, changed, object{"items.1.summary": "B2"})
	next := changed.Text("nextSyncToken")
	if n := r.Must(200, r.Send("GET", evs+"?syncToken="+next, "")).Len("items"); n != 0 {
		t.Errorf("%d events changed since", n)
	}
	refused(t, r.Send("GET", evs+"?syncToken="+next+"&timeMin=2026-01-01T00:00:00Z", ""), 400, "badRequest", "Sync token cannot be used with other request restrictions.")
	refused(t, r.Send("GET", evs+"?syncToken="+next+"&orderBy=updated", ""), 400, "badRequest", "Sync token cannot be used with non-default ordering.")
	refused(t, r.Send("GET", evs+"?syncToken=CAbc", ""), 400, "invalid", "Invalid sync token value.")
	r.Wait(29 * 24 * time.Hour)
	refused(t, r.Send("GET", evs+"?syncToken="+next, ""), 410, "fullSyncRequired", "Sync token is no longer valid, a full sync is required.")
	refused(t, r.Send("GET", evs+"?updatedMin=2026-03-01T12:00:00Z", ""), 410, "updatedMinTooLongAgo", "The requested minimum modification time lies too far in the past.")
}

func TestFieldsAndIndentation(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made(r, meeting("A", "2026-03-05"))
	g := r.Must(200, r.Send("GET", evs+"?fields=items(id,start/dateTime),kind&prettyPrint=false", ""))
	if !strings.HasPrefix(g.Raw, `{"items":[{"id":"`) || !strings.HasSuffix(g.Raw, `","start":{"dateTime":"2026-03-05T10:00:00Z"}}],"kind":"calendar#events"}`) {
		t.Error(g.Raw)
	}
	if g := r.Must(200, r.Send("GET", evs+"?fields=kind", "")); g.Raw != "{\n \"kind\": \"calendar#events\"\n}\n" {
		t.Errorf("%q", g.Raw)
	}
	for _, wrong := range []string{"items(id", "items)", ",", "a//b"} {
		refused(t, r.Send("GET", evs+"?fields="+wrong, ""), 400, "invalidParameter", "Invalid field selection "+wrong)
	}
}
