package main

import (
	"strings"

	"github.com/spf13/cobra"

	"parity/cmd/internal/author"
)

func explainCommand(c console) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "explain [KEY | FAULT | FAULT.PARAMETER]",
		Short: "Print the documentation of a key of profiles, of a fault or of its parameter",
		Long: `Explain prints what a key of a profile says, how it is written, what it is by
default, and the keys below it; or what a fault does, when, with which
parameters, and what a good agent does then; or a rule that every run is judged
by, and a known difference from production. A key is named by its path, without
names of rules or services, or by the end of its path. With nothing, it lists
the keys at the top.`,
		Example: `  parity explain faults
  parity explain trigger.per
  parity explain services.contract
  parity explain inject
  parity explain ambiguous-success
  parity explain 'always: claims are shown'
  parity explain ambiguous-success.reply -o json`,
		Args: atMostOne("key or fault"),
		RunE: func(_ *cobra.Command, args []string) error {
			return author.PrintTopic(c.stdout, strings.Join(args, ""), output)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	return cmd
}
