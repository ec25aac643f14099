package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"parity/cmd/internal/connection"
	"parity/cmd/internal/inspect"
	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/kept"
)

// reaching are the flags of commands that ask a gateway.
type reaching struct{ gateway string }

func (r *reaching) flags(cmd *cobra.Command) {
	cmd.PersistentFlags().StringVar(&r.gateway, "gateway", "", "control URL of the gateway (default the one that is up under this folder, or PARITY_GATEWAY)")
}

func (r *reaching) connect(c console) (*client.Client, error) {
	return connection.Connect(c.getenv("PARITY_DIR"), r.url(c), c.getenv("PARITY_CONTROL_TOKEN"))
}

// url is the control URL that is named; "": none is.
func (r *reaching) url(c console) string {
	if tokenIn(r.gateway) {
		fmt.Fprintln(c.stderr, "parity: whoever lists the processes can read the token in --gateway: put it in PARITY_CONTROL_TOKEN, or the whole URL in PARITY_GATEWAY")
	}
	return cmp.Or(r.gateway, c.getenv("PARITY_GATEWAY"))
}

// run connects to the gateway that has a run, and gives the run's id.
func (r *reaching) run(ctx context.Context, c console, run string) (*client.Client, string, error) {
	url := r.gateway
	if url == "" {
		url = c.getenv("PARITY_GATEWAY")
	}
	return connection.ConnectRun(ctx, c.getenv("PARITY_DIR"), run, url, c.getenv("PARITY_CONTROL_TOKEN"))
}

func runsCommand(c console) *cobra.Command {
	var r reaching
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "Make, fork, set back and remove runs",
		Long: `Runs are rehearsals that share nothing: each has a world, a clock, rules that
count for it alone, and a record. A gateway that stays up (parity serve) keeps
thousands of them side by side.

RUN@17 is a run as it was after its event 17; parity trace has the numbers.`,
		Args: known,
		RunE: help,
	}
	r.flags(cmd)
	cmd.AddCommand(runsNew(c, &r), runsList(c, &r), runsFork(c, &r), runsExport(c, &r), runsSnapshots(c, &r), runsRepair(c), runsRemove(c, &r), runsTidy(c))
	for _, simple := range []struct {
		use, short string
		do         func(ctx context.Context, k *client.Client, run string) error
	}{
		{"reset RUN...", "Set runs back to their start; their events stay", func(ctx context.Context, k *client.Client, run string) error {
			_, err := k.Reset(ctx, run)
			return err
		}},
		{"end RUN...", "End runs; their records stay", func(ctx context.Context, k *client.Client, run string) error {
			_, err := k.End(ctx, run, nil)
			return err
		}},
	} {
		cmd.AddCommand(runsEach(c, &r, simple.use, simple.short, simple.do))
	}
	cmd.AddCommand(runsNamed(c, &r, "snapshot RUN NAME", "Give a run's state a name", func(ctx context.Context, k *client.Client, run, name string) error {
		_, err := k.TakeSnapshot(ctx, run, name)
		return err
	}), runsNamed(c, &r, "rollback RUN NAME", "Set a run back to a snapshot; its events stay", func(ctx context.Context, k *client.Client, run, name string) error {
		_, err := k.RollBack(ctx, run, name)
		return err
	}))
	return cmd
}

// lasting are the flags of what a run is to be.
type lasting struct {
	profile, ttl, idle, output string
	port                       bool
}

func (l *lasting) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.VarP((*layers)(&l.profile), "profile", "p", "its profile: a name in the library, or a file in the gateway's folder of profiles; once more, another is laid over it")
	f.StringVar(&l.ttl, "ttl", "", "it ends after so long, such as 1h")
	f.StringVar(&l.idle, "idle", "", "it ends after so long without a call, such as 20m")
	f.BoolVar(&l.port, "port", false, "give it a data port of its own")
	f.StringVarP(&l.output, "output", "o", "text", "text, names, env (NAME_PROXY=… and NAME_BASE=…) or json")
}

func runsNew(c console, r *reaching) *cobra.Command {
	var l lasting
	var n client.NewRun
	var shows bool
	clock := &client.NewClock{}
	cmd := &cobra.Command{
		Use:     "new [NAME...]",
		Short:   "Make runs; {1..40} and {red,blue} in a name make several",
		Example: "  parity runs new 'shard-{1..40}' --profile lost-replies --ttl 1h -o env",
		RunE: func(cmd *cobra.Command, args []string) error {
			names, err := inspect.ExpandNames(args)
			if err != nil {
				return err
			}
			k, err := r.connect(c)
			if err != nil {
				return err
			}
			n.Names, n.Profile, n.TTL, n.Idle, n.Port = names, l.profile, l.ttl, l.idle, l.port
			if *clock != (client.NewClock{}) {
				n.Clock = clock
			}
			if shows && l.output != "text" {
				return misused(cmd, errors.New("--show-tokens is for people: leave out -o, and have programs ask `parity env --run NAME`"))
			}
			made, err := k.Make(cmd.Context(), n)
			if err == nil {
				err = inspect.PrintRuns(c.stdout, made, l.output)
			}
			for i := 0; shows && err == nil && i < len(made); i++ {
				err = connection.ListCredentials(cmd.Context(), c.stdout, k, made[i].ID, true)
			}
			return err
		},
	}
	l.flags(cmd)
	f := cmd.Flags()
	f.BoolVar(&shows, "show-tokens", false, "print the credentials that were made for its identities, too")
	f.StringVar(&n.Seed, "seed", "", "seed of every draw and id")
	f.StringVar(&n.Agent, "agent", "", "the agent, NAME@VERSION, for whose evidence a stage may ask")
	f.IntVar(&n.Stage, "stage", 0, "how far its agent may go, 1 (reads) to 5; by default as its profile has it")
	f.StringVar(&clock.Mode, "clock", "", "its clock: live or stepped")
	f.StringVar(&clock.Start, "start", "", "the clock's first instant, as 2026-03-02T13:00:00Z")
	f.BoolVar(&n.Locked, "locked", false, "it keeps the revision of its profile that it begins with, whatever is saved")
	f.BoolVar(&clock.Frozen, "frozen", false, "the clock stands still")
	return cmd
}

func runsList(c console, r *reaching) *cobra.Command {
	var state, output string
	var last int
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the runs there are",
		Args:  alone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			runs, err := list(cmd.Context(), c, r, state)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("last") && last < 1 {
				return misused(cmd, errors.New("--last is how many runs are listed, at least 1"))
			}
			if n := len(runs) - last; last > 0 && n > 0 {
				runs = runs[n:]
			}
			return inspect.PrintRuns(c.stdout, runs, output)
		},
	}
	cmd.Flags().IntVar(&last, "last", 0, "list so many of them, the newest (default all)")
	cmd.Flags().StringVar(&state, "state", "all", "live, ended or all")
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text, names, env or json")
	return cmd
}

// list asks the gateway that is named, or reads what is kept here.
func list(ctx context.Context, c console, r *reaching, state string) ([]client.Run, error) {
	if r.gateway != "" || c.getenv("PARITY_GATEWAY") != "" {
		k, err := r.connect(c)
		if err != nil {
			return nil, err
		}
		return k.Runs(ctx, state)
	}
	runs, err := kept.List(c.getenv("PARITY_DIR"))
	if err != nil || state == "all" {
		return runs, err
	}
	var some []client.Run
	for _, run := range runs {
		if run.State == state {
			some = append(some, run)
		}
	}
	return some, nil
}

func runsFork(c console, r *reaching) *cobra.Command {
	var l lasting
	cmd := &cobra.Command{
		Use:     "fork RUN[@EVENT] [NAME...]",
		Short:   "Make runs that go on from another's state",
		Example: "  parity runs fork shard-1@17 sun\n  parity runs fork shard-1@17 storm --profile lost-replies",
		Args:    atLeastOne("run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			run, at, err := frame(args[0])
			if err != nil {
				return err
			}
			names, err := inspect.ExpandNames(args[1:])
			if err != nil {
				return err
			}
			k, run, err := r.run(cmd.Context(), c, run)
			if err != nil {
				return err
			}
			made, err := k.Fork(cmd.Context(), run, client.Fork{At: at, Names: names, Profile: l.profile, TTL: l.ttl, Idle: l.idle, Port: l.port})
			if err != nil {
				return err
			}
			return inspect.PrintRuns(c.stdout, made, l.output)
		},
	}
	l.flags(cmd)
	return cmd
}

// frame reads RUN or RUN@EVENT; without an event it is 0.
func frame(text string) (run string, at uint64, err error) {
	run, event, named := strings.Cut(text, "@")
	if !named {
		return run, 0, nil
	}
	at, err = strconv.ParseUint(event, 10, 63)
	if err != nil || at == 0 {
		return "", 0, &gateway.UsageError{Err: fmt.Errorf("%q: write RUN@EVENT with the number of an event, such as %s@17", text, run)}
	}
	return run, at, nil
}

func runsEach(c console, r *reaching, use, short string, do func(context.Context, *client.Client, string) error) *cobra.Command {
	return &cobra.Command{
		Use:     use,
		Short:   short,
		Example: "  parity runs " + strings.Fields(use)[0] + " 'shard-{1..40}'",
		Args:    atLeastOne("run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			names, err := inspect.ExpandNames(args)
			if err != nil {
				return err
			}
			for _, name := range names {
				k, run, err := r.run(cmd.Context(), c, name)
				if err != nil {
					return err
				}
				if err := do(cmd.Context(), k, run); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func runsNamed(c console, r *reaching, use, short string, do func(ctx context.Context, k *client.Client, run, name string) error) *cobra.Command {
	return &cobra.Command{
		Use:     use,
		Short:   short,
		Example: "  parity runs " + strings.Fields(use)[0] + " shard-1 before-refund",
		Args:    two("a run and a name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			k, run, err := r.run(cmd.Context(), c, args[0])
			if err != nil {
				return err
			}
			return do(cmd.Context(), k, run, args[1])
		},
	}
}

func runsSnapshots(c console, r *reaching) *cobra.Command {
	return &cobra.Command{
		Use:     "snapshots RUN",
		Short:   "List a run's snapshots",
		Example: "  parity runs snapshots shard-1",
		Args:    one("run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			k, run, err := r.run(cmd.Context(), c, args[0])
			if err != nil {
				return err
			}
			all, err := k.Snapshots(cmd.Context(), run)
			for _, s := range all {
				fmt.Fprintf(c.stdout, "%s  #%d\n", s.Name, s.Event)
			}
			return err
		},
	}
}

func runsExport(c console, r *reaching) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:     "export RUN",
		Short:   "Write a run's whole record, as JSON lines or an HTTP Archive",
		Example: "  parity runs export last --format har > run.har",
		Args:    one("run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if r.gateway == "" && c.getenv("PARITY_GATEWAY") == "" {
				return inspect.ExportRun(c.stdout, c.getenv("PARITY_DIR"), args[0], format)
			}
			k, err := r.connect(c)
			if err != nil {
				return err
			}
			return k.Export(cmd.Context(), c.stdout, args[0], format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "jsonl", "jsonl (one event a line) or har (HTTP Archive 1.2)")
	return cmd
}

func runsRepair(c console) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "repair [RUN]",
		Short: "Keep what can be read of a damaged store, and say what that is",
		Long: `Repair makes a whole store of what can be read of a damaged one: of each run the
events before its first damage. The damaged file is kept beside it, and so are
the events that are whole beyond the damage, one a line. It is the store of the
gateway that stays up, or that of a run of parity run. Nothing may be writing it
meanwhile.`,
		Example: "  parity runs repair",
		Args:    atMostOne("run"),
		RunE: func(_ *cobra.Command, args []string) error {
			run := ""
			if len(args) == 1 {
				run = args[0]
			}
			return inspect.RepairStore(c.stdout, c.getenv("PARITY_DIR"), run, output)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	return cmd
}
