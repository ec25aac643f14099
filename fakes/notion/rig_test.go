package notion_test

import (
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/notion"
)

// rootPage is the page that every world begins with.
const rootPage = "2a4c9d10-7b3e-8051-bf26-c01d5e8f9a73"

func newRig(t testing.TB) *faketest.Rig {
	t.Helper()
	service, err := notion.New()
	if err != nil {
		t.Fatal(err)
	}
	r := faketest.New(t, service)
	credentials(r)
	return r
}

func credentials(r *faketest.Rig) {
	r.Header.Set("Authorization", "Bearer ntn_rehearsal")
	r.Header.Set("Notion-Version", "2025-09-03")
}

func TestRecordedConversations(t *testing.T) {
	service, err := notion.New()
	if err != nil {
		t.Fatal(err)
	}
	faketest.Recorded(t, service, "notion", credentials, nil)
}
