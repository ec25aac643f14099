package main

import (
	"github.com/spf13/cobra"
)

func mirrorCommand(c console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mirror",
		Short: "Take a copy of part of a real service, for a world that looks like production",
		Long: `A mirror is a file with what reads of a real service showed: sampled, with
pseudonyms in the place of what is of people, and without credentials. Fixtures
name it, and a run begins with its records.`,
		Args: known,
		RunE: help,
	}
	cmd.AddCommand(mirrorImportCommand(c))
	cmd.AddCommand(mirrorStatusCommand(c))
	return cmd
}
