package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parity/cmd/internal/inspect"
	"parity/gateway/kept"
	"parity/specs/file"
)

func whyCommand(c console) *cobra.Command {
	var a kept.Asking
	var body, output string
	cmd := &cobra.Command{
		Use:   "why CALL",
		Short: "Say which rules a request would meet, and why each other one would not fire",
		Long: `Why says what would become of a request: which service and operation it is, what
policy and the contract say of it, which rules fire, and why each other rule does
not. It is asked of a fresh run; or, with --run, of one that is kept here, going
on or over, as its next call. Nothing is sent, and nothing changes.

A body is given as JSON and written in the way that the operation takes it;
--header 'Content-Type: …' sends it as it is. Without a credential among the
headers the request is made as whoever called that service last in the run.`,
		Example: `  parity why 'stripe POST /v1/refunds' --body '{"charge": "ch_1", "amount": 12000}' --profile storm.yaml
  parity why 'POST https://api.stripe.com/v1/refunds' --body @refund.json --run last
  parity why stripe.GetCharges -p lost-replies -o json`,
		Args: one("call"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if a.Body, err = given(body); err != nil {
				return misused(cmd, err)
			}
			a.Call, a.Root = args[0], c.getenv("PARITY_DIR")
			told, err := kept.Why(cmd.Context(), a)
			if err != nil {
				return err
			}
			return inspect.PrintWhy(c.stdout, told, output)
		},
	}
	f := cmd.Flags()
	f.StringVar(&body, "body", "", "the request's body, or @FILE")
	f.StringArrayVar(&a.Header, "header", nil, "NAME: VALUE (may be repeated)")
	f.VarP((*layers)(&a.Profile), "profile", "p", "the profile (default the run's own, else baseline)")
	f.StringVar(&a.Run, "run", "", "as the next call of this run, or of the last one")
	f.StringVarP(&output, "output", "o", "text", "text or json")
	return cmd
}

// given reads a flag's value, or the file that it names.
func given(text string) ([]byte, error) {
	name, named := strings.CutPrefix(text, "@")
	if !named {
		return []byte(text), nil
	}
	data, err := file.Read(name, file.Most)
	if err != nil {
		return nil, fmt.Errorf("--body: %w", err)
	}
	return data, nil
}
