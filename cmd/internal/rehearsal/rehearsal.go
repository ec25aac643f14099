// Package rehearsal is one agent's run, from its start to its report:
//
//	Plan ─▶ Run          a gateway is opened, the agent runs in it, the run is judged
//	        RunBeside    once without faults first, and then beside that
//	        RunWatching  again at each save
//	        RunRemote    in a run of a gateway that is up
//	Serve ─▶ a gateway that stays up, without an agent
//
// Runs that are many are cmd/internal/series.
package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"parity/cmd/internal/connection"
	"parity/cmd/internal/isolation"
	"parity/cmd/internal/reports"
	"parity/gateway"
	"parity/gateway/capture"
	"parity/gateway/kept"
	"parity/gateway/report"
	"parity/profiles/policy"
)

// ErrDefect marks a fault of Parity's own.
var ErrDefect = errors.New("a defect of Parity")

// ShutdownTime is how long calls under way have when the agent has ended.
const ShutdownTime = 3 * time.Second

// Plan says how an agent is rehearsed.
type Plan struct {
	gateway.Settings
	Command        []string // the agent
	Shown          []string // what the report calls it; default Command
	Exit           string   // what decides the exit code: agent or verdict
	Environ        []string // the parent's
	Flags          []string // of a command that would do the same again, but for profile, seed and rule
	Stdin          io.Reader
	Stdout, Stderr io.Writer             // the agent's; the report goes to Stderr
	Look           report.Options        // of the report in a terminal
	Arm            []gateway.Arming      // rules that are in force beside those of the profile
	Reports        []reports.Destination // that are written at the end
	Isolate        isolation.Options     // how the agent is isolated

	until <-chan struct{} // when it is closed, the agent is ended, which runs apart; nil: it ends by itself
	pair  pair
}

// pair is what a run has to do with the one beside it.
type pair struct {
	twin *report.Twin // that it goes beside; nil: none
	calm bool         // it is the twin: what it writes is kept, and not shown
}

// Run opens a gateway, runs the agent inside it, and reports. The code is what the
// process is to end with; an error means that nothing was started.
func Run(ctx context.Context, p Plan) (code int, err error) {
	_, code, err = RunNamed(ctx, p)
	return code, err
}

// RunNamed is Run, and gives the run's name too; "" where the agent could not be
// started.
func RunNamed(ctx context.Context, p Plan) (run string, code int, err error) {
	if err := p.Check(); err != nil {
		return "", 0, err
	}
	srv, code, err := p.run(ctx)
	if err != nil || srv == nil {
		return "", code, err
	}
	code, err = conclude(context.WithoutCancel(ctx), srv, p)
	return srv.Run.ID, code, err
}

// Check refuses what cannot be done before anything is.
func (p *Plan) Check() error {
	if p.Exit != "agent" && p.Exit != "verdict" {
		return fmt.Errorf("--exit %q: say agent or verdict", p.Exit)
	}
	return reports.Prepare(p.Reports)
}

// run opens a gateway and runs the agent inside it. The gateway is closed by
// then; it is nil where the agent could not be started, which is said, and of
// which nothing is kept.
func (p Plan) run(ctx context.Context) (srv *gateway.Server, code int, err error) {
	AllowModels(&p.Settings)
	// A signal to us is passed on to the agent, once; the gateway ends after it.
	opened := context.WithoutCancel(ctx)
	begun, err := isolation.Begin(p.Isolate)
	if err != nil {
		return nil, 0, err
	}
	defer func() {
		if begun != nil {
			begun.Leave()
		}
	}()
	if srv, err = gateway.Open(opened, p.Settings); err != nil {
		return nil, 0, err
	}
	if !p.pair.calm { // the run beside it says the same
		Warn(p.Stderr, srv)
	}
	if err := srv.Arm(opened, p.Arm); err != nil {
		return nil, 0, errors.Join(err, srv.Close(opened), srv.Discard())
	}
	env, err := connection.InFirstRun(srv)
	leave := func() {}
	if err == nil { // commands that name the run find its gateway while it goes on
		leave, err = connection.AnnounceIn(srv.Dir(), srv.DrawnToken(), env)
	}
	if err != nil {
		return nil, 0, errors.Join(err, srv.Close(opened), srv.Discard())
	}
	defer leave()
	var said Tail
	started := begun
	begun = nil
	code, startErr, err := p.agent(opened, started, srv, env, &said)
	if err != nil {
		return nil, 0, errors.Join(err, srv.Close(opened), srv.Discard())
	}
	done, cancel := context.WithTimeout(opened, ShutdownTime)
	defer cancel()
	closeErr := srv.Close(done)
	if startErr != nil {
		fmt.Fprintf(p.Stderr, "parity: %v\n", startErr)
		return nil, code, srv.Discard()
	}
	if closeErr != nil && (gateway.HeldUp(closeErr) || !errors.Is(closeErr, context.DeadlineExceeded)) {
		srv.Settings().Log.Warn("closing", "error", closeErr)
	}
	if p.pair.calm {
		err = KeepOutput(srv, srv.Run.ID, said.Masked())
	}
	return srv, code, err
}

// agent runs the agent to its end, isolated where that is asked for, and keeps how
// it ended. An error, other than that of a start, means that nothing was started.
func (p *Plan) agent(ctx context.Context, begun *isolation.Beginning, srv *gateway.Server, env capture.Settings, said *Tail) (code int, startErr, err error) {
	agent := capture.Command{Args: p.Command, Env: env.Environ(p.Environ), Stdin: p.Stdin, Stdout: p.Stdout, Stderr: p.Stderr}
	notes := env.Notes(p.Environ)
	isolate, err := p.Isolate.Under(srv.Profile(), p.Environ)
	if err != nil {
		if begun != nil {
			begun.Leave()
		}
		return 0, nil, err
	}
	var in *isolation.Inside
	if isolate.Level != "" {
		if in, err = isolation.Enter(ctx, begun, srv, srv.Run, isolate, p.Environ); err != nil {
			return 0, nil, err
		}
		agent.Inside, agent.Env, notes = in, in.Environ(), in.Notes(p.Environ)
		if err = in.Probe(ctx, srv, srv.Run, isolate); err != nil {
			return 0, nil, errors.Join(err, in.Close())
		}
	}
	watched := capture.NewWatched(env)
	if in == nil { // inside, loopback is the agent's own
		agent.Watched = watched
		srv.Serving(watched.Listens, env.Names)
	}
	wall := srv.Settings().Wall
	began := wall.Now()
	code, startErr = p.start(ctx, srv, agent, notes, said)
	came := kept.Outcome{Twin: p.pair.twin}
	if in != nil {
		came.Cut = in.Why()
		err = in.Close()
	}
	if startErr != nil {
		return code, startErr, err
	}
	if srv.Profile().Says.Output {
		came.Said = LastLines(said.Masked())
	}
	was := report.Agent{Started: true, Exit: code, Took: wall.Now().Sub(began), Limit: came.Cut}
	for _, s := range watched.Strays() {
		was.Strays = append(was.Strays, report.Stray(s))
	}
	srv.KeepOutcome(srv.Run.ID, p.Outcome(came, was))
	return code, nil, err
}

// AllowModels lets the agent reach its model, which nothing here plays.
func AllowModels(s *gateway.Settings) {
	if !slices.Contains(s.Allow, policy.ModelAPIs) {
		s.Allow = append([]string{policy.ModelAPIs}, s.Allow...)
	}
}

// Warn says what lint warns of in the profile that a gateway was opened with.
func Warn(w io.Writer, srv *gateway.Server) {
	for _, warning := range srv.Profile().Warnings {
		fmt.Fprintf(w, "parity: %v\n", warning)
	}
}

// start runs the agent.
func (p *Plan) start(ctx context.Context, srv *gateway.Server, agent capture.Command, notes []string, said *Tail) (int, error) {
	if p.until != nil {
		var end context.CancelCauseFunc
		ctx, end = context.WithCancelCause(ctx)
		defer end(nil)
		go func() {
			select {
			case <-p.until:
				end(errors.New("a file was saved"))
			case <-ctx.Done():
			}
		}()
		agent.Apart, agent.Stdin = true, nil
	}
	if p.pair.calm {
		agent.Stdout, agent.Stderr = said, said
		return capture.Start(ctx, agent)
	}
	for _, note := range notes {
		fmt.Fprintf(p.Stderr, "parity: %s\n", note)
	}
	if srv.Profile().Says.Output { // else the agent has the terminal itself
		agent.Stdout, agent.Stderr = said.beside(p.Stdout, p.Stderr)
	}
	return capture.Start(ctx, agent)
}

// Outcome completes an outcome with how the agent was started.
func (p *Plan) Outcome(o kept.Outcome, agent report.Agent) kept.Outcome {
	o.Profile, o.Command, o.Flags, o.Exit, o.Agent = p.Profile, p.Shown, p.Flags, p.Exit, &agent
	if o.Command == nil {
		o.Command = p.Command
	}
	return o
}

// conclude judges the run, prints the report, writes those that were asked for,
// and gives the exit code.
func conclude(ctx context.Context, srv *gateway.Server, p Plan) (int, error) {
	rep, err := concluded(ctx, srv, p)
	return rep.Exit, err
}

// concluded is conclude, and gives the report.
func concluded(ctx context.Context, srv *gateway.Server, p Plan) (report.Report, error) {
	s := srv.Settings()
	k, err := kept.Read(s.Root, srv.Run.ID)
	if err != nil {
		return report.Report{}, errors.Join(ErrDefect, err)
	}
	of := k.Subject()
	fmt.Fprintln(p.Stderr) // the agent's own last line is not part of it
	if err := report.Terminal(p.Stderr, of.Report(), p.Look); err != nil {
		return report.Report{}, errors.Join(ErrDefect, err)
	}
	reports.WriteAll(ctx, p.Stderr, p.Reports, s.Getenv(reports.CollectorHeaders), func(w io.Writer, f report.Format) error {
		return f.Write(w, of, report.Options{})
	})
	return of.Report(), nil
}
