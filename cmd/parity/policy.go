package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/author"
)

func policyCommand(c console) *cobra.Command {
	cmd := &cobra.Command{Use: "policy", Short: "Hand over what a profile says of who may do what, and compare it", Args: known, RunE: help}
	cmd.AddCommand(policyExport(c), policyDiff(c))
	return cmd
}

func policyExport(c console) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "export PROFILE",
		Short: "Print the policy of a profile as one document, without faults and fixtures",
		Long: `Export prints classes as they are said, grants, gates, approvers, stage, egress,
the names of variables that hold secrets, and the digest that runs are stamped
with: for whoever enforces it in production. It is read as a profile is, by parity
perms diff and parity policy diff too. Contracts of one's own are named by their
paths from the profile's folder.`,
		Example: "  parity policy export support-desk.yaml > policy.yaml\n  parity policy export support-desk.yaml -o json",
		Args:    one("profile"),
		RunE: func(_ *cobra.Command, args []string) error {
			return author.ExportPolicy(c.stdout, args[0], output)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "yaml", "yaml or json")
	return cmd
}

func policyDiff(c console) *cobra.Command {
	var stage int
	var output string
	cmd := &cobra.Command{
		Use:   "diff PROFILE PROFILE",
		Short: "Say in what the policies of two profiles, or exported ones, differ",
		Long: `Diff is parity perms diff, and says besides in what egress, approvers, how they
are asked, and the names of secrets differ. It ends with 0 where nothing does, and
with 3 where something does.`,
		Example: "  parity policy diff support-desk.yaml policy.yaml",
		Args:    two("two profiles"),
		RunE: func(_ *cobra.Command, args []string) error {
			code, err := author.DiffPolicies(c.stdout, args[0], args[1], stage, output)
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
