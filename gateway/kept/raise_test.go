package kept_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parity/fakes/builtin"
	"parity/gateway/evidence"
	"parity/gateway/kept"
	"parity/profiles"
)

const proven = `
profile: proven
services: {stripe: {}}
identities:
  bot: {presents: {value: sk_test_parityparity}, may: irreversible}
policy:
  stage: 2
  raise: evidence
  gates:
    refunds: {call: stripe POST /v1/refunds, then: approve, by: desk, skip: {standing: {clean: 3, within: 24h, same: [charge]}}}
  approvers:
    desk: {decides: approve}
promotion:
  gated: {stage: 3, runs: 1}
  narrow: {stage: 4, after: gated, runs: 1}
`

func profileOf(t *testing.T, content string) *profiles.Profile {
	t.Helper()
	catalogue, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	p, err := profiles.Parse("proven.yaml", []byte(content), profiles.Options{Catalogue: catalogue})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func appended(t *testing.T, s evidence.Store, e evidence.Entry, files map[string][]byte) {
	t.Helper()
	if _, err := s.Append(e, files); err != nil {
		t.Fatal(err)
	}
}

// A stage opens for the version that was promoted to each step up to it, under the
// policy in force, and for no other: not once a gate was loosened.
func TestAStageOpensOnEvidenceAlone(t *testing.T) {
	t.Parallel()
	p, s := profileOf(t, proven), evidence.Store{Dir: t.TempDir()}
	loosened := profileOf(t, strings.Replace(proven, "then: approve, by: desk,", "then: approve, by: desk, expires: 9h,", 1))
	opens := func(p *profiles.Profile, stage int, agent, missing string) {
		t.Helper()
		err := kept.Raised(s, p, stage, agent)
		if missing == "" && err != nil || missing != "" && (err == nil || !strings.Contains(err.Error(), missing)) {
			t.Errorf("stage %d of %q: %v; want %q", stage, agent, err, missing)
		}
	}
	opens(p, 2, "", "")
	opens(p, 3, "", "--agent NAME@VERSION")
	opens(p, 3, "bot@1", "not promoted to gated")
	n := 0
	step := func(name, agent, policy string) {
		n += 2
		appended(t, s, evidence.Entry{Kind: evidence.Run, Step: name, Agent: agent, Profile: "proven", Policy: policy, Run: fmt.Sprint("r", n)}, map[string][]byte{"report.json": []byte("{}")})
		appended(t, s, evidence.Entry{Kind: evidence.Promotion, Step: name, Agent: agent, Profile: "proven", Policy: policy, Rests: []int{n - 1}}, nil)
	}
	step("gated", "bot@1", p.Authority.Digest)
	opens(p, 3, "bot@1", "")
	opens(p, 3, "bot@2", "not promoted to gated")
	opens(p, 4, "bot@1", "not promoted to narrow")
	opens(loosened, 3, "bot@1", "rests on another policy")
	step("narrow", "bot@1", loosened.Authority.Digest)
	opens(loosened, 4, "bot@1", "")
	opens(p, 4, "bot@1", "rests on another policy")
}

// A gate opens for what kept runs made often enough, by the values that it names. A
// run that failed begins anew, and a changed byte opens nothing.
func TestEvidenceOpensAGate(t *testing.T) {
	t.Parallel()
	p, s := profileOf(t, proven), evidence.Store{Dir: t.TempDir()}
	now := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
	run := func(n int, result string) {
		t.Helper()
		event := fmt.Sprintf(`{"identity":"stripe-bot","exchange":{"service":"stripe","operation":"POST /v1/refunds","committed":true,"intent":{"id":"i%d"},"body":{"charge":"ch_1"},"policy":{"decision":"allowed","by":"refunds"}}}`, n)
		appended(t, s, evidence.Entry{Kind: evidence.Run, At: now.Add(-time.Hour), Step: "gated", Agent: "bot@1", Profile: "proven", Policy: p.Authority.Digest, Run: fmt.Sprint("r", n)}, map[string][]byte{
			"report.json": []byte(fmt.Sprintf(`{"valid":true,"verdicts":[{"result":%q}],"n":%d}`, result, n)), "events.jsonl": []byte(event + "\n" + event + "\n"),
		})
	}
	opened := func(want int) {
		t.Helper()
		all := kept.StandingApprovals(s, p, now)
		if len(all) != min(want, 1) || want > 0 && (all[0].Clean != want || all[0].Identity != "stripe-bot" || !strings.Contains(all[0].Same, "ch_1")) {
			t.Errorf("%+v; want %d", all, want)
		}
	}
	run(1, "passed")
	run(2, "passed")
	opened(0)
	run(3, "passed")
	opened(3)
	if all := kept.StandingApprovals(s, p, now.Add(24*time.Hour)); len(all) != 0 {
		t.Errorf("it is too long ago: %+v", all)
	}
	run(4, "failed")
	opened(0)
	for n := 5; n <= 8; n++ {
		run(n, "passed")
	}
	opened(4)
	name := filepath.Join(s.Dir, "000006.json")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	opened(0)
}
