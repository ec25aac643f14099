package gateway_test

import "fmt"

// googlecalendarDay has an assistant keep a calendar for an afternoon. What
// production-like says of payments and of queues is met there, and the calendar has
// no part in it. The latency is cut.
func googlecalendarDay() meeting {
	return meeting{
		profile: "googlecalendar-bad-day", play: googlecalendarAfternoon, more: `services: {googlecalendar: {fixtures: [googlecalendar-messy]}}
faults:
  everyday-latency: {enabled: false}
  sandbox-limit: {enabled: false}
  lists-move: {enabled: false}
  googlecalendar-latency: {with: {fixed: 1ms}}
`,
		failed: []string{"always: bounded retries", "always: versions are read", "always: one effect per intent", "googlecalendar-lose-an-event", "googlecalendar-quota", "googlecalendar-fall-over", "sessions-of-an-hour"},
	}
}

func googlecalendarAfternoon(a *hand) {
	for i := range 6 { // what is on
		a.sitsOut("GET", "googlecalendar", fmt.Sprint(meetingsA, "?maxResults=", 40+i), nil)
	}
	const own = "disputes00001" // an id of the client's own finds the event again
	meeting := object{"id": own, "summary": "Disputes", "start": object{"dateTime": "2026-03-05T10:00:00Z"}, "end": object{"dateTime": "2026-03-05T10:30:00Z"}}
	if a.careful {
		a.says("POST", "googlecalendar", meetingsA, meeting)
	} else {
		blind := object{"summary": "Disputes", "start": meeting["start"], "end": meeting["end"]}
		a.insists("POST", "googlecalendar", meetingsA, blind)
		a.insists("POST", "googlecalendar", meetingsA, meeting)
	}
	at := meetingsA + "/" + own
	for i := range 3 {
		a.sitsOut("GET", "googlecalendar", at, nil)
		if a.careful {
			a.sitsOut("GET", "googlecalendar", at, nil)
			a.says("PATCH", "googlecalendar", at, object{"description": fmt.Sprint("Agenda ", i)})
			a.sitsOut("GET", "googlecalendar", at, nil)
			continue
		}
		a.insists("PATCH", "googlecalendar", at, object{"description": fmt.Sprint("Agenda ", i)})
	}
	a.pagesOn()
	for i := range 30 { // enough for what happens by chance
		a.insists("GET", "googlecalendar", fmt.Sprint(meetingsA, "?maxResults=", 60+i), nil)
	}
	a.outstaysToken()
}

// pagesOn meets a cursor that has died: the careful client starts over.
func (a *hand) pagesOn() {
	next := meetingsA + "?maxResults=4&pageToken=" + a.sitsOut("GET", "googlecalendar", meetingsA+"?maxResults=4", nil).at("nextPageToken")
	if a.careful {
		a.says("GET", "googlecalendar", next, nil)
		a.sitsOut("GET", "googlecalendar", meetingsA+"?maxResults=4", nil)
		return
	}
	a.insists("GET", "googlecalendar", next, nil)
}

// outstaysToken calls once the session has ended: the naive client with what it has,
// the careful one after one renewal.
func (a *hand) outstaysToken() {
	a.tokens = map[string]string{}
	a.h.advance(a.h.Run.ID, "2h")
	if !a.careful {
		for range 5 {
			a.says("GET", "googlecalendar", meetingsA, nil)
		}
		return
	}
	a.says("GET", "googlecalendar", meetingsA, nil)
	renewal := "grant_type=refresh_token&client_id=a&client_secret=b&refresh_token=1%2F%2F0first"
	got := a.insists("POST", "googlecalendar", "/token", renewal)
	if !got.fine() { // a 503 outlasts its tries
		got = a.insists("POST", "googlecalendar", "/token", renewal)
	}
	a.tokens["googlecalendar"] = "Bearer " + got.at("access_token")
	a.sitsOut("GET", "googlecalendar", meetingsA, nil)
}
