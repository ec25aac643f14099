package github_test

import (
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/github"
)

// frozen are the recorded exchanges that are not met, and why.
var frozen = faketest.Frozen{}

func TestRecordedConversations(t *testing.T) {
	t.Parallel()
	service, err := github.New()
	if err != nil {
		t.Fatal(err)
	}
	faketest.Recorded(t, service, "github", prepare, frozen)
}
