package profiles_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/profiles"
)

// What is minted is part of what a copy of a profile says: a run's record had no
// identities else.
func TestCopiesOfAProfileKeepWhatIsMinted(t *testing.T) {
	t.Parallel()
	p := parse(t, "profile: p\nextends: [baseline]\nidentities:\n  clerk: {presents: {minted: {stripe: STRIPE_API_KEY, slack: SLACK_BOT_TOKEN}}}\n")
	want := []profiles.Minted{{Service: "slack", Variable: "SLACK_BOT_TOKEN"}, {Service: "stripe", Variable: "STRIPE_API_KEY"}}
	if diff := cmp.Diff(want, p.Identities[0].Minted); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, parse(t, string(p.Content)).Identities[0].Minted); diff != "" {
		t.Errorf("of the copy: %s", diff)
	}
}

// A run of another seed, another identity and another generation have other
// credentials, and the same have the same.
func TestMintedCredentialsAreTheirOwn(t *testing.T) {
	t.Parallel()
	s, _ := parse(t, "profile: p\nextends: [baseline]\n").Catalogue.Service("stripe")
	first := profiles.Mint(7, "clerk", s, 0)
	if again := profiles.Mint(7, "clerk", s, 0); again != first || !strings.HasPrefix(first, "sk_test_parity") {
		t.Errorf("%s, then %s", first, again)
	}
	for what, other := range map[string]string{
		"another seed": profiles.Mint(8, "clerk", s, 0), "another identity": profiles.Mint(7, "desk", s, 0), "another generation": profiles.Mint(7, "clerk", s, 1),
	} {
		if other == first {
			t.Errorf("%s has the same: %s", what, other)
		}
	}
}
