package series

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"parity/cmd/internal/output"
	"parity/cmd/internal/rehearsal"
	"parity/gateway"
	"parity/gateway/kept"
	"parity/gateway/report"
	"parity/gateway/sweep"
	"parity/specs"
	"parity/specs/words"
)

// Sweep says how an agent is swept: run once without faults, and then once for
// each of its calls and each fault that fits it.
type Sweep struct {
	Options
	MaxCells int       // at most so many, the worst first; 0: all
	Output   string    // text or json
	Out      io.Writer // what was found out
	Terminal bool      // somebody watches Stderr
}

// RunSweep runs the agent as said, and writes what it did. The code is what the
// process is to end with; an error means that nothing was started.
func RunSweep(ctx context.Context, o Sweep) (code int, err error) {
	if err := output.TextOrJSON(o.Output); err != nil {
		return 0, err
	}
	if err := o.check(); err != nil {
		return 0, err
	}
	o.Kind = "sweep"
	s := &sweeping{o: o}
	o.Progress = ProgressTo(o.Stderr, o.Terminal, s.said)
	if s.series, err = Open(ctx, o.Options); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.series.Close()) }()
	s.began = s.series.wall.Now()
	code, err = s.run(ctx)
	return unstarted(o.Stderr, code, err)
}

// sweeping is a sweep that goes on.
type sweeping struct {
	o      Sweep
	series *Series
	began  time.Time
	calm   Done
	cells  []sweep.Cell
	effect map[string]specs.Effect // by call
}

// run does all of it.
func (s *sweeping) run(ctx context.Context) (int, error) {
	calm, err := s.series.Run(ctx, []Job{{Name: "no faults", Only: []string{kept.NoRules}, Flags: []string{"--only", kept.NoRules}}})
	if err != nil {
		return 0, err
	}
	s.calm = calm[0]
	code, why, err := s.unfit()
	if code != 0 || err != nil {
		if s.calm.Run != "" && err == nil {
			s.series.publish(ctx, report.Series{Sweep: &report.Sweep{Name: s.series.Name, Calm: s.calm.Report, Parallel: s.series.o.Parallel, Took: s.calm.Took, Exit: code, Why: why}})
		}
		return code, err
	}
	if err := s.plan(); err != nil {
		return 0, err
	}
	jobs, err := s.jobs()
	if err != nil {
		return 0, err
	}
	done, err := s.series.Run(ctx, jobs)
	if err != nil {
		return 0, err
	}
	return s.tell(ctx, done)
}

// unfit tells of a run without faults that is no ground for others, and why: then
// the code is not 0.
func (s *sweeping) unfit() (code int, why string, err error) {
	d, rep := &s.calm, &s.calm.Report
	switch {
	case d.Err != nil:
		return 0, "", d.Err
	case d.Left != "" || d.Cut != "":
		stop := d.Left
		if stop == "" {
			stop = d.Cut
		}
		fmt.Fprintf(s.o.Stderr, "parity: the agent was to run once without faults, and %s: there is nothing to sweep\n", stop)
		why = "the agent was to run once without faults, and " + string(stop)
		if stop == Interrupted {
			return rehearsal.Interrupted, why, nil
		}
		fmt.Fprintln(s.o.Stderr, "parity: give it more with --budget")
		return report.Unsound, why, nil
	case rep.NoTraffic() || len(rep.Defects) > 0:
		fmt.Fprint(s.o.Stderr, d.Said)
		fmt.Fprintln(s.o.Stderr)
		why = "nothing that the agent did without faults reached a service"
		if len(rep.Defects) > 0 {
			why = "Parity itself broke the run without faults"
		}
		return report.Unsound, why, report.Terminal(s.o.Stderr, *rep, s.o.Look)
	}
	return 0, "", nil
}

// plan finds the agent's calls and what is to be tried with each.
func (s *sweeping) plan() error {
	kept, err := s.series.srv.Kept(s.calm.Run)
	if err != nil {
		return errors.Join(rehearsal.ErrDefect, err)
	}
	calls := sweep.Calls(kept.Events, kept.Operation)
	s.cells, s.effect = sweep.Plan(calls), map[string]specs.Effect{}
	intents := 0
	for _, c := range calls {
		s.effect[c.Operation.Name()] = c.Effect
		intents += c.Intents
	}
	tried := len(s.cells)
	if s.o.MaxCells > 0 {
		tried = min(tried, s.o.MaxCells)
	}
	fmt.Fprintf(s.o.Stderr, "parity: without faults the agent made %s of %s in %v and exited %d; now once more for each of %s, %d at once\n",
		words.Count(intents, "call"), words.Count(len(calls), "operation"), s.calm.Took.Round(10*time.Millisecond), s.calm.Code,
		words.Count(tried, "cell"), min(tried, s.series.o.Parallel))
	if !s.series.until.IsZero() {
		left := s.series.until.Sub(s.series.wall.Now())
		if said := tooMuch(tried, s.series.o.Parallel, s.calm.Took, left, s.o.Budget); said != "" {
			fmt.Fprintln(s.o.Stderr, "parity: "+said)
		}
	}
	return nil
}

// tooMuch says what to do where so many cells will not fit into what is left of the
// budget: each takes as long as the run without faults, or longer; "": they may.
func tooMuch(cells, parallel int, each, left, budget time.Duration) string {
	least := time.Duration(cells) * each / time.Duration(parallel)
	if least <= left {
		return ""
	}
	const spare = 2 // faults have agents wait, and try again
	fit := max(1, int(left*time.Duration(parallel)/each))
	return fmt.Sprintf("that takes %v or longer, and --budget allows %v, which is enough for about %s, the worst first: for all of them say --budget %s, or --budget 0; for fewer, --max-cells %d",
		least.Round(time.Second), budget, words.Count(fit, "cell"), minutes(budget+spare*least), fit)
}

// minutes is a duration in whole minutes, as a flag takes it.
func minutes(d time.Duration) string { return fmt.Sprintf("%.0fm", math.Ceil(d.Minutes())) }

// patience is how much longer than without faults an agent may take before it is
// ended: it may have been told to wait, and have retries of its own.
const (
	patience      = 10
	leastPatience = 30 * time.Second
)

// jobs are those of the cells that are to be tried.
func (s *sweeping) jobs() ([]Job, error) {
	limit := max(leastPatience, patience*s.calm.Took)
	seed := s.calm.Report.Seed
	var jobs []Job
	for _, c := range s.cells {
		if s.o.MaxCells > 0 && len(jobs) == s.o.MaxCells {
			break
		}
		armed, err := CellRules([]string{c.String()})
		if err != nil {
			return nil, errors.Join(rehearsal.ErrDefect, err)
		}
		jobs = append(jobs, Job{
			Name: c.String(), Seed: &seed, Only: []string{kept.NoRules}, Arm: armed, Flags: []string{rehearsal.TwinFlag, "--cell", c.String()}, Limit: limit, beside: []string{s.calm.Run},
		})
	}
	return jobs, nil
}

// CellRules are the rules of cells, by their names.
func CellRules(names []string) ([]gateway.Arming, error) {
	var all []gateway.Arming
	for _, name := range names {
		c, err := sweep.Parse(name)
		if err != nil {
			return nil, fmt.Errorf("--cell %w", err)
		}
		parts, err := c.Rule()
		if err != nil {
			return nil, err
		}
		all = append(all, gateway.Arming{Name: c.Fault, Parts: parts})
	}
	return all, nil
}

// found judges a cell.
func (s *sweeping) found(d *Done) sweep.Found {
	switch {
	case d.Left == OverBudget:
		return sweep.Found{Outcome: sweep.OverBudget, Why: string(d.Left)}
	case d.Left != "":
		return sweep.Found{Outcome: sweep.LeftOut, Why: string(d.Left)}
	case d.Err != nil:
		return sweep.Found{Outcome: sweep.Broken, Why: d.Err.Error()}
	}
	cell, err := sweep.Parse(d.Job.Name)
	if err != nil {
		return sweep.Found{Outcome: sweep.Broken, Why: err.Error()}
	}
	if d.Last > 0 { // what it did is all that it was to do
		f := sweep.Judge(s.calm.Report.Judgement, d.Report.Judgement, cell, "")
		f.Why = strings.TrimPrefix(fmt.Sprintf("%s; its last call was over after %v, and it was ended after %v", f.Why, d.Last.Round(time.Second/10), d.Took.Round(time.Second/10)), "; ")
		return f
	}
	f := sweep.Judge(s.calm.Report.Judgement, d.Report.Judgement, cell, string(d.Cut))
	if d.Cut == OverBudget && f.Outcome == sweep.CutShort {
		f.Outcome = sweep.OverBudget
	}
	return f
}

// said is what progress says of a job.
func (s *sweeping) said(d *Done) string {
	if len(d.Job.Arm) == 0 {
		return fmt.Sprintf("%s: %s", d.Job.Name, words.Count(d.Report.Exchanges, "call"))
	}
	return d.Job.Name + ": " + string(s.found(d).Outcome)
}

// tell writes what was found out, and gives the code.
func (s *sweeping) tell(ctx context.Context, done []Done) (int, error) {
	r := report.Sweep{Name: s.series.Name, Calm: s.calm.Report, Parallel: s.series.o.Parallel, Took: s.series.wall.Now().Sub(s.began)}
	for i, c := range s.cells {
		cell := report.Cell{
			Name: c.String(), Call: c.Where(), Effect: string(s.effect[c.Call]), Fault: c.Fault,
			Outcome: string(sweep.LeftOut), Why: fmt.Sprintf("--max-cells allows %d", s.o.MaxCells), Again: s.alone(c.String()),
		}
		if i < len(done) {
			d := &done[i]
			f := s.found(d)
			cell.Outcome, cell.Why, cell.Failed, cell.Run = string(f.Outcome), f.Why, f.Failed, d.Run
			cell.Open = s.open(d)
			if d.Report.Agent != nil {
				cell.Agent, cell.Again, cell.Ended = d.Report.Agent, d.Report.Again(), d.Cut != ""
			}
		}
		r.Cells = append(r.Cells, cell)
	}
	r.Exit, r.Why = s.exit(&r)
	r.Again = s.alone("CALL × FAULT")
	s.series.publish(ctx, report.Series{Sweep: &r})
	fmt.Fprintln(s.o.Stderr)
	if s.o.Output == "json" {
		return r.Exit, report.SweepJSON(s.o.Out, r)
	}
	return r.Exit, errors.Join(report.SweepText(s.o.Out, r, s.o.Look), s.series.asPage(s.o.Out))
}

// alone is the command that does a cell alone: beside a run without faults, as it
// was judged here.
func (s *sweeping) alone(cell string) string {
	one := s.calm.Report
	one.Flags = slices.Concat([]string{rehearsal.TwinFlag, "--cell", cell}, s.o.Flags)
	return one.Again()
}

// open names what a cell leaves open and the run without faults does not.
func (s *sweeping) open(d *Done) (names []string) {
	anyway := s.calm.Report.Open()
	for _, name := range d.Report.Open() {
		if !slices.Contains(anyway, name) {
			names = append(names, name)
		}
	}
	return names
}

// exit is the code of a sweep, and why: as for one run, with the worst of all.
func (s *sweeping) exit(r *report.Sweep) (code int, why string) {
	count, open := map[string]int{}, 0
	for _, c := range r.Cells {
		count[c.Outcome]++
		if len(c.Open) > 0 {
			open++
		}
	}
	code = s.calm.Report.Exit
	switch broken, wrong := count[string(sweep.Broken)], count[string(sweep.Mishandled)]; {
	case broken > 0:
		return report.Unsound, "Parity itself broke " + words.Count(broken, "cell")
	case code != report.Nothing:
		return code, "as without faults"
	case wrong > 0:
		return report.Failed, words.Count(wrong, "cell") + " mishandled"
	case s.calm.Report.Strict && open > 0:
		return report.Failed, "--strict, and " + words.Count(open, "cell") + " left open whether an intent took effect twice"
	case s.series.left == Interrupted:
		return rehearsal.Interrupted, "it was interrupted"
	}
	return report.Nothing, "no cell was mishandled"
}
