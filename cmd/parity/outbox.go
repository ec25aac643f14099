package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/inspect"
)

func outboxCommand(c console) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "outbox [RUN[@EVENT]]",
		Short: "Show what a run sent that cannot be taken back",
		Long: `Outbox lists the mails, messages, charges and other acts of a run that cannot be
taken back, each exactly as it was sent, oldest first. Nothing has really left.

RUN@17 shows what had been sent after event 17. Where no run is named, the
newest is read. A run that is going on can be read too.`,
		Example: "  parity outbox\n  parity outbox last@17 -o json",
		Args:    atMostOne("run"),
		RunE: func(_ *cobra.Command, args []string) error {
			run, at, err := frame(named(args))
			if err != nil {
				return err
			}
			return inspect.PrintOutbox(c.stdout, c.getenv("PARITY_DIR"), run, at, output, c.colour(c.stdout))
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json (one act a line)")
	return cmd
}
