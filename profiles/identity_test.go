package profiles_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/profiles"
)

// Which agent calls under an identity is told by a name, also once the profile
// is read again from where a run keeps it.
func TestTheAgentOfAnIdentity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ agent, want, wrong string }{
		{"", "", ""},
		{", agent: desk", "desk", ""},
		{", agent: The Desk", "", `identities.clerk.agent: "The Desk" is not a name`},
		{", agent: [a, b]", "", "identities.clerk.agent wants text"},
	} {
		text := "profile: p\nextends: [baseline]\nidentities:\n  clerk: {presents: {env: KEY}" + c.agent + "}\n"
		p, err := profiles.Parse("p.yaml", []byte(text), options(t, t.TempDir()))
		switch {
		case c.wrong != "":
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%q: %v", c.agent, err)
			}
		case err != nil:
			t.Errorf("%q: %v", c.agent, err)
		case p.Identities[0].Agent != c.want || parse(t, string(p.Content)).Identities[0].Agent != c.want:
			t.Errorf("%q: %+v", c.agent, p.Identities)
		}
	}
}

// A credential that a profile has as a value stood in each copy of it: of runs,
// of evidence, and of what a restart falls back to.
func TestNoCopyOfAProfileHasACredential(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const canary = "canaryQ7xZ2mWv9"
	p, err := profiles.Parse("p.yaml", []byte("profile: p\nextends: [baseline]\nidentities:\n  clerk: {presents: {value: "+canary+"}}\n"), options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	again := parse(t, string(p.Content))
	if strings.Contains(string(p.Content), canary) || !cmp.Equal(again.Identities[0], p.Identities[0]) || p.Identities[0].Digest != profiles.CredentialDigest(canary) || again.Revision != p.Revision {
		t.Errorf("%+v became %+v:\n%s", p.Identities, again.Identities, p.Content)
	}
	if _, err := profiles.Parse("p.yaml", []byte("profile: p\nextends: [baseline]\nidentities:\n  clerk: {presents: {value: a, digest: b}}\n"), options(t, dir)); err == nil || !strings.Contains(err.Error(), "one of them") {
		t.Errorf("value and digest: %v", err)
	}
}

// A live key in a profile or a fixture went unnoticed.
func TestLintWarnsOfLiveKeys(t *testing.T) {
	t.Parallel()
	const live, test = "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "sk_test_4eC39HqLyjWDarjtT1zdp7dc"
	for _, c := range []struct{ value, note, want string }{
		{live, "a", "identity clerk has what looks like a live secret (sk_live_…)"}, {test, live, "has what looks like a live secret (sk_live_…)"}, {test, test, ""},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "people.yaml"), []byte("stripe.customers:\n  - {id: cus_1, name: "+c.note+"}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := profiles.Parse(filepath.Join(dir, "p.yaml"), []byte("profile: p\nservices: {stripe: {fixtures: [./people.yaml]}}\nidentities:\n  clerk: {presents: {value: "+c.value+"}}\n"), options(t, dir))
		if err != nil {
			t.Fatal(err)
		}
		if said := p.Warnings.Error(); c.want == "" && len(p.Warnings) > 0 || !strings.Contains(said, c.want) || strings.Contains(said, live) {
			t.Errorf("%v: %s", c, said)
		}
	}
}
