package googlecalendar_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func escape(text string) string { return url.QueryEscape(text) }

func TestCalendarsAndTheListOfThem(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	g := r.Must(200, r.JSON("POST", root+"/calendars", object{"summary": "Team", "timeZone": "Europe/Vienna", "description": "All of us"}))
	id := g.Text("id")
	if !strings.HasPrefix(id, "c_") || !strings.HasSuffix(id, "@group.calendar.google.com") || g.Header.Get("Etag") != g.Text("etag") {
		t.Errorf("made %s", g.Raw)
	}
	list := r.Must(200, r.Send("GET", root+"/users/me/calendarList", ""))
	if got := list.IDs("items"); !slices.Equal(got, []string{user, id}) {
		t.Fatalf("the list has %v", got)
	}
	faketest.Want(t, list, object{
		"kind": "calendar#calendarList", "items.0.primary": true, "items.0.accessRole": "owner", "items.0.backgroundColor": "#9fe1e7", "items.0.summary": user,
		"items.1.primary": nil, "items.1.summary": "Team", "items.1.timeZone": "Europe/Vienna", "items.1.accessRole": "owner", "items.1.defaultReminders": []any{},
	})
	entry := root + "/users/me/calendarList/" + id
	faketest.Want(t, r.Must(200, r.JSON("PATCH", entry, object{"summaryOverride": "My team", "colorId": "5", "hidden": true, "defaultReminders": []any{object{"method": "email", "minutes": 10}}})),
		object{"summaryOverride": "My team", "backgroundColor": "#ff7537", "hidden": true, "defaultReminders.0.minutes": 10})
	if got := r.Must(200, r.Send("GET", root+"/users/me/calendarList", "")).IDs("items"); !slices.Equal(got, []string{user}) {
		t.Errorf("hidden, and listed: %v", got)
	}
	if got := r.Must(200, r.Send("GET", root+"/users/me/calendarList?showHidden=true&minAccessRole=writer", "")).IDs("items"); !slices.Equal(got, []string{user, id}) {
		t.Errorf("shown are %v", got)
	}
	sync := r.Must(200, r.Send("GET", root+"/users/me/calendarList?syncToken="+list.Text("nextSyncToken"), ""))
	if got := sync.IDs("items"); !slices.Equal(got, []string{id}) {
		t.Errorf("changed are %v", got)
	}
	faketest.Want(t, r.Send("GET", root+"/calendars/"+id+"/events", ""), object{"summary": "My team", "description": "All of us"})
	r.Must(204, r.Send("DELETE", entry, ""))
	refused(t, r.Send("GET", entry, ""), 404, "notFound", "Not Found")
	r.Must(200, r.Send("GET", root+"/calendars/"+id, ""))
	r.Must(200, r.JSON("POST", root+"/users/me/calendarList", object{"id": id}))
	r.Must(200, r.Send("GET", entry, ""))
	r.Must(204, r.Send("DELETE", root+"/calendars/"+id, ""))
	refused(t, r.Send("GET", root+"/calendars/"+id, ""), 404, "notFound", "Not Found")
	refused(t, r.Send("DELETE", root+"/calendars/primary", ""), 403, "cannotDeletePrimaryCalendar", "The primary calendar of a user cannot be deleted; clear it instead.")
	refused(t, r.JSON("POST", root+"/calendars", object{}), 400, "required", "Missing title.")
	made(r, meeting("A", "2026-03-05"))
	r.Must(204, r.Send("POST", root+"/calendars/primary/clear", ""))
	if n := r.Must(200, r.Send("GET", evs, "")).Len("items"); n != 0 {
		t.Errorf("%d events after clear", n)
	}
}

func TestSharingAndWhatItAllows(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(`
googlecalendar.calendars:
  - {id: c_theirs@group.calendar.google.com, summary: Theirs, timeZone: UTC, dataOwner: ada@example.org}
googlecalendar.acl:
  - {id: "c_theirs@group.calendar.google.com/user:user@example.com", calendar: c_theirs@group.calendar.google.com, role: reader, scope: {type: user, value: user@example.com}}
`)
	theirs := root + "/calendars/c_theirs@group.calendar.google.com"
	faketest.Want(t, r.Must(200, r.Send("GET", theirs+"/events", "")), object{"accessRole": "reader"})
	refused(t, r.JSON("POST", theirs+"/events", meeting("x", "2026-03-05")), 403, "requiredAccessLevel", "You need to have writer access to this calendar.")
	refused(t, r.Send("GET", theirs+"/acl", ""), 403, "requiredAccessLevel", "You need to have owner access to this calendar.")

	acl := root + "/calendars/primary/acl"
	g := r.Must(200, r.JSON("POST", acl, object{"role": "writer", "scope": object{"type": "user", "value": "ada@example.org"}}))
	faketest.Want(t, g, object{"id": "user:ada@example.org", "kind": "calendar#aclRule", "role": "writer"})
	if sent := r.Outbox(); len(sent) != 1 || sent[0].Kind != "sharing" || sent[0].To[0] != "ada@example.org" {
		t.Errorf("mailed %+v", sent)
	}
	r.Must(200, r.JSON("POST", acl+"?sendNotifications=false", object{"role": "reader", "scope": object{"type": "default"}}))
	list := r.Must(200, r.Send("GET", acl, ""))
	if got := list.IDs("items"); !slices.Equal(got, []string{"user:" + user, "user:ada@example.org", "default"}) {
		t.Errorf("the rules are %v", got)
	}
	faketest.Want(t, r.Must(200, r.JSON("PATCH", acl+"/user:ada@example.org", object{"role": "owner"})), object{"role": "owner"})
	r.Must(204, r.Send("DELETE", acl+"/default", ""))
	refused(t, r.Send("GET", acl+"/default", ""), 404, "notFound", "Not Found")
	changed := r.Must(200, r.Send("GET", acl+"?syncToken="+list.Text("nextSyncToken"), ""))
	faketest.Want(t, changed, object{"items.1.role": "none", "items.0.role": "owner"})
	refused(t, r.JSON("POST", acl, object{"scope": object{"type": "default"}}), 400, "required", "Missing role.")
	refused(t, r.JSON("POST", acl, object{"role": "king", "scope": object{"type": "default"}}), 400, "invalid", "Invalid role.")
}

func TestFreeBusyMergesAndTellsErrorsApart(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	made(r, meeting("A", "2026-03-05"))
	made(r, object{"start": at("2026-03-05T10:15:00Z", "UTC"), "end": at("2026-03-05T11:00:00Z", "UTC")})
	made(r, with(meeting("Free", "2026-03-06"), object{"transparency": "transparent"}))
	made(r, with(meeting("Declined", "2026-03-06"), object{"attendees": []any{object{"email": user, "responseStatus": "declined"}}}))
	made(r, object{"start": at("2026-03-02T15:00:00Z", "UTC"), "end": at("2026-03-02T16:00:00Z", "UTC"), "recurrence": []any{"RRULE:FREQ=DAILY;COUNT=10"}})
	g := r.Must(200, r.JSON("POST", root+"/freeBusy", object{
		"timeMin": "2026-03-05T00:00:00Z", "timeMax": "2026-03-07T00:00:00Z", "timeZone": "Europe/Vienna",
		"items": []any{object{"id": "primary"}, object{"id": "nobody@example.com"}},
	}))
	faketest.Want(t, g, object{"kind": "calendar#freeBusy", "timeMin": "2026-03-05T00:00:00.000Z", "timeMax": "2026-03-07T00:00:00.000Z"})
	calendars := g.At("calendars").(object)
	busy, unknown := faketest.Got{Body: calendars["primary"]}, faketest.Got{Body: calendars["nobody@example.com"]}
	if got := busy.Texts("busy", "start"); !slices.Equal(got, []string{"2026-03-05T11:00:00+01:00", "2026-03-05T16:00:00+01:00", "2026-03-06T16:00:00+01:00"}) {
		t.Errorf("busy from %v", got)
	}
	faketest.Want(t, busy, object{"busy.0.end": "2026-03-05T12:00:00+01:00"})
	faketest.Want(t, unknown, object{"errors": []any{object{"domain": "global", "reason": "notFound"}}, "busy": []any{}})
	refused(t, r.JSON("POST", root+"/freeBusy", object{"timeMin": "2026-03-05T00:00:00Z", "timeMax": "2026-03-05T00:00:00Z"}), 400, "timeRangeEmpty", "The specified time range is empty.")
	refused(t, r.JSON("POST", root+"/freeBusy", object{"timeMin": "2026-03-05T00:00:00Z"}), 400, "required", "Missing timeMax parameter.")
}

func TestSettingsColorsAndDiscovery(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Must(200, r.JSON("PATCH", root+"/calendars/primary", object{"timeZone": "Europe/Vienna"}))
	faketest.Want(t, r.Must(200, r.Send("GET", root+"/users/me/settings/timezone", "")), object{"value": "Europe/Vienna", "kind": "calendar#setting"})
	if ids := r.Must(200, r.Send("GET", root+"/users/me/settings", "")).IDs("items"); !slices.Contains(ids, "weekStart") || !slices.IsSorted(ids) {
		t.Errorf("the settings are %v", ids)
	}
	refused(t, r.Send("GET", root+"/users/me/settings/mood", ""), 404, "notFound", "Not Found")
	faketest.Want(t, r.Must(200, r.Send("GET", root+"/colors", "")), object{"calendar.24.background": "#a47ae2", "event.11.background": "#dc2127", "event.12": nil})
	d := r.Must(200, r.Send("GET", "/discovery/v1/apis/calendar/v3/rest", "", "Authorization", ""))
	faketest.Want(t, d, object{
		"id": "calendar:v3", "baseUrl": r.Base + "/calendar/v3/", "batchPath": "batch/calendar/v3", "resources.events.methods.insert.path": "calendars/{calendarId}/events",
		"resources.events.methods.list.parameters.eventTypes.repeated": true, "resources.freebusy.methods.query.httpMethod": "POST",
	})
}

func TestChannels(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	channel := object{"id": "ch-1", "type": "web_hook", "address": "https://agent.example/hook", "token": "t=1"}
	g := r.Must(200, r.JSON("POST", evs+"/watch", channel))
	faketest.Want(t, g, object{"kind": "api#channel", "id": "ch-1", "token": "t=1", "resourceUri": r.Base + evs + "?alt=json", "address": nil})
	refused(t, r.JSON("POST", evs+"/watch", channel), 400, "channelIdNotUnique", "Channel id ch-1 not unique")
	refused(t, r.JSON("POST", evs+"/watch", with(channel, object{"id": "ch-2", "address": "http://agent.example/hook"})), 400, "push.webhookUrlNotHttps", "WebHook callback must be HTTPS: http://agent.example/hook")
	sync, header := r.Attempt(200)
	if sync.Header["X-Goog-Resource-State"] != "sync" || sync.Header["X-Goog-Message-Number"] != "1" || len(sync.Body) != 0 || sync.URL != "https://agent.example/hook" ||
		sync.Header["X-Goog-Channel-Token"] != "t=1" || sync.Header["X-Goog-Resource-Id"] != g.Text("resourceId") || header.Get("User-Agent") == "" {
		t.Errorf("the first message is %+v, %v", sync, header)
	}
	id := made(r, meeting("A", "2026-03-05"))
	r.Must(204, r.Send("DELETE", evs+"/"+id, ""))
	if n := len(r.Deliveries()); n != 2 {
		t.Fatalf("%d messages of 2 changes", n)
	}
	failed, _ := r.Attempt(503)
	if failed.Header["X-Goog-Resource-State"] != "exists" || failed.Header["X-Goog-Message-Number"] != "2" {
		t.Errorf("the second message is %+v", failed)
	}
	r.Attempt(404) // the third is lost
	if all := r.Deliveries(); len(all) != 1 || all[0].Attempt != 2 || all[0].Header["X-Goog-Message-Number"] != "2" {
		t.Errorf("what waits is %+v", all)
	}
	r.Attempt(200)
	stop := object{"id": "ch-1", "resourceId": g.Text("resourceId")}
	r.Must(204, r.JSON("POST", root+"/channels/stop", stop))
	if g := r.JSON("POST", root+"/channels/stop", stop); g.Status != 404 || reason(g) != "notFound" {
		t.Errorf("stopped twice: %d %s", g.Status, g.Raw)
	}
	r.Must(200, r.JSON("POST", root+"/users/me/calendarList/watch", with(channel, object{"params": object{"ttl": "60"}})))
	r.Attempt(200)
	r.Wait(2 * time.Minute)
	r.Must(200, r.JSON("POST", root+"/calendars", object{"summary": "Team"}))
	if all := r.Deliveries(); len(all) != 0 {
		t.Errorf("an expired channel is told %+v", all)
	}
}
