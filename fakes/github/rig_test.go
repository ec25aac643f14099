package github_test

import (
	"testing"

	"parity/fakes/faketest"
	"parity/fakes/github"
)

// newRig makes a rig whose caller has a token that nobody declared.
func newRig(t testing.TB) *faketest.Rig {
	t.Helper()
	service, err := github.New()
	if err != nil {
		t.Fatal(err)
	}
	r := faketest.New(t, service)
	prepare(r)
	return r
}

func prepare(r *faketest.Rig) {
	r.Header.Set("User-Agent", "rehearsal")
	r.Header.Set("Authorization", "token ghp_rehearsal")
	r.Header.Set("Accept", "application/vnd.github+json")
}
