package promotion

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parity/fakes/builtin"
	"parity/faults/trail"
	"parity/gateway/evidence"
	"parity/gateway/report"
	"parity/profiles"
)

const stepsUp = `profile: billing
services: {stripe: {}}
faults:
  lose-the-refund: {call: stripe POST /v1/refunds, inject: ambiguous-success, trigger: {nth: 1}}
differences:
  no-settlement: {covers: stripe *, production: p, here: h, so: s, weakens: [settlement], accepted: {by: qa, until: 2099-01-01}}
  no-limits: {covers: stripe *, production: p, here: h, so: s, weakens: [limits]}
  old-news: {covers: stripe *, production: p, here: h, so: s, weakens: [content], accepted: {by: qa, until: 2020-01-01}}
promotion:
  draft: {runs: 1, differences: any}
  writes: {after: draft, runs: 2, seeds: 2, faults: [ambiguous-success], verdicts: [lose-the-refund], within: 720h}
`

// good is a run that shows all that there is to show.
func good(seed uint64) report.Report {
	return report.Report{Run: fmt.Sprint("run-", seed), Seed: seed, Ended: true, Judgement: trail.Judgement{
		Valid:    true,
		Verdicts: []trail.Verdict{{Subject: "lose-the-refund", Kind: "fault", Result: trail.Passed, Reaction: trail.Handled}},
		Scope: trail.Scope{
			Exchanges: 3, Faults: []trail.RuleCount{{Rule: "lose-the-refund", Fault: "ambiguous-success", Fired: 1}},
			Differences: []trail.Difference{{Name: "no-settlement"}},
		},
	}}
}

const divergences = `divergences:
  paid-twice: {run: r, date: 2026-01-02, production: A customer paid twice.}
  paid-late: {run: r, date: 2026-01-02, production: A customer paid late., closed: 2026-01-03}
`

// stairs is a profile with steps, and evidence for them.
type stairs struct {
	Evidence
	t                 *testing.T
	profile, revision string
}

func newStairs(t *testing.T) *stairs {
	dir := t.TempDir()
	s := &stairs{Evidence{Root: dir, Step: "writes", Agent: "bot@2"}, t, filepath.Join(dir, "billing.yaml"), ""}
	s.rewrite(stepsUp)
	s.keeps(good(0), func(e *evidence.Entry) { e.Step, e.Agent = "draft", "bot@1" })
	s.add(evidence.Entry{Kind: evidence.Promotion, Step: "draft", Agent: "bot@1", Profile: "billing", Revision: s.revision, Rests: []int{1}}, report.Report{})
	return s
}

// rewrite has the profile be another one.
func (s *stairs) rewrite(text string) {
	s.t.Helper()
	if err := os.WriteFile(s.profile, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	catalogue, err := builtin.Catalogue()
	if err != nil {
		s.t.Fatal(err)
	}
	p, err := profiles.Load(s.profile, profiles.Options{Catalogue: catalogue})
	if err != nil {
		s.t.Fatal(err)
	}
	s.revision = p.Revision
}

func (s *stairs) add(e evidence.Entry, r report.Report) {
	s.t.Helper()
	var out bytes.Buffer
	if err := report.JSON(&out, r); err != nil {
		s.t.Fatal(err)
	}
	if e.At.IsZero() {
		e.At = time.Now()
	}
	if _, err := s.store().Append(e, map[string][]byte{evidence.ReportFile: out.Bytes()}); err != nil {
		s.t.Fatal(err)
	}
}

// keeps keeps a run, as it is or as change has it.
func (s *stairs) keeps(r report.Report, change func(e *evidence.Entry)) {
	e := evidence.Entry{Kind: evidence.Run, Step: "writes", Agent: "bot@2", Profile: "billing", Revision: s.revision, Run: r.Run, Journal: r.Run}
	if change != nil {
		change(&e)
	}
	r.Revisions = []report.Revision{{Hash: e.Revision}}
	s.add(e, r)
}

func TestPromotionSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		kept func(s *stairs)
		want string // "": nothing is missing
	}{
		{"all is there", func(s *stairs) { s.keeps(good(1), nil); s.keeps(good(2), nil) }, ""},
		{"too few runs", func(s *stairs) { s.keeps(good(1), nil) }, "1 of 2 runs are kept for it"},
		{"one run twice", func(s *stairs) { s.keeps(good(1), nil); s.keeps(good(1), nil) }, "1 of 2 runs"},
		{"of another version", func(s *stairs) {
			s.keeps(good(1), nil)
			s.keeps(good(2), func(e *evidence.Entry) { e.Agent = "bot@1" })
		}, "; 1 more of bot@1"},
		{"under another profile", func(s *stairs) {
			s.keeps(good(1), nil)
			s.keeps(good(2), func(e *evidence.Entry) { e.Revision = "00000000" })
		}, "; 1 more under billing@00000000"},
		{"too long ago", func(s *stairs) {
			s.keeps(good(1), nil)
			s.keeps(good(2), func(e *evidence.Entry) { e.At = time.Now().Add(-721 * time.Hour) })
		}, "; 1 more begun longer ago than 720h"},
		{"one was not contained", func(s *stairs) {
			s.rewrite(strings.Replace(stepsUp, "within: 720h", "within: 720h, contained: true", 1))
			r := good(1)
			r.Contained = &trail.Contained{Yes: true, Level: trail.ContainedWhole, Probes: 15}
			s.keeps(r, nil)
			s.keeps(good(2), nil)
		}, "1 of 2 runs are kept for it; 1 more that were not contained (nothing was asked to contain the agent)"},
		{"one was let out", func(s *stairs) {
			s.rewrite(strings.Replace(stepsUp, "within: 720h", "within: 720h, contained: true", 1))
			r := good(1)
			r.Contained = &trail.Contained{Level: trail.ContainedWhole, Probes: 15, Why: trail.LetOut}
			s.keeps(r, nil)
		}, "1 more that were not contained (hosts that nobody knows are let out (policy.egress.mode: tool))"},
		{"of one seed", func(s *stairs) {
			s.keeps(good(1), nil)
			s.keeps(good(1), func(e *evidence.Entry) { e.Journal = "another" })
		}, "they are of 1 seed, and 2 are asked for"},
		{"one failed", func(s *stairs) {
			r := good(2)
			r.Verdicts = append(r.Verdicts, trail.Verdict{Subject: "always: one effect per intent", Result: trail.Failed})
			s.keeps(good(1), nil)
			s.keeps(r, nil)
		}, "run run-2 failed always: one effect per intent"},
		{"one is invalid", func(s *stairs) {
			r := good(2)
			r.Valid = false
			s.keeps(good(1), nil)
			s.keeps(r, nil)
		}, "run run-2 is invalid"},
		{"one began long ago and was kept today", func(s *stairs) {
			r := good(2)
			r.Began = time.Now().Add(-721 * time.Hour)
			s.keeps(good(1), nil)
			s.keeps(r, nil)
		}, "; 1 more begun longer ago than 720h"},
		{"failures cannot be outnumbered", func(s *stairs) {
			r := good(3)
			r.Verdicts[0].Result = trail.Failed
			s.keeps(good(1), nil)
			s.keeps(good(2), nil)
			s.keeps(r, nil)
		}, "counts until the agent has another version or the profile another revision"},
		{"a difference that nobody declared", func(s *stairs) {
			r := good(2)
			r.Proposed = []trail.Proposal{{Name: "no-webhooks"}}
			s.keeps(good(1), nil)
			s.keeps(r, nil)
		}, "1 difference that they noticed the profile does not declare: no-webhooks"},
		{"a divergence is open", func(s *stairs) {
			s.rewrite(stepsUp + divergences)
			s.keeps(good(1), nil)
			s.keeps(good(2), nil)
		}, "divergence paid-twice is open"},
		{"the step before under another profile", func(s *stairs) {
			s.rewrite(strings.Replace(stepsUp, "billing", "other", 1))
			for seed := range uint64(2) {
				s.keeps(good(seed), func(e *evidence.Entry) { e.Profile = "other" })
			}
		}, "bot has not gone up to that under profile other"},
		{"nothing handled", func(s *stairs) {
			for seed := range uint64(2) {
				r := good(seed)
				r.Verdicts[0].Result = trail.NotEvaluated
				s.keeps(r, nil)
			}
		}, "ambiguous-success was handled in none of them: it was not evaluated"},
		{"unaccepted", func(s *stairs) {
			r := good(2)
			r.Differences = []trail.Difference{{Name: "no-limits"}, {Name: "old-news"}}
			s.keeps(good(1), nil)
			s.keeps(r, nil)
		}, "1 known difference that they touched nobody has accepted: no-limits"},
		{"not the step before", func(s *stairs) {
			s.Agent = "other@1"
			for seed := range uint64(2) {
				s.keeps(good(seed), func(e *evidence.Entry) { e.Agent = s.Agent })
			}
		}, "writes comes after draft, and other has not gone up to that"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newStairs(t)
			c.kept(s)
			var said bytes.Buffer
			code, err := s.Promote(&said, s.profile, false)
			if err != nil {
				t.Fatal(err)
			}
			may := strings.Contains(said.String(), "may go up to writes: 2 runs")
			if want := c.want == ""; may != want || (code == 0) != want || !strings.Contains(said.String(), c.want) {
				t.Errorf("code %d, wanted %q:\n%s", code, c.want, said.String())
			}
			chain, err := s.store().Verify()
			if err != nil {
				t.Fatal(err)
			}
			if newest := chain.Entries[len(chain.Entries)-1]; (newest.Kind == evidence.Promotion) != may || may && len(newest.Rests) != 2 {
				t.Errorf("the newest entry is %+v", newest)
			}
		})
	}
}

func TestPromotionWantsAVersionAndAStep(t *testing.T) {
	t.Parallel()
	s := newStairs(t)
	for agent, want := range map[string]string{"bot": "NAME@VERSION", "@1": "NAME@VERSION", "bot@": "NAME@VERSION", "bot@1\x1b[2J": "NAME@VERSION", "bot@1@2": "NAME@VERSION"} {
		s.Agent = agent
		if _, err := s.Promote(&bytes.Buffer{}, s.profile, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", agent, err)
		}
	}
	s.Agent, s.Step = "bot@1", "broad"
	if _, err := s.Promote(&bytes.Buffer{}, s.profile, true); err == nil || !strings.Contains(err.Error(), "it has draft, writes") {
		t.Errorf("an unknown step: %v", err)
	}
}
