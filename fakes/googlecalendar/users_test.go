package googlecalendar_test

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"parity/fakes/faketest"
)

const office = `
googlecalendar.account:
  - {id: ada, email: ada@acme.example, timeZone: Europe/Vienna}
  - {id: bob, email: bob@acme.example, timeZone: America/New_York}
  - {id: cyd, email: cyd@acme.example}
googlecalendar.tokens:
  - {id: ya29.ada, subject: ada@acme.example}
  - {id: ya29.bob, subject: bob}
  - {id: ya29.cyd, subject: cyd@acme.example}
googlecalendar.calendars:
  - {id: c_team0000000000000000000000000000000000000000@group.calendar.google.com, summary: Team, dataOwner: bob@acme.example}
googlecalendar.acl:
  - {id: "ada@acme.example/user:cyd@acme.example", calendar: ada@acme.example, role: freeBusyReader, scope: {type: user, value: cyd@acme.example}}
googlecalendar.events:
  - {id: kickoff00001, calendar: ada@acme.example, summary: Kick-off, start: {dateTime: "2026-03-04T09:00:00Z"}, end: {dateTime: "2026-03-04T10:00:00Z"}, attendees: [{email: ada@acme.example, responseStatus: accepted}, {email: bob@acme.example}]}
  - {id: weekly000001, calendar: ada@acme.example, summary: Weekly, recurrence: ["RRULE:FREQ=WEEKLY;COUNT=4"], start: {dateTime: "2026-03-06T09:00:00Z", timeZone: UTC}, end: {dateTime: "2026-03-06T09:30:00Z", timeZone: UTC}, attendees: [{email: bob@acme.example}, {email: cyd@acme.example}]}
`

// workplace is a world of three users, and how each of them calls.
type workplace struct{ *faketest.Rig }

func newOffice(t testing.TB) workplace {
	t.Helper()
	r := newRig(t)
	r.Fill(office)
	return workplace{r}
}

// as has the next calls be somebody's.
func (o workplace) as(who string) workplace {
	o.Header.Set("Authorization", "Bearer ya29."+who)
	return o
}

func (o workplace) event(id string) faketest.Got { return o.Send("GET", evs+"/"+id, "") }

func (o workplace) patch(id string, set object) faketest.Got {
	return o.JSON("PATCH", evs+"/"+id, set)
}

// answer has the caller answer an invitation.
func (o workplace) answer(id, who, says string) faketest.Got {
	return o.Must(200, o.patch(id, object{"attendees": []any{object{"email": who, "responseStatus": says}}}))
}

// status is what a guest answered, as an event shows it.
func status(g faketest.Got, email string) string {
	for i, one := range g.Texts("attendees", "email") {
		if one == email {
			return g.Texts("attendees", "responseStatus")[i]
		}
	}
	return ""
}

func TestEachTokenActsForItsUser(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for who, zone := range map[string]string{"ada": "Europe/Vienna", "bob": "America/New_York", "cyd": "UTC", "anything": "Europe/Vienna"} {
		email := who + "@acme.example"
		if who == "anything" {
			email = "ada@acme.example"
		}
		faketest.Want(t, o.as(who).Must(200, o.Send("GET", root+"/calendars/primary", "")), object{"id": email, "timeZone": zone})
		faketest.Want(t, o.Must(200, o.Send("GET", root+"/users/me/settings/timezone", "")), object{"value": zone})
		list := o.Must(200, o.Send("GET", root+"/users/me/calendarList", ""))
		if n := map[string]int{"bob": 2}[who]; list.Len("items") != max(n, 1) {
			t.Errorf("%s lists %v", who, list.IDs("items"))
		}
	}
	colour := o.as("cyd").Must(200, o.JSON("PATCH", root+"/users/me/calendarList/primary", object{"colorId": "3"}))
	if was := o.as("ada").Must(200, o.Send("GET", root+"/users/me/calendarList/primary", "")); was.Text("colorId") == colour.Text("colorId") {
		t.Error("a list of calendars is its user's own")
	}
}

func TestServiceAccountsActForWhomTheyName(t *testing.T) {
	t.Parallel()
	signed := func(claims object) string {
		part := func(v any) string { text, _ := json.Marshal(v); return base64.RawURLEncoding.EncodeToString(text) }
		return url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "assertion": {part(object{"alg": "RS256"}) + "." + part(claims) + ".sig"}}.Encode()
	}
	o := newOffice(t)
	claims := object{"iss": "bot@p.iam.gserviceaccount.com", "scope": "https://www.googleapis.com/auth/calendar"}
	for sub, want := range map[string]string{"bob@acme.example": "bob@acme.example", "": "bot@p.iam.gserviceaccount.com"} {
		token := o.Must(200, o.Form("POST", "/token", signed(with(claims, object{"sub": sub})))).Text("access_token")
		o.Header.Set("Authorization", "Bearer "+token)
		faketest.Want(t, o.Must(200, o.Send("GET", root+"/calendars/primary", "")), object{"id": want})
	}
	faketest.Want(t, o.Must(400, o.Form("POST", "/token", signed(with(claims, object{"sub": "eve@acme.example"})))), object{"error": "invalid_grant", "error_description": "Invalid email or User ID"})
}

func TestRolesDecideWhatOthersReadAndWrite(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	adas := root + "/calendars/ada@acme.example"
	refused(t, o.as("bob").Send("GET", adas+"/events", ""), 404, "notFound", "Not Found")
	o.as("ada").Must(200, o.patch("kickoff00001", object{"visibility": "private"}))
	low := func(role string) string { return "You need to have " + role + " access to this calendar." }
	for _, step := range []struct {
		role          string
		read, details bool
		write, share  int
	}{{"freeBusyReader", false, false, 403, 403}, {"reader", true, false, 403, 403}, {"writer", true, true, 200, 403}, {"owner", true, true, 200, 200}} {
		o.as("ada").Must(200, o.JSON("POST", adas+"/acl", object{"role": step.role, "scope": object{"type": "user", "value": "cyd@acme.example"}}))
		o.as("cyd")
		if busy := o.Must(200, o.JSON("POST", root+"/freeBusy", object{"timeMin": "2026-03-04T00:00:00Z", "timeMax": "2026-03-05T00:00:00Z", "items": []any{object{"id": "ada@acme.example"}}})); !strings.Contains(busy.Raw, "2026-03-04T09:00:00Z") {
			t.Errorf("%s may see when Ada is busy: %s", step.role, busy.Raw)
		}
		if event := o.Must(200, o.Send("GET", adas+"/events/kickoff00001", "")); (event.Text("summary") == "Kick-off") != step.details {
			t.Errorf("%s is shown %s", step.role, event.Raw)
		}
		if event := o.Must(200, o.Send("GET", adas+"/events/weekly000001", "")); (event.Text("summary") == "Weekly") != step.read {
			t.Errorf("%s is shown %s", step.role, event.Raw)
		}
		wrote := o.JSON("POST", adas+"/events", meeting("By Cyd", "2026-03-09"))
		if step.write != 200 {
			refused(t, wrote, step.write, "requiredAccessLevel", low("writer"))
		} else {
			faketest.Want(t, o.Must(200, wrote), object{"creator": object{"email": "cyd@acme.example"}, "organizer": object{"email": "ada@acme.example", "self": true}})
		}
		if rules := o.Send("GET", adas+"/acl", ""); rules.Status != step.share {
			t.Errorf("%s reads the rules: %d", step.role, rules.Status)
		}
	}
	if n := o.Must(200, o.Send("GET", root+"/users/me/calendarList", "")).Len("items"); n != 1 {
		t.Error("a calendar that was shared is in no list until it is put there")
	}
	faketest.Want(t, o.Must(200, o.JSON("POST", root+"/users/me/calendarList", object{"id": "ada@acme.example"})), object{"accessRole": "owner"})
	o.as("ada").Must(204, o.Send("DELETE", adas+"/acl/user:cyd@acme.example", ""))
	refused(t, o.as("cyd").Send("GET", adas+"/events", ""), 404, "notFound", "Not Found")
}

func TestGuestsHaveCopiesAndAnswerInThem(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	mine := o.as("bob").Must(200, o.event("kickoff00001"))
	faketest.Want(t, mine, object{"summary": "Kick-off", "start.dateTime": "2026-03-04T04:00:00-05:00", "organizer": object{"email": "ada@acme.example"}, "attendees.1.self": true})
	if busy := o.Must(200, o.JSON("POST", root+"/freeBusy", object{"timeMin": "2026-03-04T00:00:00Z", "timeMax": "2026-03-05T00:00:00Z", "items": []any{object{"id": "primary"}}})); busy.Len("calendars.primary.busy") != 1 {
		t.Errorf("an invitation takes a guest's time: %s", busy.Raw)
	}
	o.Must(200, o.patch("kickoff00001", object{"colorId": "5", "reminders": object{"useDefault": false}, "extendedProperties": object{"private": object{"k": "bob"}}}))
	o.answer("kickoff00001", "bob@acme.example", "accepted")
	theirs := o.as("ada").Must(200, o.event("kickoff00001"))
	faketest.Want(t, theirs, object{"colorId": nil, "extendedProperties": nil, "reminders.useDefault": true})
	if status(theirs, "bob@acme.example") != "accepted" || status(theirs, "ada@acme.example") != "accepted" {
		t.Errorf("the organizer sees %s", theirs.Raw)
	}
	o.Must(200, o.patch("kickoff00001", object{"summary": "Kick-off, later", "start": at("2026-03-04T12:00:00Z", "UTC"), "end": at("2026-03-04T13:00:00Z", "UTC")}))
	moved := o.as("bob").Must(200, o.event("kickoff00001"))
	faketest.Want(t, moved, object{"summary": "Kick-off, later", "start.dateTime": "2026-03-04T07:00:00-05:00", "colorId": "5", "extendedProperties.private.k": "bob", "sequence": 1})
	refused(t, o.patch("kickoff00001", object{"guestsCanModify": true}), 403, "forbiddenForNonOrganizer", "Shared properties can only be changed by the organizer of the event.")
	o.Must(200, o.patch("kickoff00001", object{"summary": "what Bob calls it"}))
	faketest.Want(t, o.as("ada").Must(200, o.event("kickoff00001")), object{"summary": "Kick-off, later"})
	o.Must(200, o.patch("kickoff00001", object{"guestsCanModify": true, "guestsCanSeeOtherGuests": false}))
	o.as("bob").Must(200, o.patch("kickoff00001", object{"location": "Room 4"}))
	faketest.Want(t, o.as("ada").Must(200, o.event("kickoff00001")), object{"location": "Room 4", "summary": "Kick-off, later"})
	o.as("bob").Must(204, o.Send("DELETE", evs+"/kickoff00001", ""))
	if g := o.as("ada").Must(200, o.event("kickoff00001")); status(g, "bob@acme.example") != "declined" || g.Text("status") != "confirmed" {
		t.Errorf("a guest who deletes the copy declines: %s", g.Raw)
	}
	if sent := o.Outbox(); len(sent) != 0 {
		t.Errorf("nobody asked for mail: %v", sent)
	}
}

func TestCopiesFollowGuestListsSeriesAndDeletion(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	second := "weekly000001_20260313T090000Z"
	o.as("cyd").answer(second, "cyd@acme.example", "declined")
	one := o.as("ada").Must(200, o.event(second))
	all := o.Must(200, o.event("weekly000001"))
	if status(one, "cyd@acme.example") != "declined" || status(all, "cyd@acme.example") != "needsAction" {
		t.Errorf("one instance is answered apart: %s %s", one.Raw, all.Raw)
	}
	if g := o.as("bob").Must(200, o.event(second)); status(g, "cyd@acme.example") != "declined" {
		t.Errorf("the other guests see it: %s", g.Raw)
	}
	o.as("ada").Must(204, o.Send("DELETE", evs+"/weekly000001_20260320T090000Z", ""))
	if days := o.as("bob").Must(200, o.Send("GET", evs+"?singleEvents=true&q=weekly", "")); days.Len("items") != 3 {
		t.Errorf("an instance that was cancelled is in no copy: %v", days.IDs("items"))
	}
	o.as("ada").Must(200, o.patch("weekly000001", object{"attendees": []any{object{"email": "bob@acme.example"}}}))
	faketest.Want(t, o.as("cyd").Must(200, o.event("weekly000001")), object{"status": "cancelled"})
	id := o.as("bob").Must(200, o.JSON("POST", evs+"?sendUpdates=all", with(meeting("Review", "2026-03-10"), object{"attendees": []any{object{"email": "Cyd@acme.example"}, object{"email": "out@side.example"}}}))).Text("id")
	o.as("cyd").Must(200, o.JSON("PATCH", evs+"/"+id+"?sendUpdates=all", object{"attendees": []any{object{"email": "cyd@acme.example", "responseStatus": "tentative"}, object{"email": "ada@acme.example"}}}))
	if g := o.as("ada").Must(200, o.event(id)); status(g, "ada@acme.example") != "needsAction" {
		t.Errorf("a guest may bring somebody: %s", g.Raw)
	}
	o.as("bob").Must(204, o.Send("DELETE", evs+"/"+id, ""))
	for _, guest := range []string{"ada", "cyd"} {
		faketest.Want(t, o.as(guest).Must(200, o.event(id)), object{"status": "cancelled"})
	}
	var mails []string
	for _, sent := range o.Outbox() {
		mails = append(mails, sent.Kind+" "+sent.Summary)
	}
	if want := []string{"invitation Invitation: Review", "reply Tentatively accepted: Review"}; !slices.Equal(mails, want) {
		t.Errorf("mailed %v, want %v", mails, want)
	}
}
