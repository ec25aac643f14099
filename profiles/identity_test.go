package profiles_test

import (
	"strings"
	"testing"

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
