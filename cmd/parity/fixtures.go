package main

import (
	"github.com/spf13/cobra"

	"parity/gateway"
)

func fixturesCommand(c console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fixtures",
		Short: "Check what runs begin with, and see how it looks",
		Args:  known,
		RunE:  help,
	}
	var output string
	var seed uint64
	lint := &cobra.Command{
		Use:   "lint PROFILE|FILE|NAME",
		Short: "Build the records, and show the shape of each field",
		Long: `Lint builds what a profile's runs begin with, or a file of records, or fixtures
that ship, and holds each record against the contract. It says what is wrong
with file, line and pointer and ends with 2, or shows the shape of each field.`,
		Example: "  parity fixtures lint billing-messy\n  parity fixtures lint profiles/storm.yaml -o json",
		Args:    one("profile or file"),
		RunE: func(_ *cobra.Command, args []string) error {
			return gateway.LintFixtures(c.stdout, args[0], output, seed)
		},
	}
	lint.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	lint.Flags().Uint64Var(&seed, "seed", 0, "the seed of what is generated")
	list := &cobra.Command{
		Use:   "list",
		Short: "List the fixtures that ship with services",
		Args:  alone,
		RunE:  func(*cobra.Command, []string) error { return gateway.ListFixtures(c.stdout) },
	}
	cmd.AddCommand(lint, list)
	return cmd
}
