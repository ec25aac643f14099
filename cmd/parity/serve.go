package main

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"parity/cmd/internal/rehearsal"
	"parity/gateway"
)

func serveCommand(c console) *cobra.Command {
	var o opening
	var readyFile string
	var keep keeping
	var logs logging
	var minimal bool
	cmd := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Keep a gateway up for many agents",
		Long: `Serve opens a gateway and keeps it up until it is told to stop (Ctrl-C or
SIGTERM; a second one ends it at once). It prints "ready" with its addresses, and those of its services, on
standard output, and writes them to --ready-file, once both ports are open. GET
/healthz and /readyz on the control port say the same.

With --minimal it holds each call against its contract and answers with a
sample: no state, no faults, no record on disk.`,
		Example: "  parity serve --contract acme-crm.yaml --host crm.acme.internal\n  parity serve --minimal --contract acme-crm.yaml\n  parity serve --listen 127.0.0.1:7070 --control 127.0.0.1:7071 --profile production-like",
		Args:    alone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := o.settings(c, cmd, slog.LevelInfo)
			if err == nil {
				err = concealed()
			}
			if err == nil {
				s.Log, err = logs.open(c)
			}
			if err != nil {
				return err
			}
			if err := keep.into(&s); err != nil {
				return err
			}
			if c.memory != nil && c.getenv("GOMEMLIMIT") == "" {
				c.memory(s.MaxMemory) // collects more often before it would be passed
			}
			if minimal {
				if err := reduce(cmd, &s); err != nil {
					return err
				}
			}
			return rehearsal.Serve(cmd.Context(), s, readyFile, c.stdout)
		},
	}
	o.flags(cmd)
	keep.flags(cmd)
	logs.flags(cmd)
	cmd.Flags().BoolVar(&minimal, "minimal", false, "answer from contracts alone: no state, no faults, no record on disk; needs --contract")
	cmd.Flags().StringVar(&readyFile, "ready-file", "", "file to write once both ports are open; removed at the end")
	return cmd
}

// minimalRecord is how many bytes a gateway without state remembers of what it
// was asked, for the control port.
const minimalRecord = 16 << 20

// reduce makes the settings those of a gateway that answers from contracts
// alone.
func reduce(cmd *cobra.Command, s *gateway.Settings) error {
	if len(s.Contracts) == 0 {
		return &gateway.UsageError{Err: errors.New("--minimal answers from contracts: name one with --contract")}
	}
	for _, name := range []string{"profile", "only", "map", "profiles", "locked", "durability", "keep-age", "keep-count", "keep-bytes", "max-store"} {
		if cmd.Flags().Changed(name) {
			return &gateway.UsageError{Err: fmt.Errorf("--%s has no meaning with --minimal, which has no state, no faults and no record: leave one of them out", name)}
		}
	}
	s.Stateless, s.Memory = true, true
	if !cmd.Flags().Changed("max-record") {
		s.MaxRecord = minimalRecord
	}
	return nil
}

// keeping are the flags of what a gateway keeps, and for whom.
type keeping struct {
	profiles      string
	mappings      []string
	age           time.Duration
	count         int
	bytes         int64
	runs          int
	record, store int64
	heap          int64
	sleep         time.Duration
	memory        bool
	public        string
	hosts         []string
}

func (k *keeping) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&k.profiles, "profiles", ".", "folder of the profiles that runs may ask for by name")
	f.StringArrayVar(&k.mappings, "map", nil, "PATTERN=PROFILE: runs whose names match are under it, such as 'shard-*=storm.yaml' (may be repeated)")
	f.DurationVar(&k.age, "keep-age", gateway.DefaultKeep().Age, "remove records so long after their run has ended; 0: never")
	f.IntVar(&k.count, "keep-count", 0, "keep at most so many records of ended runs (default all)")
	f.Int64Var(&k.bytes, "keep-bytes", gateway.DefaultKeep().Bytes, "remove records of ended runs beyond so many bytes of all as they are stored, or half of --max-store; 0: none")
	f.IntVar(&k.runs, "max-runs", 20_000, "most runs that go on at once")
	f.Int64Var(&k.record, "max-record", 1<<30, "most bytes of one run's record as it is stored; beyond it calls that change something are refused, and no other is recorded")
	f.Int64Var(&k.store, "max-store", 0, "most bytes of all records as they are stored; beyond it as with --max-record (default no bound)")
	f.Int64Var(&k.heap, "max-memory", 0, "bytes that the process may come to before runs sleep, those first that were called the longest ago (default a quarter of the machine's memory, and at most 1 GiB)")
	f.DurationVar(&k.sleep, "sleep", gateway.DefaultSleep, "a run sleeps so long after its newest call: it is rebuilt when it is called again; 0: never for that")
	f.StringArrayVar(&k.hosts, "control-host", nil, "a name by which the control port, and base URLs on this machine, may be called, besides loopback ones (may be repeated)")
	f.StringVar(&k.public, "public-url", "", "where agents reach the data port, http://HOST:PORT, if not at its own port on the host that the control port was called by; addresses are given out so")
	f.BoolVar(&k.memory, "memory", false, "keep records in memory alone: nothing is left when the gateway ends")
}

// into checks the flags and puts them into the settings.
func (k *keeping) into(s *gateway.Settings) error {
	if k.age < 0 || k.count < 0 || k.bytes < 0 || k.runs <= 0 || k.record <= 0 || k.store < 0 || k.heap < 0 || k.sleep < 0 {
		return &gateway.UsageError{Err: errors.New("the --keep and --max flags are numbers above 0; leave them out for no bound")}
	}
	s.Profiles, s.MaxRuns, s.MaxRecord, s.MaxStore, s.Memory, s.Hosts = k.profiles, k.runs, k.record, k.store, k.memory, k.hosts
	s.MaxMemory, s.Sleep = cmp.Or(k.heap, gateway.DefaultMemory()), k.sleep
	s.Keep = gateway.Keep{Age: k.age, Count: k.count, Bytes: k.bytes}
	if k.public != "" {
		public, err := gateway.CheckPublic(k.public)
		if err != nil {
			return err
		}
		s.Public = public
	}
	for _, text := range k.mappings {
		m, err := gateway.CheckMapping(text)
		if err != nil {
			return err
		}
		s.Mappings = append(s.Mappings, m)
	}
	return nil
}
