package googlecalendar_test

import (
	"slices"
	"strings"
	"testing"

	"parity/fakes/faketest"
)

// weekly is a Monday's meeting at nine in New York, over the change of clocks.
func weekly(rules ...any) object {
	return object{
		"summary": "Weekly", "start": at("2026-02-23T09:00:00", "America/New_York"), "end": at("2026-02-23T10:00:00", "America/New_York"), "recurrence": rules,
	}
}

func TestInstancesKeepTheirWallClock(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := made(r, weekly("RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=4", "EXDATE;TZID=America/New_York:20260302T090000"))
	g := r.Must(200, r.Send("GET", evs+"/"+id+"/instances", ""))
	if got := g.IDs("items"); !slices.Equal(got, []string{id + "_20260223T140000Z", id + "_20260309T130000Z", id + "_20260316T130000Z"}) {
		t.Errorf("the instances are %v", got)
	}
	faketest.Want(t, g, object{
		"items.1.start": at("2026-03-09T13:00:00Z", "America/New_York"), "items.1.originalStartTime": at("2026-03-09T13:00:00Z", "America/New_York"),
		"items.1.recurringEventId": id, "items.1.recurrence": nil, "items.1.iCalUID": id + "@google.com", "items.1.end.dateTime": "2026-03-09T14:00:00Z",
	})
	single := r.Must(200, r.Send("GET", evs+"?singleEvents=true&orderBy=startTime&timeMin=2026-03-10T00:00:00Z", ""))
	if got := single.IDs("items"); !slices.Equal(got, []string{id + "_20260316T130000Z"}) {
		t.Errorf("single events are %v", got)
	}
	if got := r.Must(200, r.Send("GET", evs+"?timeMin=2026-03-10T00:00:00Z", "")).IDs("items"); !slices.Equal(got, []string{id}) {
		t.Errorf("series are %v", got)
	}
	if got := r.Must(200, r.Send("GET", evs+"?timeMin=2026-03-18T00:00:00Z", "")).IDs("items"); len(got) != 0 {
		t.Errorf("a series that is over: %v", got)
	}
	faketest.Want(t, r.Must(200, r.Send("GET", evs+"/"+id+"_20260316T130000Z", "")), object{"summary": "Weekly", "recurringEventId": id})
	for _, wrong := range []string{id + "_20260302T140000Z", id + "_20260317T130000Z", id + "_2026", "_20260316T130000Z"} {
		refused(t, r.Send("GET", evs+"/"+wrong, ""), 404, "notFound", "Not Found")
	}
}

func TestAnInstanceIsChangedAndAnotherCancelled(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := made(r, weekly("RRULE:FREQ=WEEKLY;COUNT=4"))
	token := r.Must(200, r.Send("GET", evs, "")).Text("nextSyncToken")
	second, third := id+"_20260302T140000Z", id+"_20260309T130000Z"
	g := r.Must(200, r.JSON("PATCH", evs+"/"+second, object{"summary": "Moved", "start": at("2026-03-03T15:00:00Z", "UTC"), "end": at("2026-03-03T16:00:00Z", "UTC")}))
	faketest.Want(t, g, object{"id": second, "recurringEventId": id, "originalStartTime.dateTime": "2026-03-02T14:00:00Z", "sequence": 1, "start.dateTime": "2026-03-03T15:00:00Z"})
	r.Must(204, r.Send("DELETE", evs+"/"+third, ""))
	refused(t, r.Send("DELETE", evs+"/"+third, ""), 410, "deleted", "Resource has been deleted")

	list := r.Must(200, r.Send("GET", evs+"?singleEvents=true&orderBy=startTime", ""))
	if got := list.Texts("items", "summary"); !slices.Equal(got, []string{"Weekly", "Moved", "Weekly"}) {
		t.Errorf("single events are %v", got)
	}
	if n := r.Must(200, r.Send("GET", evs+"/"+id+"/instances?showDeleted=true", "")).Len("items"); n != 4 {
		t.Errorf("%d instances with the deleted", n)
	}
	raw := r.Must(200, r.Send("GET", evs, ""))
	if got := raw.IDs("items"); !slices.Equal(got, []string{id, second, third}) {
		t.Errorf("the series and its exceptions are %v", got)
	}
	if keys := raw.At("items.2").(object); len(keys) != 6 || keys["status"] != "cancelled" {
		t.Errorf("a cancelled instance shows %v", keys)
	}
	if got := r.Must(200, r.Send("GET", evs+"?syncToken="+token, "")).IDs("items"); !slices.Equal(got, []string{second, third}) {
		t.Errorf("changed are %v", got)
	}
	// What the exception does not say otherwise follows the series.
	r.Must(200, r.JSON("PATCH", evs+"/"+id, object{"summary": "Weekly sync", "location": "Room 1"}))
	faketest.Want(t, r.Send("GET", evs+"/"+second, ""), object{"summary": "Moved", "location": "Room 1"})

	r.Must(204, r.Send("DELETE", evs+"/"+id, ""))
	if n := r.Must(200, r.Send("GET", evs+"?singleEvents=true", "")).Len("items"); n != 0 {
		t.Errorf("%d instances of a deleted series", n)
	}
	faketest.Want(t, r.Send("GET", evs+"/"+second, ""), object{"status": "cancelled"})
}

func TestRules(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, test := range []struct {
		rules  []any
		starts string
	}{
		{[]any{"RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3"}, "02-23 02-25 02-27"},
		{[]any{"RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20260304T235959Z"}, "02-23 02-25 03-02 03-04"},
		{[]any{"RRULE:FREQ=WEEKLY;UNTIL=20260309"}, "02-23 03-02 03-09"},
		{[]any{"RRULE:FREQ=MONTHLY;BYDAY=-1MO;COUNT=2"}, "02-23 03-30"},
		{[]any{"RRULE:FREQ=MONTHLY;BYMONTHDAY=31;COUNT=2"}, "02-23 03-31 05-31"},
		{[]any{"RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260224T140000Z", "RDATE:20260301T140000Z"}, "02-23 02-25 03-01"},
		{[]any{"RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=2"}, "02-23 02-25 03-04"},
		{[]any{"RRULE:FREQ=YEARLY;BYMONTHDAY=24;COUNT=1"}, "02-23 02-24"},
		{[]any{"rrule:freq=daily;count=1"}, "02-23"},
	} {
		id := made(r, weekly(test.rules...))
		var got []string
		for _, start := range r.Must(200, r.Send("GET", evs+"/"+id+"/instances", "")).Texts("items", "start.dateTime") {
			got = append(got, start[5:10])
		}
		if strings.Join(got, " ") != test.starts {
			t.Errorf("%v: %v, want %s", test.rules, got, test.starts)
		}
	}
	for _, wrong := range []string{
		"RRULE:FREQ=DAILY;COUNT=0", "RRULE:FREQ=DAILY;COUNT=2;UNTIL=20260401T000000Z", "RRULE:FREQ=DAILY;INTERVAL=0", "RRULE:FREQ=SECONDLY", "RRULE:FREQ=HOURLY",
		"RRULE:", "RRULE", "", "DTSTART:20260101T000000Z", "RRULE:FREQ=DAILY;BYDAY=XX", "RRULE:FREQ=DAILY;COUNT=x", "EXDATE:2026", "EXDATE;TZID=No/Where:20260101T000000",
		"RRULE:FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=1,2,3,4,5,6", "EXDATE:20260224T140000Z", "RRULE:FREQ=YEARLY;BYMONTH=13", "RRULE:FREQ=DAILY;;", "RRULE:FREQ=DAILY;DTSTART=20260101",
	} {
		refused(t, r.JSON("POST", evs, weekly(wrong)), 400, "invalid", "Invalid recurrence rule.")
	}
}

func TestSeriesWithoutEndAndWithoutInstance(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := made(r, weekly("RRULE:FREQ=DAILY"))
	if n := r.Must(200, r.Send("GET", evs+"/"+id+"/instances?maxResults=2500", "")).Len("items"); n != 730 {
		t.Errorf("%d instances of a series without end", n)
	}
	far := r.Must(200, r.Send("GET", evs+"?singleEvents=true&orderBy=startTime&maxResults=2&timeMin=2031-01-01T00:00:00Z", ""))
	if got := far.IDs("items"); !slices.Equal(got, []string{id + "_20310101T140000Z", id + "_20310102T140000Z"}) {
		t.Errorf("far ahead are %v", got)
	}
	never := made(r, weekly("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"))
	if n := r.Must(200, r.Send("GET", evs+"/"+never+"/instances", "")).Len("items"); n != 1 {
		t.Errorf("%d instances on the 30th of February", n)
	}
	days := made(r, object{"summary": "Rent", "start": on("2026-03-29"), "end": on("2026-03-30"), "recurrence": []any{"RRULE:FREQ=MONTHLY;COUNT=3", "EXDATE;VALUE=DATE:20260429"}})
	if got := r.Must(200, r.Send("GET", evs+"/"+days+"/instances", "")).IDs("items"); !slices.Equal(got, []string{days + "_20260329", days + "_20260529"}) {
		t.Errorf("whole days are %v", got)
	}
	faketest.Want(t, r.Send("GET", evs+"/"+days+"_20260529", ""), object{"start": on("2026-05-29"), "end": on("2026-05-30"), "originalStartTime": on("2026-05-29")})
}

func TestPagesOfInstancesAndOneByItsStart(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := made(r, weekly("RRULE:FREQ=WEEKLY;COUNT=5"))
	made(r, meeting("Between", "2026-03-04"))
	var seen []string
	token := ""
	for {
		g := r.Must(200, r.Send("GET", evs+"?singleEvents=true&orderBy=startTime&maxResults=2&timeMin=2026-02-24T00:00:00Z&pageToken="+token, ""))
		seen = append(seen, g.Texts("items", "start.dateTime")...)
		if token = g.Text("nextPageToken"); token == "" {
			break
		}
	}
	if len(seen) != 5 || !slices.IsSorted(seen) {
		t.Errorf("seen %v", seen)
	}
	for _, rule := range []string{"RRULE:FREQ=WEEKLY;INTERVAL=3;BYDAY=TU,SU;WKST=SU", "RRULE:FREQ=DAILY;INTERVAL=5", "RRULE:FREQ=WEEKLY;INTERVAL=2"} {
		whole := made(r, weekly(rule))
		near := r.Must(200, r.Send("GET", evs+"/"+whole+"/instances?maxResults=2500&timeMax=2031-01-01T00:00:00Z", "")).IDs("items")
		skipped := r.Must(200, r.Send("GET", evs+"/"+whole+"/instances?timeMin=2030-06-01T00:00:00Z&timeMax=2031-01-01T00:00:00Z", "")).IDs("items")
		if len(skipped) < 8 || !slices.Equal(near[len(near)-len(skipped):], skipped) {
			t.Errorf("%s: ahead are %v", rule, skipped)
		}
	}
	one := r.Must(200, r.Send("GET", evs+"/"+id+"/instances?originalStart=2026-03-09T09:00:00-04:00", ""))
	if got := one.IDs("items"); !slices.Equal(got, []string{id + "_20260309T130000Z"}) {
		t.Errorf("by its start: %v", got)
	}
}

// A hostile rule must not keep the run's lock for long: what there is to find
// is found, and the search ends.
func TestRulesAreBounded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for rule, want := range map[string]int{
		"RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30": 1, "RRULE:FREQ=DAILY;INTERVAL=999999999": 1, "RRULE:FREQ=WEEKLY;BYSETPOS=366;BYDAY=MO": 1,
		"RRULE:FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;BYMONTH=6": 1, "RRULE:FREQ=DAILY;COUNT=2000000000": 5, "RRULE:FREQ=DAILY;UNTIL=99991231T235959Z": 5,
	} {
		id := made(r, weekly(rule))
		if n := r.Must(200, r.Send("GET", evs+"/"+id+"/instances?maxResults=5", "")).Len("items"); n != want {
			t.Errorf("%s: %d instances, want %d", rule, n, want)
		}
	}
	far := r.Must(200, r.Send("GET", evs+"?timeMin=9000-01-01T00:00:00Z&singleEvents=true&orderBy=startTime&maxResults=1", ""))
	if start := far.Text("items.0.start.dateTime"); start != "9000-01-01T14:00:00Z" {
		t.Errorf("in 9000 the first is at %q", start)
	}
}
