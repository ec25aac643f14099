package googlecalendar_test

import (
	"strings"
	"testing"
)

// Whatever comes is answered; nothing brings the fake down.
func TestOddBodiesAreAnswered(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := made(r, weekly("RRULE:FREQ=DAILY;COUNT=3"))
	odd := []string{"null", "3", `"x"`, "[]", "{}", "[1]", "true", `{"a":{"b":[null]}}`, `{"email":"x"}`, `[{"fileUrl":3}]`, `"\u0000"`, `{"createRequest":{"requestId":7}}`, `{"date":"0000-00-00"}`, `{"dateTime":"9999-12-31T23:59:59Z"}`, `"` + strings.Repeat("x", 5000) + `"`}
	fields := []string{
		"id", "summary", "start", "end", "recurrence", "attendees", "reminders", "conferenceData", "attachments", "extendedProperties", "gadget", "source", "eventLabelId", "birthdayProperties",
		"workingLocationProperties", "organizer", "iCalUID", "sequence", "originalStartTime", "status", "colorId", "transparency", "role", "scope", "notificationSettings", "defaultReminders", "backgroundColor",
		"address", "type", "expiration", "params", "timeMin", "items", "timeZone", "hidden", "eventType", "guestsCanModify",
	}
	targets := map[string]string{
		evs + "?conferenceDataVersion=1&supportsAttachments=true": "POST", evs + "/" + id + "?conferenceDataVersion=1&supportsAttachments=true": "PATCH", evs + "/import": "POST",
		root + "/calendars": "POST", root + "/calendars/primary": "PATCH", root + "/users/me/calendarList/primary": "PATCH", root + "/users/me/calendarList": "POST", root + "/calendars/primary/acl": "POST",
		evs + "/watch": "POST", root + "/freeBusy": "POST", root + "/channels/stop": "POST",
	}
	answered := map[int]int{}
	for target, method := range targets {
		for _, field := range fields {
			for _, value := range odd {
				body := `{"` + field + `":` + value
				if strings.Contains(target, "events") && method == "POST" {
					for name, usual := range map[string]string{"start": `{"date":"2026-03-05"}`, "end": `{"date":"2026-03-06"}`, "iCalUID": `"u"`} {
						if name != field {
							body += `,"` + name + `":` + usual
						}
					}
				}
				g := r.Send(method, target, body+"}", "Content-Type", "application/json")
				if answered[g.Status]++; g.Status >= 500 {
					t.Errorf("%s %s %s is answered %d", method, target, body, g.Status)
				}
			}
		}
	}
	t.Logf("answered %v", answered)
	for _, query := range []string{"maxResults=-1", "maxResults=99999999999999", "timeMin=x", "pageToken=%3D", "syncToken=CAAA", "fields=((", "q=%00", "orderBy=", "timeZone=Local", "privateExtendedProperty=x", "maxAttendees=0"} {
		if g := r.Send("GET", evs+"?"+query, ""); g.Status >= 500 {
			t.Errorf("%s is answered %d", query, g.Status)
		}
	}
	r.Must(200, r.Send("GET", evs+"?singleEvents=true&orderBy=startTime", ""))
}
