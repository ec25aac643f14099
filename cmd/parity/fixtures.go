package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/author"
)

func fixturesCommand(c console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fixtures",
		Short: "Check what runs begin with, and see how it looks",
		Args:  known,
		RunE:  help,
	}
	var o author.FixtureLint
	var seed uint64
	lint := &cobra.Command{
		Use:   "lint PROFILE|FILE|NAME",
		Short: "Build the records, and show the shape of each field",
		Long: `Lint builds what a profile's runs begin with, or a file of records, or fixtures
that ship, and holds each record against the contract. It says what is wrong
with file, line and pointer and ends with 2, or shows the shape of each field,
and how many records each tag of the files names. With --require it ends with 2
unless a condition holds over tags (tags.conflict > 0), and over the lists
collections and fields, whose entries have what -o json shows of them.
--distribution shows instead how the values are spread: what is missing, texts
of up to three words and long ones (three paragraphs, or more than 1,000
characters), lists of none, one and several, and dates from before the day on
which the service went into use (launched: in the file).`,
		Example: "  parity fixtures lint billing-messy\n  parity fixtures lint profiles/storm.yaml -o json\n  parity fixtures lint zendesk-messy --distribution --require 'any(fields, .long > 0)'\n" +
			`  parity fixtures lint billing-messy --require 'tags.conflict > 0 and any(fields, .field == "email" and .filled < 0.9)'`,
		Args: one("profile or file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Name = args[0]
			if cmd.Flags().Changed("seed") {
				o.Seed = &seed
			}
			return author.LintFixtures(c.stdout, o)
		},
	}
	lint.Flags().StringVarP(&o.Output, "output", "o", "text", "text or json")
	lint.Flags().BoolVar(&o.Distribution, "distribution", false, "show how the values are spread, not the shape of each field")
	lint.Flags().StringArrayVar(&o.Require, "require", nil, "a condition that has to hold; may be repeated")
	lint.Flags().Uint64Var(&seed, "seed", 0, "the seed of what is generated; by default the profile's, else 0")
	list := &cobra.Command{
		Use:   "list",
		Short: "List the fixtures that ship with services",
		Args:  alone,
		RunE:  func(*cobra.Command, []string) error { return author.ListFixtures(c.stdout) },
	}
	cmd.AddCommand(lint, list, showFixtures(c))
	return cmd
}

func showFixtures(c console) *cobra.Command {
	var output string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "show PROFILE|FILE|NAME",
		Short: "Print what runs begin with, record by record",
		Long: `Show builds what a profile's runs begin with, or a file of records, or fixtures
that ship, and prints it without what looks like a secret. Files are printed as
they are written, to read or to begin one's own from. Where records are
generated too, it prints those that come of it: by collection, oldest first,
without what services have from the start and without what is empty. -o json
prints all records in full.`,
		Example: "  parity fixtures show billing-friendly\n  parity fixtures show profiles/storm.yaml -o json | jq '.\"stripe.customers\"'",
		Args:    one("profile or file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := &seed
			if !cmd.Flags().Changed("seed") {
				given = nil
			}
			return author.ShowFixtures(c.stdout, args[0], output, given)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "the seed of what is generated; by default the profile's, else 0")
	return cmd
}
