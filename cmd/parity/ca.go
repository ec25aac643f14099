package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/connection"
)

func caCommand(c console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ca",
		Short: "Show the certificate authority, and how each client trusts it",
		Args:  known,
		RunE: func(*cobra.Command, []string) error {
			return connection.ShowCA(c.stdout, c.getenv)
		},
	}
	export := &cobra.Command{
		Use:     "export",
		Short:   "Print the certificate as PEM; the key never leaves its folder",
		Example: "  parity ca export > parity.pem",
		Args:    alone,
		RunE: func(*cobra.Command, []string) error {
			return connection.ExportCA(c.stdout, c.getenv)
		},
	}
	cmd.AddCommand(export)
	return cmd
}
