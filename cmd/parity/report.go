package main

import (
	"github.com/spf13/cobra"

	"parity/gateway"
)

func reportCommand(c console) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:     "report [RUN]",
		Short:   "Say what an agent did about each fault, and what that proves",
		Example: "  parity report\n  parity report last -o json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return gateway.PrintReport(c.stdout, c.getenv("PARITY_DIR"), named(args), output, c.colour(c.stdout))
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	return cmd
}
