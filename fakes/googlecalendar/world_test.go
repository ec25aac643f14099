package googlecalendar_test

import (
	"os"
	"slices"
	"testing"

	"parity/fakes/faketest"
)

// A fixture says of an event what it has; the rest is as the service has it.
func TestAFixtureNamesItsUserAndEvents(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(`
googlecalendar.account:
  - {id: owner, email: ada@acme.example}
googlecalendar.calendars:
  - {id: c_team@group.calendar.google.com, summary: Team, timeZone: Europe/Vienna}
googlecalendar.events:
  - {id: bare0001, calendar: primary, created: 2009-03-02T08:00:00Z}
  - {id: timed001, calendar: ada@acme.example, created: 2025-03-02T08:00:00Z, summary: Dinner, start: {dateTime: "2026-03-05T19:00:00+01:00", timeZone: Europe/Vienna}, end: {dateTime: "2026-03-05T21:00:00+01:00", timeZone: Europe/Vienna}}
  - {id: weekly01, calendar: c_team@group.calendar.google.com, created: 2025-03-03T08:00:00Z, summary: Weekly, start: {dateTime: "2026-03-02T09:00:00+01:00", timeZone: Europe/Vienna}, recurrence: ["RRULE:FREQ=WEEKLY;COUNT=3"]}
`)
	list := r.Must(200, r.Send("GET", evs, ""))
	faketest.Want(t, list, object{
		"summary": "ada@acme.example", "items.0.created": "2009-03-02T08:00:00Z", "items.0.organizer": object{"email": "ada@acme.example", "self": true},
		"items.0.iCalUID": "bare0001@google.com", "items.1.start.dateTime": "2026-03-05T18:00:00Z", "items.1.kind": "calendar#event", "items.1.status": "confirmed",
	})
	if got := list.IDs("items"); !slices.Equal(got, []string{"bare0001", "timed001"}) {
		t.Errorf("listed are %v", got)
	}
	if got := r.Must(200, r.Send("GET", evs+"?timeMin=2026-03-01T00:00:00Z", "")).IDs("items"); !slices.Equal(got, []string{"timed001"}) {
		t.Errorf("in the window are %v", got)
	}
	team := root + "/calendars/c_team@group.calendar.google.com/events"
	if n := r.Must(200, r.Send("GET", team+"?singleEvents=true", "")).Len("items"); n != 3 {
		t.Errorf("%d instances", n)
	}
	faketest.Want(t, r.Send("GET", root+"/users/me/calendarList", ""), object{"items.0.id": "ada@acme.example", "items.0.primary": true, "items.1.id": "c_team@group.calendar.google.com", "items.1.accessRole": "owner", "items.2": nil})
	r.Must(200, r.JSON("PATCH", evs+"/timed001", object{"summary": "Supper"}))
	refused(t, r.Send("GET", root+"/calendars/user@example.com", ""), 404, "notFound", "Not Found")
}

// The same calls lead to the same world.
func TestTheSameCallsLeadToTheSameWorld(t *testing.T) {
	t.Parallel()
	var hashes []string
	for range 3 {
		r := newRig(t)
		id := made(r, with(weekly("RRULE:FREQ=DAILY;COUNT=9"), object{"attendees": []any{object{"email": "a@example.org"}, object{"email": "b@example.org"}}}), "sendUpdates=all&conferenceDataVersion=1")
		r.Must(204, r.Send("DELETE", evs+"/"+id+"_20260225T140000Z", ""))
		r.Must(200, r.JSON("PATCH", evs+"/"+id, object{"summary": "S", "location": "L", "description": "D"}))
		r.Must(200, r.JSON("POST", evs+"/watch", object{"id": "ch", "type": "web_hook", "address": "https://a.example/"}))
		r.Must(200, r.JSON("POST", root+"/calendars", object{"summary": "Team"}))
		r.Must(200, r.Form("POST", "/token", "grant_type=authorization_code&code=4/x"))
		hashes = append(hashes, r.World.Hash())
	}
	if len(slices.Compact(hashes)) != 1 {
		t.Errorf("three worlds: %v", hashes)
	}
}

// The messy calendar can be worked in.
func TestTheMessyFixture(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../fixture/library/googlecalendar/googlecalendar-messy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	r.Fill(string(content))
	list := r.Must(200, r.Send("GET", root+"/users/me/calendarList", ""))
	if list.Len("items") != 5 {
		t.Errorf("%d calendars: %v", list.Len("items"), list.Texts("items", "summary"))
	}
	week := r.Must(200, r.Send("GET", evs+"?singleEvents=true&orderBy=startTime&timeMin=2026-03-02T00:00:00Z&timeMax=2026-03-07T00:00:00Z", ""))
	faketest.Want(t, week, object{"timeZone": "Europe/Vienna", "summary": "mira@acme.example"})
	for summary, want := range map[string]int{"Stand-up": 3, "FW: Stand-up": 5, "Stand-up (later today)": 1, "standup  ": 1, "Sabbatical Jörg": 1, "Vendor demo": 1, "山田さんの誕生日": 1, "Jubiläum": 0, "Kick-off": 0} {
		n := 0
		for _, has := range week.Texts("items", "summary") {
			if has == summary {
				n++
			}
		}
		if n != want {
			t.Errorf("%s comes %d times, want %d", summary, n, want)
		}
	}
	for _, id := range list.IDs("items") {
		target := root + "/calendars/" + id + "/events"
		all := r.Must(200, r.Send("GET", target+"?showDeleted=true", ""))
		for _, event := range all.IDs("items") {
			r.Must(200, r.Send("GET", target+"/"+event, ""))
		}
	}
	r.Must(200, r.JSON("PATCH", evs+"/offsite000001", object{"location": "Graz"}))
	r.Must(204, r.Send("DELETE", evs+"/_6tlnap7outlook01", ""))
}
