package main

import (
	"github.com/spf13/cobra"

	"parity/gateway"
)

func reportCommand(c console) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "report [RUN]",
		Short: "Say what an agent did about each fault, and what that proves",
		Long: `Report judges a run again and prints what "parity run" ended with. It ends with
0 whatever the verdicts are.

RUN is the name of a folder in .parity/runs, or last, the newest, which is what
is read where none is named. A run that is going on can be read too.`,
		Example: "  parity report\n  parity report last -o json\n  parity report -o markdown > pull-request.md",
		Args:    atMostOne("run"),
		RunE: func(_ *cobra.Command, args []string) error {
			return gateway.PrintReport(c.stdout, c.getenv("PARITY_DIR"), named(args), output, c.colour(c.stdout))
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "how it is written: "+gateway.Formats())
	return cmd
}
