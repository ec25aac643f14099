package capture_test

import (
	"slices"
	"strings"
	"testing"

	"parity/gateway/capture"
)

// A real key that stood in the parent's variable went to the agent beside the
// minted one, and which of them it took depended on its program.
func TestMintedCredentialsTakeThePlaceOfTheParents(t *testing.T) {
	t.Parallel()
	s := capture.Settings{Minted: map[string]string{"STRIPE_API_KEY": "sk_test_parity1", "HTTP_PROXY": "a mistake"}, ProxyURL: "http://run:token@127.0.0.1:1"}
	parent := []string{"STRIPE_API_KEY=sk_test_mine", "HOME=/h"}
	var keys []string
	for _, entry := range s.Environ(parent) {
		if name, value, _ := strings.Cut(entry, "="); name == "STRIPE_API_KEY" {
			keys = append(keys, value)
		} else if value == "a mistake" {
			t.Errorf("%s leads around the gateway", name)
		}
	}
	if !slices.Equal(keys, []string{"sk_test_parity1"}) {
		t.Errorf("the agent is given %q", keys)
	}
	notes := strings.Join(s.Notes(parent), "\n")
	if !strings.Contains(notes, "STRIPE_API_KEY is replaced") || strings.Contains(notes, "sk_test_") {
		t.Errorf("said: %s", notes)
	}
	if notes := s.Notes([]string{"HOME=/h"}); len(notes) > 0 {
		t.Errorf("said of nothing: %q", notes)
	}
}
