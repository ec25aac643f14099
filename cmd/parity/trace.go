package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/inspect"
)

func traceCommand(c console) *cobra.Command {
	var output string
	var step bool
	var from uint64
	cmd := &cobra.Command{
		Use:   "trace [RUN]",
		Short: "List every call of a run and what became of it",
		Long: `Trace lists every call of a run, in order: what was asked, what was answered,
which rule struck, and what the wire did.

RUN is the name of a folder in .parity/runs, or last, the newest, which is what
is read where none is named. A run that is going on can be read too. Of a series,
which parity run --sweep and the like make, name a run: SERIES-3 is its third.`,
		Example: "  parity trace\n  parity trace last -o json\n  parity trace last --step --from 17",
		Args:    atMostOne("run"),
		RunE: func(_ *cobra.Command, args []string) error {
			if step {
				return inspect.StepTrace(c.stdout, c.stdin, c.getenv("PARITY_DIR"), named(args), from, c.colour(c.stdout), terminal(c.stdin))
			}
			return inspect.PrintTrace(c.stdout, c.getenv("PARITY_DIR"), named(args), output, c.colour(c.stdout))
		},
	}
	cmd.Flags().BoolVar(&step, "step", false, "walk event by event: request, reply, faults, and what changed in the world")
	cmd.Flags().Uint64Var(&from, "from", 1, "the event to begin with, with --step")
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json (one event a line)")
	return cmd
}

// named is the run that an optional argument names.
func named(args []string) string {
	if len(args) == 0 {
		return "last"
	}
	return args[0]
}
