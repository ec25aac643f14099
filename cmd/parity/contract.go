package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/author"
)

func contractCommand(c console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "contract",
		Short: "Check contracts, and see what Parity makes of them",
		Long: `Contracts are OpenAPI 3.0 to 3.2, Swagger 2.0 or Google discovery documents, as
YAML or JSON. Each becomes a stateful fake: parity serve --contract FILE.`,
		Args: known,
		RunE: help,
	}
	cmd.AddCommand(contractLint(c), contractShow(c), contractClassify(c), contractCoverage(c), contractInfer(c))
	return cmd
}

func contractLint(c console) *cobra.Command {
	var o author.ContractView
	cmd := &cobra.Command{
		Use:   "lint FILE|SERVICE",
		Short: "Say what is wrong in a contract, and where",
		Long: `Lint reads every operation and compiles every schema. It prints each fault as
file:line:column: code: what is wrong, and what happens because of it. It ends
with 1 where there are faults, and with 2 where the contract is of no use.
Warnings are of what is not wrong, and will still surprise: lists that cannot be
read to their end, parameters that change nothing.

After that it prints what kin-openapi says, a reader of contracts that was
written apart from Parity's. It is strict about documents that Parity serves all
the same, so what it says does not count. It takes some seconds for a contract of
several megabytes.`,
		Example: "  parity contract lint acme-crm.yaml\n  parity contract lint acme-crm.yaml -o json",
		Args:    one("contract"),
		RunE: func(_ *cobra.Command, args []string) error {
			o.Name = args[0]
			faults, err := author.LintContract(c.stdout, o)
			if err == nil && faults > 0 {
				return exitCode(1)
			}
			return err
		},
	}
	cmd.Flags().StringVarP(&o.Output, "output", "o", "text", "text or json")
	cmd.Flags().BoolVar(&o.Alone, "alone", false, "do not ask kin-openapi")
	return cmd
}

func contractInfer(c console) *cobra.Command {
	return &cobra.Command{
		Use:   "infer FILE|SERVICE",
		Short: "Write the first behaviour file of a contract",
		Long: `Infer writes what was guessed of a contract, and why: its resources, their ids,
how lists are paged, what refers to what. Correct what is wrong, leave out what
is right, add what no contract says, and name the file as behaviour: beside the
contract. It ends with the operations of which nothing is known.`,
		Example: "  parity contract infer acme-crm.yaml > acme-crm.behaviour.yaml",
		Args:    one("contract"),
		RunE: func(_ *cobra.Command, args []string) error {
			return author.InferContract(c.stdout, args[0])
		},
	}
}

func contractShow(c console) *cobra.Command {
	var o author.ContractView
	cmd := &cobra.Command{
		Use:   "show FILE|SERVICE [OPERATION]",
		Short: "List operations with their effect, resource and fidelity, or show one",
		Long: `Show lists what each operation does to the world (read, reversible,
irreversible), to which resource, and how faithfully it is answered. Name an
operation by its method and path, or by its id, to see that one whole.`,
		Example: "  parity contract show acme-crm.yaml\n  parity contract show acme-crm.yaml 'GET /contacts'\n  parity contract show stripe -o json",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			o.Name = args[0]
			if len(args) > 1 {
				o.Operation = args[1]
			}
			return author.ShowContract(c.stdout, o)
		},
	}
	cmd.Flags().StringVarP(&o.Output, "output", "o", "text", "text or json")
	return cmd
}

func contractCoverage(c console) *cobra.Command {
	var o author.Coverage
	cmd := &cobra.Command{
		Use:   "coverage [RUN]",
		Short: "Say which operations of its contracts a run has called, and which not",
		Long: `Coverage lists, for each service that a run has called, the operations that were
called, how often, with which statuses, and how many calls broke the contract.
Those that were not called are counted; --all lists them.

RUN is last, the newest, where none is named.`,
		Example: "  parity contract coverage\n  parity contract coverage last --all -o json",
		Args:    atMostOne("run"),
		RunE: func(_ *cobra.Command, args []string) error {
			o.Root, o.Run = c.getenv("PARITY_DIR"), named(args)
			return author.CoverContracts(c.stdout, o)
		},
	}
	cmd.Flags().BoolVar(&o.All, "all", false, "list the operations that were not called, too")
	cmd.Flags().StringVarP(&o.Output, "output", "o", "text", "text or json")
	return cmd
}
