package googlecalendar_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func recurring(t *testing.T, rule string) (r *faketest.Rig, id string) {
	t.Helper()
	r = newRig(t)
	r.Vendor = nil
	return r, made(r, with(meeting("Standup", "2026-03-02"), object{"recurrence": []any{rule}}))
}

// A page of one instance made all instances up to timeMax: 9 s of work for sixty
// years of hours.
func TestAListOfInstancesWorksOutNoMoreThanItsPage(t *testing.T) {
	r, id := recurring(t, "RRULE:FREQ=DAILY;BYHOUR=0,6,12,18")
	for _, target := range []string{evs + "?singleEvents=true&maxResults=1", evs + "?singleEvents=true&orderBy=startTime&maxResults=1", evs + "/" + id + "/instances?maxResults=1"} {
		allocs := func(until string) float64 {
			return testing.AllocsPerRun(3, func() { r.Must(200, r.Send("GET", target+"&timeMax="+until, "")) })
		}
		if near, far := allocs("2026-03-06T00:00:00Z"), allocs("2046-03-06T00:00:00Z"); far > 2*near {
			t.Errorf("%s: %.0f allocations for four days, %.0f for twenty years", target, near, far)
		}
	}
}

// A part of rules that no standard has made each list of the calendar fail.
func TestARuleByEasterIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, easter := range []string{"0", "-400", "366"} {
		g := r.JSON("POST", evs, with(meeting("Eggs", "2026-03-02"), object{"recurrence": []any{"RRULE:FREQ=YEARLY;BYEASTER=" + easter}}))
		if g.Status != 400 {
			t.Errorf("%s: %d %s", easter, g.Status, g.Raw)
		}
	}
}

// A thousand small calls in one batch had replies of gigabytes.
func TestABatchEndsWhereItsRepliesAreTooLarge(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Vendor = nil
	guests := []any{}
	for i := range 4000 {
		guests = append(guests, object{"email": fmt.Sprintf("guest-%d@example.com", i)})
	}
	made(r, with(meeting("All hands", "2026-03-02"), object{"attendees": guests}))
	one := len(r.Must(200, r.Send("GET", evs, "")).Raw)
	calls := 16<<20/one + 3
	body := strings.Repeat("--b\r\nContent-Type: application/http\r\n\r\nGET "+evs+" HTTP/1.1\r\n\r\n\r\n", calls) + "--b--\r\n"
	g := r.Must(200, r.Send("POST", "/batch/calendar/v3", body, "Content-Type", "multipart/mixed; boundary=b"))
	whole, left := strings.Count(g.Raw, "HTTP/1.1 200"), strings.Count(g.Raw, "responseTooLarge")
	if whole == 0 || left == 0 || whole+left < calls || len(g.Raw) > 16<<20+2*one {
		t.Errorf("%d calls: %d answered, %d too large, %d bytes; one is %d", calls, whole, left, len(g.Raw), one)
	}
}

// A rule that no day meets was looked for up to the year 9999, at each list.
func TestARuleThatNoDayMeets(t *testing.T) {
	t.Parallel()
	for rule, many := range map[string]bool{
		"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30":           false,
		"FREQ=DAILY;COUNT=5;BYMONTH=2,4;BYMONTHDAY=31": false,
		"FREQ=MONTHLY;BYDAY=6MO":                       false,
		"FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=20":         false,
		"FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6":            false,
		"FREQ=YEARLY;BYYEARDAY=-1;BYMONTH=1":           false,
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29":          true,
		"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=-29":          true,
		"FREQ=MONTHLY;BYDAY=-5MO":                      true,
		"FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1":         true,
		"FREQ=YEARLY;BYDAY=53FR":                       true,
		"FREQ=YEARLY;BYWEEKNO=1;BYMONTH=12":            true,
		"FREQ=YEARLY;BYYEARDAY=366":                    true,
		"FREQ=WEEKLY;BYDAY=2TU":                        true,
		"FREQ=MONTHLY;BYMONTH=5":                       true,
		"FREQ=YEARLY":                                  true,
	} {
		r, id := recurring(t, "RRULE:"+rule)
		began := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC).Format(time.RFC3339)
		items := r.Must(200, r.Send("GET", evs+"/"+id+"/instances", "")).At("items").([]any)
		if first := items[0].(object)["start"].(object)["dateTime"]; first != began || (len(items) > 1) != many {
			t.Errorf("%s: %d instances from %v on", rule, len(items), first)
		}
	}
}

// Instances of several rules come in one order, each once.
func TestInstancesOfSeveralRulesCrossEachOther(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := made(r, with(meeting("Standup", "2026-03-02"), object{"recurrence": []any{
		"RRULE:FREQ=DAILY;INTERVAL=2", "RRULE:FREQ=DAILY;INTERVAL=3", "RDATE;VALUE=DATE-TIME:20260304T110000Z,20260302T100000Z", "EXDATE:20260308T100000Z",
	}}))
	var got []string
	for _, item := range r.Must(200, r.Send("GET", evs+"/"+id+"/instances?maxResults=7", "")).At("items").([]any) {
		got = append(got, item.(object)["start"].(object)["dateTime"].(string)[8:13])
	}
	want := []string{"02T10", "04T10", "04T11", "05T10", "06T10", "10T10", "11T10"}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("instances %v, want %v", got, want)
		}
	}
}
