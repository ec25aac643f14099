package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/author"
)

func profileNew(c console) *cobra.Command {
	var s author.ProfileDraft
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Begin a profile in a folder of its own, from what was seen or from nothing",
		Long: `New writes a folder with profile.yaml and parity.lock. From a run that is kept, or
from a HAR file (of a browser, a proxy, a test tool), it binds the services that
were called; suggests rules for what was seen, switched off: a lost reply for each
write, a short page for each list, a limit for each service; has services answer
as fast as they did, where a HAR file says how fast; and writes the records that
were read as fixtures, as far as runs can begin with them. From a mirror, or from
what a mode that records wrote (a file, or a folder of them), runs begin with what the
real services answered; one that does not ship is played from its --contract.`,
		Example: "  parity profile new my-bad-day\n  parity profile new checkout --from last\n  parity profile new checkout --from session.har --dir profiles/checkout\n  parity profile new desk --from recordings/desk --contract desk=openapi.yaml",
		Args:    one("name"),
		RunE: func(_ *cobra.Command, args []string) error {
			s.Name, s.Root = args[0], c.getenv("PARITY_DIR")
			return author.NewProfile(c.stdout, s)
		},
	}
	cmd.Flags().StringVar(&s.From, "from", "", "a run, a HAR file (NAME.har), a mirror or a recording (NAME.json), or a folder of these")
	cmd.Flags().StringVar(&s.Contract, "contract", "", "the contract of a service that does not ship, FILE or NAME=FILE")
	cmd.Flags().StringVarP(&s.Dir, "dir", "o", "", "the folder (default the profile's name)")
	return cmd
}

func profileDiff(c console) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "diff PROFILE PROFILE",
		Short: "Say in what two profiles differ, with all that they extend",
		Long: `Diff compares what two profiles mean: rules, services and all else by key. Names,
summaries, comments and layout are no differences. It ends with 0 where they mean
the same, and with 1 where they do not.`,
		Example: "  parity profile diff lost-replies storm.yaml",
		Args:    two("two profiles"),
		RunE: func(_ *cobra.Command, args []string) error {
			code, err := author.DiffProfiles(c.stdout, args[0], args[1], output)
			if err != nil {
				return err
			}
			return ended(code)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	return cmd
}
