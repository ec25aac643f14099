package profiles_test

import (
	"strings"
	"testing"
)

// Each of these would have stood in a profile, and nobody would have come.
func TestAPersonWhoCanDoNothingIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ entry, says string }{
		{"service: stripe, waits: checkout, does: complete, after: 30s, every: 2, with: {card: pm_card_visa, email: a@b.example}", ""},
		{"service: stripe, does: nothing", ""},
		{"service: strpe, does: complete", "did you mean stripe"},
		{"service: github, does: complete", "is no service of this profile"},
		{"service: sendgrid, does: complete", "nothing of sendgrid waits for a person"},
		{"service: stripe, waits: chekout, does: complete", "did you mean checkout"},
		{"service: stripe, waits: checkout, does: completes", "did you mean complete"},
		{"service: stripe, does: complete, with: {crad: visa}", "did you mean card"},
		{"service: stripe, waits: authentication, does: complete, with: {card: visa}", "goes with complete"},
		{"service: stripe", "has no does"},
		{"service: stripe, does: complete, every: 0", "every"},
	} {
		got := problemsOf(t, "stripe: {}, sendgrid: {}", "people", c.entry)
		if (c.says == "") != (got == "") || !strings.Contains(got, c.says) {
			t.Errorf("{%s}: %q, want %q in it", c.entry, got, c.says)
		}
	}
}
