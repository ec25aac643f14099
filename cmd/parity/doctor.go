package main

import (
	"github.com/spf13/cobra"

	"parity/cmd/internal/doctor"
	"parity/cmd/internal/isolation"
	"parity/cmd/internal/output"
)

func doctorCommand(c console) *cobra.Command {
	var e doctor.Examination
	var inside bool
	var level isolationFlag
	cmd := &cobra.Command{
		Use:   "doctor [flags]",
		Short: "Tell whether an agent can be contained here, by trying every way out",
		Long: `Doctor says what this machine allows, opens a containment as "parity run
--isolate" does, and tries every way out from inside: TCP by IPv4, by IPv6 and to
the metadata address, UDP, DNS, vsock, sockets of this machine, secrets in the
environment and in files, writes, signals, and the gateway's own memory. A probe
passes where it comes to nothing, or where the gateway answers it.

With --inside nothing is opened: the ways out are tried from where doctor stands,
such as in a container of yours beside a gateway on an internal network. What
"parity env" prints says where that gateway is, and the run's token knows it.

It ends with 0 where nothing got out, with 1 where something did, and with 2 where
this machine allows no containment, saying why and what helps.`,
		Example: "  parity doctor\n  parity doctor --isolate=network -o json\n  docker compose run agent parity doctor --inside --env ANTHROPIC_API_KEY",
		Args:    alone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := output.TextOrJSON(e.Form); err != nil {
				return err
			}
			e.Getenv, e.Level = c.getenv, level.level
			examine := doctor.Examine
			if inside {
				examine = doctor.Inside
			} else {
				env, err := isolation.Given(c.environ(), e.Allowed)
				if err != nil {
					return err
				}
				e.Environ = env
			}
			code, err := examine(cmd.Context(), c.stdout, e)
			if err == nil && code != 0 {
				err = exitCode(code)
			}
			return err
		},
	}
	level.level = "whole"
	level.flag(cmd)
	cmd.Flags().Lookup(isolateFlag).Usage = "how much is contained: whole, or network alone"
	cmd.Flags().BoolVar(&inside, "inside", false, "try from where this stands, in a container of yours")
	cmd.Flags().StringArrayVar(&e.Allowed, "env", nil, "a variable that may hold a secret, as isolation.env of a profile names it; repeatable")
	cmd.Flags().StringVarP(&e.Form, "output", "o", "text", "text or json")
	return cmd
}
