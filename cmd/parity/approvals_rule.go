package main

import (
	"errors"

	"github.com/spf13/cobra"

	"parity/cmd/internal/approvals"
	"parity/gateway/client"
)

func approvalsRule(c console, d *desk) *cobra.Command {
	var n client.NewRuleApproval
	cmd := &cobra.Command{
		Use:   "rule RUN RULE",
		Short: "Let a rule that says live: true strike where real services are called",
		Long: `Rule lets a rule of the run's profile strike where real services are called, in
this run and under the revision of the profile that is in force: after a save it
waits again. Until then it passes over these calls, and the report says so.`,
		Example: "  parity approvals rule r-1 slow-reads --by ada --because 'agreed for today'",
		Args:    two("run and its rule"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if n.By == "" {
				return misused(cmd, errors.New("who approves it? Say --by NAME"))
			}
			k, run, err := d.reaching.run(cmd.Context(), c, args[0])
			if err != nil {
				return err
			}
			n.Rule = args[1]
			a, err := k.ApproveRule(cmd.Context(), run, n)
			if err != nil {
				return err
			}
			return approvals.PrintRule(c.stdout, a, d.output)
		},
	}
	d.form(cmd)
	f := cmd.Flags()
	f.StringVar(&n.By, "by", "", "who approves it")
	f.StringVar(&n.By, "operator", "", "the same as --by")
	f.StringVar(&n.Because, "because", "", "why")
	return cmd
}
