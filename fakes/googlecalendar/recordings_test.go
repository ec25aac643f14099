package googlecalendar_test

import (
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/googlecalendar"
)

func TestRecordedConversations(t *testing.T) {
	t.Parallel()
	service, err := googlecalendar.New()
	if err != nil {
		t.Fatal(err)
	}
	faketest.Recorded(t, service, "google-calendar", func(r *faketest.Rig) {
		r.Header.Set("Authorization", "Bearer ya29.recorded")
	}, faketest.Frozen{
		"handley-move-event.json#4": "whoever published it renamed the calendar that the event goes to: the request has another id for it than every reply",
		"handley-move-event.json#5": "follows from #4",
		"handley-move-event.json#6": "follows from #4",
	})
}
