package builtin_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/builtin"
)

func TestCatalogue(t *testing.T) {
	t.Parallel()
	all, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"github", "googlecalendar", "hubspot", "notion", "sendgrid", "slack", "stripe", "zendesk"}, all.Names()); diff != "" {
		t.Error(diff)
	}
	if s, ok := all.ByHost("api.stripe.com"); !ok || s.Name != "stripe" {
		t.Errorf("api.stripe.com is %q", s.Name)
	}
	if _, err := all.World(); err != nil {
		t.Error(err)
	}
}
