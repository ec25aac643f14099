package googlecalendar_test

import (
	"slices"
	"testing"

	"parity/fakes/faketest"
)

func TestInvitationsAreMailedOnlyIfAskedFor(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	guests := []any{object{"email": "ada@example.org"}, object{"email": "bob@gmail.com", "optional": true}, object{"email": user, "responseStatus": "accepted"}}
	quiet := r.Must(200, r.JSON("POST", evs, with(meeting("Quiet", "2026-03-05"), object{"attendees": guests})))
	faketest.Want(t, quiet, object{
		"attendees.0": object{"email": "ada@example.org", "responseStatus": "needsAction"},
		"attendees.1": object{"email": "bob@gmail.com", "responseStatus": "needsAction", "optional": true},
		"attendees.2": object{"email": user, "responseStatus": "accepted", "self": true, "organizer": true},
	})
	if sent := r.Outbox(); len(sent) != 0 {
		t.Fatalf("mailed without being asked: %+v", sent)
	}
	id := made(r, with(meeting("Loud", "2026-03-05"), object{"attendees": guests}), "sendUpdates=all")
	made(r, with(meeting("Outside", "2026-03-05"), object{"attendees": guests}), "sendUpdates=externalOnly")
	made(r, with(meeting("Old way", "2026-03-05"), object{"attendees": guests}), "sendNotifications=true")
	made(r, with(meeting("None", "2026-03-05"), object{"attendees": guests}), "sendUpdates=none&sendNotifications=true")
	sent := r.Outbox()
	if len(sent) != 3 || sent[0].Kind != "invitation" || sent[0].ID != id || sent[0].Summary != "Invitation: Loud" || !slices.Equal(sent[0].To, []string{"ada@example.org", "bob@gmail.com"}) ||
		!slices.Equal(sent[1].To, []string{"ada@example.org"}) {
		t.Fatalf("the outbox has %+v", sent)
	}
	// A list is replaced whole: whoever is not in it is uninvited, and what others answered is lost.
	g := r.Must(200, r.JSON("PATCH", evs+"/"+id+"?sendUpdates=all", object{"attendees": []any{object{"email": "ada@example.org"}, object{"email": "eve@example.net"}}}))
	if n := g.Len("attendees"); n != 2 {
		t.Errorf("%d attendees", n)
	}
	r.Must(204, r.Send("DELETE", evs+"/"+id+"?sendUpdates=all", ""))
	var kinds []string
	for _, one := range r.Outbox()[3:] {
		kinds = append(kinds, one.Kind+" "+one.To[0])
	}
	if want := []string{"invitation eve@example.net", "update ada@example.org", "cancellation bob@gmail.com", "cancellation ada@example.org"}; !slices.Equal(kinds, want) {
		t.Errorf("mailed %v, want %v", kinds, want)
	}
	few := r.Must(200, r.Send("GET", evs+"/"+quiet.Text("id")+"?maxAttendees=1", ""))
	faketest.Want(t, few, object{"attendeesOmitted": true, "attendees": []any{object{"email": user, "responseStatus": "accepted", "self": true, "organizer": true}}})
}

func TestConferencesNeedTheirVersion(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	asks := with(meeting("Call", "2026-03-05"), object{"conferenceData": object{"createRequest": object{"requestId": "r1", "conferenceSolutionKey": object{"type": "hangoutsMeet"}}}})
	faketest.Want(t, r.Must(200, r.JSON("POST", evs, asks)), object{"conferenceData": nil, "hangoutLink": nil})
	g := r.Must(200, r.JSON("POST", evs+"?conferenceDataVersion=1", asks))
	faketest.Want(t, g, object{"conferenceData.createRequest.status.statusCode": "success", "conferenceData.conferenceSolution.name": "Google Meet", "conferenceData.entryPoints.0.uri": g.Text("hangoutLink")})
	target := evs + "/" + g.Text("id")
	again := r.Must(200, r.JSON("PATCH", target+"?conferenceDataVersion=1", object{"conferenceData": asks["conferenceData"]}))
	faketest.Want(t, again, object{"hangoutLink": g.Text("hangoutLink")})
	faketest.Want(t, r.Must(200, r.JSON("PUT", target, meeting("Call", "2026-03-05"))), object{"hangoutLink": g.Text("hangoutLink")})
	faketest.Want(t, r.Must(200, r.JSON("PATCH", target, object{"conferenceData": nil})), object{"hangoutLink": g.Text("hangoutLink")})
	faketest.Want(t, r.Must(200, r.JSON("PATCH", target+"?conferenceDataVersion=1", object{"conferenceData": nil})), object{"hangoutLink": nil, "conferenceData": nil})
	refused(t, r.JSON("POST", evs+"?conferenceDataVersion=1", with(asks, object{"conferenceData": object{"createRequest": object{"requestId": "r2", "conferenceSolutionKey": object{"type": "eventHangout"}}}})),
		400, "invalid", "Invalid conference type value.")
}

func TestSharedPropertiesAreTheOrganizers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	g := r.Must(200, r.JSON("POST", evs+"/import", with(meeting("Theirs", "2026-03-05"), object{
		"iCalUID": "abc@elsewhere.example", "organizer": object{"email": "boss@elsewhere.example", "displayName": "The Boss"}, "attendees": []any{object{"email": user}},
	})))
	faketest.Want(t, g, object{"organizer": object{"email": "boss@elsewhere.example", "displayName": "The Boss"}, "iCalUID": "abc@elsewhere.example", "privateCopy": true, "attendees.0.self": true})
	target := evs + "/" + g.Text("id")
	refused(t, r.JSON("PATCH", target, object{"guestsCanModify": true}), 403, "forbiddenForNonOrganizer", "Shared properties can only be changed by the organizer of the event.")
	faketest.Want(t, r.Must(200, r.JSON("PATCH", target, object{"attendees": []any{object{"email": user, "responseStatus": "accepted"}}})), object{"attendees.0.responseStatus": "accepted"})
	again := r.Must(200, r.JSON("POST", evs+"/import", with(meeting("Theirs, later", "2026-03-06"), object{"iCalUID": "abc@elsewhere.example"})))
	faketest.Want(t, again, object{"id": g.Text("id"), "summary": "Theirs, later", "sequence": 1})
	refused(t, r.JSON("POST", evs+"/import", meeting("No uid", "2026-03-05")), 400, "required", "Missing iCal UID.")
}

func TestSequenceNumbersAreHeld(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := made(r, meeting("A", "2026-03-05"))
	r.Must(200, r.JSON("PUT", evs+"/"+id, with(meeting("A", "2026-03-06"), object{"sequence": 0})))
	if g := r.JSON("PUT", evs+"/"+id, with(meeting("A", "2026-03-07"), object{"sequence": 0})); g.Status != 400 || reason(g) != "invalid" {
		t.Errorf("an old sequence number is answered %d %s", g.Status, g.Raw)
	}
	faketest.Want(t, r.Must(200, r.JSON("PUT", evs+"/"+id, with(meeting("A", "2026-03-07"), object{"sequence": 9}))), object{"sequence": 9})
}

func TestQuickAdd(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for text, want := range map[string]object{
		"Lunch with Ada at Café Central tomorrow 12pm-1:30pm": {"summary": "Lunch with Ada", "location": "Café Central", "start.dateTime": "2026-03-02T12:00:00Z", "end.dateTime": "2026-03-02T13:30:00Z"},
		"Appointment at Somewhere on June 3rd 10am-10:25am":   {"summary": "Appointment", "location": "Somewhere", "start.dateTime": "2026-06-03T10:00:00Z", "end.dateTime": "2026-06-03T10:25:00Z"},
		"Dentist Friday 3pm": {"summary": "Dentist", "start.dateTime": "2026-03-06T15:00:00Z", "end.dateTime": "2026-03-06T16:00:00Z"},
		"Breakfast 8am":      {"summary": "Breakfast", "start.dateTime": "2026-03-02T08:00:00Z"}, // it is noon
		"Holiday 2026-05-01": {"summary": "Holiday", "start": on("2026-05-01"), "end": on("2026-05-02")},
	} {
		g := r.Must(200, r.Send("POST", evs+"/quickAdd?text="+escape(text), ""))
		faketest.Want(t, g, want)
	}
	refused(t, r.Send("POST", evs+"/quickAdd", ""), 400, "required", "Required parameter: text")
}

func TestEventsMove(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	team := r.Must(200, r.JSON("POST", root+"/calendars", object{"summary": "Team", "timeZone": "Europe/Vienna"})).Text("id")
	id := made(r, meeting("Moves", "2026-03-05"))
	g := r.Must(200, r.Send("POST", evs+"/"+id+"/move?destination="+escape(team), ""))
	faketest.Want(t, g, object{"id": id, "status": "cancelled", "organizer": object{"email": team, "displayName": "Team"}})
	faketest.Want(t, r.Send("GET", evs+"/"+id, ""), object{"status": "cancelled", "summary": nil, "transparency": "transparent", "start.dateTime": "2000-01-01T00:00:00Z"})
	faketest.Want(t, r.Send("GET", root+"/calendars/"+team+"/events/"+id, ""), object{"status": "confirmed", "start.dateTime": "2026-03-05T11:00:00+01:00", "organizer.self": true, "creator": object{"email": user}})
	refused(t, r.Send("POST", evs+"/"+id+"/move?destination="+escape(team), ""), 410, "deleted", "Resource has been deleted")
	refused(t, r.Send("POST", evs+"/"+id+"/move", ""), 400, "required", "Required parameter: destination")
	refused(t, r.Send("POST", evs+"/"+made(r, meeting("Stays", "2026-03-05"))+"/move?destination=nowhere@example.com", ""), 404, "notFound", "Not Found")
}
