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
	}, faketest.Frozen{})
}
