package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/fidelity"
)

func fidelityCommand(c console) *cobra.Command {
	f := fidelity.Measurement{}
	cmd := &cobra.Command{
		Use:   "fidelity RECORDING...",
		Short: "Measure how close the fakes come to what real services were recorded to answer",
		Long: `Fidelity asks the fakes, in this process, what a recording shows that a real
service was asked, and compares the replies operation by operation: status, headers
that matter, fields, values once ids and times are aligned, the order and size of
lists, and how long replies took. It prints a parity score with its evidence, and
sorts the differences into declared (a difference of the profile covers operation
and property), undeclared and stale. It sends nothing to any service.

RECORDING is a HAR file (of a browser, a proxy, a vendor's tool), conversations as
JSON ({exchanges: [{request, response}]}), a run's events as parity trace -o json
writes them, a folder of those, or a run that is kept, such as last.

It ends with 0 where nothing is undeclared, and with 3 where something is.`,
		Example: "  parity fidelity canary.har\n  parity fidelity canary.har --profile billing.yaml --propose differences.yaml\n  parity fidelity last -o json",
		Args:    atLeastOne("recording"),
		RunE: func(_ *cobra.Command, args []string) error {
			f.Root, f.Recordings = c.getenv("PARITY_DIR"), args
			code, err := f.Print(c.stdout)
			if err != nil {
				return err
			}
			return ended(code)
		},
	}
	flags := cmd.Flags()
	flags.VarP((*layers)(&f.Profile), "profile", "p", "the profile whose differences and latency count as declared")
	flags.StringVar(&f.Propose, "propose", "", "write what is undeclared to FILE, as YAML to review and paste into a profile")
	flags.StringVarP(&f.Output, "output", "o", "text", "text, json, or yaml: what --propose writes")
	flags.BoolVar(&f.All, "all", false, "print every operation and difference, not the first ones")
	return cmd
}
