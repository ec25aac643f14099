package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"parity/cmd/internal/rehearsal"
	"parity/cmd/internal/series"
	"parity/gateway"
	"parity/gateway/kept"
)

// trialFlags are the flags of run that have it rehearse more than once.
type trialFlags struct {
	numbers
	sweep    bool
	watch    bool
	cell     string
	parallel int
	budget   time.Duration
	maxCells int
	output   string
}

const defaultBudget = 5 * time.Minute

func (m *trialFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&m.sweep, "sweep", false, "run the agent once without faults, and then once for each of its calls and each fault that fits it")
	f.BoolVar(&m.watch, "watch", false, "run the agent, and again at each save of its files (those below this folder, but for hidden ones, node_modules, __pycache__ and any above 1 MB) or of the profile's; a save while it runs ends it and begins anew; Ctrl-C ends with the code of the last run")
	f.StringVar(&m.cell, "cell", "", "run with one cell of a sweep alone: 'CALL × FAULT', such as 'stripe POST /v1/refunds × timeout'")
	f.IntVar(&m.parallel, "parallel", 0, "agents that run at once, of many runs (default one for each processor, and at least 2)")
	f.DurationVar(&m.budget, "budget", defaultBudget, "how long many runs together may take; 0: as long as it takes")
	f.IntVar(&m.maxCells, "max-cells", 0, "try at most so many cells, the worst first, with --sweep (default all)")
	m.numbers.flags(cmd)
	f.StringVarP(&m.output, "output", "o", "text", "text or json, of many runs")
}

// check refuses what does not go together.
func (m *trialFlags) check(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	if err := m.numbers.check(cmd, m.sweep); err != nil {
		return err
	}
	switch {
	case m.sweep && changed("cell"):
		return &gateway.UsageError{Err: errors.New("--cell is one cell of a sweep, run alone: leave out --sweep")}
	case m.sweep && changed("only"):
		return &gateway.UsageError{Err: errors.New("--sweep switches off the rules of the profile: leave out --only")}
	case changed("parallel") && m.parallel < 1, m.budget < 0, m.maxCells < 0:
		return &gateway.UsageError{Err: errors.New("--parallel is at least 1; --budget and --max-cells are not below 0, and bound nothing at 0")}
	}
	if m.watch {
		for _, name := range []string{"sweep", "repeat", "seeds", "matrix", "twin"} {
			if changed(name) {
				return &gateway.UsageError{Err: fmt.Errorf("--watch shows one run at a time, and --%s makes many: leave one of them out", name)}
			}
		}
	}
	if m.sweep {
		return nil
	}
	if changed("max-cells") {
		return &gateway.UsageError{Err: errors.New("--max-cells is of a sweep: say --sweep too")}
	}
	for _, name := range []string{"parallel", "budget", "output"} {
		if changed(name) && !m.asked(cmd) && !(name == "output" && m.twin) {
			return &gateway.UsageError{Err: fmt.Errorf("--%s is for many runs: say --sweep, --repeat, --seeds or --matrix too", name)}
		}
	}
	return filled(cmd, "cell")
}

// one has a rehearsal be of one cell, where one is named.
func (m *trialFlags) one(r *rehearsal.Plan) (err error) {
	if m.cell == "" {
		return nil
	}
	if r.Only == nil {
		r.Only = []string{kept.NoRules}
	}
	r.Flags = append([]string{"--cell", m.cell}, r.Flags...)
	r.Arm, err = series.CellRules([]string{m.cell})
	return err
}

func (m *trialFlags) run(ctx context.Context, c console, r rehearsal.Plan) (int, error) {
	r.Look.Color = c.colour(c.stdout)
	return series.RunSweep(ctx, series.Sweep{
		Options:  series.Options{Plan: r, Parallel: m.parallel, Budget: m.budget},
		MaxCells: m.maxCells, Output: m.output, Out: c.stdout, Terminal: c.watched(c.stderr),
	})
}

// watched tells whether w is a terminal that can go back in its line.
func (c console) watched(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd()) && c.getenv("TERM") != "dumb"
}
