package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parity/cmd/internal/author"
	"parity/cmd/internal/inspect"
	"parity/gateway"
	"parity/gateway/client"
)

func profileCommand(c console) *cobra.Command {
	cmd := &cobra.Command{Use: "profile", Short: "Work with parity profiles", Args: known, RunE: help}
	cmd.AddCommand(
		&cobra.Command{
			Use:     "lint PROFILE",
			Short:   "Say everything that is wrong with a profile, with file, line and column",
			Example: "  parity profile lint rough-afternoon.yaml",
			Args:    one("profile"),
			RunE: func(_ *cobra.Command, args []string) error {
				return author.LintProfile(c.stdout, args[0])
			},
		},
		&cobra.Command{
			Use:   "list",
			Short: "List the profiles of the library",
			Args:  alone,
			RunE: func(*cobra.Command, []string) error {
				return author.ListProfiles(c.stdout)
			},
		},
		&cobra.Command{
			Use:     "show PROFILE",
			Short:   "Print a profile with everything that it extends",
			Example: "  parity profile show lost-replies",
			Args:    one("profile"),
			RunE: func(_ *cobra.Command, args []string) error {
				return author.ShowProfile(c.stdout, args[0])
			},
		},
	)
	cmd.AddCommand(profileNew(c), profileDiff(c), profileLog(c), profileRollback(c), profileWatch(c))
	return cmd
}

func profileLog(c console) *cobra.Command {
	var r reaching
	cmd := &cobra.Command{
		Use:     "log [PROFILE]",
		Short:   "List the revisions that were in force, and the saves that were not, the newest first",
		Example: "  parity profile log storm.yaml",
		Args:    atMostOne("profile"),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := strings.Join(args, "")
			var records []client.Record
			var err error
			if r.gateway == "" && c.getenv("PARITY_GATEWAY") == "" {
				records, err = gateway.ProfileLog(c.getenv("PARITY_DIR"), name)
			} else {
				var k *client.Client
				if k, err = r.connect(c); err == nil {
					records, err = k.ProfileLog(cmd.Context(), name)
				}
			}
			if err != nil {
				return err
			}
			return inspect.PrintLog(c.stdout, records)
		},
	}
	r.flags(cmd)
	return cmd
}

func profileRollback(c console) *cobra.Command {
	var r reaching
	var profile string
	cmd := &cobra.Command{
		Use:   "rollback [REVISION]",
		Short: "Put an earlier revision in force, until the file is saved again",
		Long: `Rollback has a gateway that is up go on under an earlier revision of a profile:
the one before, or the one whose hash is given; parity profile log has them. The
profile's file stays as it is, and comes into force again when it is saved, or
when the gateway is started anew.`,
		Example: "  parity profile rollback\n  parity profile rollback 5be0 --profile storm.yaml",
		Args:    atMostOne("revision"),
		RunE: func(cmd *cobra.Command, args []string) error {
			revision := strings.Join(args, "")
			if strings.Trim(revision, "0123456789abcdef") != "" {
				return misused(cmd, fmt.Errorf("%q is no revision, which is a hash such as 5be0: `parity profile log` has them", revision))
			}
			k, err := r.connect(c)
			if err != nil {
				return err
			}
			state, err := k.RollBackProfile(cmd.Context(), profile, revision)
			if err != nil {
				return err
			}
			return inspect.PrintRolledBack(c.stdout, state)
		},
	}
	r.flags(cmd)
	cmd.Flags().StringVarP(&profile, "profile", "p", "", "which of the gateway's profiles (default its own)")
	return cmd
}

func profileWatch(c console) *cobra.Command {
	return &cobra.Command{
		Use:   "watch PROFILE",
		Short: "Say at each save what a gateway would say: problems, or what the rules would have met",
		Long: `Watch reads a profile now and at each save, until it is told to stop (Ctrl-C). It
says what is wrong with it, or which of the newest exchanges that are kept here
its rules would have met, by their calls and conditions. It needs no gateway.`,
		Example: "  parity profile watch storm.yaml",
		Args:    one("profile"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return inspect.WatchProfile(cmd.Context(), c.stdout, c.getenv("PARITY_DIR"), args[0])
		},
	}
}

func schemaCommand(c console) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [profile | report | shadow]",
		Short: "Print the JSON Schema of profiles, of the report, or of comparisons",
		Long: `Schema prints the JSON Schema of profiles, which editors check them against while
they are written, or that of what parity report -o json, or parity shadow compare
-o json, prints.`,
		Example: "  parity schema > profile.schema.json\n  parity schema report > report.schema.json",
		Args:    atMostOne("schema"),
		RunE: func(_ *cobra.Command, args []string) error {
			return author.PrintSchema(c.stdout, strings.Join(args, ""))
		},
	}
}
