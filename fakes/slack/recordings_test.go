package slack_test

import (
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/slack"
)

func TestRecordedConversations(t *testing.T) {
	t.Parallel()
	service, err := slack.New()
	if err != nil {
		t.Fatal(err)
	}
	faketest.Recorded(t, service, "slack", func(r *faketest.Rig) { r.Header.Set("Authorization", "Bearer xoxb-1-rehearsal") }, faketest.Frozen{
		"rubyclient-rtm-connect.json#1": "the address of the session was made unreadable by who recorded it",
		"rubyclient-rtm-connect.json#2": "the address of the session was made unreadable by who recorded it",
		"rubyclient-rtm-connect.json#3": "the body that was refused was not recorded",
	})
}
