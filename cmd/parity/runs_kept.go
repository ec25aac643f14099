package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"parity/cmd/internal/inspect"
	"parity/gateway/journal"
)

func runsRemove(c console, r *reaching) *cobra.Command {
	return &cobra.Command{
		Use:   "rm RUN...",
		Short: "Remove runs and their records",
		Long: `Rm removes runs and all that is kept of them: of the gateway that is up or named,
and of parity run, which needs no gateway. A series is removed by its name.`,
		Example: "  parity runs rm 20261129-141310-niof\n  parity runs rm 'shard-{1..40}'",
		Args:    atLeastOne("run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			names := args
			if len(args) != 1 || args[0] != "last" {
				var err error
				if names, err = inspect.ExpandNames(args); err != nil {
					return err
				}
			}
			for _, name := range names {
				if err := remove(cmd.Context(), c, r, name); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// remove asks the gateway that is named, or that is up here and has the run, and
// else removes what is kept here.
func remove(ctx context.Context, c console, r *reaching, run string) error {
	if r.gateway == "" && c.getenv("PARITY_GATEWAY") == "" {
		err := inspect.RemoveRun(c.getenv("PARITY_DIR"), run)
		if busy := (*journal.BusyError)(nil); !errors.As(err, &busy) {
			return err
		}
		if _, up := r.connect(c); up != nil {
			return err
		}
	}
	k, err := r.connect(c)
	if err != nil {
		return err
	}
	return k.Remove(ctx, run)
}

func runsTidy(c console) *cobra.Command {
	var keep string
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "Remove runs of parity run that are older than so long",
		Long: `Gc removes the runs of parity run that were last written longer ago than --keep,
and what agents' environments were made of that long ago. It needs no gateway.
Runs that are evidence stay. A gateway that stays up removes its own: parity
serve --keep-age.`,
		Example: "  parity runs gc --keep 7d",
		Args:    alone,
		RunE: func(*cobra.Command, []string) error {
			age, err := inspect.ParseAge(keep)
			if err != nil {
				return err
			}
			return inspect.Tidy(c.stdout, c.getenv("PARITY_DIR"), age)
		},
	}
	cmd.Flags().StringVar(&keep, "keep", "7d", "how old what stays may be, such as 7d or 36h")
	return cmd
}
