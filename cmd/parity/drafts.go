package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/approvals"
)

func draftsCommand(c console) *cobra.Command {
	var d desk
	cmd := &cobra.Command{
		Use:   "drafts",
		Short: "Show writes that were captured, and what they would have done",
		Long: `Drafts are writes of a run at stage 2, or that a gate captures (then: draft): the
agent got the answer that the service would have given, and nothing was done.`,
		Args: known,
		RunE: help,
	}
	d.reaching.flags(cmd)
	list := &cobra.Command{
		Use:     "list [RUN]",
		Short:   "List the captured writes of a run, oldest first",
		Example: "  parity drafts list last",
		Args:    atMostOne("run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := d.open(cmd, c)
			if err != nil {
				return err
			}
			drafts, err := at.Drafts(cmd.Context(), named(args))
			if err != nil {
				return err
			}
			return approvals.PrintDrafts(c.stdout, drafts, d.output)
		},
	}
	show := &cobra.Command{
		Use:     "show RUN ID",
		Short:   "Show one of them: what it said, what it would have done, what came before",
		Example: "  parity drafts show last drf_2k9fq1ab",
		Args:    two("a run and a draft"),
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := d.open(cmd, c)
			if err != nil {
				return err
			}
			draft, err := at.Draft(cmd.Context(), args[0], args[1])
			if err != nil {
				return err
			}
			return approvals.PrintDraft(c.stdout, draft, d.show())
		},
	}
	d.form(list)
	d.form(show)
	d.verbose(show)
	cmd.AddCommand(list, show)
	return cmd
}
