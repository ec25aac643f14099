package main

import (
	"log/slog"

	"github.com/spf13/cobra"

	"parity/cmd/internal/connection"
	"parity/gateway"
)

func envCommand(c console) *cobra.Command {
	var format, run string
	var r reaching
	cmd := &cobra.Command{
		Use:   "env [flags]",
		Short: "Print what an agent's environment needs to reach a gateway",
		Long: `Env prints the variables that capture an agent, for the gateway that
"parity serve" keeps up under this folder, or the one at --gateway: proxy, trusted certificates, Node's
preload, and the run's name and token (PARITY_TOKEN), with which the agent can
post how its work went and nothing else. As shell it unsets what is the
operator's own: PARITY_CONTROL_TOKEN and PARITY_GATEWAY.

With --gateway the certificates are fetched, and written under this folder
(PARITY_DIR) with what else the variables point to.`,
		Example: "  eval \"$(parity env)\"\n  eval \"$(parity env --gateway http://gateway:7071 --run shard-1)\"\n  parity env --format docker >> Dockerfile",
		Args:    alone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return connection.PrintEnvironment(cmd.Context(), c.stdout, gateway.Settings{
				Root: c.getenv("PARITY_DIR"), Token: c.getenv("PARITY_CONTROL_TOKEN"), Getenv: c.getenv, Log: c.logTo(slog.LevelWarn),
			}, r.url(c), run, format)
		},
	}
	r.flags(cmd)
	cmd.Flags().StringVar(&run, "run", "", "the run that the agent is to belong to (default the gateway's first)")
	cmd.Flags().StringVarP(&format, "format", "o", "shell", "shell, docker, github, dotenv or json")
	return cmd
}
