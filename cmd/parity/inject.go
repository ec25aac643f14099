package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parity/cmd/internal/author"
	"parity/gateway/client"
)

// injecting are the flags of parity inject.
type injecting struct {
	rule           client.NewArmed
	with, triggers []string
	save, stop     string
	stopAll, list  bool
}

func injectCommand(c console) *cobra.Command {
	var r reaching
	var o injecting
	cmd := &cobra.Command{
		Use:   "inject RUN CALL FAULT",
		Short: "Put a fault in force in a run that goes on, without a file",
		Long: `Inject arms a rule in one run: from its next call on it is in force, before the
rules of the run's profile, until its --ttl is over on the run's clock, or it is
stopped. The run's record has it, so that a fork, a replay and a restarted
gateway do as the run did; a run that is set back has the rules that it had then.
--save puts the rule into a profile's file too.`,
		Example: `  parity inject shard-1 'stripe POST /v1/refunds' ambiguous-success --with reply=reset --ttl 10m
  parity inject shard-1 'stripe *' error --with status=503 --when 'request.method == "POST"' --trigger first=3 --save storm.yaml
  parity inject shard-1 --list
  parity inject shard-1 --stop injected-1
  parity inject --stop-all`,
		Args: func(cmd *cobra.Command, args []string) error { return o.check(cmd, args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.stopAll {
				k, err := r.connect(c)
				if err != nil {
					return err
				}
				return o.do(cmd.Context(), c, k, args)
			}
			k, run, err := r.run(cmd.Context(), c, args[0])
			if err != nil {
				return err
			}
			return o.do(cmd.Context(), c, k, append([]string{run}, args[1:]...))
		},
	}
	r.flags(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&o.with, "with", nil, "KEY=VALUE: a parameter of the fault (may be repeated)")
	f.StringVar(&o.rule.When, "when", "", "a condition, as in a profile")
	f.StringArrayVar(&o.triggers, "trigger", nil, "KEY=VALUE: which calls are hit, such as nth=2, chance=30% or window.from=10m (may be repeated)")
	f.StringVar(&o.rule.TTL, "ttl", "", "it is in force for so long on the run's clock, such as 10m (default until it is stopped)")
	f.StringVar(&o.rule.Name, "name", "", "what it is called (default injected-1 and so on)")
	f.StringVar(&o.rule.Because, "because", "", "the incident that makes it real, for the report")
	f.BoolVar(&o.rule.Required, "required", false, "a run in which it never fires is invalid")
	f.StringVar(&o.save, "save", "", "the profile's file that gets the rule, too; it is made where there is none")
	f.BoolVar(&o.list, "list", false, "list the rules that are armed in the run")
	f.StringVar(&o.stop, "stop", "", "the name of an armed rule that is to be in force no longer")
	f.BoolVar(&o.stopAll, "stop-all", false, "stop every armed rule in every run of the gateway")
	return cmd
}

// check sees to it that one thing is asked for, and all that it takes.
func (o *injecting) check(cmd *cobra.Command, args []string) error {
	wanted, what := 3, "a run, a call and a fault"
	asked := 0
	for flag, n := range map[string]int{"stop-all": 0, "list": 1, "stop": 1} {
		if cmd.Flags().Changed(flag) {
			wanted, what = n, []string{"--" + flag + " alone", "a run and --" + flag}[n]
			asked++
		}
	}
	switch {
	case asked > 1:
		return misused(cmd, errors.New("--list, --stop and --stop-all are asked for one at a time"))
	case len(args) != wanted:
		return misused(cmd, fmt.Errorf("it takes %s, and got %d words; as in: %s", what, len(args), example(cmd)))
	case asked == 1 && (len(o.with) > 0 || len(o.triggers) > 0 || o.save != ""):
		return misused(cmd, errors.New("--with, --trigger and --save go with a fault that is to be injected"))
	}
	return nil
}

func (o *injecting) do(ctx context.Context, c console, k *client.Client, args []string) error {
	switch {
	case o.stopAll:
		d, err := k.DisarmAll(ctx)
		if err != nil {
			return err
		}
		return author.PrintDisarmed(c.stdout, d)
	case o.list:
		all, err := k.Armed(ctx, args[0])
		if err != nil {
			return err
		}
		return author.PrintArmed(c.stdout, all)
	case o.stop != "":
		return k.Disarm(ctx, args[0], o.stop)
	}
	var err error
	o.rule.Call, o.rule.Inject = []string{args[1]}, args[2]
	if o.rule.With, err = author.RuleParts("with", o.with); err == nil {
		o.rule.Trigger, err = author.RuleParts("trigger", o.triggers)
	}
	if err != nil {
		return err
	}
	armed, err := k.Arm(ctx, args[0], o.rule)
	if err != nil {
		return err
	}
	if err := author.PrintArmed(c.stdout, []client.Armed{armed}); err != nil || o.save == "" {
		return err
	}
	if err := author.SaveRule(c.stdout, o.save, armed); err != nil {
		return fmt.Errorf("%s is armed in %s, and not saved: %w", armed.Name, strings.TrimSpace(args[0]), err)
	}
	return nil
}
