package main

import (
	"log/slog"

	"github.com/spf13/cobra"

	"parity/gateway"
)

func serveCommand(c console) *cobra.Command {
	var o opening
	var readyFile string
	cmd := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Keep a gateway up for many agents",
		Long: `Serve opens a gateway and keeps it up until it is told to stop (Ctrl-C or
SIGTERM). It prints "ready" with its addresses on standard output, and writes
them to --ready-file, once both ports are open. GET /healthz and /readyz on the
control port say the same.`,
		Example: "  parity serve --listen 127.0.0.1:7070 --control 127.0.0.1:7071 --profile production-like",
		Args:    alone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := o.settings(c, cmd, slog.LevelInfo)
			if err != nil {
				return err
			}
			return gateway.Stay(cmd.Context(), s, readyFile, c.stdout)
		},
	}
	o.flags(cmd)
	cmd.Flags().StringVar(&readyFile, "ready-file", "", "file to write once both ports are open; removed at the end")
	return cmd
}
