package main

import (
	"errors"

	"github.com/spf13/cobra"

	"parity/cmd/internal/connection"
)

func healthCommand(c console) *cobra.Command {
	var r reaching
	cmd := &cobra.Command{
		Use:   "health",
		Short: "Tell whether a gateway takes traffic; for health checks",
		Long: `Health asks the gateway's /readyz, prints one line, and ends with 0 where the
gateway takes traffic and with 1 where it does not, or does not answer. It needs
no token.`,
		Example: "  parity health\n  parity health --gateway http://gateway:7071",
		Args:    alone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := connection.Health(cmd.Context(), c.stdout, c.getenv("PARITY_DIR"), r.url(c))
			if errors.Is(err, connection.ErrNotReady) {
				return exitCode(1)
			}
			return err
		},
	}
	r.flags(cmd)
	return cmd
}
