package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/inspect"
	"parity/gateway/report"
)

func outboxCommand(c console) *cobra.Command {
	var output string
	var look report.Options
	cmd := &cobra.Command{
		Use:   "outbox [RUN[@EVENT]]",
		Short: "Show what a run sent that cannot be taken back",
		Long: `Outbox lists the mails, messages, charges and other acts of a run that cannot be
taken back, each exactly as it was sent, oldest first; of more than ten, what each
was about, and all of it with -v. What the run's world began with is no part of
it. Nothing has really left.

RUN@17 shows what had been sent after event 17. Where no run is named, the
newest is read. A run that is going on can be read too.`,
		Example: "  parity outbox\n  parity outbox last@17 -o json",
		Args:    atMostOne("run"),
		RunE: func(_ *cobra.Command, args []string) error {
			run, at, err := frame(named(args))
			if err != nil {
				return err
			}
			look.Color = c.colour(c.stdout)
			return inspect.PrintOutbox(c.stdout, c.getenv("PARITY_DIR"), run, at, output, look)
		},
	}
	cmd.Flags().BoolVarP(&look.Verbose, "verbose", "v", false, "show each as it was sent, however many there are")
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json (one act a line)")
	return cmd
}
