package builtin_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/specs"
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

// Whoever is refused for one field is told which, in each service's words.
func TestDialectsNameTheFieldThatIsBlamed(t *testing.T) {
	t.Parallel()
	all, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	trouble := fakes.Problem{Kind: fakes.BadRequest, Method: "POST", Violations: []specs.Violation{
		{In: "body", Pointer: "/currency", Rule: specs.RuleFormat, Message: "must be a valid currency", Got: "eur"},
	}}
	for _, name := range all.Names() {
		service, _ := all.Service(name)
		for _, path := range []string{"", "/v3/mail/send"} {
			trouble.Path = path
			reply := service.Fake.(fakes.Dialect).Render(trouble)
			if !strings.Contains(string(reply.Body), "currency") {
				t.Errorf("%s %s: %d %s", name, path, reply.Status, reply.Body)
			}
		}
	}
}
