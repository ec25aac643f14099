package profiles_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/clock"
	"parity/faults"
	"parity/profiles"
)

const full = `
profile: rough-afternoon
summary: The card processor on a bad afternoon.
seed: 7
services: {stripe: {}, sendgrid: {}}
clock: {mode: stepped, start: 2026-03-02T13:00:00Z, step: 2s}
policy:
  egress:
    tunnel: [model-apis, "pricing.internal:50051", "*.example.com", "[::1]:443"]
faults:
  lose-a-big-refund:
    call: stripe POST /v1/refunds
    when: result.amount > 10_000
    inject: ambiguous-success
    with: {reply: 504, for: 30s}
    trigger: {nth: 2, per: result.charge.customer, tries: 3}
    because: Twin refunds.
  every-trigger:
    call: [stripe.GetCharges, stripe POST /v1/payment_intents/*, "*"]
    inject: rate-limit
    with: {limit: 25, window: 1m}
    trigger: {every: 5, skip: 3, chance: 30%, max: 2, first: 50, window: {from: 10m, to: 1d},
              between: [stripe POST /v1/refunds, stripe GET /v1/refunds]}
    required: false
  unused:
    call: sendgrid POST /v3/mail/send
    inject: timeout
    enabled: false
differences:
  no-settlement:
    covers: [stripe POST /v1/payouts, stripe GET /v1/balance]
    production: A payout settles after two business days.
    here: A payout is paid at once.
    so: Nothing here shows that the agent waits for settlement.
    weakens: [settlement, timing]
    accepted: {by: billing-qa, until: 2027-03-01}
`

func TestEachKeyMeansWhatItSays(t *testing.T) {
	t.Parallel()
	p := parse(t, full)
	if p.Name != "rough-afternoon" || p.Summary != "The card processor on a bad afternoon." || *p.Seed != 7 || p.Kept || p.Path != "" {
		t.Errorf("%+v", p)
	}
	start := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
	if diff := cmp.Diff(clock.Options{Mode: clock.Stepped, Start: start, Step: 2 * time.Second}, p.Clock); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"sendgrid", "stripe"}, p.Services); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"model-apis", "pricing.internal:50051", "*.example.com", "[::1]:443"}, p.Tunnel); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"unused"}, p.Disabled); diff != "" {
		t.Error(diff)
	}
	if len(p.Rules) != 2 || p.Rules[0].Name != "lose-a-big-refund" || !p.Rules[0].Required || p.Rules[1].Required {
		t.Fatalf("%+v", p.Rules)
	}
	lose := p.Rules[0]
	if lose.When.String() != "result.amount > 10_000" || lose.Per.String() != "result.charge.customer" || lose.Because != "Twin refunds." || lose.Fault.Name != "ambiguous-success" {
		t.Errorf("%+v", lose)
	}
	if lose.Trigger.Nth != 2 || lose.Trigger.Tries != 3 {
		t.Errorf("%+v", lose.Trigger)
	}
	got := p.Rules[1].Trigger
	if *got.Chance != 0.3 || len(got.Between) != 2 || got.Between[1].String() != "stripe GET /v1/refunds" {
		t.Errorf("%+v", got)
	}
	got.Chance, got.Between = nil, nil
	if diff := cmp.Diff(faults.Trigger{Every: 5, Skip: 3, Max: 2, First: 50, From: 10 * time.Minute, To: 24 * time.Hour}, got); diff != "" {
		t.Error(diff)
	}
}

func TestDifferencesAreReadAndASetClockIsOne(t *testing.T) {
	t.Parallel()
	p := parse(t, full)
	if len(p.Differences) != 2 {
		t.Fatalf("%+v", p.Differences)
	}
	d := p.Differences[0]
	if d.Name != "no-settlement" || len(d.Covers) != 2 || d.Accepted.By != "billing-qa" || !d.Accepted.Until.Equal(time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", d)
	}
	if d.Production == "" || d.Here != "A payout is paid at once." || d.So == "" || !slices.Equal(d.Weakens, []string{"settlement", "timing"}) {
		t.Errorf("%+v", d)
	}
	if p.Differences[1].Name != "run-clock" || !slices.Contains(p.Differences[1].Weakens, "timing") {
		t.Errorf("%+v", p.Differences[1])
	}
	for _, live := range []string{"", "clock: {mode: live}\n", "clock: {speed: 1}\n"} {
		if p := parse(t, "profile: a\nservices: {stripe: {}}\n"+live); len(p.Differences) != 0 {
			t.Errorf("%q: %+v", live, p.Differences)
		}
	}
}

// writeAll makes files under a folder of the test's own.
func writeAll(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func ruleNames(p *profiles.Profile) string {
	var names []string
	for _, r := range p.Rules {
		name := r.Name + " " + r.Fault.Name
		if r.Required {
			name += " required"
		}
		names = append(names, name)
	}
	return strings.Join(names, "; ")
}

func TestLaterWinsByKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{
		"common/base.yaml": `
profile: base
summary: The base.
seed: 1
services: {stripe: {}}
policy: {egress: {tunnel: [model-apis]}}
clock: {mode: stepped, step: 5s}
faults:
  shared: {call: stripe GET *, inject: timeout, with: {for: 7s}, trigger: {nth: 1}}
  counted: {call: stripe GET *, inject: error, trigger: {first: 2}}
  unwanted: {call: stripe GET *, inject: error, trigger: {chance: 1%}}
`,
		"common/other.yaml": `
profile: other
seed: 2
faults:
  shared: {because: Another reason.}
  others: {call: stripe POST *, inject: latency, with: {fixed: 1s}}
extends: [base.yaml]
`,
		"mine/top.yaml": `
profile: top
extends: [../common/base.yaml, ../common/other.yaml]
clock: {mode: live}
policy: {egress: {tunnel: []}}
faults:
  own: {call: stripe GET *, inject: error, trigger: {nth: 1}}
  shared: {inject: latency, with: {fixed: 2s}}
  unwanted: {enabled: false}
  counted: {trigger: {nth: 3}}
`,
	})
	p, err := profiles.Load("mine/top.yaml", options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "top" || p.Summary != "" || *p.Seed != 2 || p.Clock != (clock.Options{Mode: clock.Live}) || len(p.Tunnel) != 0 {
		t.Errorf("%+v", p)
	}
	want := "own error required; shared latency; counted error required; others latency"
	if got := ruleNames(p); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if p.Rules[1].Because != "Another reason." || p.Rules[1].Trigger.Nth != 1 {
		t.Errorf("%+v", p.Rules[1])
	}
	if diff := cmp.Diff([]string{"mine/top.yaml", "common/other.yaml", "common/base.yaml"}, p.Files); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsInheritedIsNotRequired(t *testing.T) {
	t.Parallel()
	if got := ruleNames(parse(t, "profile: a\nextends: [lost-replies]\n")); got != "lose-first-reply ambiguous-success" {
		t.Error(got)
	}
	p, err := profiles.Load("lost-replies", options(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	if got := ruleNames(p); got != "lose-first-reply ambiguous-success required" {
		t.Error(got)
	}
}

func hashes(p *profiles.Profile) string {
	var all []string
	for _, r := range p.Rules {
		all = append(all, r.Name+" "+r.Hash)
	}
	return strings.Join(all, "\n") + "\n" + ruleNames(p) + "\n" + strings.Join(p.Disabled, " ")
}

func TestContentReadsBackToTheSame(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{
		"full.yaml": full,
		"words.yaml": "profile: words\nservices: {stripe: {}}\nsummary: \"yes: \\\"no\\\" # not a comment \\n  two\"\nfaults:\n  \"0\":\n" +
			"    call: [stripe GET *]\n    when: |\n      result.amount > 1 &&\n      result.paid\n    inject: error\n" +
			"    with: {status: 503, code: \"500\", message: \"~\", html: false}\n    trigger: {chance: 100 %}\n    because: '[]'\n",
		"heir.yaml": "profile: heir\nextends: [lost-replies, errors, stripe-bad-day]\nfaults: {edge-page: {required: true}}\n",
	})
	for _, name := range append(profiles.Library(), "full.yaml", "words.yaml", "heir.yaml") {
		p, err := profiles.Load(name, options(t, dir))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again := parse(t, string(p.Content))
		if again.Revision != p.Revision || !bytes.Equal(again.Content, p.Content) || len(p.Revision) != 8 {
			t.Errorf("%s: revision %s became %s:\n%s", name, p.Revision, again.Revision, cmp.Diff(string(p.Content), string(again.Content)))
		}
		if diff := cmp.Diff(hashes(p), hashes(again)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if len(again.Files) != 1 || again.Summary != p.Summary || len(again.Differences) != len(p.Differences) {
			t.Errorf("%s: %+v", name, again)
		}
	}
}

func TestRevisionAndHashesChangeWithWhatIsMeant(t *testing.T) {
	t.Parallel()
	base := parse(t, full)
	for what, c := range map[string]struct {
		old, new       string
		revision, rule bool
	}{
		"a comment":   {"seed: 7", "seed: 7 # lucky", false, false},
		"layout":      {"{reply: 504, for: 30s}", "{for: \"30s\",   reply: \"504\"}", true, false},
		"the reason":  {"Twin refunds.", "Twin refunds again.", true, false},
		"a threshold": {"> 10_000", "> 20_000", true, true},
		"a parameter": {"for: 30s", "for: 31s", true, true},
		"a trigger":   {"nth: 2,", "nth: 3,", true, true},
		"the seed":    {"seed: 7", "seed: 8", true, false},
	} {
		p := parse(t, strings.Replace(full, c.old, c.new, 1))
		if (p.Revision != base.Revision) != c.revision || (p.Rules[0].Hash != base.Rules[0].Hash) != c.rule || p.Rules[1].Hash != base.Rules[1].Hash {
			t.Errorf("%s: revision %s and %s, rule %s and %s", what, base.Revision, p.Revision, base.Rules[0].Hash, p.Rules[0].Hash)
		}
	}
}

func TestRevisionCoversWhatIsExtended(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"a.yaml": "profile: a\nextends: [./b.yaml]\n", "b.yaml": "profile: b\nservices: {stripe: {}}\nseed: 1\n"})
	before, err := profiles.Load("a.yaml", options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	writeAll(t, dir, map[string]string{"b.yaml": "profile: b\nservices: {stripe: {}}\nseed: 2\n"})
	after, err := profiles.Load("a.yaml", options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	if before.Revision == after.Revision || *after.Seed != 2 {
		t.Errorf("%s and %s", before.Revision, after.Revision)
	}
}
