package main

import (
	"strings"

	"github.com/spf13/cobra"

	"parity/cmd/internal/author"
)

func divergenceCommand(c console) *cobra.Command {
	var d author.Divergence
	cmd := &cobra.Command{
		Use:   "divergence",
		Short: "Remember where a rehearsal passed and production failed",
		Long: `A divergence is kept in the profile that should have caught it. Until it is closed,
parity profile lint warns of it, each report names it, and parity_divergences
counts it.`,
		Args: known,
		RunE: help,
	}
	cmd.PersistentFlags().StringVarP(&d.Profile, "profile", "p", "", "the profile's file")
	add := &cobra.Command{
		Use:     "add",
		Short:   "Write a case into the profile that should have caught it",
		Example: "  parity divergence add --profile billing.yaml --run 20261112-091502-k3p8 --production 'A customer was refunded twice.'",
		Args:    alone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := told(cmd, "profile", "run", "production"); err != nil {
				return err
			}
			d.Root = c.getenv("PARITY_DIR")
			return d.Add(c.stdout)
		},
	}
	f := add.Flags()
	f.StringVar(&d.Run, "run", "", "the rehearsal that passed: a run that is kept, last, or the name of one that was")
	f.StringVar(&d.Production, "production", "", "what happened in production, in a sentence")
	f.StringVar(&d.Rehearsal, "rehearsal", "", "what the rehearsal said (default: read from the run)")
	f.StringVar(&d.Missing, "missing", "", "what the profile lacks to show it")
	f.StringVar(&d.Date, "date", "", "the day on which production failed (default today)")
	f.StringVar(&d.Name, "name", "", "the case's name (default the day)")
	cmd.AddCommand(add, &cobra.Command{
		Use:     "list",
		Short:   "List the cases of a profile, the open ones first",
		Example: "  parity divergence list --profile billing.yaml",
		Args:    alone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := told(cmd, "profile"); err != nil {
				return err
			}
			return author.ListDivergences(c.stdout, d.Profile)
		},
	}, &cobra.Command{
		Use:     "close NAME",
		Short:   "Write into the profile that it shows a case by now",
		Example: "  parity divergence close 2026-11-12 --profile billing.yaml",
		Args:    one("divergence"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := told(cmd, "profile"); err != nil {
				return err
			}
			d.Name = args[0]
			return d.Close(c.stdout)
		},
	})
	return cmd
}

// told refuses a command line without some flags.
func told(cmd *cobra.Command, names ...string) error {
	var missing []string
	for _, name := range names {
		if cmd.Flag(name).Value.String() == "" {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return misused(cmd, &missingFlag{missing, cmd})
	}
	return nil
}

// missingFlag says which flags have to be there.
type missingFlag struct {
	names []string
	cmd   *cobra.Command
}

func (m *missingFlag) Error() string {
	var text strings.Builder
	for _, name := range m.names {
		text.WriteString("--" + name + " is not there: " + m.cmd.Flag(name).Usage + "; ")
	}
	return text.String() + "as in: " + example(m.cmd)
}
