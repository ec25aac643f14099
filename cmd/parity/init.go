package main

import (
	"context"
	"log/slog"

	"github.com/spf13/cobra"

	"parity/cmd/internal/author"
	"parity/cmd/internal/rehearsal"
	"parity/gateway"
	"parity/gateway/report"
)

func initCommand(c console) *cobra.Command {
	var s author.Setup
	cmd := &cobra.Command{
		Use:   "init [flags] [-- COMMAND [ARGS]]",
		Short: "Write a profile, records to begin with, and a CI file, from a first run",
		Long: `Init runs the agent as parity run does, or takes the last run, and writes what the
project needs to rehearse from then on:

  parity.yaml                     a profile: the services that were called, and rules
                                  for what was called. One is in force: the lost reply
                                  of the first call that cannot be undone
  fixtures/SERVICE.yaml           what runs begin with, to edit: the friendly fixtures,
                                  or what was read where the run had others
  .github/workflows/parity.yml    the rehearsal in CI; --ci gitlab, --ci none

It writes over no file. For a run with other flags: parity run first, then parity
init. Without a run, --service names the services.`,
		Example: "  parity init -- python agent.py\n  parity init\n  parity init --service stripe --service slack --ci gitlab",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && cmd.ArgsLenAtDash() < 0 {
				return nil
			}
			return agent(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s.Root, s.Command = c.getenv("PARITY_DIR"), args
			s.Rehearse = func(ctx context.Context) (run string, code int, err error) {
				return rehearsal.RunNamed(ctx, rehearsal.Plan{
					Settings: gateway.Settings{Root: s.Root, Token: c.getenv("PARITY_CONTROL_TOKEN"), Getenv: c.getenv, Log: c.logTo(slog.LevelWarn)},
					Command:  args, Exit: defaultExit, Environ: c.environ(),
					Stdin: c.stdin, Stdout: c.stdout, Stderr: c.stderr, Look: report.Options{Color: c.colour(c.stderr)},
				})
			}
			code, err := author.Init(cmd.Context(), c.stdout, s)
			if err != nil {
				return err
			}
			return ended(code)
		},
	}
	f := cmd.Flags()
	f.StringVar(&s.Dir, "dir", "", "the folder that is written to (default the current one)")
	f.StringVar(&s.CI, "ci", "github", "the file for CI: github, gitlab or none")
	f.StringArrayVar(&s.Services, "service", nil, "a service that ships, of a profile that is begun without a run (may be repeated)")
	cmd.SetFlagErrorFunc(behind)
	return cmd
}
