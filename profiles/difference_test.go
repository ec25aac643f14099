package profiles_test

import (
	"strings"
	"testing"
	"time"

	"parity/faults/trail"
	"parity/profiles"
)

// An acceptance says so 14 days before it expires, and stands no more as soon as
// its day has begun.
func TestAcceptancesExpire(t *testing.T) {
	t.Parallel()
	const profile = "profile: billing\nextends: [stripe]\ndifferences:\n  no-settlement:\n    accepted: {by: billing-qa, until: 2027-03-01}\n"
	day := func(text string) time.Time {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for _, c := range []struct {
		now  string
		want trail.Standing
		lint string
	}{
		{"2027-02-14T23:59:59Z", trail.InForce, ""},
		{"2027-02-15T00:00:00Z", trail.Expiring, "billing.yaml:5:39: warning: difference no-settlement is accepted until 2027-03-01, which is near"},
		{"2027-02-28T23:59:59Z", trail.Expiring, "which is near"},
		{"2027-03-01T00:00:00Z", trail.Expired, "which has passed"},
	} {
		o := options(t, t.TempDir())
		o.Wall = wall(day(c.now))
		p, err := profiles.Parse("billing.yaml", []byte(profile), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range p.Differences {
			if d.Name != "no-settlement" {
				continue
			}
			if got := d.Accepted.Standing(day(c.now)); got != c.want {
				t.Errorf("at %s: %s, want %s", c.now, got, c.want)
			}
		}
		var said strings.Builder
		for _, w := range p.Warnings {
			said.WriteString(w.Error())
		}
		if !strings.Contains(said.String(), c.lint) || (c.lint == "") != (len(p.Warnings) == 0) {
			t.Errorf("at %s lint says %q, want %q", c.now, said.String(), c.lint)
		}
	}
	if got := (&profiles.Accepted{By: "qa"}).Standing(day("2999-01-01T00:00:00Z")); got != trail.InForce {
		t.Errorf("without a day: %s", got)
	}
}
