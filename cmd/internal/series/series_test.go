package series

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parity/cmd/internal/rehearsal"
	agents "parity/cmd/parity/shop"
	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/journal"
	"parity/gateway/kept"
)

// agentKind is the environment that makes this test binary be an agent of the
// demo: naive or careful.
const agentKind = "SERIES_TEST_AGENT"

func TestMain(m *testing.M) {
	if kind := os.Getenv(agentKind); kind != "" {
		os.Exit(shopping(kind))
	}
	os.Exit(m.Run())
}

func shopping(kind string) int {
	agent := agents.Agent{Client: http.DefaultClient, Key: "sk_test_demo1234567890", Log: os.Stdout}
	act := agent.Naive
	if kind == "careful" {
		act = agent.Careful
	}
	if err := act(context.Background(), agents.Order{ID: "1001", Customer: "ada@example.com", Amount: 4900}); err != nil {
		return 1
	}
	return 0
}

// series opens one whose agent is a command line of sh.
func opened(t *testing.T, root, agent string, change func(*Options)) *Series {
	t.Helper()
	o := Options{Kind: "test", Parallel: 2, Plan: rehearsal.Plan{
		Settings: gateway.Settings{Root: root, CA: filepath.Join(root, "ca"), Profile: "lost-charge", Getenv: func(string) string { return "" }},
		Command:  []string{"sh", "-c", agent}, Exit: "agent", Environ: []string{"PATH=" + os.Getenv("PATH")}, Stderr: t.Output(),
	}}
	if change != nil {
		change(&o)
	}
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func do(t *testing.T, ctx context.Context, s *Series, jobs ...Job) []Done { //nolint:revive // t comes first, as everywhere
	t.Helper()
	all, err := s.Run(ctx, jobs)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Agents that run at once are each in a run of their own: each under its rules
// and its seed, judged by what it did, found by its name.
func TestSeriesKeepsItsRunsApart(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	var told []int
	s := opened(t, root, `SERIES_TEST_AGENT=naive exec "`+os.Args[0]+`"`, func(o *Options) {
		o.Progress = func(p Progress) {
			if p.Newest != nil {
				told = append(told, p.Done)
			}
		}
	})
	seven, eight := uint64(7), uint64(8)
	all := do(t, t.Context(), s,
		Job{Name: "calm", Only: []string{kept.NoRules}, Seed: &seven},
		Job{Name: "lost", Only: []string{"lose-the-charge"}, Seed: &seven},
		Job{Name: "another", Profile: "stripe", Seed: &eight},
	)
	for i, want := range []struct {
		name, profile string
		seed          uint64
		calls         int
		exit          int
	}{{"calm", "lost-charge", 7, 1, 0}, {"lost", "lost-charge", 7, 2, 1}, {"another", "stripe", 8, 1, 0}} {
		d := all[i]
		if d.Job.Name != want.name || d.Err != nil || d.Left != "" || d.Cut != "" || d.Code != 0 || !strings.Contains(d.Said, "order 1001 is paid") {
			t.Errorf("%+v", d)
		}
		kept, err := kept.Read(root, d.Run)
		if err != nil {
			t.Fatal(err)
		}
		for _, rep := range []struct {
			seed        uint64
			profile     string
			calls, exit int
		}{{d.Report.Seed, d.Report.Profile, d.Report.Exchanges, d.Report.Exit}, {kept.Report().Seed, kept.Report().Profile, kept.Report().Exchanges, kept.Report().Exit}} {
			if rep.seed != want.seed || rep.profile != want.profile || rep.calls != want.calls || rep.exit != want.exit {
				t.Errorf("%s: %+v, want %+v", want.name, rep, want)
			}
		}
		if len(kept.Settlements) < want.calls {
			t.Errorf("%s: %d of %d calls are settled", want.name, len(kept.Settlements), want.calls)
		}
	}
	failed := slices.ContainsFunc(all[1].Report.Verdicts, func(v trail.Verdict) bool { return v.Result == trail.Failed })
	if last, err := journal.Last(filepath.Join(root, "runs")); !failed || err != nil || last != s.Name {
		t.Errorf("a verdict failed: %v; the last run is %q, %v", failed, last, err)
	}
	if !slices.Equal(told, []int{1, 2, 3}) {
		t.Errorf("progress %v", told)
	}
}

func TestSeriesStops(t *testing.T) {
	t.Parallel()
	jobs := []Job{{Name: "1"}, {Name: "2"}, {Name: "3"}}
	t.Run("over its budget", func(t *testing.T) {
		t.Parallel()
		s := opened(t, t.TempDir(), "sleep 1000", func(o *Options) { o.Budget = 300 * time.Millisecond })
		for _, d := range do(t, t.Context(), s, jobs...) {
			if d.Err != nil || d.Left != OverBudget && d.Cut != OverBudget {
				t.Errorf("%+v", d)
			}
		}
	})
	t.Run("interrupted", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		s := opened(t, t.TempDir(), "exec sleep 1000", func(o *Options) {
			o.Progress = func(p Progress) {
				if p.Running == 2 {
					cancel()
				}
			}
		})
		for _, d := range do(t, ctx, s, jobs...) {
			if d.Err != nil || d.Left != Interrupted && d.Cut != Interrupted {
				t.Errorf("%+v", d)
			}
		}
	})
	t.Run("knowing enough", func(t *testing.T) {
		t.Parallel()
		s := opened(t, t.TempDir(), "exit 3", func(o *Options) {
			o.Parallel = 1
			o.Enough = func(d Done) bool { return d.Job.Name == "2" && d.Code == 3 }
		})
		all := do(t, t.Context(), s, jobs...)
		if all[0].Left != "" || all[1].Left != "" || all[2].Left != Enough || all[2].Run != "" {
			t.Errorf("%+v", all)
		}
	})
}

func TestSeriesOfNothingThatStarts(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s := opened(t, root, "", func(o *Options) { o.Command = []string{"no-such-agent"} })
	_, err := s.Run(t.Context(), []Job{{}, {}, {}})
	var start *StartError
	if !errors.As(err, &start) || start.Code != 127 || !strings.Contains(err.Error(), "no-such-agent was not found") {
		t.Errorf("%v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if runs, err := kept.List(root); err != nil || len(runs) > 0 {
		t.Errorf("%v, %v", runs, err)
	}
}

func TestSeriesOfAProfileThatIsNotThere(t *testing.T) {
	t.Parallel()
	s := opened(t, t.TempDir(), "true", nil)
	for _, job := range []Job{{Profile: "no-such-profile"}, {Only: []string{"no-such-rule"}}} {
		if _, err := s.Run(t.Context(), []Job{job}); err == nil {
			t.Errorf("%+v: %v", job, err)
		}
	}
}

// A person who is to approve sits beside no series: each of its runs would wait
// until the approval lapses.
func TestSeriesAsksNoPerson(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	file := filepath.Join(root, "asks.yaml")
	for who, refused := range map[string]bool{"person: true": true, "decides: approve": false} {
		text := "profile: asks\nextends: [baseline]\npolicy:\n  gates: {refunds: {call: stripe POST /v1/refunds, then: approve}}\n  approvers: {ada: {" + who + "}}\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s := opened(t, root, "true", func(o *Options) { o.Profile = file })
		_, err := s.Run(t.Context(), []Job{{}})
		var usage *gateway.UsageError
		if errors.As(err, &usage) != refused {
			t.Errorf("%s: %v", who, err)
		}
	}
}

// A warning of lint says itself that it is one, and was called so twice.
func TestSeriesWarnsAsARunDoes(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	file := filepath.Join(root, "lapsed.yaml")
	text := "profile: lapsed\nextends: [baseline]\ndifferences:\n  no-settlement: {accepted: {by: qa, until: 2020-01-01}}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	opened(t, root, "true", func(o *Options) { o.Profile, o.Stderr = file, &said })
	if n := strings.Count(said.String(), "warning"); n != 1 {
		t.Errorf("one warning is called so %d times:\n%s", n, said.String())
	}
}
