package main

import (
	"errors"

	"github.com/spf13/cobra"

	"parity/cmd/internal/inspect"
	"parity/gateway/report"
)

func shadowCommand(c console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "shadow",
		Short: "Hold what an agent wrote against what people did",
		Args:  known,
		RunE:  help,
	}
	b := inspect.Beside{}
	var verbose bool
	compare := &cobra.Command{
		Use:   "compare RUN --human LOG",
		Short: "Set the writes of a run beside a log of what people did about the same work",
		Long: `Compare pairs what the agent wrote in a run (captured, in mode shadow or at stage
2, or made on a fake) with what people did, by operation, by the record that it is
about, and by what the profile's intents say:

  agree        both did the same
  acceptable   only fields differ that the profile's shadow.acceptable names
  interesting  one did it alone, in another order, with other fields, or by another
               operation
  dangerous    the agent did what cannot be undone, or decides who may do what, and
               nobody else did; or for another amount, recipient or target

A line of the log is an act:

  {"at": "2026-03-02T13:00:00Z", "call": "stripe POST /v1/refunds",
   "body": {"charge": "ch_1", "amount": 500}, "by": "ada"}

Call names service, method and path: as it was called, or as the contract writes it
with "path": {"issue_number": 7} or "path": "/repos/…/7" beside it. The body is JSON,
or text: a form, or JSON. Reads are left out; a line that matches no operation is
listed.

The log is kept beside the run, without what looks like a secret, and each report of
the run has what came of it.

It ends with 1 where anything is dangerous, with 2 where the log cannot be read, and
with 0 otherwise. "parity schema shadow" prints the schema of -o json.`,
		Example: "  parity shadow compare last --human monday.jsonl\n  parity shadow compare last --human monday.jsonl -o json",
		Args:    one("run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if b.Human == "" {
				return misused(cmd, errors.New("which log? --human FILE names it"))
			}
			b.Root, b.Run = c.getenv("PARITY_DIR"), args[0]
			code, err := inspect.PrintComparison(c.stdout, b, report.Options{Verbose: verbose})
			if err != nil {
				return err
			}
			return ended(code)
		},
	}
	compare.Flags().StringVar(&b.Human, "human", "", "the log of what people did, a JSON object a line")
	compare.Flags().StringVarP(&b.Form, "output", "o", "text", "text or json")
	compare.Flags().BoolVar(&b.Keep, "keep", true, "keep the log beside the run, for its reports")
	compare.Flags().BoolVarP(&verbose, "verbose", "v", false, "list what agrees, too")
	cmd.AddCommand(compare)
	return cmd
}
