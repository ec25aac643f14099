package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"parity/cmd/internal/approvals"
	"parity/cmd/internal/output"
	"parity/gateway/kept"
	"parity/specs/file"
)

func rehearseCommand(c console) *cobra.Command {
	var a kept.Asking
	var body, expect string
	var s approvals.Show
	cmd := &cobra.Command{
		Use:   "rehearse CALL",
		Short: "Say what a call would do, without an agent and without doing it",
		Long: `Rehearse says what a call would do: what policy says of it (class, stage, grant,
gate), how it would be answered, which records would be new (+), changed (~) and
gone (-), what would be sent, and how that is known to differ from the real
service. It is asked of a fresh run; or, with --run, of one that is kept here,
going on or over, as its next call. Nothing is sent, and nothing changes. No rule
is asked: parity why says what faults would make of the call.

--expect FILE has what it is expected to do: the list of changes that -o json has
under predicted.diff, or that whole document. Rehearse ends with 1 where it would
do something else, and says what. Ids of new records do not matter, nor do fields
of new and deleted records that FILE leaves out.`,
		Example: `  parity rehearse 'stripe POST /v1/refunds' --body '{"charge": "ch_1", "amount": 500}' -p support.yaml
  parity rehearse 'stripe POST /v1/refunds' --body @refund.json --run last --identity support-bot --stage 3
  parity rehearse 'stripe POST /v1/refunds' --body @refund.json --expect refund.diff.json`,
		Args: one("call"),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := output.TextOrJSON(s.Form)
			if err != nil {
				return err
			}
			if a.Stage < 0 || a.Stage > 5 {
				return misused(cmd, fmt.Errorf("--stage %d: say 1 (reads) to 5", a.Stage))
			}
			if a.Body, err = given(body); err != nil {
				return misused(cmd, err)
			}
			a.Call, a.Root = args[0], c.getenv("PARITY_DIR")
			told, err := kept.Rehearse(cmd.Context(), a)
			if err != nil {
				return err
			}
			if expect == "" {
				return approvals.PrintRehearsed(c.stdout, told, s)
			}
			return expected(c, told, expect, s)
		},
	}
	f := cmd.Flags()
	f.StringVar(&body, "body", "", "the request's body as JSON, or @FILE")
	f.StringArrayVar(&a.Header, "header", nil, "NAME: VALUE (may be repeated)")
	f.VarP((*layers)(&a.Profile), "profile", "p", "the profile (default the run's own, else baseline)")
	f.StringVar(&a.Run, "run", "", "as the next call of this run, or of the last one")
	f.StringVar(&a.Identity, "identity", "", "who calls, by the name that the profile has (default whoever called last in the run)")
	f.IntVar(&a.Stage, "stage", 0, "how far the run's agent may go, 1 to 5 (default the run's own, or the profile's)")
	f.StringVar(&expect, "expect", "", "the file of what it is expected to do")
	f.BoolVarP(&s.All, "verbose", "v", false, "show every field, however long")
	f.StringVarP(&s.Form, "output", "o", "text", "text or json")
	return cmd
}

// expected holds what a call would do against a file.
func expected(c console, told *kept.Rehearsed, name string, s approvals.Show) error {
	text, err := file.Read(name, file.Most)
	if err != nil {
		return fmt.Errorf("--expect: %w", err)
	}
	want, err := approvals.ReadExpected(text)
	if err != nil {
		return fmt.Errorf("--expect %s: %w", name, err)
	}
	if err := approvals.PrintRehearsed(c.stdout, told, s); err != nil {
		return err
	}
	differs := approvals.Unexpected(want, told.Changes())
	for _, line := range differs {
		fmt.Fprintf(c.stderr, "parity: not as expected: %s\n", line)
	}
	if len(differs) > 0 {
		return exitCode(1)
	}
	return nil
}
