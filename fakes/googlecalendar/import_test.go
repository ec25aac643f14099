package googlecalendar_test

import (
	"strings"
	"testing"

	"parity/fakes"
	"parity/fakes/faketest"
)

// imports tells the fake what the real service answered.
func imports(r *faketest.Rig, method, target, sent string, answered string) {
	r.T.Helper()
	call := called(r.Service, r.World.Begin(), method, target, sent, 0)
	call.Now = r.Now
	r.Service.Fake.(fakes.Importer).Import(call, 200, []byte(answered))
	r.World = call.Tx.Commit()
}

const seenEvent = `{"kind": "calendar#event", "etag": "\"3510161555633086\"", "id": "seen00000001", "status": "confirmed", "htmlLink": "https://www.google.com/calendar/event?eid=x",
	"created": "2025-08-13T10:26:17.000Z", "updated": "2025-08-13T10:26:17.816Z", "summary": "Seen", "creator": {"email": "grace@example.net", "self": true},
	"organizer": {"email": "grace@example.net", "self": true}, "start": {"dateTime": "2026-03-05T19:00:00+01:00", "timeZone": "Europe/Paris"},
	"end": {"dateTime": "2026-03-05T20:00:00+01:00", "timeZone": "Europe/Paris"}, "iCalUID": "seen00000001@google.com", "sequence": 2,
	"attendees": [{"email": "grace@example.net", "organizer": true, "self": true, "responseStatus": "accepted"}], "reminders": {"useDefault": true}, "eventType": "default"}`

func seenList(rest, items string) string {
	return `{"kind": "calendar#events", "etag": "\"p33vp5vfari4ou0o\"", "summary": "grace@example.net", "description": "", "updated": "2025-08-14T06:58:35.986Z",
	"timeZone": "Europe/Paris", "accessRole": "owner", "defaultReminders": [{"method": "popup", "minutes": 10}], ` + rest + `"items": [` + items + `]}`
}

// A world that is set up from what was read answers the same.
func TestWhatWasReadIsThere(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	second := strings.ReplaceAll(seenEvent, "seen00000001", "seen00000002")
	imports(r, "GET", evs+"?maxResults=1", "", seenList(`"nextPageToken": "theirPage", `, seenEvent))
	imports(r, "GET", evs+"?maxResults=1&pageToken=theirPage", "", seenList(`"nextSyncToken": "theirSync", `, second))
	imports(r, "POST", root+"/freeBusy", `{"timeMin":"2026-03-05T00:00:00Z","timeMax":"2026-03-06T00:00:00Z","items":[{"id":"primary"}]}`,
		`{"kind": "calendar#freeBusy", "calendars": {"primary": {"busy": [{"start": "2026-03-05T18:00:00Z", "end": "2026-03-05T19:00:00Z"}, {"start": "2026-03-05T08:00:00Z", "end": "2026-03-05T09:00:00Z"}]}}}`)
	imports(r, "POST", evs, `{"id": "seen00000003"}`, strings.ReplaceAll(seenEvent, "seen00000001", "seen00000003")) // the call makes it, not the world
	imports(r, "GET", evs+"/seen00000001", "", strings.ReplaceAll(seenEvent, "Seen", "Changed since"))

	first := r.Must(200, r.Send("GET", evs+"?maxResults=1", ""))
	faketest.Want(t, first, object{
		"nextPageToken": "theirPage", "summary": "grace@example.net", "timeZone": "Europe/Paris", "updated": "2025-08-14T06:58:35.986Z",
		"defaultReminders.0.minutes": 10, "items.0.id": "seen00000001", "items.0.etag": `"3510161555633086"`, "items.0.summary": "Seen", "items.0.sequence": 2,
		"items.0.start": at("2026-03-05T19:00:00+01:00", "Europe/Paris"), "items.0.attendees.0": object{"email": "grace@example.net", "organizer": true, "self": true, "responseStatus": "accepted"},
	})
	faketest.Want(t, r.Must(200, r.Send("GET", evs+"?maxResults=1&pageToken=theirPage", "")), object{"items.0.id": "seen00000002", "nextPageToken": nil, "nextSyncToken": "theirSync"})
	busy := r.Must(200, r.JSON("POST", root+"/freeBusy", object{"timeMin": "2026-03-05T00:00:00Z", "timeMax": "2026-03-06T00:00:00Z", "items": []any{object{"id": "primary"}}}))
	faketest.Want(t, busy, object{"calendars.primary.busy": []any{object{"start": "2026-03-05T08:00:00Z", "end": "2026-03-05T09:00:00Z"}, object{"start": "2026-03-05T18:00:00Z", "end": "2026-03-05T19:00:00Z"}}})

	r.Must(200, r.JSON("PATCH", evs+"/seen00000002", object{"summary": "Ours"}))
	changed := r.Must(200, r.Send("GET", evs+"?syncToken=theirSync", ""))
	faketest.Want(t, changed, object{"items.0.summary": "Ours", "items.1": nil})
	if changed.Text("nextSyncToken") == "theirSync" {
		t.Error("another state has the same sync token")
	}
	r.Must(200, r.JSON("POST", evs, with(meeting("New", "2026-03-05"), object{"id": "seen00000003"})))
}

// What does not pass the contract, or is no answer at all, is left out.
func TestWhatIsNoAnswerIsLeftOut(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, body := range []string{
		"", "[]", "null", `{"kind": 3}`, `{"kind": "calendar#events", "items": [null, 1, {}, {"id": "abc00", "start": 7}, {"id": "abc01", "status": "odd"}]}`, `{"kind": "calendar#event"}`,
		`{"kind": "calendar#calendar", "id": 7}`, `{"kind": "calendar#calendar", "id": "x@example.com", "timeZone": {}}`, `{"kind": "calendar#calendarList", "items": [{"id": "y", "colorId": 3}]}`,
		`{"kind": "calendar#acl", "items": [{"role": "x"}, {"scope": {}}]}`, `{"kind": "calendar#settings", "items": [{"id": 3}, {}]}`, `{"kind": "calendar#freeBusy", "calendars": {"primary": {"busy": [{}, null]}}}`,
		`{"kind": "calendar#event", "id": "abc02", "attendees": [3], "creator": [], "organizer": "me", "recurrence": "daily"}`,
	} {
		imports(r, "GET", evs, "", body)
		imports(r, "GET", root+"/calendars/other@example.com/events", "", body)
	}
	r.Must(200, r.Send("GET", evs+"?showDeleted=true&singleEvents=true", ""))
	r.Must(200, r.Send("GET", root+"/users/me/calendarList", ""))
}

// What a write shows of what was there before it: whose calendar, its zone and
// its other address, and the event that it deletes.
func TestWhatAWriteTakesForGranted(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	infers := func(status int, method, target, sent, answered string) {
		call := called(r.Service, r.World.Begin(), method, target, sent, 0)
		call.Now = r.Now
		r.Service.Fake.(fakes.Inferrer).Infer(call, status, []byte(answered), map[string]bool{"made00000001": true})
		r.World = call.Tx.Commit()
	}
	infers(200, "POST", evs, `{}`, strings.ReplaceAll(seenEvent, "seen00000001", "made00000001"))
	infers(204, "DELETE", evs+"/gone00000001", "", "")
	infers(204, "DELETE", evs+"/made00000001", "", "")
	infers(200, "POST", evs+"/made00000001/move?destination=alias@group.calendar.google.com", "",
		`{"kind": "calendar#event", "id": "made00000001", "organizer": {"email": "team@group.calendar.google.com", "displayName": "Team"}}`)
	infers(403, "POST", evs, `{}`, `{"error": {}}`)
	infers(200, "POST", evs, `{}`, `[]`)

	g := r.Must(200, r.JSON("POST", evs, meeting("x", "2026-03-05")))
	faketest.Want(t, g, object{"creator.email": "grace@example.net", "start.dateTime": "2026-03-05T11:00:00+01:00"})
	if got := r.Must(200, r.Send("GET", evs, "")).IDs("items"); len(got) != 1 {
		t.Errorf("listed are %v", got)
	}
	r.Must(204, r.Send("DELETE", evs+"/gone00000001", ""))
	refused(t, r.Send("DELETE", evs+"/made00000001", ""), 404, "notFound", "Not Found")
	moved := r.Must(200, r.Send("POST", evs+"/"+g.Text("id")+"/move?destination=alias@group.calendar.google.com", ""))
	faketest.Want(t, moved, object{"organizer": object{"email": "team@group.calendar.google.com", "displayName": "Team"}})
}
