package main

import (
	"github.com/spf13/cobra"

	"parity/gateway"
)

func envCommand(c console) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "env [flags]",
		Short: "Print what an agent's environment needs to reach the gateway that is up",
		Long: `Env prints the variables that capture an agent, for the gateway that
"parity serve" keeps up under this folder: proxy, trusted certificates, Node's
preload, and the run's name and token.`,
		Example: "  eval \"$(parity env)\"\n  parity env --format docker >> Dockerfile",
		Args:    alone,
		RunE: func(*cobra.Command, []string) error {
			return gateway.PrintEnvironment(c.stdout, c.getenv("PARITY_DIR"), format)
		},
	}
	cmd.Flags().StringVarP(&format, "format", "o", "shell", "shell, docker, github, dotenv or json")
	return cmd
}
