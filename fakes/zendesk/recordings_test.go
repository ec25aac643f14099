package zendesk_test

import (
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/zendesk"
)

func TestRecordedConversations(t *testing.T) {
	t.Parallel()
	service, err := zendesk.New()
	if err != nil {
		t.Fatal(err)
	}
	faketest.Recorded(t, service, "zendesk", func(r *faketest.Rig) { r.Header.Set("Authorization", basic("owner@example.com")) }, nil)
}
