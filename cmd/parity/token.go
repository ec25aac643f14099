package main

import (
	"errors"

	"github.com/spf13/cobra"

	"parity/cmd/internal/connection"
	"parity/fakes/clock"
)

func tokenCommand(c console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Make and remove the tokens of people who decide",
		Long: `A person's token proves who decided. The gateways of this folder take it for what
waits for a person (list, show, decide, let pass a gate) and for reading runs, and
for nothing else. Its digest is in .parity/operators, for its owner alone; the token
itself is printed once and kept nowhere. Show it as PARITY_CONTROL_TOKEN.`,
		Args: known,
		RunE: help,
	}
	cmd.AddCommand(tokenNew(c), tokenList(c), tokenRemove(c))
	return cmd
}

func tokenNew(c console) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:     "new --operator NAME",
		Short:   "Make a token for a person, and print it once",
		Example: "  parity token new --operator ada",
		Args:    alone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if name == "" {
				return misused(cmd, errors.New("--operator is missing: whose token it is, such as ada"))
			}
			return connection.NewToken(c.stdout, c.getenv("PARITY_DIR"), name, clock.System{}.Now())
		},
	}
	cmd.Flags().StringVar(&name, "operator", "", "whose token it is")
	return cmd
}

func tokenList(c console) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List who has a token",
		Example: "  parity token list",
		Args:    alone,
		RunE: func(*cobra.Command, []string) error {
			return connection.ListTokens(c.stdout, c.getenv("PARITY_DIR"))
		},
	}
}

func tokenRemove(c console) *cobra.Command {
	return &cobra.Command{
		Use:     "remove NAME",
		Short:   "Make a person's token good for nothing, at once",
		Example: "  parity token remove ada",
		Args:    one("name"),
		RunE: func(_ *cobra.Command, args []string) error {
			return connection.RemoveToken(c.stdout, c.getenv("PARITY_DIR"), args[0])
		},
	}
}
