package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/author"
)

func contractClassify(c console) *cobra.Command {
	var o author.ContractView
	cmd := &cobra.Command{
		Use:   "classify FILE|SERVICE",
		Short: "Say what sort of act each operation is, and by what that is told",
		Long: `Classify lists each operation with its class, the highest first: admin decides
who may do what or where data goes, irreversible cannot be taken back, reversible
can, draft prepares or tries, read changes nothing. Who may a class may those
below it.

A class is declared, by x-parity-class in the contract, or inferred: by the
effect, or by the word that is printed. What is inferred is on the high side
where in doubt; declare what comes out wrong. GraphQL and batches come to more
than their operation, by what each call carries.`,
		Example: "  parity contract classify acme-crm.yaml\n  parity contract classify github -o json",
		Args:    one("contract"),
		RunE: func(_ *cobra.Command, args []string) error {
			o.Name = args[0]
			return author.ClassifyContract(c.stdout, o)
		},
	}
	cmd.Flags().StringVarP(&o.Output, "output", "o", "text", "text or json")
	return cmd
}
