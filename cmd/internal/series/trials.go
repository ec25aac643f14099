package series

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"parity/cmd/internal/output"
	"parity/cmd/internal/rehearsal"
	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/report"
	"parity/profiles"
)

// Trials say how an agent is rehearsed many times: under each profile, with each
// seed, so often.
type Trials struct {
	Options
	Profiles []string // files, or names in the library, each laid over the one of the settings; nil: that alone
	Seeds    string   // such as 1..20 or 3,5,9; "": the one of the settings
	Repeat   int      // at least 1
	Twin     bool     // each beside one without rules
	FailFast bool     // none is begun after one has failed
	Output   string   // text or json
	Out      io.Writer
	Terminal bool // somebody watches Stderr
}

// mostRuns bounds the runs of one series.
const mostRuns = 10_000

// RunTrials rehearses an agent many times, and writes what that comes to. The
// code is what the process is to end with; an error means that nothing was
// started.
func RunTrials(ctx context.Context, o Trials) (code int, err error) {
	if err := output.TextOrJSON(o.Output); err != nil {
		return 0, err
	}
	jobs, err := o.jobs()
	if err != nil {
		return 0, err
	}
	if err := o.check(); err != nil {
		return 0, err
	}
	o.Kind = "repeat"
	if len(o.Profiles) > 0 {
		o.Profile = jobs[0].Profile
	}
	if o.FailFast {
		o.Enough = func(d Done) bool { return !d.Job.calm && trialOf(&d, 0).Result == report.RunFailed }
	}
	o.Progress = ProgressTo(o.Stderr, o.Terminal, func(d *Done) string {
		t := trialOf(d, 0)
		said := d.Job.Name
		if t.Seed != nil {
			said += " seed " + strconv.FormatUint(*t.Seed, 10)
		}
		if d.Job.calm {
			said += ", without faults"
		}
		return said + ": " + string(t.Result)
	})
	s, err := Open(ctx, o.Options)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	began := s.wall.Now()
	done, err := s.Run(ctx, jobs)
	if err != nil {
		return unstarted(o.Stderr, 0, err)
	}
	n := report.Count(trials(done))
	n.Name, n.Parity, n.Command = s.Name, gateway.Version, o.Command
	n.Seeds, n.Repeat, n.Parallel, n.Took = o.Seeds, o.Repeat, s.o.Parallel, s.wall.Now().Sub(began)
	if n.Exit == report.Nothing && s.left == Interrupted {
		n.Exit = rehearsal.Interrupted
	}
	s.publish(ctx, report.Series{Numbers: &n})
	fmt.Fprintln(o.Stderr)
	if o.Output == "json" {
		return n.Exit, report.NumbersJSON(o.Out, n)
	}
	return n.Exit, errors.Join(report.NumbersText(o.Out, n, o.Look), s.asPage(o.Out))
}

// jobs are all that are to be done: first each profile and seed once, then each
// once more, so that an early end leaves none out.
func (o *Trials) jobs() ([]Job, error) {
	seeds, err := parseSeeds(o.Seeds)
	if err != nil {
		return nil, err
	}
	names := o.Profiles
	if len(names) == 0 {
		names = []string{""}
	}
	each := 1
	if o.Twin {
		each = 2
	}
	if n := o.Repeat * len(seeds) * len(names) * each; o.Repeat > mostRuns || n > mostRuns {
		return nil, fmt.Errorf("that is more than %d runs: repeat less, or take fewer seeds or profiles", mostRuns)
	}
	var jobs []Job
	for range o.Repeat {
		for _, seed := range seeds {
			for _, name := range names {
				shown := name
				if shown == "" {
					shown = o.Profile
				}
				if shown == "" {
					shown = "baseline"
				}
				if name != "" {
					name = profiles.Layered(o.Profile, name)
				}
				job := Job{Name: shown, Profile: name, Seed: seed, Arm: o.Arm}
				if !o.Twin {
					jobs = append(jobs, job)
					continue
				}
				calm, beside := twins(job)
				jobs = append(jobs, calm, beside)
			}
		}
	}
	return jobs, nil
}

// parseSeeds reads seeds, such as 1..20 or 3,5,9..12; none is the series' own.
func parseSeeds(text string) ([]*uint64, error) {
	if text == "" {
		return []*uint64{nil}, nil
	}
	var all []*uint64
	wrong := fmt.Errorf("--seeds %q: say which, as in 1..20, or 3,5,9..12", text)
	for part := range strings.SplitSeq(text, ",") {
		from, to, ranged := strings.Cut(strings.TrimSpace(part), "..")
		if !ranged {
			to = from
		}
		first, err := strconv.ParseUint(from, 10, 64)
		last, err2 := strconv.ParseUint(to, 10, 64)
		if err != nil || err2 != nil || last < first {
			return nil, wrong
		}
		if last-first >= mostRuns || len(all) > mostRuns {
			return nil, fmt.Errorf("--seeds %q: that is more than %d runs", text, mostRuns)
		}
		for n := range last - first + 1 {
			seed := first + n
			if !slices.ContainsFunc(all, func(s *uint64) bool { return *s == seed }) {
				all = append(all, &seed)
			}
		}
	}
	return all, nil
}

// ParseMatrix reads the profiles of a matrix: files, patterns of such, and names
// in the library or patterns of these.
func ParseMatrix(patterns []string) ([]string, error) {
	var all []string
	for _, pattern := range patterns {
		for part := range strings.SplitSeq(pattern, ",") {
			found, err := matching(strings.TrimSpace(part))
			if err != nil {
				return nil, err
			}
			for _, name := range found {
				if !slices.Contains(all, name) {
					all = append(all, name)
				}
			}
		}
	}
	return all, nil
}

func matching(pattern string) ([]string, error) {
	if !strings.ContainsAny(pattern, "*?[") {
		if pattern == "" {
			return nil, errors.New("--matrix: there is no profile between two commas")
		}
		return []string{pattern}, nil
	}
	found, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("--matrix %q is no pattern: * is for any name, ? for any character, [a-c] for one of these", pattern)
	}
	found = slices.DeleteFunc(found, func(name string) bool {
		info, err := os.Stat(name)
		return err != nil || info.IsDir()
	})
	if len(found) > 0 {
		return found, nil
	}
	for _, name := range profiles.Library() {
		if ok, err := path.Match(pattern, name); ok && err == nil {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("--matrix %q: no file and no profile of the library is called so; `parity profile list` has the library", pattern)
	}
	return found, nil
}

// trials are what came of jobs, without the twins of others.
func trials(done []Done) []report.Trial {
	type cell struct {
		profile string
		seed    uint64
	}
	all := []report.Trial{}
	times := map[cell]int{}
	for i := range done {
		d := &done[i]
		if d.Job.calm {
			continue
		}
		key := cell{profile: d.Job.Name, seed: d.Report.Seed}
		if d.Job.Seed != nil {
			key.seed = *d.Job.Seed
		}
		times[key]++
		all = append(all, trialOf(d, times[key]))
	}
	return all
}

// trialOf is what came of a job.
func trialOf(d *Done, nth int) report.Trial {
	t := report.Trial{Profile: d.Job.Name, Seed: d.Job.Seed, Nth: nth, Run: d.Run, Why: string(d.Left), Result: report.RunLeft}
	switch {
	case d.Left != "":
		return t
	case d.Err != nil:
		t.Result, t.Why = report.RunBroken, d.Err.Error()
		return t
	}
	t.Report, t.Seed, t.Twin, t.Again = &d.Report, &d.Report.Seed, d.Report.Twin, d.Report.Again()
	t.Open, t.Took = d.Report.Open(), d.Took
	for _, c := range d.Report.Faults {
		t.Struck += c.Fired
	}
	for _, v := range d.Report.Verdicts {
		if v.Result == trail.Failed {
			t.Failed = append(t.Failed, v)
		}
	}
	t.Result, t.Why = d.Report.Came()
	if d.Cut != "" && t.Result != report.RunBroken && !d.Report.Failed() {
		t.Result, t.Why = report.RunCut, string(d.Cut) // but what failed by then has failed
	}
	return t
}
