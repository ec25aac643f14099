package builtin_test

import (
	"net/http"
	"strings"
	"testing"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/fakes/chance"
	"parity/specs/secret"
)

// What Parity gives an agent must be taken by the service that it is for, and by
// nobody for a real credential: neither by what refuses those, nor by who warns of
// them.
func TestMintedCredentialsAreTakenAndNeverLookReal(t *testing.T) {
	t.Parallel()
	all, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all.Services() {
		m, ok := s.Fake.(fakes.Minter)
		if !ok {
			t.Errorf("%s makes none", s.Name)
			continue
		}
		for seed := range chance.Seed(200) {
			value := m.Mint(func(n int) string { return chance.ID(seed, n, s.Name) })
			if found, real := secret.Real(value, 0); real {
				t.Fatalf("%s: %s is %s", s.Name, value, found.Kind)
			}
			if !strings.Contains(value, fakes.MintedMark) {
				t.Fatalf("%s: %s does not say what it is", s.Name, value)
			}
			shown := http.Header{"Authorization": {"Bearer " + value}, "User-Agent": {"an agent"}}
			if got, trouble := s.Fake.(fakes.Identifier).Identify(fakes.Credentials{Header: shown}); got != value || trouble != nil {
				t.Fatalf("%s takes %s as %q: %v", s.Name, value, got, trouble)
			}
		}
	}
}
