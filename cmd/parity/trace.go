package main

import (
	"github.com/spf13/cobra"

	"parity/gateway"
)

func traceCommand(c console) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:     "trace [RUN]",
		Short:   "List every call of a run and what became of it",
		Example: "  parity trace\n  parity trace last -o json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return gateway.PrintTrace(c.stdout, c.getenv("PARITY_DIR"), named(args), output, c.colour(c.stdout))
		},
	}
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
