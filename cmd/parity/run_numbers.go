package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"parity/cmd/internal/rehearsal"
	"parity/cmd/internal/series"
	"parity/gateway"
)

// numbers are the flags of run that have it rehearse the same more than once.
type numbers struct {
	repeat   int
	seeds    string
	matrix   []string
	twin     bool
	failFast bool
}

func (n *numbers) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&n.repeat, "repeat", 1, "run the agent so often, and say how often it passed, and what differed")
	f.StringVar(&n.seeds, "seeds", "", "run it with each of these seeds, such as 1..20 or 3,5,9..12, and name the smallest that fails")
	f.StringArrayVar(&n.matrix, "matrix", nil, "run it under each of these profiles, laid over --profile where that is given: files, names in the library, or patterns of either, such as 'profiles/*.yaml' (may be repeated)")
	f.BoolVar(&n.twin, "twin", false, "run the agent once more without faults, before each run: verdicts are drawn beside what it does then, and those on faults count only where that passes. It costs a second run of the agent")
	f.BoolVar(&n.failFast, "fail-fast", false, "begin no other run once one has failed, with --repeat, --seeds or --matrix")
}

// more takes the words before -- for profiles of the matrix: a shell has put them
// in the place of a pattern that was not in quotes. It gives the agent's command.
func (n *numbers) more(cmd *cobra.Command, args []string) []string {
	if at := cmd.ArgsLenAtDash(); at > 0 {
		n.matrix = append(n.matrix, args[:at]...)
		return args[at:]
	}
	return args
}

// names are the flags that ask for many runs.
func (n *numbers) names() []string { return []string{"repeat", "seeds", "matrix"} }

// asked tells whether many runs are asked for, or the numbers of one beside its
// twin.
func (n *numbers) asked(cmd *cobra.Command) bool {
	if output, err := cmd.Flags().GetString("output"); n.twin && err == nil && output != "text" {
		return true
	}
	for _, name := range n.names() {
		if cmd.Flags().Changed(name) {
			return true
		}
	}
	return false
}

// check refuses what does not go together.
func (n *numbers) check(cmd *cobra.Command, sweep bool) error {
	changed := cmd.Flags().Changed
	if sweep && n.twin {
		return ownRuns()
	}
	if !n.asked(cmd) {
		if changed("fail-fast") {
			return &gateway.UsageError{Err: errors.New("--fail-fast is for many runs: say --repeat, --seeds or --matrix too")}
		}
		return nil
	}
	for _, pair := range [][2]string{{"seeds", "seed"}, {"matrix", "only"}} {
		if changed(pair[0]) && changed(pair[1]) {
			return &gateway.UsageError{Err: fmt.Errorf("--%s comes in the place of --%s: leave one out", pair[0], pair[1])}
		}
	}
	switch {
	case sweep:
		return ownRuns()
	case n.repeat < 1:
		return &gateway.UsageError{Err: errors.New("--repeat is how often the agent runs, at least 1")}
	}
	return filled(cmd, "seeds")
}

func ownRuns() error {
	return &gateway.UsageError{Err: errors.New("--sweep has its own runs, one of them without faults: leave out --repeat, --seeds, --matrix and --twin, or sweep alone")}
}

func (m *trialFlags) count(ctx context.Context, c console, r rehearsal.Plan) (int, error) {
	profiles, err := series.ParseMatrix(m.matrix)
	if err != nil {
		return 0, err
	}
	r.Look.Color = c.colour(c.stdout)
	return series.RunTrials(ctx, series.Trials{
		Options:  series.Options{Plan: r, Parallel: m.parallel, Budget: m.budget},
		Profiles: profiles, Seeds: m.seeds, Repeat: m.repeat, Twin: m.twin, FailFast: m.failFast,
		Output: m.output, Out: c.stdout, Terminal: c.watched(c.stderr),
	})
}
