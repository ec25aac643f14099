package main

import (
	"errors"

	"github.com/spf13/cobra"

	"parity/cmd/internal/secrets"
	"parity/gateway/kept"
)

func scanCommand(c console) *cobra.Command {
	s := secrets.Search{Getenv: c.getenv}
	var all bool
	cmd := &cobra.Command{
		Use:   "scan [RUN]",
		Short: "Look for secrets in what was written of a run, or of all",
		Long: `Scan looks for secrets in all that Parity has written: records, unpacked and as
pages, write-ahead logs, checkpoints, kept output, evidence, reports. It looks for
what a vendor seems to have given out for something real, for the values of the
variables that profiles name (presents) and --secret-env names, and for the
control token and those of runs: each as it is, as JSON, in base64, hexadecimal
and percent-encoded.

It says where each begins and what it is, never its value, and ends with 1. Where
nothing is found it ends with 0. Set the variables as they were for the gateway: a
value that is not there cannot be looked for.`,
		Example: "  parity scan\n  parity scan last --secret-env DB_PASSWORD\n  parity scan --all",
		Args:    atMostOne("run"),
		RunE: func(_ *cobra.Command, args []string) error {
			if all && len(args) > 0 {
				return &kept.UsageError{Err: errors.New("--all is all runs: leave the name of one out, or --all")}
			}
			s.Root, s.Control = c.getenv("PARITY_DIR"), c.getenv("PARITY_CONTROL_TOKEN")
			look := func() (int, error) { return s.Run(c.stdout, named(args)) }
			if all {
				look = func() (int, error) { return s.All(c.stdout) }
			}
			code, err := look()
			if err != nil {
				return err
			}
			return ended(code)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "look through all that is under .parity")
	cmd.Flags().StringSliceVar(&s.Names, "secret-env", nil, "name of a variable whose value is looked for, too")
	return cmd
}
