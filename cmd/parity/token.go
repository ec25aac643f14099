package main

import (
	"errors"

	"github.com/spf13/cobra"

	"parity/cmd/internal/connection"
	"parity/fakes/clock"
	"parity/gateway/client"
)

func tokenCommand(c console) *cobra.Command {
	var r reaching
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Make and remove the tokens of people who decide, and the credentials of a run",
		Long: `A person's token proves who decided. The gateways of this folder take it for what
waits for a person (list, show, decide, let pass a gate) and for reading runs, and
for nothing else. Its digest is in .parity/operators, for its owner alone; the token
itself is printed once and kept nowhere. Show it as PARITY_CONTROL_TOKEN.

With a run, list says of its identities' credentials which there are and whether
they are in force; revoke, rotate and expire change that, from its next call on.`,
		Args: known,
		RunE: help,
	}
	r.flags(cmd)
	cmd.AddCommand(tokenNew(c), tokenList(c, &r), tokenRemove(c))
	cmd.AddCommand(
		tokenChange(c, &r, "revoke", "Take an identity's credentials back: the next call is refused in the service's words"),
		tokenChange(c, &r, "rotate", "Put new credentials in the place of an identity's"),
		tokenChange(c, &r, "expire", "End an identity's credentials, as if their time were over"))
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

func tokenList(c console, r *reaching) *cobra.Command {
	var values bool
	cmd := &cobra.Command{
		Use:     "list [RUN]",
		Short:   "List who has a token, or how the credentials of a run's identities stand",
		Example: "  parity token list\n  parity token list shard-1",
		Args:    atMostOne("run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return connection.ListTokens(c.stdout, c.getenv("PARITY_DIR"))
			}
			k, run, err := r.run(cmd.Context(), c, args[0])
			if err != nil {
				return err
			}
			return connection.ListCredentials(cmd.Context(), c.stdout, k, run, values)
		},
	}
	cmd.Flags().BoolVar(&values, "show-tokens", false, "print the credentials that were made for the run, too")
	return cmd
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

// tokenChange makes a command that changes how an identity's credentials stand.
func tokenChange(c console, r *reaching, what, short string) *cobra.Command {
	var change client.CredentialChange
	var values bool
	cmd := &cobra.Command{
		Use:     what + " RUN IDENTITY",
		Short:   short,
		Example: "  parity token " + what + " last support-bot --service stripe",
		Args:    two("a run and an identity of its profile"),
		RunE: func(cmd *cobra.Command, args []string) error {
			k, run, err := r.run(cmd.Context(), c, args[0])
			if err != nil {
				return err
			}
			return connection.ChangeCredentials(cmd.Context(), c.stdout, k, run, args[1], what, change, values)
		},
	}
	cmd.Flags().StringVar(&change.Service, "service", "", "at this service (default all that it has a credential for)")
	if what == "rotate" {
		cmd.Flags().StringVar(&change.Grace, "grace", "", "how long the one before is good yet, on the run's clock, such as 5m (default not at all)")
		cmd.Flags().BoolVar(&values, "show-tokens", false, "print the new ones")
	}
	return cmd
}
