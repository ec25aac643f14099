package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/approvals"
	"parity/gateway/client"
)

func actCommand(c console) *cobra.Command {
	var (
		d    desk
		n    client.NewAct
		with []string
	)
	cmd := &cobra.Command{
		Use:   "act [ACT ID]",
		Short: "Show what waits for a person in a run's services, and do it",
		Long: `Some things no call of an agent can do: a customer pays on a page, authenticates a
payment, presses a button in a message. Without arguments act lists what waits for
a person, and which acts there are; with an act and an id it does that one, at once,
in an event of its own: records, events and webhooks follow as in the service.

What goes with an act (--with card=pm_card_visa) differs by service; -o json has it.
The control token, or a person's own in PARITY_CONTROL_TOKEN, does it; the token
that an agent has does not. A profile has stand-ins do it by the clock (people:).`,
		Example: "  parity act complete cs_test_a1… --with card=pm_card_visa --with email=ada@acme.example\n  parity act\n  parity act decline pi_3… --run last",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return two("an act and the id of what waits")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := d.open(cmd, c)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				list, err := at.Waits(cmd.Context(), d.run)
				if err != nil {
					return err
				}
				return approvals.PrintWaits(c.stdout, list, d.output)
			}
			n.Act, n.ID = args[0], args[1]
			if len(with) > 0 {
				if n.With, err = fields("--with", with); err != nil {
					return misused(cmd, err)
				}
			}
			acted, err := at.Act(cmd.Context(), d.run, n)
			if err != nil {
				return err
			}
			return approvals.PrintActed(c.stdout, acted, d.output)
		},
	}
	d.reaching.flags(cmd)
	d.form(cmd)
	f := cmd.Flags()
	f.StringVar(&d.run, "run", "", "the run, or last (default those that go on)")
	f.StringVar(&n.By, "by", "operator", "who does it; the token of a person of their own proves it")
	f.StringArrayVar(&with, "with", nil, "NAME=VALUE that goes with the act (may be repeated)")
	return cmd
}
