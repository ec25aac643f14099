package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/author"
	"parity/gateway"
)

func lockCommand(c console) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "lock [PROFILE...]",
		Short: "Pin the conditions of runs: profile, contracts, fixtures, Parity",
		Long: `Lock writes down, by content, under which conditions runs of the profiles are
made. With --locked, run and serve refuse to open under any others.`,
		Example: "  parity lock profiles/storm.yaml\n  parity run --profile profiles/storm.yaml --locked -- python agent.py",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"baseline"}
			}
			return author.Lock(c.stdout, file, args)
		},
	}
	cmd.Flags().StringVarP(&file, "file", "f", gateway.LockFile, "the lock file")
	return cmd
}
