package googlecalendar_test

import (
	"fmt"
	"testing"
)

// An event with very many rules, each of which is looked for through years, held
// its run for minutes whenever it was listed.
func TestEventOfVeryManyRulesIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	rules := make([]any, 2000)
	for i := range rules {
		rules[i] = fmt.Sprintf("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;INTERVAL=%d", i+1)
	}
	event := weekly("")
	event["recurrence"] = rules
	r.Must(504, r.JSON("POST", evs, event))
}

// So did one rule that picks what no period has, each time.
func TestRuleThatPicksWhatNoPeriodHasIsNotLookedFor(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	event := weekly("")
	rules := make([]any, 100)
	for i := range rules {
		rules[i] = fmt.Sprintf("RRULE:FREQ=DAILY;BYSETPOS=%d", i+2)
	}
	event["recurrence"] = rules
	id := r.Must(200, r.JSON("POST", evs, event)).Text("id")
	if n := r.Must(200, r.Send("GET", evs+"/"+id+"/instances", "")).Len("items"); n != 1 {
		t.Errorf("%d instances", n)
	}
}

func TestEventOfVeryManyGuests(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	guests := make([]any, 40_000)
	for i := range guests {
		guests[i] = map[string]any{"email": fmt.Sprintf("g%d@example.com", i)}
	}
	event := weekly("RRULE:FREQ=DAILY")
	event["attendees"] = guests
	id := r.Must(200, r.JSON("POST", evs+"?sendUpdates=all", event)).Text("id")
	r.Must(200, r.JSON("PATCH", evs+"/"+id+"?sendUpdates=all", map[string]any{"attendees": guests[1:]}))
	r.Must(504, r.Send("GET", evs+"/"+id+"/instances?maxResults=2500", ""))
}
