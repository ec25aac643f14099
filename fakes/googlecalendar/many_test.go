package googlecalendar_test

import (
	"fmt"
	"testing"
)

// Events of one calendar are found without those of another being read.
func TestAListReadsNoOtherCalendar(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for i := range 3 {
		made(r, meeting(fmt.Sprint("own ", i), "2026-03-02"))
	}
	before := r.Steps("GET", evs, "")
	other := r.Must(200, r.JSON("POST", root+"/calendars", object{"summary": "Other"})).Text("id")
	for i := range 40 {
		r.Must(200, r.JSON("POST", root+"/calendars/"+other+"/events", meeting(fmt.Sprint("other ", i), "2026-03-03")))
	}
	if after := r.Steps("GET", evs, ""); after > before+2 {
		t.Errorf("%d steps, and %d with 40 events in another calendar", before, after)
	}
	if n := r.Must(200, r.Send("GET", evs, "")).Len("items"); n != 3 {
		t.Errorf("%d events, want 3", n)
	}
}
