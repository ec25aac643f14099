package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"parity/cmd/internal/connection"
)

func consoleCommand(c console) *cobra.Command {
	var r reaching
	var by string
	var noOpen bool
	cmd := &cobra.Command{
		Use:   "console",
		Short: "Open the page on which what waits for a person is decided",
		Long: `Console opens the page of the gateway that is up in a browser: what waits for a
person, what each call would do, and buttons. The address has a code in it that is
good once, for a minute; the page changes it for a token that it keeps in its
memory, until its tab is closed or twelve hours are over. With the token of a
person (parity token new) as PARITY_CONTROL_TOKEN decisions are that person's, and
proved; else they are said to be by the name of --by.`,
		Example: "  parity console\n  parity console --no-open --by ada",
		Args:    alone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			k, err := r.connect(c)
			if err != nil {
				return err
			}
			open := connection.Browse
			if noOpen {
				open = nil
			}
			return connection.Console(cmd.Context(), c.stdout, k, cmp.Or(by, c.getenv("USER"), c.getenv("USERNAME")), open)
		},
	}
	r.flags(cmd)
	cmd.Flags().StringVar(&by, "by", "", "whose name decisions go by (default the user's)")
	cmd.Flags().BoolVar(&noOpen, "no-open", false, "print the address, for a browser elsewhere; it is good once, for a minute")
	return cmd
}
