package googlecalendar_test

import (
	"strconv"
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/googlecalendar"
)

const (
	root = "/calendar/v3"
	evs  = root + "/calendars/primary/events"
	user = "user@example.com"
)

func newRig(t testing.TB) *faketest.Rig {
	t.Helper()
	service, err := googlecalendar.New()
	if err != nil {
		t.Fatal(err)
	}
	r := faketest.New(t, service)
	r.Header.Set("Authorization", "Bearer ya29.anything")
	r.Vendor = faketest.VendorContract(t, "google-calendar-discovery.json.gz")
	return r
}

// object is JSON in a test.
type object = map[string]any

func at(instant, zone string) object { return object{"dateTime": instant, "timeZone": zone} }

func on(day string) object { return object{"date": day} }

// meeting is an event of half an hour in UTC.
func meeting(summary, day string) object {
	return object{"summary": summary, "start": at(day+"T10:00:00Z", "UTC"), "end": at(day+"T10:30:00Z", "UTC")}
}

// with lays fields over a copy.
func with(base object, fields object) object {
	out := object{}
	for name, value := range base {
		out[name] = value
	}
	for name, value := range fields {
		out[name] = value
	}
	return out
}

// made creates an event and gives its id.
func made(r *faketest.Rig, event object, query ...string) string {
	r.T.Helper()
	target := evs
	if len(query) > 0 {
		target += "?" + query[0]
	}
	return r.Must(200, r.JSON("POST", target, event)).Text("id")
}

// reason is what Google calls an error.
func reason(g faketest.Got) string { return g.Text("error.errors.0.reason") }

// refused holds an error against what it should be.
func refused(t testing.TB, g faketest.Got, status int, why, message string) {
	t.Helper()
	if g.Status != status || reason(g) != why || g.Text("error.message") != message || g.Text("error.code") != strconv.Itoa(status) {
		t.Errorf("answered %d %s, want %d %s %q", g.Status, g.Raw, status, why, message)
	}
}
