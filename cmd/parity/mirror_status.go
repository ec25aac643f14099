package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/author"
)

func mirrorStatusCommand(c console) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "status PROFILE|FOLDER|FILE...",
		Short: "Say how old mirrors are, from where, and what of them a world has",
		Long: `Status lists the mirrors, and the recordings, that a profile's fixtures name, or that
are in a folder: how old each is, where it was taken, how it was sampled, and how many
values have pseudonyms. Of a profile, and of a service that ships, it makes the world
too, and counts its records by collection: those that were shown, those that were made
up since others refer to them, and those that are missing.`,
		Example: "  parity mirror status desk.yaml\n  parity mirror status mirrors -o json",
		Args:    atLeastOne("a profile, a folder or a file"),
		RunE: func(_ *cobra.Command, args []string) error {
			return author.MirrorStatus(c.stdout, args, output)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	return cmd
}
