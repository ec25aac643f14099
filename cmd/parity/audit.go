package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/promotion"
)

func auditCommand(c console) *cobra.Command {
	var e promotion.Evidence
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Keep runs as evidence, and find out whether anybody changed it",
		Long: `Audit keeps runs as evidence that an agent may go a step up. Each entry holds the
digest of the one before it and of all that it keeps, so that a changed byte
shows; of the newest entry with the digest that was printed when it was kept.`,
		Args: known,
		RunE: help,
	}
	cmd.PersistentFlags().StringVar(&e.Folder, "evidence", "", "folder of the evidence (default evidence, beside the runs)")
	cmd.AddCommand(auditKeep(c, &e), auditVerify(c, &e), &cobra.Command{
		Use:     "log",
		Short:   "List what is kept",
		Example: "  parity audit log",
		Args:    alone,
		RunE: func(*cobra.Command, []string) error {
			e.Root = c.getenv("PARITY_DIR")
			return e.List(c.stdout)
		},
	})
	return cmd
}

func auditKeep(c console, e *promotion.Evidence) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "keep RUN...",
		Short:   "Keep ended runs as evidence for a step up: report, events, profile",
		Example: "  parity audit keep last --for writes --agent support-bot@1.4.2",
		Args:    atLeastOne("run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := told(cmd, "for", "agent"); err != nil {
				return err
			}
			e.Root, e.Getenv, e.Control = c.getenv("PARITY_DIR"), c.getenv, c.getenv("PARITY_CONTROL_TOKEN")
			return e.Keep(c.stdout, args)
		},
	}
	cmd.Flags().StringVar(&e.Step, "for", "", "the step, as the profile's promotion names it")
	cmd.Flags().StringVar(&e.Agent, "agent", "", "the agent, NAME@VERSION")
	return cmd
}

func auditVerify(c console, e *promotion.Evidence) *cobra.Command {
	var head string
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Find changed bytes of the evidence, and of the journals that it was kept from",
		Long: `Verify ends with 0 where each byte is as it was kept, and with 1 where one is not.
Nothing follows the newest entry and holds it: the digest that was printed when
it was kept shows, with --head, that it was not changed, and nothing cut off.`,
		Example: "  parity audit verify --head 5d41…",
		Args:    alone,
		RunE: func(*cobra.Command, []string) error {
			e.Root = c.getenv("PARITY_DIR")
			code, err := e.Verify(c.stdout, head)
			if err != nil {
				return err
			}
			return ended(code)
		},
	}
	cmd.Flags().StringVar(&head, "head", "", "a digest that was the newest once")
	return cmd
}

func promoteCommand(c console) *cobra.Command {
	var e promotion.Evidence
	var profile string
	var dry bool
	cmd := &cobra.Command{
		Use:   "promote STEP",
		Short: "Take an agent a step up, where the evidence has what the profile asks for",
		Long: `Promote holds the runs that were kept for a step (parity audit keep) against what
the profile's promotion asks for: how many, of how many seeds, which faults
handled, which verdicts passed, which known differences accepted, and no open
divergence of the profile. It ends with 0 where nothing is missing, and keeps
that as evidence of its own; else it says what is missing, and ends with 1.`,
		Example: "  parity promote writes --profile billing.yaml --agent support-bot@1.4.2",
		Args:    one("step"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := told(cmd, "profile", "agent"); err != nil {
				return err
			}
			e.Root, e.Step = c.getenv("PARITY_DIR"), args[0]
			code, err := e.Promote(c.stdout, profile, dry)
			if err != nil {
				return err
			}
			return ended(code)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&profile, "profile", "p", "", "the profile that says what is asked for")
	f.StringVar(&e.Agent, "agent", "", "the agent, NAME@VERSION")
	f.StringVar(&e.Folder, "evidence", "", "folder of the evidence (default evidence, beside the runs)")
	f.BoolVar(&dry, "dry-run", false, "only say whether it may")
	return cmd
}
