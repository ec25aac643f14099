package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/author"
)

func servicesCommand(c console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "services",
		Short: "List the services that ship, and what of them is modelled",
		Args:  known,
		RunE:  help,
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "list",
		Short: "List the services that ship, with their hosts",
		Args:  alone,
		RunE:  func(*cobra.Command, []string) error { return author.ListServices(c.stdout) },
	}, &cobra.Command{
		Use:     "show SERVICE",
		Short:   "Show a service's operations and its known differences, in Markdown",
		Example: "  parity services show stripe",
		Args:    one("service"),
		RunE:    func(_ *cobra.Command, args []string) error { return author.ShowService(c.stdout, args[0]) },
	})
	return cmd
}
