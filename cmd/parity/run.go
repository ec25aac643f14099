package main

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"parity/cmd/internal/author"
	"parity/cmd/internal/isolation"
	"parity/cmd/internal/rehearsal"
	"parity/cmd/internal/reports"
	"parity/gateway"
	"parity/gateway/contain"
	"parity/gateway/heap"
	"parity/gateway/kept"
	"parity/gateway/report"
	"parity/profiles/policy"
)

const (
	defaultMaxBody  = 10 << 20
	defaultMaxHeld  = 512 << 20
	defaultMaxCalls = 2048
	defaultExit     = "agent"
)

// opening are the flags that run and serve have in common.
type opening struct {
	profile, seed, durability string
	only, allow               []string
	listen, control           string
	maxBody, maxHeld          int64
	maxCalls                  int
	locked, checkReplies      bool
	lockFile                  string
	played
	raising
}

// raising is how far the agent may go, and whose evidence says so.
type raising struct {
	egress string // what becomes of hosts that nothing names
	agent  string
	stage  int
}

// played are services besides those of the profile.
type played struct{ contracts, hosts []string }

func (o *opening) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.VarP((*layers)(&o.profile), "profile", "p", "parity profile: a file, or a name in the library (default baseline); once more, another is laid over it")
	f.StringArrayVar(&o.contracts, "contract", nil, "play the service of this OpenAPI document, FILE or NAME=FILE, beside those of the profile (may be repeated); without --profile it is alone, and nothing goes wrong")
	f.StringArrayVar(&o.hosts, "host", nil, "a host that the service of --contract answers on, HOST, *.HOST or NAME=HOST (may be repeated; default those of the contract)")
	f.StringArrayVar(&o.only, "only", nil, "switch off every rule but this one (may be repeated); - switches off all")
	f.StringVar(&o.seed, "seed", "", "seed of every draw and id; the report names the one that was used")
	f.StringVar(&o.agent, "agent", "", "the agent, NAME@VERSION, for whose evidence a stage may ask (policy.raise)")
	f.IntVar(&o.stage, "stage", 0, "how far the agent may go, 1 (reads) to 5; by default as the profile has it")
	f.StringArrayVar(&o.allow, "allow", nil, "let connections to HOST, HOST:PORT or *.HOST through, unread (may be repeated)")
	f.StringVar(&o.egress, "egress", "", "what becomes of hosts that nothing names: agent (refused) or tool (public ones pass unread, and the report lists them); by default as the profile has it")
	f.StringVar(&o.listen, "listen", "127.0.0.1:0", "address of the data port")
	f.StringVar(&o.control, "control", "127.0.0.1:0", "address of the control port")
	f.StringVar(&o.durability, "durability", "async", "what an answer promises about its record: async (on disk within 25 ms) or sync (on disk before the answer)")
	f.BoolVar(&o.locked, "locked", false, "refuse to open under other conditions than the lock file pins")
	f.StringVar(&o.lockFile, "lock-file", gateway.LockFile, "the lock file, with --locked")
	f.BoolVar(&o.checkReplies, "check-replies", false, "hold what fakes answer against their contracts, by two judges, before faults alter it; one that breaks its contract is Parity's own fault, and no verdict counts then")
	f.Int64Var(&o.maxBody, "max-body", defaultMaxBody, "largest request body, in bytes")
	f.IntVar(&o.maxCalls, "max-calls", defaultMaxCalls, "most calls under way in one run; half of them for one client's address; calls beyond it are refused")
	f.Int64Var(&o.maxHeld, "max-held", defaultMaxHeld, "most bytes held for requests under way, in all, half of them for one client's address; calls beyond it are refused")
}

func (o *opening) settings(c console, cmd *cobra.Command, level slog.Level) (gateway.Settings, error) {
	s := gateway.Settings{
		Root: c.getenv("PARITY_DIR"), Profile: o.profile, Only: o.only, Allow: o.allow, Data: o.listen, Control: o.control,
		Token: c.getenv("PARITY_CONTROL_TOKEN"), MaxBody: o.maxBody, MaxHeld: o.maxHeld, MaxCalls: o.maxCalls, Getenv: c.getenv, Log: c.logTo(level),
		Checks: o.checkReplies, Stage: o.stage, Agent: o.agent, HeapFloor: heap.Floor(c.getenv),
	}
	if err := filled(cmd, "seed", "egress", "listen", "control", "durability"); err != nil {
		return s, err
	}
	if o.locked {
		s.Locked = o.lockFile
	}
	if o.seed != "" {
		seed, err := strconv.ParseUint(o.seed, 10, 64)
		if err != nil {
			return s, &gateway.UsageError{Err: fmt.Errorf("--seed %q is not a whole number from 0 on", o.seed)}
		}
		s.Seed = &seed
	}
	if cmd.Flags().Changed("stage") && (o.stage < 1 || o.stage > policy.MostStage) {
		return s, &gateway.UsageError{Err: fmt.Errorf("--stage %d: say one from 1 to %d", o.stage, policy.MostStage)}
	}
	if o.egress != "" && !slices.Contains(policy.EgressModes(), o.egress) {
		return s, &gateway.UsageError{Err: fmt.Errorf("--egress %q: say one of %s", o.egress, strings.Join(policy.EgressModes(), ", "))}
	}
	s.Egress = policy.EgressMode(o.egress)
	if o.maxBody <= 0 {
		return s, &gateway.UsageError{Err: errors.New("--max-body is a number of bytes above 0")}
	}
	if o.maxCalls < 2 {
		return s, &gateway.UsageError{Err: errors.New("--max-calls is a number of calls above 1")}
	}
	if o.maxHeld <= 0 {
		return s, &gateway.UsageError{Err: errors.New("--max-held is a number of bytes above 0")}
	}
	var err error
	if s.Contracts, err = author.CheckContracts(o.contracts, o.hosts); err != nil {
		return s, err
	}
	s.Durability, err = gateway.ParseDurability(o.durability)
	return s, err
}

// aboutRun is the help of run.
const aboutRun = `Run starts a gateway and the agent, captures the agent's calls whatever it is
written in, and ends with a report of what the agent did about what went wrong.
Nothing reaches a real service: hosts that are neither faked nor allowed are
refused. Model APIs are let through, unread.

Exit codes: 0 nothing failed; the agent's own, where it is not 0; 1 a verdict
failed, or with --strict an acceptance had expired, or nothing shows whether an
intent took effect twice; 2 wrong usage or profile, agent not started; 125 the
run is invalid, had no traffic, or Parity failed, whatever the agent exited with;
126, 127, 128+n as shells do. Of many runs: 1 where any failed, 125 where none
shows anything.

--twin of one run rehearses twice, one after the other: first without faults, of
which a line on stderr says how it went, then as asked for, with the ordinary
report. It costs a second run of the agent, and whatever that pays for its model,
and shows which calls are an answer to a fault and which the agent makes anyway.
Standard input reaches both where it is a file; else the run beside the twin.`

func runCommand(c console) *cobra.Command {
	var o opening
	var exit string
	var files []string
	var strict, verbose bool
	var at rehearsal.Remote
	var m trialFlags
	var isolate isolationFlag
	cmd := &cobra.Command{
		Use:     "run [flags] -- COMMAND [ARGS]",
		Short:   "Run an agent with its calls to known services answered by fakes",
		Long:    aboutRun,
		Example: "  parity run -- python agent.py\n  parity run --contract acme-crm.yaml -- python agent.py\n  parity run --profile lost-replies --seed 7 -- node agent.js\n  parity run --sweep -- python agent.py\n  parity run --repeat 10 -- python agent.py\n  parity run --matrix 'profiles/*.yaml' --seeds 1..20 --fail-fast -- python agent.py\n  parity run --report out/parity.xml --report out/parity.md -- python agent.py",
		Args:    agent,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := m.check(cmd); err != nil {
				return err
			}
			args = m.more(cmd, args)
			s, err := o.settings(c, cmd, slog.LevelWarn)
			if err != nil {
				return err
			}
			written, err := reports.Parse(files)
			if err != nil {
				return err
			}
			r := rehearsal.Plan{
				Reports: written, Settings: s, Command: args, Exit: exit, Environ: c.environ(), Flags: isolate.again(o.again(exit, strict)),
				Isolate: isolation.Options{Level: isolate.level},
				Stdin:   c.stdin, Stdout: c.stdout, Stderr: c.stderr, Look: report.Options{Color: c.colour(c.stderr), Verbose: verbose},
			}
			if err := m.one(&r); err != nil {
				return err
			}
			if err := c.remote(&at); err != nil {
				return err
			}
			code, err := rehearse(cmd, c, r, at, &m)
			if err != nil {
				return err
			}
			return ended(code)
		},
	}
	o.flags(cmd)
	m.flags(cmd)
	cmd.SetFlagErrorFunc(behind)
	remoteFlags(cmd, &at)
	reportFlag(cmd, &files)
	verboseFlag(cmd, &verbose)
	isolate.flag(cmd)
	cmd.Flags().StringVar(&exit, "exit", defaultExit, "what decides the exit code: agent (its own code first) or verdict (verdicts alone)")
	cmd.Flags().BoolVar(&strict, "strict", false, "fail the run where it touched a known difference whose acceptance has expired, and where nothing shows whether an intent took effect twice")
	return cmd
}

// remote is the gateway that is up and meant, if any, by the flag or the environment.
func (c console) remote(at *rehearsal.Remote) error {
	if tokenIn(at.URL) {
		return &gateway.UsageError{Err: errors.New("--gateway has a token in it, and the agent could read it in the list of processes: put the token in PARITY_CONTROL_TOKEN, or the whole URL in PARITY_GATEWAY; an agent gets neither")}
	}
	if at.URL == "" {
		at.URL = c.getenv("PARITY_GATEWAY")
	}
	return concealed()
}

// concealed keeps from agents of the same user what a gateway of this process has:
// tokens, the credentials of real services, the key of its certificates.
func concealed() error {
	if err := conceal(); err != nil {
		return fmt.Errorf("keep what this process has from agents of the same user: %w", err)
	}
	return nil
}

// remoteFlags are the flags of a run on a gateway that is up.
func remoteFlags(cmd *cobra.Command, at *rehearsal.Remote) {
	cmd.Flags().StringVar(&at.URL, "gateway", "", "use the shared gateway at this control URL, in a run of its own (default PARITY_GATEWAY)")
	cmd.Flags().StringVar(&at.Name, "run", "", "name of the run, with --gateway")
	cmd.Flags().StringVar(&at.TTL, "ttl", "", "the run ends after so long, with --gateway")
	cmd.Flags().BoolVar(&at.Keep, "keep", false, "the run goes on when the agent has ended, with --gateway")
}

// tokenIn tells whether a control URL has a token, as in http://:TOKEN@host.
func tokenIn(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	user, _, ok := strings.Cut(rest, "@")
	return ok && user != "" && !strings.Contains(user, "/")
}

// rehearse runs the agent where, and as often, as the flags say.
func rehearse(cmd *cobra.Command, c console, r rehearsal.Plan, at rehearsal.Remote, m *trialFlags) (int, error) {
	r.Refuses = requiresIsolation(r.Isolate.Level == contain.Whole)
	switch {
	case at.URL != "":
		if err := apart(cmd); err != nil {
			return 0, err
		}
		return rehearsal.RunRemote(cmd.Context(), r, at)
	case m.sweep || m.asked(cmd):
		if err := isolation.Possible(cmd.Context(), r.Isolate); err != nil {
			return 0, err
		}
	}
	switch {
	case m.watch:
		return rehearsal.RunWatching(cmd.Context(), r)
	case m.sweep:
		return m.run(cmd.Context(), c, r)
	case m.asked(cmd):
		return m.count(cmd.Context(), c, r)
	case m.twin:
		return rehearsal.RunBeside(cmd.Context(), r)
	}
	return rehearsal.Run(cmd.Context(), r)
}

// apart refuses flags that say how a gateway is to be opened, where one is up.
func apart(cmd *cobra.Command) error {
	if cmd.Flags().Changed(isolateFlag) {
		return &gateway.UsageError{Err: errors.New("--isolate makes the agent's listeners part of a gateway of this process, and --gateway names another: leave out --gateway; or run the agent in a container on an internal network with that gateway, as docker-compose.yml has it")}
	}
	for _, name := range []string{"only", "contract", "host", "allow", "egress", "listen", "control", "durability", "max-body", "max-held", "max-calls", "check-replies", "locked", "lock-file", "sweep", "cell", "repeat", "seeds", "matrix", "twin", "watch"} {
		if cmd.Flags().Changed(name) {
			return &gateway.UsageError{Err: fmt.Errorf("--%s says how a gateway is opened, and the shared one is up: leave it out, or start `parity serve` with it", name)}
		}
	}
	return nil
}

// again are the flags that a repeated run needs, but for profile, seed and rule.
func (o *opening) again(exit string, strict bool) []string {
	var flags []string
	for _, host := range o.allow {
		flags = append(flags, "--allow", host)
	}
	if o.egress != "" {
		flags = append(flags, "--egress", o.egress)
	}
	for _, contract := range o.contracts {
		flags = append(flags, "--contract", contract)
	}
	for _, host := range o.hosts {
		flags = append(flags, "--host", host)
	}
	for _, rule := range o.only {
		flags = append(flags, "--only", rule)
	}
	if o.maxBody != defaultMaxBody {
		flags = append(flags, "--max-body", strconv.FormatInt(o.maxBody, 10))
	}
	if o.maxCalls != defaultMaxCalls {
		flags = append(flags, "--max-calls", strconv.Itoa(o.maxCalls))
	}
	if o.maxHeld != defaultMaxHeld {
		flags = append(flags, "--max-held", strconv.FormatInt(o.maxHeld, 10))
	}
	if o.checkReplies {
		flags = append(flags, "--check-replies")
	}
	if o.agent != "" {
		flags = append(flags, "--agent", o.agent)
	}
	if o.stage != 0 {
		flags = append(flags, "--stage", strconv.Itoa(o.stage))
	}
	if exit != defaultExit {
		flags = append(flags, "--exit", exit)
	}
	if strict {
		flags = append(flags, kept.Strict)
	}
	return flags
}

// ended turns an exit code into an error, where it is not 0.
func ended(code int) error {
	if code == 0 {
		return nil
	}
	return exitCode(code)
}
