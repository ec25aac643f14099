package main

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"parity/cmd/internal/inspect"
	"parity/cmd/internal/rehearsal"
	"parity/gateway"
	"parity/gateway/kept"
)

func replayCommand(c console) *cobra.Command {
	var profile, listen, control, readyFile string
	var serve bool
	cmd := &cobra.Command{
		Use:   "replay [RUN]",
		Short: "Decide a run's calls again, or answer a client from its record",
		Long: `Replay feeds everything that came into a run to a fresh one and says where that
first departs from the record, field by field: after a change of Parity, of a
profile, of a fake. It ends with 0 where nothing differs, with 1 where something
does, and with 3 where the conditions are not the record's; it says so first.

With --serve a gateway stays up that answers each call as the record does, in
the record's order, and refuses what the record does not have, naming what comes
nearest. It ends with 1 where it had to refuse one.`,
		Example: "  parity replay last\n  parity replay last --profile fixed.yaml\n  parity replay last --serve",
		Args:    atMostOne("run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := c.getenv("PARITY_DIR")
			if !serve {
				code, err := inspect.Replay(cmd.Context(), c.stdout, root, named(args), profile, c.colour(c.stdout))
				if err != nil {
					return err
				}
				return ended(code)
			}
			k, err := kept.Read(root, named(args))
			if err != nil {
				return err
			}
			err = rehearsal.Serve(cmd.Context(), gateway.Settings{
				Root: root, Script: k, Profile: k.Meta["profile"], Data: listen, Control: control, Token: c.getenv("PARITY_CONTROL_TOKEN"),
				Getenv: c.getenv, Log: c.logTo(slog.LevelInfo),
			}, readyFile, c.stdout)
			if missed := (*kept.MissedError)(nil); errors.As(err, &missed) {
				fmt.Fprintf(c.stderr, "parity: %v\n", missed)
				return ended(1)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.VarP((*layers)(&profile), "profile", "p", "replay under this profile (default the run's own)")
	f.BoolVar(&serve, "serve", false, "stay up and answer a client from the record")
	f.StringVar(&listen, "listen", "127.0.0.1:0", "address of the data port, with --serve")
	f.StringVar(&control, "control", "127.0.0.1:0", "address of the control port, with --serve")
	f.StringVar(&readyFile, "ready-file", "", "file to write once both ports are open, with --serve")
	return cmd
}
