package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/inspect"
)

func diffCommand(c console) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "diff RUN RUN",
		Short: "Show where two runs part: what was called, what was answered, what is left",
		Long: `Diff sets what two runs called side by side, says where they part and why, and
what their services hold in the end that the other's do not. What services make
up, such as ids and times, may differ between runs of different seeds: it counts
as equal where it came about in the same place.

It ends with 0 where the runs are equal, with 1 where they are not, and with 3
where they were made under different conditions: another seed, profile revision,
contracts, fixtures or Parity. It says so first.`,
		Example: "  parity diff before last\n  parity diff before last -o json",
		Args:    two("two runs"),
		RunE: func(_ *cobra.Command, args []string) error {
			code, err := inspect.DiffRuns(c.stdout, c.getenv("PARITY_DIR"), [2]string{args[0], args[1]}, output, c.colour(c.stdout))
			if err != nil {
				return err
			}
			return ended(code)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	return cmd
}
