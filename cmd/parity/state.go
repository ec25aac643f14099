package main

import (
	"io"

	"github.com/spf13/cobra"

	"parity/cmd/internal/inspect"
)

func stateCommand(c console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "state",
		Short: "Dump, digest or compare what is in a run's services",
		Long: `State rebuilds a run's world from its record. RUN@17 is the one after its event
17. A run that is going on can be read too.`,
		Args: known,
		RunE: help,
	}
	var secrets bool
	dump := stateOne(c, "dump", "Write every record, collections by name and records by creation", func(w io.Writer, root, run string, at uint64) error {
		return inspect.DumpState(w, root, run, at, secrets)
	})
	dump.Flags().BoolVar(&secrets, "show-secrets", false, "write what looks like a secret, too: what services issued; what came from outside is in no record")
	cmd.AddCommand(dump,
		stateOne(c, "hash", "Digest the state: two of one hash go on alike", inspect.HashState), stateDiff(c))
	return cmd
}

func stateOne(c console, name, short string, do func(w io.Writer, root, run string, at uint64) error) *cobra.Command {
	return &cobra.Command{
		Use:     name + " RUN[@EVENT]",
		Short:   short,
		Example: "  parity state " + name + " last@17",
		Args:    one("run"),
		RunE: func(_ *cobra.Command, args []string) error {
			run, at, err := frame(args[0])
			if err != nil {
				return err
			}
			return do(c.stdout, c.getenv("PARITY_DIR"), run, at)
		},
	}
}

func stateDiff(c console) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "diff RUN[@EVENT] RUN[@EVENT]",
		Short: "Compare two states, record by record and field by field",
		Long: `Diff ends with 0 where the states are equal, with 1 where they are not, and with
3 where the runs were made under different conditions: another profile revision,
other contracts or fixtures, another Parity. It says so first.`,
		Example: "  parity state diff sun storm",
		Args:    two("two runs"),
		RunE: func(_ *cobra.Command, args []string) error {
			run, at, err := frame(args[0])
			if err != nil {
				return err
			}
			with, withAt, err := frame(args[1])
			if err != nil {
				return err
			}
			code, err := inspect.DiffStates(c.stdout, c.getenv("PARITY_DIR"), [2]string{run, with}, [2]uint64{at, withAt}, output, c.colour(c.stdout))
			if err != nil {
				return err
			}
			return ended(code)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	return cmd
}
