package main

import (
	"github.com/spf13/cobra"

	"parity/gateway"
)

func envCommand(c console) *cobra.Command {
	var format, run string
	cmd := &cobra.Command{
		Use:   "env [flags]",
		Short: "Print what an agent's environment needs to reach the gateway that is up",
		Long: `Env prints the variables that capture an agent, for the gateway that
"parity serve" keeps up under this folder: proxy, trusted certificates, Node's
preload, and the run's name and token (PARITY_TOKEN), with which the agent can
post how its work went and nothing else. As shell it unsets what is the
operator's own: PARITY_CONTROL_TOKEN and PARITY_GATEWAY.`,
		Example: "  eval \"$(parity env)\"\n  parity env --format docker >> Dockerfile",
		Args:    alone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return gateway.PrintEnvironment(cmd.Context(), c.stdout, c.getenv("PARITY_DIR"), c.getenv("PARITY_CONTROL_TOKEN"), run, format)
		},
	}
	cmd.Flags().StringVar(&run, "run", "", "the run that the agent is to belong to (default the gateway's first)")
	cmd.Flags().StringVarP(&format, "format", "o", "shell", "shell, docker, github, dotenv or json")
	return cmd
}
