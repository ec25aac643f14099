package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/author"
)

func permsCommand(c console) *cobra.Command {
	cmd := &cobra.Command{Use: "perms", Short: "Say what each identity of a profile may do, and hold it against what was agreed", Args: known, RunE: help}
	cmd.AddCommand(permsDiff(c), permsTest(c))
	return cmd
}

func permsDiff(c console) *cobra.Command {
	var stage int
	var output string
	cmd := &cobra.Command{
		Use:   "diff PROFILE PROFILE",
		Short: "Say which calls two profiles, or exported policies, decide otherwise",
		Long: `Diff decides each operation of each identity, and of strangers, under both. A line
is broader where the first lets more through, narrower where it lets less through,
and other condition where it is as much, by another gate or condition. Refused is
less than kept as a draft, that less than held for an approval, and that less than
allowed.

It ends with 0 where both decide alike, and with 3 where they do not.`,
		Example: "  parity perms diff sandbox.yaml prod.yaml\n  parity perms diff support-desk.yaml policy.yaml --stage 3",
		Args:    two("two profiles"),
		RunE: func(_ *cobra.Command, args []string) error {
			code, err := author.DiffPermissions(c.stdout, args[0], args[1], stage, output)
			if err != nil {
				return err
			}
			return ended(code)
		},
	}
	cmd.Flags().IntVar(&stage, "stage", 0, "decide as at this stage, 1 to 5 (default that of each)")
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	return cmd
}

func permsTest(c console) *cobra.Command {
	var write bool
	cmd := &cobra.Command{
		Use:   "test MATRIX.yaml",
		Short: "Hold what becomes of calls against a matrix that somebody has read",
		Long: `Test decides each cell of a matrix under the profile and the stage that it names,
and prints a line for each that comes out otherwise. A cell says allowed, refused
CODE, held GATE or captured GATE of an operation, of a call with a body in braces,
or of many: slack *.

Without a body, each gate with a condition is told apart: held large when
result.amount > 10000, else held refunds. With one, conditions are evaluated over
the request alone; a gate whose condition asks for more holds, unless it allows.

It ends with 0 where all cells are as they are to be, and with 1 where one is not.
With --write the matrix is written as it is: all that is not simply allowed, and
the cells with bodies that it had.`,
		Example: "  parity perms test support-desk.matrix.yaml\n  parity perms test support-desk.matrix.yaml --write",
		Args:    one("matrix"),
		RunE: func(_ *cobra.Command, args []string) error {
			code, err := author.TestPermissions(c.stdout, args[0], write)
			if err != nil {
				return err
			}
			return ended(code)
		},
	}
	cmd.Flags().BoolVar(&write, "write", false, "write the matrix as it is")
	return cmd
}
