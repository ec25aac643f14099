package profiles_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parity/faults"
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

// A service that the profile binds and says nothing of is one whose verdicts are
// taken for more than they are.
func TestAProfileWithoutDifferencesLintsInSilence(t *testing.T) {
	t.Parallel()
	known := "differences: {odd: {covers: %s, production: It is slow., here: It is quick., so: Nothing., weakens: [timing]}}\n"
	for profile, want := range map[string]string{
		"services: {stripe: {}, slack: {}}\n":                                                             "slack and stripe; add extends: [slack, stripe],",
		"services: {stripe: {}}\nclock: {mode: stepped}\n":                                                "for stripe;", // the clock's is the clock's alone
		"services: {stripe: {}, slack: {}}\n" + strings.ReplaceAll(known, "%s", "stripe GET /v1/charges"): "for slack;",
		"services: {stripe: {}, slack: {}}\n" + strings.ReplaceAll(known, "%s", "[stripe *, slack *]"):    "",
		"services: {stripe: {}}\n" + strings.ReplaceAll(known, "%s", `"*"`):                               "",
		"extends: [baseline]\n":                        "",
		"extends: [stripe]\nservices: {zendesk: {}}\n": "for zendesk;",
		"extends: [stripe]\nfaults: {r: {call: \"*\", inject: latency, with: {fixed: 1s}}}\n": "",
	} {
		p := parse(t, "profile: rough\n"+profile)
		if len(p.Warnings) > 0 || (want == "") != (len(p.Silent) == 0) || want != "" && (len(p.Silent) != 1 || !strings.Contains(p.Silent.Error(), want)) {
			t.Errorf("%s: %v, %v, want %q", profile, p.Warnings, p.Silent, want)
		}
	}
}

// How long services take and how much they hold is what a rehearsal shows least:
// each says both of itself.
func TestEachServiceSaysThatItIsQuickAndSmall(t *testing.T) {
	t.Parallel()
	for _, name := range catalogue(t).Names() {
		p, err := profiles.Load(name, options(t, t.TempDir()))
		if err != nil {
			t.Fatal(err)
		}
		for property, whole := range map[string]bool{"timing": true, "volume": false} {
			if !slices.ContainsFunc(p.Differences, func(d profiles.Difference) bool {
				return slices.Contains(d.Weakens, property) && (!whole || slices.ContainsFunc(d.Covers, faults.Pattern.Whole))
			}) {
				t.Errorf("%s declares no difference in %s", name, property)
			}
		}
	}
}
