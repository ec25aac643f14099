package main

import (
	"github.com/spf13/cobra"

	"parity/gateway"
)

func profileCommand(c console) *cobra.Command {
	cmd := &cobra.Command{Use: "profile", Short: "Work with parity profiles", Args: known, RunE: help}
	cmd.AddCommand(
		&cobra.Command{
			Use:     "lint PROFILE",
			Short:   "Say everything that is wrong with a profile, with file, line and column",
			Example: "  parity profile lint rough-afternoon.yaml",
			Args:    one("profile"),
			RunE: func(_ *cobra.Command, args []string) error {
				return gateway.LintProfile(c.stdout, args[0])
			},
		},
		&cobra.Command{
			Use:   "list",
			Short: "List the profiles of the library",
			Args:  alone,
			RunE: func(*cobra.Command, []string) error {
				return gateway.ListProfiles(c.stdout)
			},
		},
		&cobra.Command{
			Use:     "show PROFILE",
			Short:   "Print a profile with everything that it extends",
			Example: "  parity profile show lost-replies",
			Args:    one("profile"),
			RunE: func(_ *cobra.Command, args []string) error {
				return gateway.ShowProfile(c.stdout, args[0])
			},
		},
	)
	return cmd
}

func schemaCommand(c console) *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of profiles, for editors",
		Example: "  parity schema > profile.schema.json",
		Args:    alone,
		RunE: func(*cobra.Command, []string) error {
			return gateway.PrintSchema(c.stdout)
		},
	}
}
