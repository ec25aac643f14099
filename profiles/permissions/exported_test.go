package permissions_test

import (
	"strings"
	"testing"

	"parity/profiles"
	"parity/profiles/permissions"
)

func TestAnExportedPolicyDecidesAsItsProfile(t *testing.T) {
	t.Parallel()
	p := parsed(t, "desk.yaml", desk)
	exported, err := p.Policy()
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := exported.JSON()
	if err != nil {
		t.Fatal(err)
	}
	for form, text := range map[string]string{"yaml": string(exported), "json": string(asJSON)} {
		again := parsed(t, "policy."+form, text)
		if again.Authority.Digest != p.Authority.Digest {
			t.Errorf("%s: digest %s; want %s\n%s", form, again.Authority.Digest, p.Authority.Digest, text)
		}
		if found := permissions.Compare(permissions.Subject{Profile: p}, permissions.Subject{Profile: again}); len(found) > 0 {
			t.Errorf("%s: %+v", form, found[0])
		}
		if changes, err := profiles.DiffPolicy(p, again); err != nil || len(changes) > 0 {
			t.Errorf("%s: %v %v", form, changes, err)
		}
		for _, want := range []string{p.Authority.Digest, p.Revision, "LEADS_URL"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %s is not in\n%s", form, want, text)
			}
		}
		if strings.Contains(text, "test-key-of-the-bot") {
			t.Errorf("%s shows a credential", form)
		}
	}
}
