package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parity/cmd/internal/approvals"
	"parity/cmd/internal/connection"
	"parity/cmd/internal/inspect"
	"parity/cmd/internal/output"
	"parity/gateway/client"
)

// desk are the flags of commands about what somebody is asked.
type desk struct {
	reaching

	run, output string
	all         bool
}

func (d *desk) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&d.run, "run", "", "the run, or last, ended or going on (default those that go on)")
	d.form(cmd)
}

func (d *desk) form(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&d.output, "output", "o", "text", "text or json")
}

func (d *desk) verbose(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&d.all, "verbose", "v", false, "show every field, however long")
}

func (d *desk) show() approvals.Show { return approvals.Show{Form: d.output, All: d.all} }

// open finds the gateways that are up.
func (d *desk) open(cmd *cobra.Command, c console) (*approvals.Desk, error) {
	if err := output.TextOrJSON(d.output); err != nil {
		return nil, err
	}
	url := d.url(c)
	up, err := connection.Up(cmd.Context(), c.getenv("PARITY_DIR"), url, c.getenv("PARITY_CONTROL_TOKEN"))
	return &approvals.Desk{Root: c.getenv("PARITY_DIR"), Up: up, Away: url != ""}, err
}

func approvalsCommand(c console) *cobra.Command {
	var d desk
	cmd := &cobra.Command{
		Use:   "approvals",
		Short: "Show what waits for somebody to say yes, and say it",
		Long: `Approvals are what calls ask for that a gate of the profile, or the run's stage,
holds: somebody says yes or no to that one call, and it is made once. An agent is
refused with 403 until then, and makes the same call again.

An id is enough for a run that goes on, in a gateway that is up here (parity serve,
parity run) or that --gateway names; else --run says which run. What is over can
be read, and not decided.`,
		Args: known,
		RunE: help,
	}
	d.reaching.flags(cmd)
	cmd.AddCommand(approvalsList(c, &d), approvalsShow(c, &d), approvalsApprove(c, &d), approvalsReject(c, &d), approvalsEscalate(c, &d), approvalsRevoke(c, &d),
		approvalsOverride(c, &d), approvalsRule(c, &d), approvalsLog(c, &d), approvalsStats(c, &d))
	return cmd
}

func approvalsList(c console, d *desk) *cobra.Command {
	var state string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List what was asked, oldest first",
		Example: "  parity approvals list --state pending\n  parity approvals list --run last -o json",
		Args:    alone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			at, err := d.open(cmd, c)
			if err != nil {
				return err
			}
			list, err := at.Approvals(cmd.Context(), d.run, state)
			if err != nil {
				return err
			}
			return approvals.PrintList(c.stdout, list, d.output)
		},
	}
	d.flags(cmd)
	cmd.Flags().StringVar(&state, "state", "", "those in this state alone: pending, approved, rejected, changed, escalated, lapsed, used, expired, stale or revoked")
	return cmd
}

func approvalsShow(c console, d *desk) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one call that waits: what it says, what it would do, what came before",
		Long: `Show prints what a reviewer has to know of one call: its arguments, and what it
would do, as its service's fake did it on a copy of the world: records that would
be new (+), changed (~, before → after) and gone (-), messages and webhooks that
would be sent, known differences from the real service, and what the same caller
did before. Nothing of it has been done.`,
		Example: "  parity approvals show apr_7f3kq2 -v",
		Args:    one("approval"),
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := d.open(cmd, c)
			if err != nil {
				return err
			}
			a, _, err := at.Find(cmd.Context(), d.run, args[0])
			if err != nil {
				return err
			}
			return approvals.PrintApproval(c.stdout, a, d.show())
		},
	}
	d.flags(cmd)
	d.verbose(cmd)
	return cmd
}

// say is what somebody says to an approval.
type say struct {
	client.Decision

	changes []string
}

// word makes a command that says one thing to an approval.
func (d *desk) word(c console, s *say, use, short, example string) *cobra.Command {
	cmd := &cobra.Command{
		Use:     use + " ID",
		Short:   short,
		Example: "  parity approvals " + example,
		Args:    one("approval"),
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := d.open(cmd, c)
			if err != nil {
				return err
			}
			if len(s.changes) > 0 {
				s.Decision.Decision = "change"
				if s.Set, err = fields("--change", s.changes); err != nil {
					return misused(cmd, err)
				}
			}
			before, after, err := at.Say(cmd.Context(), d.run, args[0], s.Decision)
			if err != nil {
				return err
			}
			return approvals.PrintDecided(c.stdout, before, after, d.output)
		},
	}
	d.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&s.By, "by", "", "who says so; the token of a person of their own, in PARITY_CONTROL_TOKEN, proves it")
	f.StringVar(&s.Note, "note", "", "what to say with it, which the agent is told of a rejection")
	return cmd
}

// fields reads NAME=VALUE, values as JSON where they are that, else as text.
func fields(flag string, words []string) (map[string]any, error) {
	set := map[string]any{}
	for _, word := range words {
		name, text, ok := strings.Cut(word, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("%s %q: write FIELD=VALUE, such as %s amount=500", flag, word, flag)
		}
		set[name] = text
		if json.Valid([]byte(text)) {
			set[name] = json.RawMessage(text) // with each digit of a number
		}
	}
	return set, nil
}

func approvalsApprove(c console, d *desk) *cobra.Command {
	s := &say{Decision: client.Decision{Decision: "approve"}}
	cmd := d.word(c, s, "approve", "Say yes to one call, as it is or as you change it",
		"approve apr_7f3kq2 --by ada\n  parity approvals approve apr_7f3kq2 --by ada --change amount=500 --note 'half of it'")
	cmd.Flags().StringArrayVar(&s.changes, "change", nil, "FIELD=VALUE of the body as you want it (may be repeated): the agent is told, and makes that call instead")
	return cmd
}

func approvalsReject(c console, d *desk) *cobra.Command {
	return d.word(c, &say{Decision: client.Decision{Decision: "reject"}}, "reject", "Say no to one call", "reject apr_7f3kq2 --by ada --note 'a double of re_3'")
}

func approvalsEscalate(c console, d *desk) *cobra.Command {
	s := &say{Decision: client.Decision{Decision: "escalate"}}
	cmd := d.word(c, s, "escalate", "Hand it to whoever is asked next, or to one of the approvers", "escalate apr_7f3kq2 --by ada --to billing-lead")
	cmd.Flags().StringVar(&s.To, "to", "", "an approver of the profile (default the next of the gate)")
	return cmd
}

func approvalsRevoke(c console, d *desk) *cobra.Command {
	return d.word(c, &say{Decision: client.Decision{Decision: "revoke"}}, "revoke", "Take back what was approved and not used yet", "revoke apr_7f3kq2 --by ada")
}

func approvalsOverride(c console, d *desk) *cobra.Command {
	var n client.NewOverride
	cmd := &cobra.Command{
		Use:   "override RUN",
		Short: "Let calls of a run pass a gate for a while, by name and with a reason",
		Long: `Override has a gate ask nobody for a while, on the run's clock: each call that it
lets pass is counted, and who did it and why stands in the record and the report.
The gate has to permit it (skip: {override: 15m}); no act of the class admin passes.`,
		Example: "  parity approvals override r-1 --gate refunds --by ada --because 'the queue is on fire' --for 15m --max 3",
		Args:    one("run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case n.Gate == "":
				return misused(cmd, errors.New("which gate? As in: "+example(cmd)))
			case n.By == "":
				return misused(cmd, errors.New("who lets calls pass? Say --by NAME"))
			case strings.TrimSpace(n.Because) == "":
				return misused(cmd, errors.New("why? Say --because 'the queue is on fire'; it stands in the record"))
			}
			k, run, err := d.reaching.run(cmd.Context(), c, args[0])
			if err != nil {
				return err
			}
			o, err := k.Override(cmd.Context(), run, n)
			if err != nil {
				return err
			}
			return approvals.PrintOverride(c.stdout, o, d.output)
		},
	}
	d.form(cmd)
	f := cmd.Flags()
	f.StringVar(&n.Gate, "gate", "", "the gate, as the profile names it")
	f.StringVar(&n.By, "by", "", "who lets calls pass")
	f.StringVar(&n.By, "operator", "", "the same as --by")
	f.StringVar(&n.Because, "because", "", "why")
	f.StringVar(&n.For, "for", "", "how long, such as 15m, on the run's clock (default as long as the gate permits)")
	f.IntVar(&n.Max, "max", 0, "how many calls pass at most (default any number)")
	return cmd
}

func approvalsLog(c console, d *desk) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "log",
		Short:   "List who was asked and who decided what, when",
		Example: "  parity approvals log --run last",
		Args:    alone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			at, err := d.open(cmd, c)
			if err != nil {
				return err
			}
			log, err := at.Log(cmd.Context(), d.run)
			if err != nil {
				return err
			}
			return approvals.PrintLog(c.stdout, log, d.output)
		},
	}
	d.flags(cmd)
	return cmd
}

func approvalsStats(c console, d *desk) *cobra.Command {
	var since string
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Count what came of each gate's asks, and name those that are always approved",
		Long: `Stats counts, for each gate over all runs that are kept here or of the gateway that
--gateway names, what people decided, and apart from it what those did who stand
in for them. The share that is approved as it was asked for is the gate's rate of
false alarms: a gate above 95 % of at least 50 decisions is named. The wait is the
median from asking to the decision, on the runs' clocks.`,
		Example: "  parity approvals stats --since 30d",
		Args:    alone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var age time.Duration
			if since != "" {
				var err error
				if age, err = inspect.ParseAge(since); err != nil {
					return misused(cmd, fmt.Errorf("--since: %w", err))
				}
			}
			at, err := d.open(cmd, c)
			if err != nil {
				return err
			}
			stats, problems, err := at.Count(cmd.Context(), age)
			if err != nil {
				return err
			}
			for _, problem := range problems {
				fmt.Fprintf(c.stderr, "parity: %v\n", problem)
			}
			return approvals.PrintStats(c.stdout, stats, d.output)
		},
	}
	d.form(cmd)
	cmd.Flags().StringVar(&since, "since", "", "runs that were made so long ago at most, such as 30d (default all)")
	return cmd
}
